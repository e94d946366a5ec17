"""What the workers computed of a session, and as of which version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from projections.views import Store

STATISTICS = "statistics"


class Result(NamedTuple):
    """`name` says which computation; `body` is its JSON."""

    session: str
    name: str
    version: int
    body: str


class Results:
    """The rows of it. They follow no log: what is dropped is computed again by the sweep."""

    tables: ClassVar[Mapping[str, str]] = {
        "results": "(session TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, "
        "PRIMARY KEY (session, name)) WITHOUT ROWID",
    }

    def __init__(self, store: Store) -> None:
        self.store = store

    def put(self, result: Result) -> None:
        """Stores it, unless a result of a newer version is there."""
        self.store.write(
            "INSERT INTO results VALUES (?,?,?,?) ON CONFLICT (session, name) DO UPDATE "
            "SET version=excluded.version, body=excluded.body WHERE excluded.version >= results.version",
            *result,
        )

    def get(self, session: str, name: str) -> Result | None:
        """The newest that was stored."""
        for row in self.store.select("SELECT * FROM results WHERE session=? AND name=?", session, name):
            return Result(*row)
        return None

    def versions(self, name: str) -> dict[str, int]:
        """The version that each session's result is as of."""
        return dict(tuple(row) for row in self.store.select("SELECT session, version FROM results WHERE name=?", name))

    def drop(self) -> None:
        """Forgets all of them."""
        self.store.write("DELETE FROM results")
