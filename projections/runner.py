"""The read model interface, and functions that update and rebuild read models.

Read models are updated in batches. The rows of a batch and the new tracking position are stored in
one transaction.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Protocol

from domain.recorded_event import LogRow, RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.messages import Opened
from domain.session.state import Session, ruleset_of

BATCH_ROWS = 1000


class NotMigratedError(Exception):
    """Raised if the store has no tracking position for a read model.

    `fairlog migrate` creates the missing position.
    """


class EventSource(Protocol):
    """The part of the log's interface that read models use."""

    def rows(self, after: int, limit: int) -> Sequence[LogRow]: ...
    def at(self, session: str, version: int) -> Session: ...
    def end(self) -> int:
        """Return the last position in the log, or 0 if the log is empty."""


class Cursor(Protocol):
    """A database cursor in an open transaction."""

    def execute(self, sql: str, row: Sequence[object] = ..., /) -> None: ...
    def executemany(self, sql: str, rows: Iterable[Sequence[object]], /) -> None: ...
    def fetchall(self) -> list[Any]: ...


class ReadModelStore(ABC):
    """A database that contains read models.

    All SQL is written for SQLite. For PostgreSQL, projections/stores/dialect.py translates it.
    """

    @abstractmethod
    def prepare(self) -> None:
        """Create the tracking table if it is missing.

        On PostgreSQL, create the schema too.
        """

    @abstractmethod
    def reading(self) -> AbstractContextManager[Cursor]:
        """Return a context manager that yields a cursor for reading.

        All queries on the cursor see the same snapshot.
        """

    @abstractmethod
    def writing(self) -> AbstractContextManager[Cursor]:
        """Return a context manager that yields a cursor for writing.

        Other writers wait until the cursor's transaction has ended.
        """

    @abstractmethod
    def table_definitions(self) -> Mapping[str, str]:
        """Return the column definitions that each table was created with, by table name."""

    @abstractmethod
    def create_table(self, cursor: Cursor, name: str, columns: str) -> None:
        """Create a table if it does not exist."""

    @abstractmethod
    def temporary_store(self, name: str) -> AbstractContextManager[ReadModelStore]:
        """Return a context manager that yields an empty store for rebuilding a read model.

        The store is deleted when the context manager exits.
        """

    @abstractmethod
    def replace_rows(self, model: ReadModel) -> None:
        """Replace a read model's rows and tracking position in one transaction.

        `model` is the rebuilt copy in a temporary store.
        """

    @abstractmethod
    def close(self) -> None: ...

    def select(self, sql: str, *values: object) -> list[Any]:
        """Run a query and return its rows."""
        with self.reading() as cursor:
            cursor.execute(sql, values)
            return cursor.fetchall()

    def write(self, sql: str, *values: object) -> None:
        """Run a statement in its own transaction."""
        with self.writing() as cursor:
            cursor.execute(sql, values)

    def position(self, name: str) -> int:
        """Return the log position of the last event applied by the read model `name`.

        The position is 0 if no events have been applied yet. Raises NotMigratedError if the store
        has no position for the read model.
        """
        for (position,) in self.select(
            "SELECT notification_id FROM tracking WHERE application_name=?", name
        ):
            return int(position)
        raise NotMigratedError(name)

    def create(self, tables: Mapping[str, str], tracked: str | None = None) -> None:
        """Create missing tables, and a tracking position for the read model `tracked`.

        If the column definitions of any table have changed, all `tables` are replaced with empty
        tables. The follower then refills them.
        """
        existing = self.table_definitions()
        is_older = any(
            name in existing and existing[name] != columns for name, columns in tables.items()
        )
        with self.writing() as cursor:
            if is_older:
                cursor.execute("DELETE FROM tracking WHERE application_name=?", (tracked,))
            for name, columns in tables.items():
                if is_older:
                    cursor.execute(f"DROP TABLE IF EXISTS {name}")
                self.create_table(cursor, name, columns)
            if tracked is not None:
                cursor.execute(
                    "INSERT INTO tracking VALUES (?, 0) ON CONFLICT DO NOTHING", (tracked,)
                )

    def advance(
        self, model: ReadModel, after: int, rows: Sequence[LogRow], log: EventSource
    ) -> bool:
        """Apply a batch and store the new tracking position in one transaction.

        Return False and change nothing if the position is no longer `after`, because another
        process has already applied the events.
        """
        with self.writing() as cursor:
            # Update the tracking position before any read. The library's own statement accepts any
            # increase, so two batches of different lengths could both apply the same rows.
            cursor.execute(
                "UPDATE tracking SET notification_id=?"
                " WHERE application_name=? AND notification_id=? RETURNING 1",
                (rows[-1].position, model.name, after),
            )
            if not cursor.fetchall():
                return False
            model.apply(rows, log, cursor)
        return True


class ReadModel(ABC):
    """Base class for read models.

    `tables` maps table names to column definitions.
    """

    name: ClassVar[str]
    tables: ClassVar[Mapping[str, str]]

    def __init__(self, store: ReadModelStore) -> None:
        self.store = store
        self._rulesets = RulesetCache()

    @abstractmethod
    def apply(self, rows: Sequence[LogRow], log: EventSource, cursor: Cursor) -> None:
        """Apply the next events from the log.

        The transaction may be rolled back, so implementations must not cache any data that may
        change.
        """


def migrate(store: ReadModelStore, models: Sequence[ReadModel]) -> None:
    """Create the tables and tracking positions that are missing from the store."""
    store.prepare()
    for model in models:
        store.create(model.tables, model.name)


def catch_up(log: EventSource, model: ReadModel, batch: int = BATCH_ROWS) -> int:
    """Apply all events after the read model's position and return how many there were.

    Several processes may call this function at the same time.
    """
    applied = 0
    while True:
        after = model.store.position(model.name)
        rows = log.rows(after, batch)
        if not rows:
            return applied
        if model.store.advance(model, after, rows, log):
            applied += len(rows)


def lag(log: EventSource, model: ReadModel) -> int:
    """Return the number of positions by which the read model lags behind the log.

    The number is negative if the log was replaced with an older copy. In that case, the read model
    must be rebuilt.
    """
    return log.end() - model.store.position(model.name)


def rebuild(
    log: EventSource, store: ReadModelStore, projection: Callable[[ReadModelStore], ReadModel]
) -> int:
    """Rebuild a read model in a temporary store, then copy the result to `store`.

    Return the number of events applied.
    """
    name = projection(store).name
    with store.temporary_store(name) as temporary:
        model = projection(temporary)
        migrate(temporary, [model])
        applied = catch_up(log, model)
        store.replace_rows(model)
    return applied


class RulesetCache:
    """A cache that maps each session to its ruleset.

    Entries never expire, because a session's ruleset never changes.
    """

    def __init__(self) -> None:
        self._rulesets: dict[str, AnyRuleset] = {}

    def get(self, fact: RecordedEvent, log: EventSource) -> AnyRuleset:
        ruleset = self._rulesets.get(fact.session)
        if ruleset is None:
            ruleset = self._rulesets[fact.session] = _ruleset(fact, log)
        return ruleset


def _ruleset(fact: RecordedEvent, log: EventSource) -> AnyRuleset:
    match fact.body:
        case Opened(ruleset=ruleset, edition=edition, extensions=extensions):
            return ruleset_of(ruleset, edition, extensions or ())
    return log.at(fact.session, 1).ruleset
