"""Two values of the same thing beside each other on a scale from 0 to 1: before, and after."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

import msgspec

from service.plots.key import Key, drawn
from service.plots.scale import Scale
from service.plots.svg import WIDTH, Anchor, Sketch, line, shape, shortened, text

MOST, ROW = 24, 36
MARKS: Sequence[tuple[float, str, Anchor, int]] = (
    (0.0, "worst", "start", -8),
    (0.5, "middle of chance", "middle", 0),
    (1.0, "best", "end", 8),
)
"""Where, the words there, and how they stand at it."""


class Pair(msgspec.Struct, frozen=True):
    label: str
    before: float | None
    after: float | None


class Pairs(msgspec.Struct, frozen=True):
    pairs: Sequence[Pair]
    key: Key = ()
    more: str = ""

    def draw(self) -> Sketch:
        parts = [*(above := drawn(self.key)).parts]
        across, top = Scale(0, 1, 8, WIDTH - 8), above.height
        y = top + ROW * len(self.pairs)
        for at, words, anchor, aside in MARKS:
            x = across(at)
            parts += [
                line((x, top), (x, y), "grid"),
                text(x + aside, y + 15, words, "tick", anchor),
            ]
        for nth, pair in enumerate(self.pairs):
            parts += _pair(pair, across, top + nth * ROW)
        if self.more:
            parts.append(text(0, y + 33, self.more, "quiet"))
        return Sketch(y + 20 + 18 * bool(self.more), parts)


def _pair(pair: Pair, across: Scale, y: float) -> list[Element]:
    parts = [text(0, y + 14, shortened(pair.label, WIDTH))]
    y += 25
    if pair.before is not None and pair.after is not None:
        parts.append(line((across(pair.before), y), (across(pair.after), y), "way"))
    if pair.before is not None:
        parts.append(shape("circle", "undone", cx=across(pair.before), cy=y, r=5))
    if pair.after is not None:
        parts.append(shape("circle", "again", cx=across(pair.after), cy=y, r=3.5))
    return parts
