"""The `fairlog` command's group: the order of its subcommands, those of other files, one line for a bad place."""

from __future__ import annotations

from importlib import import_module
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
    "stats": "service.counting",
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
"""Commands that stand in files of their own."""
JUDGING = ("verify", "tell", "stats", "sit")
"""Commands whose statuses 1 and 2 speak of a log."""


class Commands(click.Group):
    """In the order of a first evening; those of other files are loaded by name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(ORDER)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in ELSEWHERE:
            return super().get_command(ctx, name)
        command: click.Command = getattr(import_module(ELSEWHERE[name]), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:  # as click has it
        """A place that cannot be read or written is one line; everything else is a bug and keeps its traceback."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if not (place := unusable(error)):
                raise
            raise _failure(str(ctx.invoked_subcommand), place) from None


def _failure(command: str, place: str) -> click.ClickException:
    """Status 1, but that of the commands that judge."""
    if command not in JUDGING:
        return click.ClickException(place)
    from service.verifier import Unusable

    return Unusable(place)
