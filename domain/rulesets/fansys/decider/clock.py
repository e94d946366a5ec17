"""Time passes and conditions run out; the scene changes (RULES 9.4 and 13)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused
from domain.rulesets.fansys.decider import guards
from domain.rulesets.fansys.messages.commands.mastery import PassTime, SetScene, Time
from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.messages.events.mastery import ConditionTicked, SceneSet, TimePassed
from domain.rulesets.fansys.rules import hours
from domain.rulesets.fansys.rules.conditions import Condition
from domain.rulesets.fansys.rules.words import Unit
from domain.rulesets.fansys.state import State


def decide(state: State, command: Time, by: By) -> tuple[Event, ...]:
    guards.master(by)
    match command:
        case PassTime(amount, unit):
            return passing(state, amount * hours.seconds(unit, state.options), amount, unit)
        case SetScene(scene, reason):
            return (SceneSet(state.scene, scene, reason),)


def passing(
    state: State, seconds: int, amount: int | UnsetType = UNSET, unit: Unit | UnsetType = UNSET
) -> tuple[Event, ...]:
    """The clock goes on, and every counted condition loses the rounds that have begun in that time."""
    clock = state.clock + seconds
    if clock > hours.MOST_CLOCK:
        raise Refused("end-of-time", clock=state.clock, seconds=seconds)
    rounds = hours.rounds(seconds, state.options)
    ticked = (
        ConditionTicked(entity, Condition(condition), max(0, left - rounds))
        for entity, of in sorted(state.entities.items())
        for condition, left in sorted(of.conditions.items())
        if left
    )
    return TimePassed(seconds, clock, amount, unit), *ticked
