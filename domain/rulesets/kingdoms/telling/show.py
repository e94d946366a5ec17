"""What a screen shows: the entities with their stats, and the open tests."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from domain.rulesets.kingdoms.rules import signed
from domain.rulesets.kingdoms.state import Entity, Roll, State, Test
from domain.rulesets.kingdoms.telling.words import D12, a_test, listed, shown_faces
from domain.table import Entity as Shown
from domain.table import Pool, Table, Task


def show(state: State) -> Table:
    """The entities with their stats; the open tests with their pools, their DT and every roll so far."""
    return Table(
        entities={entity: _entity(state, entity, of) for entity, of in state.entities.items()},
        pools={
            f"{entity}.pool": Pool(entity, D12, test.pool)
            for entity, test in state.tests.items()
            if test.pool is not UNSET
        },
        tasks={
            f"{entity}.test": _task(state, entity, test) for entity, test in state.tests.items()
        },
    )


def _entity(state: State, entity: str, of: Entity) -> Shown:
    status = f"in {a_test(state.tests[entity].kind)}" if entity in state.tests else "ok"
    return Shown(
        of.name, of.seat, of.being, status, {stat.name: str(stat.value) for stat in of.stats}
    )


def _task(state: State, entity: str, test: Test) -> Task:
    seat = state.entities[entity].seat if entity in state.entities else ""
    return Task(seat, f"{test.kind} test", _waits(test), dict(_sheet(entity, test)))


def _waits(test: Test) -> str:
    """The next step of the book's list."""
    if test.rolled:
        return "the GR interprets"
    if test.pool is UNSET:
        return "the player assembles the pool"
    return "the GR sets the DT" if test.dt is UNSET else "the player rolls"


def _sheet(entity: str, test: Test) -> Iterator[tuple[str, str]]:
    yield "entity", entity
    yield "stats", ", ".join(test.stats)
    if test.refill is not UNSET:
        yield "refill", test.refill
    if test.granted or test.sources:
        yield "dice", listed(test.sources or test.granted)
    if test.dt is not UNSET:
        yield "DT", str(test.dt)
    if test.rolls:
        yield "margin", signed(test.rolls[-1].margin)
        yield "sum of margins", signed(test.total)
    for nth, roll in enumerate(test.rolls, 1):
        yield f"roll {nth}", _written(roll)


def _written(roll: Roll) -> str:
    done = f"{shown_faces(roll.faces)} against DT {roll.dt}: margin {signed(roll.margin)}"
    if roll.removed is UNSET or roll.added is UNSET:
        return done
    return f"{done}; removed {roll.removed}, added {roll.added}"
