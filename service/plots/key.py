"""What the marks of a picture mean: the line above it."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from service.plots.svg import SMALL, WIDTH, Sketch, diamond, line, rect, shape, text, units

Key = Sequence[tuple[str, str]]
"""Mark and meaning; the marks are those of `_mark`."""

SAMPLE, GAP, ROW = 20, 12, 18


def drawn(key: Key) -> Sketch:
    """The marks with their meanings, as many in a row as there is room for."""
    parts: list[Element] = []
    x, y = 0.0, 0.0
    for mark, meaning in key:
        wide = SAMPLE + units(meaning, SMALL)
        if x and x + wide > WIDTH:
            x, y = 0.0, y + ROW
        parts += [*_mark(mark, x, y + ROW / 2), text(x + SAMPLE, y + 13, meaning, "quiet")]
        x += wide + GAP
    return Sketch(y + ROW + 4 if key else 0.0, parts)


def _mark(mark: str, x: float, y: float) -> list[Element]:
    match mark:
        case "seen" | "second":
            return [rect(x + 0.5, y - 4, 14, 8, mark)]
        case "chance":
            return [diamond(x + 7, y, mark)]
        case "interval":
            return interval(x + 1, x + 14, y)
        case "band":
            return [rect(x + 0.5, y - 5, 14, 10, mark)]
        case "undone" | "again":
            return [shape("circle", mark, cx=x + 7, cy=y, r=4.5)]
        case "empty":
            return [diamond(x + 7, y, mark)]
    return [line((x, y), (x + 15, y), mark)]


def interval(low: float, high: float, y: float) -> list[Element]:
    """A line with an end at either side."""
    ends = [line((x, y - 3), (x, y + 3), "interval") for x in (low, high)]
    return [line((low, y), (high, y), "interval"), *ends]
