"""Decider functions for pools, rest, conditions, time and scenes.

See RULES 7.5, 9.4 and 11 to 15.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.decider import By, Refused
from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.decider import guards
from domain.rulesets.fansys.rules import dice, sheet
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import BODILY, Energy, Gauge, Length, Pools, Unit
from domain.rulesets.fansys.state import State


def spend_dice(state: State, command: c.SpendDice, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own_choice(state, command.entity, by)
    guards.require_able(state, command.entity, character)
    left = character.pools.sp_dice if command.energy is Energy.SP else character.pools.mp_dice
    if command.dice > left:
        raise Refused(
            "over-dice",
            entity=command.entity,
            energy=command.energy.value,
            dice=command.dice,
            left=left,
        )
    after = sheet.spend_dice(character.pools, command.energy, command.dice)
    return (
        e.DiceSpent(
            command.entity, command.energy, command.dice, command.ability, character.pools, after
        ),
    )


def rest(state: State, command: c.Rest, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    guards.require_intact(command.entity, character)
    care = command.care is True
    if care and command.length is Length.REST:
        raise Refused("care-takes-long", entity=command.entity)
    after = sheet.apply_rest(character.pools, character.level, character.stats, state.options)
    if command.length is Length.LONG:
        after = sheet.heal(after, sheet.CARED_REST if care else sheet.LONG_REST)
    return (
        e.Rested(command.entity, command.length, care, character.pools, after, sheet.status(after)),
    )


def grant(state: State, command: c.Grant, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    granted: tuple[Twist, ...] = ()
    if command.twist is not Twist.PLAIN:
        granted = tuple(each for each in Twist if each in (*character.granted, command.twist))
    return (e.Granted(command.entity, granted, dice.combine(granted), command.reason),)


def set_condition(state: State, command: c.SetCondition, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_entity(state, command.entity)
    return (e.ConditionSet(command.entity, command.condition, command.rounds),)


def lift_condition(state: State, command: c.LiftCondition, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    if command.condition.value not in character.conditions:
        raise Refused(
            "not-in-that-condition", entity=command.entity, condition=command.condition.value
        )
    left = character.conditions[command.condition.value]
    return (e.ConditionLifted(command.entity, command.condition, left or UNSET),)


def adjust_pool(state: State, command: c.AdjustPool, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    old = guards.find_entity(state, command.entity).pools
    after, most = _set_gauge(old, command.gauge, command.now)
    if command.now < 0 and command.gauge is not Gauge.HP:
        raise Refused("below-zero", gauge=command.gauge.value, now=command.now)
    if command.now > most:
        raise Refused("over-the-most", gauge=command.gauge.value, now=command.now, most=most)
    return (
        e.PoolAdjusted(
            command.entity, command.gauge, command.reason, old, after, sheet.status(after)
        ),
    )


def _set_gauge(old: Pools, gauge: Gauge, now: int) -> tuple[Pools, int]:
    """Return the pools after setting `gauge` to `now`, and the maximum for that gauge."""
    match gauge:
        case Gauge.HP:
            return replace(old, hp=now), old.hp_max
        case Gauge.SP:
            return replace(old, sp=now), old.sp_max
        case Gauge.SP_DICE:
            return replace(old, sp_dice=now), old.sp_owned
        case Gauge.MP:
            return replace(old, mp=now), old.mp_max
        case Gauge.MP_DICE:
            return replace(old, mp_dice=now), old.mp_owned


def adjust_stat(state: State, command: c.AdjustStat, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    if character.bodiless and command.stat in BODILY and command.score:
        raise Refused("no-body-no-stat", entity=command.entity, stats=(command.stat.value,))
    before = guards.score(character, command.stat)
    stats = sheet.with_score(character.stats, command.stat, command.score)
    after = sheet.refit_pools(character.pools, character.level, stats)
    return (
        e.StatAdjusted(
            command.entity,
            command.stat,
            before,
            command.score,
            command.reason,
            character.pools,
            after,
            sheet.status(after),
        ),
    )


def pass_time(state: State, command: c.PassTime, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    seconds = command.amount * sheet.unit_seconds(command.unit, state.options)
    return advance_clock(state, seconds, command.amount, command.unit)


def set_scene(state: State, command: c.SetScene, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    return (e.SceneSet(state.scene, command.scene, command.reason),)


def advance_clock(
    state: State, seconds: int, amount: int | UnsetType = UNSET, unit: Unit | UnsetType = UNSET
) -> tuple[e.Event, ...]:
    """Return the events for advancing the clock and counting down conditions.

    Conditions that last until they are lifted are not affected.
    """
    clock = state.clock + seconds
    if clock > sheet.MAX_CLOCK:
        raise Refused("end-of-time", clock=state.clock, seconds=seconds)
    rounds = sheet.begun_rounds(seconds, state.options)
    ticked = (
        e.ConditionTicked(entity, ConditionName(condition), max(0, left - rounds))
        for entity, character in sorted(state.entities.items())
        for condition, left in sorted(character.conditions.items())
        if left
    )
    return e.TimePassed(seconds, clock, amount, unit), *ticked
