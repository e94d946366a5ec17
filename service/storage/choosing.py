"""Which storage the settings name."""

from __future__ import annotations

from service.settings import Settings


def storage_of(settings: Settings) -> dict[str, str]:
    """What the library chooses the storage by, and what that reads."""
    if settings.is_on_postgres:
        return {
            "PERSISTENCE_MODULE": "service.storage.postgres:Factory",
            "DATABASE_URL": settings.database,
            "SYNCHRONOUS": settings.synchronous,
        }
    return {
        "PERSISTENCE_MODULE": "service.storage.sqlite:Factory",
        "SQLITE_DBNAME": str(settings.log_file),
        "SQLITE_SYNCHRONOUS": settings.synchronous,
        "ORIGINATOR_ID_TYPE": "text",
    }
