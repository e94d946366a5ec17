"""Signed notes (C2SP): checkpoints, public keys, and cosignatures by witnesses.

A log signs its size and its Merkle root as a checkpoint. Anyone who has the log's public key can
check the signature without the server. This module writes and parses notes. It accepts only text
that it would write itself, so each note has exactly one valid form.

A signed note consists of its text, an empty line, and signature lines. The text ends in a line
feed. The text of a checkpoint has three lines: origin, size, and root in base64. This is a signed
checkpoint for an empty log:

    example.org/log
    0
    47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=

    — example.org/log <base64 of a 4-byte key id and a 64-byte Ed25519 signature>

The signature covers the three lines and their line feeds. Each signature line is one of these:

* The log's signature, of signature type 1.
* A cosignature by a witness, of type 4. A time in POSIX seconds (u64) precedes the signature.
* A succession line, in which the log's old key names the new key that signs from now on.
* A signature by an unknown key, which readers ignore.

A vkey is the text form of a public key, `<name>+<key id>+<base64 of type and key>`:

    example.org/log+70da24f6+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA

The functions take the Ed25519 operations as arguments (`Sign`, `Verify`), because the domain does
not depend on a cryptography library. Errors are raised as ProofError with the codes in
docs/log-format.md, section "Checkpoint". https://c2sp.org specifies the formats: signed-note,
tlog-checkpoint, tlog-cosignature, tlog-proof and tlog-witness. Succession is this project's own
extension.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from domain.proof import ProofError
from domain.proof.hash_chain import length_prefixed

ED25519, COSIGNATURE = 1, 4  # signature types
MAX_SIGNATURES = 100  # as in Go's note package; C2SP asks for at least 16
PROOF_HEADER = "c2sp.org/tlog-proof@v1"

Verify = Callable[[bytes, bytes, bytes], bool]
"""Checks whether a signature is valid: (public key, message, signature of any length) -> bool."""
Sign = Callable[[bytes], bytes]

_SUCCESSION_LABEL = b"fairlog/v1/succession"
_SUCCESSION_TYPE = b"\xff"  # in C2SP, the type of signatures that have a name instead of a number
_KEY_BYTES, _SIGNATURE_BYTES = 32, 64

_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")
_NAME = r"[^\s+]+"
_VKEY = re.compile(rf"({_NAME})\+([0-9a-f]{{8}})\+([A-Za-z0-9+/]+=*)")
_LINE = re.compile(rf"— ({_NAME}) ([A-Za-z0-9+/]+=*)")
_NOT_TEXT = re.compile(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]")
"""Control characters, and lone surrogates, which UTF-8 cannot encode."""


# Keys.


@dataclass(frozen=True, slots=True)
class Vkey:
    """A public key that verifies signed notes.

    It consists of a name, a signature type, and the 32 bytes of the key.
    """

    name: str
    kind: int
    public_key: bytes


def key_id(vkey: Vkey) -> bytes:
    return hashlib.sha256(
        f"{vkey.name}\n".encode() + bytes([vkey.kind]) + vkey.public_key
    ).digest()[:4]


def vkey_text(vkey: Vkey) -> str:
    """Return the text form of a public key.

    Raises ProofError("E_KEY") if the key is invalid.
    """
    text = f"{vkey.name}+{key_id(vkey).hex()}+{encode_base64(bytes([vkey.kind]) + vkey.public_key)}"
    parse_vkey(text)
    return text


def parse_vkey(text: str) -> Vkey:
    """Parse the text form of a public key.

    Raises ProofError("E_KEY") unless the type is Ed25519 or cosignature/v1 and the key id is
    correct.
    """
    match = _VKEY.fullmatch(text)
    if not match or _NOT_TEXT.search(text):
        raise ProofError("E_KEY", text, "name+id+base64")
    name, claimed, encoded = match.groups()
    material = decode_base64(encoded, "E_KEY")
    vkey = Vkey(name, material[0], material[1:])
    if vkey.kind not in (ED25519, COSIGNATURE) or len(vkey.public_key) != 32:
        raise ProofError("E_KEY", text, "a 32-byte key of type 1 or 4")
    if claimed != key_id(vkey).hex():
        raise ProofError("E_KEY", claimed, key_id(vkey).hex())
    return vkey


def _expect_kind(vkey: Vkey, kind: int) -> None:
    if vkey.kind != kind:
        raise ProofError("E_KEY", vkey_text(vkey), f"a key of type {kind}")


# Notes and their signature lines.


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature line below a note.

    `payload` ends with a 64-byte signature. In a cosignature, the signature is preceded by a time
    (u64). In a succession line, it is preceded by the new key.
    """

    name: str
    key_id: bytes
    payload: bytes


@dataclass(frozen=True, slots=True)
class SignedNote:
    """A note. Its text ends in a line feed. Its signatures have not been verified yet."""

    text: str
    signatures: tuple[Signature, ...]


