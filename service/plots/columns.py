"""Columns that stand, for more values than bars have room for, and for one die beside another."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

import msgspec

from service.plots.key import Key, drawn
from service.plots.panels import HEAD, Marks, Place, axes, headed, places
from service.plots.scale import Scale
from service.plots.svg import Point, Sketch, digits, shape, text

MOST = 200
"""So many columns has a picture at most, over all of its panels."""

STEPS = (1, 2, 3, 5, 10, 20, 25, 50, 100, 200, 400)


class Column(msgspec.Struct, frozen=True):
    """Where there is a `chance`, `low` and `high` are the interval around it."""

    label: str
    value: float
    chance: float | None = None
    low: float = 0
    high: float = 0


class Panel(msgspec.Struct, frozen=True):
    heading: str
    note: str
    columns: Sequence[Column]


class Columns(msgspec.Struct, frozen=True):
    """`heights`: the y marks with their words, from the lowest to the highest; `root`: they stand by square roots."""

    panels: Sequence[Panel]
    heights: Marks
    unit: str
    key: Key = ()
    root: bool = False
    more: str = ""

    def draw(self) -> Sketch:
        parts = [*(above := drawn(self.key)).parts]
        found, y = places(
            len(self.panels), above.height - (0 if self.panels[0].heading else HEAD / 2)
        )
        for panel, place in zip(self.panels, found, strict=True):
            parts += self._panel(panel, place)
        parts.append(text(0, y + 13, self.unit, "quiet"))
        if self.more:
            parts.append(text(0, y + 31, self.more, "quiet"))
        return Sketch(y + 18 + 18 * bool(self.more), parts)

    def _panel(self, panel: Panel, place: Place) -> list[Element]:
        columns = panel.columns
        across = Scale(-0.5, len(columns) - 0.5, place.left, place.right)
        up = Scale(self.heights[0][0], self.heights[-1][0], place.bottom, place.top, self.root)
        parts = headed(place, panel.heading, panel.note) if panel.heading else []
        with_chances = [
            (nth, column) for nth, column in enumerate(columns) if column.chance is not None
        ]
        if with_chances:
            upper = _steps([(nth, column.high) for nth, column in with_chances], across, up)
            lower = _steps(
                [(nth, column.low) for nth, column in reversed(with_chances)], across, up, -1
            )
            parts.append(shape("path", "band", d=f"M{upper}L{lower}z"))
        parts += axes(place, across, up, _x_marks(columns, place), self.heights)
        parts.append(
            shape(
                "path",
                "seen",
                d="".join(_column(nth, each.value, across, up) for nth, each in enumerate(columns)),
            )
        )
        expected = _steps([(nth, column.chance or 0) for nth, column in with_chances], across, up)
        return parts + [
            shape("path", css, d=f"M{expected}") for css in ("halo", "chance-line") if expected
        ]


def _column(nth: int, value: float, across: Scale, up: Scale) -> str:
    slot = across(1) - across(0)
    wide, tall = max(0.6 * slot, min(slot, 1.2)), up.start - up(value)
    return f"M{digits(across(nth) - wide / 2)},{digits(up.start)}v{digits(-tall)}h{digits(wide)}v{digits(tall)}z"


def _steps(values: Sequence[Point], across: Scale, up: Scale, onward: int = 1) -> str:
    """The path of a line that holds each value as wide as its column; `onward` is -1 from right to left."""
    path, last = "", ""
    for nth, value in values:
        x, y = digits(across(nth - onward / 2)), digits(up(value))
        if y != last:
            path += f"H{x}V{y}" if path else f"{x},{y}"
        last = y
    return path and f"{path}H{digits(across(values[-1][0] + onward / 2))}"


def _x_marks(columns: Sequence[Column], place: Place) -> list[tuple[float, str]]:
    """The labels of the first column and of as many after it, at equal distances, as there is room for."""
    longest = max(len(column.label) for column in columns)
    room = max(2, int((place.right - place.left) / (8 * longest + 10)))
    step = next(step for step in STEPS if len(columns) <= step * room)
    return [(nth, columns[nth].label) for nth in range(0, len(columns), step)]
