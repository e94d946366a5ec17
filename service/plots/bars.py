"""Bars that lie, in groups: what was seen, and below it where chance would have it."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

import msgspec

from service.plots.key import Key, drawn, interval
from service.plots.scale import Scale, ticks
from service.plots.svg import (
    BOLD,
    SMALL,
    WIDTH,
    Sketch,
    diamond,
    line,
    rect,
    short,
    shortened,
    text,
    units,
)

MOST = 30
"""So many bars has a picture at most."""
LABEL, HEAD, PAD = 165, 24, 6
BAR, SECOND, CHANCE = 18, 9, 8
"""Heights of a bar's parts."""


class Bar(msgspec.Struct, frozen=True):
    """`value` is its length, `note` the numbers beside it; `second`: an outlined bar below; `chance` with an interval.

    Where there is a `chance`, `low` and `high` are too.
    """

    label: str
    value: float
    note: str
    second: float | None = None
    chance: float | None = None
    low: float = 0
    high: float = 0

    @property
    def height(self) -> float:
        return BAR + SECOND * (self.second is not None) + CHANCE * (self.chance is not None)

    @property
    def reach(self) -> float:
        return max(self.value, self.second or 0, self.high, self.chance or 0)


class Group(msgspec.Struct, frozen=True):
    heading: str
    bars: tuple[Bar, ...]


class Bars(msgspec.Struct, frozen=True):
    """`more` says what is not drawn."""

    groups: Sequence[Group]
    key: Key = ()
    more: str = ""

    def draw(self) -> Sketch:
        parts = [*(above := drawn(self.key)).parts]
        bars = [bar for group in self.groups for bar in group.bars]
        scale, marks = _scale(bars)
        begin = y = above.height
        for group in self.groups:
            if group.heading:
                parts.append(text(0, y + 17, shortened(group.heading, WIDTH, BOLD), "head"))
                y += HEAD
            for bar in group.bars:
                parts += _bar(bar, scale, y)
                y += bar.height
        return Sketch(
            y + 18 + 18 * bool(self.more),
            [*_axis(scale, marks, begin, y), *parts, *_more(self.more, y)],
        )


def fitted(groups: Sequence[Group]) -> tuple[list[Group], str]:
    """As many groups, from the first, as there is room for, and what is to be said of the others."""
    kept: list[Group] = []
    room = MOST
    for group in groups:
        if len(group.bars) > room and kept:
            break
        kept.append(Group(group.heading, group.bars[:room]))
        room -= len(kept[-1].bars)
    rows = sum(len(group.bars) for group in groups)
    left = rows - (MOST - room)
    return kept, f"{left} of {rows} rows are in the table only." if left else ""


def _scale(bars: Sequence[Bar]) -> tuple[Scale, list[float]]:
    label = min(LABEL, max(units(bar.label) for bar in bars))
    note = max(units(bar.note, SMALL) for bar in bars)
    marks = ticks(max(bar.reach for bar in bars))
    return Scale(0, marks[-1], label + PAD, WIDTH - note - PAD), marks


def _bar(bar: Bar, scale: Scale, y: float) -> list[Element]:
    parts = [
        text(scale.start - PAD, y + 13, shortened(bar.label, LABEL), anchor="end"),
        rect(scale.start, y + 4, scale(bar.value) - scale.start, 10, "seen"),
        text(WIDTH, y + 13, bar.note, "quiet", "end"),
    ]
    y += 15
    if bar.second is not None:
        parts.append(rect(scale.start, y + 1, scale(bar.second) - scale.start, 6, "second"))
        y += SECOND
    if bar.chance is not None:
        parts += [
            *interval(scale(bar.low), scale(bar.high), y + 4),
            diamond(scale(bar.chance), y + 4, "chance"),
        ]
    return parts


def _axis(scale: Scale, marks: Sequence[float], top: float, bottom: float) -> list[Element]:
    parts: list[Element] = []
    for mark in (
        (marks[0], marks[-1]) if len(marks) > 3 and scale.end - scale.start < 120 else marks
    ):
        x = scale(mark)
        parts += [
            line((x, top), (x, bottom), "grid"),
            text(x, bottom + 14, short(mark), "tick", "middle"),
        ]
    return parts


def _more(words: str, y: float) -> list[Element]:
    return [text(0, y + 32, words, "quiet")] if words else []
