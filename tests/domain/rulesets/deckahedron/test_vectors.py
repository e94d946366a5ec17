"""The worked example of the book and the vectors of the digest, DK-1 to DK-13, by their numbers."""

from __future__ import annotations

import pytest

from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron.rules import (
    SYMBOLS,
    DeckName,
    Difficulty,
    Number,
    Options,
    Ranks,
    Shuffle,
    Stat,
    result_on,
)
from tests.domain.rulesets.deckahedron.people import (
    AIM,
    ALL,
    ANA,
    DIFFICULT,
    EASY,
    GM,
    P1,
    STANDARD,
    VERY_EASY,
    faces,
    gone,
    hand,
    hard,
    ranks,
    tried,
)
from tests.domain.rulesets.given import check

FLIPS = [
    # id, deck, rank, difficulty, cards from the top, what they show, what counts, which card resolves
    ("DK-1, the book's example", "P", 3, STANDARD, "P19", "✔✔", "✔✔", "P19"),
    ("DK-2 rank 1", "P", 1, STANDARD, "P19", "✔✔", "✔✔", "P19"),
    ("DK-2 rank 2", "P", 2, STANDARD, "P19", "✔", "✔", "P19"),
    ("DK-2 rank 4", "P", 4, STANDARD, "P19", "✗", "✗", "P19"),
    ("DK-3", "D", 1, EASY, "D03 D10", "✗✗ ✔", "✔", "D10"),
    ("DK-4", "D", 1, DIFFICULT, "D03 D10", "✗✗ ✔", "✗✗", "D03"),
    ("DK-6", "D", 2, VERY_EASY, "D08 D09 D05", "✗✗ ✗ ✔", "✔", "D05"),
    *[
        (f"DK-7 rank {rank}, fail", "D", rank, STANDARD, "D01", "✗✗", "✗✗", "D01")
        for rank in range(1, 5)
    ],
    *[
        (f"DK-7 rank {rank}, win", "D", rank, STANDARD, "D11", "✔✔", "✔✔", "D11")
        for rank in range(1, 5)
    ],
]


@pytest.mark.parametrize(
    ("deck", "rank", "difficulty", "cards", "shown", "result", "card"),
    [row[1:] for row in FLIPS],
    ids=[r[0] for r in FLIPS],
)
def test_flip(
    deck: str, rank: int, difficulty: Difficulty, cards: str, shown: str, result: str, card: str
) -> None:
    top = cards.split()
    flipped = hand(*top, difficulty=difficulty, rank=rank, aim=AIM)
    assert [SYMBOLS[symbol] for symbol in shown.split()] == list(flipped.results)
    assert (flipped.result, flipped.card) == (SYMBOLS[result], card)
    check(
        given=[ANA, tried(), hard(difficulty, rank)],
        when=m.Flip("ana"),
        by=P1,
        drawn=faces(*top),
        then=[flipped],
        options=Options(deck=DeckName(deck)),
    )


def test_dk_1_with_deck_d_the_steps_hold_for_another_card() -> None:
    """The example's card is not in deck D; D13 shows the same on its Crescent edge."""
    assert result_on("D13", 3) is result_on("P19", 3) is SYMBOLS["✔✔"]
    assert "P19" not in ALL


@pytest.mark.parametrize(
    ("flipped", "forced"),
    [(14, False), (15, True), (19, True), (20, True), (0, False)],
    ids=["DK-8: 6 left", "5 left", "1 left", "none left", "nothing flipped"],
)
def test_the_end_of_a_longer_turn(flipped: int, forced: bool) -> None:
    ended = m.TurnEnded("ana", 20 - flipped)
    shuffled = m.Reshuffled("ana", Shuffle.FORCED, 20 - flipped, flipped)
    begun = [ANA, m.TurnOpened("ana"), *([gone(*ALL[:flipped])] if flipped else [])]
    check(given=begun, when=m.EndTurn("ana"), by=P1, then=[ended, shuffled] if forced else [ended])


@pytest.mark.parametrize(("before", "forced"), [(13, False), (14, True)])
def test_an_attempt_is_a_turn_and_ends_with_the_interpretation(before: int, forced: bool) -> None:
    flipped = hand(ALL[before], discard=ALL[:before])
    told = m.Interpreted("ana", flipped.result, "so be it")
    shuffled = m.Reshuffled("ana", Shuffle.FORCED, 5, 15)
    check(
        given=[ANA, tried(), hard(), flipped],
        when=m.Interpret("ana", "so be it"),
        by=GM,
        then=[told, shuffled] if forced else [told],
    )


def test_dk_10() -> None:
    check(
        given=[ANA, gone("D07")],
        when=m.Reshuffle("ana"),
        by=P1,
        then=[m.Reshuffled("ana", Shuffle.CHOSEN, 19, 1)],
    )


SPREADS = [
    # strength, dexterity, intelligence, then
    ((3, 2, 1), "ok"),
    ((2, 2, 2), "ok"),
    ((4, 1, 1), "ok"),
    ((1, 4, 1), "ok"),
    ((4, 2, 1), "ranks-not-six"),
    ((1, 1, 1), "ranks-not-six"),
    ((5, 1, 0), "rank-without-edge"),
    ((1, 5, 0), "rank-without-edge"),
    ((6, 0, 0), "rank-without-edge"),
    ((0, 2, 4), "rank-without-edge"),
]


@pytest.mark.parametrize(("spread", "then"), SPREADS)
def test_dk_11(spread: tuple[int, int, int], then: str) -> None:
    given, wish = [ANA], m.DistributeRanks("ana", *spread)
    check(
        given=given,
        when=wish,
        by=P1,
        then=[m.RanksDistributed("ana", Ranks(*spread))] if then == "ok" else then,
    )


NUMBERS = [
    # id, number, cards from the top, the number
    ("DK-13: D01 is ignored", Number.D4, ("D01", "D02"), 1),
    ("every 0 in turn", Number.D4, ("D01", "D06", "D15", "D20", "D05"), 4),
    ("a 0 for the d6", Number.D6, ("D05", "D17", "D07"), 6),
    ("no 0 for the d6", Number.D6, ("D01",), 2),
    ("a 0 counts as 0 in 2 to 10", Number.CURVE, ("D01",), 2),
    ("the top of the curve", Number.CURVE, ("D11",), 10),
]


@pytest.mark.parametrize(
    ("number", "cards", "value"), [row[1:] for row in NUMBERS], ids=[r[0] for r in NUMBERS]
)
def test_numbers(number: Number, cards: tuple[str, ...], value: int) -> None:
    flipped = m.NumberFlipped("ana", number, DeckName.D, (), cards, value)
    check(given=[ANA], when=m.FlipNumber("ana", number), by=P1, drawn=faces(*cards), then=[flipped])


def test_every_card_of_a_hand_is_read_on_the_edge_of_the_rank_that_governs() -> None:
    strong = ranks(4, 1, 1)
    assert strong.ranks.of(Stat.STRENGTH) == 4
    flipped = hand("D04", "D09", difficulty=EASY, rank=4, aim=AIM)
    given = [ANA, strong, tried(), hard(EASY, 4)]
    check(given=given, when=m.Flip("ana"), by=P1, drawn=faces("D04", "D09"), then=[flipped])
    assert [SYMBOLS[shown] for shown in ("✔✔", "✗")] == list(flipped.results)
