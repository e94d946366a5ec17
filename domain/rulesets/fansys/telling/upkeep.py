"""What the log says of pools, conditions, time and the GM's hand."""

from __future__ import annotations

from msgspec import UNSET

from domain.rulesets.fansys.messages.events.mastery import (
    ConditionLifted,
    ConditionSet,
    ConditionTicked,
    DiceSpent,
    Granted,
    Mastery,
    PoolAdjusted,
    Rested,
    SceneSet,
    StatAdjusted,
    TimePassed,
)
from domain.rulesets.fansys.rules.dice import PLAIN
from domain.rulesets.fansys.rules.records import Pools
from domain.rulesets.fansys.rules.words import Energy, Gauge
from domain.rulesets.fansys.telling.rolls import id_


def tell_mastery(event: Mastery) -> str:
    match event:
        case DiceSpent(who, energy, dice, ability, _, pools):
            number = "1 die" if dice == 1 else f"{dice} dice"
            left = f"{_left(pools, energy)}"
            return f"{id_(who)} spends {number} of {energy} on {ability}; {left}."
        case Rested(who, length, care, _, pools, status):
            with_care = " with care" if care else ""
            left = f"HP {pools.hp}, {_left(pools, Energy.SP)}, {_left(pools, Energy.MP)}"
            return f"{id_(who)} takes a {length}{with_care}; {left}, {status}."
        case Granted(who, _, twist, reason):
            what = "neither advantage nor disadvantage" if twist is PLAIN else twist
            return f"{id_(who)} has {what} on the next roll ({reason})."
        case ConditionSet() | ConditionTicked() | ConditionLifted():
            return _tell_condition(event)
        case TimePassed(seconds, _, amount, unit):
            if amount is UNSET or unit is UNSET:
                return f"That takes {seconds} seconds."
            return f"{amount} {unit if amount == 1 else f'{unit}s'} {'passes' if amount == 1 else 'pass'}."
        case _:
            return _tell_hand(event)


def _left(pools: Pools, energy: Energy) -> str:
    if energy is Energy.SP:
        return f"SP {pools.sp}, SP dice {pools.sp_dice}"
    return f"MP {pools.mp}, MP dice {pools.mp_dice}"


def _tell_condition(event: ConditionSet | ConditionTicked | ConditionLifted) -> str:
    match event:
        case ConditionSet(who, condition, rounds):
            return (
                f"{id_(who)} is {condition}{'' if rounds is UNSET else f' for {_rounds(rounds)}'}."
            )
        case ConditionTicked(who, condition, rounds) if rounds:
            return f"{id_(who)} is {condition} for {_rounds(rounds)} more."
        case ConditionTicked() | ConditionLifted():
            return f"{id_(event.entity)} is no longer {event.condition}."


def _rounds(rounds: int) -> str:
    return "1 round" if rounds == 1 else f"{rounds} rounds"


def _tell_hand(event: Mastery) -> str:
    match event:
        case SceneSet(old, new, reason):
            return f"The scene goes from {old} to {new} ({reason})."
        case PoolAdjusted(who, gauge, reason, old, pools, status):
            before, after = amount(old, gauge), amount(pools, gauge)
            return f"The GM sets the {gauge} of {id_(who)} from {before} to {after} ({reason}); {status}."
        case StatAdjusted(who, stat, before, after, reason):
            return f"The GM sets the {stat} of {id_(who)} from {before} to {after} ({reason})."
        case _:
            raise TypeError(event)


def amount(pools: Pools, gauge: Gauge) -> int:
    """What is left in one of the pools."""
    return {
        Gauge.HP: pools.hp,
        Gauge.SP: pools.sp,
        Gauge.SP_DICE: pools.sp_dice,
        Gauge.MP: pools.mp,
        Gauge.MP_DICE: pools.mp_dice,
    }[gauge]
