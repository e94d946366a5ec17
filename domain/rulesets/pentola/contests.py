"""Opposed tests: how sides are ranked, and each side's exact chance to win."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod

import msgspec
from msgspec import UNSET, UnsetType

from domain.rulesets.pentola import rules


class Contender(msgspec.Struct, frozen=True):
    """One side of an opposed test; `roll` is unset until the side has rolled."""

    entity: str
    seat: str
    player: bool
    defends: bool
    percent: int
    steps: int
    roll: int | UnsetType = UNSET


def rank_sides(sides: Iterable[Contender]) -> tuple[str, ...]:
    """Return the ids of the sides, best first; every side must have rolled."""
    return tuple(
        side.entity
        for side in sorted(
            tie_order(sides), key=lambda side: _possible_ranks(side)[-1], reverse=True
        )
    )


def tie_order(sides: Iterable[Contender]) -> list[Contender]:
    """Return the sides in the order that breaks ties.

    Players come first, then defenders, then higher goals, then seats and ids in alphabetical order.
    """
    return sorted(
        sides,
        key=lambda side: (not side.player, not side.defends, -_goal(side), side.seat, side.entity),
    )


def _goal(side: Contender) -> Fraction:
    return rules.goal(side.percent, side.steps)


def chances_to_lead(sides: Iterable[Contender]) -> Mapping[str, Fraction]:
    """Return the exact chance of each side to rank first.

    Sides that have not rolled yet are assumed to roll independently.
    """
    ordered = tie_order(sides)
    possible = [_possible_ranks(side) for side in ordered]
    ways = prod(map(len, possible))
    leads = {
        side.entity: sum(_ways_below(possible, place, value) for value in possible[place])
        for place, side in enumerate(ordered)
    }
    return {entity: Fraction(lead, ways) for entity, lead in leads.items() if lead}


def _possible_ranks(side: Contender) -> list[int]:
    """Return the ranks that the side can reach, lowest first.

    A better outcome always ranks higher; for the same outcome, a higher roll does.
    """
    goal = _goal(side)
    rolls = range(1, rules.PERCENT + 1) if side.roll is UNSET else [side.roll]
    return sorted(
        rules.RANKS.index(rules.outcome(roll, goal)) * (rules.PERCENT + 1) + roll for roll in rolls
    )


def _ways_below(possible: Sequence[Sequence[int]], place: int, value: int) -> int:
    """Return the number of ways in which all other sides rank below the side at `place`.

    `value` is the rank of that side. Sides after `place` may also equal it, because they lose ties.
    """
    before = prod(bisect_left(other, value) for other in possible[:place])
    return before and before * prod(bisect_right(other, value) for other in possible[place + 1 :])
