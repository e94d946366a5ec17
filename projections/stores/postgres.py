"""A read model store in a schema of a PostgreSQL database."""

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
"""The maximum number of connections per process. Queries on read models are short."""
BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
BEGIN_WRITE = "BEGIN; LOCK TABLE tracking IN EXCLUSIVE MODE"
"""Begins a transaction that excludes other writers, as in SQLite.

A writer therefore sees everything that the previous writer has committed.
"""
TRACKING = "(application_name TEXT PRIMARY KEY, notification_id INTEGER NOT NULL)"
SELECT_TABLE_DEFINITIONS = """SELECT relname, obj_description(oid, 'pg_class') FROM pg_class
    WHERE relkind='r' AND relnamespace=to_regnamespace(?)"""
ACQUIRE_REBUILD_LOCK = "SELECT pg_advisory_lock(hashtext(?))"


class PostgresReadModelStore(ReadModelStore):
    """A read model store in a PostgreSQL schema.

    Each table's original column definitions are stored as a comment on the table.
    """

    def __init__(self, url: str, schema: str = SCHEMA) -> None:
        self.url, self.schema = url, schema
        # Commits are not flushed, because the follower applies a lost batch again.
        self._connections = ConnectionPool(url, schema, MAX_CONNECTIONS, flushed=False)

    def prepare(self) -> None:
        with self._connections.lent() as connection:
            columns = dialect.to_postgres_columns(TRACKING)
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self.schema}".encode())
            connection.execute(f"CREATE TABLE IF NOT EXISTS tracking {columns}".encode())

    def select(self, sql: str, *values: object) -> list[Any]:
        return self._connections.run(
            lambda connection: TranslatingCursor(connection.cursor()).select(sql, values)
        )

    @contextmanager
    def reading(self) -> Iterator[Cursor]:
        with self._connections.begun(BEGIN_SNAPSHOT) as connection:
            yield TranslatingCursor(connection.cursor())

    @contextmanager
    def writing(self) -> Iterator[Cursor]:
        with self._connections.begun(BEGIN_WRITE) as connection:
            yield TranslatingCursor(connection.cursor())

    def table_definitions(self) -> Mapping[str, str]:
        return {
            name: columns or ""
            for name, columns in self.select(SELECT_TABLE_DEFINITIONS, self.schema)
        }

    def create_table(self, cursor: Cursor, name: str, columns: str) -> None:
        cursor.execute(f"CREATE TABLE IF NOT EXISTS {name} {dialect.to_postgres_columns(columns)}")
        cursor.execute(
            SQL("COMMENT ON TABLE {} IS {}").format(SQL(name), Literal(columns)).as_string()
        )

    @contextmanager
    def temporary_store(self, name: str) -> Iterator[ReadModelStore]:
        schema = f"{self.schema}_{name}"
        temporary = PostgresReadModelStore(self.url, schema)
        try:
            # The lock allows only one rebuild of each read model at a time. Closing the connection
            # releases it.
            with self._connections.connect() as connection:
                connection.execute(
                    dialect.to_psycopg_placeholders(ACQUIRE_REBUILD_LOCK).encode(), (schema,)
                )
                # A killed rebuild may have left its schema.
                connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE".encode())
                yield temporary
                connection.execute(f"DROP SCHEMA {schema} CASCADE".encode())
        finally:
            temporary.close()

    def replace_rows(self, model: ReadModel) -> None:
        assert isinstance(model.store, PostgresReadModelStore)
        rebuilt = model.store.schema
        with self.writing() as cursor:
            cursor.execute("DELETE FROM tracking WHERE application_name=?", (model.name,))
            cursor.execute(f"INSERT INTO tracking SELECT * FROM {rebuilt}.tracking")  # noqa: S608 our own schema
            for name in model.tables:
                cursor.execute(f"DROP TABLE IF EXISTS {name}")
                cursor.execute(f"ALTER TABLE {rebuilt}.{name} SET SCHEMA {self.schema}")

    def close(self) -> None:
        self._connections.close()


class TranslatingCursor:
    """A cursor that accepts SQL written for SQLite."""

    def __init__(self, cursor: psycopg.Cursor[Any]) -> None:
        self._cursor = cursor

    def select(self, sql: str, values: Sequence[object]) -> list[Any]:
        self.execute(sql, values)
        return self.fetchall()

    def execute(self, sql: str, row: Sequence[object] = (), /) -> None:
        self._cursor.execute(dialect.to_psycopg_placeholders(sql).encode(), row)

    def executemany(self, sql: str, rows: Iterable[Sequence[object]], /) -> None:
        self._cursor.executemany(dialect.to_psycopg_placeholders(sql).encode(), rows)

    def fetchall(self) -> list[Any]:
        return self._cursor.fetchall()
