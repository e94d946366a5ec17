"""The batch loop that keeps every view: rows and tracking position in one transaction; rebuild from zero, and lag."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from eventsourcing.sqlite import SQLiteConnection, SQLiteConnectionPool, SQLiteDatastore, SQLiteTrackingRecorder

from domain.fact import Fact, Row
from domain.ruleset import Room
from domain.rulesets import ROOMS
from domain.session.messages import Opened
from domain.session.state import Session

BATCH = 1000
BUSY = 60  # seconds to wait for the write lock: a rebuild holds it while it copies its rows


class NotMigrated(Exception):
    """The file lacks a view's tables: `fairlog migrate` makes them."""


class Log(Protocol):
    """What projections read: the facts of all sessions in order, and any past state."""

    def rows(self, after: int, limit: int) -> Sequence[Row]: ...
    def at(self, session: str, version: int) -> Session: ...
    def end(self) -> int:
        """The last position, 0 in an empty log."""


class Cursor(Protocol):
    """The open transaction that a view writes its rows through."""

    def execute(self, sql: str, row: Sequence[object] = ..., /) -> None: ...
    def executemany(self, sql: str, rows: Iterable[Sequence[object]], /) -> None: ...
    def fetchall(self) -> list[Any]: ...


class View(Protocol):
    """A projection with its rows: `tables` are its own, by name, each with its columns."""

    @property
    def name(self) -> str: ...
    @property
    def tables(self) -> Mapping[str, str]: ...
    @property
    def store(self) -> Store: ...

    def apply(self, rows: Sequence[Row], log: Log, cursor: Cursor) -> None:
        """Writes what the next rows of the log change. The transaction may be lost: it keeps nothing in memory."""


class Store(SQLiteTrackingRecorder):
    """The file of the views, apart from the log's: what is lost with it is computed again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        datastore = SQLiteDatastore(str(path))
        datastore.pool = _Pool(db_name=str(path), lock_timeout=BUSY)
        super().__init__(datastore)

    def reading(self) -> AbstractContextManager[Cursor]:
        """One moment for several queries."""
        return self.datastore.transaction(commit=False)

    def select(self, sql: str, *values: object) -> list[Any]:
        """The rows of one query."""
        with self.reading() as cursor:
            cursor.execute(sql, values)
            return cursor.fetchall()

    @contextmanager
    def writing(self) -> Iterator[Cursor]:
        """One transaction that nobody writes beside (storage.md, trap 11)."""
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute("ROLLBACK")  # the library's own takes the lock late
            cursor.execute("BEGIN IMMEDIATE")
            yield cursor

    def write(self, sql: str, *values: object) -> None:
        """One statement in a transaction of its own."""
        with self.writing() as cursor:
            cursor.execute(sql, values)

    def position(self, view: str) -> int:
        """The view's tracking position, 0 before the first row. Raises NotMigrated."""
        position = self.max_tracking_id(view)
        if position is None:
            raise NotMigrated(view)
        return position

    def create(self, tables: Mapping[str, str], tracked: str | None = None) -> None:
        """Makes the tables that are missing, and the tracking position of a view that follows the log.

        Tables of an older shape are made anew, empty: the view is caught up from zero.
        """
        is_older = self._is_older(tables)
        with self.writing() as cursor:
            if is_older:
                cursor.execute("DELETE FROM tracking WHERE application_name=?", (tracked,))
            for name, columns in tables.items():
                if is_older:
                    cursor.execute(f"DROP TABLE IF EXISTS {name}")
                cursor.execute(f"CREATE TABLE IF NOT EXISTS {name} {columns}")
            if tracked is not None:
                cursor.execute("INSERT INTO tracking VALUES (?, 0) ON CONFLICT DO NOTHING", (tracked,))

    def _is_older(self, tables: Mapping[str, str]) -> bool:
        """Whether one of the tables is there with other columns than these."""
        made = self.select("SELECT name, sql FROM sqlite_master WHERE type='table'")
        return any(name in tables and sql != f"CREATE TABLE {name} {tables[name]}" for name, sql in made)

    def advance(self, view: View, after: int, rows: Sequence[Row], log: Log) -> bool:
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

    def take_over(self, view: View) -> None:
        """Puts the rows and the position of a view built elsewhere in the place of the shown ones, at once."""
        with self.datastore.get_connection(commit=True) as connection:
            connection.cursor().execute("ATTACH DATABASE ? AS rebuilt", (str(view.store.path),))
            try:
                with connection.transaction(commit=True) as cursor:
                    _copy(view, cursor)
            finally:
                connection.cursor().execute("DETACH DATABASE rebuilt")

    def close(self) -> None:
        self.datastore.close()


def migrate(store: Store, views: Sequence[View]) -> None:
    """The tables and tracking positions of the views, where missing."""
    store.create_table()
    for view in views:
        store.create(view.tables, view.name)


def catch_up(log: Log, view: View, batch: int = BATCH) -> int:
    """Applies what the log holds after the view's position; the number of rows. Any number of processes may do so."""
    applied = 0
    while True:
        after = view.store.position(view.name)
        rows = log.rows(after, batch)
        if not rows:
            return applied
        if view.store.advance(view, after, rows, log):
            applied += len(rows)


def lag(log: Log, view: View) -> int:
    """How many positions the view is behind. Below zero the log was set back under it: rebuild."""
    return log.end() - view.store.position(view.name)


def rebuild(log: Log, store: Store, projection: Callable[[Store], View]) -> int:
    """The view from zero, in a new file beside the shown one, which it then replaces; the number of rows."""
    # Its rows are copied over, for a file put in the place of one in WAL mode would meet the old one's journal.
    with TemporaryDirectory(dir=store.path.parent, prefix="rebuild-") as folder:
        fresh = Store(Path(folder, store.path.name))
        try:
            view = projection(fresh)
            migrate(fresh, [view])
            applied = catch_up(log, view)
            store.take_over(view)
        finally:
            fresh.close()
    return applied


class Rooms:
    """The room of each session. It never changes, so it may be kept in memory."""

    def __init__(self) -> None:
        self._rooms: dict[str, Room] = {}

    def of(self, fact: Fact, log: Log) -> Room:
        room = self._rooms.get(fact.session)
        if room is None:
            room = self._rooms[fact.session] = _room(fact, log)
        return room


def _room(fact: Fact, log: Log) -> Room:
    match fact.body:
        case Opened(ruleset=ruleset, edition=edition):
            return ROOMS[ruleset, edition]
    return log.at(fact.session, 1).room


def _copy(view: View, cursor: Cursor) -> None:
    cursor.execute("DELETE FROM main.tracking WHERE application_name=?", (view.name,))
    cursor.execute("INSERT INTO main.tracking SELECT * FROM rebuilt.tracking WHERE application_name=?", (view.name,))
    for name, columns in view.tables.items():
        cursor.execute(f"DROP TABLE IF EXISTS main.{name}")  # its columns may be an older edition's
        cursor.execute(f"CREATE TABLE main.{name} {columns}")
        cursor.execute(f"INSERT INTO main.{name} SELECT * FROM rebuilt.{name}")


class _Pool(SQLiteConnectionPool):
    """Connections that leave the disk's cache to itself: a view's lost batch is applied again."""

    def _create_connection(self) -> SQLiteConnection:
        connection = super()._create_connection()
        try:
            connection.cursor().execute("PRAGMA synchronous=NORMAL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection
