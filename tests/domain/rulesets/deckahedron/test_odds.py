"""Odds: exact, the same as by counting every branch, quick, and what seeded cards really do."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from time import perf_counter

import pytest
from msgspec import UNSET
from scipy.stats import chisquare

from domain.odds import enumerated, odds
from domain.proof.chain import value
from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron import ruleset
from domain.rulesets.deckahedron.rules import (
    METHODS,
    DeckName,
    Difficulty,
    Number,
    Options,
    Result,
    results_left,
)
from domain.tally import Rolled
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
from tests.scale import scale

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


def test_where_too_few_are_left_odds_are_those_of_a_whole_deck() -> None:
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
    assert odds(ruleset, state, m.Flip("ana"), P1) == enumerated(ruleset, state, m.Flip("ana"), P1)


@pytest.mark.parametrize("number", Number)
@pytest.mark.parametrize("discard", DISCARDS)
def test_number_odds_are_what_every_branch_comes_to(
    number: Number, discard: tuple[str, ...]
) -> None:
    state = after(ANA, [ANA, TURN, *discarded(discard)])
    wish = m.FlipNumber("ana", number)
    assert odds(ruleset, state, wish, P1) == enumerated(ruleset, state, wish, P1)


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


DRAWS = scale(8_000, 100_000)
BOUNDS = (0.001, 0.999)


class Drawn:
    """The values of a seed, as fairness.md derives them."""

    def __init__(self, seed: bytes) -> None:
        self._seed, self._asked = seed, 0

    def draw(self, sides: int) -> int:
        self._asked += 1
        return value(self._seed, self._asked - 1, sides)


def falls(when: Message, given: Sequence[Message], count: int) -> Counter[tuple[str, str]]:
    """How often each card came first, and each outcome, over fixed seeds: ("card", id) or ("outcome", result)."""
    state, seen = after(ANA, [ANA, TURN, *given]), Counter[tuple[str, str]]()
    for nth in range(count):
        chance = Drawn(hashlib.sha256(f"deckahedron {when} {len(given)} {nth}".encode()).digest())
        for event in ruleset.decider.decide(state, when, P1, chance):
            for roll in ruleset.tally(event):
                if isinstance(roll, Rolled) and roll.outcome is not UNSET:
                    seen.update([("card", roll.value), ("outcome", str(roll.outcome))])
    return seen


def fits(
    seen: Counter[tuple[str, str]], of: str, chances: Mapping[str, Fraction], count: int
) -> None:
    """Chi-square of what was seen against exact chances; nothing was seen that has none."""
    assert {found for kind, found in seen if kind == of} <= set(chances)
    observed = [seen[of, found] for found in chances]
    expected = [float(chance * count) for chance in chances.values()]
    assert BOUNDS[0] < chisquare(observed, expected).pvalue < BOUNDS[1]


@pytest.mark.parametrize("rank", range(1, 5))
@pytest.mark.parametrize("difficulty", Difficulty)
@pytest.mark.parametrize("discard", [(), MIXED], ids=["whole deck", "14 cards left"])
def test_each_edge_falls_as_its_odds_say(
    rank: int, difficulty: Difficulty, discard: tuple[str, ...]
) -> None:
    count = DRAWS // (2 * 4 * len(METHODS))
    given = [*discarded(discard), tried(), hard(difficulty, rank)]
    fits(falls(m.Flip("ana"), given, count), "outcome", given_odds(m.Flip("ana"), *given), count)


@pytest.mark.parametrize("discard", [(), MIXED], ids=["whole deck", "14 cards left"])
def test_each_card_left_comes_first_as_often_as_any_other(discard: tuple[str, ...]) -> None:
    left = [card for card in ALL if card not in discard]
    given = [*discarded(discard), tried(), hard(STANDARD)]
    fits(
        falls(m.Flip("ana"), given, DRAWS // 4),
        "card",
        dict.fromkeys(left, Fraction(1, len(left))),
        DRAWS // 4,
    )


@pytest.mark.parametrize("number", Number)
@pytest.mark.parametrize("discard", [(), MIXED], ids=["whole deck", "14 cards left"])
def test_each_number_falls_as_its_odds_say(number: Number, discard: tuple[str, ...]) -> None:
    count, wish = DRAWS // 6, m.FlipNumber("ana", number)
    given = discarded(discard)
    fits(falls(wish, given, count), "outcome", given_odds(wish, *given), count)
