"""How many draws it takes to find a loaded die or deck: what one evening can show, and what only many can."""

from __future__ import annotations

from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import chdtrc, chdtri, ndtri

from workers.statistics import pooled_draws
from workers.statistics.chi_square import Floats, to_floats
from workers.statistics.pooled_draws import Pools

POWER = 0.9
"""The share of loaded dice that are found after so many draws."""
STEPS = 2_000
FURTHEST = 1e6
NOTHING = 1e-9


class Loaded(NamedTuple):
    """What a loaded value does to X2 of one draw: its noncentrality, and how it spreads d.

    `along` is the variance of d towards the loaded value, `across` that in the other `df` - 1 directions, where an
    honest die has 1.
    """

    noncentrality: float
    along: float
    across: float
    df: int


def rolls_needed(
    pools: Pools, value: str, weight: float, alpha: float, power: float = POWER
) -> int:
    """After how many draws like these the test of faces finds, that often, that `value` weighs `weight` times one.

    `alpha` is the level of the one test: that of the report over the number of its tests, for the first finding must
    pass that (Holm). Raises ValueError where that weight changes nothing.
    """
    loaded = effect(pools, value, weight)
    if loaded.noncentrality < NOTHING:
        raise ValueError(f"{value} of weight {weight} comes as often as before")
    level = float(chdtri(loaded.df, alpha))
    least: float = brentq(
        lambda noncentrality: found(loaded, noncentrality, level) - power, 0.0, FURTHEST
    )
    return ceil(least / loaded.noncentrality)


def effect(pools: Pools, value: str, weight: float) -> Loaded:
    """Of the average of these draws, where `value` comes `weight` times as easily as each chance says."""
    pools, names = pooled_draws.uncertain(pools), pooled_draws.values(pools)
    fair, heavy = np.zeros((2, len(names), len(names)))
    shift = np.zeros(len(names))
    for row in pools:
        places = [names.index(each) for each, _ in row.chances]
        weights = np.array([weight if each == value else 1.0 for each, _ in row.chances])
        before = to_floats(chance for _, chance in row.chances)
        after = before * weights / (before @ weights)
        shift[places] += row.times * (after - before)
        fair[np.ix_(places, places)] += row.times * _covariance(before)
        heavy[np.ix_(places, places)] += row.times * _covariance(after)
    return _against(fair, heavy, shift, pooled_draws.count(pools))


def _against(fair: Floats, heavy: Floats, shift: Floats, number: int) -> Loaded:
    """In the directions in which honest draws are spread alike."""
    roots, vectors = np.linalg.eigh(fair)
    kept = roots > NOTHING * roots[-1]
    whitening = vectors[:, kept] / np.sqrt(roots[kept])
    moved, spread = shift @ whitening, whitening.T @ heavy @ whitening
    length, df = float(moved @ moved), int(kept.sum())
    along = float(moved @ spread @ moved) / length if length else 1.0
    return Loaded(length / number, along, float(np.trace(spread) - along) / max(1, df - 1), df)


def found(loaded: Loaded, noncentrality: float, level: float) -> float:
    """The chance that X2 passes the level: chi-square across, and noncentral with its own spread along the shift.

    It is the noncentral chi-square (Patnaik 1949) where the shift leaves the spread as it was; a heavy face widens it.
    """
    steps = ndtri((np.arange(STEPS) + 0.5) / STEPS)
    along = (sqrt(noncentrality) + sqrt(loaded.along) * steps) ** 2
    if loaded.df == 1:
        return float(np.mean(along > level))
    return float(np.mean(chdtrc(loaded.df - 1, np.maximum(0.0, level - along) / loaded.across)))


def _covariance(chances: Floats) -> Floats:
    return np.asarray(np.diag(chances) - np.outer(chances, chances))
