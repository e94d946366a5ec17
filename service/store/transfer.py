"""Transfer of a log between SQLite and PostgreSQL, with a comparison of every row."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

from psycopg.sql import SQL, Identifier

from projections.stores.postgres_pool import Connection, ConnectionPool
from service.store.postgres import SCHEMA, WRITE_LOCK
from service.store.schema import COLUMNS_BY_TABLE, TABLES

COPIED_COLUMNS = {
    **COLUMNS_BY_TABLE,
    "stored_snapshots": "originator_id, originator_version, topic, state",
}
"""The columns of each table to copy. Unlike a backup, a copy includes the snapshots."""
NUMBERED_COLUMNS = {"stored_events": "position", "readings": "number"}
"""The column of automatic row numbers in each table that has one. Numbers are never reused."""
PAGE_ROWS = 500
MAX_ROW_BYTES = 1 << 26
"""The maximum size of a row in an untrusted file. A larger row could exhaust memory."""
MAX_ROW_NUMBER = 1 << 53
"""The maximum row number in an untrusted file.

After SQLite's largest row number, no further row could be numbered.
"""
BEGIN_SNAPSHOT_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
"""Begins a transaction that sees all tables as of one moment, without blocking writers."""

Row = Iterable[Any]
Progress = Callable[[str, int], None]
"""A callback that receives a table's name and the number of rows transferred so far."""


class TransferError(Exception):
    """Nothing was transferred. The message gives the reason."""


class LogTables(Protocol):
    """Access to a log's tables in one database, within one transaction."""

    def read(self, table: str, columns: str) -> Iterator[Row]:
        """Yield all rows of the table, sorted by `columns` from left to right."""
        ...

    def write(self, table: str, columns: str, rows: Iterator[Row]) -> None: ...

    def last_number(self, table: str) -> int:
        """Return the last number that the database assigned to a row of the table, or 0.

        The row with that number may have been deleted.
        """
        ...

    def continue_after(self, table: str, number: int) -> None: ...


def copy_to_postgres(file: Path, url: str, progress: Progress) -> dict[str, int]:
    """Copy a SQLite log into an empty database, and return each table's row count.

    If the copy fails, leave the database unchanged and raise TransferError or psycopg.Error.
    """
    with (
        closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as source,
        closing(ConnectionPool(url, SCHEMA, 1)) as connections,
        connections.begun(f"BEGIN; {WRITE_LOCK}") as target,
    ):
        source.execute("BEGIN")  # read all tables as of the same moment
        if full := [table for table in COPIED_COLUMNS if _has_rows(target, table)]:
            raise TransferError(
                f"the database at DATABASE_URL is not empty: there are rows in {', '.join(full)}."
                " Use an empty database"
            )
        return transfer(SqliteTables(source), PostgresTables(target), COPIED_COLUMNS, progress)


def copy_to_sqlite(url: str, target: sqlite3.Connection) -> None:
    """Copy a PostgreSQL log, without its snapshots, into an empty SQLite database.

    Fairlog may keep running during the copy. Raises TransferError, psycopg.Error or sqlite3.Error.
    """
    with (
        closing(ConnectionPool(url, SCHEMA, 1)) as connections,
        connections.begun(BEGIN_SNAPSHOT_READ) as source,
    ):
        for statement in TABLES:
            target.execute(statement)
        transfer(PostgresTables(source), SqliteTables(target), COLUMNS_BY_TABLE)
        target.commit()


def open_untrusted(file: Path) -> sqlite3.Connection:
    """Open a SQLite file that someone else may have changed. The connection is read-only.

    The file's schema cannot call functions with side effects. A query fails if it reads a view, or
    if a row is larger than MAX_ROW_BYTES.
    """
    connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.set_authorizer(_deny_views)
    return connection


def _deny_views(
    action: int, first: str | None, second: str | None, database: str | None, view: str | None
) -> int:
    return sqlite3.SQLITE_OK if view is None else sqlite3.SQLITE_DENY


def copy_rows(source: Path, target: Path) -> None:
    """Copy the rows of a log from an untrusted SQLite file into existing, empty tables.

    Only rows are copied, because a trigger in the file could, for example, add a token for its
    author to every new session. Snapshots are not copied, because no proof covers them. Raises
    TransferError or sqlite3.Error.
    """
    with closing(open_untrusted(source)) as received, closing(sqlite3.connect(target)) as log:
        existing = {name for (name,) in received.execute("SELECT name FROM sqlite_master")}
        # An old log may lack a table.
        tables = {name: each for name, each in COLUMNS_BY_TABLE.items() if name in existing}
        transfer(SqliteTables(received), SqliteTables(log), tables)
        log.commit()


