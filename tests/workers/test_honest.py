"""On honest evenings luck is standard normal, p-values are uniform, and no more tables are called out than is stated.

The seeds are 0 to n - 1. Dice come in steps, and so do z and p. Nothing is smoothed here: every p is a mid-p (half of
what is as likely as what came counts), which is uniform on average, and evenings of many lengths have their steps in
many places. Kolmogorov-Smirnov takes steps for a difference, so that it can fail by them and never pass by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from time import perf_counter
from typing import NamedTuple

import pytest
from scipy.stats import binom, kstest

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from projections import statistics_model as shapes
from projections.statistics_model import ALPHA, DRAWN, SessionReport
from tests.support.scale import LONG, scale
from tests.support.simulation import simulate
from workers.statistics.report import compute_report

EVENINGS = scale(50, 1_000)
SCENES = range(60, 121)
LEVEL = 0.001
"""At which a test of this file takes honest figures for others: so seldom, were the seeds not fixed."""
ROOMS = [pytest.param(ruleset, id=ruleset.name) for ruleset in (RULESETS if LONG else RULESETS[:1])]


class SimulatedSession(NamedTuple):
    """What its report says of chance: z and the test of each seat's luck, and the tests of each seat's faces."""

    luck: tuple[tuple[float, shapes.ChanceTest], ...]
    faces: tuple[shapes.ChanceTest, ...]
    made: int
    called_out: bool


@cache
def evenings(ruleset: AnyRuleset) -> tuple[SimulatedSession, ...]:
    began = perf_counter()
    made = tuple(
        judged(compute_report(simulate(ruleset, seed, SCENES[seed % len(SCENES)])))
        for seed in range(EVENINGS)
    )
    print(f"\n{ruleset.name}: {EVENINGS} evenings in {perf_counter() - began:.1f} s")
    return made


def judged(report: SessionReport) -> SimulatedSession:
    """Without those of too few draws, and of a die in all hands together, which are no other draws."""
    luck = [(each.z, each.test) for each in report.luck["seats"].values()]
    faces = [each.test for die in report.faces[DRAWN].values() for each in die.seats.values()]
    return SimulatedSession(
        tuple(
            (z, test)
            for z, test in luck
            if isinstance(test, shapes.ChanceTest) and test.verdict != "few"
        ),
        tuple(
            test for test in faces if isinstance(test, shapes.ChanceTest) and test.verdict != "few"
        ),
        report.tests.made,
        bool(report.tests.found),
    )


def likely(name: str, numbers: Sequence[float], distribution: str) -> None:
    """Kolmogorov and Smirnov cannot tell the numbers from the distribution."""
    distance, p, *_ = kstest(numbers, distribution)
    print(f"{name}: {len(numbers)} against {distribution}, D = {distance:.4f}, p = {p:.3f}")
    assert len(numbers) >= EVENINGS
    assert p > LEVEL


@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", ROOMS)
def test_the_luck_of_seats_is_standard_normal(ruleset: AnyRuleset) -> None:
    likely(
        f"{ruleset.name}, z of luck",
        [z for evening in evenings(ruleset) for z, _ in evening.luck],
        "norm",
    )


@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", ROOMS)
def test_the_p_of_luck_is_uniform(ruleset: AnyRuleset) -> None:
    likely(
        f"{ruleset.name}, p of luck",
        [test.p for evening in evenings(ruleset) for _, test in evening.luck],
        "uniform",
    )


@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", ROOMS)
def test_the_p_of_faces_is_uniform(ruleset: AnyRuleset) -> None:
    likely(
        f"{ruleset.name}, p of faces",
        [test.p for evening in evenings(ruleset) for test in evening.faces],
        "uniform",
    )


@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", ROOMS)
def test_no_more_honest_tables_are_called_out_than_is_stated(ruleset: AnyRuleset) -> None:
    called = sum(evening.called_out for evening in evenings(ruleset))
    most = int(binom.ppf(1 - LEVEL, EVENINGS, ALPHA))
    made = sum(evening.made for evening in evenings(ruleset))
    print(
        f"{ruleset.name}: {called} of {EVENINGS} honest evenings called out, {ALPHA:.0%} stated, {made} tests"
    )
    assert called <= most


@pytest.mark.long
@pytest.mark.timeout(900)
def test_nor_of_all_games_together() -> None:
    called = sum(evening.called_out for ruleset in RULESETS for evening in evenings(ruleset))
    number = EVENINGS * len(RULESETS)
    print(
        f"all games: {called} of {number} honest evenings called out, {called / number:.2%}; {ALPHA:.0%} stated"
    )
    assert called <= binom.ppf(1 - LEVEL, number, ALPHA)
