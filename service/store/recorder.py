"""The interface between the event log and its database, SQLite or PostgreSQL."""

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
"""A statement in SQLite's dialect, and the rows of values for its placeholders."""
SideRows = Sequence[SideRow]
"""Statements that run in the same transaction as the insertion of events."""


class StoredRow(NamedTuple):
    """A stored event as a plain tuple, which can be created faster than a StoredEvent."""

    originator_id: str
    originator_version: int
    topic: str
    state: bytes


class TurnRows(NamedTuple):
    """The events and side rows of one turn, which are stored in one transaction."""

    rows: Sequence[StoredRow]
    side_rows: SideRows


class PositionedRow(NamedTuple):
    """A stored event, with its position in the log of all sessions."""

    id: int
    originator_id: str
    originator_version: int
    topic: str
    state: bytes


class Recorder(ApplicationRecorder):
    """A store for events. Their positions increase in commit order.

    A reader that continues from a position therefore misses no events. There may be gaps between
    positions.
    """

    poll_seconds = 0.02
    """The number of seconds between two polls for new events (docs/decisions/0006)."""

    @abstractmethod
    def insert_events(
        self, stored_events: Sequence[StoredEvent], side_rows: SideRows = (), **_: Any
    ) -> Sequence[int] | None:
        """Store events and side rows in one transaction, and return None.

        Readers get the events' positions from the log. Raises IntegrityError if a version or a side
        row already exists, or if the version before the first one is missing because the session
        was deleted.
        """

    @abstractmethod
    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a query written in SQLite's dialect, and return the rows."""

    @abstractmethod
    def write(self, *side_rows: SideRow) -> int:
        """Write side rows in one transaction, without events.

        Return the number of changed rows.
        """

    def wait_for_change(self, seconds: float, least: float = 0.0) -> None:
        """Wait for `seconds`, or for `least` seconds if that is longer.

        If the database sends notifications, return early when one arrives, but not before `least`
        seconds have passed.
        """
        time.sleep(max(seconds, least))

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[ApplicationRecorder]:
        raise NotImplementedError("the log is polled (docs/decisions/0006)")
