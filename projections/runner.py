"""Runner of the read models: catches them up in batches, rebuilds them, measures their lag.

A batch stores its rows and the tracking position in one transaction.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Protocol

from domain.recorded_event import LogRow, RecordedEvent
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS_BY_EDITION
from domain.session.messages import Opened
from domain.session.state import Session

BATCH_ROWS = 1000


class NotMigratedError(Exception):
    """The store lacks the tables of a read model: run `fairlog migrate`."""


class EventSource(Protocol):
    """The log as read models use it: the events of all sessions in order, and any past state."""

    def rows(self, after: int, limit: int) -> Sequence[LogRow]: ...
    def at(self, session: str, version: int) -> Session: ...
    def end(self) -> int:
        """Return the last position, or 0 if the log is empty."""


class Cursor(Protocol):
    """An open transaction of a store."""

    def execute(self, sql: str, row: Sequence[object] = ..., /) -> None: ...
    def executemany(self, sql: str, rows: Iterable[Sequence[object]], /) -> None: ...
    def fetchall(self) -> list[Any]: ...


class ReadModelStore(ABC):
    """A database of read models. Statements are in SQLite's SQL (projections/stores/dialect.py)."""

    @abstractmethod
    def prepare(self) -> None:
        """Create what all read models need, if it is missing."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Cursor]:
        """Yield a cursor whose queries all see the same snapshot."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Cursor]:
        """Yield the cursor of a transaction that excludes other writers."""

    @abstractmethod
    def table_definitions(self) -> Mapping[str, str]:
        """Return the existing tables by name, each with the columns of its creation."""

    @abstractmethod
    def create_table(self, cursor: Cursor, name: str, columns: str) -> None:
        """Create a table if it is missing."""

    @abstractmethod
    def temporary_store(self, name: str) -> AbstractContextManager[ReadModelStore]:
        """Yield an empty store in which a read model is rebuilt; delete it at the end."""

    @abstractmethod
    def replace_rows(self, model: ReadModel) -> None:
        """Replace rows and position by those of a read model in a temporary store, atomically."""

    @abstractmethod
    def close(self) -> None: ...

    def select(self, sql: str, *values: object) -> list[Any]:
        """Return the rows of one query."""
        with self.reading() as cursor:
            cursor.execute(sql, values)
            return cursor.fetchall()

    def write(self, sql: str, *values: object) -> None:
        """Run one statement in its own transaction."""
        with self.writing() as cursor:
            cursor.execute(sql, values)

    def position(self, name: str) -> int:
        """Return the read model's tracking position, 0 at first. Raises NotMigratedError."""
        for (position,) in self.select(
            "SELECT notification_id FROM tracking WHERE application_name=?", name
        ):
            return int(position)
        raise NotMigratedError(name)

    def create(self, tables: Mapping[str, str], tracked: str | None = None) -> None:
        """Create missing tables, and the tracking position of the read model `tracked`.

        Tables with other columns are replaced by empty ones: the follower fills them again.
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
        """Apply a batch and its tracking position, or neither.

        Return False if another process has advanced the read model beyond `after`.
        """
        with self.writing() as cursor:
            # Update the tracking position before any read. The library's own statement accepts any
            # increase, so that two batches of unequal length would apply the same rows twice.
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
    """A read model. `tables` are its tables by name, each with its columns."""

    name: ClassVar[str]
    tables: ClassVar[Mapping[str, str]]

    def __init__(self, store: ReadModelStore) -> None:
        self.store = store
        self._rulesets = RulesetCache()

    @abstractmethod
    def apply(self, rows: Sequence[LogRow], log: EventSource, cursor: Cursor) -> None:
        """Apply the next events of the log.

        The transaction may be rolled back, so the read model keeps only what never changes.
        """


def migrate(store: ReadModelStore, models: Sequence[ReadModel]) -> None:
    """Create missing tables and tracking positions."""
    store.prepare()
    for model in models:
        store.create(model.tables, model.name)


def catch_up(log: EventSource, model: ReadModel, batch: int = BATCH_ROWS) -> int:
    """Apply the events after the read model's position; return their number.

    Several processes may do so at the same time.
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
    """Return the number of positions that the read model is behind the log.

    It is negative if the log was replaced by an older copy: rebuild the read model then.
    """
    return log.end() - model.store.position(model.name)


def rebuild(
    log: EventSource, store: ReadModelStore, projection: Callable[[ReadModelStore], ReadModel]
) -> int:
    """Rebuild a read model in a temporary store, then replace its rows; return the event count."""
    name = projection(store).name
    with store.temporary_store(name) as temporary:
        model = projection(temporary)
        migrate(temporary, [model])
        applied = catch_up(log, model)
        store.replace_rows(model)
    return applied


class RulesetCache:
    """The rulesets of sessions, cached without limit in time because they never change."""

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
