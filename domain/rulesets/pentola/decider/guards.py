"""Preconditions for commands.

Most of these functions raise Refused if the precondition is not met.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from domain.decider import By, Refused
from domain.rulesets.pentola import commands as c, rules
from domain.rulesets.pentola.rules import Being, Bonus, Characteristic, Phase, Undeclared
from domain.rulesets.pentola.state import (
    Action,
    Entity,
    Held,
    HeldBonus,
    Moment,
    OpenTest,
    Participant,
    State,
)
from domain.text import is_blank


def require_words(state: State, command: c.Command) -> None:
    """Raise Refused if a text field of the command is blank.

    Edition 1 checks only the fields that were added together with edition 2.
    """
    for field, text in asdict(command).items():
        if not isinstance(text, str) or not is_blank(text):
            continue
        if state.edition >= rules.BLANKS_ARE_REFUSED_SINCE or _is_new_text(command, field):
            raise Refused("blank-text", field=field)


def _is_new_text(command: c.Command, field: str) -> bool:
    """Return True for the fields added with edition 2: any `aim`, and a condition's `name`."""
    return field == "aim" or (
        field == "name" and isinstance(command, c.SetCondition | c.EndCondition)
    )


def require_change(state: State, old: object, new: object) -> None:
    """Raise Refused if an adjustment would change nothing. Edition 1 allows this."""
    if old == new and state.edition >= rules.NOTHING_CHANGES_SINCE:
        raise Refused("nothing-changes")


def find_entity(state: State, entity: str) -> Entity:
    """Return the entity, or raise Refused if it is unknown or has left the story."""
    if entity not in state.entities:
        raise Refused("no-such-entity", entity=entity)
    if state.entities[entity].retired is True:
        raise Refused("retired", entity=entity)
    return state.entities[entity]


def find_character(state: State, entity: str) -> Entity:
    """Return the entity, or raise Refused if it is not a character."""
    character = find_entity(state, entity)
    if character.being is Being.THING:
        raise Refused("not-a-character", entity=entity)
    return character


def find_own_entity(state: State, entity: str, by: By) -> Entity:
    """Return the entity if the seat may act for it, or raise Refused.

    Players may act for their own PCs, and the referee for everything.
    """
    found = find_entity(state, entity)
    if not by.is_gm and not (found.being is Being.PC and found.seat == by.seat):
        raise Refused("not-yours", entity=entity, seat=found.seat)
    return found


def find_own(state: State, entity: str, by: By) -> Entity:
    """Return the character if the seat may act for it, or raise Refused."""
    find_own_entity(state, entity, by)
    return find_character(state, entity)


def require_alive(entity: str, character: Entity) -> None:
    if character.hit_points == 0:
        raise Refused("dead", entity=entity)


def find_hit_points(entity: str, character: Entity) -> int:
    if character.hit_points is UNSET:
        raise Refused("no-hit-points", entity=entity)
    return character.hit_points


def base_goal(entity: str, character: Entity, characteristic: Characteristic) -> int:
    """Return the goal in percent, before bonuses and difficulty steps are applied."""
    return rules.base(find_score(entity, character, characteristic))


def find_score(entity: str, character: Entity, characteristic: Characteristic) -> int:
    if characteristic not in character.scores:
        raise Refused("no-such-characteristic", entity=entity, characteristic=characteristic)
    return character.scores[characteristic]


def is_same_name(state: State, name: str, other: str) -> bool:
    """Return True if both names mean the same sheet entry. Edition 1 requires an exact match."""
    if state.edition < rules.NAMES_ARE_FOLDED_SINCE:
        return name == other
    return rules.folded(name) == rules.folded(other)


def find_bonus(state: State, entity: str, name: str) -> HeldBonus:
    for known in state.entities[entity].bonuses:
        if is_same_name(state, known.name, name):
            return known
    raise Refused("no-such-bonus", entity=entity, bonus=name)


def highest_bonus(
    state: State,
    entity: str,
    names: Sequence[str] | UnsetType,
    sources: Sequence[Bonus] = tuple(Bonus),
) -> HeldBonus | None:
    """Return the highest of the named bonuses, or None if no bonus is named.

    Raises Refused if a named bonus is missing from the sheet, is barred from the next roll, or is
    not from one of the `sources`.
    """
    known = [find_bonus(state, entity, name) for name in ([] if names is UNSET else names)]
    for one in known:
        if one.source not in sources:
            raise Refused("not-a-skill-or-vocation", bonus=one.name, source=one.source)
        if one.name in state.entities[entity].barred:
            raise Refused("bonus-barred", entity=entity, bonus=one.name)
    return max(known, key=lambda one: one.percent, default=None)


def find_held(state: State, entity: str, name: str) -> Held:
    for known in state.entities[entity].held:
        if is_same_name(state, known.name, name):
            return known
    raise Refused("not-held", entity=entity, held=name)


def require_space(state: State, entity: str, name: str) -> None:
    """Raise Refused if the sheet is full or already has an entry of that name."""
    character = state.entities[entity]
    names = [
        *Characteristic,
        *(one.name for one in character.bonuses),
        *(one.name for one in character.held),
    ]
    taken = next((other for other in names if is_same_name(state, name, other)), None)
    if taken is not None:
        raise Refused("name-taken", entity=entity, name=taken)
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


def require_not_busy(state: State, entity: str) -> None:
    """Raise Refused if the entity is in the middle of an action."""
    action = state.actions.get(entity)
    if action is not None and action.ruling is UNSET:
        raise Refused("action-open", entity=entity)


def require_no_test(state: State, entity: str) -> None:
    if entity in state.tests:
        raise Refused("in-a-test", entity=entity, action=state.tests[entity].action)


def find_test(state: State, entity: str) -> OpenTest:
    if entity not in state.tests:
        raise Refused("no-test", entity=entity)
    return state.tests[entity]


def require_no_action_test(state: State, entity: str) -> None:
    """Raise Refused if a test of the entity's own action has been called for."""
    test = state.tests.get(entity)
    if test and test.action == entity and test.undeclared is not Undeclared.DEMANDED:
        raise Refused("test-called", entity=entity, difficulty=test.difficulty)


def require_outside_moment(state: State, entity: str) -> None:
    if state.moment is not UNSET and entity in state.moment.parts:
        raise Refused("in-a-moment", entity=entity, number=state.moment.number)


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
