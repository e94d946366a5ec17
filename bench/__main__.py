"""`make bench`: every figure with its floor and its aim, as a table."""

from __future__ import annotations

import logging
import os
import platform

import structlog
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.checking import catch_up, checking, scaling
from bench.figures import Figure, late_turns, random_state, replay, turns
from bench.review import joining_late, joining_later, lineage, rewind, segment, state, whole_feed
from bench.streams import spectators

LOOKING_BACK = (state, lineage, rewind, joining_later, joining_late, whole_feed, segment)
FIGURES = (turns, late_turns, replay, random_state, checking, scaling, catch_up, spectators, *LOOKING_BACK)


def main() -> None:
    console = Console()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))  # no line a request
    figures = [measure() for measure in track(FIGURES, description="measuring", console=console, transient=True)]
    table = Table(title=f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}")
    for heading in ("figure", "ours", "floor", "", "ratio", "aim", ""):
        table.add_column(heading, justify="right" if heading in ("ours", "floor", "ratio", "aim") else "left")
    for figure in figures:
        table.add_row(*_row(figure))
    console.print(table)


def _row(figure: Figure) -> tuple[str, ...]:
    aim = f"{'>=' if figure.least else '<='} {figure.aim:g}"
    held = "holds" if figure.held else "missed"
    ours, floor = f"{figure.ours:,.3g}", f"{figure.floor:,.3g}"
    if figure.ours >= 1000 or figure.floor >= 1000:
        ours, floor = f"{figure.ours:,.0f}", f"{figure.floor:,.0f}"
    return figure.name, ours, floor, figure.unit, f"{figure.ratio:.2f}", aim, held


if __name__ == "__main__":
    main()
