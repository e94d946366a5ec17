"""A PostgreSQL connection pool that reconnects after a server restart."""

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
    """A connection that keeps track of its prepared statements.

    `names` maps each statement to its name. `numbers` is used to create unique names.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.names: dict[str, bytes] = {}
        self.numbers = count()


ACQUIRE_TIMEOUT_SECONDS = 10.0
"""The maximum time to wait for a free connection if all connections are in use."""
CONNECT_TIMEOUT_SECONDS, LOCK_TIMEOUT, IDLE_TRANSACTION_TIMEOUT = 5, "30s", "120s"
"""Timeouts for connecting, for waiting for a lock, and for idle transactions."""
RETRY_PAUSES_SECONDS = (0.0, 0.05, 0.2)
"""Pauses before each retry after a lost connection. The server may be restarting."""
LOST_CONNECTION_CODES = ("08", "57P", "25P03")
"""SQLSTATE prefixes that show that the server closed the connection.

Errors caused by a broken connection have no SQLSTATE.
"""


class ConnectionPool:
    """A pool of connections that use `schema` as their search path.

    The methods raise psycopg's errors.
    """

    def __init__(
        self, url: str, schema: str, max_connections: int, *, flushed: bool = True
    ) -> None:
        """Create an empty pool.

        If `flushed` is True, the server's own settings determine how durable commits are.
        Otherwise, the latest commits may be lost if the server crashes.
        """
        self.schema, self._flushed = schema, flushed
        self._address = add_connect_timeout(url)
        self._free_slots = SimpleQueue[None]()  # a semaphore; ten times faster than threading's
        for _ in range(max_connections):
            self._free_slots.put(None)
        self._idle: deque[Connection] = deque()
        self._is_closed = False

    def run(self, act: Callable[[Connection], T]) -> T:
        """Call `act` with a connection and return its result.

        If the connection is lost, call `act` again with a new connection. The first call may have
        taken effect before the connection was lost.
        """

        def once() -> T:
            connection = self._take("")
            try:
                return act(connection)
            finally:
                self._give_back(connection)

        self._acquire_slot()
        try:
            return self._retry_if_lost(once)
        finally:
            self._free_slots.put(None)

    @contextmanager
    def begun(self, statement: str) -> Iterator[Connection]:
        """Begin a transaction with `statement` and yield its connection.

        The transaction is committed at the end, or rolled back after an error.
        """
        with self.lent(statement) as connection:
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def lent(self, begin: str = "") -> Iterator[Connection]:
        """Yield a connection. If `begin` is not empty, run it on the connection first.

        If a transaction is still open at the end, it is rolled back.
        """
        self._acquire_slot()
        try:
            connection = self._retry_if_lost(lambda: self._take(begin))
            try:
                yield connection
            finally:
                self._give_back(connection)
        finally:
            self._free_slots.put(None)

    def connect(self) -> Connection:
        """Open a connection that does not belong to the pool. The caller must close it."""
        connection = Connection.connect(self._address, autocommit=True)
        # Use one type for all integers, so that each statement has only one plan.
        connection.adapters.register_dumper(int, Int8Dumper)
        connection.adapters.register_dumper(bool, _Flag)
        connection.execute(
            f"SET search_path TO {self.schema}; SET lock_timeout TO '{LOCK_TIMEOUT}';"
            # With "read committed", a query that follows a lock sees the newest commits.
            " SET timezone TO 'UTC'; SET default_transaction_isolation TO 'read committed';"
            f" SET idle_in_transaction_session_timeout TO '{IDLE_TRANSACTION_TIMEOUT}'"
            + ("" if self._flushed else "; SET synchronous_commit TO off")
        )
        return connection

    def close(self) -> None:
        self._is_closed = True
        self._close_idle()

    def _retry_if_lost(self, act: Callable[[], T]) -> T:
        for pause in RETRY_PAUSES_SECONDS:
            try:
                return act()
            except psycopg.Error as error:
                if not is_lost(error):
                    raise
            self._close_idle()
            time.sleep(pause)
        return act()

    def _acquire_slot(self) -> None:
        try:
            self._free_slots.get(timeout=ACQUIRE_TIMEOUT_SECONDS)
        except Empty:
            message = (
                "all of this process's database connections were in use for "
                f"{ACQUIRE_TIMEOUT_SECONDS:g} s"
            )
            raise psycopg.OperationalError(message) from None

    def _take(self, begin: str) -> Connection:
        try:
            connection = self._idle.pop()
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
        # A closed or lost connection is not idle either.
        if connection.pgconn.transaction_status != TransactionStatus.IDLE or self._is_closed:
            connection.close()  # the server rolls back an open transaction
        else:
            self._idle.append(connection)

    def _close_idle(self) -> None:
        while self._idle:
            try:
                self._idle.pop().close()
            except IndexError:  # another thread took the last one
                return


class _Flag(Dumper):
    """Converts booleans to integers, because flags are stored in integer columns."""

    oid = psycopg.adapters.types["int8"].oid

    def dump(self, obj: bool) -> bytes:
        return b"1" if obj else b"0"


def is_lost(error: psycopg.Error) -> bool:
    """Return True if the error means that the connection was lost or refused."""
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError | _IDLE_TIMEOUT):
        return error.sqlstate is None or error.sqlstate.startswith(LOST_CONNECTION_CODES)
    return False


def is_away(error: BaseException | None) -> bool:
    """Return True if the error means that the database cannot be used at the moment.

    For example, the database may be unreachable, full, locked or not migrated.
    """
    return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError | _UNUSABLE)


_IDLE_TIMEOUT = psycopg.errors.IdleInTransactionSessionTimeout
_UNUSABLE = (
    psycopg.errors.UndefinedTable
    | psycopg.errors.UndefinedFunction
    | psycopg.errors.InvalidSchemaName
    | psycopg.errors.ReadOnlySqlTransaction
    | _IDLE_TIMEOUT
)


def add_connect_timeout(url: str) -> str:
    return (
        url
        if "connect_timeout" in conninfo_to_dict(url)
        else make_conninfo(url, connect_timeout=CONNECT_TIMEOUT_SECONDS)
    )
