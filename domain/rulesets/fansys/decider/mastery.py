"""Pools, rest, conditions and the GM's hand (RULES 7.5, 11, 12, 14 and 15)."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import By, Refused
from domain.rulesets.fansys.decider import guards
from domain.rulesets.fansys.messages.commands.mastery import (
    AdjustPool,
    AdjustStat,
    Grant,
    LiftCondition,
    Rest,
    SetCondition,
    SpendDice,
    Upkeep,
)
from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.messages.events.mastery import (
    ConditionLifted,
    ConditionSet,
    DiceSpent,
    Granted,
    PoolAdjusted,
    Rested,
    StatAdjusted,
)
from domain.rulesets.fansys.rules import dice, pools, sheet
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.records import Pools
from domain.rulesets.fansys.rules.words import BODILY, Energy, Gauge, Length
from domain.rulesets.fansys.state import State


def decide(state: State, command: Upkeep, by: By) -> tuple[Event, ...]:
    if isinstance(command, SpendDice):
        return _spend_dice(state, command, by)
    guards.master(by)
    match command:
        case Rest():
            return _rest(state, command)
        case Grant():
            return _grant(state, command)
        case SetCondition():
            return _set_condition(state, command)
        case LiftCondition():
            return _lift_condition(state, command)
        case AdjustPool():
            return _adjust_pool(state, command)
        case AdjustStat():
            return _adjust_stat(state, command)


def _spend_dice(state: State, command: SpendDice, by: By) -> tuple[Event, ...]:
    of = guards.own_choice(state, command.entity, by)
    guards.acting(state, command.entity, of)
    left = of.pools.sp_dice if command.energy is Energy.SP else of.pools.mp_dice
    if command.dice > left:
        raise Refused(
            "over-dice",
            entity=command.entity,
            energy=command.energy.value,
            dice=command.dice,
            left=left,
        )
    after = pools.spent(of.pools, command.energy, command.dice)
    return (
        DiceSpent(command.entity, command.energy, command.dice, command.ability, of.pools, after),
    )


def _rest(state: State, command: Rest) -> tuple[Event, ...]:
    of = guards.found(state, command.entity)
    guards.whole(command.entity, of)
    care = command.care is True
    if care and command.length is Length.REST:
        raise Refused("care-takes-long", entity=command.entity)
    after = pools.rested(of.pools, of.level, of.stats, state.options)
    if command.length is Length.LONG:
        after = pools.healed(after, pools.CARE if care else pools.LONG_REST)
    return (Rested(command.entity, command.length, care, of.pools, after, pools.status(after)),)


def _grant(state: State, command: Grant) -> tuple[Event, ...]:
    of = guards.found(state, command.entity)
    granted: tuple[Twist, ...] = ()
    if command.twist is not Twist.PLAIN:
        granted = tuple(each for each in Twist if each in (*of.granted, command.twist))
    return (Granted(command.entity, granted, dice.combined(granted), command.reason),)


def _set_condition(state: State, command: SetCondition) -> tuple[Event, ...]:
    guards.found(state, command.entity)
    return (ConditionSet(command.entity, command.condition, command.rounds),)


def _lift_condition(state: State, command: LiftCondition) -> tuple[Event, ...]:
    of = guards.found(state, command.entity)
    if command.condition.value not in of.conditions:
        raise Refused(
            "not-in-that-condition", entity=command.entity, condition=command.condition.value
        )
    left = of.conditions[command.condition.value]
    return (ConditionLifted(command.entity, command.condition, left or UNSET),)


def _adjust_pool(state: State, command: AdjustPool) -> tuple[Event, ...]:
    old = guards.found(state, command.entity).pools
    after, most = _gauged(old, command.gauge, command.now)
    if command.now < 0 and command.gauge is not Gauge.HP:
        raise Refused("below-zero", gauge=command.gauge.value, now=command.now)
    if command.now > most:
        raise Refused("over-the-most", gauge=command.gauge.value, now=command.now, most=most)
    return (
        PoolAdjusted(
            command.entity, command.gauge, command.reason, old, after, pools.status(after)
        ),
    )


def _gauged(old: Pools, gauge: Gauge, now: int) -> tuple[Pools, int]:
    """The pools with that much left in one, and how much there can be."""
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


def _adjust_stat(state: State, command: AdjustStat) -> tuple[Event, ...]:
    of = guards.found(state, command.entity)
    if of.bodiless and command.stat in BODILY and command.score:
        raise Refused("no-body-no-stat", entity=command.entity, stats=(command.stat.value,))
    before, stats = (
        guards.score(of, command.stat),
        sheet.with_score(of.stats, command.stat, command.score),
    )
    after = pools.refitted(of.pools, of.level, stats)
    return (
        StatAdjusted(
            command.entity,
            command.stat,
            before,
            command.score,
            command.reason,
            of.pools,
            after,
            pools.status(after),
        ),
    )
