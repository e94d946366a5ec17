"""`make bench`: every measurement with its floor and target, as a table for docs/performance.md.

python -m bench             run all, which takes some minutes
python -m bench http log    run these parts
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable

import structlog
from rich.box import MARKDOWN
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench import http
from bench.machine import describe_machine
from bench.measurement import Measurement, random_state, replay
from bench.memory import memory
from bench.review import joining_late, joining_later, lineage, rewind, segment, state, whole_feed
from bench.streams import spectators
from bench.turns import late_turns, turns, turns_on_postgres
from bench.verification import catch_up, checking, scaling

PARTS: dict[str, tuple[Callable[[], Measurement], ...]] = {
    "turns": (turns, turns_on_postgres, late_turns),
    "log": (replay, random_state),
    "verify": (checking, scaling),
    "views": (catch_up,),
    "review": (state, lineage, rewind, joining_later, joining_late, whole_feed, segment),
    "http": (http.on_sqlite, http.on_postgres),
    "streams": (spectators,),
    "memory": (memory,),
}
WIDTH = 400
"""The width in columns of a table that is written to a file."""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure the product, each result with its floor."
    )
    parser.add_argument("part", nargs="*", help=f"any of {', '.join(PARTS)}; default: all")
    parts = parser.parse_args().part or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        parser.error(f"unknown part: {', '.join(sorted(unknown))}. Choose from {', '.join(PARTS)}")
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING)
    )  # no line for each request
    measures = [measure for part in parts for measure in PARTS[part]]
    waiting = Console(stderr=True)
    figures = [
        measure() for measure in track(measures, "measuring", console=waiting, transient=True)
    ]
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDTH
    console.print(*describe_machine(), sep="\n")
    console.print(_table(figures))


def _table(figures: list[Measurement]) -> Table:
    table = Table(box=MARKDOWN)
    for heading in ("figure", "ours", "floor", "unit", "ratio", "aim", "", "besides"):
        table.add_column(
            heading, justify="right" if heading in ("ours", "floor", "ratio", "aim") else "left"
        )
    for figure in figures:
        table.add_row(*_row(figure))
    return table


def _row(figure: Measurement) -> tuple[str, ...]:
    aim = f"{'>=' if figure.least else '<='} {figure.aim:g}"
    held = "holds" if figure.held else "missed"
    ours, floor = f"{figure.ours:,.3g}", f"{figure.floor:,.3g}"
    if figure.ours >= 1000 or figure.floor >= 1000:
        ours, floor = f"{figure.ours:,.0f}", f"{figure.floor:,.0f}"
    return figure.name, ours, floor, figure.unit, f"{figure.ratio:.2f}", aim, held, figure.said


if __name__ == "__main__":
    main()
