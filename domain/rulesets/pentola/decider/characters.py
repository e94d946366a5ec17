"""Characters and things come to the table; bonuses, items and abilities come on their sheets (RULES 1)."""

from __future__ import annotations

from msgspec import UNSET

from domain.decider import By, Refused
from domain.rulesets.pentola import rules
from domain.rulesets.pentola.decider import guards
from domain.rulesets.pentola.messages.commands.play import (
    AddAbility,
    AddBonus,
    AddItem,
    Character,
    CreateNpc,
    CreatePc,
    CreateThing,
)
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events.play import (
    BonusAdded,
    CharacterCreated,
    ThingCreated,
    UsableAdded,
)
from domain.rulesets.pentola.rules import Being, Die, Usable
from domain.rulesets.pentola.state import State


def decide(state: State, command: Character, by: By) -> tuple[Event, ...]:
    match command:
        case CreatePc():
            return _create(state, command, Being.PC, _player(command, by))
        case CreateNpc():
            guards.referee(by)
            return _create(state, command, Being.NPC, by.seat)
        case CreateThing():
            guards.referee(by)
            _new(state, command.entity)
            return (ThingCreated(command.entity, command.name, by.seat),)
        case AddBonus():
            return _add_bonus(state, command, by)
        case AddItem(entity, item, die):
            return _add_usable(state, by, entity, item, Usable.ITEM, die)
        case AddAbility(entity, ability, die):
            return _add_usable(state, by, entity, ability, Usable.ABILITY, die)


def _player(command: CreatePc, by: By) -> str:
    """The seat that is to play the PC."""
    if by.is_gm and command.seat is UNSET:
        raise Refused("pc-needs-a-seat", entity=command.entity)
    if command.seat is UNSET:
        return by.seat
    if not by.is_gm and command.seat != by.seat:
        raise Refused("not-yours", entity=command.entity, seat=command.seat)
    return command.seat


def _create(
    state: State, command: CreatePc | CreateNpc, being: Being, seat: str
) -> tuple[Event, ...]:
    _new(state, command.entity)
    scores = command.body, command.intellect, command.power
    return (CharacterCreated(command.entity, command.name, being, seat, *scores),)


def _new(state: State, entity: str) -> None:
    if entity in state.entities:
        raise Refused("entity-exists", entity=entity)
    if len(state.entities) >= rules.MOST_ENTITIES:
        raise Refused("too-many-entities", most=rules.MOST_ENTITIES)


def _add_bonus(state: State, command: AddBonus, by: By) -> tuple[Event, ...]:
    of = guards.own(state, command.entity, by)
    guards.room_on_sheet(command.entity, of, command.bonus)
    return (BonusAdded(command.entity, command.bonus, command.source, command.percent),)


def _add_usable(
    state: State, by: By, entity: str, name: str, usable: Usable, die: Die
) -> tuple[Event, ...]:
    of = guards.own(state, entity, by)
    guards.room_on_sheet(entity, of, name)
    if die is Die.EXPENDED:
        raise Refused("expended", entity=entity, held=name)
    return (UsableAdded(entity, name, usable, die),)
