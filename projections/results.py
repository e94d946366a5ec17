"""Results of background jobs, stored by session, name, version and hidden turns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import ClassVar, NamedTuple

import msgspec

from projections.runner import Cursor, ReadModelStore

STATISTICS, CAMPAIGN = "statistics", "campaign"
RANGES, AUDITS = "range-", "audit-"
MAX_NAMES_BY_PREFIX: Mapping[str, int] = {RANGES: 8, AUDITS: 5}
"""The maximum number of results stored per session, by name prefix. Older results are deleted."""
ALL_SESSIONS = ""
"""The value of `session` for results that cover more than one session."""

SELECT_NAMES = (
    "SELECT name FROM results WHERE session=? AND name>=? AND name<?"
    " GROUP BY name ORDER BY MAX(version) DESC, name"
)
SELECT_BODY = "SELECT body FROM results WHERE session=? AND name=? AND hidden=?"
DELETE_OLDER = "DELETE FROM results WHERE session=? AND name=? AND version<?"
INSERT = (
    "INSERT INTO results SELECT ?,?,?,?,? WHERE NOT EXISTS "
    "(SELECT 1 FROM results WHERE session=? AND name=? AND version>?) "
    "ON CONFLICT (session, name, hidden) DO UPDATE SET body=excluded.body"
)


def range_name(first: int, last: int | None) -> str:
    """Return the result name for the statistics on a range of versions.

    If `last` is None, the range ends at the newest version.
    """
    return f"{RANGES}{first}-{last or ''}"


def audit_name(version: int) -> str:
    return f"{AUDITS}{version}"


class JobResult(NamedTuple):
    """A stored job result.

    `body` is JSON without the secrets of the turns listed in `hidden`.
    """

    session: str
    name: str
    version: int
    body: str
    hidden: tuple[int, ...] = ()

    def lacks(self, hidden: Mapping[int, int]) -> bool:
        """Return True if the result contains no secrets from the turns in `hidden`.

        `hidden` maps each turn to its first version.
        """
        return all(turn in self.hidden or began > self.version for turn, began in hidden.items())


def most_complete(
    results: Iterable[JobResult], version: int, hidden: Mapping[int, int]
) -> JobResult | None:
    """Return the most complete result that the viewer may see, or None.

    The most complete result is the one that hides the fewest turns. `hidden` maps each turn hidden
    from the viewer to its first version. Results for versions after `version` are skipped, because
    `hidden` covers only the turns up to `version`.
    """
    fit = [result for result in results if result.version <= version and result.lacks(hidden)]
    return min(fit, key=lambda result: len(result.hidden), default=None)


class Results:
    """The table of job results.

    If the table is dropped, the sweep enqueues jobs to recompute the results.
    """

    tables: ClassVar[Mapping[str, str]] = {
        "results": "(session TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, "
        "body TEXT NOT NULL, hidden TEXT NOT NULL, "
        "PRIMARY KEY (session, name, hidden)) WITHOUT ROWID /* figures 3 */",
    }

    def __init__(self, store: ReadModelStore) -> None:
        self.store = store

    def put(self, *results: JobResult) -> None:
        """Store the results in one transaction.

        A result replaces results for older versions, but never a result for a newer version.
        """
        keys = [(result.session, result.name, result.version) for result in results]
        rows = [
            (*key, result.body, _write(result.hidden), *key)
            for key, result in zip(keys, results, strict=True)
        ]
        with self.store.writing() as cursor:
            cursor.executemany(DELETE_OLDER, keys)
            cursor.executemany(INSERT, rows)
            for session, prefix in dict.fromkeys((key[0], _prefix(key[1])) for key in keys):
                if prefix:
                    _delete_surplus(cursor, session, prefix, {key[1] for key in keys})

    def get(
        self, session: str, name: str, version: int, hidden: Mapping[int, int]
    ) -> JobResult | None:
        """Return the most complete stored result that the viewer may see, or None.

        `hidden` maps each turn hidden from the viewer to its first version.
        """
        with self.store.reading() as cursor:  # one snapshot for both queries
            cursor.execute(
                "SELECT version, hidden FROM results WHERE session=? AND name=?", (session, name)
            )
            without_bodies = [
                JobResult(session, name, at, "", _read(text)) for at, text in cursor.fetchall()
            ]
            found = most_complete(without_bodies, version, hidden)
            if found is None:
                return None
            cursor.execute(SELECT_BODY, (session, name, _write(found.hidden)))
            [(body,)] = cursor.fetchall()
        return found._replace(body=body)

    def versions(self, name: str) -> dict[str, int]:
        sql = "SELECT DISTINCT session, version FROM results WHERE name=?"
        return dict(tuple(row) for row in self.store.select(sql, name))

    def version(self, session: str, name: str) -> int:
        """Return the version of the session's newest result called `name`, or 0."""
        [(version,)] = self.store.select(
            "SELECT MAX(version) FROM results WHERE session=? AND name=?", session, name
        )
        return version or 0

    def names(self, session: str, prefix: str) -> list[str]:
        """Return the names of the session's results that start with `prefix`, newest first."""
        return [
            name for (name,) in self.store.select(SELECT_NAMES, session, *_prefix_range(prefix))
        ]

    def latest(self, session: str, name: str) -> JobResult | None:
        """Return the stored result called `name`, or None if there is none.

        Use this method only for results that are the same for all viewers.
        """
        found = self.store.select(
            "SELECT version, body FROM results WHERE session=? AND name=?", session, name
        )
        return JobResult(session, name, *found[0]) if found else None

    def newest(self, prefix: str) -> dict[str, int]:
        """Map each session to the version of its newest result with this name prefix."""
        sql = "SELECT session, MAX(version) FROM results WHERE name>=? AND name<? GROUP BY session"
        return dict(tuple(row) for row in self.store.select(sql, *_prefix_range(prefix)))

    def drop(self) -> None:
        self.store.write("DELETE FROM results")


def _prefix(name: str) -> str:
    """Return the prefix in MAX_NAMES_BY_PREFIX that `name` starts with, or "" if there is none."""
    return next((prefix for prefix in MAX_NAMES_BY_PREFIX if name.startswith(prefix)), "")


def _delete_surplus(cursor: Cursor, session: str, prefix: str, stored: Collection[str]) -> None:
    """Delete the oldest results whose names start with `prefix`, if there are too many.

    The results named in `stored` have just been written and count as the newest.
    """
    cursor.execute(SELECT_NAMES, (session, *_prefix_range(prefix)))
    names = sorted((name for (name,) in cursor.fetchall()), key=lambda name: name not in stored)
    gone = [(session, name) for name in names[MAX_NAMES_BY_PREFIX[prefix] :]]
    cursor.executemany("DELETE FROM results WHERE session=? AND name=?", gone)


def _prefix_range(prefix: str) -> tuple[str, str]:
    return prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1)


def _write(hidden: tuple[int, ...]) -> str:
    return msgspec.json.encode(hidden).decode()


_read = msgspec.json.Decoder(tuple[int, ...]).decode
