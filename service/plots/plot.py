"""A plot: a picture, what it is called, what it says in a sentence, and its numbers as a table."""

from __future__ import annotations

import csv
import io
import re
from functools import cache
from pathlib import Path
from typing import Protocol
from xml.etree.ElementTree import Element, tostring

import msgspec

from service.plots.svg import BOLD, SMALL, WIDTH, Sketch, text, worded, wrapped

Cell = str | float | int
"""Of a table; "" where there is nothing to say."""
Row = tuple[Cell, ...]

EDGE = 8
"""Room around a picture, in units."""
LINE = 18
STYLES = Path(__file__).parents[1] / "console" / "static" / "plots.css"
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


class Picture(Protocol):
    def draw(self) -> Sketch: ...


class Plot(msgspec.Struct, frozen=True):
    """`name` is its slug; `description` says the numbers that matter; `about`: the versions that it is of."""

    name: str
    title: str
    description: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    picture: Picture
    about: str = ""

    def svg(self) -> str:
        """To stand in a page that has plots.css: no size of its own, as wide as there is room."""
        return tostring(self._root(self.picture.draw(), 0), encoding="unicode")

    def file(self) -> str:
        """To stand alone: with its title, its description and its own style, in light and dark."""
        heading = _heading(self)
        root = self._root(self.picture.draw(), LINE * len(heading) + EDGE)
        style = Element("style")
        style.text = styles()
        root.insert(2, style)
        root.extend(heading)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'

    def csv(self) -> str:
        """The table as RFC 4180 has it; words that a spreadsheet would take for a formula are quoted with a '."""
        written = io.StringIO()
        csv.writer(written).writerows([_plain(row) for row in (self.columns, *self.rows)])
        return written.getvalue()

    def _root(self, sketch: Sketch, above: float) -> Element:
        """The picture with so many units above it."""
        titled, described = f"plot-{self.name}-title", f"plot-{self.name}-desc"
        box = (-EDGE, -EDGE - above, WIDTH + 2 * EDGE, round(sketch.height + above) + 2 * EDGE)
        root = Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "class": "plot",
                "role": "img",
                "viewBox": " ".join(f"{each:g}" for each in box),
                "aria-labelledby": f"{titled} {described}",
            },
        )
        root.append(worded("title", self.title, id=titled))
        root.append(worded("desc", self.description, id=described))
        root.extend(sketch.parts)
        return root


@cache
def styles() -> str:
    """plots.css, which draws a picture in a page and alone."""
    return STYLES.read_text(encoding="utf-8")


def _heading(plot: Plot) -> list[Element]:
    """The lines above a picture that stands alone; the last of them is just above it."""
    lines = [(words, "head") for words in wrapped(plot.title, WIDTH, BOLD)]
    lines += [
        (words, "quiet")
        for said in (plot.description, plot.about)
        if said
        for words in wrapped(said, WIDTH, SMALL)
    ]
    return [
        text(0, LINE * (nth - len(lines)) - EDGE, words, css)
        for nth, (words, css) in enumerate(lines, 1)
    ]


def _plain(row: Row) -> list[Cell]:
    return [f"'{cell}" if _is_formula(cell) else cell for cell in row]


def _is_formula(cell: Cell) -> bool:
    return isinstance(cell, str) and cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell)
