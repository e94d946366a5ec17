"""Calculations for 2d12 rolls and damage dice: sums, success and probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

DIE = 12
TWELVE, ONE = 2, -2  # added to the sum for each kept 12 or 1
DOUBLE_TWELVE, SNAKE_EYES = 28, -2  # sums that only (12, 12) and (1, 1) produce
UNTRAINED = 12  # maximum dice sum for a skill without points (RULES 14.2)


class Twist(StrEnum):
    PLAIN = "plain"
    ADVANTAGE = "advantage"
    EXTREME_ADVANTAGE = "extreme advantage"
    DISADVANTAGE = "disadvantage"
    EXTREME_DISADVANTAGE = "extreme disadvantage"


PLAIN, ADVANTAGE, EXTREME_ADVANTAGE, DISADVANTAGE, EXTREME_DISADVANTAGE = Twist
UP, DOWN = (EXTREME_ADVANTAGE, ADVANTAGE), (EXTREME_DISADVANTAGE, DISADVANTAGE)
DICE = {PLAIN: 2, ADVANTAGE: 3, DISADVANTAGE: 3, EXTREME_ADVANTAGE: 4, EXTREME_DISADVANTAGE: 4}
NOTATION = {
    PLAIN: "2d12",
    ADVANTAGE: "3d12 drop lowest",
    EXTREME_ADVANTAGE: "4d12 drop 2 lowest",
    DISADVANTAGE: "3d12 drop highest",
    EXTREME_DISADVANTAGE: "4d12 drop 2 highest",
}


def combine(sources: Iterable[Twist]) -> Twist:
    """Return the combined effect of several advantages and disadvantages.

    If there are both advantages and disadvantages, they cancel out. Otherwise only the strongest
    one counts.
    """
    given = set(sources)
    up, down = given & set(UP), given & set(DOWN)
    if (not up and not down) or (up and down):
        return PLAIN
    return next(twist for twist in (*UP, *DOWN) if twist in given)


def kept(faces: Sequence[int], twist: Twist) -> tuple[int, ...]:
    """Return the two dice that count.

    With advantage these are the two highest dice, and with disadvantage the two lowest.
    """
    return tuple(faces) if twist is PLAIN else tuple(sorted(faces, reverse=twist in UP)[:2])


def adjusted_sum(pair: Sequence[int], capped: bool = False) -> int:
    """Return the sum of the pair, plus 2 for each 12 and minus 2 for each 1.

    If `capped` is True, the result is at most 12.
    """
    total = sum(pair) + TWELVE * pair.count(DIE) + ONE * pair.count(1)
    return min(total, UNTRAINED) if capped else total


def succeeds(total: int, modifier: int, threshold: int, automatic: bool) -> bool:
    """Return True if `total` plus `modifier` reaches the threshold.

    If `automatic` is True, as for saves and attacks, (1, 1) always fails and (12, 12) always
    succeeds.
    """
    if automatic and total in (SNAKE_EYES, DOUBLE_TWELVE):
        return total == DOUBLE_TWELVE
    return total + modifier >= threshold


@lru_cache
def sums(twist: Twist, capped: bool = False) -> Mapping[int, int]:
    """Return the number of possible throws for each sum, lowest sum first."""
    pairs = Counter({(a, b): 1 for a in range(1, DIE + 1) for b in range(1, DIE + 1)})
    for _ in range(DICE[twist] - 2):
        pairs = _one_more(pairs, twist)
    found: Counter[int] = Counter()
    for pair, number in pairs.items():
        found[adjusted_sum(pair, capped)] += number
    return MappingProxyType(dict(sorted(found.items())))


def _one_more(pairs: Counter[tuple[int, int]], twist: Twist) -> Counter[tuple[int, int]]:
    more: Counter[tuple[int, int]] = Counter()
    for pair, number in pairs.items():
        for face in range(1, DIE + 1):
            first, second = kept((*pair, face), twist)
            more[first, second] += number
    return more


def faces(twist: Twist) -> int:
    """Return the total number of possible throws."""
    return int(DIE ** DICE[twist])


@lru_cache
def ways(twist: Twist, capped: bool, modifier: int, threshold: int, automatic: bool) -> int:
    """Return the number of possible throws that succeed."""
    return sum(
        number
        for total, number in sums(twist, capped).items()
        if succeeds(total, modifier, threshold, automatic)
    )


@lru_cache
def totals(number: int, sides: int) -> Mapping[int, Fraction]:
    """Return the probability of each sum of `number` dice.

    If `number` is 0, the only sum is 0.
    """
    counts = [1]
    for _ in range(number):
        counts = _one_die_more(counts, sides)
    whole = sides**number
    return MappingProxyType(
        {number + at: Fraction(count, whole) for at, count in enumerate(counts)}
    )


def _one_die_more(counts: Sequence[int], sides: int) -> list[int]:
    """Return how many throws give each sum after adding one die.

    Each new count is the sum of a sliding window of up to `sides` old counts.
    """
    window, more = 0, []
    for at in range(len(counts) + sides - 1):
        window += counts[at] if at < len(counts) else 0
        window -= counts[at - sides] if at >= sides else 0
        more.append(window)
    return more
