"""Trials: the results of significance tests before they are corrected for their number."""

from __future__ import annotations

from math import exp, log

import msgspec
import numpy as np
from numpy.typing import NDArray

from projections.statistics_model import TestMethod

MIN_DRAWS = 10
"""The minimum number of draws needed for a test."""
MAX_LOG_GAIN = 700.0
"""The exponential of larger numbers would not fit into 64 bits."""


class Trial(msgspec.Struct, frozen=True):
    """The result of one test.

    `p` is None if no test was run because there were too few draws. `error` is how far `p` can be
    from the exact value, or None if it is exact or if no bound is known. `evidence` is the e-value,
    or None if the test has none. `is_high` tells which way a two-sided test went.
    """

    draws: int
    statistic: float | None = None
    p: float | None = None
    method: TestMethod = "exact"
    df: int | None = None
    error: float | None = None
    evidence: float | None = None
    is_high: bool = True


def mean_gain(logs: NDArray[np.float64]) -> float:
    """Return the mean of what several bets gained, given the logarithm of each gain."""
    return exp(min(MAX_LOG_GAIN, float(np.logaddexp.reduce(logs)) - log(len(logs))))
