"""Intervals: what 95 of 100 honest tables see, from each draw's own chances."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from domain.tally import Probability
from projections.statistics_model import ObservedCount
from workers.statistics import pooled_draws
from workers.statistics.pooled_draws import Pools

TAIL = 0.025
ROUNDING_ERROR = 1e-12
"""Keeps a chance of exactly one in forty inside the interval, whatever floats add up to."""
REACH_DEVIATIONS = 12.0
"""Further out, chances are too small for a float to add."""

Trials = tuple[tuple[Probability, int], ...]
"""Chances of one value with the number of draws that had each, sorted."""


def compare(pools: Pools) -> dict[str, ObservedCount]:
    counts, means = pooled_draws.seen_counts(pools), pooled_draws.expected_counts(pools)
    trials = {
        value: tuple(sorted(of.items()))
        for value, of in pooled_draws.draws_by_chance(pools).items()
    }
    return {
        value: ObservedCount(
            counts[value], round(float(means.get(value, 0)), 6), *interval(trials.get(value, ()))
        )
        for value in pooled_draws.values(pools)
    }


@lru_cache(maxsize=8192)
def interval(trials: Trials) -> tuple[int, int]:
    """Return the interval of a count; chance lies below it, or above, at most once in forty."""
    low, pmf = _poisson_binomial(trials)
    summed = np.cumsum(pmf)
    tails = (TAIL - ROUNDING_ERROR, 1 - TAIL - ROUNDING_ERROR)
    first, last = np.searchsorted(summed, tails)
    return low + int(first), low + int(min(last, len(pmf) - 1))


def _poisson_binomial(trials: Trials) -> tuple[int, NDArray[np.float64]]:
    """Return the lowest count within reach, and the chances of it and of each higher count."""
    low, pmf = 0, np.ones(1)
    for chance, times in trials:
        start, each = _binomial(chance, times)
        low, pmf = low + start, np.convolve(pmf, each)
    return low, pmf


@lru_cache(maxsize=8192)
def _binomial(chance: Probability, times: int) -> tuple[int, NDArray[np.float64]]:
    numerator, denominator = chance
    p = numerator / denominator
    if numerator in (0, denominator):
        return (times if numerator else 0), np.ones(1)
    reach = REACH_DEVIATIONS * ((times * p * (1 - p)) ** 0.5 + 1)
    k = np.arange(max(0, int(times * p - reach)), min(times, int(times * p + reach)) + 1)
    ways = gammaln(times + 1) - gammaln(k + 1) - gammaln(times - k + 1)
    return int(k[0]), np.exp(ways + k * np.log(p) + (times - k) * np.log1p(-p))
