"""Action resolution: check, alter, settle; attacks, flames and death checks that come of it (RULES 5 to 10)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.dhextiny import rules
from domain.rulesets.dhextiny.decider import guards
from domain.rulesets.dhextiny.messages.commands import (
    Action,
    Alter,
    AlterToF,
    Attack,
    Check,
    DeathCheck,
    PutOut,
    Settle,
)
from domain.rulesets.dhextiny.messages.events import (
    Altered,
    Checked,
    DeathChecked,
    Event,
    Extinguished,
    Gained,
    Hit,
    Settled,
)
from domain.rulesets.dhextiny.rules import PS, RING, F, Pool, S, Status, Use
from domain.rulesets.dhextiny.state import Entity, OpenCheck, State


def decide(state: State, command: Action, by: By, chance: Chance) -> tuple[Event, ...]:
    match command:
        case Check() | Attack() | PutOut():
            return _check(state, command, by, chance)
        case Alter():
            return _alter(state, command, by, command.steps)
        case AlterToF():
            return _alter(state, command, by, rules.steps_to(state.point, F))
        case Settle():
            return _settle(state, command, by)
        case DeathCheck():
            return _death_check(state, command, by, chance)


def _check(
    state: State, command: Check | Attack | PutOut, by: By, chance: Chance
) -> tuple[Event, ...]:
    entity = guards.own(state, command.entity, by)
    guards.awake(command.entity, entity)
    guards.token_free(state)
    guards.knows_if_named(command.entity, entity, command.ability)
    use, target = _purpose(state, command)
    face = chance.draw(rules.DIE)
    point = rules.ahead(state.point, face)
    checked = Checked(
        command.entity, use, state.point, face, point, RING[point], command.ability, target
    )
    at_once = state.options.natural_f_gains_at_once and RING[point] is F
    return (checked, _gained(state, command.entity)) if at_once else (checked,)


def _purpose(state: State, command: Check | Attack | PutOut) -> tuple[Use, str | UnsetType]:
    """What the check is for, and on whom."""
    match command:
        case Attack(target=target):
            guards.alive(target, guards.found(state, target))
            return Use.ATTACK, target
        case PutOut(target=target):
            guards.aflame(target, guards.found(state, target))
            return Use.PUT_OUT, target
        case Check():
            return Use.CHECK, UNSET


def _gained(state: State, entity: str) -> Gained:
    of = state.entities[entity]
    gain = rules.gain(of.ap, of.ap_max, state.options)
    return Gained(entity, rules.GAIN, gain, of.ap + gain)


def _alter(state: State, command: Alter | AlterToF, by: By, steps: int) -> tuple[Event, ...]:
    check = guards.open_check(state, command.entity)
    entity = guards.own_points(state, command.entity, by)
    guards.awake(command.entity, entity)
    _alterable(check, command, steps)
    point = rules.ahead(state.point, steps)
    cost = _affordable(state, entity, command, steps)
    moved, left = check.moved + steps, entity.ap - cost
    return (
        Altered(
            command.entity,
            command.ability,
            state.point,
            steps,
            point,
            RING[point],
            moved,
            cost,
            left,
        ),
    )


def _alterable(check: OpenCheck, command: Alter | AlterToF, steps: int) -> None:
    """One move with one ability, and a move it must be."""
    if check.altered:
        raise Refused("altered-already", entity=command.entity)
    if check.ability not in (UNSET, command.ability):
        raise Refused("one-ability", entity=command.entity, ability=command.ability)
    if not steps:
        raise Refused("already-at-f", entity=command.entity)


def _affordable(state: State, entity: Entity, command: Alter | AlterToF, steps: int) -> int:
    """What the move costs, where AMX and AP allow it."""
    ability = guards.knows(command.entity, entity, command.ability)
    result = RING[rules.ahead(state.point, steps)]
    cost = rules.price(steps, result)
    limited = rules.spent_on_ability(steps, result, state.options)
    if limited > ability.amx:
        raise Refused("over-amx", cost=limited, amx=ability.amx)
    if cost > entity.ap:
        raise Refused("over-ap", cost=cost, ap=entity.ap)
    return cost


def _settle(state: State, command: Settle, by: By) -> tuple[Event, ...]:
    check = guards.open_check(state, command.entity)
    guards.own(state, command.entity, by)
    result = RING[state.point]
    settled = Settled(command.entity, check.use, check.rolled, state.point, result)
    if result is F:
        return settled, *_reward(state, check)
    if result in rules.HITS:
        return settled, *_effect(state, check)
    return (settled,)


def _reward(state: State, check: OpenCheck) -> tuple[Event, ...]:
    """AP for the failure: once a check, and not for the dead."""
    if check.gained or state.entities[check.entity].status is Status.DEAD:
        return ()
    return (_gained(state, check.entity),)


def _effect(state: State, check: OpenCheck) -> tuple[Event, ...]:
    """What an attack or an attempt to put out the flames does, where its target can still be harmed or helped."""
    if check.target is UNSET:
        return ()
    target = state.entities[check.target]
    if check.use is Use.ATTACK and target.status is not Status.DEAD:
        return (_hit(state, check, check.target, target),)
    if check.use is Use.PUT_OUT and target.aflame:
        return (Extinguished(check.entity, check.target),)
    return ()


def _hit(state: State, check: OpenCheck, target: str, of: Entity) -> Hit:
    """S takes LP, PS takes AP; from an empty pool PS takes 1 LP."""
    result, damage = RING[state.point], check.moved
    if result is PS and of.ap:
        loss = min(damage, of.ap)
        return Hit(check.entity, target, result, damage, Pool.AP, loss, of.ap - loss, of.status)
    lp = rules.lp_after(of.lp, damage if result is S else rules.WEARY_LOSS)
    return Hit(
        check.entity,
        target,
        result,
        damage,
        Pool.LP,
        of.lp - lp,
        lp,
        rules.status_at(lp, of.dies_at),
    )


def _death_check(state: State, command: DeathCheck, by: By, chance: Chance) -> tuple[Event, ...]:
    entity = guards.own(state, command.entity, by)
    if entity.status is not Status.DYING:
        raise Refused("not-dying", entity=command.entity, status=entity.status)
    guards.token_free(state)
    face = chance.draw(rules.DIE)
    point = rules.ahead(state.point, face)
    lp, status = rules.fate(RING[point], entity.lp, entity.dies_at)
    return (
        DeathChecked(command.entity, state.point, face, point, RING[point], entity.lp, lp, status),
    )
