"""Power: how likely the test of a die's faces finds a loaded die."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np
from scipy.special import chdtrc, chdtri, ndtri

STEPS = 2_000
WEIGHTS = (1.5, 2.0, 3.0, 5.0)
"""How many times as often as each other value one value of the loaded die comes."""
LIKELY, UNLIKELY, MAX_SHARE = 0.8, 0.5, 0.99
"""A loaded die is likely found from LIKELY on, and probably missed below UNLIKELY."""


def powers(values: int, draws: int, level: float) -> dict[str, float]:
    """Return the probability that the chi-square test finds the loaded die, for each weight.

    The die has `values` values, of which one is loaded, and was used `draws` times. `level` is the
    significance level of this one test.
    """
    return {f"{weight:g}": round(power(values, draws, weight, level), 3) for weight in WEIGHTS}


def power(values: int, draws: int, weight: float, level: float) -> float:
    """Return the chance that X2 passes the level.

    X2 is taken as a noncentral chi-square variable that has its own spread along the shift, because
    a heavy value widens it (after Patnaik 1949).
    """
    df, heavy = values - 1, weight / (values - 1 + weight)
    shift = draws * (heavy - 1 / values) ** 2 * values * values / df
    along_variance = heavy * (1 - heavy) * values * values / df
    other = (1 - heavy) / df
    across = other * values
    limit = float(chdtri(df, level))
    steps = ndtri((np.arange(STEPS) + 0.5) / STEPS)
    along = (sqrt(shift) + sqrt(along_variance) * steps) ** 2
    if df == 1:
        return float(np.mean(along > limit))
    return float(np.mean(chdtrc(df - 1, np.maximum(0.0, limit - along) / across)))


def describe(source: str, draws: int, found: Mapping[str, float]) -> str:
    """Return what the test of a die or deck could have found, in one sentence."""
    uses = f"{draws:,} cards of the {source}" if source.startswith("deck") else ""
    uses = uses or f"{draws:,} rolls of the {source}"
    weights = list(found)
    weight = next((each for each in weights if found[each] >= LIKELY), weights[-1])
    missed = [each for each in weights if found[each] < UNLIKELY]
    if weight in missed:
        return (
            f"With {uses}, even a value that comes {weight} times as often as each other one would"
            " probably be missed."
        )
    return (
        f"With {uses}, a value that comes {weight} times as often as each other one would be found"
        f" in {min(found[weight], MAX_SHARE):.0%} of sessions."
        + (f" At {missed[-1]} times as often, it would probably be missed." if missed else "")
    )
