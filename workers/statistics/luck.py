"""Luck: how good the outcomes of rolls are compared with what else could have come.

The luck of an outcome is a whole number from -50 (the worst that could come, and very improbable)
to 50. It is 100 times P(a worse outcome) + P(the same outcome)/2, minus 50, rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, floor, log, sqrt
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import ndtr

from domain.tally import Attempted, Probability
from workers.statistics.trials import mean_gain

Floats = NDArray[np.float64]
Spectrum = NDArray[np.complex128]
Pmf = tuple[tuple[int, float], ...]
"""The possible luck of a roll in ascending order, each with its probability."""

MAX_EXACT_DRAWS = 1_000
"""Up to this many draws, the distribution of luck is exact. Above, it is taken as normal."""
LOG_OF_ZERO = -1_000.0
"""The number used as the logarithm of 0. Its exponential is 0.0."""
NEGLIGIBLE = 1e-40
"""Probabilities below this are dropped from the ends of a distribution."""
MANY_DRAWS, FEW_KINDS = 100, 64
"""From this many draws of at most so many kinds, Fourier transforms are used."""
FOURIER_LIMIT = 1e-6
"""Their errors are about 1e-15, so they are not used for probabilities below this."""
MIN_PLACES, WINDOW_DEVIATIONS = 256, 24.0
TRIM_INTERVAL = 16
"""After this many draws, they are dropped, so that the distribution does not get long."""
BERRY_ESSEEN = 0.56
"""The constant of the Berry-Esseen bound for sums of different variables (Shevtsova 2010)."""
STAKES = tuple(sign * size for size in (0.25, 0.5, 1.0, 2.0, 4.0) for sign in (1, -1))
"""The bets of the e-value: the rates at which good (or bad) luck multiplies the stake."""

Chances = tuple[tuple[str, Probability], ...]
"""Each outcome with its probability, in order from worst to best."""


class LuckTable(NamedTuple):
    """The luck of each outcome of a roll, and what it is on average.

    `third` is the third absolute central moment. `growth` is the logarithm of the average by which
    each bet in STAKES multiplies its stake.
    """

    points: dict[str, int]
    pmf: Pmf
    mean: float
    variance: float
    third: float
    growth: tuple[float, ...]


@lru_cache(maxsize=4096)
def luck_table(chances: Chances) -> LuckTable:
    points: dict[str, int] = {}
    shares: dict[int, Fraction] = {}
    worse = Fraction()
    for outcome, chance in chances:
        share = Fraction(*chance)
        points[outcome] = _round(100 * (worse + share / 2) - 50)
        shares[points[outcome]] = shares.get(points[outcome], Fraction()) + share
        worse += share
    mean = sum((share * at for at, share in shares.items()), Fraction())
    variance = sum((share * (at - mean) ** 2 for at, share in shares.items()), Fraction())
    pmf = tuple((at, float(share)) for at, share in sorted(shares.items()))
    return LuckTable(
        points,
        pmf,
        float(mean),
        float(variance),
        sum(share * abs(at - float(mean)) ** 3 for at, share in pmf),
        tuple(log(sum(share * exp(rate * at / 100) for at, share in pmf)) for rate in STAKES),
    )


def _round(number: Fraction) -> int:
    """Round to a whole number, and halves away from 0, so that luck stays symmetric."""
    whole = floor(abs(number) + Fraction(1, 2))
    return whole if number > 0 else -whole


def ranked(attempt: Attempted) -> LuckTable | None:
    """Return the luck of each outcome, or None if the attempt has no luck.

    An attempt has no luck if no outcome is better than another, or if only one was possible.
    """
    if not attempt.is_ranked or len(attempt.chances) < 2:
        return None
    return luck_table(tuple(attempt.chances.items()))


def luck_points(attempt: Attempted) -> int | None:
    """Return the luck of what came, from -50 to 50, or None if the attempt has no luck."""
    table = ranked(attempt)
    return None if table is None else table.points[attempt.outcome]


class Tails(msgspec.Struct, frozen=True):
    """The probabilities of less luck and of more luck. Equal luck counts half in each.

    `error` is how far they can be from the exact values at most, or 0 if they are exact.
    """

    less: float
    more: float
    error: float = 0.0

    @property
    def two_sided(self) -> float:
        return min(1.0, 2 * min(self.less, self.more))


class Streak(msgspec.Struct, omit_defaults=True):
    """A row of lucky draws, or of unlucky draws, with the versions of the first and the last."""

    length: int = 0
    first: int = 0
    last: int = 0


class LuckSum(msgspec.Struct, omit_defaults=True):
    """The luck of many draws, kept so that draws can be added one by one.

    `kinds` has the different distributions that the draws had, and `order` the index in `kinds` of
    each draw, in order of play. Both are empty above MAX_EXACT_DRAWS. `growth` is the sum of the
    draws' growths (see LuckTable). `side` is 1 if the last draw was lucky, -1 if it was unlucky and
    0 if it was neither; `streak` is the row that it belongs to. `longest` has the longest lucky row
    and the longest unlucky one.
    """

    draws: int = 0
    points: int = 0
    mean: float = 0.0
    variance: float = 0.0
    third: float = 0.0
    growth: list[float] = msgspec.field(default_factory=lambda: [0.0] * len(STAKES))
    kinds: list[Pmf] = []
    order: list[int] = []
    side: int = 0
    streak: Streak = msgspec.field(default_factory=Streak)
    longest: tuple[Streak, Streak] = msgspec.field(default_factory=lambda: (Streak(), Streak()))
    is_exact: bool = True
    """Whether `kinds` and `order` are kept at all."""
    known: Tails | None = None
    """The tails, if they were computed after the last draw."""
    known_streaks: dict[int, float] = {}
    """The chances of the longest rows by side, if they were computed after the last draw."""

    def add(self, table: LuckTable, points: int, version: int) -> None:
        self._extend_streak((points > 0) - (points < 0), version)
        self.draws += 1
        self.points += points
        self.mean += table.mean
        self.variance += table.variance
        self.third += table.third
        self.growth = [a + b for a, b in zip(self.growth, table.growth, strict=True)]
        self._forget_results()
        if self.draws > MAX_EXACT_DRAWS or not self.is_exact:
            self.kinds, self.order = [], []
            return
        if table.pmf not in self.kinds:
            self.kinds.append(table.pmf)
        self.order.append(self.kinds.index(table.pmf))

    def accumulate(self, other: LuckSum, sign: int = 1) -> None:
        """Add the sums of another session, or subtract them if `sign` is -1.

        The draws themselves are not kept, so the distribution is then taken as normal.
        """
        self.draws += sign * other.draws
        self.points += sign * other.points
        self.mean += sign * other.mean
        self.variance += sign * other.variance
        self.third += sign * other.third
        self.growth = [a + sign * b for a, b in zip(self.growth, other.growth, strict=True)]
        self._forget_results()

    def _forget_results(self) -> None:
        self.known, self.known_streaks = None, {}

    def _extend_streak(self, side: int, version: int) -> None:
        if side != self.side or not side:
            self.side, self.streak = side, Streak(0, version, version)
        self.streak.length += 1
        self.streak.last = version
        best = self.longest[side < 0]
        if side and self.streak.length > best.length:
            best.length, best.first, best.last = self.streak.length, self.streak.first, version

    def chance_of_streak(self, side: int) -> float | None:
        """Return the chance of a row as long as the longest one.

        Return None if there is no such row, or if the draws are not kept.

        `side` is 1 for lucky draws and -1 for unlucky ones.
        """
        length = self.longest[side < 0].length
        if not self.order or not length:
            return None
        if side not in self.known_streaks:
            on_side = [sum(share for at, share in kind if at * side > 0) for kind in self.kinds]
            self.known_streaks[side] = chance_of_streak(length, np.array(on_side)[self.order])
        return self.known_streaks[side]

    @property
    def z(self) -> float:
        return (self.points - self.mean) / sqrt(self.variance) if self.variance else 0.0

    def tails(self) -> Tails:
        """Return how often chance gives less luck, and more."""
        if self.known is None:
            self.known = self._tails()
        return self.known

    def _tails(self) -> Tails:
        if self.order:
            counts = np.bincount(self.order, minlength=len(self.kinds))
            return exact_tails(tuple(zip(self.kinds, counts.tolist(), strict=True)), self.points)
        return normal_tails(self.z, self.variance, self.third)

    def evidence(self) -> float:
        """Return the e-value of the draws: how much betting against fair dice would have gained.

        The stake is divided between all bets in STAKES. Its expected value never rises with fair
        dice, so it exceeds x at any time in at most 1 of x sessions (Ville 1939).
        """
        return mean_gain(np.array(STAKES) * self.points / 100 - np.array(self.growth))


def normal_tails(z: float, variance: float, third: float) -> Tails:
    """Return the tails of a normal distribution, with the error of taking it as normal."""
    error = BERRY_ESSEEN * third / variance**1.5 if variance else 1.0
    return Tails(float(ndtr(z)), float(ndtr(-z)), round(min(1.0, error), 6))


@lru_cache(maxsize=256)  # what counted is often the same as everything that was drawn
def exact_tails(kinds: tuple[tuple[Pmf, int], ...], points: int) -> Tails:
    """Return the exact tails of the sum of independent draws.

    `kinds` contains (distribution of a draw, number of draws) pairs, and `points` what came.
    """
    if sum(times for _, times in kinds) >= MANY_DRAWS and len(kinds) <= FEW_KINDS:
        tails = _tails_by_fourier(kinds, points)
        if min(tails.less, tails.more) >= FOURIER_LIMIT:
            return tails
    low, pmf = distribution(kinds)
    at = points - low
    if at < 0:
        return Tails(NEGLIGIBLE, 1.0)
    if at >= len(pmf):
        return Tails(1.0, NEGLIGIBLE)
    same = float(pmf[at]) / 2
    less, more = float(pmf[:at].sum()) + same, float(pmf[at + 1 :].sum()) + same
    return Tails(max(less, NEGLIGIBLE), max(more, NEGLIGIBLE))


def _tails_by_fourier(kinds: Sequence[tuple[Pmf, int]], points: int) -> Tails:
    """Return the tails by multiplying Fourier transforms, which is faster for many draws.

    The errors are far below FOURIER_LIMIT. Sums so far from the mean that they have no probability
    in numbers of 64 bits share places with others.
    """
    moments = [(_moments(kind), times) for kind, times in kinds]
    mean = sum(each * times for (each, _), times in moments)
    deviation = sqrt(sum(variance * times for (_, variance), times in moments))
    size = next_fast_len(ceil(max(MIN_PLACES, WINDOW_DEVIATIONS * deviation)), real=True)
    spectrum = np.ones(size // 2 + 1, dtype=np.complex128)
    for kind, times in kinds:
        row = np.zeros(size)
        for at, share in kind:
            row[at % size] += share
        spectrum *= _power(rfft(row), times)
    first = floor(mean) - size // 2
    pmf = np.roll(irfft(spectrum, size), -(first % size))
    place = points - first
    if not 0 <= place < size:
        return Tails(0.0, 0.0)
    same = float(pmf[place]) / 2
    return Tails(float(pmf[:place].sum()) + same, float(pmf[place + 1 :].sum()) + same)


def _power(base: Spectrum, exponent: int) -> Spectrum:
    """Return the powers by repeated squaring, which takes a third of NumPy's time."""
    power = np.ones_like(base)
    while exponent:
        if exponent % 2:
            power *= base
        base, exponent = base * base, exponent // 2
    return power


