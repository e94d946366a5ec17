"""The table between events: entities with their stats, open tests with their pools; and evolve, which only copies."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.kingdoms.messages.events import (
    Adjustment,
    Character,
    DiceGranted,
    DiceRolled,
    DtDetermined,
    DtSet,
    EntityCreated,
    Event,
    Interpreted,
    PoolAdjusted,
    PoolAssembled,
    Preparation,
    Refilled,
    Source,
    Stat,
    StatAdjusted,
    StatNamed,
    TestDeclared,
    TestDropped,
    TestEnded,
    TestRolled,
)
from domain.rulesets.kingdoms.rules import Being, Kind, Options, Refill


class Entity(msgspec.Struct, frozen=True):
    """`stats` in the order in which they were named, CON and CHA first."""

    name: str
    being: Being
    seat: str
    stats: tuple[Stat, ...]


class Roll(msgspec.Struct, frozen=True):
    """One roll of a test; `removed` and `added` are absent until the pool was refilled."""

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
    """`pool` is absent until it is assembled, `dt` until it is set; `rolled`: the last roll waits to be interpreted."""

    kind: Kind
    stats: tuple[str, ...]
    refill: Refill | UnsetType = UNSET
    granted: tuple[Source, ...] = ()
    sources: tuple[Source, ...] = ()
    pool: int | UnsetType = UNSET
    dt: int | UnsetType = UNSET
    rolled: bool = False
    rolls: tuple[Roll, ...] = ()
    total: int = 0


class State(msgspec.Struct, frozen=True):
    """JSON without null or float: snapshots and forks store it. `tests` are the open ones, one an entity at most."""

    options: Options
    entities: dict[str, Entity] = {}
    tests: dict[str, Test] = {}


def initial(options: Options) -> State:
    return State(options)


def evolve(state: State, event: Event) -> State:
    """The state after the event. Of an entity or a test that was never seen to begin, nothing is kept."""
    match event:
        case EntityCreated() | StatNamed():
            return _described(state, event)
        case TestDeclared() | DiceGranted() | PoolAssembled() | DtSet() | DtDetermined():
            return _prepared(state, event)
        case TestRolled():
            return _rolled(state, event)
        case Interpreted():
            return _with(state, event.entity, rolled=False)
        case Refilled():
            return _refilled(state, event)
        case TestEnded():
            return _without(state, event.entity)
        case DiceRolled():
            return state
        case StatAdjusted() | PoolAdjusted() | TestDropped():
            return _adjusted(state, event)
        case _:
            raise TypeError(event)


def _described(state: State, event: Character) -> State:
    match event:
        case EntityCreated(entity, name, being, seat, con, cha):
            made = Entity(
                name, being, seat, (Stat(Refill.CON.value, con), Stat(Refill.CHA.value, cha))
            )
            return replace(state, entities=state.entities | {entity: made})
        case StatNamed(entity, stat, value):
            return _having(state, entity, Stat(stat, value))


def _prepared(state: State, event: Preparation) -> State:
    match event:
        case TestDeclared(entity, kind, stats, refill):
            return replace(state, tests=state.tests | {entity: Test(kind, stats, refill)})
        case DiceGranted(entity, source, dice):
            held = state.tests[entity].granted if entity in state.tests else ()
            return _with(state, entity, granted=(*held, Source(source, dice)))
        case PoolAssembled(entity, sources, pool):
            return _with(state, entity, sources=sources, pool=pool)
        case DtSet(entity=entity, dt=dt) | DtDetermined(entity=entity, dt=dt):
            return _with(state, entity, dt=dt)


def _rolled(state: State, event: TestRolled) -> State:
    if event.entity not in state.tests:
        return state
    roll = Roll(
        event.pool,
        event.dt,
        event.faces,
        event.successes,
        event.failures,
        event.margin,
        event.failed,
    )
    rolls = (*state.tests[event.entity].rolls, roll)
    return _with(
        state,
        event.entity,
        pool=event.pool,
        dt=event.dt,
        rolled=True,
        rolls=rolls,
        total=event.total,
    )


def _refilled(state: State, event: Refilled) -> State:
    """The pool as it is now; the last roll keeps what went and came, where it was seen."""
    rolls = state.tests[event.entity].rolls if event.entity in state.tests else ()
    if rolls:
        rolls = (*rolls[:-1], replace(rolls[-1], removed=event.removed, added=event.added))
    return _with(state, event.entity, pool=event.pool, rolls=rolls)


def _adjusted(state: State, event: Adjustment) -> State:
    match event:
        case StatAdjusted(entity, stat, _, new):
            return _having(state, entity, Stat(stat, new))
        case PoolAdjusted(entity, _, new):
            return _with(state, entity, pool=new)
        case TestDropped(entity):
            return _without(state, entity)


def _with(
    state: State, entity: str, **changes: int | tuple[Source, ...] | tuple[Roll, ...]
) -> State:
    """The state with one test changed; unchanged where it was never seen."""
    if entity not in state.tests:
        return state
    return replace(state, tests=state.tests | {entity: replace(state.tests[entity], **changes)})


def _without(state: State, entity: str) -> State:
    return replace(
        state, tests={other: test for other, test in state.tests.items() if other != entity}
    )


def _having(state: State, entity: str, stat: Stat) -> State:
    """The state with the stat in its old place, or at the end; unchanged where the entity was never seen."""
    if entity not in state.entities:
        return state
    of = state.entities[entity]
    if all(other.name != stat.name for other in of.stats):
        stats = (*of.stats, stat)
    else:
        stats = tuple(stat if other.name == stat.name else other for other in of.stats)
    return replace(state, entities=state.entities | {entity: replace(of, stats=stats)})
