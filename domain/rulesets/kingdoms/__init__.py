"""The Kingdoms and Rulers ruleset: pools of d12s rolled against a threshold.

A basic test is a single roll. An extended test can consist of several rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import get_args

from msgspec import UNSET

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.kingdoms import messages as m, rules
from domain.rulesets.kingdoms.decider import decide
from domain.rulesets.kingdoms.presentation import describe, show, tally
from domain.rulesets.kingdoms.rules import Options
from domain.rulesets.kingdoms.state import State, Test, evolve, initial


def odds(state: State, command: m.Command) -> Mapping[str, Fraction] | None:
    """Return the probability of each outcome of a command.

    The outcomes are margins for a test and sums for a plain roll. Return None if the command rolls
    no dice, or if the test has no pool or no Difficulty Threshold (DT) yet.
    """
    match command:
        case m.RollTest(entity):
            return _margins(state.tests[entity], state.options.twelve_always_succeeds)
        case m.RollDice(_, dice, sides):
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
    """Return an empty mapping, because nothing is carried over to the next session."""
    return {}


ruleset: Ruleset[State, m.Command, m.Event, Options] = Ruleset(
    name="kingdoms",
    edition="1",
    title="Kingdoms and Rulers",
    options=Options,
    state=State,
    commands=get_args(m.Command),
    events=get_args(m.Event),
    decider=Decider(initial, decide, evolve),
    show=show,
    describe=describe,
    tally=tally,
    odds=odds,
    carry=carry,
)
