"""Odds: exact, equal to the count of every branch, and quick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from time import perf_counter

import pytest

from domain.odds import enumerate_odds, odds
from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m, ruleset
from domain.rulesets.deckahedron.rules import (
    DeckName,
    Difficulty,
    Number,
    Options,
    Result,
    results_left,
)
from tests.domain.rulesets.deckahedron.people import (
    ALL,
    ANA,
    DIFFICULT,
    EASY,
    P1,
    STANDARD,
    VERY_DIFFICULT,
    VERY_EASY,
    gone,
    hard,
    tried,
)
from tests.domain.rulesets.given import after

TURN = m.TurnOpened("ana")
MIXED = ("D01", "D05", "D06", "D11", "D15", "D18")
LATE = tuple(card for card in ALL if card not in ("D02", "D04", "D09", "D11"))
DISCARDS = [(), MIXED, ALL[:14], LATE, ALL[:18], ALL]


def given_odds(
    when: Message, *given: Message, options: Options | None = None
) -> Mapping[str, Fraction]:
    return odds(ruleset, after(ANA, [ANA, TURN, *given], options), when, P1)


def discarded(cards: Sequence[str]) -> list[Message]:
    return [gone(*cards)] if cards else []


@pytest.mark.parametrize("deck", DeckName)
@pytest.mark.parametrize("rank", range(1, 5))
def test_of_a_whole_deck_one_card_shows_the_counts(deck: DeckName, rank: int) -> None:
    chances = given_odds(m.Flip("ana"), tried(), hard(STANDARD, rank), options=Options(deck=deck))
    counts = results_left(deck, (), rank)
    assert chances == {
        str(result): Fraction(n, 20) for result, n in zip(Result, counts, strict=True)
    }


def test_odds_are_those_of_the_cards_left() -> None:
    """D02, D04, D09 and D11 are left: on Dart ✗, ✔✔, ✗, ✔✔."""
    chances = given_odds(m.Flip("ana"), gone(*LATE), tried(), hard(DIFFICULT, 4))
    assert chances == {"failure": Fraction(5, 6), "unconditional success": Fraction(1, 6)}


def test_with_too_few_cards_left_odds_are_those_of_a_whole_deck() -> None:
    chances = given_odds(m.Flip("ana"), gone(*ALL[:18]), tried(), hard(VERY_EASY, 4))
    assert chances["unconditional success"] == Fraction(920, 1140)
    assert "categorical failure" not in chances


FLIPS = list(product([STANDARD, EASY, DIFFICULT], range(1, 5), DISCARDS))
THREES = list(product([VERY_EASY, VERY_DIFFICULT], [1, 3], [ALL[:14], LATE]))


@pytest.mark.parametrize(("difficulty", "rank", "discard"), FLIPS + THREES)
def test_flip_odds_are_what_every_branch_comes_to(
    difficulty: Difficulty, rank: int, discard: tuple[str, ...]
) -> None:
    state = after(ANA, [ANA, TURN, *discarded(discard), tried(), hard(difficulty, rank)])
    assert odds(ruleset, state, m.Flip("ana"), P1) == enumerate_odds(
        ruleset, state, m.Flip("ana"), P1
    )


@pytest.mark.parametrize("number", Number)
@pytest.mark.parametrize("discard", DISCARDS)
def test_number_odds_are_what_every_branch_comes_to(
    number: Number, discard: tuple[str, ...]
) -> None:
    state = after(ANA, [ANA, TURN, *discarded(discard)])
    wish = m.FlipNumber("ana", number)
    assert odds(ruleset, state, wish, P1) == enumerate_odds(ruleset, state, wish, P1)


@pytest.mark.parametrize(("number", "sides"), [(Number.D4, 4), (Number.D6, 6)])
def test_of_a_whole_deck_the_dice_are_fair(number: Number, sides: int) -> None:
    chances = given_odds(m.FlipNumber("ana", number))
    assert chances == {str(face): Fraction(1, sides) for face in range(1, sides + 1)}


def test_what_asks_for_no_card_is_certain() -> None:
    assert given_odds(m.Reshuffle("ana")) == {"certain": Fraction(1)}
    assert ruleset.odds(after(ANA, [ANA]), m.Reshuffle("ana")) is None
    assert ruleset.odds(after(ANA, [ANA]), m.Flip("ana")) is None


def test_odds_come_within_50_ms() -> None:
    state = after(ANA, [ANA, TURN, gone(*MIXED), tried(), hard(VERY_DIFFICULT, 3)])
    for wish in (m.Flip("ana"), *(m.FlipNumber("ana", number) for number in Number)):
        at = state if isinstance(wish, m.Flip) else after(ANA, [ANA, TURN, gone(*MIXED)])
        took = []
        for _ in range(3):
            began = perf_counter()
            odds(ruleset, at, wish, P1)
            took.append(perf_counter() - began)
        assert min(took) < 0.05
