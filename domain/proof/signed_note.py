"""What stands in the lines of C2SP text: base64 and hashes, decimal numbers, each in one form only."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from domain.proof import ProofError

_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")


def format_hashes(hashes: Sequence[bytes]) -> str:
    return "".join(f"{encode_base64(node)}\n" for node in hashes)


def parse_hash(line: str) -> bytes:
    node = decode_base64(line, "E_NOTE_FORMAT")
    if len(node) != 32:
        raise ProofError("E_NOTE_FORMAT", line, "32 bytes")
    return node


def parse_number(line: str) -> int:
    if not _NUMBER.fullmatch(line) or int(line) >= 1 << 63:
        raise ProofError("E_NOTE_FORMAT", line, "a decimal number")
    return int(line)


def encode_base64(blob: bytes) -> str:
    return base64.b64encode(blob).decode()


def decode_base64(text: str, code: str) -> bytes:
    """Strictly: other alphabets, missing padding and stray bits in the last character are refused."""
    try:
        blob = base64.b64decode(text, validate=True)
    except ValueError:
        blob = b""
    if encode_base64(blob) != text:
        raise ProofError(code, text, "base64")
    return blob


SUCCESSION_LABEL = b"fairlog/v1/succession"
NO_NUMBER = b"\xff"  # C2SP's signature type of those that have a name instead
KEY_BYTES, SIGNATURE_BYTES = 32, 64  # bytes

Verify_succession = Callable[[bytes, bytes, bytes], bool]


def succession_message(old: bytes, new: bytes) -> bytes:
    """What the old key signs: that from now on the new one signs for it, in every log of theirs."""
    return len(SUCCESSION_LABEL).to_bytes(4, "big") + SUCCESSION_LABEL + old + new


def succession_key_id(name: str, old: bytes) -> bytes:
    """The key id of the line by which the old key of that name is followed."""
    return hashlib.sha256(name.encode() + b"\n" + NO_NUMBER + SUCCESSION_LABEL + old).digest()[:4]


def line_payload(new: bytes, signature: bytes) -> bytes:
    """What stands in that line: the new key, and the old one's signature."""
    return new + signature


def succeeding_keys(
    name: str, key: bytes, lines: Iterable[tuple[bytes, bytes]], verify: Verify_succession
) -> tuple[bytes, ...]:
    """The key and those that followed it, one after another; `lines`: (key id, payload) below a note.

    E_CHECKPOINT_SIG: a line of a key of these that does not hold, that leads back, or that is one of two.
    """
    given, keys = tuple(lines), [key]
    while found := {
        payload for known, payload in given if known == succession_key_id(name, keys[-1])
    }:
        old, payload = keys[-1], min(found)
        new, signature = payload[:KEY_BYTES], payload[KEY_BYTES:]
        holds = len(signature) == SIGNATURE_BYTES and verify(
            old, succession_message(old, new), signature
        )
        if len(found) > 1 or new in keys or not holds:
            raise ProofError(
                "E_CHECKPOINT_SIG",
                payload.hex(),
                f"one key that follows {old.hex()}, and its signature",
            )
        keys.append(new)
    return tuple(keys)


ED25519, COSIGNATURE = 1, 4  # signature types
MAX_SIGNATURES = 100  # as Go's note; C2SP asks for 16 at least
PROOF_HEADER = "c2sp.org/tlog-proof@v1"

Verify = Callable[[bytes, bytes, bytes], bool]  # public key, message, signature of any length
Sign = Callable[[bytes], bytes]

_NAME = r"[^\s+]+"
_VKEY = re.compile(rf"({_NAME})\+([0-9a-f]{{8}})\+([A-Za-z0-9+/]+=*)")
_LINE = re.compile(rf"— ({_NAME}) ([A-Za-z0-9+/]+=*)")
_NO_TEXT = re.compile(
    r"[\x00-\x09\x0b-\x1f\ud800-\udfff]"
)  # control characters, and what is not UTF-8


@dataclass(frozen=True, slots=True)
class Vkey:
    """A public key to check notes with: name, signature type, 32 bytes."""

    name: str
    kind: int
    public_key: bytes


