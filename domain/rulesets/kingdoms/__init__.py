"""Kingdoms and Rulers: pools of d12 against a Difficulty Threshold, in one roll or in many."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import get_args

from msgspec import UNSET

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.kingdoms import rules
from domain.rulesets.kingdoms.decider import decide
from domain.rulesets.kingdoms.messages.commands import Command, RollDice, RollTest
from domain.rulesets.kingdoms.messages.events import Event
from domain.rulesets.kingdoms.rules import Options
from domain.rulesets.kingdoms.state import State, Test, evolve, initial
from domain.rulesets.kingdoms.telling import show, tally, tell


def odds(state: State, command: Command) -> Mapping[str, Fraction] | None:
    """Of a test the chance of each margin, of a plain roll that of each sum; no other command draws."""
    match command:
        case RollTest(entity):
            return _margins(state.tests[entity], state.options.twelve_always_succeeds)
        case RollDice(_, dice, sides):
            return _chances(rules.sums(dice, sides), str)
        case _:
            return None


def _margins(test: Test, twelve_succeeds: bool) -> Mapping[str, Fraction] | None:
    if test.pool is UNSET or test.dt is UNSET:
        return None
    return _chances(rules.margins(test.pool, test.dt, twelve_succeeds), rules.signed)


def _chances(ways: Mapping[int, int], written: Callable[[int], str]) -> Mapping[str, Fraction]:
    throws = sum(ways.values())
    return {written(outcome): Fraction(number, throws) for outcome, number in ways.items()}


def carry(state: State) -> Mapping[str, Option]:
    """Nothing: every pool is put back when its test ends, and characters are brought anew."""
    return {}


ruleset: Ruleset[State, Command, Event, Options] = Ruleset(
    name="kingdoms",
    edition="1",
    title="Kingdoms and Rulers",
    options=Options,
    state=State,
    commands=get_args(Command),
    events=get_args(Event),
    decider=Decider(initial, decide, evolve),
    show=show,
    tell=tell,
    tally=tally,
    odds=odds,
    carry=carry,
)
