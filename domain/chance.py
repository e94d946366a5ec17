"""Where values come from: Seeded (drawn), Declared (typed in), Enumerated (every branch), Undrawn (stops at once)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Protocol, TypeVar

from domain.decider import Refused
from domain.proof.hash_chain import value

R = TypeVar("R")
Values = tuple[tuple[int, int], ...]
"""What was asked and came: (sides, value) in the order asked, as Drawn records them."""


class Chance(Protocol):
    """What `decide` may ask for values. It refuses before its first ask or not at all."""

    def draw(self, sides: int) -> int:
        """The next value, 1..sides."""


class NeedsDrawError(Exception):
    """Raised by Undrawn: the command needs chance, and every rule before it allowed it."""


class UndrawnChance:
    """Stops at the first ask: tells whether a command is allowed and whether it draws."""

    def draw(self, sides: int) -> int:
        raise NeedsDrawError(sides)


class SeededChance:
    """Values of a draw's seed (fairness.md: the i-th ask is 1 + uniform(str(i), sides)); keeps what was asked."""

    def __init__(self, seed: Callable[[], bytes]) -> None:
        self._make, self._seed = seed, b""
        self._values: list[tuple[int, int]] = []

    def draw(self, sides: int) -> int:
        if not self._values:  # most commands never ask
            self._seed = self._make()
        drawn = value(self._seed, len(self._values), sides)
        self._values.append((sides, drawn))
        return drawn

    @property
    def values(self) -> Values:
        return tuple(self._values)


class DeclaredChance:
    """Faces typed in at the table, checked against the dice that the rules ask for."""

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = tuple(faces)
        self._values: list[tuple[int, int]] = []

    def draw(self, sides: int) -> int:
        nth = len(self._values)
        if nth >= len(self._faces):
            raise Refused("faces-missing", given=len(self._faces), die=sides)
        if not 1 <= self._faces[nth] <= sides:
            raise Refused("face-off-the-die", face=self._faces[nth], die=sides, nth=nth + 1)
        self._values.append((sides, self._faces[nth]))
        return self._faces[nth]

    @property
    def values(self) -> Values:
        """What was asked; faces that nobody asked for are refused."""
        if len(self._values) < len(self._faces):
            raise Refused("faces-left-over", given=len(self._faces), asked=len(self._values))
        return tuple(self._values)


class EnumeratedChance:
    """One branch of all: follows `path`, then takes 1s, noting how many sides each ask had."""

    def __init__(self, path: Sequence[int]) -> None:
        self._path = tuple(path)
        self.sides: list[int] = []

    def draw(self, sides: int) -> int:
        nth = len(self.sides)
        self.sides.append(sides)
        return self._path[nth] if nth < len(self._path) else 1


def branches(run: Callable[[Chance], R]) -> Iterator[tuple[Fraction, R]]:
    """Every way that chance can go in `run`, with its exact chance. They sum to 1."""
    path: list[int] = []
    while True:
        chance = EnumeratedChance(path)
        result = run(chance)
        odds = Fraction(1)
        for sides in chance.sides:
            odds /= sides
        yield odds, result
        path = _next(path + [1] * (len(chance.sides) - len(path)), chance.sides)
        if not path:
            return


def _next(path: list[int], sides: list[int]) -> list[int]:
    """The path after this one, as an odometer turns; empty after the last."""
    while path and path[-1] == sides[len(path) - 1]:
        path.pop()
    return [*path[:-1], path[-1] + 1] if path else []
