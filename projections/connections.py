"""Connections to PostgreSQL: a few for a process, made when they are needed, and made again when the server is back."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import psycopg
import psycopg.errors
from psycopg.adapt import Dumper
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.numeric import Int8Dumper

T = TypeVar("T")
Connection = psycopg.Connection[tuple[object, ...]]

PATIENCE = 10.0
"""Seconds that one waits while all connections are in use."""
CONNECT, LOCK, IDLE = 5, "30s", "120s"
"""Seconds for a connection; the longest wait for a lock; after how long a silent process loses its transaction."""
AGAIN = (0.0, 0.05, 0.2)
"""Seconds before each further try where a connection was lost: a kept one may be of a server that has gone since."""
GONE = ("08", "57P")
"""Classes of SQLSTATE by which a server ends a connection. Without any it was lost on the way."""


class Connections:
    """At most so many, of which each finds the tables of `schema`. Errors are psycopg's own."""

    def __init__(self, url: str, schema: str, most: int, *, flushed: bool = True) -> None:
        """`flushed`: a commit returns when it is on disk, as the server itself is set; else it may come later."""
        self.schema, self._flushed = schema, flushed
        self._address = address(url)
        self._room = threading.BoundedSemaphore(most)
        self._kept: deque[Connection] = deque()
        self._is_closed = False

    def run(self, act: Callable[[Connection], T]) -> T:
        """What `act` gives, tried again on a new connection where one was lost: it may have been done already."""

        def once() -> T:
            with self.lent() as connection:
                return act(connection)

        return self._tried(once)

    @contextmanager
    def begun(self, statement: str) -> Iterator[Connection]:
        """A transaction that begins so: committed at the end, or nothing of it."""
        with self.lent(statement) as connection:
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def lent(self, begin: str = "") -> Iterator[Connection]:
        """One for the moment, behind that statement. A transaction that is left open is rolled back."""
        if not self._room.acquire(timeout=PATIENCE):
            raise psycopg.OperationalError(f"all connections of this process were in use for {PATIENCE:g} s")
        try:
            connection = self._tried(lambda: self._take(begin))
            try:
                yield connection
            finally:
                self._give_back(connection)
        finally:
            self._room.release()

    def connect(self) -> Connection:
        """One of the caller's own, beside the others."""
        connection = psycopg.connect(self._address, autocommit=True)
        connection.adapters.register_dumper(int, Int8Dumper)  # one type for all numbers: one plan for each statement
        connection.adapters.register_dumper(bool, _Flag)
        connection.execute(
            f"SET search_path TO {self.schema}; SET lock_timeout TO '{LOCK}'; SET timezone TO 'UTC';"
            f" SET idle_in_transaction_session_timeout TO '{IDLE}'"
            + ("" if self._flushed else "; SET synchronous_commit TO off")
        )
        return connection

    def close(self) -> None:
        self._is_closed = True
        self._forget()

    def _tried(self, act: Callable[[], T]) -> T:
        for pause in AGAIN:
            try:
                return act()
            except psycopg.Error as error:
                if not is_lost(error):
                    raise
            self._forget()
            time.sleep(pause)
        return act()

    def _take(self, begin: str) -> Connection:
        try:
            connection = self._kept.pop()
        except IndexError:
            connection = self.connect()
        if begin:
            try:
                connection.execute(begin.encode())
            except BaseException:
                connection.close()
                raise
        return connection

    def _give_back(self, connection: Connection) -> None:
        is_idle = connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        if connection.closed or not is_idle or self._is_closed:
            connection.close()  # whereby the server rolls back what was begun
        else:
            self._kept.append(connection)

    def _forget(self) -> None:
        """Closes those that nobody has at the moment."""
        while self._kept:
            try:
                self._kept.pop().close()
            except IndexError:  # somebody was faster
                return


class _Flag(Dumper):
    """Truth as SQLite keeps it."""

    oid = psycopg.adapters.types["int8"].oid

    def dump(self, obj: bool) -> bytes:
        return b"1" if obj else b"0"


def is_lost(error: psycopg.Error) -> bool:
    """Whether the connection is gone, or there was none: the server itself has found nothing wrong."""
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return error.sqlstate is None or error.sqlstate.startswith(GONE)
    return False


def is_away(error: BaseException | None) -> bool:
    """Whether the database cannot be used now: it does not answer, is full, locked, read only or has no tables."""
    return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError | _UNUSABLE)


_UNUSABLE = psycopg.errors.UndefinedTable | psycopg.errors.InvalidSchemaName | psycopg.errors.ReadOnlySqlTransaction


def address(url: str) -> str:
    """The address with how long to wait for an answer, where it does not say so itself."""
    return url if "connect_timeout" in conninfo_to_dict(url) else make_conninfo(url, connect_timeout=CONNECT)
