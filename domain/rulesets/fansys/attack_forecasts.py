"""The attack that each FanSys character can make next, as the table shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice

from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import Refused
from domain.rulesets.fansys import presentation
from domain.rulesets.fansys.decider import checks, combat
from domain.rulesets.fansys.rules import dice, equipment, modifiers
from domain.rulesets.fansys.rules.dice import ADVANTAGE, DOUBLE_TWELVE, PLAIN, SNAKE_EYES, Twist
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.vocabulary import AnnouncedAttack, ThresholdPart
from domain.rulesets.fansys.state import State
from domain.table import AttackForecast, Table, TargetForecast

MAX_TARGETS = 3
STRIKE = equipment.weapon_attack(Item.STRIKE, None)


def show(state: State) -> Table:
    """Return the table, with the attack that each character in the story can make next."""
    return replace(presentation.show(state), attacks=dict(_forecasts(state)))


def _forecasts(state: State) -> Iterator[tuple[str, AttackForecast]]:
    for entity in state.entities:
        aimed = () if entity in state.retired else tuple(_next_attacks(state, entity))
        if aimed:
            yield entity, _forecast(state, entity, aimed)


def _next_attacks(state: State, entity: str) -> Iterable[AnnouncedAttack]:
    """Return the attack that is announced or has just hit, or else the character's first attack.

    The first attack is returned with each of the first targets of the other side that it can harm.
    """
    if entity in state.attacks:
        begun = state.attacks[entity]
    elif entity in state.hits:
        begun = AnnouncedAttack(state.hits[entity].target, state.hits[entity].attack)
    else:
        return islice(_possible_attacks(state, entity), MAX_TARGETS)
    return (begun,) if begun.target in state.entities else ()


def _possible_attacks(state: State, entity: str) -> Iterator[AnnouncedAttack]:
    character = state.entities[entity]
    attack = character.attacks[0] if character.attacks else STRIKE
    for target, other in state.entities.items():
        if other.being is not character.being and target not in state.retired:
            aimed = AnnouncedAttack(target, attack)
            with suppress(Refused):
                combat.require_possible(state, entity, aimed)
                yield aimed


def _forecast(state: State, entity: str, aimed: Sequence[AnnouncedAttack]) -> AttackForecast:
    planned = [combat.plan_attack(state, entity, announced) for announced in aimed]
    return AttackForecast(
        label=aimed[0].attack.name,
        measure="HiT",
        lowest=SNAKE_EYES,
        weights={_twist_name(plan.twist): _weights(plan.twist) for plan in planned},
        targets={
            announced.target: TargetForecast(
                dict(_defence(state, announced)),
                *_chances(plan.twist, checks.sum_terms(plan.terms), plan.threshold),
                _twist_name(plan.twist),
            )
            for announced, plan in zip(aimed, planned, strict=True)
        },
    )


def _defence(state: State, announced: AnnouncedAttack) -> Iterator[tuple[str, int]]:
    """Yield the parts of the threshold that the attack has to reach."""
    yield "always", modifiers.HIT
    defences = state.entities[announced.target].defences
    for part in ThresholdPart:
        bonus = modifiers.part_bonus(defences, part)
        if bonus:
            yield part.value, bonus
    if announced.cover is not UNSET and announced.cover:
        yield "cover", announced.cover


@lru_cache
def _weights(twist: Twist) -> tuple[int, ...]:
    """Return the number of possible throws for each sum, including sums that cannot come."""
    sums = dice.sums(twist)
    return tuple(sums.get(total, 0) for total in range(SNAKE_EYES, DOUBLE_TWELVE + 1))


@lru_cache(maxsize=1024)
def _chances(twist: Twist, modifier: int, threshold: int) -> tuple[int, dict[str, int]]:
    """Return the lowest sum that hits, and the percentage of hits with each kind of throw."""
    needed = next(
        total
        for total in dice.sums(twist)
        if dice.succeeds(total, modifier, threshold, automatic=True)
    )
    percent = dict[str, int]()
    for each in (twist, ADVANTAGE, PLAIN):
        ways = dice.ways(each, False, modifier, threshold, automatic=True)
        percent[_twist_name(each)] = round(100 * ways / dice.faces(each))
    return needed, percent


def _twist_name(twist: Twist) -> str:
    return twist.value if twist is PLAIN else f"with {twist}"
