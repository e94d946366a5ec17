"""What a turn needs from this process (lock, salts, the house's links) and the rows it writes."""

from __future__ import annotations

import threading
from typing import NamedTuple

import msgspec

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

# Writers of one process queue here instead of racing; between processes the log's versions decide.
# Sessions share a few locks. That costs them little, because the database has one writer at a time
# anyway. A lock is taken again by the thread that holds it: the handler completes a pending draw
# before it decides a command.
_LOCKS = tuple(threading.RLock() for _ in range(64))


class SessionWrite(NamedTuple):
    """What one transaction writes to one session: the head after it, events and side rows."""

    head: Head
    events: tuple[RecordedEvent, ...]
    side_rows: SideRows = ()


def session_lock(session: str) -> threading.RLock:
    """Return the lock that this process holds while it decides and writes a turn of the session."""
    return _LOCKS[hash(session) % len(_LOCKS)]


def turn_context(app: App, session: str) -> TurnContext:
    return TurnContext(
        clock.now_ms(),
        clock.random_bytes,
        app.house.link,
        app.house.sign,
        ed25519.verify,
        app.log.history(session),
    )


def secret_row(session: str, turn: int, kept: StoredSecret) -> SideRow:
    return SECRETS_UPSERT, [(session, draw_secret_name(turn), msgspec.json.encode(kept))]


def side_rows(decided: DecidedTurn) -> list[SideRow]:
    """Return a turn's side rows: the opening of a secret draw, and a pending draw's deadline."""
    session, rows = decided.head.session, list[SideRow]()
    if decided.secret is not None:
        rows.append(secret_row(session.id, decided.events[0].turn, decided.secret))
    if session.pending is not None and session.pending.version == decided.events[0].version:
        rows.append((WAITING_INSERT, [(session.id, session.pending.k, deadline(session))]))
    return rows


def deadline(session: Session) -> int:
    """Return when the pending draw may be voided, in ms since 1970."""
    assert session.pending is not None
    return deadline_after(session, session.pending.at)


def deadline_after(session: Session, declared_at: int) -> int:
    """Return when a draw that was declared at this time may be voided, both in ms since 1970."""
    return declared_at + 1000 * int(session.info.options["deadline"])
