"""X2 of dice by Pearson's sum, and of a deck by every order that its cards could have come in."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations, product
from math import comb

import msgspec
import numpy as np
import pytest
from scipy.stats import chi2, chisquare

from domain.tally import Rolled
from workers.statistics import faces
from workers.statistics.faces import MIN_PASSES, FaceSum, try_faces

CARDS = ("A", "B", "C", "D")
EXPECTED_COUNTS = [
    # rolls of a d12, or draws of one of the rarest cards; whether 5 of the rarest value are expected
    (60, True),
    (59, False),
]


def sum_of(rolls: Iterable[Rolled]) -> FaceSum:
    found = FaceSum()
    for rolled in rolls:
        found.add(rolled)
    return found


def thrown(values: Iterable[object], sides: int = 6) -> FaceSum:
    return sum_of(Rolled("ana", f"d{sides}", str(value), "roll") for value in values)


def replaced(values: Iterable[str], deck: str) -> FaceSum:
    """Return draws of which each is put back."""
    return sum_of(Rolled("ana", "deck", value, "draw", tuple(deck)) for value in values)


def dealt(*passes: str, deck: tuple[str, ...] = CARDS) -> FaceSum:
    """Return passes through a deck. Cards in small letters came before, unseen."""
    draws = []
    for nth, cards in enumerate(passes):
        left = list(deck)
        for card in cards:
            if card.isupper():
                draws.append(Rolled(f"hand {nth}", "deck", card, "draw", tuple(left)))
            left.remove(card.upper())
    return sum_of(draws)


def statistic(of: FaceSum) -> float:
    return faces._dealt(of).statistic


def sample(of: FaceSum, seed: int, size: int) -> np.ndarray:
    return faces._dealt(of).sample(np.random.default_rng(seed), size)


def test_of_dice_it_is_pearsons() -> None:
    found = try_faces(thrown("1123456666"))
    assert found.statistic == pytest.approx(
        sum((seen - 10 / 6) ** 2 for seen in (2, 1, 1, 1, 1, 4)) / (10 / 6)
    )
    assert found.df == 5


def test_of_many_rolls_its_p_is_pearsons_too() -> None:
    times = [31, 22, 40, 28, 35, 24]
    rolls = [face for face, number in enumerate(times, 1) for _ in range(number)]
    found, pearson = try_faces(thrown(rolls)), chisquare(times)
    assert (found.statistic, found.p) == pytest.approx((pearson.statistic, pearson.pvalue))
    assert (found.method, found.df, found.draws) == ("chi-square", 5, 180)
    assert found.error is None


def test_a_die_with_many_faces_is_tested_in_tenths() -> None:
    """The faces 1 to 50 came once, and 51 to 100 twice: 10 and 20 of each tenth, and 15 are expected."""
    found = try_faces(thrown([*range(1, 101), *range(51, 101)], 100))
    assert (found.statistic, found.df) == (pytest.approx(10 * 5**2 / 15), 9)
    assert found.p == pytest.approx(chi2.sf(10 * 5**2 / 15, 9))


def test_draws_that_are_put_back_have_the_same_chances() -> None:
    """Two of three cards are As: 8 of 12 are expected, and 5 came."""
    found = try_faces(replaced("AAAAABBBBBBB", "AAB"))
    assert found.statistic == pytest.approx(3**2 / 8 + 3**2 / 4)
    assert found.df == 1


@pytest.mark.parametrize(("draws", "is_full"), EXPECTED_COUNTS)
def test_chi_square_stands_for_it_from_five_expected_on(draws: int, is_full: bool) -> None:
    method = "chi-square" if is_full else "simulated"
    assert try_faces(thrown([1] * draws, 12)).method == method
    assert try_faces(replaced("B" * draws, "AAAAAAAAAAAB")).method == method


def test_a_card_that_came_is_measured_against_those_that_were_left() -> None:
    """d = (1 - 1/4, -1/4 + 1 - 1/3, -1/4 - 1/3, the same), of variance 3/4 + 2/3 in all."""
    found = faces._dealt(dealt("AB"))
    square_of_d = (3 / 4) ** 2 + (5 / 12) ** 2 + 2 * (7 / 12) ** 2
    assert found.statistic == pytest.approx(square_of_d * 3 / (3 / 4 + 2 / 3))
    assert found.df == 3


def test_over_all_orders_it_is_on_average_what_chi_square_is() -> None:
    orders = ["".join(order) for order in permutations(CARDS, 3)]
    squares = [statistic(dealt(one, other)) for one, other in product(orders, orders)]
    assert np.mean(squares) == pytest.approx(3)


def same(simulated: np.ndarray, every: Iterable[float]) -> None:
    """Check that simulated statistics are those of all orders, and as frequent."""
    simulated, every = np.round(simulated, 6), np.round(list(every), 6)
    assert set(simulated) == set(every)
    for value in set(every):
        assert np.mean(simulated == value) == pytest.approx(np.mean(every == value), abs=0.015)


def test_what_is_simulated_are_these_orders() -> None:
    orders = ["".join(order) for order in permutations(CARDS, 3)]
    every = (statistic(dealt(*each)) for each in product(orders, orders))
    same(sample(dealt("ABC", "BDA"), 1, 20_000), every)


def test_what_came_before_is_in_none_of_these_orders() -> None:
    """C and D are left of two passes, and the whole deck of one."""
    orders = ["".join(order) for order in permutations(CARDS, 3)]
    halves = ("abC", "abD")
    every = (statistic(dealt(*each)) for each in product(orders, halves, halves))
    same(sample(dealt("ABC", "abC", "abC"), 1, 20_000), every)


def test_equal_cards_come_together_as_often_as_they_would() -> None:
    """Of A, A, B and C, with each of the As told apart."""
    deck = ("A", "A", "B", "C")
    orders = [[deck[nth] for nth in order] for order in permutations(range(4), 2)]
    every = (
        statistic(dealt("".join(one), "".join(other), deck=deck))
        for one, other in product(orders, orders)
    )
    same(sample(dealt("AA", "AB", deck=deck), 1, 20_000), every)


def test_of_many_passes_that_had_begun_before_it_is_as_wide_as_their_orders() -> None:
    """Of 60 times C or D and one whole pass the sum is far from chi-square: all is in one direction."""
    every = [faces._dealt(dealt("ABC", *["abC"] * cs, *["abD"] * (60 - cs))) for cs in range(61)]
    shares = np.array([comb(60, cs) / 2**60 for cs in range(61)])
    statistics = np.array([each.statistic for each in every])
    simulated = every[30].sample(np.random.default_rng(2), 50_000)
    assert not any(each.is_chi_square for each in every)
    assert np.mean(simulated) == pytest.approx(shares @ statistics, rel=0.05)
    for least in (5, 10, 20):
        assert np.mean(simulated > least) == pytest.approx(shares @ (statistics > least), abs=0.03)


@pytest.mark.parametrize("passes", [MIN_PASSES - 1, MIN_PASSES])
def test_chi_square_stands_for_a_deck_from_many_passes_on(passes: int) -> None:
    of = dealt(*["ABC"] * passes)
    assert of.is_deck
    assert (try_faces(of).method == "chi-square") is (passes == MIN_PASSES)


def test_a_pass_ends_where_other_cards_are_left_than_those_that_it_left() -> None:
    """Each hand has a deck of its own; a reshuffle begins a pass, and the same cards in another order do not."""
    hands = [
        Rolled("ana", "deck", "A", "draw", ("A", "B", "C")),
        Rolled("ben", "deck", "B", "draw", ("A", "B", "C")),
        Rolled("ana", "deck", "C", "draw", ("C", "B")),
        Rolled("ben", "deck", "A", "draw", ("A", "B", "C")),
    ]
    passes = {(each.began, each.drawn): each.times for each in sum_of(hands).every_pass()}
    whole = ("A", "B", "C")
    assert passes == {(whole, 2): 1, (whole, 1): 2}


def test_sums_of_sessions_can_be_added_and_taken_away() -> None:
    one, other = dealt("ABC", "BDA"), dealt("CAB", "abD", "ABC")
    both = dealt("ABC", "BDA", "CAB", "abD", "ABC")
    total = FaceSum()
    total.accumulate(one)
    total.accumulate(other)
    assert statistic(total) == pytest.approx(statistic(both))
    assert total.observed() == both.observed()
    assert (total.draws, total.uncertain, total.seen) == (both.draws, both.uncertain, both.seen)
    total.accumulate(one, -1)
    assert statistic(total) == pytest.approx(statistic(other))
    assert total.observed() == other.observed()
    dice = FaceSum()
    for each in (thrown("1123"), thrown("4516")):
        dice.accumulate(each)
    assert (dice.draws, dice.total, dice.pairs, dice.repeats) == (8, 23, 6, 1)
    assert dice.observed() == thrown("11234516").observed()
    dice.accumulate(thrown("4516"), -1)
    assert (dice.seen, dice.total, dice.pairs, dice.repeats) == (thrown("1123").seen, 7, 3, 1)


def test_a_stored_sum_goes_on_as_if_it_had_never_been_stored() -> None:
    for of, more in (
        (dealt("ABC", "B"), Rolled("hand 1", "deck", "A", "draw", ("A", "C", "D"))),
        (thrown("112345666612"), Rolled("ana", "d6", "2", "roll")),
    ):
        stored = msgspec.json.decode(msgspec.json.encode(of), type=FaceSum)
        assert stored == of
        for each in (stored, of):
            try_faces(each)
            each.add(more)
        assert try_faces(stored) == try_faces(of)
        assert stored == of
