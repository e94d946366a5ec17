"""A log from a SQLite file into an empty PostgreSQL database, byte for byte, positions too, and compared on the way."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from psycopg.sql import SQL, Identifier

from projections.connections import Connection, Connections
from service.storage.postgres import ONE_WRITER, SCHEMA
from service.storage.tables import KEPT

COPIED = {**KEPT, "stored_snapshots": "originator_id, originator_version, topic, state"}
"""By name, each table with its columns."""
Moved = Callable[[str, int], None]
"""Told the table and the number of its rows that have been copied so far."""
NUMBERED = {"stored_events": "position", "readings": "number"}
"""Tables whose numbers the database gives: it goes on behind the last one."""
PAGE = 500


class NotCopied(Exception):
    """Why nothing was copied."""


def copied(file: Path, url: str, moved: Moved) -> dict[str, int]:
    """The number of rows of each table. All of it in one transaction, or nothing. Raises NotCopied, psycopg.Error."""
    with (
        closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as source,
        closing(Connections(url, SCHEMA, 1)) as connections,
        connections.begun(f"BEGIN; {ONE_WRITER}") as target,
    ):
        source.execute("BEGIN")  # one moment of it
        if full := [table for table in COPIED if _has_rows(target, table)]:
            raise NotCopied(
                f"the database at DATABASE_URL is not empty: there are rows in {', '.join(full)}"
            )
        return {table: _table(source, target, table, moved) for table in COPIED}


def rows_there(url: str) -> list[str]:
    """The tables at that address that hold a row; none where they are not made yet. Raises psycopg.Error."""
    with closing(Connections(url, SCHEMA, 1)) as connections, connections.lent() as target:
        made = target.execute(
            b"SELECT tablename FROM pg_tables WHERE schemaname=%s", (SCHEMA,)
        ).fetchall()
        return [table for table in COPIED if (table,) in made and _has_rows(target, table)]


def sizes(file: Path) -> dict[str, int]:
    """The number of rows of each table of the file."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as source:
        return {
            table: source.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in COPIED
        }


def _table(source: sqlite3.Connection, target: Connection, table: str, moved: Moved) -> int:
    columns, order = (
        COPIED[table],
        ", ".join(str(nth + 1) for nth in range(COPIED[table].count(",") + 1)),
    )
    rows = source.execute(f"SELECT {columns} FROM {table} ORDER BY {order}")
    sent, written = hashlib.sha256(), 0
    with (
        target.cursor() as cursor,
        cursor.copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as into,
    ):
        while page := rows.fetchmany(PAGE):
            for row in page:
                into.write_row(row)
            sent.update(compared(page))
            written += len(page)
            moved(table, written)
    _expect_same(target, table, f"SELECT {columns} FROM {table} ORDER BY {order}", sent.digest())
    if table in NUMBERED:
        _go_on_behind(source, target, table)
    return written


def _expect_same(target: Connection, table: str, query: str, digest: bytes) -> None:
    """What has arrived, read back."""
    found = hashlib.sha256()
    with target.cursor("read_back") as cursor:
        cursor.itersize = PAGE
        cursor.execute(query.encode())
        for row in cursor:
            found.update(_bytes(row))
    if found.digest() != digest:
        raise NotCopied(
            f"{table} arrived otherwise than it was sent: is the database's encoding UTF8?"
        )


def compared(page: Iterable[Iterable[Any]]) -> bytes:
    """What the rows are compared by, in their order."""
    return b"".join(map(_bytes, page))


def _bytes(row: Iterable[Any]) -> bytes:
    """Different for different rows: each value with its kind and its length."""
    return b"".join(_value(value) for value in row)


def _value(value: Any) -> bytes:
    kind, raw = (
        ("b", value) if isinstance(value, bytes) else (type(value).__name__[0], str(value).encode())
    )
    return f"{kind}{len(raw)}:".encode() + raw


def _go_on_behind(source: sqlite3.Connection, target: Connection, table: str) -> None:
    """A number that was given once is not given again, also where its row is gone."""
    last = source.execute("SELECT seq FROM sqlite_sequence WHERE name=?", (table,)).fetchone()
    if last is not None and last[0] > 0:
        sequence = f"pg_get_serial_sequence('{table}', '{NUMBERED[table]}')"
        target.execute(f"SELECT setval({sequence}, %s)".encode(), (last[0],))


def _has_rows(target: Connection, table: str) -> bool:
    return bool(
        target.execute(SQL("SELECT 1 FROM {} LIMIT 1").format(Identifier(table))).fetchall()
    )
