"""Decider functions for conditions, and for the clock that ends them (RULES 13 and 14)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.decider import By, Refused
from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.decider import guards
from domain.rulesets.fansys.rules import editions, modifiers, sheet
from domain.rulesets.fansys.rules.vocabulary import Unit
from domain.rulesets.fansys.state import Entity, State


def set_condition(state: State, command: c.SetCondition, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    if guards.refuses_nonsense(state):
        guards.require_intact(command.entity, character)
    name = _chosen_name(command)
    if command.rounds is not UNSET and command.minutes is not UNSET:
        raise Refused("one-duration", rounds=command.rounds, minutes=command.minutes)
    preset = modifiers.find_preset(name)
    if preset is None:
        _require_place(state, command.entity, name)
        return (
            e.ConditionSet(command.entity, name, command.rounds, command.minutes, command.note),
        )
    if command.note is not UNSET:
        raise Refused("no-note-on-a-preset", condition=preset.value)
    rounds = command.rounds
    if command.minutes is not UNSET:
        seconds = command.minutes * sheet.SECONDS[Unit.MINUTE]
        rounds = sheet.begun_rounds(seconds, state.options)
    return (e.ConditionSet(command.entity, preset.value, rounds),)


def _chosen_name(command: c.SetCondition) -> str:
    """Return the name of the condition, which is one of the game's or a custom one.

    Raises Refused unless exactly one of `condition` and `name` is set.
    """
    if command.condition is not UNSET and command.name is UNSET:
        return command.condition.value
    if command.condition is not UNSET or command.name is UNSET:
        raise Refused("name-one-condition", entity=command.entity)
    return " ".join(command.name.split())


def _require_place(state: State, entity: str, name: str) -> None:
    """Raise Refused if the condition would give the entity too many custom conditions."""
    held = [own for own in state.conditions.values() if own.entity == entity]
    known = modifiers.condition_key(entity, name) in state.conditions
    if not known and len(held) >= sheet.MAX_OWN_CONDITIONS:
        raise Refused("too-many-conditions", entity=entity, most=sheet.MAX_OWN_CONDITIONS)


def lift_condition(state: State, command: c.LiftCondition, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    held = guards.find_entity(state, command.entity).conditions
    name = command.condition.value
    if name not in held:
        raise Refused("not-in-that-condition", entity=command.entity, condition=name)
    lifted = e.ConditionLifted(command.entity, command.condition, held[name] or UNSET)
    return lifted, *_end_modifiers(state, command.entity, name)


def end_condition(state: State, command: c.EndCondition, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    name, left = _find_held(state, guards.find_entity(state, command.entity), command)
    ended = e.ConditionEnded(command.entity, name, command.reason, left)
    return ended, *_end_modifiers(state, command.entity, name)


def _find_held(
    state: State, character: Entity, command: c.EndCondition
) -> tuple[str, int | UnsetType]:
    """Return the name of the condition to end and the number of rounds left.

    The number is UNSET if the condition is not limited to a number of rounds. Raises Refused if the
    entity does not have the condition.
    """
    preset = modifiers.find_preset(command.name)
    if preset is not None and preset.value in character.conditions:
        return preset.value, character.conditions[preset.value] or UNSET
    own = state.conditions.get(modifiers.condition_key(command.entity, command.name))
    if own is not None:
        return own.name, own.rounds
    raise Refused("no-such-condition", entity=command.entity, condition=command.name)


def _end_modifiers(state: State, entity: str, condition: str) -> tuple[e.Event, ...]:
    """Return the events for the modifiers that end with the condition (RULES 14.9)."""
    if state.edition < editions.MODIFIERS_END_SINCE:
        return ()
    ending = modifiers.of_condition(state.entities[entity].modifiers, condition)
    return tuple(e.ModifierSet(entity, replace(each, value=0), each.value) for each in ending)


def pass_time(state: State, command: c.PassTime, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    seconds = command.amount * sheet.unit_seconds(command.unit, state.options)
    return advance_clock(state, seconds, command.amount, command.unit)


def advance_clock(
    state: State, seconds: int, amount: int | UnsetType = UNSET, unit: Unit | UnsetType = UNSET
) -> tuple[e.Event, ...]:
    """Return the events for advancing the clock and counting down conditions.

    Conditions that last until they are lifted are not affected.
    """
    clock = state.clock + seconds
    if clock > sheet.MAX_CLOCK:
        raise Refused("end-of-time", clock=state.clock, seconds=seconds)
    events: list[e.Event] = [e.TimePassed(seconds, clock, amount, unit)]
    rounds = sheet.begun_rounds(seconds, state.options)
    for ticked in (*_preset_ticks(state, rounds), *_own_ticks(state, rounds, clock)):
        events.append(ticked)
        if not (ticked.rounds or ticked.minutes):
            events.extend(_end_modifiers(state, ticked.entity, ticked.condition))
    return tuple(events)


def _preset_ticks(state: State, rounds: int) -> Iterator[e.ConditionTicked]:
    for entity, character in sorted(state.entities.items()):
        for condition, left in sorted(character.conditions.items()):
            if left:
                yield e.ConditionTicked(entity, condition, max(0, left - rounds))


def _own_ticks(state: State, rounds: int, clock: int) -> Iterator[e.ConditionTicked]:
    """Yield an event for each custom condition whose remaining rounds or minutes change."""
    for _, own in sorted(state.conditions.items()):
        if own.rounds is not UNSET:
            yield e.ConditionTicked(own.entity, own.name, max(0, own.rounds - rounds))
        elif own.until is not UNSET:
            left = sheet.minutes_left(own.until, clock)
            if left != sheet.minutes_left(own.until, state.clock):
                yield e.ConditionTicked(own.entity, own.name, minutes=left)
