"""The GR's hand: stats and pools can be set and a test called off, with a reason (RULES 10)."""

from __future__ import annotations

from msgspec import UNSET

from domain.decider import By
from domain.rulesets.kingdoms.decider import guards
from domain.rulesets.kingdoms.messages.commands import Adjustment, AdjustPool, AdjustStat, DropTest
from domain.rulesets.kingdoms.messages.events import Event, PoolAdjusted, StatAdjusted, TestDropped
from domain.rulesets.kingdoms.state import State


def decide(state: State, command: Adjustment, by: By) -> tuple[Event, ...]:
    guards.referee(by)
    match command:
        case AdjustStat():
            return _adjust_stat(state, command)
        case AdjustPool():
            return _adjust_pool(state, command)
        case DropTest():
            return _drop_test(state, command)


def _adjust_stat(state: State, command: AdjustStat) -> tuple[Event, ...]:
    entity = guards.found(state, command.entity)
    stat = guards.having(command.entity, entity, command.stat)
    return (StatAdjusted(command.entity, command.stat, stat.value, command.value, command.reason),)


def _adjust_pool(state: State, command: AdjustPool) -> tuple[Event, ...]:
    test = guards.open_test(state, command.entity)
    pool = guards.assembled(command.entity, test)
    guards.interpreted(
        command.entity, test
    )  # the dice that failed must still be there to be removed
    guards.holdable(command.entity, command.dice)
    return (PoolAdjusted(command.entity, pool, command.dice, command.reason),)


def _drop_test(state: State, command: DropTest) -> tuple[Event, ...]:
    test = guards.open_test(state, command.entity)
    pool = 0 if test.pool is UNSET else test.pool
    return (TestDropped(command.entity, test.kind, pool, command.reason),)
