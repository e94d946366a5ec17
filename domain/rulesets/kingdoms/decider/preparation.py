"""What comes before a roll, in the book's order: stats, pool, Difficulty Threshold (RULES 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from domain.decider import By, Refused
from domain.rulesets.kingdoms import rules
from domain.rulesets.kingdoms.decider import guards
from domain.rulesets.kingdoms.messages.commands import (
    AssemblePool,
    DeclareTest,
    DetermineDt,
    GrantDice,
    Preparation,
    SetDt,
)
from domain.rulesets.kingdoms.messages.events import (
    DiceGranted,
    DtDetermined,
    DtSet,
    Event,
    PoolAssembled,
    Source,
    TestDeclared,
)
from domain.rulesets.kingdoms.rules import Kind
from domain.rulesets.kingdoms.state import Entity, State, Test


def decide(state: State, command: Preparation, by: By) -> tuple[Event, ...]:
    if isinstance(command, AssemblePool):
        return _assemble_pool(state, command, by)
    guards.referee(by)
    match command:
        case DeclareTest():
            return _declare_test(state, command)
        case GrantDice():
            return _grant_dice(state, command)
        case SetDt():
            return _set_dt(state, command)
        case DetermineDt():
            return _determine_dt(state, command)


def _declare_test(state: State, command: DeclareTest) -> tuple[Event, ...]:
    entity = guards.found(state, command.entity)
    if command.entity in state.tests:
        raise Refused("test-open", entity=command.entity, test=state.tests[command.entity].kind)
    guards.some(command.entity, command.stats)
    guards.named(command.entity, entity, command.stats)
    _refills(command)
    return (TestDeclared(command.entity, command.test, command.stats, command.refill),)


def _refills(command: DeclareTest) -> None:
    """An extended test is refilled by CON or CHA, and no other is."""
    if command.test is Kind.EXTENDED and command.refill is UNSET:
        raise Refused("refill-missing", entity=command.entity)
    if command.test is Kind.BASIC and command.refill is not UNSET:
        raise Refused("refill-only-extended", entity=command.entity, refill=command.refill)


def _grant_dice(state: State, command: GrantDice) -> tuple[Event, ...]:
    test = guards.open_test(state, command.entity)
    guards.unassembled(command.entity, test)
    if command.source in (*test.stats, *(granted.name for granted in test.granted)):
        raise Refused("source-exists", entity=command.entity, source=command.source)
    if len(test.granted) >= rules.MOST_SOURCES:
        raise Refused("too-many-sources", entity=command.entity, most=rules.MOST_SOURCES)
    return (DiceGranted(command.entity, command.source, command.dice),)


def _assemble_pool(state: State, command: AssemblePool, by: By) -> tuple[Event, ...]:
    entity = guards.own(state, command.entity, by)
    test = guards.open_test(state, command.entity)
    guards.unassembled(command.entity, test)
    held = _held(command.entity, entity, test)
    sources = held if command.dice is UNSET else _taken(state, held, command.dice)
    pool = max(0, sum(source.dice for source in sources))
    guards.holdable(command.entity, pool)
    return (PoolAssembled(command.entity, sources, pool),)


def _held(entity: str, of: Entity, test: Test) -> tuple[Source, ...]:
    """What each source of the test holds now."""
    stats = guards.named(entity, of, test.stats)
    return (*(Source(stat.name, stat.value) for stat in stats), *test.granted)


def _taken(state: State, held: Sequence[Source], dice: Sequence[int]) -> tuple[Source, ...]:
    """What the player takes from each source."""
    if len(dice) != len(held):
        raise Refused(
            "dice-per-source", sources=tuple(source.name for source in held), dice=len(dice)
        )
    for source, number in zip(held, dice, strict=True):
        if number > source.dice:
            raise Refused("over-source", source=source.name, dice=number, holds=source.dice)
        least = source.dice if state.options.whole_stats else min(0, source.dice)
        if number < least:
            raise Refused("under-source", source=source.name, dice=number, least=least)
    return tuple(Source(source.name, number) for source, number in zip(held, dice, strict=True))


def _set_dt(state: State, command: SetDt) -> tuple[Event, ...]:
    test = _due(state, command.entity)
    if not rules.LEAST_DT <= command.dt <= rules.MOST_DT:
        raise Refused("dt-out-of-range", dt=command.dt, least=rules.LEAST_DT, most=rules.MOST_DT)
    return (DtSet(command.entity, command.dt, test.dt),)


def _determine_dt(state: State, command: DetermineDt) -> tuple[Event, ...]:
    test = _due(state, command.entity)
    if command.opponent == command.entity:
        raise Refused("not-an-opponent", entity=command.entity)
    opponent = guards.found(state, command.opponent)
    guards.some(command.opponent, command.stats)
    stats = guards.named(command.opponent, opponent, command.stats)
    own = () if command.less is UNSET else command.less
    less = guards.named(command.entity, state.entities[command.entity], own)
    computed = sum(stat.value for stat in stats) - sum(stat.value for stat in less)
    return (
        DtDetermined(
            command.entity,
            command.opponent,
            stats,
            less,
            computed,
            rules.clamped(computed),
            test.dt,
        ),
    )


def _due(state: State, entity: str) -> Test:
    """A test whose next step is the DT, or was until it is rolled."""
    test = guards.open_test(state, entity)
    guards.assembled(entity, test)
    guards.interpreted(entity, test)
    return test
