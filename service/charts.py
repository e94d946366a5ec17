"""What a terminal shows of a session's statistics: faces as bars against chance, results by seat, points by entity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from service.picture import BAR, bar


def charts(figures: Mapping[str, Any]) -> RenderableType:
    """A session's statistics: faces against chance, what each seat's actions came to, points gained and lost."""
    faces = [
        _faces(f"{source}, {dice}", values) for dice, by in figures["faces"].items() for source, values in by.items()
    ]
    shown = Grid.grid(padding=(0, 4))
    shown.add_row(Group(*faces), Group(_results(figures), _points(figures["points"])))
    return shown


def _faces(title: str, values: Mapping[str, Any]) -> RenderableType:
    """Seen as a bar, expected as a mark on it."""
    most = max(max(value["seen"], value["expected"]) for value in values.values())
    grid = _grid(title, "", "", "seen", "expected")
    for face, value in values.items():
        line = bar(value["seen"], most, style="cyan")
        column = min(BAR - 1, round(BAR * value["expected"] / most)) if most else 0
        line.stylize("bold bright_yellow reverse", column, column + 1)
        grid.add_row(Text(face, style="bold"), line, str(value["seen"]), f"{value['expected']:.1f}")
    return grid


def _grid(title: str, *headings: str) -> Grid:
    """A small table; its first two columns are words."""
    grid = Grid(
        title=title, title_style="bold", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False
    )
    for nth, heading in enumerate(headings):
        grid.add_column(heading, justify="right" if nth > 1 else "left", no_wrap=True)
    return grid


def _results(figures: Mapping[str, Any]) -> RenderableType:
    """How often each seat's actions were settled as what."""
    seats = {seat: _settled(uses) for seat, uses in figures["results"]["seats"].items()}
    outcomes = list(dict.fromkeys(outcome for counts in seats.values() for outcome in counts))
    grid = _grid("results", "seat", "", *outcomes, "turns")
    for seat, counts in seats.items():
        turns = figures["tempo"]["seats"].get(seat, {"turns": 0})["turns"]
        grid.add_row(seat, "", *(str(counts.get(outcome, 0)) for outcome in outcomes), str(turns))
    return grid


def _settled(uses: Mapping[str, Any]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for use in uses.values():
        for outcome, times in use["outcomes"].items():
            counts[outcome] = counts.get(outcome, 0) + times["settled"]
    return counts


def _points(points: Mapping[str, Any]) -> RenderableType:
    grid = _grid("points", "who", "pool", "gained", "lost")
    for entity, pools in points.items():
        for nth, (pool, reasons) in enumerate(pools.items()):
            gained, lost = (sum(why[way] for why in reasons.values()) for way in ("gained", "lost"))
            grid.add_row("" if nth else entity, pool, f"[green]{gained or ''}[/]", f"[red]{lost or ''}[/]")
    return grid
