"""Recorded events and their leaves. A leaf commits to an event's salt and body."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

import msgspec

from domain.proof.hash_chain import PROTOCOL, length_prefixed
from domain.ruleset import Message


class RecordedEvent(msgspec.Struct, frozen=True, gc=False):
    """An event in the log, with its version, turn, seat and salt.

    `at` is the time in ms since the epoch. `raw` is the canonical JSON of `body`, exactly as it was
    hashed. `sealed` is True if the event was secret when it was written.
    (`domain.visibility` decides who may read it now.) `committed` is the commitment to a redacted
    event, whose salt and text have been deleted. It is empty for all other events.
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
"""The hash state after hashing the label, computed once because all commitments share it."""


def commitment(salt: bytes, raw: bytes) -> bytes:
    """Return the commitment to an event's body, H("body", salt, raw).

    The salt must be 32 bytes long.
    """
    committed = _BODY.copy()
    committed.update(b"\0\0\0\x20" + salt + len(raw).to_bytes(4, "big") + raw)
    return committed.digest()


def leaf(session: str, version: int, turn: int, at: int, seat: str, committed: str) -> bytes:
    """Return a leaf as canonical JSON (docs/log-format.md).

    None of the string arguments may contain a character that JSON escapes.
    """
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
    """A recorded event and its position in the combined log of all sessions."""

    position: int
    event: RecordedEvent
