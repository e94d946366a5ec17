"""The tests of chance: each p against exact sums, all of them corrected together, and what is said of them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product
from math import sqrt

import pytest
from scipy.stats import binom, chisquare

from domain.tally import Probability, Rolled
from projections.statistics_model import ALPHA, SessionReport
from projections.tallies import SessionTallies, Tally
from tests.support.scale import scale
from tests.workers import recomputation
from workers.statistics import significance
from workers.statistics.dice import chance_of_streak
from workers.statistics.intervals import interval
from workers.statistics.pooled_draws import Chances, Pools, pool
from workers.statistics.report import compute_report
from workers.statistics.significance import MIN_DRAWS, holm, try_faces, try_luck

D6: Chances = tuple((str(face), (1, 6)) for face in range(1, 7))
COIN: Chances = (("tails", (1, 2)), ("heads", (1, 2)))


def rows(chances: Chances, *times: int) -> Pools:
    """Draws of the same chances: how often each value came."""
    values = (
        value
        for (value, _), number in zip(chances, times, strict=True)
        for value in [value] * number
    )
    return pool((chances, value) for value in values)


HOLM = [
    ([],                        []),
    ([0.2],                     [0.2]),
    ([0.01, 0.04, 0.03],        [0.03, 0.06, 0.06]),
    ([0.5, 0.9],                [1.0, 1.0]),
    ([0.02, 0.02, 0.001],       [0.04, 0.04, 0.003]),
]  # fmt: skip


@pytest.mark.parametrize(("ps", "adjusted"), HOLM)
def test_holm(ps: list[float], adjusted: list[float]) -> None:
    assert holm(ps) == pytest.approx(adjusted)


def test_x2_is_pearsons_where_all_chances_are_alike() -> None:
    times = [31, 22, 40, 28, 35, 24]
    found, pearson = try_faces(rows(D6, *times)), chisquare(times)
    assert (found.statistic, found.p) == pytest.approx((pearson.statistic, pearson.pvalue))
    assert (found.how, found.df, found.draws) == ("chi-square", 5, 180)


FEW_DICE = [
    (4, 1, 1, 2, 1, 1),
    (0, 0, 6, 2, 1, 1),
    (2, 2, 2, 2, 1, 1),
    (5, 5, 0, 0, 0, 0),
    (9, 1, 0, 0, 1, 0),
]


@pytest.mark.parametrize("times", FEW_DICE)
def test_a_simulated_p_is_near_the_exact_one(times: tuple[int, ...]) -> None:
    """All ways in which so many dice can fall, half of what is as uneven."""
    found, number = try_faces(rows(D6, *times)), sum(times)
    exact, found_square = Fraction(), sum(each * each for each in times)
    for ways in _falls(number, 6):
        square = sum(each * each for each in ways)
        share = _multinomial(ways) * Fraction(1, 6**number)
        exact += share * (
            1 if square > found_square else Fraction(1, 2) if square == found_square else 0
        )
    assert found.how == "simulated"
    assert found.p == pytest.approx(
        float(exact), abs=0.003 + 5 * sqrt(float(exact) / (1_000 if exact > 0.05 else 1e4))
    )


def _falls(number: int, values: int) -> list[tuple[int, ...]]:
    if values == 1:
        return [(number,)]
    return [
        (first, *rest) for first in range(number + 1) for rest in _falls(number - first, values - 1)
    ]


def _multinomial(ways: tuple[int, ...]) -> int:
    found, number = 1, 0
    for each in ways:
        for nth in range(1, each + 1):
            number += 1
            found = found * number // nth
    return found


HEADS = [5, 6, 8, 10]


@pytest.mark.parametrize("heads", HEADS)
def test_the_p_of_few_lucky_draws_is_near_the_exact_one(heads: int) -> None:
    found = try_luck(rows(COIN, 10 - heads, heads))
    exact = 2 * (binom.sf(heads, 10, 0.5) + binom.pmf(heads, 10, 0.5) / 2)
    assert found.how == "simulated"
    assert found.p == pytest.approx(min(1, exact), abs=0.005 + 0.15 * exact)


def test_luck_of_many_draws_is_normal() -> None:
    """Of 400 coins 230 fell well: 30 more than half, of a spread of 10."""
    found = try_luck(rows(COIN, 170, 230))
    assert (found.how, found.statistic) == ("normal", pytest.approx(3.0))
    assert found.p == pytest.approx(0.0026998, rel=1e-5)


def test_lopsided_chances_are_simulated_however_many() -> None:
    sure: Chances = (("lost", (1, 1_000)), ("won", (999, 1_000)))
    assert try_luck(rows(sure, 2, 998)).how == "simulated"


def test_the_same_draws_give_the_same_p() -> None:
    assert try_faces(rows(D6, 4, 1, 1, 2, 1, 1)) == try_faces(rows(D6, 4, 1, 1, 2, 1, 1))


@pytest.mark.parametrize(("number", "tested"), [(MIN_DRAWS - 1, False), (MIN_DRAWS, True)])
def test_few_draws_are_not_tested(number: int, tested: bool) -> None:
    for trial in (try_faces(rows(COIN, 0, number)), try_luck(rows(COIN, 0, number))):
        assert (trial.p is not None) is tested


INTERVALS: list[list[tuple[Probability, int]]] = [
    [((1, 6), 1)],
    [((1, 6), 30)],
    [((1, 2), 100)],
    [((1, 40), 1)],
    [((1, 100), 400), ((3, 100), 20)],
    [((1, 20), 15), ((1, 19), 3), ((1, 2), 4), ((1, 1), 2), ((0, 7), 9)],
    [((999, 1000), 50)],
]


@pytest.mark.parametrize("trials", INTERVALS)
def test_intervals_are_exact(trials: list[tuple[Probability, int]]) -> None:
    slow = recomputation.interval(
        [Fraction(*chance) for chance, times in trials for _ in range(times)]
    )
    assert interval(tuple(sorted(trials))) == slow


def test_so_are_they_of_a_long_evening() -> None:
    dealt = random.Random(1)
    chances = sorted((1, dealt.randint(1, 20)) for _ in range(scale(500, 3_000)))
    trials = tuple((chance, chances.count(chance)) for chance in sorted(set(chances)))
    assert interval(trials) == recomputation.interval([Fraction(*chance) for chance in chances])


def test_the_chance_of_a_run_counts_every_way_to_come_by_it() -> None:
    chances = [0.5, 0.25, 0.9, 0.5, 1.0, 0.0, 0.75]
    for length in range(1, 5):
        total = 0.0
        for ways in product((True, False), repeat=len(chances)):
            share = 1.0
            for came, chance in zip(ways, chances, strict=True):
                share *= chance if came else 1 - chance
            runs = "".join("x" if came else " " for came in ways).split()
            total += share * any(len(run) >= length for run in runs)
        assert chance_of_streak(length, chances) == pytest.approx(total)


def test_a_run_of_thousands_is_found_at_once() -> None:
    """It begins with the first draw, or behind one that came otherwise: no two fit into twice its length."""
    length, chance = 20_000, 0.9999
    assert chance_of_streak(length, [chance] * 2 * length) == pytest.approx(
        chance**length * (1 + length * (1 - chance))
    )
    assert chance_of_streak(length, [chance] * (length - 1)) == 0


def evening_of(dice: str, **seats: list[int]) -> SessionReport:
    """What each seat threw with a six-sided die."""
    rolls = [
        Tally(nth, 0, nth, 0, seat, dice, False, False, Rolled(seat, "d6", str(face), "", dict(D6)))  # type: ignore[arg-type]
        for seat, times in seats.items()
        for nth, face in enumerate((face for face, n in enumerate(times, 1) for _ in range(n)), 1)
    ]
    return compute_report(SessionTallies(len(rolls), tuple(rolls), (), ()))


EVEN, SIXES = [20, 22, 19, 18, 21, 20], [10, 12, 9, 11, 8, 70]


def test_a_loaded_die_is_found_with_its_value_and_its_seat() -> None:
    found = evening_of("drawn", ana=EVEN, ben=SIXES).tests
    assert (found.made, found.alpha, found.verdict) == (3, ALPHA, "uneven")
    assert {(each.source, each.seat, each.value) for each in found.found} >= {("d6", "ben", "6")}
    assert not any(each.seat == "ana" for each in found.found)
    for each in found.found:
        assert each.p <= each.adjusted < ALPHA
        assert "ben" not in each.says


def test_declared_dice_have_their_own_tests_and_are_no_finding() -> None:
    found = evening_of("declared", ben=SIXES)
    assert found.faces["declared"]["d6"].seats["ben"].test.verdict == "uneven"  # type: ignore[union-attr]
    assert (found.tests.made, found.tests.found, found.tests.verdict) == (0, (), "few")


def test_honest_draws_are_fair() -> None:
    found = evening_of("drawn", ana=EVEN, ben=EVEN)
    assert (found.tests.made, found.tests.found, found.tests.verdict) == (3, (), "fair")
    assert found.tests.says == significance.describe_tests(3, 0)


SAYINGS = [
    (significance.describe_faces("6", 41, 27.04, 0.0002),
     "6 came up 41 times (expected: 27.0 times), "
     "which chance alone causes in at most 1 in 5,000 sessions like this one"),
    (significance.describe_faces("1", 0, 12.0, 0.0012),
     "1 never came up (expected: 12.0 times), "
     "which chance alone causes in at most 1 in 830 sessions like this one"),
    (significance.describe_luck(-4.14, 212, 1e-20),
     "the luck of 212 draws was 4.1 standard deviations worse than average, "
     "which chance alone causes in at most 1 in 1,000,000,000,000 sessions like this one"),
    (significance.describe_tests(0, 0), "There were too few draws for a test."),
    (significance.describe_tests(3, 0),
     "3 tests were run, and none was significant. "
     "With honest dice and decks, at most 1 in 100 sessions produces a significant result."),
    (significance.describe_tests(1, 1),
     "1 test was run, and 1 was significant. "
     "With honest dice and decks, at most 1 in 100 sessions produces a significant result."),
]  # fmt: skip


@pytest.mark.parametrize(("said", "sentence"), SAYINGS)
def test_sentences(said: str, sentence: str) -> None:
    assert said == sentence


def test_a_smaller_p_is_never_said_to_be_more_common() -> None:
    said = [significance.describe_faces("6", 41, 27.0, 0.9**nth) for nth in range(1, 300)]
    numbers = [int(each.split(" sessions")[0].rpartition(" ")[2].replace(",", "")) for each in said]
    assert all(before <= after for before, after in pairwise(numbers))
    assert all(number <= 1 / 0.9**nth * (1 + 1e-9) for nth, number in enumerate(numbers, 1))
