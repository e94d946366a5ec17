"""Chance reckoned slowly: exact sums over every draw, one by one, and simulations that play the draws again."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf, prod
from typing import Any, NamedTuple

import numpy as np
from msgspec import UNSET
from scipy.stats import chi2, norm

from domain.tally import Rolled
from projections.statistics_model import Seen, Test

EVENINGS = 200
Shares = Mapping[str, Fraction]


class Came(NamedTuple):
    """One draw: whose die or deck, what each value had for a chance, what came."""

    whose: str
    shares: Shares
    value: str


def shares_of(chances: Mapping[str, tuple[int, int]]) -> dict[str, Fraction]:
    return {value: Fraction(*chance) for value, chance in chances.items()}


def seen_of(draws: Sequence[Came]) -> dict[str, Seen]:
    values = {value for draw in draws for value in (*draw.shares, draw.value)}
    return {value: _seen(value, draws) for value in values}


def _seen(value: str, draws: Sequence[Came]) -> Seen:
    chances = [draw.shares.get(value, Fraction()) for draw in draws]
    seen = sum(draw.value == value for draw in draws)
    return Seen(seen, float(sum(chances)), *interval(chances))


def interval(chances: Sequence[Fraction]) -> tuple[int, int]:
    """The least number that comes, or fewer, oftener than once in forty; the least that so few exceed. In integers."""
    ways = [1]
    for chance in chances:
        yes, no = chance.numerator, chance.denominator - chance.numerator
        ways = [
            no * here + yes * before for here, before in zip([*ways, 0], [0, *ways], strict=True)
        ]
    whole, upto = prod(chance.denominator for chance in chances), 0
    low = high = -1
    for number, way in enumerate(ways):
        upto += way
        if low < 0 and 40 * upto >= whole:
            low = number
        if high < 0 and 40 * upto >= 39 * whole:
            high = number
    return low, high


def uneven(draws: Sequence[Came]) -> Test:
    """X2 by the pseudoinverse of the sum of every draw's covariance; of cards, by the length of d."""
    draws = [draw for draw in draws if sum(share > 0 for share in draw.shares.values()) > 1]
    if not draws:
        return _test(0.0, 1.0, "exact")
    names = list(dict.fromkeys(value for draw in draws for value in draw.shares))
    table = np.array([[float(draw.shares.get(name, 0)) for name in names] for draw in draws])
    seen = np.array([[float(draw.value == name) for name in names] for draw in draws])
    measure, df = _of_cards(draws, table) if are_cards(draws) else _of_dice(table)
    statistic = measure((seen - table).sum(axis=0))
    if len(draws) < 10:
        return _test(statistic, 1.0, "exact", df)
    least = min(sum(draw.shares.get(name, Fraction()) for draw in draws) for name in names)
    if least >= 5 and not are_cards(draws):
        return _test(statistic, float(chi2.sf(statistic, df)), "chi-square", df)
    again = [
        measure(np.array([each[name] for name in names])) for each in _played_again(draws, names)
    ]
    return _test(statistic, _share(again, statistic), "simulated", df)


def are_cards(draws: Sequence[Came]) -> bool:
    """Not always the same values, each as likely as another."""
    sets = {frozenset(draw.shares.items()) for draw in draws}
    return len(sets) > 1 and all(len(set(draw.shares.values())) == 1 for draw in draws)


def _of_dice(table: Any) -> tuple[Callable[[Any], float], int]:
    covariance = sum(np.diag(row) - np.outer(row, row) for row in table)
    inverse = np.linalg.pinv(covariance, hermitian=True, rcond=1e-9)
    return lambda d: float(d @ inverse @ d), int(
        np.linalg.matrix_rank(covariance, tol=1e-9, hermitian=True)
    )


def _of_cards(draws: Sequence[Came], table: Any) -> tuple[Callable[[Any], float], int]:
    df = table.shape[1] - 1
    spread = float(sum(1 - Fraction(1, len(draw.shares)) for draw in draws))
    return lambda d: float(d @ d) * df / spread, df


