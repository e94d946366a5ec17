"""Preconditions for commands.

Most of these functions raise Refused if the precondition is not met.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused
from domain.rulesets.pentola import rules
from domain.rulesets.pentola.rules import Being, Bonus, Characteristic, Phase
from domain.rulesets.pentola.state import (
    Action,
    Entity,
    Held,
    HeldBonus,
    Moment,
    Participant,
    State,
)


def find_entity(state: State, entity: str) -> Entity:
    if entity not in state.entities:
        raise Refused("no-such-entity", entity=entity)
    return state.entities[entity]


def find_character(state: State, entity: str) -> Entity:
    """Return the entity, or raise Refused if it is not a character."""
    character = find_entity(state, entity)
    if character.being is Being.THING:
        raise Refused("not-a-character", entity=entity)
    return character


def find_own(state: State, entity: str, by: By) -> Entity:
    """Return the character if the seat may act for it, or raise Refused.

    Players may act for their own PCs, and the referee for any character.
    """
    character = find_entity(state, entity)
    if not by.is_gm and not (character.being is Being.PC and character.seat == by.seat):
        raise Refused("not-yours", entity=entity, seat=character.seat)
    return find_character(state, entity)


def base_goal(entity: str, character: Entity, characteristic: Characteristic) -> int:
    """Return the goal in percent, before bonuses and difficulty steps are applied."""
    return rules.base(find_score(entity, character, characteristic))


def find_score(entity: str, character: Entity, characteristic: Characteristic) -> int:
    if characteristic not in character.scores:
        raise Refused("no-such-characteristic", entity=entity, characteristic=characteristic)
    return character.scores[characteristic]


def find_bonus(entity: str, character: Entity, name: str) -> HeldBonus:
    for known in character.bonuses:
        if known.name == name:
            return known
    raise Refused("no-such-bonus", entity=entity, bonus=name)


def highest_bonus(
    entity: str,
    character: Entity,
    names: Sequence[str] | UnsetType,
    sources: Sequence[Bonus] = tuple(Bonus),
) -> HeldBonus | None:
    """Return the highest of the named bonuses, or None if no bonus is named.

    Raises Refused if a named bonus is missing from the sheet, is barred from the next roll, or is
    not from one of the `sources`.
    """
    known = [find_bonus(entity, character, name) for name in ([] if names is UNSET else names)]
    for one in known:
        if one.source not in sources:
            raise Refused("not-a-skill-or-vocation", bonus=one.name, source=one.source)
        if one.name in character.barred:
            raise Refused("bonus-barred", entity=entity, bonus=one.name)
    return max(known, key=lambda one: one.percent, default=None)


def find_held(entity: str, character: Entity, name: str) -> Held:
    for known in character.held:
        if known.name == name:
            return known
    raise Refused("not-held", entity=entity, held=name)


def require_space(entity: str, character: Entity, name: str) -> None:
    names = [
        *Characteristic,
        *(one.name for one in character.bonuses),
        *(one.name for one in character.held),
    ]
    if name in names:
        raise Refused("name-taken", entity=entity, name=name)
    if len(character.bonuses) + len(character.held) >= rules.MAX_ON_SHEET:
        raise Refused("sheet-full", entity=entity, most=rules.MAX_ON_SHEET)


def find_open_action(state: State, entity: str) -> Action:
    """Return the character's action.

    Raises Refused if there is no action or if a ruling has already been made on it.
    """
    action = state.actions.get(entity)
    if action is None or action.ruling is not UNSET:
        raise Refused("no-intent", entity=entity)
    return action


def is_busy(state: State, entity: str) -> bool:
    action = state.actions.get(entity)
    return action is not None and action.ruling is UNSET


def require_no_test(state: State, entity: str) -> None:
    if entity in state.tests:
        raise Refused("in-a-test", entity=entity, action=state.tests[entity].action)


def find_moment(state: State) -> Moment:
    if state.moment is UNSET:
        raise Refused("no-moment")
    return state.moment


def find_rolling_moment(state: State) -> Moment:
    running = find_moment(state)
    if running.phase is not Phase.ROLLING:
        raise Refused("initiative-is-over", phase=running.phase)
    return running


def find_part(running: Moment, entity: str) -> Participant:
    if entity not in running.parts:
        raise Refused("not-in-the-moment", entity=entity)
    return running.parts[entity]
