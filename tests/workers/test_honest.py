"""In honest sessions luck is standard normal, and percentiles and p-values are uniform.

The seeds are 0 to n - 1. Dice come in steps, and so do z and p. Nothing is smoothed here: every p is a mid-p (half of
what is as likely as what came counts), which is uniform on average, and sessions of many lengths have their steps in
many places. Kolmogorov-Smirnov takes steps for a difference, so that it can fail by them and never pass by them.
How many honest tables are called out is tested in test_false_alarms.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from time import perf_counter
from typing import NamedTuple

import pytest
from msgspec import UNSET
from scipy.stats import kstest

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from projections import statistics_model as shapes
from projections.statistics_model import DRAWN, SessionReport
from tests.support.scale import LONG, scale
from tests.support.simulation import simulate
from workers.statistics.report import compute_report

EVENINGS = scale(50, 1_000)
SCENES = range(60, 121)
LEVEL = 0.001
"""At which a test of this file takes honest figures for others: so seldom, were the seeds not fixed."""
ROOMS = [pytest.param(ruleset, id=ruleset.name) for ruleset in (RULESETS if LONG else RULESETS[:1])]


class SimulatedSession(NamedTuple):
    """What its report says of chance: the luck of each seat, and the tests of each seat's faces, by their names."""

    luck: tuple[shapes.Luck, ...]
    faces: tuple[tuple[str, shapes.ChanceTest], ...]


@cache
def evenings(ruleset: AnyRuleset) -> tuple[SimulatedSession, ...]:
    began = perf_counter()
    made = tuple(
        judged(compute_report(simulate(ruleset, seed, SCENES[seed % len(SCENES)]), is_final=True))
        for seed in range(EVENINGS)
    )
    print(f"\n{ruleset.name}: {EVENINGS} evenings in {perf_counter() - began:.1f} s")
    return made


def judged(report: SessionReport) -> SimulatedSession:
    """Leave out tests of too few draws, and those of a die in all hands together, which are no other draws."""
    luck = report.luck[DRAWN]["seats"].values()
    faces = [each.tests for die in report.faces[DRAWN].values() for each in die.seats.values()]
    # The repeats of a die are tested in all hands together.
    faces += [{"repeats": die.tests["repeats"]} for die in report.faces[DRAWN].values()]
    return SimulatedSession(
        tuple(each for each in luck if each.tests["luck"].verdict != "few"),
        tuple(
            (name, test) for tests in faces for name, test in tests.items() if test.verdict != "few"
        ),
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
        [luck.z for evening in evenings(ruleset) for luck in evening.luck],
        "norm",
    )


@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", ROOMS)
def test_percentiles_are_uniform(ruleset: AnyRuleset) -> None:
    percentiles = [luck.percentile for evening in evenings(ruleset) for luck in evening.luck]
    assert UNSET not in percentiles
    likely(f"{ruleset.name}, percentiles", percentiles, "uniform")


@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", ROOMS)
def test_the_p_of_luck_is_uniform(ruleset: AnyRuleset) -> None:
    likely(
        f"{ruleset.name}, p of luck",
        [luck.tests["luck"].p for evening in evenings(ruleset) for luck in evening.luck],
        "uniform",
    )


TESTS = [
    pytest.param(*param.values, name, id=f"{param.id}-{name}")
    for param in ROOMS
    for name, games in {
        "faces": {param.id},
        # Deckahedron has cards and few rolls of a d4. A d100 of Pentola repeats itself so seldom that p comes in big steps.
        "repeats": {param.id} - {"deckahedron", "pentola"},
        "mean": {"pentola"},  # the game with a d100
    }.items()
    if param.id in games
]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("ruleset", "name"), TESTS)
def test_the_p_of_faces_is_uniform(ruleset: AnyRuleset, name: str) -> None:
    likely(
        f"{ruleset.name}, p of {name}",
        [test.p for evening in evenings(ruleset) for each, test in evening.faces if each == name],
        "uniform",
    )
