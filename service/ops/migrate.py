"""Migration: creates missing keys and tables."""

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
    """Create missing keys and tables, as `fairlog migrate` does.

    Several processes may call this at the same time. Set `new_keys` to True to create missing keys
    even if the log already contains events.

    Raises OSError if a key is unusable, or if keys are missing, `new_keys` is False and the log
    already contains events.
    """
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _lock(settings.data):
        make_tables(settings)
        if not new_keys:
            _expect_keys(settings)
        make_keys(settings.keys)
        read_keys(settings.keys)


def _expect_keys(settings: Settings) -> None:
    """Raise OSError if keys are missing but the log already contains events.

    Existing sessions cannot continue with new keys.
    """
    if missing := missing_keys(settings.keys):
        with closing(EventLog(settings)) as log:
            if log.end():
                raise OSError(errno.ENOENT, MISSING_KEY, str(missing[0]))


def make_tables(settings: Settings) -> None:
    """Create missing tables for the log and the read models.

    With SQLite, only one process at a time may call this.
    """
    if settings.is_on_postgres:
        from service.store.postgres_admin import migration_lock

        with migration_lock(settings.database):
            _create_tables(settings)
    else:
        for file in (settings.log_file, settings.views_file):
            _create_file(file)
        _create_tables(settings)


def wait_and_prepare(settings: Settings, say: Callable[[str], None]) -> None:
    """Wait until the database is reachable, then call `prepare`.

    A service manager may start Fairlog before the database.
    """
    if settings.is_on_postgres:
        from service.store.postgres_admin import run_when_available

        run_when_available(lambda: prepare(settings), say)
    else:
        prepare(settings)


def _create_tables(settings: Settings) -> None:
    EventLog(settings, create=True).close()
    ReadModels(settings.views_place, create=True).close()


def find_missing(settings: Settings) -> str:
    """Return the name of a missing key, file or table, or "" if nothing is missing.

    This function changes nothing.
    """
    for key in missing_keys(settings.keys):
        return key.name
    if settings.is_on_postgres:
        return find_missing_in_postgres(settings.database)
    if "stored_events" not in _existing_tables(settings.log_file):
        return settings.log_file.name
    existing = _existing_tables(settings.views_file)
    return next(
        (
            f"{name} in {settings.views_file.name}"
            for name in TABLES
            if existing.get(name) != TABLES[name]
        ),
        "",
    )


def find_missing_in_postgres(url: str) -> str:
    """Describe the first table or function that is missing, or return "" if nothing is missing.

    A read model's table counts as missing if its columns are not the expected ones. If the
    database is unreachable, the description says that the connection is missing.
    """
    from service.store.postgres import APPEND_TURNS
    from service.store.postgres_admin import connection_error, inspect_database

    if away := connection_error(url):
        return f"a connection to the database ({away})"
    found = inspect_database(url)
    if lost := [name for name in (*COLUMNS_BY_TABLE, APPEND_TURNS) if name not in found.log]:
        return f"{lost[0]} in the database"
    return next(
        (f"{name} in the database" for name in TABLES if found.views.get(name) != TABLES[name]), ""
    )


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Lock the folder against other processes while the `with` block runs.

    The operating system releases the lock if this process is killed.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _create_file(file: Path) -> None:
    """Create an empty SQLite database in WAL mode, unless the file exists.

    The database has a temporary name at first, because SQLite cannot change the journal mode while
    another process uses the database.
    """
    if file.exists():
        return
    fresh = file.with_name(f"{file.name}.fresh")
    fresh.unlink(missing_ok=True)  # a killed process may have left it
    with closing(sqlite3.connect(fresh)) as connection:
        fresh.chmod(0o600)  # SQLite creates the WAL file with the same mode
        connection.execute("PRAGMA journal_mode=WAL")
    fresh.rename(file)


def _existing_tables(file: Path) -> dict[str, str]:
    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            rows = connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE type='table'"
            ).fetchall()
    except sqlite3.Error:  # the file does not exist yet, or another process is creating it
        return {}
    return {name: sql.removeprefix(f"CREATE TABLE {name} ") for name, sql in rows}
