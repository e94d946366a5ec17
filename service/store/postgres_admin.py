"""Administration of the PostgreSQL database: inspection, retries and a migration lock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import NamedTuple

import psycopg

from projections.stores.errors import describe_failure
from projections.stores.postgres import SCHEMA as VIEWS, SELECT_TABLE_DEFINITIONS
from projections.stores.postgres_pool import ConnectionPool
from service.store.postgres import SCHEMA

RETRY_SECONDS = 0.5
MIGRATION_LOCK = "SELECT pg_advisory_lock(hashtext('fairlog migrate'))"
FUNCTION_NAMES_SELECT = b"SELECT proname FROM pg_proc WHERE pronamespace=to_regnamespace(%s)"
SERVER_SETTINGS_SELECT = (
    "SELECT name, setting FROM pg_settings"
    " WHERE name IN ('server_version', 'fsync', 'synchronous_commit')"
)


class DatabaseContents(NamedTuple):
    """The tables and settings of a database.

    `log` contains the names of the log's tables and functions. `views` maps the name of each read
    model table to its definition.
    """

    log: frozenset[str]
    views: Mapping[str, str]
    settings: Mapping[str, str]


def inspect_database(url: str) -> DatabaseContents:
    """Return the tables and settings of the database without changing them.

    Raises psycopg.Error if the database cannot be used.
    """
    with closing(ConnectionPool(url, SCHEMA, 1)) as connections, connections.lent() as connection:
        shapes = SELECT_TABLE_DEFINITIONS.replace("?", "%s").encode()
        log = {str(name) for name, _ in connection.execute(shapes, (SCHEMA,))}
        log |= {str(name) for (name,) in connection.execute(FUNCTION_NAMES_SELECT, (SCHEMA,))}
        views = {
            str(name): str(shape or "") for name, shape in connection.execute(shapes, (VIEWS,))
        }
        settings = {
            str(name): str(value) for name, value in connection.execute(SERVER_SETTINGS_SELECT)
        }
    return DatabaseContents(frozenset(log), views, settings)


def connection_error(url: str) -> str:
    """Return a one-line reason why the database cannot be used, or "" if it can."""
    try:
        inspect_database(url)
    except psycopg.Error as error:
        return " ".join(str(error).split())
    return ""


def run_when_available(action: Callable[[], None], report: Callable[[str], None]) -> None:
    """Run `action`, and retry it while the database server is unavailable.

    The server may be starting or recovering. `report` is called only for the first failure.
    """
    is_reported = False
    while True:
        try:
            return action()
        except Exception as error:
            if not (away := describe_failure(error)):
                raise
            if not is_reported:
                report(f"waiting for the database: {away}")
            is_reported = True
        time.sleep(RETRY_SECONDS)


@contextmanager
def migration_lock(url: str) -> Iterator[None]:
    """Hold the migration lock, so that only one migration runs at a time.

    Without it, two concurrent migrations could deadlock.
    """
    with (
        closing(ConnectionPool(url, SCHEMA, 1)) as connections,
        connections.connect() as connection,
    ):
        connection.execute(MIGRATION_LOCK)
        yield
