"""Exact chances in closed form, for every command that rolls: 2d12 by its table of sums, damage by convolution."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from msgspec import UNSET

from domain.rulesets.fansys.decider import combat, reckoning, rolls
from domain.rulesets.fansys.messages.commands import Command
from domain.rulesets.fansys.messages.commands.checks import Roll
from domain.rulesets.fansys.messages.commands.combat import Attack, Harm, RollDamage
from domain.rulesets.fansys.rules import dice, stacking
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.state import State

SUCCESS, FAILURE = "success", "failure"
Chances = Mapping[str, Fraction]


def odds(state: State, command: Command) -> Chances | None:
    """Of a command that is allowed and rolls; success and failure, a sum where there is no threshold, or damage."""
    match command:
        case Roll():
            return _of_check(state, command)
        case Attack(entity, target, attack):
            of, against = state.entities[entity], state.entities[target]
            known = combat.known_attack(entity, of, attack)
            modifier = reckoning.total(reckoning.of_attack(state, of, known))
            twist = reckoning.twist_of_attack(state, of, against, known)
            return _of_threshold(
                twist, False, modifier, stacking.hit(against.defences), automatic=True
            )
        case RollDamage(entity):
            hit = state.hits[entity]
            return _of_damage(
                hit.attack.dice * hit.times, hit.attack.sides, hit.attack.bonus, half=False
            )
        case Harm(points=points):
            return _of_damage(*combat.harm_dice(command), points, command.half is True)
        case _:
            return None


def _of_check(state: State, command: Roll) -> Chances:
    of, check = state.entities[command.entity], state.checks[command.entity]
    planned = rolls.plan(state, of, check, rolls.chosen(check, command.stat))
    if planned.threshold is UNSET:
        whole = dice.faces(planned.twist)
        return {
            str(total): Fraction(n, whole)
            for total, n in dice.sums(planned.twist, planned.capped).items()
        }
    modifier = reckoning.total(planned.terms)
    return _of_threshold(
        planned.twist, planned.capped, modifier, planned.threshold, planned.automatic
    )


def _of_threshold(
    twist: Twist, capped: bool, modifier: int, threshold: int, automatic: bool
) -> Chances:
    success = Fraction(dice.ways(twist, capped, modifier, threshold, automatic), dice.faces(twist))
    return {name: chance for name, chance in ((SUCCESS, success), (FAILURE, 1 - success)) if chance}


def _of_damage(number: int, sides: int, bonus: int, half: bool) -> Chances:
    chances: dict[str, Fraction] = defaultdict(Fraction)
    for total, chance in dice.totals(number, sides).items():
        chances[str(combat.damage(total, bonus, half))] += chance
    return dict(chances)
