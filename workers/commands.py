"""The `fairlog` commands that need the workers: `stats`, `worker` and `follow`.

The service may not import the workers, so it finds these commands as entry points.
"""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from service.cli.context import report_errors, settings_of_environment
from service.cli.verify import FILE, StrictCommand, UnusableFileError
from workers.statistics import missing_library


@click.command("stats", cls=StrictCommand)
@click.argument("file", type=FILE)
@click.option(
    "--json", "as_json", is_flag=True, help="Print the whole report as JSON, as the API returns it."
)
@click.option(
    "--from", "first", type=click.IntRange(1), default=1, help="The first version that counts."
)
@click.option(
    "--to", "last", type=click.IntRange(1), help="The last version that counts; absent: the newest."
)
@click.option("--undone", is_flag=True, help="Also count undone branches.")
def stats(file: Path, as_json: bool, first: int, last: int | None, undone: bool) -> None:
    """Print the statistics of an exported session: faces, luck, points.

    The log is verified first, as `fairlog verify` does. Sealed events are not counted.
    docs/statistics.md explains each statistic.

    Exit status: 0 shown, 2 the log is invalid, 3 the file or the command cannot be used.

    Example: `fairlog stats friday.fairlog`, and then
    `fairlog stats friday.fairlog --from 120 --json`.
    """
    if lacking := missing_library():
        raise UnusableFileError(lacking)
    from workers.stats_command import show

    show(file, as_json, first, last, undone)


@click.command()
def worker() -> None:
    """Run the queue's jobs, such as statistics.

    `fairlog serve` starts one; more share the work. The queue is REDIS_URL, or that of `serve`
    on the same data.

    Example: `fairlog worker`, and then `fairlog doctor`.
    """
    _run("worker")


@click.command()
def follow() -> None:
    """Keep the read models up to date with the log.

    Lists, tables, timelines and tallies follow the log. `fairlog serve` starts one follower; it
    needs no queue.

    Example: `fairlog follow`, and then `fairlog doctor`.
    """
    _run("follow")


def _run(part: str) -> NoReturn:
    """Run a part until it is stopped. It waits for a log, so the directory is created for it."""
    with report_errors(OSError):
        settings_of_environment().data.mkdir(parents=True, exist_ok=True, mode=0o700)
    from workers.__main__ import main

    raise SystemExit(main([part]))
