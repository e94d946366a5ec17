"""The views in a schema of a PostgreSQL database, apart from the log's: what is lost with it is computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.sql import SQL, Literal

from projections.runner import Cursor, ReadModel, ReadModelStore
from projections.stores import dialect
from projections.stores.postgres_pool import ConnectionPool

SCHEMA = "fairlog_views"
MAX_CONNECTIONS = 3
"""Connections of a process: what is asked of views is short."""
BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
BEGIN_WRITE = "BEGIN; LOCK TABLE tracking IN EXCLUSIVE MODE"
"""As in SQLite: who reads in order to write finds what the writer before has left. Readers do not wait."""
TRACKING = "(application_name TEXT PRIMARY KEY, notification_id INTEGER NOT NULL)"
SELECT_TABLE_DEFINITIONS = """SELECT relname, obj_description(oid, 'pg_class') FROM pg_class
    WHERE relkind='r' AND relnamespace=to_regnamespace(?)"""
ACQUIRE_REBUILD_LOCK = "SELECT pg_advisory_lock(hashtext(?))"


class PostgresReadModelStore(ReadModelStore):
    """Each table's comment says what columns it was made with."""

    def __init__(self, url: str, schema: str = SCHEMA) -> None:
        self.url, self.schema = url, schema
        self._connections = ConnectionPool(
            url, schema, MAX_CONNECTIONS, flushed=False
        )  # a lost batch is applied again

    def prepare(self) -> None:
        with self._connections.lent() as connection:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self.schema}".encode())
            connection.execute(
                f"CREATE TABLE IF NOT EXISTS tracking {dialect.to_postgres_columns(TRACKING)}".encode()
            )

    def select(self, sql: str, *values: object) -> list[Any]:
        return self._connections.run(
            lambda connection: TranslatingCursor(connection.cursor()).of(sql, values)
        )

    @contextmanager
    def reading(self) -> Iterator[Cursor]:
        with self._connections.begun(BEGIN_SNAPSHOT) as connection:
            yield TranslatingCursor(connection.cursor())

    @contextmanager
    def writing(self) -> Iterator[Cursor]:
        with self._connections.begun(BEGIN_WRITE) as connection:
            yield TranslatingCursor(connection.cursor())

    def made(self) -> Mapping[str, str]:
        return {
            name: shape or "" for name, shape in self.select(SELECT_TABLE_DEFINITIONS, self.schema)
        }

    def make(self, cursor: Cursor, name: str, columns: str) -> None:
        cursor.execute(f"CREATE TABLE IF NOT EXISTS {name} {dialect.to_postgres_columns(columns)}")
        cursor.execute(
            SQL("COMMENT ON TABLE {} IS {}").format(SQL(name), Literal(columns)).as_string()
        )

    @contextmanager
    def beside(self, view: str) -> Iterator[ReadModelStore]:
        schema = f"{self.schema}_{view}"
        fresh = PostgresReadModelStore(self.url, schema)
        try:
            # Held by this connection until it is closed: two that rebuild the same view take turns.
            with self._connections.connect() as alone:
                alone.execute(
                    dialect.to_psycopg_placeholders(ACQUIRE_REBUILD_LOCK).encode(), (schema,)
                )
                alone.execute(
                    f"DROP SCHEMA IF EXISTS {schema} CASCADE".encode()
                )  # of one that was killed at it
                yield fresh
                alone.execute(f"DROP SCHEMA {schema} CASCADE".encode())
        finally:
            fresh.close()

    def take_over(self, view: ReadModel) -> None:
        assert isinstance(view.store, PostgresReadModelStore)
        rebuilt = view.store.schema
        with self.writing() as cursor:
            cursor.execute("DELETE FROM tracking WHERE application_name=?", (view.name,))
            cursor.execute(f"INSERT INTO tracking SELECT * FROM {rebuilt}.tracking")
            for name in view.tables:
                cursor.execute(f"DROP TABLE IF EXISTS {name}")
                cursor.execute(f"ALTER TABLE {rebuilt}.{name} SET SCHEMA {self.schema}")

    def close(self) -> None:
        self._connections.close()


class TranslatingCursor:
    """A cursor that takes statements as SQLite reads them."""

    def __init__(self, cursor: psycopg.Cursor[Any]) -> None:
        self._cursor = cursor

    def of(self, sql: str, values: Sequence[object]) -> list[Any]:
        self.execute(sql, values)
        return self.fetchall()

    def execute(self, sql: str, row: Sequence[object] = (), /) -> None:
        self._cursor.execute(dialect.to_psycopg_placeholders(sql).encode(), row)

    def executemany(self, sql: str, rows: Iterable[Sequence[object]], /) -> None:
        self._cursor.executemany(dialect.to_psycopg_placeholders(sql).encode(), rows)

    def fetchall(self) -> list[Any]:
        return self._cursor.fetchall()
