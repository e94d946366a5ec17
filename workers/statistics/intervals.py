"""Intervals that contain the counts in at least 95% of sessions with fair dice.

They are computed from the chances of each draw.
"""

from __future__ import annotations

from collections.abc import Mapping
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
"""Tolerance for floating-point errors if the probability of a tail is exactly 1/40."""
REACH_DEVIATIONS = 12.0
"""Counts more than about this many standard deviations from the mean are ignored.

Their probabilities are too small to change a sum.
"""

Trials = tuple[tuple[Probability, int], ...]
"""Sorted (chance, number of draws with this chance) pairs for one value."""


def compare(pools: Pools) -> dict[str, ObservedCount]:
    counts, draws = pooled_draws.seen_counts(pools), pooled_draws.draws_by_chance(pools)
    return {
        value: _compare(counts[value], draws.get(value, {})) for value in pooled_draws.values(pools)
    }


def _compare(count: int, draws: Mapping[Probability, int]) -> ObservedCount:
    mean = round(float(pooled_draws.expected_count(draws)), 6)
    return ObservedCount(count, mean, *interval(tuple(sorted(draws.items()))))


@lru_cache(maxsize=8192)
def interval(trials: Trials) -> tuple[int, int]:
    """Return the lower and upper bounds of the interval for a count.

    The probability that the count is below the interval is at most 1/40, and so is the probability
    that it is above the interval.
    """
    low, pmf = _poisson_binomial(trials)
    summed = np.cumsum(pmf)
    tails = (TAIL - ROUNDING_ERROR, 1 - TAIL - ROUNDING_ERROR)
    first, last = np.searchsorted(summed, tails)
    return low + int(first), low + int(min(last, len(pmf) - 1))


def _poisson_binomial(trials: Trials) -> tuple[int, NDArray[np.float64]]:
    """Return the lowest plausible count and an array of probabilities.

    The array contains the probability of the lowest plausible count and of each higher count.
    """
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
