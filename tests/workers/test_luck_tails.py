"""Fourier transforms give the same tails of luck as the convolution draw by draw."""

from __future__ import annotations

import pytest

from workers.statistics import luck

RING = (("F", (1, 6)), ("PF", (2, 6)), ("PS", (2, 6)), ("S", (1, 6)))
PERCENT = (("fumble", (1, 100)), ("failure", (59, 100)), ("success", (35, 100)), ("best", (5, 100)))
TIMES = [(120, 0), (500, 400), (0, 900)]
SUMS = [0, 100, -700, 1_500, -2_000, 3_500]


@pytest.mark.parametrize("times", TIMES, ids=str)
@pytest.mark.parametrize("points", SUMS)
def test_both_ways_give_the_same_tails(times: tuple[int, int], points: int) -> None:
    pmfs = [luck.luck_table(chances).pmf for chances in (RING, PERCENT)]
    kinds = tuple(zip(pmfs, times, strict=True))
    low, pmf = luck.distribution(kinds)
    at, tails = points - low, luck.exact_tails(kinds, points)
    same = float(pmf[at]) / 2 if 0 <= at < len(pmf) else 0.0
    expected = (float(pmf[: max(at, 0)].sum()) + same, float(pmf[max(at + 1, 0) :].sum()) + same)
    assert (tails.less, tails.more) == pytest.approx(expected, rel=1e-6, abs=luck.NEGLIGIBLE)
