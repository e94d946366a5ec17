"""Exact probabilities of rolls, computed without enumerating every throw."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from msgspec import UNSET

from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys.decider import checks, combat
from domain.rulesets.fansys.rules import dice
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.vocabulary import AnnouncedAttack
from domain.rulesets.fansys.state import State

SUCCESS, FAILURE = "success", "failure"
Chances = Mapping[str, Fraction]


def odds(state: State, command: c.Command) -> Chances | None:
    """Return the probability of each result of a command, or None if it rolls no dice.

    Call this only for a command that the rules allow. The results are "success" and "failure" for a
    roll with a threshold, dice sums for a check without one, and points for damage.
    """
    match command:
        case c.Roll():
            return _check_odds(state, command)
        case c.Attack(entity, target, attack):
            known = combat.chosen_attack(entity, state.entities[entity], attack)
            return _attack_odds(state, entity, AnnouncedAttack(target, known))
        case c.RollAttack(entity):
            return _attack_odds(state, entity, state.attacks[entity])
        case c.RollDamage(entity):
            return _hit_odds(state, entity, command.half is True)
        case c.Harm(points=points):
            return _damage_odds(*combat.harm_dice(command), points, command.half is True)
        case _:
            return None


def _check_odds(state: State, command: c.Roll) -> Chances:
    check = state.checks[command.entity]
    stats = checks.chosen_stats(check, command.stat)
    planned = checks.plan_roll(state, command.entity, check, stats)
    if planned.threshold is UNSET:
        whole = dice.faces(planned.twist)
        return {
            str(total): Fraction(n, whole)
            for total, n in dice.sums(planned.twist, planned.capped).items()
        }
    modifier = checks.sum_terms(planned.terms)
    return _threshold_odds(
        planned.twist, planned.capped, modifier, planned.threshold, planned.automatic
    )


def _threshold_odds(
    twist: Twist, capped: bool, modifier: int, threshold: int, automatic: bool
) -> Chances:
    success = Fraction(dice.ways(twist, capped, modifier, threshold, automatic), dice.faces(twist))
    return {name: chance for name, chance in ((SUCCESS, success), (FAILURE, 1 - success)) if chance}


def _damage_odds(number: int, sides: int, bonus: int, half: bool) -> Chances:
    chances: dict[str, Fraction] = defaultdict(Fraction)
    for total, chance in dice.totals(number, sides).items():
        chances[str(combat.damage_points(total, bonus, half))] += chance
    return dict(chances)


def _attack_odds(state: State, entity: str, announced: AnnouncedAttack) -> Chances:
    planned = combat.plan_attack(state, entity, announced)
    modifier = checks.sum_terms(planned.terms)
    return _threshold_odds(planned.twist, False, modifier, planned.threshold, automatic=True)


def _hit_odds(state: State, entity: str, half: bool) -> Chances:
    hit = state.hits[entity]
    terms = combat.damage_terms(state, state.entities[entity], hit.attack)
    bonus = hit.attack.bonus + checks.sum_terms(terms)
    return _damage_odds(hit.attack.dice * hit.times, hit.attack.sides, bonus, half)
