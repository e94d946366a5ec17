"""Building blocks for SVG drawings: shapes, text, scales and the legend.

A drawing is `WIDTH` units wide. On a phone screen, one unit is one CSS pixel. The y axis points
down. Elements have classes but no inline styles. The styles are in plots.css.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple
from xml.etree.ElementTree import Element

from service.charts.plot import Key

WIDTH = 340
EDGE = 8
"""The margin around a drawing."""
SIZE, SMALL, BOLD = 13, 12, 14.5
"""Font sizes from plots.css. Bold letters are as wide as regular letters of size BOLD."""
WIDTHS = (
    ("ijl.,:;'!|I ", 0.34),
    ("ftr()[]-/", 0.42),
    ("mwMW@%+=<>→", 0.88),
    ("ABCDEFGHJKLNOPQRSTUVXYZ", 0.7),
)
WIDE, PLAIN = 1.0, 0.61
"""Widths relative to the font size, for East Asian letters and emoji, and for all others."""
Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]

SAMPLE, GAP, ROW = 20, 12, 18
"""Sizes in the legend: the width of a symbol, the gap after a meaning, and the line height."""

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Sketch(NamedTuple):
    """SVG elements in an area `WIDTH` wide and `height` high.

    The point (0, 0) is at the top left.
    """

    height: float
    parts: Sequence[Element]


class Scale(NamedTuple):
    """A linear scale that maps values to coordinates.

    The range from `low` to `high` is mapped onto the range from `start` to `end`.
    """

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1)
        return self.start + share * (self.end - self.start)


def shape(tag: str, css: str, /, **attributes: float | str) -> Element:
    """Return an SVG element. Underscores in attribute names are replaced with hyphens."""
    given = {"class": css} if css else {}
    for name, value in attributes.items():
        given[name.replace("_", "-")] = value if isinstance(value, str) else digits(value)
    return Element(tag, given)


def worded(tag: str, words: str, css: str = "", /, **attributes: float | str) -> Element:
    """Return an element that contains text. Characters that XML forbids are replaced."""
    element = shape(tag, css, **attributes)
    element.text = _NO_XML.sub("\ufffd", words)
    return element


def text(x: float, y: float, words: str, css: str = "", anchor: Anchor = "start") -> Element:
    """Return a line of text whose baseline is at `y`."""
    anchored = {} if anchor == "start" else {"text_anchor": anchor}
    return worded("text", words, css, **{"x": x, "y": y, **anchored})


def line(start: Point, end: Point, css: str) -> Element:
    return shape("line", css, x1=start[0], y1=start[1], x2=end[0], y2=end[1])


def rect(x: float, y: float, width: float, height: float, css: str) -> Element:
    return shape("rect", css, x=x, y=y, width=width, height=height)


def polyline(
    points: Iterable[Point], css: str, tag: Literal["polyline", "polygon"] = "polyline"
) -> Element:
    return shape(tag, css, points=" ".join(f"{digits(x)},{digits(y)}" for x, y in points))


def diamond(x: float, y: float, css: str, radius: float = 4) -> Element:
    """Return a diamond, a shape that looks different from a dot even without colour."""
    return polyline(
        [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)], css, "polygon"
    )


def digits(value: float) -> str:
    """Return the number as text, with one decimal place unless it is large."""
    return f"{round(value, 1) + 0:g}" if abs(value) < 100_000 else str(round(value))


def shorten_number(value: float) -> str:
    """Return the number as an axis label of about five characters."""
    for size, letter in ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if letter == 'k' else size):.3g}{letter}"
    return f"{value:.4g}"


def units(words: str, size: float = SIZE) -> float:
    """Return the approximate width of the text in drawing units."""
    return sum(size * _wide(letter) for letter in words)


def _wide(letter: str) -> float:
    found = next((width for letters, width in WIDTHS if letter in letters), PLAIN)
    return WIDE if unicodedata.east_asian_width(letter) in "WF" else found


def shorten(words: str, room: float, size: float = SIZE) -> str:
    """Return the text, cut off with an ellipsis if it is wider than `room` units."""
    if units(words, size) <= room:
        return words
    kept = words
    while kept and units(kept, size) + size > room:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def wrap(words: str, room: float, size: float = SIZE) -> list[str]:
    """Break the text into lines of at most `room` units, and truncate wider words."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and units(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return [shorten(each, room, size) for each in lines]


def interval(low: float, high: float, y: float) -> list[Element]:
    """Return a horizontal line with a short stroke at each end."""
    ends = [line((x, y - 3), (x, y + 3), "interval") for x in (low, high)]
    return [line((low, y), (high, y), "interval"), *ends]


def draw_key(key: Key) -> Sketch:
    """Draw the legend with each symbol and its meaning, on as many lines as needed."""
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
    return [line((x, y), (x + 15, y), mark)]
