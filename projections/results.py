"""What the workers computed of a session, as of which version, and what is hidden from those whom it is for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import ClassVar, NamedTuple

import msgspec

from projections.runner import Cursor, ReadModelStore

STATISTICS, STATISTICS_WITH_UNDONE = "statistics", "statistics-with-undone"
RANGES, AUDITS = "range-", "audit-"
MAX_NAMES_BY_PREFIX: Mapping[str, int] = {RANGES: 16, AUDITS: 5}
"""How many names that begin so are kept of a session, the newest; a range has two, without undone and with."""
ALL_SESSIONS = ""
"""In the place of the session: what is computed of many."""

SELECT_NAMES = "SELECT name FROM results WHERE session=? AND name>=? AND name<? GROUP BY name ORDER BY MAX(version) DESC, name"
SELECT_BODY = "SELECT body FROM results WHERE session=? AND name=? AND hidden=?"
DELETE_OLDER = "DELETE FROM results WHERE session=? AND name=? AND version<?"
INSERT = (
    "INSERT INTO results SELECT ?,?,?,?,? WHERE NOT EXISTS "
    "(SELECT 1 FROM results WHERE session=? AND name=? AND version>?) "
    "ON CONFLICT (session, name, hidden) DO UPDATE SET body=excluded.body"
)


def range_name(first: int, last: int | None, *, undone: bool) -> str:
    """The name of the figures of these versions; `last` is None for the head."""
    return f"{RANGES}{first}-{last or ''}{'-with-undone' if undone else ''}"


def audit_name(version: int) -> str:
    return f"{AUDITS}{version}"


class Result(NamedTuple):
    """`name` says which computation; `body` is its JSON; the secrets of the `hidden` turns are not in it."""

    session: str
    name: str
    version: int
    body: str
    hidden: tuple[int, ...] = ()

    def lacks(self, hidden: Mapping[int, int]) -> bool:
        """Whether it holds nothing of these turns, given with the version that each began at."""
        return all(turn in self.hidden or began > self.version for turn, began in hidden.items())


def most_complete(
    results: Iterable[Result], version: int, hidden: Mapping[int, int]
) -> Result | None:
    """The one with the most in it for those from whom these turns are hidden, as of a session's version.

    None is newer than that: it could hold a secret that nobody knew of when the turns were looked up.
    """
    fit = [result for result in results if result.version <= version and result.lacks(hidden)]
    return min(fit, key=lambda result: len(result.hidden), default=None)


class Results:
    """The rows of it. They follow no log: what is dropped is computed again by the sweep."""

    tables: ClassVar[Mapping[str, str]] = {
        "results": "(session TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, "
        "hidden TEXT NOT NULL, PRIMARY KEY (session, name, hidden)) WITHOUT ROWID /* figures 2 */",
    }

    def __init__(self, store: ReadModelStore) -> None:
        self.store = store

    def put(self, *results: Result) -> None:
        """Stores what was computed together in the place of what is older, unless something newer is there."""
        keys = [(result.session, result.name, result.version) for result in results]
        rows = [
            (*key, result.body, _write(result.hidden), *key)
            for key, result in zip(keys, results, strict=True)
        ]
        with self.store.writing() as cursor:
            cursor.executemany(DELETE_OLDER, keys)
            cursor.executemany(INSERT, rows)
            for session, beginning in dict.fromkeys((key[0], _beginning(key[1])) for key in keys):
                if beginning:
                    _thin(cursor, session, beginning, {key[1] for key in keys})

    def get(
        self, session: str, name: str, version: int, hidden: Mapping[int, int]
    ) -> Result | None:
        """The fullest of those that are there: see `fullest`."""
        with self.store.reading() as cursor:  # one moment for both queries
            cursor.execute(
                "SELECT version, hidden FROM results WHERE session=? AND name=?", (session, name)
            )
            without_bodies = [
                Result(session, name, at, "", _read(stored)) for at, stored in cursor.fetchall()
            ]
            found = most_complete(without_bodies, version, hidden)
            if found is None:
                return None
            cursor.execute(SELECT_BODY, (session, name, _write(found.hidden)))
            [(body,)] = cursor.fetchall()
        return found._replace(body=body)

    def versions(self, name: str) -> dict[str, int]:
        """The version that each session's results are as of."""
        sql = "SELECT DISTINCT session, version FROM results WHERE name=?"
        return dict(tuple(row) for row in self.store.select(sql, name))

    def version(self, session: str, name: str) -> int:
        """The version that it is as of, 0 where it is not there."""
        [(version,)] = self.store.select(
            "SELECT MAX(version) FROM results WHERE session=? AND name=?", session, name
        )
        return version or 0

    def names(self, session: str, beginning: str) -> list[str]:
        """Of a session's results, the names that begin so, the newest first."""
        return [name for (name,) in self.store.select(SELECT_NAMES, session, *_span(beginning))]

    def latest(self, session: str, name: str) -> Result | None:
        """The one of what is computed for everyone alike."""
        found = self.store.select(
            "SELECT version, body FROM results WHERE session=? AND name=?", session, name
        )
        return Result(session, name, *found[0]) if found else None

    def newest(self, beginning: str) -> dict[str, int]:
        """The newest version that each session's results of such names are as of."""
        sql = "SELECT session, MAX(version) FROM results WHERE name>=? AND name<? GROUP BY session"
        return dict(tuple(row) for row in self.store.select(sql, *_span(beginning)))

    def drop(self) -> None:
        """Forgets all of them."""
        self.store.write("DELETE FROM results")


def _beginning(name: str) -> str:
    """Of a name that there are many of, "" of the others."""
    return next((beginning for beginning in MAX_NAMES_BY_PREFIX if name.startswith(beginning)), "")


def _thin(cursor: Cursor, session: str, beginning: str, fresh: Collection[str]) -> None:
    """Drops all but the newest of the names, after the `fresh` ones."""
    cursor.execute(SELECT_NAMES, (session, *_span(beginning)))
    names = sorted((name for (name,) in cursor.fetchall()), key=lambda name: name not in fresh)
    gone = [(session, name) for name in names[MAX_NAMES_BY_PREFIX[beginning] :]]
    cursor.executemany("DELETE FROM results WHERE session=? AND name=?", gone)


def _span(beginning: str) -> tuple[str, str]:
    return beginning, beginning[:-1] + chr(ord(beginning[-1]) + 1)


def _write(hidden: tuple[int, ...]) -> str:
    return msgspec.json.encode(hidden).decode()


_read = msgspec.json.Decoder(tuple[int, ...]).decode
