"""Progress bars for commands."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


def progress(console: Console | None = None) -> Progress:
    """Return a progress bar that disappears when it is done.

    It is hidden if the output is not a terminal.
    """
    shown = console or Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(
        *columns,
        TimeElapsedColumn(),
        console=shown,
        transient=True,
        disable=not shown.is_terminal,
    )
