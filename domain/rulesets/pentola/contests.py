"""Opposed tests: the ranking of the sides, and their exact chances of winning."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod

import msgspec
from msgspec import UNSET, UnsetType

from domain.rulesets.pentola import rules


class Contender(msgspec.Struct, frozen=True):
    """One side of an opposed test.

    `roll` is unset until the side has rolled.
    """

    entity: str
    seat: str
    player: bool
    defends: bool
    percent: int
    steps: int
    roll: int | UnsetType = UNSET


def rank_sides(sides: Iterable[Contender]) -> tuple[str, ...]:
    """Return the entity ids of the sides, best first.

    Every side must have rolled.
    """
    return tuple(
        side.entity
        for side in sorted(
            tie_order(sides), key=lambda side: _possible_ranks(side)[-1], reverse=True
        )
    )


def tie_order(sides: Iterable[Contender]) -> list[Contender]:
    """Return the sides in tie-breaking order.

    Players come first, then defenders, then sides with higher goals. Remaining ties are broken
    alphabetically, by seat and then by entity id.
    """
    return sorted(
        sides,
        key=lambda side: (not side.player, not side.defends, -_goal(side), side.seat, side.entity),
    )


def tie_break(first: Contender, second: Contender) -> rules.TieBreak | None:
    """Return the rule that ranks `first` above `second`, or None if they are not tied.

    Both sides must have rolled.
    """
    if _possible_ranks(first) != _possible_ranks(second):
        return None
    if first.player is not second.player:
        return rules.TieBreak.PLAYER
    if first.defends is not second.defends:
        return rules.TieBreak.DEFENDER
    return rules.TieBreak.ORDER if _goal(first) == _goal(second) else rules.TieBreak.GOAL


def _goal(side: Contender) -> Fraction:
    return rules.goal(side.percent, side.steps)


def chances_to_lead(sides: Iterable[Contender]) -> Mapping[str, Fraction]:
    """Return the exact probability that each side ranks first.

    Sides that cannot rank first are omitted. Sides that have not rolled yet are assumed to roll
    independently.
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

    A better outcome always ranks higher. If two outcomes are equal, the higher roll ranks higher.
    """
    goal = _goal(side)
    rolls = range(1, rules.PERCENT + 1) if side.roll is UNSET else [side.roll]
    return sorted(
        rules.RANKS.index(rules.outcome(roll, goal)) * (rules.PERCENT + 1) + roll for roll in rolls
    )


def _ways_below(possible: Sequence[Sequence[int]], place: int, value: int) -> int:
    """Count the rank combinations that let the side at `place` win with rank `value`.

    Sides before `place` win ties and must therefore rank lower. Sides after it lose ties and may
    have the same rank.
    """
    before = prod(bisect_left(other, value) for other in possible[:place])
    return before and before * prod(bisect_right(other, value) for other in possible[place + 1 :])
