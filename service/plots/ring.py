"""A ring of points: at each, how often the dice brought the token there, and how often it was settled there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.etree.ElementTree import Element

import msgspec

from service.plots.key import Key, drawn
from service.plots.svg import WIDTH, Point, Sketch, line, polyline, rect, shape, shortened, text

ACROSS, DOWN, TALL, WIDE = 120, 140, 40, 13
MOST = 12
"""So many points can be read around a ring."""


class Spot(msgspec.Struct, frozen=True):
    label: str
    rolled: float
    chance: float
    settled: float


class Ring(msgspec.Struct, frozen=True):
    """`spots` clockwise from the start, which is at the bottom."""

    spots: Sequence[Spot]
    key: Key = ()

    def draw(self) -> Sketch:
        parts = [*(above := drawn(self.key)).parts]
        middle = (WIDTH / 2, above.height + DOWN + TALL + 24)
        places = [_place(middle, nth / len(self.spots)) for nth in range(len(self.spots))]
        parts.append(polyline(places, "track", "polygon"))
        parts.append(text(*middle, "clockwise ↻", "quiet", "middle"))
        most = max(max(spot.rolled, spot.chance, spot.settled) for spot in self.spots) or 1
        for nth, (spot, place) in enumerate(zip(self.spots, places, strict=True)):
            parts += _spot(spot, place, TALL / most, nth == 0)
        return Sketch(middle[1] + DOWN + 24, parts)


def _place(middle: Point, turn: float) -> Point:
    """On the ring, that part of a turn clockwise from the bottom."""
    angle = 2 * math.pi * turn
    return middle[0] - ACROSS * math.sin(angle), middle[1] + DOWN * math.cos(angle)


def _spot(spot: Spot, place: Point, unit: float, is_start: bool) -> list[Element]:
    """Two columns on the point, the expected height as a diamond line on the first, the numbers above, a name below."""
    x, y = place
    return [
        shape("rect", "spot", x=x - 34, y=y - TALL - 20, width=68, height=TALL + 42, rx=6),
        rect(x - WIDE - 4, y - unit * spot.rolled, WIDE, unit * spot.rolled, "seen"),
        rect(x + 4, y - unit * spot.settled, WIDE, unit * spot.settled, "second"),
        *_expected(x - WIDE - 8, x, y - unit * spot.chance),
        line((x - 26, y), (x + 26, y), "axis"),
        text(
            x - WIDE / 2 - 4,
            y - unit * max(spot.rolled, spot.chance) - 5,
            f"{spot.rolled:.16g}",
            "tick",
            "middle",
        ),
        text(
            x + WIDE / 2 + 4, y - unit * spot.settled - 5, f"{spot.settled:.16g}", "tick", "middle"
        ),
        text(
            x,
            y + 15,
            shortened(spot.label + (" (start)" if is_start else ""), 90),
            "head",
            "middle",
        ),
    ]


def _expected(left: float, right: float, y: float) -> list[Element]:
    return [line((left, y), (right, y), css) for css in ("halo", "chance-line")]
