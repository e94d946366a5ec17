"""One row or more for every event: its text and what it counts for."""

from __future__ import annotations

from msgspec import UNSET

from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron.rules import DeckName, Number, Pile, Ranks, Result, Shuffle, Stat
from domain.tally import Counts, Moved, Probability, Rolled, Settled as Concluded
from tests.domain.rulesets.deckahedron.people import (
    ALL,
    DIFFICULT,
    EASY,
    EVEN,
    STANDARD,
    VERY_EASY,
    hand,
)

WORST, BAD, GOOD, BEST = (str(result) for result in Result)


ORDER = (WORST, BAD, GOOD, BEST)


def given(left: int, difficulty: str, rank: int) -> dict[str, int | str]:
    return {"left": left, "difficulty": difficulty, "rank": rank}


def left(*without: str) -> dict[str, Probability]:
    """Return the chances of the next card after these are gone."""
    cards = [card for card in ALL if card not in without]
    return dict.fromkeys(cards, (1, len(cards)))


TEXTS: list[tuple[m.Event, str, Counts]] = [
    (
        m.CharacterCreated("ana", "Ana", "p1", EVEN),
        "{ana} comes to the table with Strength 2, Dexterity 2, Intelligence 2 and 20 cards.",
        (),
    ),
    (
        m.RanksDistributed("ana", Ranks(1, 4, 1)),
        "{ana} has Strength 1, Dexterity 4, Intelligence 1.",
        (),
    ),
    (
        m.Introduced("ana", "the docks", UNSET, "knots"),
        '{ana} is introduced: background "the docks"; special skills "knots".',
        (),
    ),
    (m.Introduced("ana", UNSET, "a boat "), '{ana} is introduced: motivation "a boat ".', ()),
    (
        m.Introduced("ana", UNSET, UNSET, UNSET, "one cell"),
        '{ana} is introduced: bonds "one cell".',
        (),
    ),
    (m.Retired("ana", "the sea"), "{ana} leaves the story (the sea).", ()),
    (m.Attempted("ana", "lift the gate"), "{ana} attempts to lift the gate.", ()),
    (
        m.DifficultySet("ana", Stat.STRENGTH, 3, STANDARD, 1),
        "{ana}'s attempt is standard: Strength 3 (Crescent), flip 1 card.",
        (),
    ),
    (
        m.DifficultySet("ana", Stat.DEXTERITY, 4, EASY, 2),
        "{ana}'s attempt is easy: Dexterity 4 (Dart), flip 2 cards, take the best.",
        (),
    ),
    (
        m.DifficultySet("ana", Stat.INTELLIGENCE, 1, DIFFICULT, 2),
        "{ana}'s attempt is difficult: Intelligence 1 (Anchor), flip 2 cards, take the worst.",
        (),
    ),
    (m.OutcomeTold("ana", "It opens"), '{ana} needs no flip: "It opens"', ()),
    (m.Withdrawn("ana"), "{ana} thinks better of it.", ()),
    (
        hand("D13", rank=3),
        "{ana} flips D13 ✔✔ (stamina) on Strength 3 (Crescent), standard: an unconditional success.",
        (
            Rolled(
                "ana",
                "deck D",
                "D13",
                "Strength",
                left(),
                BEST,
                {WORST: (4, 20), BAD: (5, 20), GOOD: (6, 20), BEST: (5, 20)},
                ORDER,
                given(20, "standard", 3),
            ),
            Moved("ana", "cards left", -1, "Strength", 19),
            Concluded("ana", "Strength", BEST, BEST),
        ),
    ),
    (
        hand("D03", "D10", rank=1, difficulty=EASY),
        "{ana} flips D03 ✗✗ and D10 ✔ on Strength 1 (Anchor), easy: D10 resolves, a success.",
        (
            Rolled(
                "ana",
                "deck D",
                "D03",
                "Strength",
                left(),
                GOOD,
                {WORST: (28, 190), BAD: (38, 190), GOOD: (87, 190), BEST: (37, 190)},
                ORDER,
                given(20, "easy", 1),
            ),
            Rolled("ana", "deck D", "D10", "Strength", left("D03"), given=given(19, "easy", 1)),
            Moved("ana", "cards left", -2, "Strength", 18),
            Concluded("ana", "Strength", GOOD, GOOD),
        ),
    ),
    (
        hand(
            "D01",
            "D11",
            "D09",
            rank=4,
            difficulty=VERY_EASY,
            discard=[card for card in ALL if card[1:] > "11"],
        ),
        "{ana} flips D01 ✗✗ (crit-fail), D11 ✔✔ (stamina, crit-win) and D09 ✗ (XP) on Strength 4 (Dart), very easy: "
        "D11 resolves, an unconditional success.",
        (
            Rolled(
                "ana",
                "deck D",
                "D01",
                "Strength",
                dict.fromkeys(ALL[:11], (1, 11)),
                BEST,
                # 2 ✗✗, 3 ✗, 3 ✔ and 3 ✔✔ of 11 are left
                {BAD: (10, 165), GOOD: (46, 165), BEST: (109, 165)},
                (BAD, GOOD, BEST),
                given(11, "very easy", 4),
            ),
            Rolled(
                "ana",
                "deck D",
                "D11",
                "Strength",
                dict.fromkeys(ALL[1:11], (1, 10)),
                given=given(10, "very easy", 4),
            ),
            Rolled(
                "ana",
                "deck D",
                "D09",
                "Strength",
                dict.fromkeys(ALL[1:10], (1, 9)),
                given=given(9, "very easy", 4),
            ),
            Moved("ana", "cards left", -3, "Strength", 8),
            Concluded("ana", "Strength", BEST, BEST),
        ),
    ),
    (
        m.CardChosen("ana", "D12", "D13"),
        "{ana} lets D13 (stamina) resolve instead of D12 (stamina).",
        (),
    ),
    (m.CardChosen("ana", "D02", "D08"), "{ana} lets D08 (XP) resolve instead of D02.", ()),
    (m.Interpreted("ana", Result.FAILURE, "It jams"), '{ana}, failure: "It jams"', ()),
    (m.TurnOpened("ana"), "{ana} has a longer turn.", ()),
    (m.TurnEnded("ana", 1), "{ana} ends the turn with 1 card.", ()),
    (
        m.Reshuffled("ana", Shuffle.CHOSEN, 19, 1),
        "{ana} reshuffles with 19 cards left and puts 1 card back in.",
        (Moved("ana", "cards left", 1, "chosen", 20),),
    ),
    (
        m.Reshuffled("ana", Shuffle.CHOSEN, 20, 0),
        "{ana} reshuffles with 20 cards left and puts 0 cards back in.",
        (),
    ),
    (
        m.Reshuffled("ana", Shuffle.FORCED, 5, 15),
        "{ana} must reshuffle with 5 cards left and puts 15 cards back in.",
        (Moved("ana", "cards left", 15, "forced", 20),),
    ),
    (
        m.Reshuffled("ana", Shuffle.SHORT, 2, 18),
        "{ana} reshuffles before the flip with 2 cards left and puts 18 cards back in.",
        (Moved("ana", "cards left", 18, "short", 20),),
    ),
    (
        m.NumberFlipped("ana", Number.D4, DeckName.D, ("D02",), ("D01", "D03"), 2),
        "{ana} flips D01 and D03 for a d4: 2.",
        (
            Rolled(
                "ana",
                "deck D",
                "D01",
                "d4",
                left("D02"),
                "2",
                {"1": (3, 15), "2": (4, 15), "3": (4, 15), "4": (4, 15)},
                given={"left": 19},
            ),
            Rolled("ana", "deck D", "D03", "d4", left("D02", "D01"), given={"left": 18}),
            Moved("ana", "cards left", -2, "d4", 17),
            Concluded("ana", "d4", "2", "2"),
        ),
    ),
    (
        m.RanksAdjusted("ana", EVEN, Ranks(1, 2, 3), "a knock on the head"),
        "The GM sets the ranks of {ana} from Strength 2, Dexterity 2, Intelligence 2"
        " to Strength 1, Dexterity 2, Intelligence 3 (a knock on the head).",
        (),
    ),
    (
        m.CardMoved("ana", "D07", Pile.DECK, Pile.DISCARD, ("D07",), "found under the table"),
        "The GM puts D07 of {ana} into the discard (found under the table).",
        (Moved("ana", "cards left", -1, "adjusted", 19),),
    ),
    (
        m.CardMoved("ana", "D07", Pile.DISCARD, Pile.DECK, (), "it never was flipped"),
        "The GM puts D07 of {ana} into the deck (it never was flipped).",
        (Moved("ana", "cards left", 1, "adjusted", 20),),
    ),
]
