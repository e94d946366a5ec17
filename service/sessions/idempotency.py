"""Idempotency: a request's events and its answer are stored in one transaction.

A repeated request is recognized by its seat and idempotency key.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from domain.recorded_event import RecordedEvent
from domain.session.state import Session
from service.store.recorder import Recorder, SideRow
from service.store.schema import ANSWERS_INSERT


class RequestIdentity(msgspec.Struct, frozen=True):
    """A request, identified by its seat, idempotency key and content hash.

    If the request's body chooses the seat, `under` replaces `seat` as the key of the stored answer.
    `newest` is the session's version when the token was looked up, or 0 if there was no token.
    """

    seat: str
    key: str
    content_hash: bytes
    under: str = ""
    newest: int = 0


class CommandResult(msgspec.Struct, frozen=True):
    """The result of a command whose events have the versions `first` to `last`.

    `session` is the session's current state. `repeated` is True if the request had already been
    answered. `events` contains the events if they have just been stored. Otherwise it is empty, and
    the events must be read from the log.
    """

    session: Session
    first: int
    last: int
    repeated: bool
    events: tuple[RecordedEvent, ...] = ()


class KeyReusedError(Exception):
    """The idempotency key was already used for a different request."""


def request_hash(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()


def stored_response(
    store: Recorder, session: Session, request: RequestIdentity
) -> CommandResult | None:
    """Return the result stored for this request, or None if there is none.

    Raises KeyReusedError if the key was used for a different request.
    """
    versions = stored_versions(store, session.id, request)
    return None if versions is None else CommandResult(session, *versions, repeated=True)


def stored_versions(
    store: Recorder, session: str, request: RequestIdentity
) -> tuple[int, int] | None:
    """Return the versions stored with the answer to this request, or None if there is none.

    `session` can be a campaign, too: answers to its requests are stored under its id. Raises
    KeyReusedError if the key was used for a different request.
    """
    rows = _select_answer(store, session, request)
    if not rows:
        return None
    content_hash, first, last = rows[0]
    if content_hash != request.content_hash:
        raise KeyReusedError(request.key)
    return first, last


def is_repeat(store: Recorder, session: str, request: RequestIdentity) -> bool:
    """Return True if an identical request with the same key was answered before."""
    return any(row[0] == request.content_hash for row in _select_answer(store, session, request))


def answer_row(session: str, request: RequestIdentity, first: int, last: int) -> SideRow:
    """Return the side row that stores the answer to the request.

    The row must be stored in the same transaction as the events `first` to `last`.
    """
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
