"""Counts of values and outcomes, with what chance gives: expected counts and 95 % intervals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtri

from domain.tally import Probability
from projections.statistics_model import ObservedCount

TAIL = 0.025
ROUNDING_ERROR = 1e-12
"""Tolerance for floating-point errors if the probability of a tail is exactly 1/40."""
REACH_DEVIATIONS = 12.0
"""Counts more than about this many standard deviations from the mean are ignored.

Their probabilities are too small to change a sum.
"""
MAX_CHANCES = 400
"""If a value had more different chances than this, its interval is taken as normal."""
DIGITS = 6

Trials = tuple[tuple[Probability, int], ...]
"""Sorted (chance, number of draws with this chance) pairs for one value."""


class Moments(NamedTuple):
    mean: float = 0.0
    variance: float = 0.0

    def with_draws(self, draws: Mapping[Probability, int]) -> Moments:
        """Return the moments with more draws, given the number of draws with each chance."""
        mean, variance = self
        for (numerator, denominator), times in draws.items():
            share = numerator / denominator
            mean += times * share
            variance += times * share * (1 - share)
        return Moments(mean, variance)


class Expectation(NamedTuple):
    """The expected count, and the interval in which a count is probable."""

    mean: float
    low: int
    high: int


class ChanceCount(msgspec.Struct, omit_defaults=True):
    """How often something came, and the chances that it had.

    `chances` maps each chance, as text such as "1/6", to the number of draws that had it. Above
    MAX_CHANCES different chances, only the `moments` of their sum are kept.
    """

    seen: int = 0
    chances: dict[str, int] = {}
    moments: Moments | None = None
    known: Expectation | None = None
    """What chance gives, if it was computed after the last draw."""

    def add(self, chance: Probability, came: bool) -> None:
        self.seen += came
        self.known = None
        if self.moments is not None:
            self.moments = self.moments.with_draws({chance: 1})
            return
        key = f"{chance[0]}/{chance[1]}"
        self.chances[key] = self.chances.get(key, 0) + 1
        if len(self.chances) > MAX_CHANCES:
            self.moments = Moments().with_draws(parse_chances(self.chances))
            self.chances = {}

    def observed(self) -> ObservedCount:
        if self.known is None:
            self.known = self._expectation()
        return ObservedCount(self.seen, *self.known)

    def _expectation(self) -> Expectation:
        if self.moments is None:
            return expectation(parse_chances(self.chances))
        mean, variance = self.moments
        reach = float(ndtri(1 - TAIL)) * sqrt(variance)
        return Expectation(round(mean, DIGITS), round(max(0.0, mean - reach)), round(mean + reach))


def parse_chances(chances: Mapping[str, int]) -> dict[Probability, int]:
    parsed: dict[Probability, int] = {}
    for text, times in chances.items():
        numerator, _, denominator = text.partition("/")
        parsed[int(numerator), int(denominator)] = times
    return parsed


def observe(seen: int, draws: Mapping[Probability, int]) -> ObservedCount:
    """Compare a count with chance, given the number of draws with each chance."""
    return ObservedCount(seen, *expectation(draws))


def expectation(draws: Mapping[Probability, int]) -> Expectation:
    mean = Moments().with_draws(draws).mean
    return Expectation(round(mean, DIGITS), *interval(tuple(sorted(draws.items()))))


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
        start, each = binomial(chance, times)
        low, pmf = low + start, np.convolve(pmf, each)
    return low, pmf


@lru_cache(maxsize=8192)
def binomial(chance: Probability, times: int) -> tuple[int, NDArray[np.float64]]:
    """Return the lowest plausible count of a binomial distribution, and the probabilities."""
    numerator, denominator = chance
    p = numerator / denominator
    if numerator in (0, denominator):
        return (times if numerator else 0), np.ones(1)
    reach = REACH_DEVIATIONS * ((times * p * (1 - p)) ** 0.5 + 1)
    k = np.arange(max(0, int(times * p - reach)), min(times, int(times * p + reach)) + 1)
    ways = gammaln(times + 1) - gammaln(k + 1) - gammaln(times - k + 1)
    return int(k[0]), np.exp(ways + k * np.log(p) + (times - k) * np.log1p(-p))
