"""Decks: draws from the cards that are left, the discard pile, and cards that come back."""

from __future__ import annotations

from collections import Counter

from msgspec import UNSET

from domain.rulesets.open import messages as m
from tests.domain.rulesets.given import Case, after, each_case, play
from tests.domain.rulesets.open.people import CARDS, GM, P1, P2, TABLE, drawn

NAME = "the small deck"
DRAWN = [*TABLE, drawn(0, 2)]

CASES = [
    Case(
        "the first card that is left",
        TABLE,
        P1,
        m.DrawCards("small", 1, "ana"),
        [1],
        [drawn(0)],
    ),
    Case(
        "each card from those that are still left",
        TABLE,
        P1,
        m.DrawCards("small", 3, "ana"),
        [5, 1, 3],
        [drawn(4, 0, 2)],
    ),
    Case(
        "a card for the seat",
        TABLE,
        P2,
        m.DrawCards("small", 1),
        [3],
        [drawn(2, entity=UNSET, seat="p2")],
    ),
    Case(
        "a card that the GM draws for a player's character",
        TABLE,
        GM,
        m.DrawCards("small", 1, "ana"),
        [3],
        [drawn(2)],
    ),
    Case(
        "a card with an aim",
        TABLE,
        P1,
        m.DrawCards("small", 1, "ana", "Ask the omens"),
        [1],
        [drawn(0, aim="Ask the omens")],
    ),
    Case(
        "cards in play are not left",
        DRAWN,
        P1,
        m.DrawCards("small", 1, "ana"),
        [2],
        [drawn(1, left=("Ace", "Three", "Four"))],
    ),
    Case(
        "discarded cards are not left",
        [*DRAWN, m.CardsDiscarded("small", NAME, "p1", ("Ace",), (0,))],
        P1,
        m.DrawCards("small", 1, "ana"),
        [4],
        [drawn(3, left=("Ace", "Three", "Four"))],
    ),
    Case(
        "a discard",
        DRAWN,
        P1,
        m.Discard("small", ("Two", "Ace")),
        [],
        [m.CardsDiscarded("small", NAME, "p1", ("Two", "Ace"), (2, 0))],
    ),
    Case(
        "the GM discards a player's card",
        DRAWN,
        GM,
        m.Discard("small", ("Two",)),
        [],
        [m.CardsDiscarded("small", NAME, "gm", ("Two",), (2,))],
    ),
    Case(
        "of two equal cards, players discard their own",
        [*TABLE, drawn(0), drawn(1, entity="ben", seat="p2")],
        P2,
        m.Discard("small", ("Ace",)),
        [],
        [m.CardsDiscarded("small", NAME, "p2", ("Ace",), (1,))],
    ),
    Case(
        "a card comes back",
        DRAWN,
        P1,
        m.ReturnCards("small", ("Two",)),
        [],
        [m.CardsReturned("small", NAME, "p1", ("Two",), (2,), 4)],
    ),
    Case(
        "the discard pile is shuffled back, and cards in play stay",
        [*DRAWN, m.CardsDiscarded("small", NAME, "p1", ("Ace",), (0,))],
        P2,
        m.Shuffle("small"),
        [],
        [m.Shuffled("small", NAME, "p2", 1, 4)],
    ),
    Case(
        "a shuffle without a discard pile",
        TABLE,
        P1,
        m.Shuffle("small"),
        [],
        [m.Shuffled("small", NAME, "p1", 0, 5)],
    ),
    Case(
        "a new deck",
        TABLE,
        GM,
        m.CreateDeck("large", "Large", ("Ace", "Ace")),
        [],
        [m.DeckCreated("large", "Large", ("Ace", "Ace"))],
    ),
]


@each_case(CASES)
def test_cards(case: Case) -> None:
    case.check()


def test_no_card_is_lost() -> None:
    happened = play(
        (P1, m.DrawCards("small", 2, "ana"), 1, 5),
        (P2, m.DrawCards("small", 2), 2, 3),
        (P1, m.Discard("small", ("Ace",))),
        (P2, m.ReturnCards("small", ("Two",))),
        (GM, m.Shuffle("small")),
        (P2, m.DrawCards("small", 3), 1, 3, 4),
        given=TABLE,
    )
    deck = after(TABLE[0], [*TABLE, *happened]).decks["small"]
    everywhere = [*deck.left, *(card.place for card in deck.in_play), *deck.discard]
    assert sorted(everywhere) == list(range(len(CARDS)))
    assert deck.left == ()
    assert Counter(deck.names([card.place for card in deck.in_play])) == Counter(CARDS)