def parse_note(text: str) -> SignedNote:
    """Parse a signed note.

    Raises ProofError unless `note_text` would produce exactly this text.
    """
    head, blank, tail = text.rpartition("\n\n")
    if not blank or not tail.endswith("\n") or _NOT_TEXT.search(text):
        raise ProofError("E_NOTE_FORMAT", text, "text, an empty line, and signature lines")
    lines = tail[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise ProofError("E_NOTE_FORMAT", f"{len(lines)} signatures", f"at most {MAX_SIGNATURES}")
    return SignedNote(head + "\n", tuple(map(_parse_signature_line, lines)))


def _parse_signature_line(line: str) -> Signature:
    match = _LINE.fullmatch(line)
    if not match:
        raise ProofError("E_NOTE_FORMAT", line, "— name base64")
    blob = decode_base64(match[2], "E_NOTE_FORMAT")
    if len(blob) < 5:
        raise ProofError("E_NOTE_FORMAT", line, "a key id and a signature")
    return Signature(match[1], blob[:4], blob[4:])


def note_text(note: SignedNote) -> str:
    return f"{note.text}\n{''.join(map(signature_line, note.signatures))}"


def signature_line(signature: Signature) -> str:
    return f"— {signature.name} {encode_base64(signature.key_id + signature.payload)}\n"


def signatures_by(note: SignedNote, vkey: Vkey) -> Iterator[Signature]:
    known = key_id(vkey)
    return (line for line in note.signatures if line.name == vkey.name and line.key_id == known)


# Checkpoints of a log.


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state that a log signs: its origin (a name), its size, and its Merkle root."""

    origin: str
    size: int
    root: bytes


def checkpoint_text(origin: str, size: int, root: bytes) -> str:
    """Return the text that a log signs: origin, size and root, one per line."""
    return f"{origin}\n{size}\n{encode_base64(root)}\n"


def parse_checkpoint(text: str) -> Checkpoint:
    """Parse a checkpoint's text.

    Raises ProofError unless `checkpoint_text` would write the same text.
    """
    lines = text.split("\n")
    if len(lines) != 4 or not lines[0] or lines[3]:
        raise ProofError("E_NOTE_FORMAT", text, "three lines: origin, size, root")
    return Checkpoint(lines[0], parse_number(lines[1]), parse_hash(lines[2]))


def sign_checkpoint(origin: str, size: int, root: bytes, public_key: bytes, sign: Sign) -> str:
    """Return a checkpoint as a note signed with the log's key.

    The key's name is `origin`.
    """
    text = checkpoint_text(origin, size, root)
    signature = Signature(origin, key_id(Vkey(origin, ED25519, public_key)), sign(text.encode()))
    return note_text(SignedNote(text, (signature,)))


def open_checkpoint(text: str, vkey: Vkey, verify: Verify) -> Checkpoint:
    """Verify a signed note and return the checkpoint that it contains.

    The note must be signed by the log's current key. This is `vkey` or, if succession lines replace
    it, its latest successor. Raises ProofError with one of these codes:

    - E_KEY: `vkey` is not a log's key.
    - E_NOTE_FORMAT: the text is not a checkpoint.
    - E_CHECKPOINT_SIG: a signature by `vkey` or one of its successors is invalid, even if another
      signature is valid. A succession line by one of these keys counts as such a signature.
    - E_UNTRUSTED_LOG: the note is from a different log, or this log signed it with a different key.
    - E_UNSIGNED: the note is signed neither by this log nor by the log that its origin names.
    """
    _expect_kind(vkey, ED25519)
    note = parse_note(text)
    checkpoint = parse_checkpoint(note.text)
    signatures: list[Signature] = []
    for key in _keys_in_order(note, vkey, verify):  # the last key is the current one
        vkey, signatures = key, list(signatures_by(note, key))
        for signature in signatures:
            if not verify(key.public_key, note.text.encode(), signature.payload):
                raise ProofError("E_CHECKPOINT_SIG", signature_line(signature), vkey_text(key))
    if signatures and checkpoint.origin == vkey.name:
        return checkpoint
    names = {signature.name for signature in note.signatures}
    code = "E_UNTRUSTED_LOG" if names & {vkey.name, checkpoint.origin} else "E_UNSIGNED"
    raise ProofError(
        code, f"{checkpoint.origin} signed by {', '.join(sorted(names))}", vkey_text(vkey)
    )


# Succession: a log changes its key.


def succession_message(old: bytes, new: bytes) -> bytes:
    """Return the bytes that the old key signs to appoint the new key as its successor.

    The appointment applies to every log that uses the old key.
    """
    return length_prefixed(_SUCCESSION_LABEL) + old + new


def succession_line(name: str, old: bytes, new: bytes, signature: bytes) -> str:
    """Return the signature line with which a log's old key appoints its new key."""
    return signature_line(Signature(name, _succession_key_id(name, old), new + signature))


def _succession_key_id(name: str, old: bytes) -> bytes:
    material = name.encode() + b"\n" + _SUCCESSION_TYPE + _SUCCESSION_LABEL + old
    return hashlib.sha256(material).digest()[:4]


def is_succeeded_by(text: str, vkey: Vkey, successor: Vkey, verify: Verify) -> bool:
    """Return True if succession lines in the note replace `vkey` with `successor`.

    The replacement may take several steps. Returns False if the note or a succession line is
    invalid.
    """
    try:
        return successor in _keys_in_order(parse_note(text), vkey, verify)
    except ProofError:
        return False


def current_key(text: str, vkey: Vkey, verify: Verify) -> Vkey:
    """Return the latest successor to `vkey` that the note's succession lines name, or `vkey`.

    A reader who has seen a successor must no longer trust `vkey`, which may have been stolen.
    Raises ProofError if the note or a succession line is invalid.
    """
    return _keys_in_order(parse_note(text), vkey, verify)[-1]


def _keys_in_order(note: SignedNote, vkey: Vkey, verify: Verify) -> list[Vkey]:
    """Return the log's key `vkey` and its successors, oldest first.

    Raises ProofError("E_CHECKPOINT_SIG") if a succession line by one of these keys has an invalid
    signature, names an earlier key, or contradicts another succession line.
    """
    keys = [vkey.public_key]
    while payloads := {
        line.payload
        for line in note.signatures
        if line.name == vkey.name and line.key_id == _succession_key_id(vkey.name, keys[-1])
    }:
        old, payload = keys[-1], min(payloads)
        new, signature = payload[:_KEY_BYTES], payload[_KEY_BYTES:]
        is_valid = len(signature) == _SIGNATURE_BYTES and verify(
            old, succession_message(old, new), signature
        )
        if len(payloads) > 1 or new in keys or not is_valid:
            expected = f"one new successor to key {old.hex()}, signed by that key"
            raise ProofError("E_CHECKPOINT_SIG", payload.hex(), expected)
        keys.append(new)
    return [Vkey(vkey.name, ED25519, key) for key in keys]


# Cosignatures of witnesses.


def cosignature_message(text: str, seconds: int) -> bytes:
    """Return the bytes that a witness signs: a checkpoint's text and the time."""
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def cosign(text: str, witness: Vkey, seconds: int, sign: Sign) -> str:
    """Return the cosignature line that a witness adds to the note with this text."""
    payload = seconds.to_bytes(8, "big") + sign(cosignature_message(text, seconds))
    return signature_line(Signature(witness.name, key_id(witness), payload))


def cosignature_time(text: str, witness: Vkey, verify: Verify) -> int | None:
    """Return when the witness last cosigned the note, or None if it never did.

    The time is in POSIX seconds. Raises ProofError with one of these codes:

    - E_KEY: `witness` is not a witness's key.
    - E_NOTE_FORMAT: the text is not a note.
    - E_COSIG: a cosignature by this key is invalid, even if another one is valid.
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


def add_checkpoint_body(old: int, proof: Sequence[bytes], checkpoint: str) -> str:
    """Return the body of an add-checkpoint request to a witness.

    `old` is the last size that the witness has seen, `proof` is the consistency proof from that
    size, and `checkpoint` is the signed note.
    """
    return f"old {old}\n{format_hashes(proof)}\n{checkpoint}"


# Inclusion proofs.


@dataclass(frozen=True, slots=True)
class TlogProof:
    """An inclusion proof for the leaf at `index`, not yet verified.

    `path` lists the sibling hashes from the leaf to the root. `checkpoint` is a signed note.
    """

    index: int
    path: tuple[bytes, ...]
    checkpoint: str


def tlog_proof_text(proof: TlogProof) -> str:
    return f"{PROOF_HEADER}\nindex {proof.index}\n{format_hashes(proof.path)}\n{proof.checkpoint}"


# Parts of lines.


def format_hashes(hashes: Sequence[bytes]) -> str:
    return "".join(f"{encode_base64(node)}\n" for node in hashes)


def parse_hash(line: str) -> bytes:
    node = decode_base64(line, "E_NOTE_FORMAT")
    if len(node) != 32:
        raise ProofError("E_NOTE_FORMAT", line, "32 bytes")
    return node


def parse_number(line: str) -> int:
    if not _NUMBER.fullmatch(line) or int(line) >= 1 << 53:
        raise ProofError("E_NOTE_FORMAT", line, "a decimal number below 2^53")
    return int(line)


def encode_base64(blob: bytes) -> str:
    return base64.b64encode(blob).decode()


def decode_base64(text: str, code: str) -> bytes:
    """Decode base64 strictly.

    Raises ProofError with the given code if the text contains characters outside the base64
    alphabet, lacks padding, or has nonzero padding bits.
    """
    try:
        blob = base64.b64decode(text, validate=True)
    except ValueError:
        blob = b""
    if encode_base64(blob) != text:
        raise ProofError(code, text, "base64")
    return blob
