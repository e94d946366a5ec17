"""The public table of each session at its last version: boards, decks, pools and conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from domain.codec import encode
from domain.recorded_event import LogRow
from domain.session.secrets import visible_table
from domain.session.state import PUBLIC, Session
from projections.runner import Cursor, EventSource, ReadModel

TABLE_FORMAT = 2
"""The version of the JSON of a table. Increase it when a field of domain.table changes.

It is part of the SQL, so that read models in an older format are rebuilt.
"""
UPSERT = (
    "INSERT INTO tables VALUES (?,?,?,?,?,?,?) ON CONFLICT (session) DO UPDATE "
    "SET version=excluded.version, closed=excluded.closed, shown=excluded.shown"
)


class PublicTable(NamedTuple):
    """The public table of a session.

    `table` is a domain.table.Table, encoded as JSON.
    """

    session: str
    version: int
    title: str
    ruleset: str
    edition: str
    closed: bool
    table: str


class PublicTables(ReadModel):
    name = "tables"
    tables: ClassVar[Mapping[str, str]] = {
        "tables": "(session TEXT PRIMARY KEY, version INTEGER NOT NULL, title TEXT NOT NULL, "
        "ruleset TEXT NOT NULL, edition TEXT NOT NULL, closed INTEGER NOT NULL, "
        f"shown TEXT NOT NULL /* {TABLE_FORMAT} */) WITHOUT ROWID",
    }

    def of(self, sessions: Sequence[str]) -> dict[str, PublicTable]:
        """Return the public tables of the sessions, by session id.

        A session is omitted if none of its events have been applied yet.
        """
        sql = f"SELECT * FROM tables WHERE session IN ({','.join('?' * len(sessions)) or 'NULL'})"  # noqa: S608 only placeholders
        rows = self.store.select(sql, *sessions)
        return {row[0]: PublicTable._make((*row[:5], bool(row[5]), row[6])) for row in rows}

    def apply(self, rows: Sequence[LogRow], log: EventSource, cursor: Cursor) -> None:
        newest = {fact.session: fact.version for _, fact in rows}
        cursor.executemany(
            UPSERT, [public_table(log.at(session, version)) for session, version in newest.items()]
        )


def public_table(session: Session) -> PublicTable:
    info, table = (
        session.info,
        encode(session.ruleset.show(visible_table(session, PUBLIC))).decode(),
    )
    return PublicTable(
        session.id, session.version, info.title, info.ruleset, info.edition, info.closed, table
    )
