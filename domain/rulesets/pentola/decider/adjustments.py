"""The referee's hand: distances, and every number on a sheet with a reason (RULES 9 and 10)."""

from __future__ import annotations

from msgspec import UNSET

from domain.decider import By, Refused
from domain.rulesets.pentola import rules
from domain.rulesets.pentola.decider import guards
from domain.rulesets.pentola.messages.commands.play import (
    AdjustBonus,
    AdjustCharacteristic,
    Adjustment,
    AdjustUsageDie,
    SetDistance,
)
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events.play import (
    BonusAdjusted,
    CharacteristicAdjusted,
    DistanceSet,
    UsageDieAdjusted,
)
from domain.rulesets.pentola.rules import Die
from domain.rulesets.pentola.state import State


def decide(state: State, command: Adjustment, by: By) -> tuple[Event, ...]:
    guards.referee(by)
    match command:
        case SetDistance():
            return _set_distance(state, command)
        case AdjustCharacteristic(entity, characteristic, score, reason):
            old = guards.score_of(entity, guards.character(state, entity), characteristic)
            return (CharacteristicAdjusted(entity, characteristic, old, score, reason),)
        case AdjustBonus(entity, bonus, percent, reason):
            held = guards.bonus(entity, guards.character(state, entity), bonus)
            return (BonusAdjusted(entity, bonus, held.percent, percent, reason),)
        case AdjustUsageDie():
            return _adjust_usage_die(state, command)


def _set_distance(state: State, command: SetDistance) -> tuple[Event, ...]:
    guards.found(state, command.entity)
    guards.found(state, command.other)
    if command.entity == command.other:
        raise Refused("not-oneself", entity=command.entity)
    old = state.distances.get(rules.apart(command.entity, command.other), UNSET)
    return (DistanceSet(command.entity, command.other, command.distance, old),)


def _adjust_usage_die(state: State, command: AdjustUsageDie) -> tuple[Event, ...]:
    held = guards.held(command.entity, guards.character(state, command.entity), command.held)
    due, waiting = (0, 0) if command.die is Die.EXPENDED else (held.due, held.waiting)
    return (
        UsageDieAdjusted(
            command.entity, held.name, held.die, command.die, due, waiting, command.reason
        ),
    )
