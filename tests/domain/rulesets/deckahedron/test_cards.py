"""The tables of the digest: both decks to the mark, the counts by edge, and the exact odds of whole decks."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import comb

import pytest

from domain.rulesets.deckahedron.rules import (
    DECKS,
    EDGES,
    METHODS,
    SYMBOLS,
    DeckName,
    Difficulty,
    Mark,
    Number,
    Ranks,
    Result,
    cards_left,
    counting_result,
    number_on,
    number_ways,
    result_on,
    result_ways,
    results_left,
)
from tests.domain.rulesets.deckahedron.people import (
    DIFFICULT,
    EASY,
    STANDARD,
    VERY_DIFFICULT,
    VERY_EASY,
)

decks = pytest.mark.parametrize("deck", DeckName)

COUNTS = [
    # rank, edge, colour, side, then cards with ✗✗, ✗, ✔, ✔✔
    (1, "Anchor", "red", "bottom", (8, 4, 6, 2)),
    (2, "Bulb", "yellow", "right", (5, 6, 5, 4)),
    (3, "Crescent", "green", "left", (4, 5, 6, 5)),
    (4, "Dart", "blue", "top", (2, 6, 4, 8)),
]


@decks
@pytest.mark.parametrize(("rank", "symbol", "colour", "side", "counts"), COUNTS)
def test_dk_12_both_decks_count_the_same_on_every_edge(
    deck: DeckName, rank: int, symbol: str, colour: str, side: str, counts: tuple[int, ...]
) -> None:
    assert results_left(deck, (), rank) == counts
    assert (EDGES[rank - 1].symbol, EDGES[rank - 1].colour, EDGES[rank - 1].side) == (
        symbol,
        colour,
        side,
    )


WHOLE = [
    # rank, difficulty, hands with ✗✗, ✗, ✔, ✔✔
    (1, STANDARD, (8, 4, 6, 2)),
    (1, EASY, (28, 38, 87, 37)),
    (1, DIFFICULT, (124, 38, 27, 1)),
    (1, VERY_EASY, (56, 164, 596, 324)),
    (1, VERY_DIFFICULT, (920, 164, 56, 0)),
    (2, STANDARD, (5, 6, 5, 4)),
    (2, EASY, (10, 45, 65, 70)),
    (2, DIFFICULT, (85, 69, 30, 6)),
    (2, VERY_EASY, (10, 155, 395, 580)),
    (2, VERY_DIFFICULT, (685, 371, 80, 4)),
    (3, STANDARD, (4, 5, 6, 5)),
    (3, EASY, (6, 30, 69, 85)),
    (3, DIFFICULT, (70, 65, 45, 10)),
    (3, VERY_EASY, (4, 80, 371, 685)),
    (3, VERY_DIFFICULT, (580, 395, 155, 10)),
    (4, STANDARD, (2, 6, 4, 8)),
    (4, EASY, (1, 27, 38, 124)),
    (4, DIFFICULT, (37, 87, 38, 28)),
    (4, VERY_EASY, (0, 56, 164, 920)),
    (4, VERY_DIFFICULT, (324, 596, 164, 56)),
]
SIZES = {1: 20, 2: 190, 3: 1140}


@decks
@pytest.mark.parametrize(("rank", "difficulty", "hands"), WHOLE)
def test_the_odds_of_a_whole_deck(
    deck: DeckName, rank: int, difficulty: Difficulty, hands: tuple[int, ...]
) -> None:
    found = result_ways(results_left(deck, (), rank), difficulty)
    assert tuple(found.get(result, 0) for result in Result) == hands
    assert sum(hands) == SIZES[METHODS[difficulty].flips]


def test_the_table_of_whole_decks_is_complete() -> None:
    assert [row[:2] for row in WHOLE] == list(
        product(range(1, 5), [STANDARD, EASY, DIFFICULT, VERY_EASY, VERY_DIFFICULT])
    )


def test_the_published_chart_in_percent() -> None:
    assert [round(100 * count / 1140) for count in (0, 56, 164, 920)] == [0, 5, 14, 81]
    assert [100 * count // 20 for count in results_left(DeckName.D, (), 1)] == [40, 20, 30, 10]


@pytest.mark.parametrize("difficulty", Difficulty)
@pytest.mark.parametrize("rank", range(1, 5))
@pytest.mark.parametrize(
    "gone", [(), ("D01", "D11", "D20"), tuple(f"D{nth:02}" for nth in range(1, 15))]
)
def test_ways_are_the_hands_that_can_be_counted_one_by_one(
    difficulty: Difficulty, rank: int, gone: tuple[str, ...]
) -> None:
    hands = combinations(cards_left(DeckName.D, gone), METHODS[difficulty].flips)
    counted = Counter(
        counting_result([result_on(card, rank) for card in hand], difficulty) for hand in hands
    )
    left = results_left(DeckName.D, gone, rank)
    assert result_ways(left, difficulty) == counted
    assert sum(counted.values()) == comb(sum(left), METHODS[difficulty].flips)


@decks
def test_twenty_cards_without_a_blank_edge_in_the_order_of_the_list(deck: DeckName) -> None:
    assert list(DECKS[deck]) == [f"{deck}{nth:02}" for nth in range(1, 21)]
    assert all(len(card.edges) == 4 for card in DECKS[deck].values())


BEARERS = [
    # deck, mark, the numbers of the cards that bear it
    (DeckName.D, Mark.STAMINA, [*range(11, 21)]),
    (DeckName.D, Mark.XP, [8, 9, 15, 16, 17]),
    (DeckName.D, Mark.CRIT_FAIL, [1]),
    (DeckName.D, Mark.CRIT_WIN, [11]),
    (DeckName.P, Mark.STAMINA, [*range(11, 21)]),
    (DeckName.P, Mark.XP, [2, 9, 14, 16, 17]),
    (DeckName.P, Mark.CRIT_FAIL, [1]),
    (DeckName.P, Mark.CRIT_WIN, [11]),
]


@pytest.mark.parametrize(("deck", "mark", "numbers"), BEARERS)
def test_marks(deck: DeckName, mark: Mark, numbers: list[int]) -> None:
    assert [int(name[1:]) for name, card in DECKS[deck].items() if mark in card.marks] == numbers


def test_two_cards_of_deck_d_have_equal_edges_but_other_numbers() -> None:
    d = DECKS[DeckName.D]
    equal = [(a, b) for a, b in combinations(d, 2) if d[a].edges == d[b].edges]
    assert equal == [("D14", "D18")]
    assert (d["D14"].d4, d["D14"].d6) != (d["D18"].d4, d["D18"].d6)


NUMBERS = [
    (Number.D4, {1: 4, 2: 4, 3: 4, 4: 4}),
    (Number.D6, dict.fromkeys(range(1, 7), 3)),
    (Number.CURVE, {2: 3, 3: 3, 4: 3, 5: 3, 6: 2, 7: 2, 8: 2, 9: 1, 10: 1}),
]


@pytest.mark.parametrize(("number", "counts"), NUMBERS)
def test_the_numbers_of_deck_d(number: Number, counts: dict[int, int]) -> None:
    assert number_ways(DeckName.D, (), number) == counts
    assert sum(number_on(card, number) == 0 for card in DECKS[DeckName.D]) == 20 - sum(
        counts.values()
    )


def test_the_curve_in_percent() -> None:
    counts = number_ways(DeckName.D, (), Number.CURVE)
    assert [5 * count for count in counts.values()] == [15, 15, 15, 15, 10, 10, 10, 5, 5]


def test_any_two_cards_share_one_animal_or_all_four() -> None:
    animals = [set(card.zodiac) for card in DECKS[DeckName.D].values()]
    assert all(len(of) == 4 for of in animals)
    assert {len(a & b) for a, b in combinations(animals, 2)} == {1, 4}


def test_the_four_symbols_from_the_worst_to_the_best() -> None:
    assert list(SYMBOLS) == ["✗✗", "✗", "✔", "✔✔"]
    assert [str(result) for result in SYMBOLS.values()] == [
        "categorical failure",
        "failure",
        "success",
        "unconditional success",
    ]


def test_the_ten_ways_to_distribute_six_points() -> None:
    spreads = [Ranks(*three) for three in product(range(1, 5), repeat=3) if sum(three) == 6]
    assert len(spreads) == 10
    assert {tuple(sorted((of.strength, of.dexterity, of.intelligence))) for of in spreads} == {
        (1, 1, 4),
        (1, 2, 3),
        (2, 2, 2),
    }
