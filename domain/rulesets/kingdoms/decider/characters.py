"""Entities come to the table and get their stats (RULES 3 and 4)."""

from __future__ import annotations

from msgspec import UNSET

from domain.decider import By, Refused
from domain.rulesets.kingdoms import rules
from domain.rulesets.kingdoms.decider import guards
from domain.rulesets.kingdoms.messages.commands import Character, CreateNpc, CreatePc, NameStat
from domain.rulesets.kingdoms.messages.events import EntityCreated, Event, StatNamed
from domain.rulesets.kingdoms.rules import Being
from domain.rulesets.kingdoms.state import State


def decide(state: State, command: Character, by: By) -> tuple[Event, ...]:
    match command:
        case CreatePc():
            return _create(state, command, Being.PC, _player(command, by))
        case CreateNpc():
            guards.referee(by)
            return _create(state, command, Being.NPC, by.seat)
        case NameStat():
            return _name_stat(state, command, by)


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
    if command.entity in state.entities:
        raise Refused("entity-exists", entity=command.entity)
    if len(state.entities) >= rules.MOST_ENTITIES:
        raise Refused("too-many-entities", most=rules.MOST_ENTITIES)
    return (EntityCreated(command.entity, command.name, being, seat, command.con, command.cha),)


def _name_stat(state: State, command: NameStat, by: By) -> tuple[Event, ...]:
    entity = guards.own(state, command.entity, by)
    if any(held.name == command.stat for held in entity.stats):
        raise Refused("stat-exists", entity=command.entity, stat=command.stat)
    if len(entity.stats) >= rules.MOST_STATS:
        raise Refused("too-many-stats", entity=command.entity, most=rules.MOST_STATS)
    return (StatNamed(command.entity, command.stat, command.value),)
