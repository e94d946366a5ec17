"""Goals, outcomes and usage dice: the tables of the rules, counted over all faces."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from domain.rulesets.pentola import rules
from domain.rulesets.pentola.rules import (
    CHAIN,
    RANKS,
    Die,
    Difficulty,
    Finding,
    Options,
    Outcome,
    Ruling,
)

FUMBLE, FAILURE, SUCCESS, CRITICAL = RANKS
CLAMPED = Options(steps_stop_at_one=True)

BASES = [(13, 39), (10, 30), (6, 18), (1, 3)]
COUNTS = [
    # percent, steps, goal, rolls that pass, rolls that are critical
    (80, 0, Fraction(80), 79, 7),
    (70, 1, Fraction(140), 99, 13),  # PE-5
    (82, 0, Fraction(82), 81, 8),
    (50, 0, Fraction(50), 49, 4),
    (51, -1, Fraction(51, 2), 25, 2),
    (51, 0, Fraction(51), 50, 5),
    (10, 0, Fraction(10), 9, 0),  # ruling 5
    (11, 0, Fraction(11), 10, 1),
    (3, 0, Fraction(3), 2, 0),
    (1, -1, Fraction(1, 2), 0, 0),  # ruling 6: not even on a roll of 1
    (30, 2, Fraction(120), 99, 11),
    (51, -2, Fraction(51, 4), 12, 1),
]
OUTCOMES = [
    # id, goal, roll, outcome
    ("PE-1", 80, 87, FAILURE),
    ("PE-1", 140, 83, SUCCESS),
    ("PE-3", 140, 12, CRITICAL),
    ("PE-4", 140, 100, FUMBLE),
    ("PE-6", 80, 80, FAILURE),
    ("PE-6", 80, 79, SUCCESS),
    ("PE-7", 80, 8, SUCCESS),
    ("PE-7", 80, 7, CRITICAL),
    ("PE-8", 140, 99, SUCCESS),
    ("PE-8", 140, 100, FUMBLE),
    ("PE-18", 51, 10, SUCCESS),
    ("PE-19", 20, 2, SUCCESS),
    ("PE-19", 21, 2, CRITICAL),
    ("13 of 140", 140, 13, CRITICAL),
    ("13 of 140", 140, 14, SUCCESS),
    ("a fumble of a low goal", 30, 100, FUMBLE),
    ("ruling 5", 10, 1, SUCCESS),
    ("ruling 6", 1, 1, FAILURE),
]
STEPS = [
    # what was said, by ruling 3, with the option
    ([0], 0, 0),
    ([1], 1, 1),
    ([-1], -1, -1),
    ([1, 1], 2, 1),
    ([-1, -1], -2, -1),
    ([1, -1], 0, 0),
    ([-1, 0, -1], -2, -1),
]
WRITTEN = [
    (Fraction(140), "140 %"),
    (Fraction(51, 2), "25½ %"),
    (Fraction(49, 4), "12¼ %"),
    (Fraction(3, 4), "0¾ %"),
]
FINDINGS = [
    (Finding.CANNOT_FAIL, Ruling.SUCCESS),
    (Finding.CANNOT_SUCCEED, Ruling.FAILURE),
    (Finding.NO_CONSEQUENCES, Ruling.SUCCESS),
]


@pytest.mark.parametrize(("score", "goal"), BASES)
def test_the_base_goal_is_three_times_the_score(score: int, goal: int) -> None:
    assert rules.base(score) == goal


@pytest.mark.parametrize(("percent", "steps", "goal", "passed", "critical"), COUNTS)
def test_counted_over_all_rolls(
    percent: int, steps: int, goal: Fraction, passed: int, critical: int
) -> None:
    assert rules.goal(percent, steps) == goal
    spread = rules.outcome_counts(goal)
    assert spread.get(CRITICAL, 0) == critical
    assert spread.get(SUCCESS, 0) == passed - critical
    assert spread.get(FAILURE, 0) == 99 - passed
    assert spread[FUMBLE] == 1


@pytest.mark.parametrize(
    ("goal", "roll", "outcome"), [row[1:] for row in OUTCOMES], ids=[row[0] for row in OUTCOMES]
)
def test_outcome(goal: int, roll: int, outcome: Outcome) -> None:
    assert rules.outcome(roll, Fraction(goal)) is outcome


def test_halving_gives_the_rolls_that_rounding_the_half_up_would() -> None:
    for percent in range(1, 301):
        assert [
            rules.outcome(roll, rules.goal(percent, -1)) in rules.PASSED for roll in range(1, 100)
        ] == [roll < (percent + 1) // 2 for roll in range(1, 100)], percent


@pytest.mark.parametrize(("said", "steps", "clamped"), STEPS)
def test_steps_add_up(said: Sequence[int], steps: int, clamped: int) -> None:
    assert rules.steps(said, Options()) == steps
    assert rules.steps(said, CLAMPED) == clamped


@pytest.mark.parametrize(("goal", "said"), WRITTEN)
def test_how_a_goal_is_said(goal: Fraction, said: str) -> None:
    assert rules.goal_text(goal) == said


@pytest.mark.parametrize(("finding", "ruling"), FINDINGS)
def test_rulings(finding: Finding, ruling: Ruling) -> None:
    assert rules.RULINGS[finding] is ruling


def test_difficulties() -> None:
    assert rules.STEPS == {Difficulty.EASY: 1, Difficulty.NORMAL: 0, Difficulty.HARD: -1}


def test_the_chain_of_usage_dice() -> None:
    assert [rules.SIDES[die] for die in CHAIN] == [20, 12, 10, 8, 6, 4, 0]


@pytest.mark.parametrize("die", CHAIN[:-1])
def test_only_a_1_steps_down(die: Die) -> None:
    lefts = [rules.step_down(die, face) for face in range(1, rules.SIDES[die] + 1)]
    assert lefts == [CHAIN[CHAIN.index(die) + 1]] + [die] * (rules.SIDES[die] - 1)
