"""Sources of the random values that commands need.

Values come from the seed of a draw, the faces of physical dice, or an enumeration of all
possibilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Protocol, TypeVar

from domain.decider import Refused
from domain.proof.hash_chain import value

R = TypeVar("R")
Values = tuple[tuple[int, int], ...]
"""A (sides, value) pair for each value, in the order in which the rules asked for them."""


class Chance(Protocol):
    """The source from which `decide` draws values.

    Once `decide` has drawn a value, it must not refuse the command.
    """

    def draw(self, sides: int) -> int:
        """Return the next value, from 1 to `sides`."""


class NeedsDrawError(Exception):
    """Raised by UndrawnChance when an allowed command needs a random value."""


class UndrawnChance:
    """A source without values, which raises NeedsDrawError on the first draw.

    Callers use it to check whether a command is allowed and whether it needs a draw.
    """

    def draw(self, sides: int) -> int:
        raise NeedsDrawError(sides)


class SeededChance:
    """A source that computes values from the seed of a draw (docs/fairness.md)."""

    def __init__(self, seed: Callable[[], bytes]) -> None:
        self._compute_seed, self._seed = seed, b""
        self._values: list[tuple[int, int]] = []

    def draw(self, sides: int) -> int:
        if not self._values:  # computed late: most commands draw nothing
            self._seed = self._compute_seed()
        drawn = value(self._seed, len(self._values), sides)
        self._values.append((sides, drawn))
        return drawn

    @property
    def values(self) -> Values:
        return tuple(self._values)


class DeclaredChance:
    """A source that returns the faces of physical dice, as a seat entered them.

    It raises Refused if too few faces were entered, or if a face does not exist on the die that the
    rules ask for.
    """

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
        """Return a (sides, value) pair for each entered value.

        Raises Refused if the rules used fewer values than were entered.
        """
        if len(self._values) < len(self._faces):
            raise Refused("faces-left-over", given=len(self._faces), asked=len(self._values))
        return tuple(self._values)


def draw_card(chance: Chance, cards: int, left: Sequence[int]) -> int:
    """Draw one of the cards that are left in a deck of `cards` cards, and return its number.

    Each card that is left has the same probability. A seat that declares a physical card enters the
    number that is printed on it. Raises Refused if that card is not left.
    """
    if not isinstance(chance, DeclaredChance):
        return left[chance.draw(len(left)) - 1]
    number = chance.draw(cards)
    if number not in left:
        raise Refused("card-not-left", card=number)
    return number


class EnumeratedChance:
    """A source that returns the values in `path`, then 1 for every further draw."""

    def __init__(self, path: Sequence[int]) -> None:
        self._path = tuple(path)
        self.sides: list[int] = []

    def draw(self, sides: int) -> int:
        nth = len(self.sides)
        self.sides.append(sides)
        return self._path[nth] if nth < len(self._path) else 1


def branches(run: Callable[[Chance], R]) -> Iterator[tuple[Fraction, R]]:
    """Call `run` with each possible sequence of values.

    Yields (probability, result) pairs. The probabilities are exact.
    """
    path: list[int] = []
    while True:
        chance = EnumeratedChance(path)
        result = run(chance)
        probability = Fraction(1)
        for sides in chance.sides:
            probability /= sides
        yield probability, result
        path = _next_path(path + [1] * (len(chance.sides) - len(path)), chance.sides)
        if not path:
            return


def _next_path(path: list[int], sides: list[int]) -> list[int]:
    """Return the sequence of values that follows `path`, or [] after the last one.

    As on an odometer, the last value changes fastest.
    """
    while path and path[-1] == sides[len(path) - 1]:
        path.pop()
    return [*path[:-1], path[-1] + 1] if path else []
