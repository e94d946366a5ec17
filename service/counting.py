"""`fairlog stats FILE`: an exported evening's statistics. The workers' own program makes them, in our place."""

from __future__ import annotations

from pathlib import Path

import click

from service.using import become
from service.verifier import FILE, StrictCommand


@click.command("stats", cls=StrictCommand)
@click.argument("file", type=FILE)
@click.option(
    "--json", "as_json", is_flag=True, help="Print all figures as JSON, as the API gives them."
)
@click.option(
    "--from", "first", type=click.IntRange(1), default=1, help="The first version that counts."
)
@click.option(
    "--to", "last", type=click.IntRange(1), help="The last version that counts; absent: the newest."
)
@click.option("--undone", is_flag=True, help="Count what rewinds left behind, too.")
def stats(file: Path, as_json: bool, first: int, last: int | None, undone: bool) -> None:
    """Say what the dice did: faces, luck and points of an exported evening.

    The log is checked first, as `fairlog verify` does. What of it is sealed is not counted. docs/statistics.md says
    what each figure means.

    Exit status: 0 shown, 2 the log is invalid, 3 the file or the command cannot be used.

    Example: `fairlog stats friday.fairlog`, and then `fairlog stats friday.fairlog --from 120 --json`.
    """
    flags = (("--json", as_json), ("--undone", undone))
    become(
        "stats",
        *(flag for flag, given in flags if given),
        f"--from={first}",
        *([] if last is None else [f"--to={last}"]),
        "--",
        str(file),
    )
