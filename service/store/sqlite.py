"""The event log in a SQLite file: durable commits and one connection per thread."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from eventsourcing.persistence import IntegrityError, Notification, OperationalError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteAggregateRecorder,
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteDatastore,
    SQLiteFactory,
)

from service.store.group_commit import GroupCommit
from service.store.recorder import PositionedRow, Recorder, SideRow, SideRows, StoredRow, TurnRows
from service.store.schema import OUTDATED_SNAPSHOTS_DELETE, STORED_EVENTS_INSERT, TABLES

BEGIN_WRITE = ("ROLLBACK", "BEGIN IMMEDIATE")
"""Ends the library's transaction and begins one that takes the write lock immediately.

The library's transaction takes the write lock at its first write. It fails with "locked" if another
process has written since its first read.
"""
LOCK_TIMEOUT_SECONDS = 30
CACHE_KIBIBYTES = 256
"""The amount of the file that each connection may cache.

A web process has a connection for each of its 160 threads. With SQLite's default of 2 MB, the
connections could use 320 MB in total. The operating system also caches the file, so a larger cache
here would not make turns faster.
"""


class SynchronousPool(SQLiteConnectionPool):
    """A connection pool that sets SQLite's `synchronous` option.

    With FULL, a commit returns only after its data is flushed to disk.
    """

    synchronous = "FULL"

    def _create_connection(self) -> SQLiteConnection:
        connection = super()._create_connection()
        connection.cursor().execute(f"PRAGMA synchronous={self.synchronous}")
        return connection


class ThreadConnections:
    """One connection per thread, and one lock for all writers in this process."""

    def __init__(self, path: str, synchronous: str) -> None:
        self._path, self._synchronous = path, synchronous
        self._own = threading.local()
        self._all: list[sqlite3.Connection] = []
        self._writing = threading.Lock()  # fairer than the lock on the file

    def connection(self) -> sqlite3.Connection:
        held: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if held is None:
            held = sqlite3.connect(
                self._path,
                timeout=LOCK_TIMEOUT_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            held.execute(f"PRAGMA synchronous={self._synchronous}")
            held.execute(f"PRAGMA cache_size=-{CACHE_KIBIBYTES}")
            self._own.connection = held
            self._all.append(held)
        return held

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection in a write transaction, and roll back if an error occurs."""
        connection = self.connection()
        with self._writing:
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException as error:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                _raise_as_library(error)
                raise

    def close(self) -> None:
        for connection in self._all:
            connection.close()
        self._all.clear()
        self._own = threading.local()


def _raise_as_library(error: BaseException) -> None:
    if isinstance(error, sqlite3.IntegrityError):
        raise IntegrityError(error) from error
    if isinstance(error, sqlite3.OperationalError):
        raise OperationalError(error) from error


class _EventRowReader:
    """Reads a session's rows from either the events table or the snapshots table."""

    threads: ThreadConnections
    events_table_name: str

    def select_events(
        self,
        originator_id: Any,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[Any]:
        rows = self.threads.connection().execute(
            f"SELECT originator_version, topic, state FROM {self.events_table_name}"  # noqa: S608 our own tables
            " WHERE originator_id=? AND originator_version>? AND originator_version<=?"
            f" ORDER BY originator_version {'DESC' if desc else 'ASC'} LIMIT ?",
            (
                originator_id,
                gt or 0,
                lte if lte is not None else 2**62,
                limit if limit is not None else -1,
            ),
        )
        return [StoredRow(originator_id, version, topic, state) for version, topic, state in rows]


class SqliteSnapshots(_EventRowReader, SQLiteAggregateRecorder):
    threads: ThreadConnections

    def construct_create_table_statements(self) -> list[str]:
        return [
            *BEGIN_WRITE,
            *super().construct_create_table_statements(),
            OUTDATED_SNAPSHOTS_DELETE,
        ]


class SqliteRecorder(_EventRowReader, SQLiteApplicationRecorder, Recorder):
    """The event log's recorder for SQLite.

    Writers in the same process wait for an in-memory lock. Writers in different processes wait for
    the lock on the file.
    """

    threads: ThreadConnections

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._group_commit = GroupCommit(self._insert)

    def construct_create_table_statements(self) -> list[str]:
        return [*BEGIN_WRITE, *TABLES]

    def insert_events(
        self, stored_events: Sequence[StoredEvent], side_rows: SideRows = (), **_: Any
    ) -> Sequence[int] | None:
        rows: Any = stored_events  # our mapper makes plain tuples
        self._group_commit.add(TurnRows(rows, side_rows))
        return None

    def _insert(self, turns: Sequence[TurnRows]) -> None:
        with self.threads.transaction() as connection:
            for rows, side_rows in turns:
                for statement, values in ((STORED_EVENTS_INSERT, rows), *side_rows):
                    connection.executemany(statement, values)

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        first = (start or 0) - 1 if inclusive_of_start else (start or 0)
        rows = self.threads.connection().execute(
            "SELECT position, originator_id, originator_version, topic, state FROM stored_events"
            " WHERE position>? ORDER BY position LIMIT ?",
            (first, limit),
        )
        return [PositionedRow(*row) for row in rows]  # type: ignore[misc]  # as a plain tuple

    def max_notification_id(self) -> int:
        row = (
            self.threads.connection().execute("SELECT MAX(position) FROM stored_events").fetchone()
        )
        return row[0] or 0

    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self.threads.connection().execute(statement, values).fetchall()

    def write(self, *side_rows: SideRow) -> int:
        with self.threads.transaction() as connection:
            return sum(
                connection.executemany(statement, rows).rowcount for statement, rows in side_rows
            )


class SqliteLogFactory(SQLiteFactory):
    """Creates the event log's recorders.

    The eventsourcing library finds this class through the setting PERSISTENCE_MODULE. The class
    also reads the setting SQLITE_SYNCHRONOUS.
    """

    application_recorder_class = SqliteRecorder
    aggregate_recorder_class = SqliteSnapshots

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        synchronous = self.env.get("SQLITE_SYNCHRONOUS") or "FULL"
        self.datastore.pool.close()
        self.datastore.pool = _new_pool(self.datastore, synchronous)
        self.threads = ThreadConnections(self.datastore.pool.db_name, synchronous)

    def application_recorder(self) -> Any:
        return self._with_connections(super().application_recorder)

    def aggregate_recorder(self, purpose: str = "events") -> Any:
        return self._with_connections(
            lambda: super(SqliteLogFactory, self).aggregate_recorder(purpose)
        )

    def _with_connections(self, construct: Callable[[], Any]) -> Any:
        recorder = construct()
        recorder.threads = self.threads
        return recorder

    def close(self) -> None:
        self.threads.close()
        super().close()


def _new_pool(datastore: SQLiteDatastore, synchronous: str) -> SynchronousPool:
    pool = SynchronousPool(db_name=datastore.pool.db_name, lock_timeout=LOCK_TIMEOUT_SECONDS)
    pool.synchronous = synchronous
    return pool
