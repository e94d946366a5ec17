"""The views in a SQLite file, apart from the log's: what is lost with it is computed again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from eventsourcing.sqlite import (
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteDatastore,
    SQLiteTrackingRecorder,
)

from projections.runner import Cursor, ReadModel, ReadModelStore

WRITE_LOCK_TIMEOUT_SECONDS = (
    60  # seconds to wait for the write lock: a rebuild holds it while it copies its rows
)


class SqliteReadModelStore(ReadModelStore):
    """Its writers take turns at the file's write lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.datastore = SQLiteDatastore(str(path))
        self.datastore.pool = _Pool(db_name=str(path), lock_timeout=WRITE_LOCK_TIMEOUT_SECONDS)

    def prepare(self) -> None:
        SQLiteTrackingRecorder(self.datastore).create_table()

    def reading(self) -> AbstractContextManager[Cursor]:
        return self.datastore.transaction(commit=False)

    @contextmanager
    def writing(self) -> Iterator[Cursor]:
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute("ROLLBACK")  # the library's own takes the lock late
            cursor.execute("BEGIN IMMEDIATE")
            yield cursor

    def made(self) -> Mapping[str, str]:
        rows = self.select("SELECT name, sql FROM sqlite_master WHERE type='table'")
        return {name: sql.removeprefix(f"CREATE TABLE {name} ") for name, sql in rows}

    def make(self, cursor: Cursor, name: str, columns: str) -> None:
        cursor.execute(f"CREATE TABLE IF NOT EXISTS {name} {columns}")

    @contextmanager
    def beside(self, view: str) -> Iterator[ReadModelStore]:
        # Its rows are copied over, for a file put in the place of one in WAL mode would meet the old one's journal.
        with TemporaryDirectory(dir=self.path.parent, prefix="rebuild-") as folder:
            fresh = SqliteReadModelStore(Path(folder, self.path.name))
            try:
                yield fresh
            finally:
                fresh.close()

    def take_over(self, view: ReadModel) -> None:
        assert isinstance(view.store, SqliteReadModelStore)
        with self.datastore.get_connection(commit=True) as connection:
            connection.cursor().execute("ATTACH DATABASE ? AS rebuilt", (str(view.store.path),))
            try:
                with connection.transaction(commit=True) as cursor:
                    _copy(view, cursor)
            finally:
                connection.cursor().execute("DETACH DATABASE rebuilt")

    def close(self) -> None:
        self.datastore.close()


def _copy(view: ReadModel, cursor: Cursor) -> None:
    cursor.execute("DELETE FROM main.tracking WHERE application_name=?", (view.name,))
    cursor.execute(
        "INSERT INTO main.tracking SELECT * FROM rebuilt.tracking WHERE application_name=?",
        (view.name,),
    )
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