@dataclass(frozen=True, slots=True)
class Signature:
    """One line below a note. `payload` is 64 bytes for Ed25519, a u64 time before them in a cosignature."""

    name: str
    key_id: bytes
    payload: bytes


@dataclass(frozen=True, slots=True)
class Note:
    """Text ending in a newline, and its signatures; nothing of them is checked."""

    text: str
    signatures: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    origin: str
    size: int
    root: bytes


@dataclass(frozen=True, slots=True)
class TlogProof:
    """That leaf `index` is in the tree of `checkpoint`, a note as it was read; nothing of it is checked."""

    index: int
    path: tuple[bytes, ...]
    checkpoint: str


def key_id(vkey: Vkey) -> bytes:
    return hashlib.sha256(
        f"{vkey.name}\n".encode() + bytes([vkey.kind]) + vkey.public_key
    ).digest()[:4]


def vkey_text(vkey: Vkey) -> str:
    """`<name>+<key id>+<base64 of type and key>`; E_KEY if that could not be read back."""
    text = f"{vkey.name}+{key_id(vkey).hex()}+{encode_base64(bytes([vkey.kind]) + vkey.public_key)}"
    parse_vkey(text)
    return text


def parse_vkey(text: str) -> Vkey:
    """E_KEY unless it is an Ed25519 or cosignature/v1 key, with the key id that follows from it."""
    found = _VKEY.fullmatch(text)
    if not found or _NO_TEXT.search(text):
        raise ProofError("E_KEY", text, "name+id+base64")
    name, claimed, encoded = found.groups()
    material = decode_base64(encoded, "E_KEY")
    vkey = Vkey(name, material[0], material[1:])
    if vkey.kind not in (ED25519, COSIGNATURE) or len(vkey.public_key) != 32:
        raise ProofError("E_KEY", text, "type 1 or 4 and 32 bytes")
    if claimed != key_id(vkey).hex():
        raise ProofError("E_KEY", claimed, key_id(vkey).hex())
    return vkey


