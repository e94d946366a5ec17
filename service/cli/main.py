"""The `fairlog` command, which imports each subcommand's module on first use."""

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
    "relay": "service.cli.relay",
    "ruleset": ENTRY_POINT,
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
"""The commands and their modules, in the order of the help text.

`service` may not import `workers` or `fairlog`, so their commands are entry points in the group
`fairlog.commands`.
"""
OWN_PACKAGES = ("domain", "fairlog", "projections", "service", "workers")
VERDICT_COMMANDS = ("verify", "tell", "stats", "sit")
"""Commands whose exit statuses 1 and 2 are verdicts on a log. Their errors exit with status 3."""


class CommandGroup(click.Group):
    """Command group that imports each command in `COMMANDS` on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command
        try:
            if module := COMMANDS[name]:
                command = getattr(import_module(module), f"{name}_" if iskeyword(name) else name)
                return command
            for entry in entry_points(group="fairlog.commands", name=name):
                command = entry.load()
                return command
        except ModuleNotFoundError as missing:
            return _not_installed(name, _missing_extra(name, missing))
        raise click.ClickException(
            f"the command {name} is not installed: reinstall Fairlog with `make install`"
        )

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command.

        If a file, the database or an extra is missing or unusable, print a one-line error. Any
        other exception is a bug and propagates.
        """
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as missing:
            raise _missing_extra(str(ctx.invoked_subcommand), missing) from None
        except Exception as error:
            if not (problem := unusable(error)):
                raise
            raise _failure(str(ctx.invoked_subcommand), problem) from None


def _missing_extra(command: str, missing: ModuleNotFoundError) -> click.ClickException:
    """Return the error for a package that is not installed.

    Raises `missing` itself if the package is Fairlog's own.
    """
    if (missing.name or "").split(".")[0] in OWN_PACKAGES:
        raise missing
    return _failure(
        command,
        f"the command {command} needs the package {missing.name}, which is not installed:"
        " run `pip install 'fairlog[server]'`, and with PostgreSQL"
        " `pip install 'fairlog[server,postgres]'`",
    )


def _not_installed(name: str, error: click.ClickException) -> click.Command:
    """Return a command that raises the error, whatever its arguments are."""

    def fail(words: tuple[str, ...]) -> None:
        raise error

    return click.Command(
        name,
        callback=fail,
        params=[click.Argument(["words"], nargs=-1, type=click.UNPROCESSED)],
        context_settings={"ignore_unknown_options": True},
        add_help_option=False,
        short_help="(needs `pip install 'fairlog[server]'`)",
    )


def _failure(command: str, problem: str) -> click.ClickException:
    """Return a one-line error for `problem`.

    The error's exit status is 3 if `command` gives a verdict on a log, otherwise 1.
    """
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

    Every roll and every change in a session is stored as an immutable event. Play over HTTP, rewind
    without losing an event, export the log and verify it without a server. Settings are environment
    variables, described in docs/operating.md.

    Example: `fairlog demo` plays one session with each ruleset and verifies the logs.

    Next: `fairlog serve --demo` starts a server with these sessions, which you can continue.
    """


def main() -> None:
    """Run the `fairlog` command.

    The exit status is 0 on success, 1 on failure, and 2 on a usage error or invalid settings.
    Commands that give a verdict on a log have their own exit statuses.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # the terminal's encoding may lack some symbols
    cli.main(prog_name="fairlog")
