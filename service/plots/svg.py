"""Our own small SVG: elements from numbers and words, escaped by the library; classes only, for plots.css to draw.

A unit is a CSS pixel where a picture is as wide as a phone: `WIDTH` units. y grows downwards.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple
from xml.etree.ElementTree import Element

WIDTH = 340
SIZE, SMALL, BOLD = 13, 12, 14.5
"""Of letters, as in plots.css: plain, and quiet ones; a bold one is as wide as one of that size."""
WIDTHS = (
    ("ijl.,:;'!|I ", 0.34),
    ("ftr()[]-/", 0.42),
    ("mwMW@%+=<>→", 0.88),
    ("ABCDEFGHJKLNOPQRSTUVXYZ", 0.7),
)
WIDE, PLAIN = 1.0, 0.61
"""What a letter takes of its size in a broad face: some, an East Asian one or an emoji, and any other."""
Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Sketch(NamedTuple):
    """What was drawn, from (0, 0) to (WIDTH, height)."""

    height: float
    parts: Sequence[Element]


def shape(tag: str, css: str, /, **attributes: float | str) -> Element:
    """An element; an underscore in an attribute's name stands for its hyphen."""
    said = {"class": css} if css else {}
    for name, value in attributes.items():
        said[name.replace("_", "-")] = value if isinstance(value, str) else digits(value)
    return Element(tag, said)


def worded(tag: str, words: str, css: str = "", /, **attributes: float | str) -> Element:
    """An element with words in it; characters that XML cannot hold are replaced."""
    element = shape(tag, css, **attributes)
    element.text = _NO_XML.sub("\ufffd", words)
    return element


def text(x: float, y: float, words: str, css: str = "", anchor: Anchor = "start") -> Element:
    """A line of text, its baseline at `y`."""
    where: dict[str, float | str] = {"x": x, "y": y}
    return worded(
        "text", words, css, **where, **({} if anchor == "start" else {"text_anchor": anchor})
    )


def line(start: Point, end: Point, css: str) -> Element:
    return shape("line", css, x1=start[0], y1=start[1], x2=end[0], y2=end[1])


def rect(x: float, y: float, width: float, height: float, css: str) -> Element:
    return shape("rect", css, x=x, y=y, width=width, height=height)


def polyline(
    points: Iterable[Point], css: str, tag: Literal["polyline", "polygon"] = "polyline"
) -> Element:
    return shape(tag, css, points=" ".join(f"{digits(x)},{digits(y)}" for x, y in points))


def diamond(x: float, y: float, css: str, radius: float = 4) -> Element:
    """A mark that is told from a dot without its colour."""
    return polyline(
        [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)], css, "polygon"
    )


def digits(value: float) -> str:
    """To a tenth of a unit, which nobody can see."""
    return f"{round(value, 1) + 0:g}" if abs(value) < 100_000 else str(round(value))


def short(value: float) -> str:
    """A number beside an axis, in at most five letters."""
    for size, letter in ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if letter == 'k' else size):.3g}{letter}"
    return f"{value:.4g}"


def units(words: str, size: float = SIZE) -> float:
    """About how wide the words are."""
    return sum(size * _wide(letter) for letter in words)


def _wide(letter: str) -> float:
    found = next((width for letters, width in WIDTHS if letter in letters), PLAIN)
    return WIDE if unicodedata.east_asian_width(letter) in "WF" else found


def shortened(words: str, room: float, size: float = SIZE) -> str:
    """The words, cut to so many units."""
    if units(words, size) <= room:
        return words
    kept = words
    while kept and units(kept, size) + size > room:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def wrapped(words: str, room: float, size: float = SIZE) -> list[str]:
    """The words in lines of so many units; a word that is longer has its own."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and units(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return [shortened(each, room, size) for each in lines]
