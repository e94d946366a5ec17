"""The `fairlog` command. A subcommand's module is imported only when the subcommand is used."""

from __future__ import annotations

import io
import sys
from importlib import import_module
from importlib.metadata import entry_points
from keyword import iskeyword
from typing import Any

import click

from projections.stores.errors import unusable

ENTRY_POINT = ""
COMMANDS = {
    "demo": "service.cli.server",
    "serve": "service.cli.server",
    "sit": "service.cli.sit",
    "verify": "service.cli.verify",
    "tell": "service.cli.tell",
    "stats": ENTRY_POINT,
    "docs": "service.http.docs_command",
    "export": "service.cli.log_files",
    "import": "service.cli.log_files",
    "witness": "service.cli.witness",
    "keys": "service.cli.keys",
    "doctor": "service.cli.server",
    "jobs": "service.cli.jobs",
    "worker": ENTRY_POINT,
    "follow": ENTRY_POINT,
    "migrate": "service.cli.server",
    "copy": "service.cli.database",
    "rebuild": "service.cli.database",
    "redact": "service.cli.privacy",
    "delete": "service.cli.privacy",
    "backup": "service.cli.backup",
    "restore": "service.cli.backup",
}
"""The commands in the order in which the help lists them, each with its module.

The service may not import the workers, so their commands are entry points of the group
`fairlog.commands`.
"""
VERDICT_COMMANDS = ("verify", "tell", "stats", "sit")
"""Commands whose exit statuses 1 and 2 give a verdict on a log."""


class CommandGroup(click.Group):
    """A group that lists commands in the order of `COMMANDS`, and imports each one on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command
        if module := COMMANDS[name]:
            command = getattr(import_module(module), f"{name}_" if iskeyword(name) else name)
            return command
        for entry in entry_points(group="fairlog.commands", name=name):
            command = entry.load()
            return command
        raise click.ClickException(
            f"the command {name} is not installed: install Fairlog again (`make install`)"
        )

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; print a one-line error if a file or the database is unusable.

        All other exceptions are bugs and propagate.
        """
        try:
            return super().invoke(ctx)
        except Exception as error:
            if not (problem := unusable(error)):
                raise
            raise _failure(str(ctx.invoked_subcommand), problem) from None


def _failure(command: str, problem: str) -> click.ClickException:
    """Return an error with exit status 1, or 3 if `command` gives a verdict on a log."""
    if command not in VERDICT_COMMANDS:
        return click.ClickException(problem)
    from service.cli.verify import UnusableFileError

    return UnusableFileError(problem)


@click.group(
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="fairlog", message="fairlog %(version)s")
def cli() -> None:
    """Fairlog: the game log that a tabletop group can trust.

    Every roll, spend and tick of a session is an immutable event. Play over HTTP, rewind without
    losing a line, export the log and verify it without a server. Settings are environment
    variables: see docs/operating.md.

    Example: `fairlog demo` plays a session of every ruleset and verifies it.

    Next: `fairlog serve --demo` serves these sessions, and you can continue them.
    """


def main() -> None:
    """Run the `fairlog` command.

    The exit status is 0 on success, 1 on failure, and 2 on a usage error or invalid settings.
    Commands that give a verdict on a log have their own exit statuses.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # the encoding may lack our symbols
    cli.main(prog_name="fairlog")
