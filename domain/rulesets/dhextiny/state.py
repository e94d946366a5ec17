"""Dhextiny's state: the token, the entities and the open check."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.dhextiny import messages as m, rules
from domain.rulesets.dhextiny.rules import Being, Options, Pool, Result, RollPurpose, Status


class Ability(msgspec.Struct, frozen=True):
    """An ability. `granted` is True if it does not count towards the number rolled."""

    name: str
    amx: int
    granted: bool | UnsetType = UNSET


class Entity(msgspec.Struct, frozen=True):
    """A character or creature at the table.

    `abilities_rolled` is the number of abilities from the roll, or 0 before the roll. `aflame` is
    the number of rounds for which the entity will keep burning. `dies_at` is absent if the entity
    cannot die from losing LP. `lp_start` is the maximum LP, which initially equals `lp`.
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

    @property
    def abilities_unnamed(self) -> int:
        """The number of abilities from the roll that have no name yet."""
        named = sum(known.granted is not True for known in self.abilities)
        return max(0, self.abilities_rolled - named)


class UnsettledCheck(msgspec.Struct, frozen=True):
    """A check that has been rolled but not settled.

    `rolled` is the result of the roll, before any alteration. `moved` is the face of the die plus
    the added steps. `ability` is the ability that the check named, or the one that paid for its
    move. If several abilities may pay, `ability` is always the one that the check named, and `paid`
    lists the abilities that have paid.
    """

    entity: str
    use: RollPurpose
    rolled: Result
    moved: int
    altered: bool
    gained: bool
    ability: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    aim: str | UnsetType = UNSET
    paid: tuple[str, ...] | UnsetType = UNSET


class SettledCheck(msgspec.Struct, frozen=True):
    """The last settled check, which the GM may still interpret."""

    entity: str
    use: RollPurpose
    result: Result


