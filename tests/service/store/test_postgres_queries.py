"""Statements without a cursor give what psycopg's cursor gives, and fail as it fails."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from projections.stores import dialect
from projections.stores.postgres_pool import Connection, ConnectionPool, is_lost
from service.store import postgres
from tests.support.databases.places import address

VALUES = [("one", 1, b"\0\xff", True, None), ("", -(2**62), b"", False, "é")]
ASKED = "SELECT ?::text, ?::bigint, ?::bytea, ?::bigint, ?::text"


@pytest.fixture
def connections() -> Iterator[ConnectionPool]:
    with address("wheel") as url, closing(ConnectionPool(url, "fairlog", 1)) as connections:
        yield connections


@pytest.fixture
def connection(connections: ConnectionPool) -> Iterator[Connection]:
    with connections.lent() as connection:
        yield connection


@pytest.mark.parametrize("values", VALUES)
def test_values_come_back_as_by_a_cursor(
    connection: Connection, values: tuple[object, ...]
) -> None:
    by_cursor = connection.execute(
        dialect.to_psycopg_placeholders(ASKED).encode(), values
    ).fetchall()
    assert (
        postgres.run_prepared(connection, dialect.to_numbered_placeholders(ASKED), values)
        == by_cursor
        == [values]
    )


def test_a_statement_is_prepared_once_and_only_so_many_are(connection: Connection) -> None:
    for nth in (*range(postgres.MAX_PREPARED_STATEMENTS + 5), 0, postgres.MAX_PREPARED_STATEMENTS):
        assert postgres.run_prepared(connection, f"SELECT {nth}, $1::bigint", (nth,)) == [
            (nth, nth)
        ]
    [(prepared,)] = postgres.run_prepared(
        connection, "SELECT COUNT(*) FROM pg_prepared_statements", ()
    )
    assert prepared == len(connection.names) == postgres.MAX_PREPARED_STATEMENTS
    assert connection.names["SELECT 7, $1::bigint"] == b"7 SELECT 7, $1::bigint"


def test_nothing_comes_of_nothing(connection: Connection) -> None:
    assert postgres.run_prepared(connection, "SELECT 1 WHERE $1::bigint=2", (1,)) == []


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("SELECT 1 FROM nowhere", psycopg.errors.UndefinedTable),
        ("SELECT 1/$1::bigint", psycopg.errors.DivisionByZero),
        ("INSERT INTO once VALUES ($1::bigint)", psycopg.errors.UniqueViolation),
    ],
)
def test_what_the_server_refuses_is_said_as_by_a_cursor(
    connection: Connection, statement: str, error: type[psycopg.Error]
) -> None:
    connection.execute(
        "CREATE TEMPORARY TABLE once (number BIGINT PRIMARY KEY); INSERT INTO once VALUES (0)"
    )
    with pytest.raises(error) as refused:
        postgres.run_prepared(connection, statement, (0,) if "$1" in statement else ())
    assert refused.value.sqlstate == error.sqlstate
    assert not is_lost(refused.value)
    assert postgres.run_prepared(connection, "SELECT 2", ()) == [(2,)]


def test_a_connection_that_is_cut_is_lost_and_another_is_taken(connections: ConnectionPool) -> None:
    def own(connection: Connection) -> int:
        [(pid,)] = postgres.run_prepared(connection, "SELECT pg_backend_pid()::bigint", ())
        return int(pid)

    before = connections.run(own)
    with closing(connections.connect()) as other:
        other.execute(b"SELECT pg_terminate_backend(%s::int)", (before,))
        with connections.lent() as connection, pytest.raises(psycopg.Error) as lost:
            own(connection)
        assert is_lost(lost.value)
        kept = connections.run(own)
        assert kept != before
        other.execute(b"SELECT pg_terminate_backend(%s::int)", (kept,))
        assert connections.run(own) not in (before, kept)


def test_a_signal_is_heard_while_the_server_works(connection: Connection) -> None:
    class Heard(Exception):
        pass

    def hear(*_: object) -> None:
        raise Heard

    before = signal.signal(signal.SIGUSR1, hear)
    sent = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGUSR1))
    sent.start()
    began = time.monotonic()
    try:
        with pytest.raises(Heard):
            postgres.run_prepared(connection, "SELECT pg_sleep($1::bigint)", (30,))
    finally:
        sent.join()
        signal.signal(signal.SIGUSR1, before)
    assert time.monotonic() - began < 15
