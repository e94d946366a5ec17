"""The state of a Kingdoms and Rulers session: entities, stats, open tests and conditions."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.kingdoms import messages as m, rules
from domain.rulesets.kingdoms.rules import Being, Options, PoolTestKind, Refill


class Entity(msgspec.Struct, frozen=True):
    """A character or thing in the game.

    `stats` are in the order in which they were added, starting with CON and CHA. `retired` is True
    if the entity has left the story.
    """

    name: str
    being: Being
    seat: str
    stats: tuple[m.StatValue, ...]
    retired: bool | UnsetType = UNSET


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
    aim: str | UnsetType = UNSET


class Condition(msgspec.Struct, frozen=True):
    """A condition of an entity.

    `rounds` or `minutes` is the time that is left. If both are unset, the condition lasts until the
    GR ends it.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class State(msgspec.Struct, frozen=True):
    """The state of a session.

    Snapshots and forks store it as JSON without nulls or floats. `tests` maps entity ids to open
    tests, so each entity has at most one. The keys of `conditions` come from `rules.condition_key`.
    `waiting` maps entity ids to the stats that wait for approval.

    `conditions` and `waiting` are unset if they are empty, and `edition` is unset in edition 1. A
    fork records the state, and the verifier compares its bytes, so the JSON of an old state must
    stay the same.
    """

    options: Options
    entities: dict[str, Entity] = {}
    tests: dict[str, Test] = {}
    conditions: dict[str, Condition] | UnsetType = UNSET
    waiting: dict[str, tuple[m.StatValue, ...]] | UnsetType = UNSET
    later_edition: int | UnsetType = msgspec.field(default=UNSET, name="edition")

    @property
    def edition(self) -> int:
        return 1 if self.later_edition is UNSET else self.later_edition


def initial(options: Options, edition: int) -> State:
    return State(options, later_edition=UNSET if edition == 1 else edition)


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
        case m.Retired(entity):
            return _retire(state, entity)
        case m.StatRenamed(entity, old_name, new_name):
            return _rename_stat(state, entity, old_name, new_name)
        case m.StatRemoved(entity, stat):
            return _remove_stat(state, entity, stat)
        case m.StatNamed(entity, stat, value):
            return _remove_waiting(_set_stat(state, entity, m.StatValue(stat, value)), entity, stat)
        case m.StatProposed(entity, stat, value):
            return _add_waiting(state, entity, m.StatValue(stat, value))
        case m.StatRejected(entity, stat):
            return _remove_waiting(state, entity, stat)
        case m.StatAdjusted(entity, stat, _, new):
            return _set_stat(state, entity, m.StatValue(stat, new))
        case m.DiceRolled():
            return state
        case m.ConditionSet():
            condition = Condition(event.entity, event.name, event.rounds, event.minutes, event.note)
            return _set_condition(state, condition)
        case m.ConditionTicked():
            return _tick_condition(state, event)
        case m.ConditionEnded(entity, name):
            return _remove_condition(state, entity, name)
        case _:
            return _evolve_test(state, event)


def _evolve_test(state: State, event: m.Event) -> State:
    """Return the state after an event about a test."""
    match event:
        case m.TestDeclared(entity, kind, stats, refill, aim):
            test = Test(kind, stats, refill, aim=aim)
            return replace(state, tests=state.tests | {entity: test})
        case m.DiceGranted():
            return _add_granted(state, event)
        case m.PoolAssembled(entity, sources, pool):
            return _change_test(state, entity, sources=sources, pool=pool)
        case (
            m.DtSet(entity=entity, dt=dt)
            | m.DtDetermined(entity=entity, dt=dt)
            | m.DtComputed(entity=entity, dt=dt)
        ):
            return _change_test(state, entity, dt=dt)
        case m.TestRolled():
            return _add_roll(state, event)
        case m.Interpreted():
            return _change_test(state, event.entity, rolled=False)
        case m.Refilled():
            return _refill(state, event)
        case m.TestEnded(entity) | m.TestDropped(entity):
            return _remove_test(state, entity)
        case m.PoolAdjusted(entity, _, new):
            return _change_test(state, entity, pool=new)
        case _:
            raise TypeError(event)