def parse_note(text: str) -> Note:
    """E_NOTE_FORMAT unless `note_text` gives back the same text."""
    head, blank, tail = text.rpartition("\n\n")
    if not blank or not tail.endswith("\n") or _NO_TEXT.search(text):
        raise ProofError("E_NOTE_FORMAT", text, "text, empty line, signature lines")
    lines = tail[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise ProofError("E_NOTE_FORMAT", f"{len(lines)} signatures", f"at most {MAX_SIGNATURES}")
    return Note(head + "\n", tuple(map(_parse_line, lines)))


def _parse_line(line: str) -> Signature:
    found = _LINE.fullmatch(line)
    if not found:
        raise ProofError("E_NOTE_FORMAT", line, "— name base64")
    blob = decode_base64(found[2], "E_NOTE_FORMAT")
    if len(blob) < 5:
        raise ProofError("E_NOTE_FORMAT", line, "key id and signature")
    return Signature(found[1], blob[:4], blob[4:])


def note_text(note: Note) -> str:
    return f"{note.text}\n{''.join(map(signature_line, note.signatures))}"


def signature_line(signature: Signature) -> str:
    return f"— {signature.name} {encode_base64(signature.key_id + signature.payload)}\n"


def checkpoint_text(origin: str, size: int, root: bytes) -> str:
    """What a log signs: origin, size and root, a line each."""
    return f"{origin}\n{size}\n{encode_base64(root)}\n"


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint of a note's text; E_NOTE_FORMAT unless `checkpoint_text` gives back the same text."""
    lines = text.split("\n")
    if len(lines) != 4 or not lines[0] or lines[3]:
        raise ProofError("E_NOTE_FORMAT", text, "origin, size, root")
    return Checkpoint(lines[0], parse_number(lines[1]), parse_hash(lines[2]))


def open_checkpoint(text: str, vkey: Vkey, verify: Verify) -> Checkpoint:
    """The checkpoint of a note that the log of `vkey` signed, with the last of the keys that followed it (succession).

    E_KEY: not a log's key. E_NOTE_FORMAT. E_CHECKPOINT_SIG: a bad signature of these keys, even beside a good.
    E_UNTRUSTED_LOG: a log signed it, but another one or with another key. E_UNSIGNED: no log did.
    """
    _expect_kind(vkey, ED25519)
    note = parse_note(text)
    checkpoint = parse_checkpoint(note.text)
    signatures: list[Signature] = []
    for by in _followed(note, vkey, verify):  # the last one counts
        vkey, signatures = by, list(signatures_by(note, by))
        for signature in signatures:
            if not verify(by.public_key, note.text.encode(), signature.payload):
                raise ProofError("E_CHECKPOINT_SIG", signature_line(signature), vkey_text(by))
    if signatures and checkpoint.origin == vkey.name:
        return checkpoint
    names = {signature.name for signature in note.signatures}
    code = "E_UNTRUSTED_LOG" if names & {vkey.name, checkpoint.origin} else "E_UNSIGNED"
    raise ProofError(
        code, f"{checkpoint.origin} signed by {', '.join(sorted(names))}", vkey_text(vkey)
    )


def is_succeeded_by(text: str, vkey: Vkey, by: Vkey, verify: Verify) -> bool:
    """Whether the lines of a note lead from the log's own key to this one."""
    try:
        return by in _followed(parse_note(text), vkey, verify)
    except ProofError:
        return False


def _followed(note: Note, vkey: Vkey, verify: Verify) -> list[Vkey]:
    """The key, and those that followed it."""
    lines = ((line.key_id, line.payload) for line in note.signatures if line.name == vkey.name)
    return [
        Vkey(vkey.name, ED25519, key)
        for key in succeeding_keys(vkey.name, vkey.public_key, lines, verify)
    ]


def succession_line(name: str, old: bytes, new: bytes, signature: bytes) -> str:
    """The line below a note by which the old key of that name is followed by the new one."""
    return signature_line(
        Signature(name, succession_key_id(name, old), line_payload(new, signature))
    )


def sign_checkpoint(origin: str, size: int, root: bytes, public_key: bytes, sign: Sign) -> str:
    """The signed note of a log whose key is named as its origin."""
    text = checkpoint_text(origin, size, root)
    signature = Signature(origin, key_id(Vkey(origin, ED25519, public_key)), sign(text.encode()))
    return note_text(Note(text, (signature,)))


def cosignature_message(text: str, seconds: int) -> bytes:
    """What a witness signs over a checkpoint's text; the time is POSIX seconds."""
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def cosign(text: str, witness: Vkey, seconds: int, sign: Sign) -> str:
    """The line that the witness, a cosignature/v1 key, puts below a note of this text."""
    payload = seconds.to_bytes(8, "big") + sign(cosignature_message(text, seconds))
    return signature_line(Signature(witness.name, key_id(witness), payload))


def cosignature_time(text: str, witness: Vkey, verify: Verify) -> int | None:
    """When this witness last cosigned the note, in POSIX seconds; None if it did not.

    E_KEY: not a witness's key. E_NOTE_FORMAT. E_COSIG: a bad cosignature of this key, even beside a good.
    """
    _expect_kind(witness, COSIGNATURE)
    note = parse_note(text)
    times: list[int] = []
    for signature in signatures_by(note, witness):
        seconds = int.from_bytes(signature.payload[:8], "big")
        message = cosignature_message(note.text, seconds)
        if seconds >= 1 << 63 or not verify(witness.public_key, message, signature.payload[8:]):
            raise ProofError("E_COSIG", signature_line(signature), vkey_text(witness))
        times.append(seconds)
    return max(times, default=None)


def tlog_proof_text(proof: TlogProof) -> str:
    return f"{PROOF_HEADER}\nindex {proof.index}\n{format_hashes(proof.path)}\n{proof.checkpoint}"


def add_checkpoint_body(old: int, proof: Sequence[bytes], checkpoint: str) -> str:
    """What a witness is sent: the size it knows, the consistency proof from there, the signed note."""
    return f"old {old}\n{format_hashes(proof)}\n{checkpoint}"


def signatures_by(note: Note, vkey: Vkey) -> Iterator[Signature]:
    known = key_id(vkey)
    return (line for line in note.signatures if line.name == vkey.name and line.key_id == known)


def _expect_kind(vkey: Vkey, kind: int) -> None:
    if vkey.kind != kind:
        raise ProofError("E_KEY", vkey_text(vkey), f"type {kind}")
