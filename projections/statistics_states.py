"""Stored running statistics, from which the next job continues.

A session has several states: one for each set of secrets that some viewers may see, and older ones
to which a rewind, or the opening of a secret, can return.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import ClassVar, NamedTuple

import msgspec

from projections.runner import ReadModelStore
from projections.tallies import TALLY_FORMAT

STATE_FORMAT = 3
"""The version of the states' format. If it changes, statistics are computed again."""
NEAR = 64
"""Of the states at most this many versions old, and of each range twice as old, one is kept."""


class StoredState(NamedTuple):
    """Running statistics up to `version`, without the secrets of the turns in `hidden`.

    `chosen` lists the origin and the seat of values of which some are hidden. `body` is JSON, or ""
    in a list of states.
    """

    version: int
    hidden: tuple[int, ...]
    chosen: tuple[tuple[str, str], ...]
    body: str = ""


class StatisticsStates:
    """The table of stored states. If it is dropped, jobs compute statistics from the beginning."""

    tables: ClassVar[Mapping[str, str]] = {
        "statistics_states": "(session TEXT NOT NULL, version INTEGER NOT NULL, "
        "hidden TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (session, version, hidden)) "
        f"WITHOUT ROWID /* {TALLY_FORMAT}.{STATE_FORMAT} */",
    }

    def __init__(self, store: ReadModelStore) -> None:
        self.store = store

    def of(self, session: str) -> list[StoredState]:
        """Return the session's states without their bodies, newest first."""
        rows = self.store.select(
            "SELECT version, hidden FROM statistics_states WHERE session=? ORDER BY version DESC",
            session,
        )
        return [StoredState(version, *_read(text)) for version, text in rows]

    def body(self, session: str, state: StoredState) -> str:
        """Return the state's body, or "" if it was deleted meanwhile."""
        rows = self.store.select(
            "SELECT body FROM statistics_states WHERE session=? AND version=? AND hidden=?",
            session,
            state.version,
            _write(state),
        )
        return rows[0][0] if rows else ""

    def put(self, session: str, state: StoredState) -> None:
        self.store.write(
            "INSERT INTO statistics_states VALUES (?,?,?,?)"
            " ON CONFLICT (session, version, hidden) DO UPDATE SET body=excluded.body",
            session,
            state.version,
            _write(state),
            state.body,
        )

    def drop(self) -> None:
        self.store.write("DELETE FROM statistics_states")

    def prune(
        self,
        session: str,
        head: int,
        states: Collection[StoredState],
        useful: Iterable[Collection[StoredState]],
    ) -> None:
        """Delete those of the session's states that are too close together.

        Each collection in `useful` has the states from which the statistics of some viewers can
        continue. At growing distances from `head`, one of them is kept.
        """
        kept = set[tuple[int, str]]()
        for chain in useful:
            nearest: dict[int, StoredState] = {}
            for state in sorted(chain, key=lambda each: -each.version):
                nearest[((head - state.version) // NEAR).bit_length()] = state
            newest = max(chain, key=lambda each: each.version, default=None)
            kept |= {(each.version, _write(each)) for each in nearest.values()}
            if newest is not None:
                kept.add((newest.version, _write(newest)))
        gone = [
            (session, state.version, _write(state))
            for state in states
            if (state.version, _write(state)) not in kept
        ]
        if gone:
            with self.store.writing() as cursor:
                cursor.executemany(
                    "DELETE FROM statistics_states WHERE session=? AND version=? AND hidden=?", gone
                )


def _write(state: StoredState) -> str:
    return msgspec.json.encode((state.hidden, state.chosen)).decode()


_read = msgspec.json.Decoder(tuple[tuple[int, ...], tuple[tuple[str, str], ...]]).decode
