"""Migration: keys and tables, created where they are missing."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from projections.registry import TABLES, ReadModels
from service.platform.keys import MISSING_KEY, make_keys, missing_keys, read_keys
from service.platform.settings import Settings
from service.store.event_log import EventLog
from service.store.schema import COLUMNS_BY_TABLE


def prepare(settings: Settings, *, new_keys: bool = False) -> None:
    """Keys and schema, made where they are missing: what `fairlog migrate` does. Any number of processes may do so.

    `new_keys`: made also where a log is there. Raises OSError where a key cannot be used, or is missing to a log.
    """
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _alone(settings.data):
        make_tables(settings)
        if not new_keys:
            _expect_keys(settings)
        make_keys(settings.keys)
        read_keys(settings.keys)


def _expect_keys(settings: Settings) -> None:
    """Where a log is there, so are its keys: others would be in its name what they are not."""
    if missing := missing_keys(settings.keys):
        with closing(EventLog(settings)) as log:
            if log.end():
                raise OSError(errno.ENOENT, MISSING_KEY, str(missing[0]))


def make_tables(settings: Settings) -> None:
    """Of the log and the views, where they are missing. In a data directory it must be alone."""
    if settings.is_on_postgres:
        from service.store.postgres_admin import migration_lock

        with migration_lock(settings.database):
            _make(settings)
    else:
        for file in (settings.log_file, settings.views_file):
            _make_file(file)
        _make(settings)


def wait_and_prepare(settings: Settings, say: Callable[[str], None]) -> None:
    """As `prepare`, as soon as a database server that is away answers: for what a service manager starts beside it."""
    if settings.is_on_postgres:
        from service.store.postgres_admin import run_when_available

        run_when_available(lambda: prepare(settings), say)
    else:
        prepare(settings)


def _make(settings: Settings) -> None:
    """The tables."""
    EventLog(settings, create=True).close()
    ReadModels(settings.views_place, create=True).close()


def find_missing(settings: Settings) -> str:
    """What `prepare` has still to make, by name; "" where it is all there. Changes nothing."""
    for key in missing_keys(settings.keys):
        return key.name
    if settings.is_on_postgres:
        return find_missing_in_postgres(settings.database)
    if "stored_events" not in _made(settings.log_file):
        return settings.log_file.name
    made = _made(settings.views_file)
    return next(
        (
            f"{name} in {settings.views_file.name}"
            for name in TABLES
            if made.get(name) != TABLES[name]
        ),
        "",
    )


def find_missing_in_postgres(url: str) -> str:
    """The same of a PostgreSQL database alone, which may be away."""
    from service.store.postgres import APPEND_TURNS
    from service.store.postgres_admin import connection_error, inspect_database

    if away := connection_error(url):
        return f"an answer of the database: {away}"
    found = inspect_database(url)
    if lost := [name for name in (*COLUMNS_BY_TABLE, APPEND_TURNS) if name not in found.log]:
        return f"{lost[0]} in the database"
    return next(
        (f"{name} in the database" for name in TABLES if found.views.get(name) != TABLES[name]), ""
    )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No other process is in here meanwhile; what the system locks is free again however a process ends."""
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _make_file(file: Path) -> None:
    """An empty database in WAL mode, whole before anybody sees it: SQLite changes no mode while somebody looks."""
    if file.exists():
        return
    fresh = file.with_name(f"{file.name}.fresh")
    fresh.unlink(missing_ok=True)  # of one who was killed over it
    with closing(sqlite3.connect(fresh)) as connection:
        fresh.chmod(0o600)  # its WAL takes that over
        connection.execute("PRAGMA journal_mode=WAL")
    fresh.rename(file)


def _made(file: Path) -> dict[str, str]:
    """The tables of a database by name, each with its columns."""
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            rows = connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE type='table'"
            ).fetchall()
    except sqlite3.Error:  # no file yet, or one that is just being made
        return {}
    return {name: sql.removeprefix(f"CREATE TABLE {name} ") for name, sql in rows}
