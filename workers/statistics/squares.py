"""X2 of the values of a die, or of a deck: how far they lie from their chances, and what chance makes of that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from workers.statistics.alike import Rows, seen, values
from workers.statistics.simulation import Floats, Sample, drawn, floats

FULL = 5.0
"""The least expected count at which the chi-square distribution stands for the exact one (Cochran)."""
PASSES = 50
"""Through a deck, at which it does so too: X2 cannot vary within one, and its variance wants a share of 1/PASSES."""
NOTHING = 1e-9

Left = frozenset[str]
Sums = Callable[[np.random.Generator, int], Floats]
"""So many simulated d, a row each."""


class Square(NamedTuple):
    """X2, its degrees of freedom, whether it is chi-square distributed, and what to simulate where it is not."""

    statistic: float
    df: int
    full: bool
    sample: Sample


def square(rows: Rows) -> Square:
    """Of at least one draw that could have come otherwise."""
    if len(rows) == 1:
        return _alike(rows)
    return _dealt(rows) if _are_dealt(rows) else _mixed(rows)


def _alike(rows: Rows) -> Square:
    """Pearson's, for all draws have the same chances."""
    names = [name for name, (numerator, _) in rows[0].chances if numerator]
    shares, times = floats(share for _, share in rows[0].chances if share[0]), rows[0].times
    expected = shares * times

    def squared(counts: Floats) -> Floats:
        return np.asarray(((counts - expected) ** 2 / expected).sum(axis=-1))

    def sample(chance: np.random.Generator, size: int) -> Floats:
        return squared(drawn(chance, shares, times, size).astype(np.float64))

    found = float(squared(np.array([rows[0].seen.get(name, 0) for name in names])))
    return Square(found, len(names) - 1, _is_full(expected), sample)


def _mixed(rows: Rows) -> Square:
    """X2 = d'V+d of d = seen less expected; V sums each draw's diag(p) - pp'."""
    names, counts = values(rows), seen(rows)
    table, times = _table(rows, names), np.array([row.times for row in rows], dtype=np.float64)
    expected = times @ table
    whitening = _whitening(np.diag(expected) - (table * times[:, None]).T @ table)

    def sample(chance: np.random.Generator, size: int) -> Floats:
        total = np.tile(-expected, (size, 1))
        for share, each in zip(table, times, strict=True):
            total += drawn(chance, share, int(each), size)
        return np.asarray(((total @ whitening) ** 2).sum(axis=1))

    statistic = float(
        (((np.array([counts[name] for name in names]) - expected) @ whitening) ** 2).sum()
    )
    return Square(statistic, whitening.shape[1], _is_full(expected), sample)


def _is_full(expected: Floats) -> bool:
    return bool(
        expected.min() >= FULL - NOTHING
    )  # 60 times 1/12 are 5, in whichever order floats add them


def _table(rows: Rows, names: Sequence[str]) -> Floats:
    """A row for each row, its chances of each value."""
    place = {name: nth for nth, name in enumerate(names)}
    table = np.zeros((len(rows), len(names)))
    for nth, row in enumerate(rows):
        table[nth, [place[name] for name, _ in row.chances]] = floats(
            share for _, share in row.chances
        )
    return table


def _whitening(covariance: Floats) -> Floats:
    """W with WW' = the pseudoinverse; as many columns as the rank."""
    roots, vectors = np.linalg.eigh(covariance)
    kept = roots > NOTHING * roots[-1]
    return np.asarray(vectors[:, kept] / np.sqrt(roots[kept]))


def _are_dealt(rows: Rows) -> bool:
    """Cards as likely as one another, of which not always the same were left."""
    return len(rows) > 1 and all(len({chance for _, chance in row.chances}) == 1 for row in rows)


class Pass(NamedTuple):
    """A way through a deck: the places of the cards that it began with, and of each seen less expected."""

    places: list[int]
    came: Floats


def _dealt(rows: Rows) -> Square:
    """X2 = |d|^2 (cards - 1) / tr V: no card is another's better, so V is replaced by its mean over all their orders.

    V itself would not do: a card that is soon gone adds little to V and much to d. On an honest table every pass
    through the deck could as well have had its cards in any other order: what is simulated is these orders.
    """
    names = values(rows)
    passes = list(_passes(rows, names))
    spread = sum(row.times * (1 - 1 / len(row.chances)) for row in rows) / (len(names) - 1)
    many, whole = len(passes) >= PASSES, all(len(each.places) == len(names) for each in passes)
    sums = _normal(passes, len(names)) if many else _orders(passes, len(names))

    def sample(chance: np.random.Generator, size: int) -> Floats:
        return np.asarray((sums(chance, size) ** 2).sum(axis=1) / spread)

    came = np.zeros(len(names))
    for each in passes:
        came[each.places] += each.came
    return Square(float((came**2).sum() / spread), len(names) - 1, many and whole, sample)


def _orders(passes: Sequence[Pass], cards: int) -> Sums:
    """d, where the cards that a pass began with came in any other order."""

    def sums(chance: np.random.Generator, size: int) -> Floats:
        total = np.zeros((size, cards))
        for each in passes:
            total[:, each.places] += chance.permuted(np.tile(each.came, (size, 1)), axis=1)
        return total

    return sums


def _normal(passes: Sequence[Pass], cards: int) -> Sums:
    """Of the same spread, for there are so many that their sum is as good as normal; turned, which |d| does not see."""
    spread = np.zeros((cards, cards))
    for places, came in passes:
        even = np.eye(len(places)) - 1 / len(places)
        spread[np.ix_(places, places)] += even * (came @ came) / (len(places) - 1)
    roots = np.sqrt(np.maximum(0.0, np.linalg.eigvalsh(spread)))
    return lambda chance, size: chance.standard_normal((size, cards)) * roots


def _passes(rows: Rows, names: Sequence[str]) -> Iterator[Pass]:
    """Put together from what was left before each draw. Not all begin with the whole deck: some had begun before."""
    place = {name: nth for nth, name in enumerate(names)}
    going: dict[Left, list[tuple[Left, Floats]]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: -len(row.chances)):
        left = frozenset(name for name, _ in row.chances)
        for name, times in row.seen.items():
            for _ in range(times):
                began, came = going[left].pop() if going[left] else (left, np.zeros(len(names)))
                came[[place[other] for other in left]] -= 1 / len(left)
                came[place[name]] += 1
                going[left - {name}].append((began, came))
    for ended in going.values():
        for began, came in ended:
            places = sorted(place[name] for name in began)
            yield Pass(places, came[places])
