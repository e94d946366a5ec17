"""Running totals of campaigns: what each session adds, and the sum of all sessions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from projections.runner import Cursor, ReadModelStore
from projections.statistics_states import STATE_FORMAT
from projections.tallies import TALLY_FORMAT

FORMAT = f"{TALLY_FORMAT}.{STATE_FORMAT}.1"


class StoredPart(NamedTuple):
    """What a session adds to its campaign.

    `seats` is JSON that maps the session's seats to people. `body` and `line` are JSON, too.
    """

    session: str
    number: int
    version: int
    seats: str
    body: str
    line: str


class CampaignTotals:
    """The tables of campaign totals. If they are dropped, jobs add up all sessions again.

    The rows of parts are long. Their two indexes let a job count and order them without reading
    them.
    """

    tables: ClassVar[Mapping[str, str]] = {
        "campaign_parts": "(campaign TEXT NOT NULL, session TEXT NOT NULL, "
        "number INTEGER NOT NULL, version INTEGER NOT NULL, seats TEXT NOT NULL, "
        f"body TEXT NOT NULL, line TEXT NOT NULL /* {FORMAT} */, PRIMARY KEY (campaign, session), "
        "UNIQUE (campaign, number, session))",
        "campaign_totals": "(campaign TEXT NOT NULL PRIMARY KEY, parts INTEGER NOT NULL, "
        f"body TEXT NOT NULL /* {FORMAT} */) WITHOUT ROWID",
    }

    def __init__(self, store: ReadModelStore) -> None:
        self.store = store

    def delete(self, campaign: str) -> None:
        with self.store.writing() as cursor:
            for table in self.tables:
                cursor.execute(f"DELETE FROM {table} WHERE campaign=?", (campaign,))  # noqa: S608 our own tables


def read_total(cursor: Cursor, campaign: str) -> tuple[int, str]:
    """Return the number of parts in the campaign's total, and the total, or (0, "")."""
    cursor.execute("SELECT parts, body FROM campaign_totals WHERE campaign=?", (campaign,))
    for parts, body in cursor.fetchall():
        return parts, body
    return 0, ""


def write_total(cursor: Cursor, campaign: str, parts: int, body: str) -> None:
    cursor.execute(
        "INSERT INTO campaign_totals VALUES (?,?,?)"
        " ON CONFLICT (campaign) DO UPDATE SET parts=excluded.parts, body=excluded.body",
        (campaign, parts, body),
    )


def read_part(cursor: Cursor, campaign: str, session: str) -> StoredPart | None:
    cursor.execute(
        "SELECT session, number, version, seats, body, line FROM campaign_parts"
        " WHERE campaign=? AND session=?",
        (campaign, session),
    )
    for row in cursor.fetchall():
        return StoredPart(*row)
    return None


def read_index(cursor: Cursor, campaign: str) -> dict[str, tuple[int, str]]:
    """Map each session that is in the total to its number and its seats."""
    cursor.execute(
        "SELECT session, number, seats FROM campaign_parts WHERE campaign=?", (campaign,)
    )
    return {session: (number, seats) for session, number, seats in cursor.fetchall()}


def count_parts(cursor: Cursor, campaign: str) -> int:
    cursor.execute("SELECT COUNT(*) FROM campaign_parts WHERE campaign=?", (campaign,))
    [(number,)] = cursor.fetchall()
    return int(number)


def read_bodies(cursor: Cursor, campaign: str) -> list[tuple[str, int, str, str]]:
    """Return the session, the number, the seats and the body of each part, in order."""
    cursor.execute(
        "SELECT session, number, seats, body FROM campaign_parts WHERE campaign=? ORDER BY number",
        (campaign,),
    )
    return [tuple(row) for row in cursor.fetchall()]


def read_lines(cursor: Cursor, campaign: str, limit: int) -> list[str]:
    """Return the lines of the newest sessions, oldest first."""
    cursor.execute(
        "SELECT line FROM campaign_parts WHERE campaign=? ORDER BY number DESC LIMIT ?",
        (campaign, limit),
    )
    return [line for (line,) in reversed(cursor.fetchall())]


def write_part(cursor: Cursor, campaign: str, part: StoredPart) -> None:
    cursor.execute(
        "INSERT INTO campaign_parts VALUES (?,?,?,?,?,?,?)"
        " ON CONFLICT (campaign, session) DO UPDATE SET number=excluded.number,"
        " version=excluded.version, seats=excluded.seats, body=excluded.body, line=excluded.line",
        (campaign, *part),
    )


def delete_part(cursor: Cursor, campaign: str, session: str) -> None:
    cursor.execute("DELETE FROM campaign_parts WHERE campaign=? AND session=?", (campaign, session))
