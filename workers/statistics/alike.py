"""Draws of the same chances, counted together: what every figure of chance is made from, and what sums up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from domain.tally import Chance

Chances = tuple[tuple[str, Chance], ...]
"""Each value and its chance, in the order in which the draw names them: by worth where that is what counts."""

ZERO = Fraction()


class Alike(msgspec.Struct, frozen=True):
    """Draws of the same chances, and how often each value was seen."""

    chances: Chances
    seen: dict[str, int]

    @property
    def times(self) -> int:
        return sum(self.seen.values())


Rows = tuple[Alike, ...]
"""Of different chances each, in one order however they were counted."""


def counted(draws: Iterable[tuple[Chances, str]]) -> Rows:
    """The rows of draws, each with its chances and the value that came."""
    rows: dict[Chances, Counter[str]] = {}
    for chances, value in draws:
        rows.setdefault(chances, Counter())[value] += 1
    return _in_order(rows)


def added(many: Iterable[Rows]) -> Rows:
    """The rows of all the draws together."""
    sums: dict[Chances, Counter[str]] = {}
    for rows in many:
        for row in rows:
            sums.setdefault(row.chances, Counter()).update(row.seen)
    return _in_order(sums)


def uncertain(rows: Rows) -> Rows:
    """The rows of draws that could have come otherwise."""
    return tuple(row for row in rows if sum(numerator > 0 for _, (numerator, _) in row.chances) > 1)


def values(rows: Rows) -> list[str]:
    """Every value that there is a chance of or that was seen, in the order of the draws with the most of them."""
    longest = sorted(rows, key=lambda row: -len(row.chances))
    named = dict.fromkeys(value for row in longest for value, _ in row.chances)
    return list(named | dict.fromkeys(value for row in rows for value in row.seen))


def seen(rows: Rows) -> Counter[str]:
    total: Counter[str] = Counter()
    for row in rows:
        total.update(row.seen)
    return total


def shares(rows: Rows) -> dict[str, dict[Chance, int]]:
    """The chances of each value, and how many draws had each: a deck has few, however many draws."""
    found: dict[str, dict[Chance, int]] = {}
    for row in rows:
        times = row.times
        for value, chance in row.chances:
            of = found.setdefault(value, {})
            of[chance] = of.get(chance, 0) + times
    return found


def expected(rows: Rows) -> dict[str, Fraction]:
    """How often each value comes on average."""
    return {
        value: sum(
            (
                Fraction(numerator * times, denominator)
                for (numerator, denominator), times in of.items()
            ),
            ZERO,
        )
        for value, of in shares(rows).items()
    }


def draws(rows: Rows) -> int:
    return sum(row.times for row in rows)


def _in_order(rows: Mapping[Chances, Mapping[str, int]]) -> Rows:
    return tuple(Alike(chances, dict(sorted(rows[chances].items()))) for chances in sorted(rows))
