"""The two tests of chance, each alone: are the values of a die or deck uneven, was a seat lucky."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from msgspec import UNSET, UnsetType
from scipy.special import chdtrc, ndtr

from projections.statistics_model import How
from workers.statistics.alike import Rows, draws, uncertain
from workers.statistics.mids import Mids, mids
from workers.statistics.simulation import Floats, drawn, floats, tails
from workers.statistics.squares import square

FEW = 10
"""Draws; fewer are not tested."""
WIDE, SKEWED = 30.0, 0.25
"""A sum of mid-probabilities is as good as normal where it is as wide as so many even draws, and no more skewed."""


class Trial(NamedTuple):
    """A test that is not corrected yet for the others; None where there were too few draws."""

    draws: int
    statistic: float
    p: float | None = None
    how: How = "exact"
    df: int | UnsetType = UNSET


def uneven(rows: Rows) -> Trial:
    """X2 of the values (workers.statistics.squares): chi-square distributed; simulated where the draws are too few."""
    rows = uncertain(rows)
    if not rows:
        return Trial(0, 0.0)
    found, number = square(rows), draws(rows)
    if number < FEW:
        return Trial(number, found.statistic, df=found.df)
    if found.full:
        return Trial(
            number,
            found.statistic,
            float(chdtrc(found.df, found.statistic)),
            "chi-square",
            found.df,
        )
    _, more = tails(rows, found.sample, found.statistic, both=False)
    return Trial(number, found.statistic, more, "simulated", found.df)


def lucky(rows: Rows, *, tests: bool = True) -> Trial:
    """z of the mid-probabilities, two-sided; the chances of `rows` stand from the worst value to the best.

    Normal; simulated where the draws are too few or too lopsided for that. `tests`: with a p, not z alone.
    """
    rows = uncertain(rows)
    parts = [(mids(row.chances), row) for row in rows]
    variance = sum(mid.variance * row.times for mid, row in parts)
    if not variance:
        return Trial(0, 0.0)
    total = float(
        sum(mid.exact[value] * times for mid, row in parts for value, times in row.seen.items())
    )
    number, z = draws(rows), total / sqrt(variance)
    if number < FEW or not tests:
        return Trial(number, z)
    skewness = abs(sum(mid.third * row.times for mid, row in parts)) / variance**1.5
    if 12 * variance >= WIDE and skewness <= SKEWED:
        return Trial(number, z, float(2 * ndtr(-abs(z))), "normal")
    return Trial(number, z, _simulated(rows, [mid for mid, _ in parts], total), "simulated")


def _simulated(rows: Rows, parts: Sequence[Mids], total: float) -> float:
    def sample(chance: np.random.Generator, size: int) -> Floats:
        sums = np.zeros(size)
        for row, mid in zip(rows, parts, strict=True):
            shares = floats(share for _, share in row.chances)
            weights = np.array([mid.luck[value] - 0.5 for value, _ in row.chances])
            sums += drawn(chance, shares, row.times, size) @ weights
        return sums

    return min(1.0, 2 * min(tails(rows, sample, total, both=True)))
