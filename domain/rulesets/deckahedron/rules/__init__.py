"""The book's numbers as data: ranks, difficulties, limits, options; and arithmetic on them. The decks: cards.py."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import comb
from typing import Annotated

import msgspec
from msgspec import Meta

from domain.rulesets.deckahedron.rules.cards import DeckName, Result


class Stat(StrEnum):
    STRENGTH = "Strength"
    DEXTERITY = "Dexterity"
    INTELLIGENCE = "Intelligence"


class Ranks(msgspec.Struct, frozen=True):
    strength: int
    dexterity: int
    intelligence: int

    def of(self, stat: Stat) -> int:
        return dict(zip(Stat, (self.strength, self.dexterity, self.intelligence), strict=True))[
            stat
        ]


LOWEST, HIGHEST, POINTS = 1, 4, 6
EVEN = Ranks(2, 2, 2)  # RULES 2.4: before the points are distributed


class Difficulty(StrEnum):
    VERY_EASY = "very easy"
    EASY = "easy"
    STANDARD = "standard"
    DIFFICULT = "difficult"
    VERY_DIFFICULT = "very difficult"


class Method(msgspec.Struct, frozen=True):
    """How many cards are flipped, and whether the best of them counts or the worst."""

    flips: int
    best: bool


METHODS = {
    Difficulty.VERY_EASY: Method(3, True),
    Difficulty.EASY: Method(2, True),
    Difficulty.STANDARD: Method(1, True),
    Difficulty.DIFFICULT: Method(2, False),
    Difficulty.VERY_DIFFICULT: Method(3, False),
}

RESHUFFLE_AT = 5  # cards left, or fewer, when a turn ends
MOST_CHARACTERS = 64  # RULES 2.8: no table outgrows a page


class Pile(StrEnum):
    DECK = "deck"
    DISCARD = "discard"


class Shuffle(StrEnum):
    """Why the discard goes back: the player likes to, the turn ended, or too few cards were left for a flip."""

    CHOSEN = "chosen"
    FORCED = "forced"
    SHORT = "short"


class TiedCards(StrEnum):
    """Which of several cards with the result that counts resolves the attempt."""

    FIRST = "first"
    PLAYER = "player"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The GM's choices at opening: the deck on the table, and the ruling with two readings."""

    deck: Annotated[
        DeckName,
        Meta(
            description="the 20 cards: D as the game's data lists them, P as its picture shows (RULES 4.3)"
        ),
    ] = DeckName.D
    tied_cards: Annotated[
        TiedCards,
        Meta(
            description="of tied cards the first one resolves, or the player picks one (RULES 6.6)"
        ),
    ] = TiedCards.FIRST


def taken(results: Sequence[Result], difficulty: Difficulty) -> Result:
    """The one of several results that counts."""
    order = list(Result)
    return (
        max(results, key=order.index) if METHODS[difficulty].best else min(results, key=order.index)
    )


def ways(left: Sequence[int], difficulty: Difficulty) -> dict[Result, int]:
    """In how many of the possible hands each result is the one taken; they sum to comb(cards left, flips)."""
    method, passed, found = METHODS[difficulty], 0, dict[Result, int]()
    rising = list(zip(Result, left, strict=True))
    for result, count in rising if method.best else reversed(rising):
        found[result] = comb(passed + count, method.flips) - comb(passed, method.flips)
        passed += count
    return {result: found[result] for result in Result if found[result]}
