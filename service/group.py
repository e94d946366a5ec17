"""Group of the `fairlog` commands: their order, their lazy loading, one line for an unusable file."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

import click

from service.storage.failing import unusable

ORDER = (
    "demo",
    "serve",
    "sit",
    "verify",
    "tell",
    "stats",
    "docs",
    "export",
    "import",
    "witness",
    "keys",
    "doctor",
    "jobs",
    "worker",
    "follow",
    "migrate",
    "copy",
    "rebuild",
    "redact",
    "delete",
    "backup",
    "restore",
)
ELSEWHERE = {
    "sit": "service.sitting",
    "verify": "service.verifier",
    "tell": "service.teller",
    "docs": "service.docs",
    "witness": "service.witness",
    "jobs": "service.tending",
    "keys": "service.keyring",
    "redact": "service.erasing",
    "delete": "service.erasing",
    "backup": "service.keeping",
    "restore": "service.keeping",
    "copy": "service.copying",
}
"""Command -> the module that defines it."""
ENTRY_POINTS = ("stats", "worker", "follow")
"""Commands of packages that the service may not import: entry points of the group fairlog.commands."""
JUDGING = ("verify", "tell", "stats", "sit")
"""Commands whose exit statuses 1 and 2 are a verdict on a log."""


class Commands(click.Group):
    """The commands in the order of their first use, loaded when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(ORDER)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        command: click.Command | None
        if name in ELSEWHERE:
            command = getattr(import_module(ELSEWHERE[name]), name)
        elif name in ENTRY_POINTS:
            command = _load_entry_point(name)
        else:
            command = super().get_command(ctx, name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. An unusable file or database is one line; other errors are bugs."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if not (place := unusable(error)):
                raise
            raise _failure(str(ctx.invoked_subcommand), place) from None


def _load_entry_point(name: str) -> click.Command:
    for entry in entry_points(group="fairlog.commands", name=name):
        command: click.Command = entry.load()
        return command
    raise click.ClickException(
        f"the command {name} is not installed: install Fairlog again (`make install`)"
    )


def _failure(command: str, place: str) -> click.ClickException:
    """Return the error with exit status 1, or the status of the commands that judge a log."""
    if command not in JUDGING:
        return click.ClickException(place)
    from service.verifier import Unusable

    return Unusable(place)
