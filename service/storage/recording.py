"""What every recorder of the log keeps and promises; each kind of database has one of its own."""

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
    "Noted",
    "OperationalError",
    "Recorder",
    "SideRow",
    "SideRows",
    "Stored",
    "Turn",
]

SideRow = tuple[str, Sequence[tuple[Any, ...]]]
"""A statement and the values of its rows, written as SQLite reads it (projections/dialect.py)."""
SideRows = Sequence[SideRow]
"""Rows that are stored in the same transaction as the events."""


class Stored(NamedTuple):
    """A stored event as a plain tuple: the library's frozen dataclass costs three times as much a row."""

    originator_id: str
    originator_version: int
    topic: str
    state: bytes


class Turn(NamedTuple):
    """What one append stores, all of it or nothing: rows of events, and what belongs beside them."""

    rows: Sequence[Stored]
    side_rows: SideRows


class Noted(NamedTuple):
    """A stored event with its position in the whole log."""

    id: int
    originator_id: str
    originator_version: int
    topic: str
    state: bytes


class Recorder(ApplicationRecorder):
    """Positions rise in the order of commits, so that who reads behind one misses nothing; there may be gaps."""

    look = 0.02
    """Seconds between two looks at the end of the log (docs/decisions/0006)."""

    @abstractmethod
    def insert_events(
        self, stored_events: Sequence[StoredEvent], side_rows: SideRows = (), **_: Any
    ) -> Sequence[int] | None:
        """A turn and what belongs beside it, in one transaction. IntegrityError where another writer was first.

        Nothing is returned: positions are read from the log.
        """

    @abstractmethod
    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Rows of the tables beside the events."""

    @abstractmethod
    def write(self, *side_rows: SideRow) -> int:
        """A transaction of its own on the tables beside the events; the number of rows it changed."""

    def rest(self, seconds: float, least: float = 0.0) -> None:
        """Returns after so many seconds, or after `least` when it is heard that something was appended."""
        time.sleep(max(seconds, least))

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[ApplicationRecorder]:
        raise NotImplementedError("the log is looked at (docs/decisions/0006)")
