"""`fairlog jobs`: list background jobs, and retry or discard failed jobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from service.cli.context import app_of_environment
from service.jobs import inspection
from service.jobs.definitions import REMEDIES, Job, JobKind
from service.jobs.inspection import FailedJob
from service.jobs.queue import Queue, QueueUnavailableError, TooManyJobsError
from service.jobs.status import QUEUE_AWAY
from service.platform import clock
from service.platform.text import printable

MAX_WAITING_LISTED = 20
MINUTE, HOUR = 60, 3600


@click.command("jobs")
@click.option(
    "--retry",
    metavar="ID|all",
    help="Retry a failed job, or all failed jobs. Each gets up to four new attempts.",
)
@click.option("--discard", metavar="ID|all", help="Delete a failed job, or all failed jobs.")
def jobs(retry: str | None, discard: str | None) -> None:
    """List background jobs, and retry or discard failed ones.

    The list shows why each job failed and what to do. Each job is attempted up to four times. If
    every attempt fails, the job stays in the list for a day. The exit status is 1 if the queue does
    not respond.

    Example: `fairlog jobs`, and then `fairlog jobs --retry all`.
    """
    if retry and discard:
        raise click.UsageError("--retry and --discard cannot be combined: use only one of them")
    with app_of_environment() as app, _report_unavailable():
        if retry:
            chosen = _select_failed(app.queue, retry)
            inspection.retry(app.queue, chosen)
            click.echo(f"failed jobs scheduled for retry: {len(chosen)}")
        elif discard:
            chosen = _select_failed(app.queue, discard)
            inspection.discard(app.queue, chosen)
            click.echo(f"failed jobs discarded: {len(chosen)}")
        else:
            _print_jobs(app.queue)


@contextmanager
def _report_unavailable() -> Iterator[None]:
    """Print a one-line error and exit if the queue is unavailable or full."""
    try:
        yield
    except QueueUnavailableError as away:
        raise click.ClickException(f"{QUEUE_AWAY} ({away})") from None
    except TooManyJobsError:
        raise click.ClickException("too many jobs are waiting: try again later") from None


def _select_failed(queue: Queue, named: str) -> Sequence[Job]:
    found = [each.job for each in inspection.failed_jobs(queue) if named in ("all", each.job.name)]
    if not found and named != "all":
        raise click.ClickException(
            f"there is no failed job with the id {named}: list the failed jobs with `fairlog jobs`"
        )
    return found


def _print_jobs(queue: Queue) -> None:
    console, failed, waiting = (
        Console(highlight=False),
        inspection.failed_jobs(queue),
        inspection.waiting_jobs(queue),
    )
    running = inspection.running_jobs(queue)
    if failed or waiting or running:
        console.print(_create_table(_rows(queue, failed, running, waiting)))
    if len(waiting) > MAX_WAITING_LISTED:
        console.print(f"and {len(waiting) - MAX_WAITING_LISTED:,} more waiting jobs")
    console.print(f"{len(failed):,} failed, {len(running):,} running, {len(waiting):,} waiting")
    for kind in (kind for kind in JobKind if any(each.job.kind is kind for each in failed)):
        console.print(f"{kind}: {REMEDIES[kind]}")


def _rows(
    queue: Queue, failed: Sequence[FailedJob], running: Sequence[Job], waiting: Sequence[Job]
) -> Iterator[tuple[str, str, str]]:
    """Yield a table row for each job: its name, its state, and its error or progress."""
    for each in failed:
        yield (
            each.job.name,
            f"failed {_format_age(clock.now() - each.at)} ago",
            inspection.last_error(queue, each.job),
        )
    for job in running:
        state = inspection.job_state(queue, job)
        yield (
            job.name,
            "running",
            f"{state.progress.done} of {state.progress.total}" if state and state.progress else "",
        )
    for job in waiting[:MAX_WAITING_LISTED]:
        yield job.name, "waiting", ""


def _create_table(lines: Iterator[tuple[str, str, str]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("job", "state", "details"):
        table.add_column(heading, overflow="fold")
    for job, state, details in lines:
        table.add_row(
            Text(job),
            Text(state, "red" if state.startswith("failed") else ""),
            Text(printable(details)),
        )
    return table


def _format_age(seconds: float) -> str:
    if seconds < MINUTE:
        return f"{max(0, seconds):.0f} s"
    return f"{seconds / MINUTE:.0f} min" if seconds < HOUR else f"{seconds / HOUR:.0f} h"
