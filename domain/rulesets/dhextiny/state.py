"""The table between events: one ring with one token, the entities, the open check; and evolve, which only copies."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.dhextiny import rules
from domain.rulesets.dhextiny.messages.events import (
    AbilitiesRolled,
    AbilityNamed,
    Adjusted,
    Altered,
    AmxAdjusted,
    Burned,
    CaughtFire,
    Checked,
    DeathChecked,
    EntityCreated,
    Event,
    Extinguished,
    Gained,
    Hit,
    Killed,
    Rested,
    Settled,
    Smouldered,
    StatusAdjusted,
    TokenMoved,
)
from domain.rulesets.dhextiny.rules import Being, Options, Pool, Result, Status, Use


class Ability(msgspec.Struct, frozen=True):
    name: str
    amx: int


class Entity(msgspec.Struct, frozen=True):
    """`abilities_rolled` is 0 until the roll, `aflame` the rounds still to burn, `dies_at` absent for no such LP."""

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


class OpenCheck(msgspec.Struct, frozen=True):
    """A check between its roll and its settling; `rolled` is the die's result, `moved` die and steps together."""

    entity: str
    use: Use
    rolled: Result
    moved: int
    altered: bool
    gained: bool
    ability: str | UnsetType = UNSET
    target: str | UnsetType = UNSET


class State(msgspec.Struct, frozen=True):
    """JSON without null or float: snapshots and forks store it."""

    options: Options
    point: int
    entities: dict[str, Entity] = {}
    check: OpenCheck | UnsetType = UNSET


def initial(options: Options) -> State:
    return State(options, rules.start(options))


def evolve(state: State, event: Event) -> State:
    """The state after the event. Of an entity that was never seen created, only the token's moves are kept."""
    match event:
        case EntityCreated() | AbilitiesRolled() | AbilityNamed() | AmxAdjusted():
            return _described(state, event)
        case Checked() | Altered() | Settled() | TokenMoved():
            return _moved(state, event)
        case Gained():
            return replace(
                _with(state, event.entity, ap=event.ap), check=_gained(state.check, event)
            )
        case Hit(target=target, pool=Pool.AP):
            return _with(state, target, ap=event.left, status=event.status)
        case Hit(target=target):
            return _with(state, target, lp=event.left, status=event.status)
        case DeathChecked():
            return replace(
                _with(state, event.entity, lp=event.lp, status=event.status), point=event.point
            )
        case CaughtFire(entity, rounds) | Smouldered(entity, rounds):
            return _with(state, entity, aflame=rounds)
        case Extinguished(target=target):
            return _with(state, target, aflame=0)
        case Burned():
            return _with(state, event.entity, lp=event.lp, status=event.status)
        case Rested():
            return _with(state, event.entity, ap=event.ap)
        case Killed():
            return _with(state, event.entity, status=Status.DEAD)
        case StatusAdjusted():
            return _with(state, event.entity, status=event.new)
        case Adjusted():
            return _with(state, event.entity, **{FIELD[event.pool]: event.new})
        case _:
            raise TypeError(event)


FIELD = {Pool.AP: "ap", Pool.AP_MAX: "ap_max", Pool.LP: "lp"}


def _described(
    state: State, event: EntityCreated | AbilitiesRolled | AbilityNamed | AmxAdjusted
) -> State:
    match event:
        case EntityCreated():
            return replace(state, entities=state.entities | {event.entity: _entity(event)})
        case AbilitiesRolled():
            return _with(state, event.entity, abilities_rolled=event.number)
        case AbilityNamed():
            return _knowing(state, event.entity, Ability(event.ability, event.amx))
        case AmxAdjusted():
            return _knowing(state, event.entity, Ability(event.ability, event.new))


def _entity(event: EntityCreated) -> Entity:
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


def _moved(state: State, event: Checked | Altered | Settled | TokenMoved) -> State:
    match event:
        case Checked():
            check = OpenCheck(
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
        case Altered():
            return replace(
                _with(state, event.entity, ap=event.ap),
                point=event.point,
                check=_altered(state.check, event),
            )
        case Settled():
            return replace(state, point=event.point, check=UNSET)
        case TokenMoved():
            return replace(state, point=event.new)


def _altered(check: OpenCheck | UnsetType, event: Altered) -> OpenCheck | UnsetType:
    if check is UNSET or check.entity != event.entity:
        return check
    return replace(check, ability=event.ability, moved=event.moved, altered=True)


def _gained(check: OpenCheck | UnsetType, event: Gained) -> OpenCheck | UnsetType:
    if check is UNSET or check.entity != event.entity:
        return check
    return replace(check, gained=True)


def _with(state: State, entity: str, **changes: int | Status | tuple[Ability, ...]) -> State:
    """The state with one entity changed; unchanged where the entity was never seen."""
    if entity not in state.entities:
        return state
    return replace(
        state, entities=state.entities | {entity: replace(state.entities[entity], **changes)}
    )


def _knowing(state: State, entity: str, ability: Ability) -> State:
    """The state with the ability in its old place, or at the end."""
    known = state.entities[entity].abilities if entity in state.entities else ()
    if all(other.name != ability.name for other in known):
        return _with(state, entity, abilities=(*known, ability))
    return _with(
        state,
        entity,
        abilities=tuple(ability if other.name == ability.name else other for other in known),
    )
