"""The recorder interface of the event log. Each kind of database implements it."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    OperationalError,
    StoredEvent,
    Subscription,
)

__all__ = [
    "IntegrityError",
    "OperationalError",
    "PositionedRow",
    "Recorder",
    "SideRow",
    "SideRows",
    "StoredRow",
    "TurnRows",
]

SideRow = tuple[str, Sequence[tuple[Any, ...]]]
"""A statement in SQLite's dialect and the values of its rows (projections/stores/dialect.py)."""
SideRows = Sequence[SideRow]
"""Rows that are stored in the same transaction as the events."""


class StoredRow(NamedTuple):
    """A stored event as a plain tuple, which is built faster than the library's class."""

    originator_id: str
    originator_version: int
    topic: str
    state: bytes


class TurnRows(NamedTuple):
    """The rows that one append stores in one transaction: events and side rows."""

    rows: Sequence[StoredRow]
    side_rows: SideRows


class PositionedRow(NamedTuple):
    """A stored event with its position in the log of all sessions."""

    id: int
    originator_id: str
    originator_version: int
    topic: str
    state: bytes


class Recorder(ApplicationRecorder):
    """A store of events with positions that increase in commit order.

    A reader that continues after a position misses no event. There may be gaps.
    """

    poll_seconds = 0.02
    """Seconds between two polls of the end of the log (docs/decisions/0006)."""

    @abstractmethod
    def insert_events(
        self, stored_events: Sequence[StoredEvent], side_rows: SideRows = (), **_: Any
    ) -> Sequence[int] | None:
        """Store a turn and its side rows in one transaction.

        Returns None: positions are read from the log. Raises IntegrityError if a version or row
        exists.
        """

    @abstractmethod
    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query of the side tables."""

    @abstractmethod
    def write(self, *side_rows: SideRow) -> int:
        """Write side rows in their own transaction and return the number of changed rows."""

    def wait_for_change(self, seconds: float, least: float = 0.0) -> None:
        """Wait `seconds`, but at least `least`.

        Ends earlier if the database notifies us of an append.
        """
        time.sleep(max(seconds, least))

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[ApplicationRecorder]:
        raise NotImplementedError("the log is polled (docs/decisions/0006)")
