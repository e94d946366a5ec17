"""Statements given straight to libpq, with values as psycopg adapts them: its cursors cost us three times as much.

The interpreter's lock is free while the server works.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import psycopg
from psycopg.abc import PyFormat
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus, Format
from psycopg.pq.abc import PGresult

from projections.connections import Connection

GOOD = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)
MOST = 100
"""Statements that a connection prepares."""
SHOWN = 50
"""Characters of a statement in the name that it is prepared under: the server knows 63 bytes of it."""


def rows(connection: Connection, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """What a statement with $1, $2… gives. It is prepared once for each connection. Raises psycopg.Error."""
    adapt, server = Transformer(connection), connection.pgconn
    sent = cast(Sequence[bytes], adapt.dump_sequence(values, [PyFormat.AUTO] * len(values)))
    if statement not in connection.names and len(connection.names) < MOST:
        name = f"{len(connection.names)} {statement[:SHOWN]}".encode()
        _check(connection, server.prepare(name, statement.encode(), adapt.types))
        connection.names[statement] = name
    if prepared := connection.names.get(statement):
        result = server.exec_prepared(prepared, sent, adapt.formats, Format.BINARY)
    else:
        result = server.exec_params(statement.encode(), sent, adapt.types, adapt.formats, Format.BINARY)
    _check(connection, result)
    adapt.set_pgresult(result)
    return adapt.load_rows(0, result.ntuples, tuple)


def _check(connection: Connection, result: PGresult) -> None:
    if result.status in GOOD:
        return
    if connection.pgconn.status == ConnStatus.BAD:
        raise psycopg.OperationalError(result.get_error_message())
    raise error_from_result(result)
