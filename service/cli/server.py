"""`fairlog demo`, `serve`, `migrate`, `doctor`: run, prepare and check a server."""

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
    help="Save the exported logs, with the GM's secrets, in this folder.",
)
def demo(keep: Path | None) -> None:
    """Play one session with each ruleset, and verify the logs.

    Starts a real server on a free port. Scripted seats play over HTTP; some of their commands are
    refused, and some rewind the session. Each log is exported and verified offline. Then the server
    is stopped and its data is deleted. The exit status is 0 if every session went as scripted and
    every log is valid.

    Example: `fairlog demo --keep logs`, and then `fairlog verify` with any log in that folder.
    """
    from service.cli.demo.run import EXPECTED_ERRORS, run_demo

    # SIGTERM raises SystemExit, so that the server is stopped and its data is deleted.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with report_errors(*EXPECTED_ERRORS):
        if not run_demo(keep):
            raise click.ClickException("at least one log is not valid: see the reports above")


@click.command()
@click.option(
    "--only",
    type=click.Choice(["web"]),
    help="Run only the web server, without the queue, the follower or the worker.",
)
@click.option(
    "--demo", is_flag=True, help="On the first start, play the demo sessions and leave them open."
)
def serve(only: Literal["web"] | None, demo: bool) -> None:
    """Serve sessions over HTTP.

    Runs the web server, a follower, a worker and a queue; Ctrl-C stops them all. The log, the read
    models and the keys are stored in FAIRLOG_DATA (default: ./fairlog-data). The directory is
    created on first start. The API is documented at /docs.

    Example: `FAIRLOG_DATA=/srv/fairlog FAIRLOG_PORT=8000 fairlog serve`, and then `fairlog doctor`
    in another terminal.
    """
    if only and demo:
        raise click.UsageError("--demo and --only cannot be combined: the demo needs all processes")
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
    help="Create new keys if the log's keys are lost. Existing sessions become read-only.",
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

    Prints the configuration. Also shows which parts respond, how many events each read model is
    behind the log, and how many sessions have outdated statistics. Each line that reports a problem
    says what to do. Changes nothing. The exit status is 1 if there is a problem. With an argument,
    checks only the workers on this machine or only the follower, for example as a container's
    health check.

    Example: `FAIRLOG_DATA=/srv/fairlog fairlog doctor`, and then follow the advice in the last
    column.
    """
    from rich.console import Console

    from service.ops.health import check, findings_table

    settings = settings_of_environment()
    findings = list(check(settings, part))
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # files and pipes have no width
    console.print(findings_table(findings))
    if any(finding.todo for finding in findings):
        raise click.exceptions.Exit(1)
