"""A witness (c2sp.org/tlog-witness): cosigns a log's checkpoints as long as the log only grows."""

from __future__ import annotations

import fcntl
import threading
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

import msgspec

from domain.proof import ProofError, signed_note
from domain.proof.merkle_tree import verify_consistency
from domain.proof.signed_note import COSIGNATURE, Vkey, parse_vkey, vkey_text
from service.platform import clock
from service.platform.ed25519 import verify
from service.platform.files import write_private
from service.platform.keys import Signer

KEY_FILE, STATE_FILE, LOCK_FILE = "witness.key", "witness.json", "witness.lock"
SIZE_CONTENT_TYPE = "text/x.tlog.size"
MAX_PROOF_LINES = 63


class WitnessKey(msgspec.Struct, frozen=True):
    """The witness's name and the seed of its key in hex."""

    name: str
    seed: str


class KnownLog(msgspec.Struct, frozen=True):
    """The largest checkpoint of a log that the witness has cosigned, and the log's key.

    `root` is in hex.
    """

    key: str
    size: int = 0
    root: str = ""


class Answer(NamedTuple):
    status: HTTPStatus
    text: str
    kind: str = "text/plain"


class WitnessFolderError(Exception):
    """The witness's folder cannot be used. The message says what to do."""


def create_key(folder: Path, name: str) -> Vkey:
    """Return the key of the witness in `folder`. Create the key if the folder has none.

    Raises WitnessFolderError if the folder has the key of a witness with another name.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / KEY_FILE
    if not file.exists():
        key = WitnessKey(name, clock.random_bytes().hex())
        vkey_text(_vkey(key))  # refuses a name that a note cannot contain
        write_private(file, msgspec.json.encode(key), replace=False)
    key = msgspec.json.decode(file.read_bytes(), type=WitnessKey)
    if key.name != name:
        raise WitnessFolderError(
            f"{file} belongs to the witness {key.name}: use --name {key.name}, or another folder"
        )
    return _vkey(key)


class Witness:
    """The logs that the witness knows, stored in its folder. Thread-safe.

    Only one process may use a folder. Otherwise, two processes could cosign two different
    checkpoints of the same size.
    """

    def __init__(self, folder: Path, logs: Sequence[str]) -> None:
        """Read the state, and add the logs with these vkeys. Raises WitnessFolderError."""
        self._lock, self._file = threading.Lock(), folder / STATE_FILE
        self._process_lock = (folder / LOCK_FILE).open("a")
        try:
            fcntl.flock(self._process_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise WitnessFolderError(
                f"another process uses {folder}: stop it, or use another folder"
            ) from None
        key = msgspec.json.decode((folder / KEY_FILE).read_bytes(), type=WitnessKey)
        self._key, self._vkey = Signer(bytes.fromhex(key.seed)), _vkey(key)
        stored = self._file.read_bytes() if self._file.exists() else b"{}"
        self._known = msgspec.json.decode(stored, type=dict[str, KnownLog])
        for log in logs:
            self._known.setdefault(parse_vkey(log).name, KnownLog(log))

    def close(self) -> None:
        """Let another process use the folder."""
        self._process_lock.close()

    def add_checkpoint(self, body: str) -> Answer:
        """Cosign a checkpoint if it extends the last one that the witness has cosigned.

        `body` is the body of an add-checkpoint request.
        """
        try:
            old, proof, note = _parse_request(body)
            checkpoint = signed_note.parse_checkpoint(signed_note.parse_note(note).text)
        except ProofError as broken:
            return Answer(HTTPStatus.BAD_REQUEST, f"malformed request: {broken}\n")
        with self._lock:
            known = self._known.get(checkpoint.origin)
            if known is None:
                return Answer(HTTPStatus.NOT_FOUND, "this witness does not know the log\n")
            try:
                signed_note.open_checkpoint(note, parse_vkey(known.key), verify)
                # An older key is not trusted again, because it may have been stolen.
                key = vkey_text(signed_note.current_key(note, parse_vkey(known.key), verify))
            except ProofError as broken:
                return Answer(HTTPStatus.FORBIDDEN, f"not signed by the log's key: {broken}\n")
            return self._cosign(
                known, KnownLog(key, checkpoint.size, checkpoint.root.hex()), old, proof, note
            )

    def _cosign(
        self, known: KnownLog, now: KnownLog, old: int, proof: tuple[bytes, ...], note: str
    ) -> Answer:
        if old > now.size:
            return Answer(HTTPStatus.BAD_REQUEST, "the old size is above the checkpoint's size\n")
        is_same_size = known.size == now.size and known.size > 0
        if old != known.size or (is_same_size and known.root != now.root):
            return Answer(HTTPStatus.CONFLICT, f"{known.size}\n", SIZE_CONTENT_TYPE)
        old_root, root = bytes.fromhex(known.root), bytes.fromhex(now.root)
        if not (
            not proof if old == 0 else verify_consistency(old, now.size, old_root, root, proof)
        ):
            return Answer(
                HTTPStatus.UNPROCESSABLE_ENTITY, "the proof does not show that the log only grew\n"
            )
        text = signed_note.parse_note(note).text
        self._known[signed_note.parse_checkpoint(text).origin] = now
        # Stored before it is signed. Otherwise, a witness that crashed could sign a fork.
        write_private(self._file, msgspec.json.encode(self._known))
        seconds = clock.now_ms() // 1000
        return Answer(HTTPStatus.OK, signed_note.cosign(text, self._vkey, seconds, self._key.sign))


def _vkey(key: WitnessKey) -> Vkey:
    return Vkey(key.name, COSIGNATURE, Signer(bytes.fromhex(key.seed)).public)


def _parse_request(body: str) -> tuple[int, tuple[bytes, ...], str]:
    """Return the old size, the consistency proof and the note. Raises ProofError."""
    head, blank, note = body.partition("\n\n")
    first, *lines = head.split("\n")
    if not blank or not first.startswith("old ") or len(lines) > MAX_PROOF_LINES:
        raise ProofError("E_NOTE_FORMAT", head, "old <size>, a proof, an empty line and a note")
    old = signed_note.parse_number(first.removeprefix("old "))
    return old, tuple(map(signed_note.parse_hash, lines)), note
