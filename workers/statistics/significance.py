"""Significance tests for luck and faces, with a correction for multiple tests.

The luck of a draw is its mid-probability: P(a worse result) + P(the same result)/2, from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import floor, log10, sqrt
from typing import Literal, NamedTuple

import numpy as np
from msgspec import UNSET, UnsetType
from scipy.special import chdtrc, ndtr

from domain.tally import Rolled
from projections import statistics_model as m
from workers.statistics import chi_square, pooled_draws
from workers.statistics.chi_square import Floats
from workers.statistics.pooled_draws import Chances, Pools

DIGITS = 6
MIN_DRAWS = 10
"""The minimum number of draws needed for a test."""
MIN_EVEN_DRAWS, MAX_SKEWNESS = 30.0, 0.25
"""The limits within which the total luck of several draws is treated as normally distributed.

Its variance must be at least that of MIN_EVEN_DRAWS draws from a continuous uniform distribution,
and its skewness must be at most MAX_SKEWNESS.
"""
FACES: Literal["faces"] = "faces"
LUCK: Literal["luck"] = "luck"
HALF = Fraction(1, 2)


class LuckTable(NamedTuple):
    """The luck of each possible value, for draws with the same chances.

    The chances are ordered from the worst value to the best. `exact` contains the luck of each
    value minus one half. `variance` and `third` are the second and third central moments of luck.
    `above` and `below` are the probabilities that luck is above and below one half.
    """

    luck: dict[str, float]
    exact: dict[str, Fraction]
    variance: float
    third: float
    above: float
    below: float


@lru_cache(maxsize=4096)
def luck_of(chances: Chances) -> LuckTable:
    exact: dict[str, Fraction] = {}
    worse = Fraction()
    for value, chance in chances:
        share = Fraction(*chance)
        exact[value] = worse + share / 2 - HALF
        worse += share
    shares = {value: Fraction(*chance) for value, chance in chances}
    return LuckTable(
        {value: float(mid + HALF) for value, mid in exact.items()},
        exact,
        float(1 - sum(share**3 for share in shares.values())) / 12,
        float(sum(shares[value] * mid**3 for value, mid in exact.items())),
        float(sum(share for value, share in shares.items() if exact[value] > 0)),
        float(sum(share for value, share in shares.items() if exact[value] < 0)),
    )


def rank(roll: Rolled) -> tuple[Chances, str] | None:
    """Return the chances of a roll, ordered from worst to best, and the drawn result.

    Both refer to outcomes if the roll has an outcome, and to values otherwise. Return None if no
    result is better than another, or if only one result was possible.
    """
    chances, value = (
        (roll.chances, roll.value) if roll.outcome is UNSET else (roll.outcomes, roll.outcome)
    )
    ordered = tuple(
        (each, chances[each]) for each in roll.scale if each in chances and chances[each][0]
    )
    return (ordered, value) if len(ordered) > 1 and value in dict(ordered) else None


def luck_of_roll(roll: Rolled) -> float | None:
    ranked = rank(roll)
    return None if ranked is None else luck_of(ranked[0]).luck[ranked[1]]


class Trial(NamedTuple):
    """A test result before the correction for multiple tests.

    `p` is None if no test was run, for example because there were too few draws.
    """

    draws: int
    statistic: float
    p: float | None = None
    how: m.TestMethod = "exact"
    df: int | UnsetType = UNSET


def try_faces(pools: Pools) -> Trial:
    """Test the values of a die or deck against chance with a chi-square test.

    If the chi-square distribution does not apply, for example because there are few draws, a
    simulation is used instead.
    """
    pools = pooled_draws.uncertain(pools)
    if not pools:
        return Trial(0, 0.0)
    found, number = chi_square.compute(pools), pooled_draws.count(pools)
    if number < MIN_DRAWS:
        return Trial(number, found.statistic, df=found.df)
    if found.is_chi_square:
        p = float(chdtrc(found.df, found.statistic))
        return Trial(number, found.statistic, p, "chi-square", found.df)
    _, more = chi_square.simulate_tails(pools, found.sample, found.statistic, both=False)
    return Trial(number, found.statistic, more, "simulated", found.df)


def try_luck(pools: Pools, *, tests: bool = True) -> Trial:
    """Test whether the luck of the draws is consistent with chance (two-sided).

    The chances in `pools` must be ordered from worst to best. The test uses the normal
    distribution, or a simulation if there are too few draws or their luck is too skewed. If `tests`
    is False, only z is computed.
    """
    pools = pooled_draws.uncertain(pools)
    parts = [(luck_of(each.chances), each) for each in pools]
    variance = sum(luck.variance * each.times for luck, each in parts)
    if not variance:
        return Trial(0, 0.0)
    total = float(
        sum(luck.exact[value] * times for luck, each in parts for value, times in each.seen.items())
    )
    number, z = pooled_draws.count(pools), total / sqrt(variance)
    if number < MIN_DRAWS or not tests:
        return Trial(number, z)
    skewness = abs(sum(luck.third * each.times for luck, each in parts)) / variance**1.5
    if 12 * variance >= MIN_EVEN_DRAWS and skewness <= MAX_SKEWNESS:
        return Trial(number, z, float(2 * ndtr(-abs(z))), "normal")
    return Trial(number, z, _simulate_luck(pools, total), "simulated")


def _simulate_luck(pools: Pools, total: float) -> float:
    def sample(chance: np.random.Generator, size: int) -> Floats:
        sums = np.zeros(size)
        for each in pools:
            luck = luck_of(each.chances).luck
            shares = chi_square.to_floats(share for _, share in each.chances)
            weights = np.array([luck[value] - 0.5 for value, _ in each.chances])
            sums += chi_square.simulate_counts(chance, shares, each.times, size) @ weights
        return sums

    return min(1.0, 2 * min(chi_square.simulate_tails(pools, sample, total, both=True)))


class Subject(NamedTuple):
    """The subject of a test.

    An empty `seat` stands for all seats, and an empty `source` for all dice and decks.
    """

    test: Literal["faces", "luck"]
    dice: str = m.DRAWN
    source: str = ""
    seat: str = ""


def judge(pools: Mapping[Subject, Pools]) -> tuple[dict[Subject, m.ChanceTest], m.TestSummary]:
    """Return the result of each test, and a summary of the tests on drawn values.

    The tests on declared values are corrected as a separate family.
    """
    trials = {
        key: (try_faces if key.test == FACES else try_luck)(each) for key, each in pools.items()
    }
    tests: dict[Subject, m.ChanceTest] = {}
    for dice in (m.DRAWN, m.DECLARED):
        family = {key: trial for key, trial in trials.items() if key.dice == dice}
        ps = {key: trial.p for key, trial in family.items() if trial.p is not None}
        adjusted = dict(zip(ps, holm(list(ps.values())), strict=True))
        tests |= {key: _test(key, trial, adjusted.get(key, 1.0)) for key, trial in family.items()}
    found = sorted(
        (key for key in tests if key.dice == m.DRAWN and tests[key].verdict not in ("fair", "few")),
        key=lambda key: tests[key].p,
    )
    findings = tuple(_finding(key, tests[key], pools[key], trials[key]) for key in found)
    made = sum(trial.p is not None for key, trial in trials.items() if key.dice == m.DRAWN)
    verdict: m.Verdict = findings[0].verdict if findings else "fair" if made else "few"
    return tests, m.TestSummary(
        made, m.ALPHA, verdict, describe_tests(made, len(findings)), findings
    )


def holm(ps: Sequence[float]) -> list[float]:
    """Return the p-values, corrected for multiple tests with Holm's method (1979)."""
    adjusted, least = [0.0] * len(ps), 0.0
    for nth, index in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, min(1.0, (len(ps) - nth) * ps[index]))
        adjusted[index] = least
    return adjusted


