"""Idempotency: the answer to each request, by seat and key, stored in the turn's transaction."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from domain.recorded_event import RecordedEvent
from domain.session.state import Session
from service.store.recorder import Recorder, SideRow
from service.store.schema import ANSWERS_INSERT


class RequestIdentity(msgspec.Struct, frozen=True):
    """A request: its seat, its idempotency key and the hash of its content.

    `under` replaces the seat in the stored row if the request's body chooses the seat. `newest` is
    the session's version when the token was looked up, or 0 if none was.
    """

    seat: str
    key: str
    content_hash: bytes
    under: str = ""
    newest: int = 0


class CommandResult(msgspec.Struct, frozen=True):
    """The versions `first` to `last` that a command took, and the session as it is now.

    `events` are those of these versions if they were just written; otherwise they are read from the
    log.
    """

    session: Session
    first: int
    last: int
    repeated: bool
    events: tuple[RecordedEvent, ...] = ()


class KeyReusedError(Exception):
    """The idempotency key was used for another request before."""


def request_hash(body: bytes) -> bytes:
    """Return the hash by which two requests are compared."""
    return hashlib.sha256(body).digest()


def stored_response(
    store: Recorder, session: Session, request: RequestIdentity
) -> CommandResult | None:
    """Return the answer that was stored under this key, or None. Raises KeyReusedError."""
    rows = _select_answer(store, session.id, request)
    if not rows:
        return None
    content_hash, first, last = rows[0]
    if content_hash != request.content_hash:
        raise KeyReusedError(request.key)
    return CommandResult(session, first, last, repeated=True)


def is_repeat(store: Recorder, session: str, request: RequestIdentity) -> bool:
    """Return True if this very request was answered before."""
    return any(row[0] == request.content_hash for row in _select_answer(store, session, request))


def answer_row(session: str, request: RequestIdentity, first: int, last: int) -> SideRow:
    """Return the side row that stores the answer with the events."""
    return ANSWERS_INSERT, [
        (session, request.under or request.seat, request.key, request.content_hash, first, last)
    ]


def _select_answer(
    store: Recorder, session: str, request: RequestIdentity
) -> list[tuple[Any, ...]]:
    return store.query(
        "SELECT request, first, last FROM answers WHERE session=? AND seat=? AND key=?",
        (session, request.under or request.seat, request.key),
    )
