"""Where a test keeps its rows: every database that the contracts are held on, each time an empty one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from projections.registry import StoreAddress
from tests.support.databases.finding import LEGS
from tests.support.databases.server import shared
from tests.support.scale import LONG

SQLITE = "sqlite"
DATABASES = (SQLITE, *LEGS)
AT_LENGTH = DATABASES if LONG else (SQLITE,)
"""For what takes longer than the gate may: there it is held on SQLite alone."""


@contextmanager
def place(database: str) -> Iterator[StoreAddress]:
    """An empty place for views: a file that is not there yet, or the address of a PostgreSQL database."""
    if database == SQLITE:
        with TemporaryDirectory() as folder:
            yield Path(folder, "views.db")
    else:
        with shared(database).database() as url:
            yield url


@contextmanager
def address(database: str) -> Iterator[str]:
    """What DATABASE_URL is set to."""
    if database == SQLITE:
        yield SQLITE
    else:
        with shared(database).database() as url:
            yield url