def _moments(kind: Pmf) -> tuple[float, float]:
    mean = sum(share * at for at, share in kind)
    return mean, sum(share * (at - mean) ** 2 for at, share in kind)


def distribution(kinds: Sequence[tuple[Pmf, int]]) -> tuple[int, Floats]:
    """Return the lowest sum, and the probability of it and of each higher sum.

    The distribution is convolved draw by draw without subtractions, so that small probabilities in
    the tails are as precise as large ones.
    """
    low, pmf = 0, np.ones(1)
    for nth, kind in enumerate(kind for kind, times in kinds for _ in range(times)):
        first, last = kind[0][0], kind[-1][0]
        after = np.zeros(len(pmf) + last - first)
        for at, share in kind:
            start = at - first
            after[start : start + len(pmf)] += share * pmf
        low, pmf = low + first, after
        if nth % TRIM_INTERVAL == 0:
            kept = np.flatnonzero(pmf > NEGLIGIBLE)
            low, pmf = low + int(kept[0]), pmf[kept[0] : kept[-1] + 1]
    return low, pmf


def logarithm(number: float) -> float:
    return log(number) if number > 0 else LOG_OF_ZERO


def chance_of_streak(length: int, chances: Floats) -> float:
    """Return the probability of a streak of at least `length` draws.

    `chances` contains, for each draw, the probability that it is lucky (or unlucky, for an unlucky
    streak). The exact result is the sum, over all draws, of the probability that the draw completes
    the first such streak. Logarithms prevent underflow.
    """
    if length > len(chances):
        return 0.0
    zeros = np.full(len(chances), LOG_OF_ZERO)
    logs = np.concatenate(([0.0], np.cumsum(np.log(chances, out=zeros, where=chances > 0))))
    streaks = np.exp(logs[length:] - logs[:-length])
    streaks[1:] *= 1 - chances[:-length]  # the draw before the streak is not part of it
    total, reached = 0.0, [0.0] * length
    for first, streak in enumerate(streaks.tolist()):
        before = reached[first - 1] if first else 0.0
        total += (1 - before) * streak
        reached.append(total)
    return total
