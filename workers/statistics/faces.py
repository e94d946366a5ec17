"""Faces: how often each value of a die or deck came, and tests of these counts.

A `FaceSum` is kept so that draws can be added one by one. It grows with the number of values, not
with the number of draws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from math import log, log1p, sqrt

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtr, chdtrc, ndtr

from domain.tally import Probability, Rolled
from projections.statistics_model import ObservedCount
from workers.statistics.chance_counts import binomial, observe, parse_chances
from workers.statistics.trials import MIN_DRAWS, Trial, mean_gain

Floats = NDArray[np.float64]
Sample = Callable[[np.random.Generator, int], Floats]
"""Returns simulated statistics, given a random generator and the number of statistics."""

MAX_FACES = 20
"""A die with more faces is tested in RANGES ranges of faces, which needs fewer rolls."""
RANGES = 10
MIN_EXPECTED_COUNT = 5.0
"""The chi-square distribution is used if all expected counts are at least this (Cochran's rule)."""
MIN_PASSES = 50
"""The chi-square distribution is used for cards only after at least this many deck passes.

X2 does not vary within a pass, so at most 1/MIN_PASSES of its variance is missing.
"""
MAX_PARTS = 200
"""If passes began with more different parts of a deck, they are taken as passes of the whole."""
ROUNDING_ERROR = 1e-9
SIMULATION_STAGES = (2_000, 8_000, *(10_000,) * 9)
"""The number of sessions to simulate in each stage: 100,000 in total."""
MIN_TAIL_SESSIONS = 50.0
"""The simulation ends when this many sessions are at least as extreme as the real one."""
STATISTIC_TOLERANCE = 1e-7
"""The maximum relative difference between statistics that count as equal."""
ERROR_DEVIATIONS = 2.576
"""The error of a simulated p in 99 of 100 cases, in standard deviations."""
WEIGHTS = (1 / 3, 1 / 2, 2.0, 3.0, 5.0)
"""The bets of the e-value: that one value comes this many times as easily as each other one."""


class OpenPass(msgspec.Struct):
    """A pass through a deck that is not over.

    It has the cards that are left, those that it began with, and the number of its draws.
    """

    left: tuple[str, ...]
    began: tuple[str, ...]
    drawn: int


class PassKind(msgspec.Struct):
    """Passes through a deck that began with the same cards and had the same number of draws."""

    began: tuple[str, ...]
    drawn: int
    times: int


class FaceSum(msgspec.Struct, omit_defaults=True):
    """The values of a die or deck.

    `sides` is the number of faces of a die whose faces are 1 to `sides`, and otherwise 0. Then
    `chances` has, for each value, the number of draws with each chance, as text such as "1/20".
    `uncertain` counts the draws that could have come otherwise. `total` is the sum of the faces.
    `pairs` counts the draws that followed another one, and `repeats` those of them that showed the
    same face again.
    """

    sides: int = 0
    draws: int = 0
    uncertain: int = 0
    seen: dict[str, int] = {}
    total: int = 0
    last: str = ""
    pairs: int = 0
    repeats: int = 0
    chances: dict[str, dict[str, int]] = {}
    whole: tuple[str, ...] = ()
    is_deck: bool = False
    open: dict[str, OpenPass] = {}
    passes: list[PassKind] = []
    known: dict[str, Trial] = {}
    """The tests, if they were run after the last draw."""

    def add(self, rolled: Rolled) -> None:
        self.known = {}
        self.draws += 1
        if rolled.left:
            self._add_item(rolled)
        else:
            self._add_face(rolled)

    def _add_face(self, rolled: Rolled) -> None:
        self.sides = int(rolled.source[1:])
        self.uncertain += self.sides > 1
        label = face_label(rolled.value, self.sides)
        self.seen[label] = self.seen.get(label, 0) + 1
        self.total += int(rolled.value)
        if self.last:
            self.pairs += 1
            self.repeats += self.last == rolled.value
        self.last = rolled.value

    def _add_item(self, rolled: Rolled) -> None:
        left = rolled.left
        self.uncertain += len(set(left)) > 1
        self.seen[rolled.value] = self.seen.get(rolled.value, 0) + 1
        for value, number in Counter(left).items():
            of = self.chances.setdefault(value, {})
            key = f"{number}/{len(left)}"
            of[key] = of.get(key, 0) + 1
        self.is_deck = self.is_deck or bool(self.whole and sorted(self.whole) != sorted(left))
        self.whole = max(self.whole, left, key=len)
        self._draw_card(rolled.entity, rolled.value, tuple(sorted(left)))

    def _draw_card(self, stream: str, card: str, left: tuple[str, ...]) -> None:
        going = self.open.get(stream)
        if going is None or going.left != left:
            self._end_pass(stream)
            going = self.open[stream] = OpenPass(left, left, 0)
        nth = left.index(card)
        going.left, going.drawn = left[:nth] + left[nth + 1 :], going.drawn + 1

    def _end_pass(self, stream: str) -> None:
        ended = self.open.pop(stream, None)
        if ended is not None:
            _count_pass(self.passes, ended.began, ended.drawn, 1)

    def every_pass(self) -> list[PassKind]:
        """Return all passes, including those that are not over, in a fixed order."""
        passes = [PassKind(each.began, each.drawn, each.times) for each in self.passes]
        for going in self.open.values():
            _count_pass(passes, going.began, going.drawn, 1)
        return sorted(passes, key=lambda each: (each.began, each.drawn))

    def observed(self) -> dict[str, ObservedCount]:
        """Return the count of each possible value, with what chance gives."""
        if self.sides:
            return {
                label: observe(self.seen.get(label, 0), {chance: self.draws})
                for label, chance in face_chances(self.sides).items()
            }
        return {
            value: observe(self.seen.get(value, 0), parse_chances(of))
            for value, of in self.chances.items()
        }

    def accumulate(self, other: FaceSum, sign: int = 1) -> None:
        """Add the sum of another session, or subtract it if `sign` is -1."""
        self.known = {}
        self.sides, self.is_deck = self.sides or other.sides, self.is_deck or other.is_deck
        self.whole = max(self.whole, other.whole, key=len)
        self.draws += sign * other.draws
        self.uncertain += sign * other.uncertain
        self.total += sign * other.total
        self.pairs += sign * other.pairs
        self.repeats += sign * other.repeats
        _accumulate(self.seen, other.seen, sign)
        for value, of in other.chances.items():
            _accumulate(self.chances.setdefault(value, {}), of, sign)
            if not self.chances[value]:
                del self.chances[value]
        for each in other.every_pass():
            _count_pass(self.passes, each.began, each.drawn, sign * each.times)


def _accumulate(counts: dict[str, int], other: Mapping[str, int], sign: int) -> None:
    for key, number in other.items():
        counts[key] = counts.get(key, 0) + sign * number
        if not counts[key]:
            del counts[key]


def _count_pass(passes: list[PassKind], began: tuple[str, ...], drawn: int, times: int) -> None:
    for each in passes:
        if each.drawn == drawn and each.began == began:
            each.times += times
            if not each.times:
                passes.remove(each)
            return
    passes.append(PassKind(began, drawn, times))


@lru_cache(maxsize=256)
def face_chances(sides: int) -> dict[str, Probability]:
    """Return the chance of each face, or of each range of faces of a die with many faces."""
    counts = Counter(face_label(str(face), sides) for face in range(1, sides + 1))
    return {label: (number, sides) for label, number in counts.items()}


@lru_cache(maxsize=4096)
def face_label(face: str, sides: int) -> str:
    """Return the face, or the range that it belongs to if the die has many faces."""
    if sides <= MAX_FACES:
        return face
    nth = (int(face) - 1) * RANGES // sides
    first, last = -(-nth * sides // RANGES) + 1, -(-(nth + 1) * sides // RANGES)
    return f"{first} to {last}"


def try_faces(of: FaceSum) -> Trial:
    """Test whether a value comes too often or too seldom, with a chi-square test."""
    return _remember(of, "faces", lambda: _try_squares(of, too_even=False))


def try_evenness(of: FaceSum) -> Trial:
    """Test whether the counts are closer to the expected ones than chance would bring them."""
    return _remember(of, "even", lambda: _try_squares(of, too_even=True))


def _remember(of: FaceSum, name: str, run: Callable[[], Trial]) -> Trial:
    if name not in of.known:
        of.known[name] = run()
    return of.known[name]


def try_mean(of: FaceSum) -> Trial:
    """Test whether a die with many faces shows higher or lower faces than chance would."""
    if of.draws < MIN_DRAWS:
        return Trial(of.draws)
    variance = of.draws * (of.sides**2 - 1) / 12
    z = (of.total - of.draws * (of.sides + 1) / 2) / sqrt(variance)
    return Trial(of.draws, z, float(2 * ndtr(-abs(z))), "normal")


def try_repeats(of: FaceSum) -> Trial:
    """Test whether a face follows itself more often, or less often, than chance would have it."""
    if of.pairs < MIN_DRAWS or of.sides < 2:
        return Trial(of.pairs)
    low, pmf = binomial((1, of.sides), of.pairs)
    at = min(max(of.repeats - low, 0), len(pmf) - 1)
    same = float(pmf[at]) / 2
    less, more = float(pmf[:at].sum()) + same, float(pmf[at + 1 :].sum()) + same
    p = min(1.0, 2 * min(less, more))
    return Trial(of.pairs, float(of.repeats), p, "exact", is_high=more < less)


def _try_squares(of: FaceSum, *, too_even: bool) -> Trial:
    if of.uncertain < MIN_DRAWS:
        return Trial(of.uncertain)
    squares = _dealt(of) if of.is_deck else _alike(of)
    evidence = None if too_even else face_evidence(of)
    if squares.is_chi_square:
        tail = chdtr if too_even else chdtrc
        p = float(tail(squares.df, squares.statistic))
        return Trial(of.uncertain, squares.statistic, p, "chi-square", squares.df, None, evidence)
    less, more, error = simulate_tails(_seed(of), squares.sample, squares.statistic, too_even)
    p = less if too_even else more
    return Trial(of.uncertain, squares.statistic, p, "simulated", squares.df, error(p), evidence)


class ChiSquare(msgspec.Struct):
    """The statistic X2 and its degrees of freedom.

    `sample` simulates X2. It is used if X2 does not follow the chi-square distribution.
    """

    statistic: float
    df: int
    is_chi_square: bool
    sample: Sample


def _alike(of: FaceSum) -> ChiSquare:
    """Return Pearson's X2 for draws that all have the same chances."""
    chances = face_chances(of.sides) if of.sides else _constant_chances(of)
    names, times = list(chances), of.draws
    shares = np.array([numerator / denominator for numerator, denominator in chances.values()])
    expected = shares * times

    def squared(counts: Floats) -> Floats:
        return np.asarray(((counts - expected) ** 2 / expected).sum(axis=-1))

    def sample(chance: np.random.Generator, size: int) -> Floats:
        return squared(chance.multinomial(times, shares / shares.sum(), size).astype(np.float64))

    found = float(squared(np.array([float(of.seen.get(name, 0)) for name in names])))
    is_full = bool(expected.min() >= MIN_EXPECTED_COUNT - ROUNDING_ERROR)
    return ChiSquare(found, len(names) - 1, is_full, sample)


def _constant_chances(of: FaceSum) -> dict[str, Probability]:
    counts = sorted(Counter(of.whole).items())
    return {value: (number, len(of.whole)) for value, number in counts}


def _dealt(of: FaceSum) -> ChiSquare:
    """Return X2 = |d|^2 (cards - 1) / tr V for cards dealt from a deck.

    d contains the observed count minus the expected count for each card, and V is the sum over all
    draws of diag(p) - pp', where p contains the chance of each card. All cards are equivalent, so
    the formula replaces V with its mean over all orders of the cards. The simulation shuffles each
    pass, because with honest dealing the cards could have come in any order. Equal cards are
    shuffled apart, and d is summed over them.
    """
    names = sorted(of.chances)
    cards = len(of.whole)
    spread = sum(
        each.times * sum(1 - 1 / size for size in _sizes(each)) for each in of.every_pass()
    ) / (cards - 1)
    observed = of.observed()
    d = np.array([observed[name].seen - _mean(of.chances[name]) for name in names])
    passes = of.every_pass()
    number = sum(each.times for each in passes)
    is_whole = len(passes) > MAX_PARTS or all(len(each.began) == cards for each in passes)
    sums = _normal(passes, names) if number >= MIN_PASSES else _orders(passes, names)

    def sample(chance: np.random.Generator, size: int) -> Floats:
        return np.asarray((sums(chance, size) ** 2).sum(axis=1) / spread)

    statistic = float((d**2).sum() / spread)
    has_equal_cards = len(names) < cards
    is_chi_square = number >= MIN_PASSES and is_whole and not has_equal_cards
    return ChiSquare(statistic, len(names) - 1, is_chi_square, sample)


def _mean(chances: Mapping[str, int]) -> float:
    parsed = parse_chances(chances)
    return sum(
        times * numerator / denominator for (numerator, denominator), times in parsed.items()
    )


def _sizes(each: PassKind) -> range:
    """Return the number of cards left before each draw of a pass."""
    return range(len(each.began), len(each.began) - each.drawn, -1)


def pass_differences(cards: int, drawn: int) -> Floats:
    """Return the observed minus the expected count of each card in a pass.

    The cards that were drawn come first, in order.
    """
    expected = np.cumsum([1 / (cards - nth) for nth in range(drawn)])
    return np.concatenate([1 - expected, np.full(cards - drawn, -expected[-1])])


Sums = Callable[[np.random.Generator, int], Floats]
"""Returns simulated vectors d, one per row, given a random generator and the number of vectors."""


def _orders(passes: Sequence[PassKind], names: Sequence[str]) -> Sums:
    """Return a function that simulates d by shuffling the cards in each pass."""
    place = {name: nth for nth, name in enumerate(names)}

    def sums(chance: np.random.Generator, size: int) -> Floats:
        total = np.zeros((size, len(names)))
        for each in passes:
            came = pass_differences(len(each.began), each.drawn)
            for _ in range(each.times):
                shuffled = chance.permuted(np.tile(came, (size, 1)), axis=1)
                for nth, name in enumerate(each.began):
                    total[:, place[name]] += shuffled[:, nth]
        return total

    return sums


def _normal(passes: Sequence[PassKind], names: Sequence[str]) -> Sums:
    """Return a function that simulates d from a normal distribution.

    The distribution has the covariance matrix of the shuffled passes, rotated to be diagonal. The
    rotation does not change the distribution of |d|.
    """
    place = {name: nth for nth, name in enumerate(names)}
    spread = np.zeros((len(names), len(names)))
    for each in passes:
        number = len(each.began)
        came = pass_differences(number, each.drawn)
        copies = np.zeros((number, len(names)))
        copies[np.arange(number), [place[name] for name in each.began]] = 1
        even = np.eye(number) - 1 / number
        spread += each.times * copies.T @ even @ copies * float(came @ came) / max(1, number - 1)
    roots = np.sqrt(np.maximum(0.0, np.linalg.eigvalsh(spread)))
    return lambda chance, size: chance.standard_normal((size, len(roots))) * roots


def simulate_tails(
    seed: int, sample: Sample, found: float, lower: bool
) -> tuple[float, float, Callable[[float], float]]:
    """Return the simulated probabilities that a statistic is below `found`, and above it.

    The third result is a function that returns the error of such a probability, in 99 of 100 cases.
    A simulated statistic equal to `found` counts half as below and half as above. No probability is
    0, because `found` itself counts as one more simulated session. The simulation ends early when
    the upper tail (or the lower one if `lower` is True) contains MIN_TAIL_SESSIONS sessions.
    """
    chance = np.random.Generator(np.random.PCG64(seed))
    less = more = made = 0.0
    for size in SIMULATION_STAGES:
        statistics = sample(chance, size)
        same = np.abs(statistics - found) <= STATISTIC_TOLERANCE * max(1.0, abs(found))
        halves = np.count_nonzero(same) / 2
        less += np.count_nonzero((statistics < found) & ~same) + halves
        more += np.count_nonzero((statistics > found) & ~same) + halves
        made += size
        if (less if lower else more) >= MIN_TAIL_SESSIONS:
            break
    total = made

    def error(p: float) -> float:
        return round(ERROR_DEVIATIONS * sqrt(max(p * (1 - p), 1 / total) / total), 6)

    return float(less + 0.5) / (made + 1), float(more + 0.5) / (made + 1), error


def _seed(of: FaceSum) -> int:
    """Return a seed that follows from the draws, so that the same log always gives the same p."""
    passes = [(each.began, each.drawn, each.times) for each in of.every_pass()]
    text = msgspec.json.encode((of.sides, of.draws, sorted(of.seen.items()), passes))
    return int.from_bytes(sha256(text).digest()[:16], "big")


def face_evidence(of: FaceSum) -> float:
    """Return the e-value of the faces: how much betting against fair dice would have gained.

    The stake is divided between bets that one value comes more (or less) easily: each value and
    each factor in WEIGHTS. Its expected value never rises with fair dice and honest decks, so it
    exceeds x at any time in at most 1 of x sessions (Ville 1939).
    """
    if of.sides:
        chances = {label: {chance: of.draws} for label, chance in face_chances(of.sides).items()}
    else:
        chances = {value: parse_chances(each) for value, each in of.chances.items()}
    won = [
        of.seen.get(value, 0) * log(weight) - sum(_growth(weight, draws))
        for value, draws in chances.items()
        for weight in WEIGHTS
    ]
    return mean_gain(np.array(won))


def _growth(weight: float, draws: Mapping[Probability, int]) -> Iterator[float]:
    for (numerator, denominator), times in draws.items():
        yield times * log1p(numerator / denominator * (weight - 1))


def farthest(of: FaceSum) -> tuple[str, ObservedCount]:
    """Return the value with the largest deviation from its expected count, and its counts.

    Deviations are measured in standard deviations.
    """
    observed = of.observed()
    return max(observed.items(), key=lambda each: _deviation(each[1], of.draws))


def _deviation(count: ObservedCount, draws: int) -> float:
    variance = count.expected * (1 - count.expected / draws)
    return abs(count.seen - count.expected) / sqrt(variance) if variance > 0 else 0.0
