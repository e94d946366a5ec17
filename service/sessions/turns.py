"""Locks, contexts and side rows for deciding and storing turns."""

from __future__ import annotations

import threading
from functools import partial
from typing import NamedTuple

import msgspec

from domain.proof import merkle_tree
from domain.recorded_event import RecordedEvent
from domain.session.messages import StoredSecret
from domain.session.state import Session
from domain.session.turns import DecidedTurn, Head, TurnContext
from service.platform import clock, ed25519
from service.sessions.app import App
from service.sessions.house import draw_secret_name
from service.store.recorder import SideRow, SideRows

SECRETS_UPSERT = (
    "INSERT INTO secrets (session, name, value) VALUES (?,?,?)"
    " ON CONFLICT (session, name) DO UPDATE SET value=excluded.value"
)
WAITING_INSERT = "INSERT INTO waiting (session, k, deadline) VALUES (?,?,?)"

# Writers in one process queue at these locks instead of racing. Races between processes are decided
# by the versions in the log. Several sessions share a lock, which costs little because the database
# has only one writer at a time. The locks are reentrant, because the thread that holds one to
# decide a command acquires it again to complete a pending draw.
_LOCKS = tuple(threading.RLock() for _ in range(64))


class SessionWrite(NamedTuple):
    """The data that one transaction writes to a session.

    `head` is the session's head after the write.
    """

    head: Head
    events: tuple[RecordedEvent, ...]
    side_rows: SideRows = ()


def session_lock(session: str) -> threading.RLock:
    """Return the lock that a thread must hold while it decides and stores a turn.

    The lock applies only within this process.
    """
    return _LOCKS[hash(session) % len(_LOCKS)]


def turn_context(app: App, session: str) -> TurnContext:
    return TurnContext(
        clock.now_ms(),
        clock.random_bytes,
        app.house.link,
        app.house.blind,
        app.house.sign,
        ed25519.verify,
        app.log.history(session),
        partial(root_at, app, session),
    )


def root_at(app: App, session: str, size: int) -> bytes:
    """Return the root of the session's Merkle tree at `size`. Raises UnknownSessionError."""
    return merkle_tree.root(app.log.head_at(session, size).frontier, size)


def secret_row(session: str, turn: int, kept: StoredSecret) -> SideRow:
    return SECRETS_UPSERT, [(session, draw_secret_name(turn), msgspec.json.encode(kept))]


def side_rows(decided: DecidedTurn) -> list[SideRow]:
    """Return the side rows for the turn's secret and for its pending draw's deadline."""
    session, rows = decided.head.session, list[SideRow]()
    if decided.secret is not None:
        rows.append(secret_row(session.id, decided.events[0].turn, decided.secret))
    if session.pending is not None and session.pending.version == decided.events[0].version:
        rows.append((WAITING_INSERT, [(session.id, session.pending.k, deadline(session))]))
    return rows


def deadline(session: Session) -> int:
    """Return the earliest time at which the pending draw may be voided.

    The time is in ms since the epoch.
    """
    assert session.pending is not None
    return deadline_after(session, session.pending.at)


def deadline_after(session: Session, declared_at: int) -> int:
    """Return the earliest time at which a draw declared at `declared_at` may be voided.

    Both times are in ms since the epoch.
    """
    return declared_at + 1000 * int(session.info.options["deadline"])
