"""Seen against expected: what 95 of 100 honest tables see, summed from every draw's own chances."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from domain.tally import Chance
from projections.statistics_model import Seen
from workers.statistics.alike import Rows, expected, seen, shares, values

TAIL = 0.025
HAIR = 1e-12
"""What sums of floats may be off by, so that a chance of exactly one in forty is one."""
FAR = 12.0
"""So many deviations out nothing is left that a float could add."""

Trials = tuple[tuple[Chance, int], ...]
"""Chances of one value, and the number of draws that had each; rising."""


def against(rows: Rows) -> dict[str, Seen]:
    """Each value against the sum of its chances, which is exact before it is rounded."""
    counts, means = seen(rows), expected(rows)
    trials = {value: tuple(sorted(of.items())) for value, of in shares(rows).items()}
    return {
        value: Seen(
            counts[value], round(float(means.get(value, 0)), 6), *interval(trials.get(value, ()))
        )
        for value in values(rows)
    }


@lru_cache(maxsize=8192)
def interval(trials: Trials) -> tuple[int, int]:
    """Below the first and above the second number of times chance comes at most once in forty each."""
    low, pmf = _poisson_binomial(trials)
    summed = np.cumsum(pmf)
    first, last = np.searchsorted(summed, (TAIL - HAIR, 1 - TAIL - HAIR))
    return low + int(first), low + int(min(last, len(pmf) - 1))


def _poisson_binomial(trials: Trials) -> tuple[int, NDArray[np.float64]]:
    """The least number of times that is not out of reach, and the chance of it and of every higher one."""
    low, pmf = 0, np.ones(1)
    for chance, times in trials:
        start, each = _binomial(chance, times)
        low, pmf = low + start, np.convolve(pmf, each)
    return low, pmf


@lru_cache(maxsize=8192)
def _binomial(chance: Chance, times: int) -> tuple[int, NDArray[np.float64]]:
    numerator, denominator = chance
    p = numerator / denominator
    if numerator in (0, denominator):
        return (times if numerator else 0), np.ones(1)
    reach = FAR * ((times * p * (1 - p)) ** 0.5 + 1)
    k = np.arange(max(0, int(times * p - reach)), min(times, int(times * p + reach)) + 1)
    ways = gammaln(times + 1) - gammaln(k + 1) - gammaln(times - k + 1)
    return int(k[0]), np.exp(ways + k * np.log(p) + (times - k) * np.log1p(-p))
