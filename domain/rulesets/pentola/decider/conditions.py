"""Conditions, and the time that passes for them and for the usage dice of used items.

The rules are in chapters 6 and 10 of RULES.md.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused
from domain.rulesets.pentola import commands as c, events as e, rules
from domain.rulesets.pentola.decider import guards
from domain.rulesets.pentola.state import HeldCondition, State


def set_condition(state: State, command: c.SetCondition, by: By) -> tuple[e.Event, ...]:
    """Return the event that sets the condition or changes its duration and note.

    If the entity already has the condition, the spelling of its name does not change.
    """
    by.require_gm()
    guards.find_entity(state, command.entity)
    if command.rounds is not UNSET and command.minutes is not UNSET:
        raise Refused("one-duration", rounds=command.rounds, minutes=command.minutes)
    held = state.conditions.get(rules.condition_key(command.entity, command.name))
    if held is None:
        _require_space(state, command.entity)
    name = command.name if held is None else held.name
    terms = command.rounds, command.minutes, command.note
    if HeldCondition(command.entity, name, *terms) == held:
        raise Refused("nothing-changes")
    return (e.ConditionSet(command.entity, name, *terms),)


def _require_space(state: State, entity: str) -> None:
    count = sum(held.entity == entity for held in state.conditions.values())
    if count >= rules.MAX_CONDITIONS:
        raise Refused("too-many-conditions", entity=entity, most=rules.MAX_CONDITIONS)


def end_condition(state: State, command: c.EndCondition, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_entity(state, command.entity)
    held = state.conditions.get(rules.condition_key(command.entity, command.name))
    if held is None:
        raise Refused("no-such-condition", entity=command.entity, condition=command.name)
    return (e.ConditionEnded(command.entity, held.name, command.reason, held.rounds, held.minutes),)


def tick(state: State, moments: int, minutes: int = 0) -> tuple[e.Event, ...]:
    """Return the events that shorten the conditions by the given moments or minutes."""
    return tuple(
        e.ConditionTicked(
            held.entity, held.name, _left(held.rounds, moments), _left(held.minutes, minutes)
        )
        for _, held in sorted(state.conditions.items())
        if (moments and held.rounds is not UNSET) or (minutes and held.minutes is not UNSET)
    )


def _left(left: int | UnsetType, passed: int) -> int | UnsetType:
    return UNSET if left is UNSET else max(0, left - passed)


def pass_minute(state: State, command: c.PassMinute, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    moment = state.moment
    if moment is not UNSET and state.edition >= rules.MOMENTS_BLOCK_MINUTES_SINCE:
        raise Refused("moment-running", number=moment.number)
    waiting = sorted(
        (entity, item.name, item.due + item.waiting)
        for entity, character in state.entities.items()
        for item in character.held
        if item.waiting and character.retired is not True
    )
    minutes = 1 if command.minutes is UNSET else command.minutes
    ticked = tick(state, minutes * rules.MOMENTS_PER_MINUTE, minutes)
    if not waiting and not ticked:
        raise Refused("nothing-used")
    rolls = (e.RollsDue(entity, item, due, command.minutes) for entity, item, due in waiting)
    return *rolls, *ticked
