"""Bar charts as SVG: groups of bars, each with the value expected by chance."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from service.charts.plot import Bar, Bars, ticks
from service.charts.svg.drawing import (
    BOLD,
    SMALL,
    WIDTH,
    Scale,
    Sketch,
    diamond,
    draw_key,
    interval,
    line,
    rect,
    shorten,
    shorten_number,
    text,
    units,
)

LABEL, HEAD, PAD = 165, 24, 6
BAR, SECOND, CHANCE = 18, 9, 8
"""The heights of a bar, its second bar and its symbol for the expected value."""


def draw_bars(bars: Bars) -> Sketch:
    parts = [*(above := draw_key(bars.key)).parts]
    scale, marks = _scale([bar for group in bars.groups for bar in group.bars], bars.reach)
    y = above.height
    for group in bars.groups:
        if group.heading:
            parts.append(text(0, y + 17, shorten(group.heading, WIDTH, BOLD), "head"))
            y += HEAD
        for bar in group.bars:
            parts += _bar(bar, scale, y)
            y += _height(bar)
    if bars.more:
        parts.append(text(0, y + 32, bars.more, "quiet"))
    height = y + 18 + 18 * bool(bars.more)
    return Sketch(height, [*_axis(scale, marks, above.height, y), *parts])


def _height(bar: Bar) -> float:
    return BAR + SECOND * (bar.second is not None) + CHANCE * (bar.chance is not None)


def _scale(bars: Sequence[Bar], reach: float) -> tuple[Scale, list[float]]:
    label = min(LABEL, max(units(bar.label) for bar in bars))
    note = max(units(bar.note, SMALL) for bar in bars)
    marks = ticks(max(reach, *(bar.reach for bar in bars)))
    return Scale(0, marks[-1], label + PAD, WIDTH - note - PAD), marks


def _bar(bar: Bar, scale: Scale, y: float) -> list[Element]:
    parts = [
        text(scale.start - PAD, y + 13, shorten(bar.label, LABEL), anchor="end"),
        rect(scale.start, y + 4, scale(bar.value) - scale.start, 10, "seen"),
        text(WIDTH, y + 13, bar.note, "quiet", "end"),
    ]
    y += 15
    if bar.second is not None:
        parts.append(rect(scale.start, y + 1, scale(bar.second) - scale.start, 6, "second"))
        y += SECOND
    if bar.chance is not None:
        if bar.high > bar.low:
            parts += interval(scale(bar.low), scale(bar.high), y + 4)
        parts.append(diamond(scale(bar.chance), y + 4, "chance"))
    return parts


def _axis(scale: Scale, marks: Sequence[float], top: float, bottom: float) -> list[Element]:
    is_narrow = len(marks) > 3 and scale.end - scale.start < 120
    parts: list[Element] = []
    for mark in (marks[0], marks[-1]) if is_narrow else marks:
        x = scale(mark)
        parts.append(line((x, top), (x, bottom), "grid"))
        parts.append(text(x, bottom + 14, shorten_number(mark), "tick", "middle"))
    return parts
