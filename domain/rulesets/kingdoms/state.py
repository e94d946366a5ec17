"""The state of a Kingdoms and Rulers session: entities, stats and open tests."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms.rules import Being, Options, PoolTestKind, Refill


class Entity(msgspec.Struct, frozen=True):
    """A character or thing in the game.

    `stats` are in the order in which they were added, starting with CON and CHA.
    """

    name: str
    being: Being
    seat: str
    stats: tuple[m.StatValue, ...]


class PoolRoll(msgspec.Struct, frozen=True):
    """One roll in a test.

    `removed` and `added` are unset until the pool is refilled after this roll.
    """

    pool: int
    dt: int
    faces: tuple[int, ...]
    successes: int
    failures: int
    margin: int
    failed: int
    removed: int | UnsetType = UNSET
    added: int | UnsetType = UNSET


class Test(msgspec.Struct, frozen=True):
    """An open test.

    `pool` is unset until the pool is assembled, and `dt` is unset until the Difficulty Threshold
    (DT) is set. `rolled` is True if the last roll has not been interpreted yet.
    """

    kind: PoolTestKind
    stats: tuple[str, ...]
    refill: Refill | UnsetType = UNSET
    granted: tuple[m.DiceSource, ...] = ()
    sources: tuple[m.DiceSource, ...] = ()
    pool: int | UnsetType = UNSET
    dt: int | UnsetType = UNSET
    rolled: bool = False
    rolls: tuple[PoolRoll, ...] = ()
    total: int = 0


class State(msgspec.Struct, frozen=True):
    """The state of a session.

    Snapshots and forks store it as JSON without nulls or floats. `tests` maps entity ids to open
    tests, so each entity has at most one.
    """

    options: Options
    entities: dict[str, Entity] = {}
    tests: dict[str, Test] = {}


def initial(options: Options) -> State:
    return State(options)


def evolve(state: State, event: m.Event) -> State:
    """Return the state after the event.

    An event about an unknown entity or test has no effect. This happens if the event that created
    the entity or declared the test is sealed for the viewer.
    """
    match event:
        case m.EntityCreated(entity, name, being, seat, con, cha):
            made = Entity(
                name,
                being,
                seat,
                (m.StatValue(Refill.CON.value, con), m.StatValue(Refill.CHA.value, cha)),
            )
            return replace(state, entities=state.entities | {entity: made})
        case m.StatNamed(entity, stat, value):
            return _set_stat(state, entity, m.StatValue(stat, value))
        case m.TestDeclared(entity, kind, stats, refill):
            return replace(state, tests=state.tests | {entity: Test(kind, stats, refill)})
        case m.DiceGranted(entity, source, dice):
            held = state.tests[entity].granted if entity in state.tests else ()
            return _change_test(state, entity, granted=(*held, m.DiceSource(source, dice)))
        case m.PoolAssembled(entity, sources, pool):
            return _change_test(state, entity, sources=sources, pool=pool)
        case m.DtSet(entity=entity, dt=dt) | m.DtDetermined(entity=entity, dt=dt):
            return _change_test(state, entity, dt=dt)
        case m.TestRolled():
            return _add_roll(state, event)
        case m.Interpreted():
            return _change_test(state, event.entity, rolled=False)
        case m.Refilled():
            return _refill(state, event)
        case m.TestEnded(entity) | m.TestDropped(entity):
            return _remove_test(state, entity)
        case m.DiceRolled():
            return state
        case m.StatAdjusted(entity, stat, _, new):
            return _set_stat(state, entity, m.StatValue(stat, new))
        case m.PoolAdjusted(entity, _, new):
            return _change_test(state, entity, pool=new)
        case _:
            raise TypeError(event)


def _add_roll(state: State, event: m.TestRolled) -> State:
    if event.entity not in state.tests:
        return state
    roll = PoolRoll(
        event.pool,
        event.dt,
        event.faces,
        event.successes,
        event.failures,
        event.margin,
        event.failed,
    )
    rolls = (*state.tests[event.entity].rolls, roll)
    return _change_test(
        state,
        event.entity,
        pool=event.pool,
        dt=event.dt,
        rolled=True,
        rolls=rolls,
        total=event.total,
    )


def _refill(state: State, event: m.Refilled) -> State:
    """Return the state after a pool was refilled.

    The numbers of removed and added dice are stored in the test's last roll, if there is one.
    """
    rolls = state.tests[event.entity].rolls if event.entity in state.tests else ()
    if rolls:
        rolls = (*rolls[:-1], replace(rolls[-1], removed=event.removed, added=event.added))
    return _change_test(state, event.entity, pool=event.pool, rolls=rolls)


def _change_test(
    state: State, entity: str, **changes: int | tuple[m.DiceSource, ...] | tuple[PoolRoll, ...]
) -> State:
    if entity not in state.tests:
        return state
    return replace(state, tests=state.tests | {entity: replace(state.tests[entity], **changes)})


def _remove_test(state: State, entity: str) -> State:
    return replace(
        state, tests={other: test for other, test in state.tests.items() if other != entity}
    )


def _set_stat(state: State, entity: str, stat: m.StatValue) -> State:
    """Return the state with the stat replaced, or appended if it is new.

    If the entity is unknown, return the state unchanged.
    """
    if entity not in state.entities:
        return state
    of = state.entities[entity]
    if all(other.name != stat.name for other in of.stats):
        stats = (*of.stats, stat)
    else:
        stats = tuple(stat if other.name == stat.name else other for other in of.stats)
    return replace(state, entities=state.entities | {entity: replace(of, stats=stats)})
