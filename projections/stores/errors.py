"""Detection of storage errors, which mean that a database cannot be used.

Loading the PostgreSQL driver takes half of a command's start-up time. This module therefore uses
the driver only if another module has already loaded it.
"""

from __future__ import annotations

import sqlite3
import sys


def is_of_storage(error: BaseException) -> bool:
    """Return True if the error means that the database is damaged, full, locked or unreachable.

    Conflicts, such as a violated constraint, are not storage errors.
    """
    return any(_is_away(cause) for cause in (error, error.__cause__))


def describe_failure(error: BaseException) -> str:
    """Explain in one line why a database cannot be used.

    Return "" if the error has another cause.
    """
    for cause in (error, error.__cause__):
        if isinstance(cause, sqlite3.DatabaseError):
            return f"cannot use the database in FAIRLOG_DATA: {cause}"
        if _is_away(cause):
            text = " ".join(str(cause).split())
            return (
                f"cannot use the database at DATABASE_URL: {text}. "
                "Start the database or correct DATABASE_URL."
            )
    return ""


def unusable(error: BaseException) -> str:
    """Explain in one line why a database or file cannot be used.

    Return "" if the error has another cause, such as a bug.
    """
    if isinstance(error, OSError) and error.filename is not None:
        why = "it is not a directory" if isinstance(error, FileExistsError) else error.strerror
        return f"cannot use {error.filename}: {why}"
    return describe_failure(error)


def _is_away(cause: BaseException | None) -> bool:
    # For a damaged file, SQLite raises DatabaseError itself rather than one of its subclasses.
    if isinstance(cause, sqlite3.OperationalError) or type(cause) is sqlite3.DatabaseError:
        return True
    if "psycopg" not in sys.modules:  # the driver is not loaded, so it raised no error
        return False
    from projections.stores.postgres_pool import is_away

    return is_away(cause)
