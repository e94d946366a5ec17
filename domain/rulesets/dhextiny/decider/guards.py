"""What must hold before a command: who may, and in what condition. Each finds what it guards, or refuses."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused
from domain.rulesets.dhextiny.rules import Being, Status
from domain.rulesets.dhextiny.state import Ability, Entity, OpenCheck, State


def master(by: By) -> None:
    if not by.is_gm:
        raise Refused("gm-only", role=by.role)


def found(state: State, entity: str) -> Entity:
    if entity not in state.entities:
        raise Refused("no-such-entity", entity=entity)
    return state.entities[entity]


def own(state: State, entity: str, by: By) -> Entity:
    """An entity that the seat speaks for: its own PC, or any for the GM."""
    mine = found(state, entity)
    if not by.is_gm and not _played(mine, by):
        raise Refused("not-yours", entity=entity, seat=mine.seat)
    return mine


def own_points(state: State, entity: str, by: By) -> Entity:
    """An entity whose AP the seat may spend: its own PC, or for the GM any that is not a PC."""
    mine = found(state, entity)
    if not (_played(mine, by) if mine.being is Being.PC else by.is_gm):
        raise Refused("not-yours", entity=entity, seat=mine.seat)
    return mine


def _played(entity: Entity, by: By) -> bool:
    return entity.being is Being.PC and entity.seat == by.seat


def awake(entity: str, of: Entity) -> None:
    alive(entity, of)
    if of.status is Status.DYING:
        raise Refused("dying", entity=entity, lp=of.lp)


def alive(entity: str, of: Entity) -> None:
    if of.status is Status.DEAD:
        raise Refused("dead", entity=entity)


def aflame(entity: str, of: Entity) -> None:
    if not of.aflame:
        raise Refused("not-aflame", entity=entity)


def token_free(state: State) -> None:
    if state.check is not UNSET:
        raise Refused("check-open", entity=state.check.entity, use=state.check.use)


def open_check(state: State, entity: str) -> OpenCheck:
    """The open check, where it is this entity's."""
    if state.check is UNSET:
        raise Refused("no-check-open", entity=entity)
    if state.check.entity != entity:
        raise Refused("not-its-check", entity=entity, open=state.check.entity)
    return state.check


def knows(entity: str, of: Entity, ability: str) -> Ability:
    for known in of.abilities:
        if known.name == ability:
            return known
    raise Refused("no-such-ability", entity=entity, ability=ability)


def knows_if_named(entity: str, of: Entity, ability: str | UnsetType) -> None:
    if ability is not UNSET:
        knows(entity, of, ability)
