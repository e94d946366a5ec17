"""The Kingdoms and Rulers ruleset: pools of d12s rolled against a threshold.

A basic test is a single roll. An extended test can consist of several rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import get_args

from msgspec import UNSET

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.kingdoms import messages as m, rules
from domain.rulesets.kingdoms.cards import roll_card
from domain.rulesets.kingdoms.controls import CONTROLS, TITLES
from domain.rulesets.kingdoms.decider import decide, find_stats
from domain.rulesets.kingdoms.event_fields import EVENT_FIELDS
from domain.rulesets.kingdoms.presentation import describe, show, tally
from domain.rulesets.kingdoms.refusals import REFUSALS
from domain.rulesets.kingdoms.rules import Options, PoolTestKind
from domain.rulesets.kingdoms.state import State, evolve, initial


def odds(state: State, command: m.Command) -> Mapping[str, Fraction] | None:
    """Return the probability of each outcome of a command.

    The outcomes are margins for a test and sums for a plain roll. Return None if the command rolls
    no dice, or if the test has no pool or no Difficulty Threshold (DT) yet.
    """
    match command:
        case m.RollTest() | m.RunBasicTest():
            margins = _margins(state, command)
            return None if margins is None else _chances(margins, rules.signed)
        case m.RollDice(dice, sides):
            added = command.add or 0
            return _chances(rules.sums(dice, sides), lambda total: str(total + added))
        case _:
            return None


def success(state: State, command: m.Command) -> Fraction | None:
    """Return the probability that a basic test passes, or None for any other command."""
    match command:
        case m.RollTest(entity) if state.tests[entity].kind is PoolTestKind.BASIC:
            margins = _margins(state, command)
        case m.RunBasicTest():
            margins = _margins(state, command)
        case _:
            return None
    if margins is None:
        return None
    passed = sum(number for margin, number in margins.items() if rules.is_passed(margin))
    return Fraction(passed, sum(margins.values()))


def _margins(state: State, command: m.RollTest | m.RunBasicTest) -> Mapping[int, int] | None:
    """Return how many throws result in each margin, or None if there is no pool or no DT yet."""
    twelve_succeeds = state.options.twelve_always_succeeds
    if isinstance(command, m.RollTest):
        test = state.tests[command.entity]
        if test.pool is UNSET or test.dt is UNSET:
            return None
        return rules.margins(test.pool, test.dt, twelve_succeeds)
    stats = find_stats(state, command.entity, command.stats)
    pool = max(0, sum(stat.value for stat in stats))
    return rules.margins(pool, command.dt, twelve_succeeds)


def _chances(ways: Mapping[int, int], written: Callable[[int], str]) -> Mapping[str, Fraction]:
    throws = sum(ways.values())
    return {written(outcome): Fraction(number, throws) for outcome, number in ways.items()}


def carry(state: State) -> Mapping[str, Option]:
    """Return an empty mapping, because nothing is carried over to the next session."""
    return {}


def _edition(edition: str) -> Ruleset[State, m.Command, m.Event, Options]:
    """Return an edition of the rules. The `..._SINCE` constants in `rules` define the changes."""
    return Ruleset(
        name="kingdoms",
        edition=edition,
        title="Kingdoms and Rulers",
        gm_title="GR",
        package=__name__,
        options=Options,
        state=State,
        commands=get_args(m.Command),
        events=get_args(m.Event),
        summary="Pools of d12 against a threshold. 12 and 1 count double.",
        shape="pool",
        first_values={
            "kingdoms.CreatePc": {"con": 2, "cha": 2},
            "kingdoms.CreateNpc": {"con": 2, "cha": 2},
        },
        first_steps=("kingdoms.NameStat",),
        event_fields=EVENT_FIELDS,
        card=roll_card,
        controls=CONTROLS,
        titles=TITLES,
        decider=Decider(partial(initial, edition=int(edition)), decide, evolve),
        show=show,
        describe=describe,
        refusals=REFUSALS,
        tally=tally,
        odds=odds,
        carry=carry,
        success=success,
        named_seats_must_play=int(edition) >= rules.NAMED_SEATS_MUST_PLAY_SINCE,
    )


ruleset = _edition("2")
edition_1 = _edition("1")
