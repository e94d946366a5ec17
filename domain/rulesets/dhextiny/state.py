"""Dhextiny's state: the token, the entities and the open check."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.dhextiny import messages as m, rules
from domain.rulesets.dhextiny.rules import Being, Options, Pool, Result, RollPurpose, Status


class Ability(msgspec.Struct, frozen=True):
    name: str
    amx: int


class Entity(msgspec.Struct, frozen=True):
    """A character or creature at the table.

    `abilities_rolled` is the number of abilities from the roll, or 0 before the roll. `aflame` is
    the number of rounds for which the entity will keep burning. `dies_at` is absent if the entity
    cannot die from losing LP.
    """

    name: str
    being: Being
    seat: str
    ap: int
    ap_max: int
    lp: int
    lp_start: int
    status: Status
    dies_at: int | UnsetType = UNSET
    abilities_rolled: int = 0
    abilities: tuple[Ability, ...] = ()
    aflame: int = 0


class UnsettledCheck(msgspec.Struct, frozen=True):
    """A check that has been rolled but not settled.

    `rolled` is the result of the roll, before any alteration. `moved` is the face of the die plus
    the added steps.
    """

    entity: str
    use: RollPurpose
    rolled: Result
    moved: int
    altered: bool
    gained: bool
    ability: str | UnsetType = UNSET
    target: str | UnsetType = UNSET


class State(msgspec.Struct, frozen=True):
    """The game state at one version of a session.

    Snapshots and forks store it as JSON without nulls or floats.
    """

    options: Options
    point: int
    entities: dict[str, Entity] = {}
    check: UnsettledCheck | UnsetType = UNSET


POOL_FIELDS = {Pool.AP: "ap", Pool.AP_MAX: "ap_max", Pool.LP: "lp"}


def initial(options: Options) -> State:
    return State(options, rules.starting_point(options))


def evolve(state: State, event: m.Event) -> State:
    """Return the state after the event.

    An event about an unknown entity can change only the token and the open check. Such an entity
    may have been created in a sealed event.
    """
    match event:
        case m.EntityCreated():
            return replace(state, entities=state.entities | {event.entity: _new_entity(event)})
        case m.AbilitiesRolled():
            return _change_entity(state, event.entity, abilities_rolled=event.number)
        case m.AbilityNamed():
            return _set_ability(state, event.entity, Ability(event.ability, event.amx))
        case m.AmxAdjusted():
            return _set_ability(state, event.entity, Ability(event.ability, event.new))
        case m.Checked():
            check = UnsettledCheck(
                entity=event.entity,
                use=event.use,
                rolled=event.result,
                moved=event.face,
                altered=False,
                gained=False,
                ability=event.ability,
                target=event.target,
            )
            return replace(state, point=event.point, check=check)
        case m.Altered():
            return replace(
                _change_entity(state, event.entity, ap=event.ap),
                point=event.point,
                check=_altered(state.check, event),
            )
        case m.Settled():
            return replace(state, point=event.point, check=UNSET)
        case m.TokenMoved():
            return replace(state, point=event.new)
        case m.Gained():
            return replace(
                _change_entity(state, event.entity, ap=event.ap), check=_gained(state.check, event)
            )
        case m.Hit(target=target, pool=Pool.AP):
            return _change_entity(state, target, ap=event.left, status=event.status)
        case m.Hit(target=target):
            return _change_entity(state, target, lp=event.left, status=event.status)
        case m.DeathChecked():
            return replace(
                _change_entity(state, event.entity, lp=event.lp, status=event.status),
                point=event.point,
            )
        case m.CaughtFire(entity, rounds) | m.Smouldered(entity, rounds):
            return _change_entity(state, entity, aflame=rounds)
        case m.Extinguished(target=target):
            return _change_entity(state, target, aflame=0)
        case m.Burned():
            return _change_entity(state, event.entity, lp=event.lp, status=event.status)
        case m.Rested():
            return _change_entity(state, event.entity, ap=event.ap)
        case m.Killed():
            return _change_entity(state, event.entity, status=Status.DEAD)
        case m.StatusAdjusted():
            return _change_entity(state, event.entity, status=event.new)
        case m.Adjusted():
            return _change_entity(state, event.entity, **{POOL_FIELDS[event.pool]: event.new})
        case _:
            raise TypeError(event)


def _new_entity(event: m.EntityCreated) -> Entity:
    return Entity(
        name=event.name,
        being=event.being,
        seat=event.seat,
        ap=event.ap,
        ap_max=event.ap,
        lp=event.lp,
        lp_start=event.lp,
        status=Status.OK,
        dies_at=event.dies_at,
    )


def _altered(check: UnsettledCheck | UnsetType, event: m.Altered) -> UnsettledCheck | UnsetType:
    if check is UNSET or check.entity != event.entity:
        return check
    return replace(check, ability=event.ability, moved=event.moved, altered=True)


def _gained(check: UnsettledCheck | UnsetType, event: m.Gained) -> UnsettledCheck | UnsetType:
    if check is UNSET or check.entity != event.entity:
        return check
    return replace(check, gained=True)


def _change_entity(
    state: State, entity: str, **changes: int | Status | tuple[Ability, ...]
) -> State:
    if entity not in state.entities:
        return state
    return replace(
        state, entities=state.entities | {entity: replace(state.entities[entity], **changes)}
    )


def _set_ability(state: State, entity: str, ability: Ability) -> State:
    """Return the state with the entity's ability added or replaced."""
    known = state.entities[entity].abilities if entity in state.entities else ()
    if all(other.name != ability.name for other in known):
        return _change_entity(state, entity, abilities=(*known, ability))
    return _change_entity(
        state,
        entity,
        abilities=tuple(ability if other.name == ability.name else other for other in known),
    )
