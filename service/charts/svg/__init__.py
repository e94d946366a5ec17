"""Charts as SVG: the drawing alone, or a complete file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from service.charts.plot import Bars, Lines, Plot
from service.charts.svg.bars import draw_bars
from service.charts.svg.drawing import BOLD, EDGE, SMALL, WIDTH, Sketch, text, worded, wrap
from service.charts.svg.lines import draw_lines

LINE = 18
STYLES = Path(__file__).with_name("plots.css")


def element(plot: Plot) -> str:
    """Return the chart's drawing without title and styles, or "" if the chart has no drawing."""
    if plot.picture is None:
        return ""
    return tostring(_root(plot, _draw(plot.picture), 0), encoding="unicode")


def file(plot: Plot) -> str:
    """Return a complete SVG file with a title, a description and styles.

    Return "" if the chart has no drawing.
    """
    if plot.picture is None:
        return ""
    heading = _heading(plot)
    root = _root(plot, _draw(plot.picture), LINE * len(heading) + EDGE)
    style = Element("style")
    style.text = styles()
    root.insert(2, style)
    root.extend(heading)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


@cache
def styles() -> str:
    """Return the content of plots.css, which SVG files include."""
    return STYLES.read_text(encoding="utf-8")


def _draw(picture: Bars | Lines) -> Sketch:
    return draw_bars(picture) if isinstance(picture, Bars) else draw_lines(picture)


def _root(plot: Plot, sketch: Sketch, above: float) -> Element:
    titled, described = f"plot-{plot.name}-title", f"plot-{plot.name}-desc"
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
    root.append(worded("title", plot.title, id=titled))
    root.append(worded("desc", plot.description, id=described))
    root.extend(sketch.parts)
    return root


def _heading(plot: Plot) -> list[Element]:
    lines = [(words, "head") for words in wrap(plot.title, WIDTH, BOLD)]
    lines += [
        (words, "quiet")
        for said in (plot.description, plot.about)
        if said
        for words in wrap(said, WIDTH, SMALL)
    ]
    return [
        text(0, LINE * (nth - len(lines)) - EDGE, words, css)
        for nth, (words, css) in enumerate(lines, 1)
    ]
