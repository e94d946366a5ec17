"""The table of every session as everyone may see it now: boards, decks, pools, conditions, as shown by its room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from domain.codec import encode
from domain.fact import Row
from domain.session.sights import sight
from domain.session.state import PUBLIC, Session
from projections.views import Cursor, Log, Store

UPSERT = (
    "INSERT INTO tables VALUES (?,?,?,?,?,?,?) ON CONFLICT (session) DO UPDATE "
    "SET version=excluded.version, closed=excluded.closed, shown=excluded.shown"
)


class Shown(NamedTuple):
    """A session's table as of a version; `table` is the JSON of a domain.table.Table."""

    session: str
    version: int
    title: str
    ruleset: str
    edition: str
    closed: bool
    table: str


class Tables:
    """The view of them."""

    name = "tables"
    tables: ClassVar[Mapping[str, str]] = {
        "tables": "(session TEXT PRIMARY KEY, version INTEGER NOT NULL, title TEXT NOT NULL, ruleset TEXT NOT NULL, "
        "edition TEXT NOT NULL, closed INTEGER NOT NULL, shown TEXT NOT NULL) WITHOUT ROWID",
    }

    def __init__(self, store: Store) -> None:
        self.store = store

    def get(self, session: str) -> Shown | None:
        """The table, None before the session's first event is projected."""
        for row in self.store.select("SELECT * FROM tables WHERE session=?", session):
            session, version, title, ruleset, edition, closed, table = row
            return Shown(session, version, title, ruleset, edition, bool(closed), table)
        return None

    def apply(self, rows: Sequence[Row], log: Log, cursor: Cursor) -> None:
        newest = {fact.session: fact.version for _, fact in rows}
        cursor.executemany(
            UPSERT, [shown_of(log.at(session, version)) for session, version in newest.items()]
        )


def shown_of(session: Session) -> Shown:
    """The row of a session at its version."""
    frame, table = session.frame, encode(session.room.show(sight(session, PUBLIC))).decode()
    return Shown(
        session.id, session.version, frame.title, frame.ruleset, frame.edition, frame.closed, table
    )
