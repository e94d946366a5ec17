"""What a turn of a session needs of this process: its lock, fresh salts, the house's links, and what is written."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from domain.fact import Fact
from domain.session.draws import DecidedTurn, Head, TurnContext
from domain.session.messages import Kept
from domain.session.state import Session
from service import ed25519, sources
from service.bootstrap import App
from service.house import kept_name
from service.storage.recording import Beside

Rows = list[tuple[str, Sequence[tuple[object, ...]]]]
KEEP = (
    "INSERT INTO secrets (session, name, value) VALUES (?,?,?)"
    " ON CONFLICT (session, name) DO UPDATE SET value=excluded.value"
)
WAIT = "INSERT INTO waiting (session, k, deadline) VALUES (?,?,?)"

# Writers of one process take turns instead of racing; between processes the log's versions decide. Sessions share a
# few locks, which costs them little: the database has one writer at a time anyway.
_TURNS = tuple(threading.RLock() for _ in range(64))


class Written(NamedTuple):
    """What is about to be stored of one session: its head after it, the facts, and the rows beside them."""

    head: Head
    facts: tuple[Fact, ...]
    beside: Beside = ()


def turn_of(session: str) -> threading.RLock:
    """Held while a turn of the session is decided and written."""
    return _TURNS[hash(session) % len(_TURNS)]


def means(app: App, session: str) -> TurnContext:
    return TurnContext(
        sources.now_ms(),
        sources.fresh,
        app.house.link,
        app.house.sign,
        ed25519.verify,
        app.log.history(session),
    )


def kept(session: str, turn: int, kept: Kept) -> tuple[str, Sequence[tuple[object, ...]]]:
    """The row of what the house keeps of a secret draw."""
    return KEEP, [(session, kept_name(turn), msgspec.json.encode(kept))]


def beside(taken: DecidedTurn) -> Rows:
    """The rows beside a turn: what is kept of a secret draw, and until when a draw waits for its seats (ms)."""
    session, rows = taken.head.session, Rows()
    if taken.kept is not None:
        rows.append(kept(session.id, taken.facts[0].turn, taken.kept))
    if session.pending is not None and session.pending.version == taken.facts[0].version:
        rows.append((WAIT, [(session.id, session.pending.k, deadline(session))]))
    return rows


def deadline(session: Session) -> int:
    """Until when the draw that waits is waited for, in ms since 1970."""
    assert session.pending is not None
    return until(session, session.pending.at)


def until(session: Session, at: int) -> int:
    """Until when seats may give to a draw that was declared at that time, both in ms since 1970."""
    return at + 1000 * int(session.frame.options["deadline"])
