"""Chi-square statistics for a die or deck, and simulations of their distribution under chance.

The random seed is derived from the draws, so the same draws always give the same result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from domain.tally import Probability
from workers.statistics import pooled_draws
from workers.statistics.pooled_draws import Pools

Floats = NDArray[np.float64]
Sample = Callable[[np.random.Generator, int], Floats]
"""Returns simulated statistics, given a random generator and the number of statistics."""

SIMULATION_STAGES = (1_000, 9_000, *(10_000,) * 9)
"""The number of sessions to simulate in each stage: 100,000 in total."""
MIN_TAIL_SESSIONS = 50.0
"""The simulation ends when this many sessions are at least as extreme as the real one."""
STATISTIC_TOLERANCE = 1e-7
"""The maximum relative difference between statistics that count as equal."""
MIN_EXPECTED_COUNT = 5.0
"""The chi-square distribution is used if all expected counts are at least this (Cochran's rule)."""
MIN_PASSES = 50
"""The chi-square distribution is used for cards only after at least this many deck passes.

X2 does not vary within a pass, so at most 1/MIN_PASSES of its variance is missing.
"""
ROUNDING_ERROR = 1e-9

Left = frozenset[str]
Sums = Callable[[np.random.Generator, int], Floats]
"""Returns simulated vectors d, one per row, given a random generator and the number of vectors.

d contains the observed count minus the expected count for each value.
"""


class ChiSquare(NamedTuple):
    """The statistic X2 and its degrees of freedom.

    `sample` simulates X2. It is used if X2 does not follow the chi-square distribution.
    """

    statistic: float
    df: int
    is_chi_square: bool
    sample: Sample


def compute(pools: Pools) -> ChiSquare:
    """Return X2 for one or more draws.

    Each draw must have had at least two possible values.
    """
    if len(pools) == 1:
        return _alike(pools)
    return _dealt(pools) if _are_dealt(pools) else _mixed(pools)


def _alike(pools: Pools) -> ChiSquare:
    """Return Pearson's X2 for draws that all have the same chances."""
    names = [name for name, (numerator, _) in pools[0].chances if numerator]
    shares, times = to_floats(share for _, share in pools[0].chances if share[0]), pools[0].times
    expected = shares * times

    def squared(counts: Floats) -> Floats:
        return np.asarray(((counts - expected) ** 2 / expected).sum(axis=-1))

    def sample(chance: np.random.Generator, size: int) -> Floats:
        return squared(simulate_counts(chance, shares, times, size).astype(np.float64))

    found = float(squared(np.array([pools[0].seen.get(name, 0) for name in names])))
    return ChiSquare(found, len(names) - 1, _is_full(expected), sample)


def _mixed(pools: Pools) -> ChiSquare:
    """Return X2 = d'V+d for draws with different chances.

    d contains the observed count minus the expected count for each value. V is the sum of diag(p) -
    pp' over all draws, where p contains the chance of each value, and V+ is its pseudoinverse.
    """
    names, counts = pooled_draws.values(pools), pooled_draws.seen_counts(pools)
    table, times = _table(pools, names), np.array([row.times for row in pools], dtype=np.float64)
    expected = times @ table
    whitening = _whitening(np.diag(expected) - (table * times[:, None]).T @ table)

    def sample(chance: np.random.Generator, size: int) -> Floats:
        total = np.tile(-expected, (size, 1))
        for share, each in zip(table, times, strict=True):
            total += simulate_counts(chance, share, int(each), size)
        return np.asarray(((total @ whitening) ** 2).sum(axis=1))

    statistic = float(
        (((np.array([counts[name] for name in names]) - expected) @ whitening) ** 2).sum()
    )
    return ChiSquare(statistic, whitening.shape[1], _is_full(expected), sample)


def _is_full(expected: Floats) -> bool:
    return bool(
        expected.min() >= MIN_EXPECTED_COUNT - ROUNDING_ERROR
    )  # 60 times 1/12 must count as 5 despite rounding errors


def _table(pools: Pools, names: Sequence[str]) -> Floats:
    """Return a table of chances with one row for each pool and one column for each value."""
    place = {name: nth for nth, name in enumerate(names)}
    table = np.zeros((len(pools), len(names)))
    for nth, row in enumerate(pools):
        table[nth, [place[name] for name, _ in row.chances]] = to_floats(
            share for _, share in row.chances
        )
    return table


def _whitening(covariance: Floats) -> Floats:
    """Return a matrix W such that WW' is the pseudoinverse of `covariance`.

    The number of columns in W is the rank of `covariance`.
    """
    roots, vectors = np.linalg.eigh(covariance)
    kept = roots > ROUNDING_ERROR * roots[-1]
    return np.asarray(vectors[:, kept] / np.sqrt(roots[kept]))


def _are_dealt(pools: Pools) -> bool:
    """Return True if the draws are cards dealt from a deck.

    This is the case if all remaining cards are equally likely at each draw, but the remaining cards
    differ between draws.
    """
    return len(pools) > 1 and all(len({chance for _, chance in row.chances}) == 1 for row in pools)


class DeckPass(NamedTuple):
    """A pass through a deck.

    `places` contains the indices of the cards in the pass, and `came` their observed counts minus
    their expected counts.
    """

    places: list[int]
    came: Floats


def _dealt(pools: Pools) -> ChiSquare:
    """Return X2 = |d|^2 (cards - 1) / tr V for cards dealt from a deck.

    d and V are defined as in `_mixed`. All cards are equivalent, so the formula replaces V with its
    mean over all orders of the cards. V itself is unsuitable, because a card drawn early
    contributes little to V but much to d. The simulation shuffles each pass, because with honest
    dealing the cards could have come in any order.
    """
    names = pooled_draws.values(pools)
    passes = list(_passes(pools, names))
    spread = sum(row.times * (1 - 1 / len(row.chances)) for row in pools) / (len(names) - 1)
    many, whole = len(passes) >= MIN_PASSES, all(len(each.places) == len(names) for each in passes)
    sums = _normal(passes, len(names)) if many else _orders(passes, len(names))

    def sample(chance: np.random.Generator, size: int) -> Floats:
        return np.asarray((sums(chance, size) ** 2).sum(axis=1) / spread)

    came = np.zeros(len(names))
    for each in passes:
        came[each.places] += each.came
    return ChiSquare(float((came**2).sum() / spread), len(names) - 1, many and whole, sample)


def _orders(passes: Sequence[DeckPass], cards: int) -> Sums:
    """Return a function that simulates d by shuffling the cards in each pass."""

    def sums(chance: np.random.Generator, size: int) -> Floats:
        total = np.zeros((size, cards))
        for each in passes:
            total[:, each.places] += chance.permuted(np.tile(each.came, (size, 1)), axis=1)
        return total

    return sums


def _normal(passes: Sequence[DeckPass], cards: int) -> Sums:
    """Return a function that simulates d from a normal distribution.

    The distribution has the covariance matrix of the shuffled passes, rotated to be diagonal. The
    rotation does not change the distribution of |d|.
    """
    spread = np.zeros((cards, cards))
    for places, came in passes:
        even = np.eye(len(places)) - 1 / len(places)
        spread[np.ix_(places, places)] += even * (came @ came) / (len(places) - 1)
    roots = np.sqrt(np.maximum(0.0, np.linalg.eigvalsh(spread)))
    return lambda chance, size: chance.standard_normal((size, cards)) * roots


def _passes(pools: Pools, names: Sequence[str]) -> Iterator[DeckPass]:
    """Yield the passes, reconstructed from the cards left before each draw.

    If a pass began before the counted versions, it contains only part of the deck.
    """
    place = {name: nth for nth, name in enumerate(names)}
    going: dict[Left, list[tuple[Left, Floats]]] = defaultdict(list)
    for row in sorted(pools, key=lambda row: -len(row.chances)):
        left = frozenset(name for name, _ in row.chances)
        places_left = [place[name] for name in left]
        for name, times in row.seen.items():
            for _ in range(times):
                began, came = going[left].pop() if going[left] else (left, np.zeros(len(names)))
                came[places_left] -= 1 / len(left)
                came[place[name]] += 1
                going[left - {name}].append((began, came))
    for ended in going.values():
        for began, came in ended:
            places = sorted(place[name] for name in began)
            yield DeckPass(places, came[places])


def simulate_tails(
    pools: Pools, sample: Sample, found: float, *, both: bool
) -> tuple[float, float]:
    """Return the simulated probabilities that a statistic is below `found`, and above it.

    A simulated statistic equal to `found` counts half as below and half as above. No probability is
    0, because `found` itself counts as one more simulated session. The simulation ends early when
    the upper tail (or each tail if `both` is True) contains MIN_TAIL_SESSIONS sessions.
    """
    chance = np.random.Generator(np.random.PCG64(_seed(pools)))
    less = more = made = 0.0
    for size in SIMULATION_STAGES:
        statistics = sample(chance, size)
        same = np.abs(statistics - found) <= STATISTIC_TOLERANCE * max(1.0, abs(found))
        halves = np.count_nonzero(same) / 2
        less += np.count_nonzero((statistics < found) & ~same) + halves
        more += np.count_nonzero((statistics > found) & ~same) + halves
        made += size
        if (min(less, more) if both else more) >= MIN_TAIL_SESSIONS:
            break
    return (less + 0.5) / (made + 1), (more + 0.5) / (made + 1)


def to_floats(chances: Iterable[Probability]) -> Floats:
    return np.array([numerator / denominator for numerator, denominator in chances])


def simulate_counts(
    chance: np.random.Generator, chances: Floats, times: int, size: int
) -> NDArray[np.int64]:
    """Return how often each value comes up in `times` simulated draws.

    The result has one row for each of the `size` simulated sessions.
    """
    if times > len(chances):
        return chance.multinomial(times, chances / chances.sum(), size)
    came = np.searchsorted(np.cumsum(chances)[:-1], chance.random((size, times)), side="right")
    came += np.arange(size)[:, None] * len(chances)
    return np.bincount(came.ravel(), minlength=size * len(chances)).reshape(size, len(chances))


def _seed(pools: Pools) -> int:
    return int.from_bytes(sha256(msgspec.json.encode(pools)).digest()[:16], "big")
