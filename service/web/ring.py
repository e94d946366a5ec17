"""Where things lie in the picture of a ring, in units of its 220 by 220; static/page/ring.js alike."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import NamedTuple

MIDDLE, RADIUS = 110, 80
WAYS = (56, 46, 36)  # the radius of each way, the first outside
ROW = 22  # between their labels, which stand in the middle


class Way(NamedTuple):
    """Steps that the token of a board went clockwise: by a die's face, or altered at a price."""

    board: str
    start: int
    steps: int
    face: int | None = None
    price: str | None = None

    @property
    def end(self) -> int:
        return self.start + self.steps

    @property
    def label(self) -> str | None:
        return self.price if self.face is None else str(self.face)


class Box(NamedTuple):
    """Where a way's label stands; `y` is that of its words."""

    left: str
    top: str
    width: int
    y: str


class Ring(NamedTuple):
    """So many points; the first is the lowest, the others follow clockwise."""

    points: int

    def spot(self, nth: float, radius: int = RADIUS) -> tuple[str, str]:
        """Where a point lies, or what is between two."""
        angle = pi / 2 + 2 * pi * nth / self.points
        return fixed(MIDDLE + radius * cos(angle)), fixed(MIDDLE + radius * sin(angle))

    def corners(self) -> str:
        return " ".join(map(self._at, range(self.points)))

    def path(self, way: Way, nth: int) -> str:
        """A way's line, step by step: one arc cannot go all the way round."""
        radius = WAYS[nth]
        arcs = (self._at(way.start + step + 1, radius) for step in range(way.steps))
        return f"M{self._at(way.start, radius)}" + "".join(
            f"A{radius} {radius} 0 0 1 {to}" for to in arcs
        )

    def tip(self, way: Way, nth: int) -> str:
        """The arrowhead at its end."""
        radius = WAYS[nth]
        back = way.end - 12 / radius / (2 * pi / self.points)
        return f"M{self._at(back, radius - 6)}L{self._at(way.end, radius)}L{self._at(back, radius + 6)}"

    def box(self, way: Way, nth: int, ways: int) -> Box:
        """Of the nth of so many ways."""
        y, letters = MIDDLE + ROW * (nth - (ways - 1) / 2), len(way.label or "")
        return Box(fixed(MIDDLE - 5 - 3.5 * letters), fixed(y - 9), 10 + 7 * letters, fixed(y))

    def said(self, way: Way, labels: Sequence[str]) -> str:
        """The way in words."""
        why = f"altered by {way.steps}" if way.face is None else f"the die shows {way.face}"
        went = f"{why}: from {labels[way.start]} to {labels[way.end % self.points]}"
        return went if way.price is None else f"{went}, for {way.price}"

    def _at(self, nth: float, radius: int = RADIUS) -> str:
        return ",".join(self.spot(nth, radius))


def pip(nth: int) -> str:
    """The circle of a pool's nth point, in the picture of pips."""
    return f"M{14 * nth + 2} 7a5 5 0 1 0 10 0a5 5 0 1 0-10 0"


def fixed(number: float) -> str:
    return f"{number:.1f}"
