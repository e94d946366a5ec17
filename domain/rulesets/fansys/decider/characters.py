"""Characters come to the table and grow (RULES 3 and 4)."""

from __future__ import annotations

from msgspec import UNSET

from domain.decider import By, Refused
from domain.rulesets.fansys.decider import guards
from domain.rulesets.fansys.messages.commands.characters import (
    Create,
    Growth,
    HandOver,
    LevelUp,
    TrainDice,
)
from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.messages.events.characters import (
    Created,
    DiceTrained,
    HandedOver,
    LevelGained,
)
from domain.rulesets.fansys.rules import pools, sheet
from domain.rulesets.fansys.rules.words import Being, Energy
from domain.rulesets.fansys.state import State


def decide(state: State, command: Growth, by: By) -> tuple[Event, ...]:
    match command:
        case Create():
            return _create(state, command, by)
        case HandOver():
            return _hand_over(state, command, by)
        case LevelUp():
            return _level_up(state, command, by)
        case TrainDice():
            return _train_dice(state, command, by)


def _create(state: State, command: Create, by: By) -> tuple[Event, ...]:
    if command.entity in state.entities:
        raise Refused("entity-exists", entity=command.entity)
    if len(state.entities) >= sheet.MOST_ENTITIES:
        raise Refused("too-many-entities", most=sheet.MOST_ENTITIES)
    stats = _stats(command)
    for energy, owned in ((Energy.SP, command.sp_dice), (Energy.MP, command.mp_dice)):
        _within_capacity(command.entity, energy, owned, command.level, stats)
    created = Created(
        entity=command.entity,
        name=command.name,
        being=Being.NPC if by.is_gm else Being.PC,
        seat=by.seat,
        level=command.level,
        stats=stats,
        entity_type=command.entity_type,
        race=command.race,
        size=command.size,
        bodiless=command.bodiless is True,
        mindless=command.mindless is True,
        pools=pools.full(command.level, stats, command.sp_dice, command.mp_dice),
        looks=command.looks,
    )
    return (created,)


def _stats(command: Create) -> tuple[int, ...]:
    """Six scores; without a physical form those of the body are 0."""
    body = (command.strength, command.dexterity, command.constitution)
    mind = (command.intelligence, command.wisdom, command.charisma)
    return ((0, 0, 0) if command.bodiless is True else body) + mind


def _within_capacity(
    entity: str, energy: Energy, owned: int, level: int, stats: tuple[int, ...]
) -> None:
    capacity = sheet.capacity(energy, level, stats)
    if owned > capacity:
        raise Refused(
            "over-capacity", entity=entity, energy=energy.value, dice=owned, capacity=capacity
        )


def _hand_over(state: State, command: HandOver, by: By) -> tuple[Event, ...]:
    guards.master(by)
    of = guards.found(state, command.entity)
    if command.seat is UNSET:
        return (HandedOver(command.entity, Being.NPC, of.seat, by.seat, command.reason),)
    return (HandedOver(command.entity, Being.PC, of.seat, command.seat, command.reason),)


def _level_up(state: State, command: LevelUp, by: By) -> tuple[Event, ...]:
    guards.master(by)
    of = guards.found(state, command.entity)
    level = of.level + 1
    if level > sheet.MOST_LEVEL:
        raise Refused("over-level", entity=command.entity, most=sheet.MOST_LEVEL)
    return (
        LevelGained(
            command.entity,
            level,
            command.reason,
            of.pools,
            pools.refitted(of.pools, level, of.stats),
        ),
    )


def _train_dice(state: State, command: TrainDice, by: By) -> tuple[Event, ...]:
    of = guards.own_sheet(state, command.entity, by)
    _within_capacity(command.entity, command.energy, command.owned, of.level, of.stats)
    trained = pools.trained(of.pools, command.energy, command.owned, of.level, of.stats)
    capacity = sheet.capacity(command.energy, of.level, of.stats)
    return (DiceTrained(command.entity, command.energy, capacity, of.pools, trained),)
