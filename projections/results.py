"""What the workers computed of a session, as of which version, and what is hidden from those whom it is for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, NamedTuple

import msgspec

from projections.views import Store

STATISTICS = "statistics"
STATISTICS_WITH_UNDONE = "statistics-with-undone"

BODY = "SELECT body FROM results WHERE session=? AND name=? AND hidden=?"
OLDER = "DELETE FROM results WHERE session=? AND name=? AND version<?"
INSERT = (
    "INSERT INTO results SELECT ?,?,?,?,? WHERE NOT EXISTS "
    "(SELECT 1 FROM results WHERE session=? AND name=? AND version>?) "
    "ON CONFLICT (session, name, hidden) DO UPDATE SET body=excluded.body"
)


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


def fullest(results: Iterable[Result], version: int, hidden: Mapping[int, int]) -> Result | None:
    """The one with the most in it for those from whom these turns are hidden, as of a session's version.

    None is newer than that: it could hold a secret that nobody knew of when the turns were looked up.
    """
    fit = [result for result in results if result.version <= version and result.lacks(hidden)]
    return min(fit, key=lambda result: len(result.hidden), default=None)


class Results:
    """The rows of it. They follow no log: what is dropped is computed again by the sweep."""

    tables: ClassVar[Mapping[str, str]] = {
        "results": "(session TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, "
        "hidden TEXT NOT NULL, PRIMARY KEY (session, name, hidden)) WITHOUT ROWID",
    }

    def __init__(self, store: Store) -> None:
        self.store = store

    def put(self, *results: Result) -> None:
        """Stores what was computed together in the place of what is older, unless something newer is there."""
        keys = [(result.session, result.name, result.version) for result in results]
        rows = [(*key, result.body, _write(result.hidden), *key) for key, result in zip(keys, results, strict=True)]
        with self.store.writing() as cursor:
            cursor.executemany(OLDER, keys)
            cursor.executemany(INSERT, rows)

    def get(self, session: str, name: str, version: int, hidden: Mapping[int, int]) -> Result | None:
        """The fullest of those that are there: see `fullest`."""
        with self.store.reading() as cursor:  # one moment for both queries
            cursor.execute("SELECT version, hidden FROM results WHERE session=? AND name=?", (session, name))
            without_bodies = [Result(session, name, at, "", _read(stored)) for at, stored in cursor.fetchall()]
            found = fullest(without_bodies, version, hidden)
            if found is None:
                return None
            cursor.execute(BODY, (session, name, _write(found.hidden)))
            [(body,)] = cursor.fetchall()
        return found._replace(body=body)

    def versions(self, name: str) -> dict[str, int]:
        """The version that each session's results are as of."""
        sql = "SELECT DISTINCT session, version FROM results WHERE name=?"
        return dict(tuple(row) for row in self.store.select(sql, name))

    def drop(self) -> None:
        """Forgets all of them."""
        self.store.write("DELETE FROM results")


def _write(hidden: tuple[int, ...]) -> str:
    return msgspec.json.encode(hidden).decode()


_read = msgspec.json.Decoder(tuple[int, ...]).decode