def _played_again(draws: Sequence[Came], names: Sequence[str]) -> list[dict[str, float]]:
    """Seen less expected of evenings that go as this one did but for chance: who draws, and when decks are shuffled."""
    made, chance = [], random.Random(len(draws))
    weighed = [
        (draw, {value: float(share) for value, share in draw.shares.items()}) for draw in draws
    ]
    expected = {name: sum(weights.get(name, 0.0) for _, weights in weighed) for name in names}
    for _ in range(EVENINGS):
        d, decks = (
            {name: -each for name, each in expected.items()},
            dict[str, tuple[frozenset[str], list[str]]](),
        )
        for draw, weights in weighed:
            really, left = decks.get(draw.whose, (frozenset(), []))
            if (
                really == weights.keys()
            ):  # the deck of this evening goes on, and what is expected of it with it
                value = chance.choice(left)
                for card in weights:
                    d[card] += weights[card]
                for card in left:
                    d[card] -= 1 / len(left)
            else:
                left = sorted(weights)
                value = chance.choices(left, [weights[each] for each in left])[0]
            d[value] += 1
            decks[draw.whose] = (
                frozenset(weights) - {draw.value},
                [card for card in left if card != value],
            )
        made.append(d)
    return made


def mid(shares: Shares, scale: Sequence[str], value: str) -> Fraction:
    """P(worse) + P(same)/2."""
    worse = scale[: scale.index(value)]
    return sum((shares.get(each, Fraction()) for each in worse), Fraction()) + shares[value] / 2


class Luck(NamedTuple):
    """A draw that could have been better or worse: its mid-probability, and that of everything else it could be."""

    version: int
    mid: Fraction
    mids: Mapping[Fraction, Fraction]

    @property
    def variance(self) -> Fraction:
        return sum(
            (share * (mid - Fraction(1, 2)) ** 2 for mid, share in self.mids.items()), Fraction()
        )


def luck_of(version: int, roll: Rolled) -> Luck | None:
    came, chances = (
        (roll.value, roll.chances) if roll.outcome is UNSET else (roll.outcome, roll.outcomes)
    )
    shares = {
        value: share for value, share in shares_of(chances).items() if share and value in roll.scale
    }
    if len(shares) < 2:
        return None
    return Luck(
        version,
        mid(shares, roll.scale, came),
        {mid(shares, roll.scale, value): share for value, share in shares.items()},
    )


def z_of(draws: Sequence[Luck]) -> float:
    total = sum((draw.mid - Fraction(1, 2) for draw in draws), Fraction())
    return float(total) / float(sum(draw.variance for draw in draws)) ** 0.5


def lucky(draws: Sequence[Luck]) -> Test:
    z = z_of(draws)
    if len(draws) < 10:
        return _test(z, 1.0, "exact")
    variance = sum(draw.variance for draw in draws)
    third = sum(
        share * (mid - Fraction(1, 2)) ** 3 for draw in draws for mid, share in draw.mids.items()
    )
    if 12 * variance >= 30 and abs(third) <= 0.25 * float(variance) ** 1.5:
        return _test(z, 2 * float(norm.sf(abs(z))), "normal")
    chance, again = random.Random(len(draws)), list[float]()
    for _ in range(EVENINGS):
        mids = [
            float(chance.choices(list(draw.mids), list(map(float, draw.mids.values())))[0])
            for draw in draws
        ]
        again.append((sum(mids) - len(draws) / 2) / float(variance) ** 0.5)
    more = _share(again, z)
    return _test(z, 2 * min(more, 1 - more), "simulated")


def run_of(length: int, chances: Sequence[Fraction]) -> float:
    """The chance of such a run, over every length of the run so far; once it is reached it stays so."""
    ways: dict[float, Fraction] = {0: Fraction(1)}
    for chance in chances:
        after: dict[float, Fraction] = {}
        for run, share in ways.items():
            longer = inf if run + 1 >= length else run + 1
            for each, part in (
                (longer, share * chance),
                (inf if run == inf else 0, share * (1 - chance)),
            ):
                after[each] = after.get(each, Fraction()) + part
        ways = after
    return float(ways.get(inf, 0))


def _share(again: Sequence[float], found: float) -> float:
    """How often as much or more came, half of what is the same."""
    same = [abs(each - found) <= 1e-7 * max(1.0, abs(found)) for each in again]
    more = sum(each > found and not alike for each, alike in zip(again, same, strict=True))
    return (more + sum(same) / 2) / len(again)


def _test(statistic: float, p: float, how: Any, df: Any = UNSET) -> Test:
    """Not corrected, which is tested by itself."""
    return Test(statistic, p, 1.0, how, "fair", df)
