"""The attack that each FanSys character can make next, as the table shows it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import Refused
from domain.rulesets.fansys import presentation
from domain.rulesets.fansys.decider import checks, combat
from domain.rulesets.fansys.rules import dice, equipment, modifiers
from domain.rulesets.fansys.rules.dice import ADVANTAGE, PLAIN
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.vocabulary import AnnouncedAttack, ThresholdPart
from domain.rulesets.fansys.state import State
from domain.table import AttackForecast, Table


def show(state: State) -> Table:
    """Return the table, with the attack that each character in the story can make next."""
    return replace(presentation.show(state), attacks=dict(_forecasts(state)))


def _forecasts(state: State) -> Iterator[tuple[str, AttackForecast]]:
    for entity in state.entities:
        announced = None if entity in state.retired else _next_attack(state, entity)
        if announced is not None:
            yield entity, _forecast(state, entity, announced)


def _next_attack(state: State, entity: str) -> AnnouncedAttack | None:
    """Return the attack that is announced, or that hit last, or else the character's first one.

    The target of the first attack is the first character of the other side that it can harm.
    Return None if there is no target.
    """
    if entity in state.attacks:
        announced = state.attacks[entity]
        return announced if announced.target in state.entities else None
    if entity in state.hits:
        hit = state.hits[entity]
        return AnnouncedAttack(hit.target, hit.attack) if hit.target in state.entities else None
    character = state.entities[entity]
    attack = next(iter(character.attacks), equipment.weapon_attack(Item.STRIKE, None))
    aimed = (
        AnnouncedAttack(target, attack)
        for target, other in state.entities.items()
        if other.being is not character.being and target not in state.retired
    )
    return next((each for each in aimed if _is_possible(state, entity, each)), None)


def _is_possible(state: State, entity: str, announced: AnnouncedAttack) -> bool:
    try:
        combat.require_possible(state, entity, announced)
    except Refused:
        return False
    return True


def _forecast(state: State, entity: str, announced: AnnouncedAttack) -> AttackForecast:
    planned = combat.plan_attack(state, entity, announced)
    modifier = checks.sum_terms(planned.terms)
    sums = dice.sums(planned.twist)
    lowest, highest = min(sums), max(sums)
    return AttackForecast(
        label=announced.attack.name,
        target=announced.target,
        measure="HiT",
        defence=dict(_defence(state, announced)),
        needed=next(
            total
            for total in sums
            if dice.succeeds(total, modifier, planned.threshold, automatic=True)
        ),
        lowest=lowest,
        weights=tuple(sums.get(total, 0) for total in range(lowest, highest + 1)),
        percent={
            _twist_name(twist): _percent(twist, modifier, planned.threshold)
            for twist in dict.fromkeys((planned.twist, ADVANTAGE, PLAIN))
        },
        chosen=_twist_name(planned.twist),
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


def _percent(twist: dice.Twist, modifier: int, threshold: int) -> int:
    ways = dice.ways(twist, False, modifier, threshold, automatic=True)
    return round(100 * ways / dice.faces(twist))


def _twist_name(twist: dice.Twist) -> str:
    return twist.value if twist is PLAIN else f"with {twist}"