class Condition(msgspec.Struct, frozen=True):
    """A condition that the GM gave to an entity.

    `rounds` or `minutes` is its remaining duration. If both are absent, it lasts until the GM ends
    it.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class State(msgspec.Struct, frozen=True):
    """The game state at one version of a session.

    Snapshots and forks store it as JSON without nulls or floats. Verification compares these bytes,
    so fields that were added to edition 1 later are absent until they are first set. The keys of
    `stored_conditions` come from `rules.condition_key`.
    """

    options: Options
    point: int
    entities: dict[str, Entity] = {}
    check: UnsettledCheck | UnsetType = UNSET
    settled: SettledCheck | UnsetType = UNSET
    stored_conditions: dict[str, Condition] | UnsetType = msgspec.field(
        default=UNSET, name="conditions"
    )
    stored_edition: int | UnsetType = msgspec.field(default=UNSET, name="edition")

    @property
    def conditions(self) -> dict[str, Condition]:
        return {} if self.stored_conditions is UNSET else self.stored_conditions

    @property
    def edition(self) -> int:
        return 1 if self.stored_edition is UNSET else self.stored_edition


POOL_FIELDS = {Pool.AP: "ap", Pool.AP_MAX: "ap_max", Pool.LP: "lp", Pool.LP_MAX: "lp_start"}


def initial(options: Options, edition: int) -> State:
    """Return the state at the start of a session.

    A state of edition 1 does not store its edition, because the states in older logs do not.
    """
    return State(
        options,
        rules.starting_point(options),
        stored_edition=UNSET if edition == 1 else edition,
    )


def evolve(state: State, event: m.Event) -> State:
    """Return the state after the event.

    An event about an unknown entity can change only the token, the checks and the conditions. Such
    an entity may have been created in a sealed event.
    """
    match event:
        case m.EntityCreated():
            return replace(state, entities=state.entities | {event.entity: _new_entity(event)})
        case m.AbilitiesRolled():
            return _change_entity(state, event.entity, abilities_rolled=event.number)
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
        case m.FireAdjusted(entity, _, rounds):
            return _change_entity(state, entity, aflame=rounds)
        case m.Extinguished(target=target):
            return _change_entity(state, target, aflame=0)
        case m.Burned() | m.Harmed():
            return _change_entity(state, event.entity, lp=event.lp, status=event.status)
        case m.Rested():
            return _change_entity(state, event.entity, ap=event.ap)
        case m.Killed():
            return _change_entity(state, event.entity, status=Status.DEAD)
        case m.StatusAdjusted():
            return _change_entity(state, event.entity, status=event.new)
        case m.DeathRuleSet():
            return _change_entity(state, event.entity, dies_at=event.dies_at)
        case m.Adjusted():
            return _change_entity(state, event.entity, **{POOL_FIELDS[event.pool]: event.new})
        case m.ConditionSet() | m.ConditionTicked() | m.ConditionEnded():
            return _evolve_conditions(state, event)
        case m.CheckedAside():  # RULES 5.8: nothing on the table changes
            return state
        case m.Checked() | m.Altered() | m.Settled() | m.Interpreted():
            return _evolve_check(state, event)
        case _:
            return _evolve_abilities(state, event)


def _evolve_check(state: State, event: m.Checked | m.Altered | m.Settled | m.Interpreted) -> State:
    match event:
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
                aim=event.aim,
            )
            return replace(state, point=event.point, check=check)
        case m.Altered():
            return replace(
                _change_entity(state, event.entity, ap=event.ap),
                point=event.point,
                check=_altered(state, event),
            )
        case m.Settled():
            settled = (
                SettledCheck(event.entity, event.use, event.result)
                if state.edition >= rules.INTERPRETED_SINCE
                else UNSET
            )
            return replace(state, point=event.point, check=UNSET, settled=settled)
        case m.Interpreted():
            return replace(state, settled=UNSET)


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


def _altered(state: State, event: m.Altered) -> UnsettledCheck | UnsetType:
    check = state.check
    if check is UNSET or check.entity != event.entity:
        return check
    ability: str | UnsetType = event.ability
    paid: tuple[str, ...] | UnsetType = UNSET
    if state.options.several_abilities_may_pay is True:
        paid = (*(check.paid or ()), event.ability)
        if state.edition >= rules.NAMED_ABILITY_STAYS_SINCE:
            ability = check.ability
    return replace(check, ability=ability, moved=event.moved, altered=True, paid=paid)


def _gained(check: UnsettledCheck | UnsetType, event: m.Gained) -> UnsettledCheck | UnsetType:
    if check is UNSET or check.entity != event.entity:
        return check
    return replace(check, gained=True)


def _evolve_conditions(
    state: State, event: m.ConditionSet | m.ConditionTicked | m.ConditionEnded
) -> State:
    key = rules.condition_key(event.entity, event.name)
    match event:
        case m.ConditionSet(entity, name, rounds, minutes, note):
            changed = {key: Condition(entity, name, rounds, minutes, note)}
            return replace(state, stored_conditions=state.conditions | changed)
        case m.ConditionTicked() if key not in state.conditions:  # it was set in a sealed event
            return state
        case m.ConditionTicked(_, _, rounds, minutes) if rounds != 0 and minutes != 0:
            left = replace(state.conditions[key], rounds=rounds, minutes=minutes)
            return replace(state, stored_conditions=state.conditions | {key: left})
        case _:
            others = {other: of for other, of in state.conditions.items() if other != key}
            return replace(state, stored_conditions=others)


def _evolve_abilities(state: State, event: m.Event) -> State:
    match event:
        case m.AbilityNamed():
            return _set_ability(state, event.entity, Ability(event.ability, event.amx))
        case m.AbilityGranted():
            return _set_ability(
                state, event.entity, Ability(event.ability, event.amx, granted=True)
            )
        case m.AmxAdjusted():
            return _set_ability(state, event.entity, Ability(event.ability, event.new))
        case m.AbilityRenamed():
            return _rename_ability(state, event)
        case m.AbilityRemoved():
            left = tuple(
                ability
                for ability in _abilities(state, event.entity)
                if ability.name != event.ability
            )
            return _change_entity(state, event.entity, abilities=left)
        case _:
            raise TypeError(event)


def _abilities(state: State, entity: str) -> tuple[Ability, ...]:
    """Return the entity's abilities, or () if the entity is unknown."""
    return state.entities[entity].abilities if entity in state.entities else ()


def _set_ability(state: State, entity: str, ability: Ability) -> State:
    """Return the state with the ability added, or with the AMX of the known ability changed."""
    known = _abilities(state, entity)
    if all(other.name != ability.name for other in known):
        return _change_entity(state, entity, abilities=(*known, ability))
    return _change_entity(
        state,
        entity,
        abilities=tuple(
            replace(other, amx=ability.amx) if other.name == ability.name else other
            for other in known
        ),
    )


def _rename_ability(state: State, event: m.AbilityRenamed) -> State:
    """Return the state with the ability renamed, also in the entity's open check."""
    abilities = tuple(
        replace(other, name=event.new) if other.name == event.old else other
        for other in _abilities(state, event.entity)
    )
    renamed, check = _change_entity(state, event.entity, abilities=abilities), state.check
    if check is UNSET or check.entity != event.entity:
        return renamed
    ability = event.new if check.ability == event.old else check.ability
    paid: tuple[str, ...] | UnsetType = UNSET
    if check.paid is not UNSET:
        paid = tuple(event.new if name == event.old else name for name in check.paid)
    return replace(renamed, check=replace(check, ability=ability, paid=paid))


def _change_entity(
    state: State, entity: str, **changes: int | Status | tuple[Ability, ...] | UnsetType
) -> State:
    if entity not in state.entities:
        return state
    return replace(
        state, entities=state.entities | {entity: replace(state.entities[entity], **changes)}
    )
