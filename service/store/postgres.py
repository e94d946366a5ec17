"""The event log in PostgreSQL: one writer at a time, one database call per turn.

The reasons for this design are in docs/decisions/0017.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import msgspec
import psycopg
from eventsourcing.persistence import (
    AggregateRecorder,
    InfrastructureFactory,
    IntegrityError,
    Notification,
    OperationalError,
    ProcessRecorder,
    StoredEvent,
    TrackingRecorder,
)
from psycopg.abc import PyFormat
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.generators import execute
from psycopg.pq import ExecStatus, Format
from psycopg.pq.abc import PGresult

from projections.stores import dialect
from projections.stores.postgres_pool import Connection, ConnectionPool, is_away
from service.store.group_commit import GroupCommit
from service.store.postgres_notify import CHANNEL, ChangeNotifications
from service.store.recorder import PositionedRow, Recorder, SideRow, SideRows, StoredRow, TurnRows
from service.store.schema import ANSWERS_INSERT, OUTDATED_SNAPSHOTS_DELETE, SNAPSHOTS_TABLE, TABLES

SUCCESS_STATUSES = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)
MAX_PREPARED_STATEMENTS = 100
"""The maximum number of prepared statements per connection."""
STATEMENT_NAME_CHARACTERS = 50
"""A statement's name contains this many characters of its text. Names have at most 63 bytes."""


def run_prepared(
    connection: Connection, statement: str, values: Sequence[Any]
) -> list[tuple[Any, ...]]:
    """Run a statement with the placeholders $1, $2, ... and return its rows.

    Each connection prepares the statement only once. Raises psycopg.Error.
    """
    adapt, server, binary = Transformer(connection), connection.pgconn, Format.BINARY
    sent = cast("Sequence[bytes]", adapt.dump_sequence(values, [PyFormat.AUTO] * len(values)))
    if statement not in connection.names and len(connection.names) < MAX_PREPARED_STATEMENTS:
        name = f"{next(connection.numbers)} {statement[:STATEMENT_NAME_CHARACTERS]}".encode()
        server.send_prepare(name, statement.encode(), adapt.types)
        _fetch_result(connection)
        connection.names[statement] = name
    if prepared := connection.names.get(statement):
        server.send_query_prepared(prepared, sent, adapt.formats, binary)
    else:
        server.send_query_params(statement.encode(), sent, adapt.types, adapt.formats, binary)
    result = _fetch_result(connection)
    adapt.set_pgresult(result)
    return adapt.load_rows(0, result.ntuples, tuple)


def _fetch_result(connection: Connection) -> PGresult:
    result: PGresult
    [result] = connection.wait(execute(connection.pgconn))
    if result.status not in SUCCESS_STATUSES:
        raise error_from_result(result)
    return result


T = TypeVar("T")

SCHEMA = "fairlog"
MAX_CONNECTIONS = 4
"""The maximum number of connections per process, not counting the connection for notifications."""
WRITE_LOCK = "LOCK TABLE one_writer IN EXCLUSIVE MODE"
"""The first statement of every write, so that positions increase in commit order.

A query in the same transaction then sees everything that earlier writers committed. The lock is on
a separate, empty table, so that VACUUM and backups of the other tables need not wait.
"""
WRITE_LOCK_TABLE = "CREATE TABLE IF NOT EXISTS one_writer ()"
APPEND_TURNS = "append_turns"
APPEND_TURNS_CALL = f"SELECT {APPEND_TURNS}(?::json, ?::json)"
"""Stores events and `answers` rows. Each argument is a JSON array, with bytes in base64.

The function uses the index to look up the version before each event. If it used NOT EXISTS,
PostgreSQL would read the whole table.
"""
APPEND_TURNS_FUNCTION = f"""CREATE OR REPLACE FUNCTION {APPEND_TURNS}(events json, answered json)
RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    {WRITE_LOCK};
    INSERT INTO stored_events (originator_id, originator_version, topic, state)
        SELECT row->>0, (row->>1)::bigint, row->>2, decode(row->>3, 'base64')
        FROM json_array_elements(events) AS row;
    IF EXISTS (SELECT FROM json_array_elements(events) AS row
        WHERE (row->>1)::bigint > 1 AND (SELECT originator_version FROM stored_events
            WHERE originator_id = row->>0
            AND originator_version = (row->>1)::bigint - 1) IS NULL) THEN
        RAISE integrity_constraint_violation USING MESSAGE = 'the session was deleted';
    END IF;
    INSERT INTO answers (session, seat, key, request, first, last)
        SELECT row->>0, row->>1, row->>2, decode(row->>3, 'base64'),
        (row->>4)::bigint, (row->>5)::bigint
        FROM json_array_elements(answered) AS row;
    NOTIFY {CHANNEL};
END $$"""  # noqa: S608 our own names


