"""X2 of dice by Pearson's sum, of a deck by every order that its cards could have come in."""

from __future__ import annotations

from itertools import permutations, product
from math import comb

import numpy as np
import pytest

from workers.statistics.chi_square import compute
from workers.statistics.pooled_draws import Pools, pool

CARDS = ("A", "B", "C", "D")


EXPECTED = [
    ({12: 60}, True),
    ({12: 59}, False),
    ({3: 1, 6: 23, 12: 10}, True),
    ({3: 1, 6: 23, 12: 9}, False),
]
"""Of the rarer value 5, or one draw less."""


def thrown(faces: str) -> Pools:
    return pool((tuple((face, (1, 6)) for face in "123456"), face) for face in faces)


def dealt(*passes: str) -> Pools:
    """Each begins with all the cards, but for those in small letters, which came before."""
    draws = []
    for cards in passes:
        for nth, card in enumerate(cards):
            if card.islower():
                continue
            left = [other for other in CARDS if other not in cards[:nth].upper()]
            draws.append((tuple((other, (1, len(left))) for other in left), card))
    return pool(draws)


def test_of_dice_it_is_pearsons() -> None:
    found = compute(thrown("1123456666"))
    assert found.statistic == pytest.approx(
        sum((seen - 10 / 6) ** 2 for seen in (2, 1, 1, 1, 1, 4)) / (10 / 6)
    )
    assert found.df == 5


def test_of_a_die_with_other_chances_now_and_then_it_allows_for_each() -> None:
    even, odd = (("a", (1, 2)), ("b", (1, 2))), (("a", (1, 4)), ("b", (3, 4)))
    found = compute(pool([(even, "a"), (even, "a"), (odd, "a"), (odd, "b")]))
    assert found.statistic == pytest.approx((3 - 1.5) ** 2 / (2 / 4 + 2 * 3 / 16))
    assert found.df == 1


def seldom(times: dict[int, int]) -> Pools:
    """So many draws of a value that comes once in so many."""
    return pool(
        ((("a", (1, sides)), ("b", (sides - 1, sides))), "b")
        for sides, each in times.items()
        for _ in range(each)
    )


@pytest.mark.parametrize(("times", "full"), EXPECTED)
def test_chi_square_stands_for_it_from_five_expected_on(times: dict[int, int], full: bool) -> None:
    assert compute(seldom(times)).is_chi_square == full


def test_a_card_that_came_is_measured_against_those_that_were_left() -> None:
    """d = (1 - 1/4, -1/4 + 1 - 1/3, -1/4 - 1/3, the same), of variance 3/4 + 2/3 in all."""
    found = compute(dealt("AB"))
    square_of_d = (3 / 4) ** 2 + (5 / 12) ** 2 + 2 * (7 / 12) ** 2
    assert found.statistic == pytest.approx(square_of_d * 3 / (3 / 4 + 2 / 3))
    assert found.df == 3


def test_over_all_orders_it_is_on_average_what_chi_square_is() -> None:
    orders = ["".join(order) for order in permutations(CARDS, 3)]
    squares = [compute(dealt(one, other)).statistic for one, other in product(orders, orders)]
    assert np.mean(squares) == pytest.approx(3)


def test_what_is_simulated_are_these_orders() -> None:
    orders = ["".join(order) for order in permutations(CARDS, 3)]
    every = np.round(
        [compute(dealt(one, other)).statistic for one, other in product(orders, orders)], 6
    )
    simulated = np.round(compute(dealt("ABC", "BDA")).sample(np.random.default_rng(1), 20_000), 6)
    assert set(simulated) == set(every)
    for value in set(every):
        assert np.mean(simulated == value) == pytest.approx(np.mean(every == value), abs=0.015)


def test_what_came_before_is_in_none_of_these_orders() -> None:
    """C and D are left of two passes, and the whole deck of one."""
    orders = ["".join(order) for order in permutations(CARDS, 3)]
    halves = ("abC", "abD")
    every = np.round(
        [compute(dealt(*each)).statistic for each in product(orders, halves, halves)], 6
    )
    simulated = np.round(
        compute(dealt("ABC", "abC", "abC")).sample(np.random.default_rng(1), 20_000), 6
    )
    assert set(simulated) == set(every)
    for value in set(every):
        assert np.mean(simulated == value) == pytest.approx(np.mean(every == value), abs=0.015)


def test_of_many_passes_that_had_begun_before_it_is_as_wide_as_their_orders() -> None:
    """Of 60 times C or D and one whole pass the sum is far from chi-square: all is in one direction."""
    every = [compute(dealt("ABC", *["abC"] * cs, *["abD"] * (60 - cs))) for cs in range(61)]
    shares = np.array([comb(60, cs) / 2**60 for cs in range(61)])
    statistics = np.array([each.statistic for each in every])
    simulated = every[30].sample(np.random.default_rng(2), 50_000)
    assert not any(each.is_chi_square for each in every)
    assert np.mean(simulated) == pytest.approx(shares @ statistics, rel=0.05)
    for least in (5, 10, 20):
        assert np.mean(simulated > least) == pytest.approx(shares @ (statistics > least), abs=0.03)
