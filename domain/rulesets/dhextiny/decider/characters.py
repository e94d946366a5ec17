"""Entities come to the table and get their abilities (RULES 3 and 4)."""

from __future__ import annotations

from msgspec import UNSET

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.dhextiny import rules
from domain.rulesets.dhextiny.decider import guards
from domain.rulesets.dhextiny.messages.commands import (
    Character,
    CreateCreature,
    CreateNpc,
    CreatePc,
    NameAbility,
    RollAbilities,
)
from domain.rulesets.dhextiny.messages.events import (
    AbilitiesRolled,
    AbilityNamed,
    EntityCreated,
    Event,
)
from domain.rulesets.dhextiny.rules import Being
from domain.rulesets.dhextiny.state import Entity, State


def decide(state: State, command: Character, by: By, chance: Chance) -> tuple[Event, ...]:
    match command:
        case CreatePc():
            return _create(state, command, Being.PC, _player(command, by), rules.LP_START)
        case CreateNpc():
            guards.master(by)
            return _create(state, command, Being.NPC, by.seat, rules.LP_START)
        case CreateCreature():
            guards.master(by)
            return _create(
                state, command, Being.CREATURE, by.seat, command.lp, command.death_rule is True
            )
        case RollAbilities():
            return _roll_abilities(state, command, by, chance)
        case NameAbility():
            return _name_ability(state, command, by)


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
    state: State,
    command: CreatePc | CreateNpc | CreateCreature,
    being: Being,
    seat: str,
    lp: int,
    death_rule: bool = False,
) -> tuple[Event, ...]:
    if command.entity in state.entities:
        raise Refused("entity-exists", entity=command.entity)
    if len(state.entities) >= rules.MOST_ENTITIES:
        raise Refused("too-many-entities", most=rules.MOST_ENTITIES)
    dies_at = rules.dies_at(being, death_rule, state.options)
    return (EntityCreated(command.entity, command.name, being, seat, rules.AP_START, lp, dies_at),)


def _roll_abilities(
    state: State, command: RollAbilities, by: By, chance: Chance
) -> tuple[Event, ...]:
    entity = guards.own(state, command.entity, by)
    if entity.being is Being.CREATURE:
        raise Refused("creatures-do-not-roll", entity=command.entity)
    if entity.abilities_rolled:
        raise Refused("abilities-rolled", entity=command.entity, number=entity.abilities_rolled)
    face = chance.draw(rules.DIE)  # a plain roll: the token does not move
    return (AbilitiesRolled(command.entity, face, face + rules.ABILITIES_ADDED),)


def _name_ability(state: State, command: NameAbility, by: By) -> tuple[Event, ...]:
    entity = guards.own(state, command.entity, by)
    if any(known.name == command.ability for known in entity.abilities):
        raise Refused("ability-exists", entity=command.entity, ability=command.ability)
    if len(entity.abilities) >= rules.MOST_ABILITIES:
        raise Refused("too-many-abilities", entity=command.entity, most=rules.MOST_ABILITIES)
    if entity.being is not Being.CREATURE:
        _within_the_roll(entity, command)
    amx = rules.AMX_START if command.amx is UNSET else command.amx
    return (AbilityNamed(command.entity, command.ability, amx),)


def _within_the_roll(entity: Entity, command: NameAbility) -> None:
    """A PC or NPC names as many abilities as it rolled, each of the book's AMX."""
    if command.amx is not UNSET:
        raise Refused("amx-starts-at-three", entity=command.entity, amx=command.amx)
    if not entity.abilities_rolled:
        raise Refused("abilities-not-rolled", entity=command.entity)
    if len(entity.abilities) >= entity.abilities_rolled:
        raise Refused("no-ability-left", entity=command.entity, number=entity.abilities_rolled)
