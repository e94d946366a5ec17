"""The `fairlog` commands that need the workers package: `stats`, `worker` and `follow`.

The service package must not import the workers package, so it loads these commands through entry
points.
"""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from service.cli.context import report_errors, settings_of_environment
from service.cli.verify import FILE, StrictCommand, UnusableFileError
from workers.statistics import missing_library


@click.command("stats", cls=StrictCommand)
@click.argument("files", metavar="FILE...", type=FILE, nargs=-1, required=True)
@click.option(
    "--campaign",
    "manifest",
    type=FILE,
    help="The campaign's manifest (GET /v1/campaigns/ID/manifest), which says who is who.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print the whole report in the API's JSON format."
)
@click.option("--from", "first", type=click.IntRange(1), help="The first version to include.")
@click.option(
    "--to",
    "last",
    type=click.IntRange(1),
    help="The last version to include (default: the newest).",
)
def stats(
    files: tuple[Path, ...],
    manifest: Path | None,
    as_json: bool,
    first: int | None,
    last: int | None,
) -> None:
    """Print the statistics of exported sessions: who was lucky, and whether chance explains it.

    Several files are counted together, as a campaign. With a manifest, its people are counted.
    Without one, seats are the same person if they have the same key.

    The command verifies the log first, as `fairlog verify` does. Sealed events are not counted.
    docs/statistics.md explains each statistic.

    Exit status: 0 if the statistics were printed, 2 if the log is invalid, 3 if the file or the
    options cannot be used.

    Example: `fairlog stats friday.fairlog`, then
    `fairlog stats friday.fairlog --from 120 --json`, and
    `fairlog stats *.fairlog --campaign manifest.json` for all sessions of a campaign.
    """
    if lacking := missing_library():
        raise UnusableFileError(lacking)
    if len(files) == 1 and manifest is None:
        from workers.stats_command import show

        show(files[0], as_json, first, last)
        return
    if first is not None or last is not None:
        raise click.UsageError("--from and --to need a single file and no manifest")
    from workers.campaign_files import show_campaign

    show_campaign(files, manifest, as_json)


@click.command()
def worker() -> None:
    """Run jobs from the queue, such as computing statistics.

    `fairlog serve` starts one worker. Start more workers to share the jobs. Workers use the queue
    at REDIS_URL. If REDIS_URL is unset, they use the queue that `fairlog serve` started for the
    same data directory.

    Example: `fairlog worker`, and then `fairlog doctor` in another terminal.
    """
    _run("worker")


@click.command()
def follow() -> None:
    """Keep the read models up to date with the log.

    The read models include the session list, tables, timelines and tallies. `fairlog serve` starts
    one follower. The follower does not need the queue.

    Example: `fairlog follow`, and then `fairlog doctor` in another terminal.
    """
    _run("follow")


def _run(part: str) -> NoReturn:
    """Run the worker or the follower until it is stopped.

    Create the data directory first, because the process waits for a log to appear in it.
    """
    with report_errors(OSError):
        settings_of_environment().data.mkdir(parents=True, exist_ok=True, mode=0o700)
    from workers.__main__ import main

    raise SystemExit(main([part]))
