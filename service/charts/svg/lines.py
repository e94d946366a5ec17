"""Line and step charts as SVG, with versions on the x axis and one panel per line.

All panels have the same scales.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from projections.statistics_model import Series
from service.charts.plot import Lines, Panel
from service.charts.svg.drawing import (
    BOLD,
    SMALL,
    WIDTH,
    Scale,
    Sketch,
    digits,
    draw_key,
    line,
    polyline,
    rect,
    shape,
    shorten,
    shorten_number,
    text,
    units,
)

MAX_DOTS, MAX_ALL_DOTS = 40, 240
"""The maximum number of dots per line, and in total.

If there would be more, only the last point of each line has a dot.
"""
ONE_ABREAST = 4
HEAD, FOOT, SIDE, GAP = 30, 20, 30, 14
TALL, LOW = 120, 74
"""The height of a single panel, and of each panel if there are several."""


class Place(NamedTuple):
    """The plot area of a panel, excluding its heading and axis labels."""

    left: float
    top: float
    right: float
    bottom: float


def draw_lines(lines: Lines) -> Sketch:
    parts = [*(above := draw_key(lines.key)).parts]
    places = _places(len(lines.panels), above.height)
    for panel, place in zip(lines.panels, places, strict=True):
        parts += _panel(lines, panel, place)
    y = places[-1].bottom + FOOT
    parts.append(text(0, y + 13, lines.unit, "quiet"))
    if lines.more:
        parts.append(text(0, y + 31, lines.more, "quiet"))
    return Sketch(y + 18 + 18 * bool(lines.more), parts)


def _places(number: int, top: float) -> list[Place]:
    across = 1 if number <= ONE_ABREAST else 2
    tall = TALL if number == 1 else LOW
    wide = (WIDTH - GAP * (across - 1)) / across
    found = []
    for nth in range(number):
        row, column = divmod(nth, across)
        left, y = column * (wide + GAP), top + row * (HEAD + tall + FOOT)
        found.append(Place(left + SIDE, y + HEAD, left + wide - 4, y + HEAD + tall))
    return found


def _panel(lines: Lines, panel: Panel, place: Place) -> list[Element]:
    across = Scale(*lines.ends, place.left, place.right)
    up = Scale(lines.heights[0], lines.heights[-1], place.bottom, place.top)
    parts = _heading(place, panel.heading, panel.note)
    if lines.band is not None:
        low, high = lines.band
        parts.append(
            rect(place.left, up(high), place.right - place.left, up(low) - up(high), "band")
        )
    parts += _axes(place, across, up, lines)
    parts += [line((place.left, up(at)), (place.right, up(at)), "bound") for at in lines.bounds]
    parts.append(_line(panel.points, lines.steps, across, up))
    is_short = len(panel.points) <= min(MAX_DOTS, MAX_ALL_DOTS // len(lines.panels))
    marked = panel.points if is_short else panel.points[-1:]
    dots = "".join(f"M{digits(across(x))},{digits(up(y))}h0" for x, y in marked)
    return [*parts, shape("path", "dot", d=dots)]


def _heading(place: Place, heading: str, note: str) -> list[Element]:
    left = place.left - SIDE
    said = shorten(note, 0.6 * (place.right - left), SMALL)
    room = place.right - left - units(said, SMALL) - 6
    y = place.top - 11
    return [
        text(left, y, shorten(heading, room, BOLD), "head"),
        text(place.right, y, said, "quiet", "end"),
    ]


def _axes(place: Place, across: Scale, up: Scale, lines: Lines) -> list[Element]:
    parts: list[Element] = []
    for at in lines.heights:
        y = up(at)
        parts.append(line((place.left, y), (place.right, y), "grid"))
        parts.append(text(place.left - 4, y + 4, shorten_number(at), "tick", "end"))
    parts.append(line((place.left, place.bottom), (place.right, place.bottom), "axis"))
    for end in dict.fromkeys(lines.ends):
        half = units(str(end), SMALL) / 2
        # Keep the label within the ends of the axis.
        x = min(max(across(end), place.left + half), place.right + 4 - half)
        parts.append(text(x, place.bottom + 14, str(end), "tick", "middle"))
    return parts


def _line(points: Series, steps: bool, across: Scale, up: Scale) -> Element:
    places: Sequence[tuple[float, float]] = [(across(x), up(y)) for x, y in points]
    if not steps:
        return polyline(places, "seen-line")
    corners = "".join(f"H{digits(x)}V{digits(y)}" for x, y in places[1:])
    x, y = places[0]
    path = f"M{digits(x)},{digits(y)}{corners}H{digits(across.end)}"
    return shape("path", "seen-line", d=path)
