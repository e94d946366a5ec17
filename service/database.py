"""What `fairlog doctor` finds of a PostgreSQL server: whether it answers, has our tables, and keeps what it is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from service.bootstrap import missing_there
from service.settings import Settings

LOSING = {"fsync": "off", "synchronous_commit": "off"}
"""Settings of a server with which an event that was shown may be lost when the power goes."""


class Finding(NamedTuple):
    """One part: what it is, what was found, and what to do where `todo` is not empty."""

    part: str
    found: str
    todo: str = ""


def findings(settings: Settings) -> Iterator[Finding]:
    from service.storage.server import (
        look,
        unusable,
    )  # with PostgreSQL's driver, which takes long to load

    if away := unusable(settings.database):
        yield Finding("database", away, "start it, or mend DATABASE_URL")
        return
    found = look(settings.database).settings
    losing = [name for name, value in LOSING.items() if found[name] == value]
    version = f"PostgreSQL {found['server_version']}"
    if losing:
        todo = "turn it on: events that were shown can be lost when the power goes"
        yield Finding("database", f"{version}, {' and '.join(losing)} off", todo)
    else:
        yield Finding("database", f"{version} answers")
    if lacks := missing_there(settings.database):
        yield Finding("tables", f"missing: {lacks}", "make them with `fairlog migrate`")
