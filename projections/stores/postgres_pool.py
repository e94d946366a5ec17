"""Connections to PostgreSQL: a few for a process, made when they are needed, and made again when
the server is back.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import psycopg
import psycopg.errors
from psycopg.adapt import Dumper
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.types.numeric import Int8Dumper

T = TypeVar("T")


class Connection(psycopg.Connection[tuple[object, ...]]):
    """With the statements that were prepared on it, by their names there; no number of a name is
    given twice.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.names: dict[str, bytes] = {}
        self.numbers = count()


ACQUIRE_TIMEOUT_SECONDS = 10.0
"""Seconds that one waits while all connections are in use."""
CONNECT_TIMEOUT_SECONDS, LOCK_TIMEOUT, IDLE_TRANSACTION_TIMEOUT = 5, "30s", "120s"
"""Seconds for a connection; the longest wait for a lock; after how long a silent process loses its
transaction.
"""
RETRY_PAUSES_SECONDS = (0.0, 0.05, 0.2)
"""Seconds before each further try where a connection was lost: a kept one may be of a server that
has gone since.
"""
LOST_CONNECTION_CODES = ("08", "57P", "25P03")
"""How SQLSTATE begins where a server ends a connection. Without any it was lost on the way."""


class ConnectionPool:
    """At most so many, of which each finds the tables of `schema`. Errors are psycopg's own."""

    def __init__(self, url: str, schema: str, most: int, *, flushed: bool = True) -> None:
        """`flushed`: a commit returns when it is on disk, as the server itself is set; else it may
        come later.
        """
        self.schema, self._flushed = schema, flushed
        self._address = add_connect_timeout(url)
        self._ruleset = SimpleQueue[None]()  # a semaphore that costs a tenth of Python's
        for _ in range(most):
            self._ruleset.put(None)
        self._kept: deque[Connection] = deque()
        self._is_closed = False

    def run(self, act: Callable[[Connection], T]) -> T:
        """Return what `act` gives. If the connection was lost, run it again on a new one.

        `act` may have succeeded before the connection was lost.
        """

        def once() -> T:
            connection = self._taken("")
            try:
                return act(connection)
            finally:
                self._give_back(connection)

        self._enter()
        try:
            return self._tried(once)
        finally:
            self._ruleset.put(None)

    @contextmanager
    def begun(self, statement: str) -> Iterator[Connection]:
        """A transaction that begins so: committed at the end, or nothing of it."""
        with self.lent(statement) as connection:
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def lent(self, begin: str = "") -> Iterator[Connection]:
        """One for the moment, behind that statement.

        A transaction that is left open is rolled back.
        """
        self._enter()
        try:
            connection = self._tried(lambda: self._taken(begin))
            try:
                yield connection
            finally:
                self._give_back(connection)
        finally:
            self._ruleset.put(None)

    def connect(self) -> Connection:
        """One of the caller's own, beside the others."""
        connection = Connection.connect(self._address, autocommit=True)
        connection.adapters.register_dumper(
            int, Int8Dumper
        )  # one type for all numbers: one plan for each statement
        connection.adapters.register_dumper(bool, _Flag)
        connection.execute(
            f"SET search_path TO {self.schema}; SET lock_timeout TO '{LOCK_TIMEOUT}'; SET timezone TO 'UTC';"
            " SET default_transaction_isolation TO 'read committed';"  # what is read behind a lock is so now
            f" SET idle_in_transaction_session_timeout TO '{IDLE_TRANSACTION_TIMEOUT}'"
            + ("" if self._flushed else "; SET synchronous_commit TO off")
        )
        return connection

    def close(self) -> None:
        self._is_closed = True
        self._forget()

    def _tried(self, act: Callable[[], T]) -> T:
        for pause in RETRY_PAUSES_SECONDS:
            try:
                return act()
            except psycopg.Error as error:
                if not is_lost(error):
                    raise
            self._forget()
            time.sleep(pause)
        return act()

    def _enter(self) -> None:
        try:
            self._ruleset.get(timeout=ACQUIRE_TIMEOUT_SECONDS)
        except Empty:
            said = f"all connections of this process were in use for {ACQUIRE_TIMEOUT_SECONDS:g} s"
            raise psycopg.OperationalError(said) from None

    def _taken(self, begin: str) -> Connection:
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
        # One that is closed or lost is not idle either.
        if connection.pgconn.transaction_status != TransactionStatus.IDLE or self._is_closed:
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
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError | _SILENT):
        return error.sqlstate is None or error.sqlstate.startswith(LOST_CONNECTION_CODES)
    return False


def is_away(error: BaseException | None) -> bool:
    """Return True if the database cannot be used now: away, full, locked or not migrated."""
    return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError | _UNUSABLE)


_SILENT = psycopg.errors.IdleInTransactionSessionTimeout
_UNUSABLE = (
    psycopg.errors.UndefinedTable
    | psycopg.errors.UndefinedFunction
    | psycopg.errors.InvalidSchemaName
    | psycopg.errors.ReadOnlySqlTransaction
    | _SILENT
)


def add_connect_timeout(url: str) -> str:
    """The address with how long to wait for an answer, where it does not say so itself."""
    return (
        url
        if "connect_timeout" in conninfo_to_dict(url)
        else make_conninfo(url, connect_timeout=CONNECT_TIMEOUT_SECONDS)
    )
