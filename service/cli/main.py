"""The `fairlog` command: each subcommand is thin, and loads what it needs when it is asked for."""

from __future__ import annotations

import io
import signal
import sys
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, BinaryIO, Literal

import click

from projections.stores.errors import unusable
from service.cli.context import app_of_environment, report_errors, settings_of_environment
from service.platform.text import format_count

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
    "sit": "service.cli.sit",
    "verify": "service.cli.verify",
    "tell": "service.cli.tell",
    "docs": "service.http.docs_command",
    "witness": "service.cli.witness",
    "jobs": "service.cli.jobs",
    "keys": "service.cli.keys",
    "redact": "service.cli.privacy",
    "delete": "service.cli.privacy",
    "backup": "service.cli.backup",
    "restore": "service.cli.backup",
    "copy": "service.cli.database",
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
    from service.cli.verify import UnusableFileError

    return UnusableFileError(place)


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="fairlog", message="fairlog %(version)s")
def cli() -> None:
    """Fairlog: the game log that a tabletop group can trust.

    Every roll, spend and tick of an evening is an immutable event. Play over HTTP, rewind without losing a line, take
    the log home, check it with no server. Settings come from the environment: docs/operating.md.

    \b
    Example:  fairlog demo            an evening is played and verified, in seconds
    Next:     fairlog serve --demo    serves, with that evening open to play on
    """


@cli.command()
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Save the exported logs in this folder.",
)
def demo(keep: Path | None) -> None:
    """Play an evening of every game, and verify it.

    Starts a real server on a free port. The seats of each evening play over HTTP, are refused and rewind; the log is
    exported and checked offline; all is stopped and removed. Exit status 0: all went as scripted, every log is valid.

    Example: `fairlog demo --keep logs`, and then `fairlog verify` with any log in it.
    """
    from service.cli.demo.run import EXPECTED_ERRORS, run_demo

    # An exception, so that everything is stopped and removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with report_errors(*EXPECTED_ERRORS):
        if not run_demo(keep):
            raise click.ClickException("a log is not valid: its report is above")


@cli.command()
@click.option(
    "--only",
    type=click.Choice(["web"]),
    help="The web server alone, where others run queue and workers.",
)
@click.option(
    "--demo", is_flag=True, help="With a played evening in it, left open for its next turn."
)
def serve(only: Literal["web"] | None, demo: bool) -> None:
    """Serve sessions over HTTP.

    Runs the web server, a follower, a worker and a queue, all stopped together by Ctrl-C. The log, the views and the
    keys are in FAIRLOG_DATA (./fairlog-data), made on first use. The page of the API is at /docs.

    Example: `FAIRLOG_DATA=/srv/fairlog FAIRLOG_PORT=8000 fairlog serve`, and then `fairlog doctor`.
    """
    if only and demo:
        raise click.UsageError("--demo needs everything, --only web is a part")
    from service.cli.demo.run import EXPECTED_ERRORS
    from service.cli.demo.serve import serve_demo
    from service.ops.migrate import wait_and_prepare
    from service.ops.supervisor import Supervisor

    with report_errors(*EXPECTED_ERRORS):
        if demo:
            serve_demo(settings_of_environment())
        else:
            ready = partial(wait_and_prepare, say=click.echo)
            Supervisor(settings_of_environment(), prepare=ready, say=click.echo, only=only).run()


@cli.command("export")
@click.argument("session")
@click.option(
    "-o",
    "--output",
    default="-",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="The file to write; absent: standard output.",
)
def export_(session: str, output: str) -> None:
    """Write a session's log as a .fairlog file.

    Every event with its opening, and a signed checkpoint: anyone can verify it offline.

    \b
    Example:  fairlog export 7c0f1d5a3b9e4c6f8a2b4d6e8f0a1c3e -o friday.fairlog
    Next:     fairlog verify friday.fairlog
    """
    from service.sessions.log_files import LogExportError, export_log

    with app_of_environment() as app, report_errors(LogExportError):
        lines = export_log(app, session)
        try:
            with click.open_file(output, "wb", atomic=output != "-") as file:
                file.writelines(lines)
        except OSError as error:  # it names the file that would have been put into its place
            raise click.ClickException(f"cannot write {output}: {error.strerror}") from None


@cli.command("import")
@click.argument("file", type=click.File("rb"))
def import_(file: BinaryIO) -> None:
    """Check and store a .fairlog file.

    Nothing is stored unless every rung of `fairlog verify` holds. The session can be read and exported again, byte for
    byte; it cannot be played on, for its chains and keys are elsewhere.

    Example: `fairlog import friday.fairlog`, and then `fairlog export SESSION`.
    """
    from service.cli.verify import ProgressBar, read_lines
    from service.sessions.log_files import LogImportError, import_log

    with app_of_environment() as app, report_errors(LogImportError), ProgressBar() as bar:
        report = import_log(app, read_lines(file), bar)
    events, turns = (
        format_count(report.counts.events, "event"),
        format_count(report.counts.turns, "turn"),
    )
    click.echo(f"imported {report.session}: {events}, {turns}, all verified")


@cli.command()
@click.argument("part", type=click.Choice(["worker", "follower"]), required=False)
def doctor(part: Literal["worker", "follower"] | None) -> None:
    """Say what runs, and how far behind it is.

    What is configured, what answers, how far the views and the statistics are behind the log; each line that is not
    well says what to do. Changes nothing. Exit status 1 where something is to be done. With a part it looks at that
    alone, as a health check: at the workers of this machine, or at the follower.

    Example: `FAIRLOG_DATA=/srv/fairlog fairlog doctor`, and then what its last column says.
    """
    from rich.console import Console

    from service.ops.health import check, findings_table

    settings = settings_of_environment()
    findings = list(check(settings, part))
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # of a file, or of what reads it
    console.print(findings_table(findings))
    if any(finding.todo for finding in findings):
        raise click.exceptions.Exit(1)


@cli.command()
@click.option(
    "--new-keys",
    is_flag=True,
    help="Also where a log is there whose keys are lost: it can be read alone.",
)
def migrate(new_keys: bool) -> None:
    """Make the data directory, keys and tables.

    Only what is missing is made. `fairlog serve` does the same by itself.

    Example: `FAIRLOG_DATA=/srv/fairlog fairlog migrate`, and then `fairlog serve`.
    """
    from service.ops.migrate import prepare

    settings = settings_of_environment()
    prepare(settings, new_keys=new_keys)
    click.echo(
        f"{settings.data} is ready" + (", and the database" if settings.is_on_postgres else "")
    )


@cli.command()
@click.argument("names", metavar="[VIEW]...", nargs=-1)
def rebuild(names: tuple[str, ...]) -> None:
    """Compute views again from the log.

    All of them where none is named. Readers see the old one until the new one is whole.

    Example: `fairlog rebuild timeline`, and then `fairlog doctor`.
    """
    from service.cli.database import rebuild as rebuild_views

    with app_of_environment() as app:
        known = [view.name for view in app.read_models.followed]
        if unknown := sorted(set(names) - set(known)):
            raise click.UsageError(f"no view {', '.join(unknown)}; there are {', '.join(known)}")
        for name, applied in rebuild_views(app, names or known):
            click.echo(f"{name}: {format_count(applied, 'event')} applied")


def main() -> None:
    """Run the command. Exit status 0: done, 1: failed, 2: wrong usage or settings.

    The commands that judge a log have statuses of their own.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # the encoding may lack what we draw with
    cli.main(prog_name="fairlog")
