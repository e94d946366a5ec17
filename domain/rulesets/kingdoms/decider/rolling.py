"""The roll and its meaning: the end of a basic test, the next roll of an extended one (RULES 2, 7 to 9)."""

from __future__ import annotations

from msgspec import UNSET

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.kingdoms import rules
from domain.rulesets.kingdoms.decider import guards
from domain.rulesets.kingdoms.messages.commands import (
    EndTest,
    Interpret,
    RollDice,
    Rolling,
    RollTest,
)
from domain.rulesets.kingdoms.messages.events import (
    DiceRolled,
    Event,
    Interpreted,
    Refilled,
    TestEnded,
    TestRolled,
)
from domain.rulesets.kingdoms.rules import Kind, Refill
from domain.rulesets.kingdoms.state import State, Test


def decide(state: State, command: Rolling, by: By, chance: Chance) -> tuple[Event, ...]:
    match command:
        case RollTest():
            return _roll_test(state, command, by, chance)
        case Interpret():
            return _interpret(state, command, by)
        case EndTest():
            return _end_test(state, command, by)
        case RollDice():
            return _roll_dice(state, command, by, chance)


def _roll_test(state: State, command: RollTest, by: By, chance: Chance) -> tuple[Event, ...]:
    guards.own(state, command.entity, by)
    test = guards.open_test(state, command.entity)
    pool = guards.assembled(command.entity, test)
    guards.interpreted(command.entity, test)
    dt = guards.threshold(command.entity, test)
    if len(test.rolls) >= rules.MOST_ROLLS:
        raise Refused("too-many-rolls", entity=command.entity, most=rules.MOST_ROLLS)
    faces = tuple(chance.draw(rules.DIE) for _ in range(pool))
    return (_rolled(state, command.entity, test, dt, faces),)


def _rolled(state: State, entity: str, test: Test, dt: int, faces: tuple[int, ...]) -> TestRolled:
    twelve_succeeds = state.options.twelve_always_succeeds
    worths = [rules.worth(face, dt, twelve_succeeds) for face in faces]
    margin = sum(worths)
    return TestRolled(
        entity=entity,
        test=test.kind,
        nth=len(test.rolls) + 1,
        pool=len(faces),
        dt=dt,
        twelve_succeeds=twelve_succeeds,
        faces=faces,
        successes=sum(worth for worth in worths if worth > 0),
        failures=-sum(worth for worth in worths if worth < 0),
        margin=margin,
        failed=sum(worth < 0 for worth in worths),
        total=test.total + margin,
        passed=rules.passed(margin) if test.kind is Kind.BASIC else UNSET,
    )


def _interpret(state: State, command: Interpret, by: By) -> tuple[Event, ...]:
    guards.referee(by)
    test = guards.open_test(state, command.entity)
    if not test.rolled:
        raise Refused("not-rolled", entity=command.entity)
    interpreted = Interpreted(command.entity, len(test.rolls), command.text)
    if test.refill is UNSET:
        return interpreted, _ended(command.entity, test)
    return interpreted, _refilled(state, command.entity, test, test.refill)


def _refilled(state: State, entity: str, test: Test, refill: Refill) -> Refilled:
    """The dice that failed go, a 1 as one die; then those of CON or CHA come."""
    last = test.rolls[-1]
    kept = last.pool - last.failed
    value = guards.having(entity, state.entities[entity], refill).value
    pool = rules.refilled(kept, value)
    return Refilled(entity, len(test.rolls), last.failed, refill, value, pool - kept, pool)


def _ended(entity: str, test: Test) -> TestEnded:
    pool = 0 if test.pool is UNSET else test.pool
    return TestEnded(entity, test.kind, len(test.rolls), test.total, pool)


def _end_test(state: State, command: EndTest, by: By) -> tuple[Event, ...]:
    guards.referee(by)
    test = guards.open_test(state, command.entity)
    if test.kind is not Kind.EXTENDED:
        raise Refused("not-extended", entity=command.entity)
    guards.interpreted(command.entity, test)
    return (_ended(command.entity, test),)


def _roll_dice(state: State, command: RollDice, by: By, chance: Chance) -> tuple[Event, ...]:
    guards.own(state, command.entity, by)
    if command.sides not in rules.DICE:
        raise Refused(
            "no-such-die", sides=command.sides, dice=tuple(f"d{sides}" for sides in rules.DICE)
        )
    faces = tuple(chance.draw(command.sides) for _ in range(command.dice))
    return (DiceRolled(command.entity, command.sides, faces, sum(faces), command.purpose),)
