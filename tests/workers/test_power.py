"""As many draws as theory asks for find a loaded die as often as it says, and too few do not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2, ncx2

from tests.support.scale import scale
from tests.workers.power import Loaded, found, rolls_needed
from workers.statistics.pooled_draws import PooledDraws, Pools

DICE = [
    # sides  weight  alpha   power
    (6,      1.5,    0.001,  0.9),
    (6,      0.5,    0.01,   0.9),
    (12,     1.5,    0.001,  0.8),
    (20,     2.0,    0.01,   0.9),
    (2,      1.2,    0.01,   0.9),
]  # fmt: skip
THROWN = scale(4_000, 100_000)


def die(sides: int) -> Pools:
    return (PooledDraws(tuple((str(face), (1, sides)) for face in range(1, sides + 1)), {"1": 1}),)


@pytest.mark.parametrize(("sides", "weight", "alpha", "power"), DICE)
def test_so_many_rolls_find_it_so_often(
    sides: int, weight: float, alpha: float, power: float
) -> None:
    rolls = rolls_needed(die(sides), str(sides), weight, alpha, power)
    chances = np.array([1.0] * (sides - 1) + [weight]) / (sides - 1 + weight)
    counts = np.random.default_rng(sides).multinomial(rolls, chances, THROWN)
    squares = ((counts - rolls / sides) ** 2).sum(axis=1) * sides / rolls
    share = np.mean(squares > chi2.isf(alpha, sides - 1))
    print(f"d{sides} of weight {weight}: {rolls} rolls, found {share:.1%}, by theory {power:.0%}")
    assert share == pytest.approx(power, abs=0.02)


@pytest.mark.parametrize("df", [1, 5, 19])
def test_where_the_spread_stays_it_is_the_noncentral_chi_square(df: int) -> None:
    level = chi2.isf(0.01, df)
    for noncentrality in (1.0, 20.0, 40.0):
        chance = found(Loaded(1.0, 1.0, 1.0, df), noncentrality, level)
        assert chance == pytest.approx(ncx2.sf(level, df, noncentrality), abs=1e-3)


def test_an_honest_die_is_never_found() -> None:
    with pytest.raises(ValueError, match="comes as often as before"):
        rolls_needed(die(6), "6", 1.0, 0.01)
