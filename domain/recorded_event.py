"""An event in the log: its leaf, and the opening (salt and body) that the leaf commits to."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

import msgspec

from domain.proof.hash_chain import PROTOCOL, length_prefixed
from domain.ruleset import Message


class RecordedEvent(msgspec.Struct, frozen=True, gc=False):
    """An event as it is recorded: its place in the log, its seat, its body and its salt.

    `at`: milliseconds since 1970. `raw`: the canonical bytes of `body`, as they were hashed.
    `sealed`: the event was secret when it was written. `domain.visibility` says who may see it now.
    `committed`: the commitment in the leaf of a redacted event, whose salt and text are deleted.
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


_BODY = sha256(length_prefixed(f"{PROTOCOL}body".encode()))
"""The hash state after the label: commitments are computed for every event, so it is shared."""


def commitment(salt: bytes, raw: bytes) -> bytes:
    """Return the commitment to a body, H("body", salt, raw). The salt has 32 bytes."""
    committed = _BODY.copy()
    committed.update(b"\0\0\0\x20" + salt + len(raw).to_bytes(4, "big") + raw)
    return committed.digest()


def leaf(session: str, version: int, turn: int, at: int, seat: str, committed: str) -> bytes:
    """Return the canonical JSON of a leaf (docs/log-format.md). No id needs escapes."""
    return (
        f'{{"at":{at},"body":"{committed}","seat":"{seat}","session":"{session}",'
        f'"turn":{turn},"v":1,"version":{version}}}'
    ).encode()


def leaf_of(recorded: RecordedEvent) -> bytes:
    committed = (recorded.committed or commitment(recorded.salt, recorded.raw)).hex()
    return leaf(
        recorded.session, recorded.version, recorded.turn, recorded.at, recorded.seat, committed
    )


class LogRow(NamedTuple):
    """A recorded event and its position in the log of all sessions."""

    position: int
    event: RecordedEvent
