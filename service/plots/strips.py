"""Lanes over time: who, and when."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

import msgspec

from service.plots.key import Key, drawn
from service.plots.scale import Scale
from service.plots.svg import SMALL, WIDTH, Sketch, digits, line, shape, shortened, text, units

LANE, LABEL, PAD = 24, 110, 8
MOST = 16
"""So many lanes has a picture at most."""


class Lane(msgspec.Struct, frozen=True):
    """`marks`: (slot, height): 1 is as tall as the lane."""

    label: str
    note: str
    marks: Sequence[tuple[int, float]]


class Strip(msgspec.Struct, frozen=True):
    """`slots` of equal width from left to right; `ends`: what the first and the last of them are."""

    lanes: Sequence[Lane]
    slots: int
    ends: tuple[str, str]
    key: Key = ()
    more: str = ""

    def draw(self) -> Sketch:
        parts = [*(above := drawn(self.key)).parts]
        left = min(LABEL, max(units(lane.label) for lane in self.lanes)) + PAD
        right = WIDTH - max(units(lane.note, SMALL) for lane in self.lanes) - PAD
        across = Scale(-0.5, self.slots - 0.5, left, right)
        y = above.height
        for lane in self.lanes:
            parts += _lane(lane, across, y + LANE)
            y += LANE
        parts += [
            text(left, y + 16, self.ends[0], "tick"),
            text(right, y + 16, self.ends[1], "tick", "end"),
        ]
        if self.more:
            parts.append(text(0, y + 34, self.more, "quiet"))
        return Sketch(y + 20 + 18 * bool(self.more), parts)


def _lane(lane: Lane, across: Scale, bottom: float) -> list[Element]:
    tall, wide = LANE - 6, max(1.0, 0.8 * min(across(1) - across(0), 10))
    marks = "".join(
        f"M{digits(across(slot))},{digits(bottom)}v{digits(-tall * share)}"
        for slot, share in lane.marks
    )
    return [
        text(across.start - PAD, bottom - 4, shortened(lane.label, LABEL), anchor="end"),
        line((across.start, bottom), (across.end, bottom), "grid"),
        *([shape("path", "act", d=marks, stroke_width=wide)] if marks else []),
        text(WIDTH, bottom - 4, lane.note, "quiet", "end"),
    ]
