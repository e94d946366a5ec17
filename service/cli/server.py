"""`fairlog demo`, `serve`, `migrate` and `doctor`: run a server and check that it works."""

from __future__ import annotations

import signal
import sys
from functools import partial
from pathlib import Path
from typing import Literal

import click

from service.cli.context import report_errors, settings_of_environment


@click.command()
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Save the exported logs in this folder.",
)
def demo(keep: Path | None) -> None:
    """Play a session of every ruleset, and verify it.

    Starts a real server on a free port. The seats of each session play over HTTP, are refused and
    rewind; the log is exported and verified offline. Then the server is stopped and its data
    deleted. Exit status 0: all sessions went as scripted, and every log is valid.

    Example: `fairlog demo --keep logs`, and then `fairlog verify` with any log in it.
    """
    from service.cli.demo.run import EXPECTED_ERRORS, run_demo

    # SIGTERM raises, so that the server is stopped and the data deleted.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with report_errors(*EXPECTED_ERRORS):
        if not run_demo(keep):
            raise click.ClickException("a log is not valid: see its report above")


@click.command()
@click.option(
    "--only",
    type=click.Choice(["web"]),
    help="Run the web server alone; queue and workers run elsewhere.",
)
@click.option(
    "--demo", is_flag=True, help="Play the demo's sessions at the first start; they stay open."
)
def serve(only: Literal["web"] | None, demo: bool) -> None:
    """Serve sessions over HTTP.

    Runs the web server, a follower, a worker and a queue; Ctrl-C stops them all. The log, the read
    models and the keys are in FAIRLOG_DATA (./fairlog-data), created at the first start. The API
    is documented at /docs.

    Example: `FAIRLOG_DATA=/srv/fairlog FAIRLOG_PORT=8000 fairlog serve`, and then `fairlog doctor`.
    """
    if only and demo:
        raise click.UsageError("--demo and --only exclude each other: the demo needs every process")
    from service.cli.demo.run import EXPECTED_ERRORS
    from service.cli.demo.serve import serve_demo
    from service.ops.migrate import wait_and_prepare
    from service.ops.supervisor import Supervisor

    with report_errors(*EXPECTED_ERRORS):
        settings = settings_of_environment()
        if demo:
            serve_demo(settings)
        else:
            prepare = partial(wait_and_prepare, say=click.echo)
            Supervisor(settings, prepare=prepare, say=click.echo, only=only).run()


@click.command()
@click.option(
    "--new-keys",
    is_flag=True,
    help="Create keys even if the log's own keys are lost; that log can then only be read.",
)
def migrate(new_keys: bool) -> None:
    """Create the data directory, keys and tables.

    Creates only what is missing. `fairlog serve` does the same when it starts.

    Example: `FAIRLOG_DATA=/srv/fairlog fairlog migrate`, and then `fairlog serve`.
    """
    from service.ops.migrate import prepare

    settings = settings_of_environment()
    prepare(settings, new_keys=new_keys)
    database = " and the database are" if settings.is_on_postgres else " is"
    click.echo(f"{settings.data}{database} ready")


@click.command()
@click.argument("part", type=click.Choice(["worker", "follower"]), required=False)
def doctor(part: Literal["worker", "follower"] | None) -> None:
    """Check that every part of the server works.

    Prints the configuration, what answers, and how many events the read models and the statistics
    are behind the log. Each line with a problem says what to do. Changes nothing. Exit status 1 if
    there is something to do. With a part it checks only that, as a health check: the workers of
    this machine, or the follower.

    Example: `FAIRLOG_DATA=/srv/fairlog fairlog doctor`, and then what its last column says.
    """
    from rich.console import Console

    from service.ops.health import check, findings_table

    settings = settings_of_environment()
    findings = list(check(settings, part))
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # a file or a pipe has no width of its own
    console.print(findings_table(findings))
    if any(finding.todo for finding in findings):
        raise click.exceptions.Exit(1)
