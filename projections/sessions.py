"""The session list, with each session's title, ruleset, opening time, seats and last version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from domain.codec import encode
from domain.decider import Role
from domain.recorded_event import LogRow, RecordedEvent
from domain.session.messages import Opened
from domain.session.state import Session
from projections.runner import Cursor, EventSource, ReadModel

INSERT_SESSION = (
    "INSERT INTO sessions"
    " (number, session, title, ruleset, edition, opened_at, listed, version, seats, closed) "
    "VALUES (?,?,?,?,?,?,?,1,'{}',0)"
)


MAX_SQL_VALUES = 500
"""The maximum number of values in one SQL statement."""


class ChainEntry(msgspec.Struct, frozen=True):
    """A seat's current hash chain, and the seat's position in that chain."""

    number: int
    length: int
    position: int


class SeatEntry(msgspec.Struct, frozen=True):
    """A seat in a session.

    The seat remains in the list after its holder has left the session.
    """

    role: Role
    present: bool
    name: str | UnsetType = UNSET
    away: bool = False
    public_key: str | UnsetType = UNSET
    chain: ChainEntry | UnsetType = UNSET


class SessionEntry(NamedTuple):
    """An entry in the session list.

    Sessions opened later have a higher `number`. `opened_at` is in milliseconds since the epoch.
    """

    number: int
    session: str
    title: str
    ruleset: str
    edition: str
    opened_at: int
    version: int
    seats: dict[str, SeatEntry]
    closed: bool
    listed: bool


class Sessions(ReadModel):
    name = "sessions"
    tables: ClassVar[Mapping[str, str]] = {
        "sessions": "(number INTEGER PRIMARY KEY, session TEXT NOT NULL UNIQUE, "
        "title TEXT NOT NULL, ruleset TEXT NOT NULL, edition TEXT NOT NULL, "
        "opened_at INTEGER NOT NULL, version INTEGER NOT NULL, seats TEXT NOT NULL, "
        "closed INTEGER NOT NULL, listed INTEGER NOT NULL /* seats 2 */)",
    }

    def page(self, after: int, limit: int) -> list[SessionEntry]:
        """Return up to `limit` listed sessions whose `number` is below `after`, newest first.

        If `after` is 0, the page starts with the newest session.
        """
        sql = (
            "SELECT * FROM sessions WHERE (?=0 OR number<?) AND listed=1"
            " ORDER BY number DESC LIMIT ?"
        )
        return [_entry(row) for row in self.store.select(sql, after, after, limit)]

    def get(self, session: str) -> SessionEntry | None:
        """Return the session's entry, or None if its first event has not been applied yet."""
        for row in self.store.select("SELECT * FROM sessions WHERE session=?", session):
            return _entry(row)
        return None

    def heads(self) -> dict[str, int]:
        """Return the last version of each session."""
        return dict(
            tuple(row) for row in self.store.select("SELECT session, version FROM sessions")
        )

    def closed(self) -> dict[str, int]:
        """Return the last version of each closed session."""
        return dict(
            tuple(row)
            for row in self.store.select("SELECT session, version FROM sessions WHERE closed=1")
        )

    def listed_among(self, sessions: Iterable[str]) -> frozenset[str]:
        named = list(dict.fromkeys(sessions))
        return frozenset(
            session
            for first in range(0, len(named), MAX_SQL_VALUES)
            for session in self._listed(named[first : first + MAX_SQL_VALUES])
        )

    def _listed(self, sessions: Sequence[str]) -> list[str]:
        marks = ",".join("?" * len(sessions))
        sql = f"SELECT session FROM sessions WHERE listed=1 AND session IN ({marks})"  # noqa: S608 only placeholders
        return [session for (session,) in self.store.select(sql, *sessions)]

    def apply(self, rows: Sequence[LogRow], log: EventSource, cursor: Cursor) -> None:
        opened = [
            (row.position, row.event, row.event.body)
            for row in rows
            if isinstance(row.event.body, Opened)
        ]
        cursor.executemany(
            INSERT_SESSION, [_insert_row(position, fact, event) for position, fact, event in opened]
        )
        newest = {fact.session: fact.version for _, fact in rows}
        cursor.executemany(
            "UPDATE sessions SET version=?, seats=?, closed=? WHERE session=?",
            [
                (version, *_current_columns(log.at(session, version)), session)
                for session, version in newest.items()
            ],
        )


def seat_entries(session: Session) -> dict[str, SeatEntry]:
    return {
        seat: SeatEntry(
            held.role, held.present, held.name, held.away, held.public_key, _chain(session, seat)
        )
        for seat, held in session.info.seats.items()
    }


def _chain(session: Session, seat: str) -> ChainEntry | UnsetType:
    chain = session.chains.get(seat)
    return UNSET if chain is None else ChainEntry(chain.number, chain.length, chain.position)


def _insert_row(position: int, fact: RecordedEvent, event: Opened) -> tuple[object, ...]:
    listed = event.options.get("listed") is True
    return position, fact.session, event.title, event.ruleset, event.edition, fact.at, listed


def _current_columns(session: Session) -> tuple[str, bool]:
    return encode(seat_entries(session)).decode(), session.info.closed


def _entry(row: Any) -> SessionEntry:
    *columns, seats, closed, listed = row
    return SessionEntry._make((*columns, _seats(seats), bool(closed), bool(listed)))


_seats = msgspec.json.Decoder(dict[str, SeatEntry]).decode
