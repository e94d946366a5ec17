"""Pooled draws: draws with the same chances, which are counted together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from domain.tally import Probability

Chances = tuple[tuple[str, Probability], ...]
"""Each possible value with its chance.

If the values are ranked, they are ordered from worst to best.
"""

ZERO = Fraction()


class PooledDraws(msgspec.Struct, frozen=True):
    """Draws with the same chances, and how often each value was seen."""

    chances: Chances
    seen: dict[str, int]

    @property
    def times(self) -> int:
        return sum(self.seen.values())


Pools = tuple[PooledDraws, ...]
"""Pools with different chances, sorted so that the same draws always give the same pools."""


def pool(draws: Iterable[tuple[Chances, str]]) -> Pools:
    counts: dict[Chances, Counter[str]] = {}
    for chances, value in draws:
        counts.setdefault(chances, Counter())[value] += 1
    return _sorted(counts)


def merge(many: Iterable[Pools]) -> Pools:
    counts: dict[Chances, Counter[str]] = {}
    for pools in many:
        for each in pools:
            counts.setdefault(each.chances, Counter()).update(each.seen)
    return _sorted(counts)


def uncertain(pools: Pools) -> Pools:
    """Return the pools in which more than one value was possible."""
    return tuple(
        each for each in pools if sum(numerator > 0 for _, (numerator, _) in each.chances) > 1
    )


def values(pools: Pools) -> list[str]:
    """Return every value that was possible or was seen.

    The values from the pool with the most values come first.
    """
    longest = sorted(pools, key=lambda each: -len(each.chances))
    named = dict.fromkeys(value for each in longest for value, _ in each.chances)
    return list(named | dict.fromkeys(value for each in pools for value in each.seen))


def seen_counts(pools: Pools) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in pools:
        total.update(each.seen)
    return total


def draws_by_chance(pools: Pools) -> dict[str, dict[Probability, int]]:
    found: dict[str, dict[Probability, int]] = {}
    for each in pools:
        times = each.times
        for value, chance in each.chances:
            of = found.setdefault(value, {})
            of[chance] = of.get(chance, 0) + times
    return found


def expected_counts(pools: Pools) -> dict[str, Fraction]:
    """Return the exact expected count for each value."""
    return {value: expected_count(of) for value, of in draws_by_chance(pools).items()}


def expected_count(draws: Mapping[Probability, int]) -> Fraction:
    """Return the exact expected count for a value, given the number of draws with each chance."""
    return sum(
        (
            Fraction(numerator * times, denominator)
            for (numerator, denominator), times in draws.items()
        ),
        ZERO,
    )


def count(pools: Pools) -> int:
    return sum(each.times for each in pools)


def _sorted(counts: Mapping[Chances, Mapping[str, int]]) -> Pools:
    return tuple(
        PooledDraws(chances, dict(sorted(counts[chances].items()))) for chances in sorted(counts)
    )
