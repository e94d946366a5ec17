"""The arithmetic of opposed tests: who stands above whom, and the exact chances to come out first."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod

import msgspec
from msgspec import UNSET, UnsetType

from domain.rulesets.pentola import rules


class Contender(msgspec.Struct, frozen=True):
    """One side of an opposed test; `roll` is absent until the die has fallen."""

    entity: str
    seat: str
    player: bool
    defends: bool
    percent: int
    steps: int
    roll: int | UnsetType = UNSET


def ranked(sides: Iterable[Contender]) -> tuple[str, ...]:
    """The ids of an opposed test, best first; every side has rolled."""
    return tuple(
        side.entity
        for side in sorted(tie_order(sides), key=lambda side: _standings(side)[-1], reverse=True)
    )


def tie_order(sides: Iterable[Contender]) -> list[Contender]:
    """Who goes before whom at the same roll: players, defenders, higher goals, then by seat and id."""
    return sorted(
        sides,
        key=lambda side: (not side.player, not side.defends, -_goal(side), side.seat, side.entity),
    )


def _goal(side: Contender) -> Fraction:
    return rules.goal(side.percent, side.steps)


def chances_to_lead(sides: Iterable[Contender]) -> Mapping[str, Fraction]:
    """The exact chance of each to come out first, where the absent rolls are still to fall."""
    ordered = tie_order(sides)
    possible = [_standings(side) for side in ordered]
    ways = prod(map(len, possible))
    leads = {
        side.entity: sum(_ways_below(possible, place, value) for value in possible[place])
        for place, side in enumerate(ordered)
    }
    return {entity: Fraction(lead, ways) for entity, lead in leads.items() if lead}


def _standings(side: Contender) -> list[int]:
    """Where the side can come to stand, worst first: rank before roll, and within a rank the higher roll."""
    goal = _goal(side)
    rolls = range(1, rules.PERCENT + 1) if side.roll is UNSET else [side.roll]
    return sorted(
        rules.RANKS.index(rules.outcome(roll, goal)) * (rules.PERCENT + 1) + roll for roll in rolls
    )


def _ways_below(possible: Sequence[Sequence[int]], place: int, value: int) -> int:
    """In how many ways all others stay below; who comes later in the order of ties may draw level."""
    before = prod(bisect_left(other, value) for other in possible[:place])
    return before and before * prod(bisect_right(other, value) for other in possible[place + 1 :])
