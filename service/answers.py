"""What was answered to whom: a turn by its seat and idempotency key, stored in the turn's own transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from domain.fact import Fact
from domain.session.state import Session
from service.storage.tables import ANSWERED


class Asked(msgspec.Struct, frozen=True):
    """One request: the seat that asks, under which key, and the hash of what was asked.

    `under`: whom the answer is kept under where that is not the seat; a body that chooses the seat cannot choose it.
    `newest`: the session's version when its seat was found, 0 where that was not looked at.
    """

    seat: str
    key: str
    request: bytes
    under: str = ""
    newest: int = 0


class Answer(msgspec.Struct, frozen=True):
    """The versions that a command took: `first` to `last`; `session` as it stands now.

    `facts`: those of these versions where they were just written, and need not be read.
    """

    session: Session
    first: int
    last: int
    repeated: bool
    facts: tuple[Fact, ...] = ()


class KeyReused(Exception):
    """The same key came with another request."""


class Store(Protocol):
    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]: ...


def request_hash(body: bytes) -> bytes:
    """What two requests are compared by."""
    return hashlib.sha256(body).digest()


def stored_response(store: Store, session: Session, asked: Asked) -> Answer | None:
    """The answer that was given under this key, if any. Raises KeyReused."""
    rows = _rows(store, session.id, asked)
    if not rows:
        return None
    request, first, last = rows[0]
    if request != asked.request:
        raise KeyReused(asked.key)
    return Answer(session, first, last, repeated=True)


def repeats(store: Store, session: str, asked: Asked) -> bool:
    """Whether this very request was answered before."""
    return any(request == asked.request for request, _, _ in _rows(store, session, asked))


def row(session: str, asked: Asked, first: int, last: int) -> tuple[str, list[tuple[Any, ...]]]:
    """What is written beside the events."""
    return ANSWERED, [(session, asked.under or asked.seat, asked.key, asked.request, first, last)]


def _rows(store: Store, session: str, asked: Asked) -> list[tuple[Any, ...]]:
    return store.query(
        "SELECT request, first, last FROM answers WHERE session=? AND seat=? AND key=?",
        (session, asked.under or asked.seat, asked.key),
    )