def round_p(number: float) -> float:
    """Return the number rounded to six significant digits."""
    return float(f"{number:.{DIGITS}g}")


def _test(key: Subject, trial: Trial, adjusted: float) -> m.ChanceTest:
    p = 1.0 if trial.p is None else trial.p
    verdict: m.Verdict = "fair"
    if trial.p is None:
        verdict = "few"
    elif adjusted < m.ALPHA:
        lucky: m.Verdict = "lucky" if trial.statistic > 0 else "unlucky"
        verdict = "uneven" if key.test == FACES else lucky
    statistic = round(trial.statistic, DIGITS)
    return m.ChanceTest(statistic, round_p(p), round_p(adjusted), trial.how, verdict, trial.df)


def _finding(key: Subject, test: m.ChanceTest, pools: Pools, trial: Trial) -> m.TestFinding:
    seat, source = key.seat or UNSET, key.source or UNSET
    if key.test == LUCK:
        says = describe_luck(trial.statistic, trial.draws, test.adjusted)
        return m.TestFinding(LUCK, test.p, test.adjusted, test.verdict, says, seat)
    value = _farthest(pools)
    seen = pooled_draws.seen_counts(pools)[value]
    expected = float(pooled_draws.expected_counts(pools)[value])
    says = describe_faces(value, seen, expected, test.adjusted)
    return m.TestFinding(FACES, test.p, test.adjusted, test.verdict, says, seat, source, value)


def _farthest(pools: Pools) -> str:
    """Return the value with the largest deviation from its expected count.

    Deviations are measured in standard deviations.
    """
    counts, means = pooled_draws.seen_counts(pools), pooled_draws.expected_counts(pools)
    variances = dict[str, float]()
    for each in pools:
        for value, (numerator, denominator) in each.chances:
            share = numerator / denominator
            variances[value] = variances.get(value, 0.0) + each.times * share * (1 - share)
    spread = {value: sqrt(variance) for value, variance in variances.items() if variance}
    return max(spread, key=lambda value: abs(counts[value] - float(means[value])) / spread[value])


def describe_faces(value: str, seen: int, expected: float, adjusted: float) -> str:
    came = {0: "never came up", 1: "came up once"}.get(seen, f"came up {seen} times")
    return f"{value} {came} (expected: {expected:.1f} times), {_describe_p(adjusted)}"


def describe_luck(z: float, draws: int, adjusted: float) -> str:
    way = "better" if z > 0 else "worse"
    deviations = f"{abs(z):.1f} standard deviations"
    return f"the luck of {draws} draws was {deviations} {way} than average, {_describe_p(adjusted)}"


def describe_tests(made: int, found: int) -> str:
    if not made:
        return "There were too few draws for a test."
    tests = "1 test was run" if made == 1 else f"{made} tests were run"
    came = "none was" if not found else "1 was" if found == 1 else f"{found} were"
    return (
        f"{tests}, and {came} significant. With honest dice and decks, at most 1 in"
        f" {round(1 / m.ALPHA)} sessions produces a significant result."
    )


def _describe_p(adjusted: float) -> str:
    return f"which chance alone causes in at most 1 in {_one_in(adjusted)} sessions like this one"


def _one_in(p: float) -> str:
    """Return 1/p as text, rounded down to two significant digits.

    It is rounded down so as not to overstate how rare a result is.
    """
    if p <= 0:
        return "a million million"
    ratio = min(1 / p, 1e12)
    unit = 10 ** max(0, floor(log10(ratio) + 1e-9) - 1)
    return f"{max(1, floor(ratio / unit + 1e-9) * unit):,}"
