"""Prepared statements sent by libpq without psycopg's cursor, which costs twice as much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from psycopg.abc import PyFormat
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.generators import execute
from psycopg.pq import ExecStatus, Format
from psycopg.pq.abc import PGresult

from projections.connections import Connection

GOOD = (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)
MOST = 100
"""Statements that a connection prepares."""
SHOWN = 50
"""Characters of a statement in the name that it is prepared under: the server knows 63 bytes of it.
"""


def rows(connection: Connection, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """What a statement with $1, $2… gives.

    It is prepared once for each connection. Raises psycopg.Error.
    """
    adapt, server, binary = Transformer(connection), connection.pgconn, Format.BINARY
    sent = cast(Sequence[bytes], adapt.dump_sequence(values, [PyFormat.AUTO] * len(values)))
    if statement not in connection.names and len(connection.names) < MOST:
        name = f"{next(connection.numbers)} {statement[:SHOWN]}".encode()
        server.send_prepare(name, statement.encode(), adapt.types)
        _answer(connection)
        connection.names[statement] = name
    if prepared := connection.names.get(statement):
        server.send_query_prepared(prepared, sent, adapt.formats, binary)
    else:
        server.send_query_params(statement.encode(), sent, adapt.types, adapt.formats, binary)
    result = _answer(connection)
    adapt.set_pgresult(result)
    return adapt.load_rows(0, result.ntuples, tuple)


def _answer(connection: Connection) -> PGresult:
    result: PGresult
    [result] = connection.wait(execute(connection.pgconn))
    if result.status not in GOOD:
        raise error_from_result(result)
    return result