class _EventRowReader:
    """Reads a session's rows from either the events table or the snapshots table."""

    connections: ConnectionPool
    events_table_name: str

    def select_events(
        self,
        originator_id: Any,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[Any]:
        rows = _query(
            self.connections,
            f"SELECT originator_version, topic, state FROM {self.events_table_name}"  # noqa: S608 our own tables
            " WHERE originator_id=? AND originator_version>? AND originator_version<=?"
            f" ORDER BY originator_version {'DESC' if desc else 'ASC'} LIMIT ?",
            (originator_id, gt or 0, lte if lte is not None else 2**62, limit),
        )
        return [StoredRow(originator_id, version, topic, state) for version, topic, state in rows]


class PostgresSnapshots(_EventRowReader, AggregateRecorder):
    """Reads snapshots, which are written only together with events."""

    events_table_name = "stored_snapshots"

    def __init__(self, connections: ConnectionPool) -> None:
        self.connections = connections

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        raise NotImplementedError(
            "snapshots are written only with events (EventLog.append in service/store/event_log.py)"
        )


class PostgresRecorder(_EventRowReader, Recorder):
    """The event log's recorder for PostgreSQL.

    A write is retried if the connection is lost. If the first attempt succeeded after all, the
    retry fails, because the request's idempotency key is already in the table `answers`.
    """

    events_table_name = "stored_events"
    poll_seconds = 0.1  # longer than on SQLite, because PostgreSQL notifies readers of appends

    def __init__(self, connections: ConnectionPool) -> None:
        self.connections, self._notifications = connections, ChangeNotifications(connections)
        self._group_commit = GroupCommit(self._insert)

    def create_tables(self) -> None:
        with self.connections.lent() as connection:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}".encode())
            for statement in (
                WRITE_LOCK_TABLE,
                *TABLES,
                SNAPSHOTS_TABLE,
                OUTDATED_SNAPSHOTS_DELETE,
            ):
                connection.execute(dialect.to_postgres_columns(statement).encode())
            connection.execute(APPEND_TURNS_FUNCTION.encode())

    def insert_events(
        self, stored_events: Sequence[StoredEvent], side_rows: SideRows = (), **_: Any
    ) -> Sequence[int] | None:
        rows: Any = stored_events  # our mapper makes plain tuples
        self._group_commit.add(TurnRows(rows, side_rows))
        return None

    def _insert(self, turns: Sequence[TurnRows]) -> None:
        events = [row for turn in turns for row in turn.rows]
        side_rows = [each for turn in turns for each in turn.side_rows]
        answers = [
            row for statement, rows in side_rows if statement == ANSWERS_INSERT for row in rows
        ]
        others = [each for each in side_rows if each[0] != ANSWERS_INSERT]
        added = tuple(msgspec.json.encode(rows).decode() for rows in (events, answers))
        if others:
            self.write((APPEND_TURNS_CALL, [added]), *others)
        else:
            self._run(
                lambda connection: run_prepared(
                    connection, dialect.to_numbered_placeholders(APPEND_TURNS_CALL), added
                )
            )

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        first = (start or 0) - 1 if inclusive_of_start else (start or 0)
        rows = _query(
            self.connections,
            "SELECT position, originator_id, originator_version, topic, state FROM stored_events"
            " WHERE position>? ORDER BY position LIMIT ?",
            (first, limit),
        )
        return [PositionedRow(*row) for row in rows]  # type: ignore[misc]  # as a plain tuple

    def max_notification_id(self) -> int:
        return _query(self.connections, "SELECT MAX(position) FROM stored_events", ())[0][0] or 0

    def query(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return _query(self.connections, statement, values)

    def write(self, *side_rows: SideRow) -> int:
        """Write the side rows in one transaction, sent as a single message.

        The write lock is therefore never held during a network round trip.
        """
        single = [
            (dialect.to_psycopg_placeholders(statement), row)
            for statement, rows in side_rows
            for row in rows
        ]
        message = "; ".join([WRITE_LOCK, *(statement for statement, _ in single)])
        values = [value for _, row in single for value in row]
        return self._run(lambda connection: _execute_message(connection, message, values))

    def wait_for_change(self, seconds: float, least: float = 0.0) -> None:
        self._notifications.wait(seconds, least)

    def close(self) -> None:
        self._notifications.close()

    def _run(self, act: Callable[[Connection], T]) -> T:
        try:
            return self.connections.run(act)
        except psycopg.IntegrityError as error:
            raise IntegrityError(error) from error
        except psycopg.Error as error:
            if is_away(error):
                raise OperationalError(error) from error
            raise


def _execute_message(connection: Connection, message: str, values: Sequence[Any]) -> int:
    cursor = psycopg.ClientCursor(connection)
    cursor.execute(message.encode(), values)
    changed = max(0, cursor.rowcount)
    while cursor.nextset():
        changed += max(0, cursor.rowcount)
    return changed


def _query(connections: ConnectionPool, statement: str, values: Sequence[Any]) -> list[Any]:
    return connections.run(
        lambda connection: run_prepared(
            connection, dialect.to_numbered_placeholders(statement), values
        )
    )


class PostgresLogFactory(InfrastructureFactory[TrackingRecorder]):
    """Creates the event log's recorders.

    The eventsourcing library finds this class through the setting PERSISTENCE_MODULE. The class
    reads the settings DATABASE_URL and SYNCHRONOUS. It connects when the first query runs.
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        flushed = self.env.get("SYNCHRONOUS") != "NORMAL"
        self._connections = ConnectionPool(
            self.env.get("DATABASE_URL") or "", SCHEMA, MAX_CONNECTIONS, flushed=flushed
        )
        self._recorder = PostgresRecorder(self._connections)

    def application_recorder(self) -> PostgresRecorder:
        if self.env.get("CREATE_TABLE") == "y":
            self._recorder.create_tables()
        return self._recorder

    def aggregate_recorder(self, purpose: str = "events") -> PostgresSnapshots:
        return PostgresSnapshots(self._connections)

    def tracking_recorder(
        self, tracking_recorder_class: type[TrackingRecorder] | None = None
    ) -> TrackingRecorder:
        raise NotImplementedError("read models store their own positions (projections/runner.py)")

    def process_recorder(self) -> ProcessRecorder:
        raise NotImplementedError("read models store their own positions (projections/runner.py)")

    def close(self) -> None:
        self._recorder.close()
        self._connections.close()
