"""What must hold before a command: who may, and how far a test is. Each finds what it guards, or refuses."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from domain.decider import By, Refused
from domain.rulesets.kingdoms.messages.events import Stat
from domain.rulesets.kingdoms.rules import MOST_POOL, Being
from domain.rulesets.kingdoms.state import Entity, State, Test


def referee(by: By) -> None:
    if not by.is_gm:
        raise Refused("gm-only", role=by.role)


def found(state: State, entity: str) -> Entity:
    if entity not in state.entities:
        raise Refused("no-such-entity", entity=entity)
    return state.entities[entity]


def own(state: State, entity: str, by: By) -> Entity:
    """An entity that the seat speaks for: its own PC, or any for the GR."""
    mine = found(state, entity)
    if not by.is_gm and (mine.being is not Being.PC or mine.seat != by.seat):
        raise Refused("not-yours", entity=entity, seat=mine.seat)
    return mine


def having(entity: str, of: Entity, stat: str) -> Stat:
    for held in of.stats:
        if held.name == stat:
            return held
    raise Refused("no-such-stat", entity=entity, stat=stat)


def named(entity: str, of: Entity, stats: Sequence[str]) -> tuple[Stat, ...]:
    """The stats of the entity, each named once."""
    found_stats = tuple(having(entity, of, stat) for stat in stats)
    for nth, stat in enumerate(stats):
        if stat in stats[:nth]:
            raise Refused("stat-twice", entity=entity, stat=stat)
    return found_stats


def some(entity: str, stats: Sequence[str]) -> None:
    if not stats:
        raise Refused("no-stats", entity=entity)


def open_test(state: State, entity: str) -> Test:
    found(state, entity)
    if entity not in state.tests:
        raise Refused("no-test-open", entity=entity)
    return state.tests[entity]


def unassembled(entity: str, test: Test) -> None:
    if test.pool is not UNSET:
        raise Refused("pool-assembled", entity=entity, pool=test.pool)


def assembled(entity: str, test: Test) -> int:
    """The dice of the pool."""
    if test.pool is UNSET:
        raise Refused("pool-first", entity=entity)
    return test.pool


def threshold(entity: str, test: Test) -> int:
    """The DT of the next roll."""
    if test.dt is UNSET:
        raise Refused("dt-first", entity=entity)
    return test.dt


def interpreted(entity: str, test: Test) -> None:
    """The last roll, if there was one, has been interpreted."""
    if test.rolled:
        raise Refused("interpret-first", entity=entity, roll=len(test.rolls))


def holdable(entity: str, pool: int) -> None:
    if pool > MOST_POOL:
        raise Refused("too-many-dice", entity=entity, dice=pool, most=MOST_POOL)
