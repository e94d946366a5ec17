"""One event as it stands in the log: its leaf, and the opening (salt, body) that the leaf commits to."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

import msgspec

from domain.proof.hash_chain import LP, PROTOCOL
from domain.ruleset import Message


class RecordedEvent(msgspec.Struct, frozen=True, gc=False):
    """`at` is ms since 1970; `seat` is who asked; `raw` are the canonical bytes of `body`, as they were hashed.

    `sealed`: it was not for everyone when it was written; who may see it by now is for `domain.visibility` to say.
    `committed`: of a redacted fact what its leaf commits to, for its salt is gone and so are the words of its body.
    """

    session: str
    version: int
    turn: int
    at: int
    seat: str
    salt: bytes
    body: Message
    raw: bytes
    sealed: bool = False
    committed: bytes = b""


_BODY = sha256(LP(f"{PROTOCOL}body".encode()))
"""H("body", ...) of fairness.md with its first field taken in: every event is committed to, and checked."""


def commitment(salt: bytes, raw: bytes) -> bytes:
    """The salted commitment that stands in the leaf for the body: H("body", salt, raw); a salt has 32 bytes."""
    committed = _BODY.copy()
    committed.update(b"\0\0\0\x20" + salt + len(raw).to_bytes(4, "big") + raw)
    return committed.digest()


def leaf(session: str, version: int, turn: int, at: int, seat: str, committed: str) -> bytes:
    """The canonical JSON of a leaf (log.md); ids are ASCII without anything to escape, `committed` is hex."""
    return (
        f'{{"at":{at},"body":"{committed}","seat":"{seat}","session":"{session}",'
        f'"turn":{turn},"v":1,"version":{version}}}'
    ).encode()


def leaf_of(recorded: RecordedEvent) -> bytes:
    """The leaf of a fact."""
    committed = (recorded.committed or commitment(recorded.salt, recorded.raw)).hex()
    return leaf(
        recorded.session, recorded.version, recorded.turn, recorded.at, recorded.seat, committed
    )


class LogRow(NamedTuple):
    """A fact at its position in the whole log."""

    position: int
    event: RecordedEvent
