"""The PostgreSQL server of a deployment: its tables, its settings, one migration at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import NamedTuple

import psycopg

from projections.stores.errors import describe_failure
from projections.stores.postgres import SCHEMA as VIEWS
from projections.stores.postgres import SELECT_TABLE_DEFINITIONS
from projections.stores.postgres_pool import ConnectionPool
from service.store.postgres import SCHEMA

AGAIN = 0.5  # seconds before a server that is away is asked again
MIGRATING = "SELECT pg_advisory_lock(hashtext('fairlog migrate'))"
FUNCTIONS = b"SELECT proname FROM pg_proc WHERE pronamespace=to_regnamespace(%s)"
SETTINGS = "SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'fsync', 'synchronous_commit')"


class Found(NamedTuple):
    """The log's tables and functions, the read models' columns, and the server's settings."""

    log: frozenset[str]
    views: Mapping[str, str]
    settings: Mapping[str, str]


def look(url: str) -> Found:
    """Changes nothing. Raises psycopg.Error where the server cannot be asked."""
    with closing(ConnectionPool(url, SCHEMA, 1)) as connections, connections.lent() as connection:
        shapes = SELECT_TABLE_DEFINITIONS.replace("?", "%s").encode()
        log = {str(name) for name, _ in connection.execute(shapes, (SCHEMA,))}
        log |= {str(name) for (name,) in connection.execute(FUNCTIONS, (SCHEMA,))}
        views = {
            str(name): str(shape or "") for name, shape in connection.execute(shapes, (VIEWS,))
        }
        settings = {str(name): str(value) for name, value in connection.execute(SETTINGS)}
    return Found(frozenset(log), views, settings)


def unusable(url: str) -> str:
    """Why the server cannot be asked, on one line; "" where it can."""
    try:
        look(url)
    except psycopg.Error as error:
        return " ".join(str(error).split())
    return ""


def when_there(act: Callable[[], None], say: Callable[[str], None]) -> None:
    """Run `act`, and again while the server is away: it may start or recover meanwhile."""
    is_said = False
    while True:
        try:
            return act()
        except Exception as error:
            if not (away := describe_failure(error)):
                raise
            if not is_said:
                say(f"waits: {away}")
            is_said = True
        time.sleep(AGAIN)


@contextmanager
def alone(url: str) -> Iterator[None]:
    """While no other process makes tables there: two that start at once wait for each other."""
    with (
        closing(ConnectionPool(url, SCHEMA, 1)) as connections,
        connections.connect() as connection,
    ):
        connection.execute(MIGRATING)
        yield
