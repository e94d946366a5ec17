"""Whether an error says that a database cannot be used at the moment, as itself or wrapped by the library above it.

PostgreSQL's driver is half of what a command takes to start: it is loaded where an error has come, not before.
"""

from __future__ import annotations

import sqlite3
import sys


def is_of_storage(error: BaseException) -> bool:
    """A file that is damaged, full or locked; a server that is away. Not a row in the way, nor a wrong statement."""
    return any(_is_away(cause) for cause in (error, error.__cause__))


def told(error: BaseException) -> str:
    """Which database could not be used and what it said, on one line; "" where that is not the matter."""
    for cause in (error, error.__cause__):
        if isinstance(cause, sqlite3.DatabaseError):
            return f"the database in FAIRLOG_DATA cannot be used: {cause}"
        if _is_away(cause):
            said = " ".join(str(cause).split())
            return f"the database at DATABASE_URL cannot be used: {said}: start it, or mend DATABASE_URL"
    return ""


def unusable(error: BaseException) -> str:
    """The same for a file too; "" where nothing is amiss with a place: then the error is a bug."""
    if isinstance(error, OSError) and error.filename is not None:
        why = "it is no directory" if isinstance(error, FileExistsError) else error.strerror
        return f"cannot use {error.filename}: {why}"
    return told(error)


def _is_away(cause: BaseException | None) -> bool:
    # SQLite's own DatabaseError, and none of its kinds, is what a damaged file gives.
    if isinstance(cause, sqlite3.OperationalError) or type(cause) is sqlite3.DatabaseError:
        return True
    if "psycopg" not in sys.modules:  # then the error is none of its own
        return False
    from projections.connections import is_away

    return is_away(cause)