def _add_granted(state: State, event: m.DiceGranted) -> State:
    """Return the state with bonus dice. If the pool is assembled, they are added to it."""
    if event.entity not in state.tests:
        return state
    test, source = state.tests[event.entity], m.DiceSource(event.source, event.dice)
    granted = (*test.granted, source)
    if event.pool is UNSET:
        return _change_test(state, event.entity, granted=granted)
    sources = (*test.sources, source)
    return _change_test(state, event.entity, granted=granted, sources=sources, pool=event.pool)


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


def _rename_stat(state: State, entity: str, old: str, new: str) -> State:
    if entity not in state.entities:
        return state
    of = state.entities[entity]
    stats = tuple(m.StatValue(new, stat.value) if stat.name == old else stat for stat in of.stats)
    return replace(state, entities=state.entities | {entity: replace(of, stats=stats)})


def _remove_stat(state: State, entity: str, name: str) -> State:
    if entity not in state.entities:
        return state
    of = state.entities[entity]
    stats = tuple(stat for stat in of.stats if stat.name != name)
    return replace(state, entities=state.entities | {entity: replace(of, stats=stats)})


def _retire(state: State, entity: str) -> State:
    """Return the state with the entity retired and its conditions and waiting stats removed."""
    if entity not in state.entities:
        return state
    retired = replace(state.entities[entity], retired=True)
    conditions = {
        key: held for key, held in (state.conditions or {}).items() if held.entity != entity
    }
    waiting = {other: stats for other, stats in (state.waiting or {}).items() if other != entity}
    return replace(
        state,
        entities=state.entities | {entity: retired},
        conditions=conditions or UNSET,
        waiting=waiting or UNSET,
    )


def waiting_stats(state: State, entity: str) -> tuple[m.StatValue, ...]:
    """Return the entity's stats that wait for approval."""
    return (state.waiting or {}).get(entity, ())


def _add_waiting(state: State, entity: str, stat: m.StatValue) -> State:
    if entity not in state.entities:
        return state
    kept = _without_stat(waiting_stats(state, entity), stat.name)
    return replace(state, waiting=(state.waiting or {}) | {entity: (*kept, stat)})


def _remove_waiting(state: State, entity: str, stat: str) -> State:
    if not waiting_stats(state, entity):
        return state
    kept = _without_stat(waiting_stats(state, entity), stat)
    waiting = (state.waiting or {}) | {entity: kept}
    left = {other: stats for other, stats in waiting.items() if stats}
    return replace(state, waiting=left or UNSET)


def _without_stat(stats: tuple[m.StatValue, ...], name: str) -> tuple[m.StatValue, ...]:
    """Return the stats without the one with this name, ignoring capitalization and spacing."""
    return tuple(stat for stat in stats if rules.folded(stat.name) != rules.folded(name))


def _set_condition(state: State, condition: Condition) -> State:
    if condition.entity not in state.entities:
        return state
    key = rules.condition_key(condition.entity, condition.name)
    return replace(state, conditions=(state.conditions or {}) | {key: condition})


def _tick_condition(state: State, event: m.ConditionTicked) -> State:
    """Return the state with the condition's time left, or without the condition if it is over."""
    held = (state.conditions or {}).get(rules.condition_key(event.entity, event.name))
    if held is None:
        return state
    if not (event.rounds or event.minutes):
        return _remove_condition(state, event.entity, event.name)
    return _set_condition(state, replace(held, rounds=event.rounds, minutes=event.minutes))


def _remove_condition(state: State, entity: str, name: str) -> State:
    gone = rules.condition_key(entity, name)
    kept = {key: held for key, held in (state.conditions or {}).items() if key != gone}
    return replace(state, conditions=kept or UNSET)
