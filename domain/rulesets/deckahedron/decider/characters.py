"""Characters come to the table, are introduced, and leave it (RULES 2 and 3)."""

from __future__ import annotations

from msgspec import UNSET

from domain.decider import By, Refused
from domain.rulesets.deckahedron import rules
from domain.rulesets.deckahedron.decider import guards
from domain.rulesets.deckahedron.messages.commands import (
    Character,
    CreateCharacter,
    DistributeRanks,
    Introduce,
    Retire,
)
from domain.rulesets.deckahedron.messages.events import (
    CharacterCreated,
    Event,
    Introduced,
    RanksDistributed,
    Retired,
)
from domain.rulesets.deckahedron.state import State


def decide(state: State, command: Character, by: By) -> tuple[Event, ...]:
    match command:
        case CreateCharacter():
            return _create(state, command, by)
        case DistributeRanks():
            return _distribute(state, command, by)
        case Introduce():
            return _introduce(state, command, by)
        case Retire():
            return _retire(state, command, by)


def _create(state: State, command: CreateCharacter, by: By) -> tuple[Event, ...]:
    seat = _player(command, by)
    if command.entity in state.characters:
        raise Refused("entity-exists", entity=command.entity)
    playing = sorted(
        entity for entity, of in state.characters.items() if of.seat == seat and not of.retired
    )
    if playing:
        raise Refused("one-character", seat=seat, entity=playing[0])
    if len(state.characters) >= rules.MOST_CHARACTERS:
        raise Refused("too-many-entities", most=rules.MOST_CHARACTERS)
    return (CharacterCreated(command.entity, command.name, seat, rules.EVEN),)


def _player(command: CreateCharacter, by: By) -> str:
    """The seat that is to play the character."""
    if by.is_gm and command.seat is UNSET:
        raise Refused("character-needs-a-seat", entity=command.entity)
    if command.seat is UNSET:
        return by.seat
    if not by.is_gm and command.seat != by.seat:
        raise Refused("not-yours", entity=command.entity, seat=command.seat)
    return command.seat


def _distribute(state: State, command: DistributeRanks, by: By) -> tuple[Event, ...]:
    character = guards.own(state, command.entity, by)
    guards.idle(command.entity, character)
    if character.distributed:
        raise Refused("ranks-distributed", entity=command.entity)
    ranks = guards.ranks(character.ranks, command.strength, command.dexterity, command.intelligence)
    return (RanksDistributed(command.entity, ranks),)


def _introduce(state: State, command: Introduce, by: By) -> tuple[Event, ...]:
    guards.own(state, command.entity, by)
    said = (command.background, command.motivation, command.skills, command.bonds)
    if all(text is UNSET for text in said):
        raise Refused("nothing-said", entity=command.entity)
    return (Introduced(command.entity, *said),)


def _retire(state: State, command: Retire, by: By) -> tuple[Event, ...]:
    guards.idle(command.entity, guards.own(state, command.entity, by))
    return (Retired(command.entity, command.reason),)
