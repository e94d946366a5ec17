"""Lines and steps over versions or rolls, a panel each, with bands and marks."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

import msgspec

from service.plots.key import Key, drawn
from service.plots.panels import Place, axes, headed, places
from service.plots.scale import Scale
from service.plots.svg import Point, Sketch, digits, line, polyline, rect, shape, short, text

DOTS, ALL_DOTS = 40, 240
"""So many points of a line are marked, and of all lines; a longer line has its last point marked."""


class Line(msgspec.Struct, frozen=True):
    """`steps`: it holds each value until the next, the last one to the end."""

    points: Sequence[Point]
    css: str = "seen-line"
    steps: bool = False


class Panel(msgspec.Struct, frozen=True):
    """Its last line is the one that is marked."""

    heading: str
    note: str
    lines: Sequence[Line]


class Lines(msgspec.Struct, frozen=True):
    """`ends` of x; `heights`: the y marks, from the lowest to the highest; `band` and `bounds` are y values.

    `empties`: points at 0 are marked as such.
    """

    panels: Sequence[Panel]
    ends: tuple[float, float]
    heights: Sequence[float]
    unit: str
    key: Key = ()
    band: tuple[float, float] | None = None
    bounds: Sequence[float] = ()
    empties: bool = False
    more: str = ""

    def draw(self) -> Sketch:
        parts = [*(above := drawn(self.key)).parts]
        found, y = places(len(self.panels), above.height)
        for panel, place in zip(self.panels, found, strict=True):
            parts += self._panel(panel, place)
        parts.append(text(0, y + 13, self.unit, "quiet"))
        if self.more:
            parts.append(text(0, y + 31, self.more, "quiet"))
        return Sketch(y + 18 + 18 * bool(self.more), parts)

    def _panel(self, panel: Panel, place: Place) -> list[Element]:
        across = Scale(*self.ends, place.left, place.right)
        up = Scale(self.heights[0], self.heights[-1], place.bottom, place.top)
        parts = headed(place, panel.heading, panel.note)
        if self.band is not None:
            low, high = self.band
            parts.append(
                rect(place.left, up(high), place.right - place.left, up(low) - up(high), "band")
            )
        parts += axes(
            place, across, up, _x_marks(self.ends), [(at, short(at)) for at in self.heights]
        )
        parts += [line((place.left, up(at)), (place.right, up(at)), "bound") for at in self.bounds]
        parts += [_line(each, across, up) for each in panel.lines]
        return parts + self._marks(panel.lines[-1].points, across, up)

    def _marks(self, points: Sequence[Point], across: Scale, up: Scale) -> list[Element]:
        room = min(DOTS, ALL_DOTS // len(self.panels))
        marked = points if len(points) <= room else points[-1:]
        empty = [point for point in points if point[1] == 0][:room] if self.empties else []
        dots = [f"M{digits(across(x))},{digits(up(y))}h0" for x, y in marked if (x, y) not in empty]
        diamonds = [f"M{digits(across(x))},{digits(up(y) - 4)}l4,4l-4,4l-4,-4z" for x, y in empty]
        return [
            shape("path", css, d="".join(each))
            for css, each in (("dot", dots), ("empty", diamonds))
            if each
        ]


def _line(of: Line, across: Scale, up: Scale) -> Element:
    places = [(across(x), up(y)) for x, y in of.points]
    if not of.steps:
        return polyline(places, of.css)
    corners = "".join(f"H{digits(x)}V{digits(y)}" for x, y in places[1:])
    x, y = places[0]
    return shape("path", of.css, d=f"M{digits(x)},{digits(y)}{corners}H{digits(across.end)}")


def _x_marks(ends: tuple[float, float]) -> list[tuple[float, str]]:
    return [(end, f"{end:.0f}") for end in dict.fromkeys(ends)]
