"""How often chance goes as far, by simulating draws of the same chances: the same draws give the same answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256

import msgspec
import numpy as np
from numpy.typing import NDArray

from domain.tally import Chance
from workers.statistics.alike import Rows

Floats = NDArray[np.float64]
Sample = Callable[[np.random.Generator, int], Floats]
"""So many simulated statistics."""

STAGES = (1_000, 9_000, *(10_000,) * 9)
"""Simulated evenings, stage by stage, up to 100,000."""
ENOUGH = 50.0
"""As many that went as far say how often chance does; until then the next stage is simulated."""
HAIR = 1e-7
"""Statistics that differ by no more, as a share, are the same."""


def tails(rows: Rows, sample: Sample, found: float, *, both: bool) -> tuple[float, float]:
    """The chances of less and of more than the statistic that was found, half of what is the same in each.

    Never 0: what was found counts as one more simulated evening. `both`: the smaller of the two says what is enough.
    """
    chance = np.random.Generator(np.random.PCG64(_seed(rows)))
    less = more = made = 0.0
    for size in STAGES:
        statistics = sample(chance, size)
        same = np.abs(statistics - found) <= HAIR * max(1.0, abs(found))
        halves = np.count_nonzero(same) / 2
        less += np.count_nonzero((statistics < found) & ~same) + halves
        more += np.count_nonzero((statistics > found) & ~same) + halves
        made += size
        if (min(less, more) if both else more) >= ENOUGH:
            break
    return (less + 0.5) / (made + 1), (more + 0.5) / (made + 1)


def floats(chances: Iterable[Chance]) -> Floats:
    return np.array([numerator / denominator for numerator, denominator in chances])


def drawn(chance: np.random.Generator, chances: Floats, times: int, size: int) -> NDArray[np.int64]:
    """How often each value comes in so many draws, one row for each simulated evening."""
    if times > len(chances):
        return chance.multinomial(times, chances / chances.sum(), size)
    came = np.searchsorted(np.cumsum(chances)[:-1], chance.random((size, times)), side="right")
    came += np.arange(size)[:, None] * len(chances)
    return np.bincount(came.ravel(), minlength=size * len(chances)).reshape(size, len(chances))


def _seed(rows: Rows) -> int:
    return int.from_bytes(sha256(msgspec.json.encode(rows)).digest()[:16], "big")
