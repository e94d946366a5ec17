"""A read model store in a SQLite file."""

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

WRITE_LOCK_TIMEOUT_SECONDS = 60  # a rebuild holds the lock while it copies its rows


class SqliteReadModelStore(ReadModelStore):
    """A read model store in a SQLite file, with one writer at a time.

    Each writer takes the write lock on the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.datastore = SQLiteDatastore(str(path))
        self.datastore.pool = _UnflushedPool(
            db_name=str(path), lock_timeout=WRITE_LOCK_TIMEOUT_SECONDS
        )

    def prepare(self) -> None:
        SQLiteTrackingRecorder(self.datastore).create_table()

    def reading(self) -> AbstractContextManager[Cursor]:
        return self.datastore.transaction(commit=False)

    @contextmanager
    def writing(self) -> Iterator[Cursor]:
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute("ROLLBACK")  # the library's BEGIN takes the write lock too late
            cursor.execute("BEGIN IMMEDIATE")
            yield cursor

    def table_definitions(self) -> Mapping[str, str]:
        rows = self.select("SELECT name, sql FROM sqlite_master WHERE type='table'")
        return {name: sql.removeprefix(f"CREATE TABLE {name} ") for name, sql in rows}

    def create_table(self, cursor: Cursor, name: str, columns: str) -> None:
        cursor.execute(f"CREATE TABLE IF NOT EXISTS {name} {columns}")

    @contextmanager
    def temporary_store(self, name: str) -> Iterator[ReadModelStore]:
        # The rows are copied. In WAL mode, replacing the file would combine the new file with the
        # old file's journal.
        with TemporaryDirectory(dir=self.path.parent, prefix="rebuild-") as folder:
            temporary = SqliteReadModelStore(Path(folder, self.path.name))
            try:
                yield temporary
            finally:
                temporary.close()

    def replace_rows(self, model: ReadModel) -> None:
        assert isinstance(model.store, SqliteReadModelStore)
        with self.datastore.get_connection(commit=True) as connection:
            connection.cursor().execute("ATTACH DATABASE ? AS rebuilt", (str(model.store.path),))
            try:
                with connection.transaction(commit=True) as cursor:
                    _copy(model, cursor)
            finally:
                connection.cursor().execute("DETACH DATABASE rebuilt")

    def close(self) -> None:
        self.datastore.close()


def _copy(model: ReadModel, cursor: Cursor) -> None:
    cursor.execute("DELETE FROM main.tracking WHERE application_name=?", (model.name,))
    cursor.execute(
        "INSERT INTO main.tracking SELECT * FROM rebuilt.tracking WHERE application_name=?",
        (model.name,),
    )
    for name, columns in model.tables.items():
        cursor.execute(
            f"DROP TABLE IF EXISTS main.{name}"
        )  # an older version may have other columns
        cursor.execute(f"CREATE TABLE main.{name} {columns}")
        cursor.execute(f"INSERT INTO main.{name} SELECT * FROM rebuilt.{name}")  # noqa: S608 our own tables


class _UnflushedPool(SQLiteConnectionPool):
    """A connection pool that does not flush each commit to disk.

    If a batch is lost in a crash, the follower applies it again.
    """

    def _create_connection(self) -> SQLiteConnection:
        connection = super()._create_connection()
        try:
            connection.cursor().execute("PRAGMA synchronous=NORMAL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection
