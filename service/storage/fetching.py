"""A log from a PostgreSQL database into an empty SQLite file, byte for byte, as of one moment, while anything runs."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing

from projections.connections import Connection, Connections
from service.storage.copying import NUMBERED, PAGE, NotCopied, compared
from service.storage.postgres import SCHEMA
from service.storage.tables import KEPT, TABLES

ONE_MOMENT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
"""Every table as of the first look at any; nobody waits for it, writers neither."""


def fetched(url: str, target: sqlite3.Connection) -> None:
    """The tables of the log and their rows, all but the snapshots. Raises NotCopied, psycopg.Error, sqlite3.Error."""
    with (
        closing(Connections(url, SCHEMA, 1)) as connections,
        connections.begun(ONE_MOMENT) as source,
    ):
        for statement in TABLES:
            target.execute(statement)
        for table, columns in KEPT.items():
            _table(source, target, table, columns)
        target.commit()


def _table(source: Connection, target: sqlite3.Connection, table: str, columns: str) -> None:
    places = columns.count(",") + 1
    query = (
        f"SELECT {columns} FROM {table} ORDER BY {', '.join(str(nth + 1) for nth in range(places))}"
    )
    insert = f"INSERT INTO {table} ({columns}) VALUES ({','.join('?' * places)})"
    sent = hashlib.sha256()
    with source.cursor("fetched", withhold=False) as cursor:
        cursor.itersize = PAGE
        cursor.execute(query.encode(), binary=True)
        while page := cursor.fetchmany(PAGE):
            target.executemany(insert, page)
            sent.update(compared(page))
    found = hashlib.sha256()
    rows = target.execute(query)
    while page := rows.fetchmany(PAGE):
        found.update(compared(page))
    if found.digest() != sent.digest():
        raise NotCopied(
            f"{table} arrived otherwise than it was sent: try again, and look at the disk"
        )
    if table in NUMBERED:
        _go_on_behind(source, target, table)


def _go_on_behind(source: Connection, target: sqlite3.Connection, table: str) -> None:
    """A number that was given once is not given again, also where its row is gone."""
    named = source.execute(
        f"SELECT pg_get_serial_sequence('{table}', '{NUMBERED[table]}')".encode()
    ).fetchone()
    assert named is not None
    found = source.execute(f"SELECT last_value, is_called FROM {named[0]}".encode()).fetchone()
    assert found is not None
    last, is_called = found
    if is_called:
        target.execute("DELETE FROM sqlite_sequence WHERE name=?", (table,))
        target.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?,?)", (table, last))