def transfer(
    source: LogTables,
    target: LogTables,
    tables: Mapping[str, str],
    progress: Progress | None = None,
) -> dict[str, int]:
    """Copy each table, and compare the copy with the original.

    Return the number of rows in each table. Raises TransferError if a copy differs.
    """
    sizes = {}
    for table, columns in tables.items():
        sent = _Digest(source.read(table, columns), table, progress)
        target.write(table, columns, sent)
        arrived = _Digest(target.read(table, columns), table)
        for _ in arrived:
            pass
        if arrived.value != sent.value:
            raise TransferError(
                f"the copied rows in {table} differ from the original rows. Check that the"
                " database's encoding is UTF8, check the disk for errors, and try again"
            )
        if table in NUMBERED_COLUMNS and (last := source.last_number(table)):
            target.continue_after(table, last)
        sizes[table] = sent.rows
    return sizes


def filled_tables(url: str) -> list[str]:
    """Return the names of the log tables that are not empty in the database at `url`.

    Raises psycopg.Error.
    """
    with closing(ConnectionPool(url, SCHEMA, 1)) as connections, connections.lent() as target:
        query = b"SELECT tablename FROM pg_tables WHERE schemaname=%s"
        made = target.execute(query, (SCHEMA,)).fetchall()
        return [table for table in COPIED_COLUMNS if (table,) in made and _has_rows(target, table)]


def count_rows(file: Path) -> dict[str, int]:
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as source:
        queries = {table: f"SELECT COUNT(*) FROM {table}" for table in COPIED_COLUMNS}  # noqa: S608 our own tables
        return {table: source.execute(query).fetchone()[0] for table, query in queries.items()}


class SqliteTables:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def read(self, table: str, columns: str) -> Iterator[Row]:
        return self._connection.execute(_select(table, columns))

    def write(self, table: str, columns: str, rows: Iterator[Row]) -> None:
        places = ",".join("?" for _ in columns.split(","))
        insert = f"INSERT INTO {table} ({columns}) VALUES ({places})"  # noqa: S608 our own tables
        self._connection.executemany(insert, rows)  # type: ignore[arg-type]  # rows are tuples

    def last_number(self, table: str) -> int:
        query = "SELECT seq FROM sqlite_sequence WHERE name=?"
        found = self._connection.execute(query, (table,)).fetchone()
        number = found[0] if found else 0
        if not isinstance(number, int) or not 0 <= number <= MAX_ROW_NUMBER:
            raise TransferError(f"the last row number of {table} is not valid: {number!r}")
        return number

    def continue_after(self, table: str, number: int) -> None:
        self._connection.execute("DELETE FROM sqlite_sequence WHERE name=?", (table,))
        insert = "INSERT INTO sqlite_sequence (name, seq) VALUES (?,?)"
        self._connection.execute(insert, (table, number))


class PostgresTables:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def read(self, table: str, columns: str) -> Iterator[Row]:
        with self._connection.cursor("transfer", withhold=False) as cursor:
            cursor.itersize = PAGE_ROWS
            cursor.execute(_select(table, columns).encode(), binary=True)
            yield from cursor

    def write(self, table: str, columns: str, rows: Iterator[Row]) -> None:
        statement = f"COPY {table} ({columns}) FROM STDIN".encode()
        with self._connection.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)  # type: ignore[arg-type]  # rows are tuples

    def last_number(self, table: str) -> int:
        found = self._connection.execute(
            b"SELECT COALESCE(pg_sequence_last_value(pg_get_serial_sequence(%s, %s)), 0)",
            (table, NUMBERED_COLUMNS[table]),
        ).fetchone()
        assert found is not None
        return int(str(found[0]))

    def continue_after(self, table: str, number: int) -> None:
        statement = b"SELECT setval(pg_get_serial_sequence(%s, %s), %s)"
        self._connection.execute(statement, (table, NUMBERED_COLUMNS[table], number))


class _Digest:
    """An iterator that hashes and counts the rows that it yields."""

    def __init__(self, rows: Iterator[Row], table: str, progress: Progress | None = None) -> None:
        self.rows = 0
        self._source, self._table, self._progress = rows, table, progress
        self._hash = hashlib.sha256()

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        try:
            row = next(self._source)
        except StopIteration:
            self._report()
            raise
        self._hash.update(encode_row(row))
        self.rows += 1
        if self.rows % PAGE_ROWS == 0:
            self._report()
        return row

    def _report(self) -> None:
        if self._progress is not None:
            self._progress(self._table, self.rows)

    @property
    def value(self) -> bytes:
        return self._hash.digest()


def encode_row(row: Row) -> bytes:
    """Encode a row, including the type and length of each value.

    Different rows therefore always have different encodings.
    """
    return b"".join(map(_encode_value, row))


def _encode_value(value: Any) -> bytes:
    if isinstance(value, bytes):
        kind, raw = "b", value
    else:
        kind, raw = type(value).__name__[0], str(value).encode()
    return f"{kind}{len(raw)}:".encode() + raw


def _select(table: str, columns: str) -> str:
    order = ", ".join(str(number + 1) for number, _ in enumerate(columns.split(",")))
    return f"SELECT {columns} FROM {table} ORDER BY {order}"  # noqa: S608 our own tables


def _has_rows(target: Connection, table: str) -> bool:
    query = SQL("SELECT 1 FROM {} LIMIT 1").format(Identifier(table))
    return bool(target.execute(query).fetchall())
