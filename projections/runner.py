"""The batch loop that keeps every view: rows and tracking position in one transaction; rebuild from zero, and lag."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from domain.recorded_event import LogRow, RecordedEvent
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS_BY_EDITION
from domain.session.messages import Opened
from domain.session.state import Session

BATCH_ROWS = 1000


class NotMigratedError(Exception):
    """The store lacks a view's tables: `fairlog migrate` makes them."""


class EventSource(Protocol):
    """What projections read: the facts of all sessions in order, and any past state."""

    def rows(self, after: int, limit: int) -> Sequence[LogRow]: ...
    def at(self, session: str, version: int) -> Session: ...
    def end(self) -> int:
        """The last position, 0 in an empty log."""


class Cursor(Protocol):
    """The open transaction that a view writes its rows through."""

    def execute(self, sql: str, row: Sequence[object] = ..., /) -> None: ...
    def executemany(self, sql: str, rows: Iterable[Sequence[object]], /) -> None: ...
    def fetchall(self) -> list[Any]: ...


class ReadModel(Protocol):
    """A projection with its rows: `tables` are its own, by name, each with its columns."""

    @property
    def name(self) -> str: ...
    @property
    def tables(self) -> Mapping[str, str]: ...
    @property
    def store(self) -> ReadModelStore: ...

    def apply(self, rows: Sequence[LogRow], log: EventSource, cursor: Cursor) -> None:
        """Writes what the next rows of the log change. The transaction may be lost: it keeps nothing in memory."""


class ReadModelStore(ABC):
    """Where views keep their rows. Statements are written as SQLite reads them (projections/stores/dialect.py)."""

    @abstractmethod
    def prepare(self) -> None:
        """Makes what is to be there before any view's table, where it is missing."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Cursor]:
        """One moment for several queries."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Cursor]:
        """One transaction that nobody writes beside (storage.md, trap 11)."""

    @abstractmethod
    def made(self) -> Mapping[str, str]:
        """The tables that are there by name, each with the columns that it was made with."""

    @abstractmethod
    def make(self, cursor: Cursor, name: str, columns: str) -> None:
        """A table, where it is missing."""

    @abstractmethod
    def beside(self, view: str) -> AbstractContextManager[ReadModelStore]:
        """An empty store in which that view is built anew; gone at the end."""

    @abstractmethod
    def take_over(self, view: ReadModel) -> None:
        """Puts the rows and the position of a view built beside in the place of the shown ones, at once."""

    @abstractmethod
    def close(self) -> None: ...

    def select(self, sql: str, *values: object) -> list[Any]:
        """The rows of one query."""
        with self.reading() as cursor:
            cursor.execute(sql, values)
            return cursor.fetchall()

    def write(self, sql: str, *values: object) -> None:
        """One statement in a transaction of its own."""
        with self.writing() as cursor:
            cursor.execute(sql, values)

    def position(self, view: str) -> int:
        """The view's tracking position, 0 before the first row. Raises NotMigrated."""
        for (position,) in self.select(
            "SELECT notification_id FROM tracking WHERE application_name=?", view
        ):
            return int(position)
        raise NotMigratedError(view)

    def create(self, tables: Mapping[str, str], tracked: str | None = None) -> None:
        """Makes the tables that are missing, and the tracking position of a view that follows the log.

        Tables of an older shape are made anew, empty: the view is caught up from zero.
        """
        made = self.made()
        is_older = any(name in made and made[name] != columns for name, columns in tables.items())
        with self.writing() as cursor:
            if is_older:
                cursor.execute("DELETE FROM tracking WHERE application_name=?", (tracked,))
            for name, columns in tables.items():
                if is_older:
                    cursor.execute(f"DROP TABLE IF EXISTS {name}")
                self.make(cursor, name, columns)
            if tracked is not None:
                cursor.execute(
                    "INSERT INTO tracking VALUES (?, 0) ON CONFLICT DO NOTHING", (tracked,)
                )

    def advance(
        self, view: ReadModel, after: int, rows: Sequence[LogRow], log: EventSource
    ) -> bool:
        """One batch and its tracking position, or neither. False where the view was not at `after` any more."""
        with self.writing() as cursor:
            # Tracking first, before anything is read. The library's own statement takes any rise; two batches of
            # unequal length would then apply the same rows twice.
            cursor.execute(
                "UPDATE tracking SET notification_id=? WHERE application_name=? AND notification_id=? RETURNING 1",
                (rows[-1].position, view.name, after),
            )
            if not cursor.fetchall():
                return False
            view.apply(rows, log, cursor)
        return True


def migrate(store: ReadModelStore, views: Sequence[ReadModel]) -> None:
    """The tables and tracking positions of the views, where missing."""
    store.prepare()
    for view in views:
        store.create(view.tables, view.name)


def catch_up(log: EventSource, view: ReadModel, batch: int = BATCH_ROWS) -> int:
    """Applies what the log holds after the view's position; the number of rows. Any number of processes may do so."""
    applied = 0
    while True:
        after = view.store.position(view.name)
        rows = log.rows(after, batch)
        if not rows:
            return applied
        if view.store.advance(view, after, rows, log):
            applied += len(rows)


def lag(log: EventSource, view: ReadModel) -> int:
    """How many positions the view is behind. Below zero the log was set back under it: rebuild."""
    return log.end() - view.store.position(view.name)


def rebuild(
    log: EventSource, store: ReadModelStore, projection: Callable[[ReadModelStore], ReadModel]
) -> int:
    """The view from zero, beside the shown one, which it then replaces; the number of rows."""
    name = projection(store).name
    with store.beside(name) as fresh:
        view = projection(fresh)
        migrate(fresh, [view])
        applied = catch_up(log, view)
        store.take_over(view)
    return applied


class RulesetCache:
    """The room of each session. It never changes, so it may be kept in memory."""

    def __init__(self) -> None:
        self._rulesets: dict[str, AnyRuleset] = {}

    def get(self, fact: RecordedEvent, log: EventSource) -> AnyRuleset:
        ruleset = self._rulesets.get(fact.session)
        if ruleset is None:
            ruleset = self._rulesets[fact.session] = _ruleset(fact, log)
        return ruleset


def _ruleset(fact: RecordedEvent, log: EventSource) -> AnyRuleset:
    match fact.body:
        case Opened(ruleset=ruleset, edition=edition):
            return RULESETS_BY_EDITION[ruleset, edition]
    return log.at(fact.session, 1).ruleset
