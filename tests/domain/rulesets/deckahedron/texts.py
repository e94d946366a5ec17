"""One row or more for every event: its text and what it counts for."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron.rules import (
    DeckName,
    Injury,
    Number,
    Pile,
    Ranks,
    Recovery,
    Result,
    Shuffle,
    StaminaMode,
    Stat,
)
from domain.tally import (
    Attempted,
    Counts,
    Moved,
    Owned,
    Probability,
    Rolled,
    Settled as Concluded,
    Ticked,
    fair_die,
)
from tests.domain.rulesets.deckahedron.people import (
    ALL,
    DIFFICULT,
    EASY,
    EVEN,
    POISONED,
    STANDARD,
    VERY_DIFFICULT,
    VERY_EASY,
    hand,
    lost,
)

WORST, BAD, GOOD, BEST = (str(result) for result in Result)


def cards(use: str, *drawn: str, gone: Sequence[str] = ()) -> tuple[Rolled, ...]:
    """Return the counts of cards drawn one after the other, after some are gone."""
    return tuple(
        Rolled("ana", "deck D", card, use, without(*gone, *drawn[:nth]))
        for nth, card in enumerate(drawn)
    )


def without(*gone: str) -> tuple[str, ...]:
    return tuple(card for card in ALL if card not in gone)


def flip(
    value: str,
    outcome: str,
    chances: dict[str, Probability],
    given: tuple[int, str, int] = (20, "standard", 3),
) -> Attempted:
    """Return the count of a flip. `given` are the cards left, the difficulty and the rank."""
    successes = tuple(each for each in (GOOD, BEST) if each in chances)
    left, difficulty, rank = given
    of: dict[str, int | str] = {"left": left, "difficulty": difficulty, "rank": rank}
    return Attempted("ana", "Strength", value, outcome, chances, successes, given=of)


def number(
    value: str, use: str, outcome: str, chances: dict[str, Probability], left: int
) -> Attempted:
    return Attempted("ana", use, value, outcome, chances, is_ranked=False, given={"left": left})


TEXTS: list[tuple[m.Event, str, Counts]] = [
    (
        m.CharacterCreated("ana", "Ana", "p1", EVEN),
        "{ana} joins the game with 20 cards, Strength 2, Dexterity 2 and Intelligence 2.",
        (Owned("ana", "p1"),),
    ),
    (
        m.RanksDistributed("ana", Ranks(1, 4, 1)),
        "{ana} now has Strength 1, Dexterity 4 and Intelligence 1.",
        (),
    ),
    (
        m.Introduced("ana", "the docks", UNSET, "knots"),
        '{ana}\'s sheet now says: background "the docks"; special skills "knots".',
        (),
    ),
    (
        m.Introduced("ana", UNSET, "a boat "),
        '{ana}\'s sheet now says: motivation "a boat".',
        (),
    ),
    (
        m.Introduced("ana", UNSET, UNSET, UNSET, "one cell"),
        '{ana}\'s sheet now says: bonds "one cell".',
        (),
    ),
    (
        m.Introduced("ana", "the docks", "a boat", "knots", "I owe Ben."),
        '{ana}\'s sheet now says: background "the docks"; motivation "a boat"; special skills "knots"; bonds "I owe Ben."',
        (),
    ),
    (m.Retired("ana", "the sea"), "{ana} leaves the story for good (the sea).", ()),
    (m.Attempted("ana", "lift the gate"), "{ana} attempts to lift the gate.", ()),
    (
        m.DifficultySet("ana", Stat.STRENGTH, 3, STANDARD, 1),
        "The GM asks {ana} for a standard flip on Strength 3 (Crescent): 1 card.",
        (),
    ),
    (
        m.DifficultySet("ana", Stat.DEXTERITY, 4, EASY, 2),
        "The GM asks {ana} for an easy flip on Dexterity 4 (Dart): the better of 2 cards.",
        (),
    ),
    (
        m.DifficultySet("ana", Stat.INTELLIGENCE, 1, DIFFICULT, 2),
        "The GM asks {ana} for a difficult flip on Intelligence 1 (Anchor): the worse of 2 cards.",
        (),
    ),
    (
        m.DifficultySet("ana", Stat.DEXTERITY, 4, VERY_EASY, 3),
        "The GM asks {ana} for a very easy flip on Dexterity 4 (Dart): the best of 3 cards.",
        (),
    ),
    (
        m.DifficultySet("ana", Stat.DEXTERITY, 4, VERY_DIFFICULT, 3),
        "The GM asks {ana} for a very difficult flip on Dexterity 4 (Dart): the worst of 3 cards.",
        (),
    ),
    (m.Attempted("ana", "jump. . "), "{ana} attempts to jump.", ()),
    (m.Attempted("ana", "jump!"), "{ana} attempts to jump!", ()),
    (m.OutcomeTold("ana", "It opens"), '{ana} needs no flip. The GM: "It opens"', ()),
    (
        m.OutcomeTold("ana", "It opens.\n\nNo one is there."),
        '{ana} needs no flip. The GM: "It opens. No one is there."',
        (),
    ),
    (
        m.Interpreted("ana", Result.SUCCESS, "It opens.\nNo one is there."),
        'Success for {ana}. The GM: "It opens. No one is there."',
        (),
    ),
    (
        m.Introduced("ana", "the docks\nthe sea"),
        '{ana}\'s sheet now says: background "the docks the sea".',
        (),
    ),
    (
        m.DifficultySet("ana", Stat.STRENGTH, 3, STANDARD, 1, "is it locked?"),
        "Is it locked? The GM asks {ana} for a standard flip on Strength 3 (Crescent): 1 card.",
        (),
    ),
    (
        m.DifficultySet("ana", Stat.STRENGTH, 3, STANDARD, 1, "the lock."),
        "The lock: the GM asks {ana} for a standard flip on Strength 3 (Crescent): 1 card.",
        (),
    ),
    (m.Withdrawn("ana"), "{ana} calls off the attempt.", ()),
    (
        hand("D13", rank=3),
        "{ana} flips D13 ✔✔ (stamina) on Strength: unconditional success.",
        (
            *cards("Strength", "D13"),
            flip("D13", BEST, {WORST: (1, 5), BAD: (1, 4), GOOD: (3, 10), BEST: (1, 4)}),
            Concluded("ana", "Strength", BEST, BEST),
            Moved("ana", "cards left", -1, "Strength", 19),
        ),
    ),
    (
        hand("D03", "D10", rank=1, difficulty=EASY),
        "{ana} flips D03 ✗✗ and D10 ✔ on Strength; D10 counts: success.",
        (
            *cards("Strength", "D03", "D10"),
            flip(
                "D03 + D10",
                GOOD,
                {WORST: (14, 95), BAD: (1, 5), GOOD: (87, 190), BEST: (37, 190)},
                (20, "easy", 1),
            ),
            Concluded("ana", "Strength", GOOD, GOOD),
            Moved("ana", "cards left", -2, "Strength", 18),
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
        "{ana} flips D01 ✗✗ (crit fail), D11 ✔✔ (stamina, crit win) and D09 ✗ (XP) on Strength; "
        "D11 counts: unconditional success.",
        (
            *cards("Strength", "D01", "D11", "D09", gone=ALL[11:]),
            # 2 ✗✗, 3 ✗, 3 ✔ and 3 ✔✔ of 11 are left
            flip(
                "D01 + D11 + D09",
                BEST,
                {BAD: (2, 33), GOOD: (46, 165), BEST: (109, 165)},
                (11, "very easy", 4),
            ),
            Concluded("ana", "Strength", BEST, BEST),
            Moved("ana", "cards left", -3, "Strength", 8),
        ),
    ),
    (
        m.CardChosen("ana", "D12", "D13"),
        "{ana} picks D13 (stamina) instead of D12.",
        (),
    ),
    (m.CardChosen("ana", "D02", "D08"), "{ana} picks D08 (XP) instead of D02.", ()),
    (m.CardChosen("ana", "D13", "D13"), "{ana} stays with D13 (stamina).", ()),
    (
        m.Interpreted("ana", Result.FAILURE, "It jams"),
        'Failure for {ana}. The GM: "It jams"',
        (),
    ),
    (
        m.Interpreted("ana", Result.UNCONDITIONAL_SUCCESS, "It flies open"),
        'Unconditional success for {ana}. The GM: "It flies open"',
        (),
    ),
    (m.TurnOpened("ana"), "The GM gives {ana} a longer turn, with several actions.", ()),
    (m.TurnEnded("ana", 1), "{ana} ends the turn with 1 card left.", ()),
    (
        m.Reshuffled("ana", Shuffle.CHOSEN, 19, 1),
        "{ana} shuffles the discarded card back in and has 20 cards again.",
        (Moved("ana", "cards left", 1, "chosen", 20),),
    ),
    (
        m.Reshuffled("ana", Shuffle.CHOSEN, 20, 0),
        "{ana} shuffles the whole deck.",
        (),
    ),
    (
        m.Reshuffled("ana", Shuffle.CHOSEN, 15, 2),
        "{ana} shuffles the 2 discarded cards back in and has 17 cards again.",
        (Moved("ana", "cards left", 2, "chosen", 17),),
    ),
    (
        m.Reshuffled("ana", Shuffle.FORCED, 5, 15),
        "{ana} has only 5 cards left and must shuffle the 15 discarded cards back in.",
        (Moved("ana", "cards left", 15, "forced", 20),),
    ),
    (
        m.Reshuffled("ana", Shuffle.SHORT, 2, 18),
        "{ana} has 2 cards left, which is not enough, and shuffles the 18 discarded cards back in"
        " first.",
        (Moved("ana", "cards left", 18, "short", 20),),
    ),
    (
        m.Reshuffled("ana", Shuffle.SHORT, 0, 20),
        "{ana} has no cards left and shuffles the 20 discarded cards back in first.",
        (Moved("ana", "cards left", 20, "short", 20),),
    ),
    (
        m.Reshuffled("ana", Shuffle.SHORT, 1, 12),
        "{ana} has 1 card left, which is not enough, and shuffles the 12 discarded cards back in"
        " first.",
        (Moved("ana", "cards left", 12, "short", 13),),
    ),
    (
        m.NumberFlipped("ana", Number.D4, DeckName.D, ("D02",), ("D01", "D03"), 2),
        "{ana} flips cards D01 and D03 for a d4 and gets 2.",
        (
            *cards("d4", "D01", "D03", gone=["D02"]),
            number(
                "D01 + D03",
                "d4",
                "2",
                {"1": (1, 5), "2": (4, 15), "3": (4, 15), "4": (4, 15)},
                19,
            ),
            Concluded("ana", "d4", "2", "2"),
            Moved("ana", "cards left", -2, "d4", 17),
        ),
    ),
    (
        m.NumberFlipped("ana", Number.CURVE, DeckName.D, (), ("D13",), 7),
        "{ana} flips card D13 for a number from 2 to 10 and gets 7.",
        (
            *cards("2-10", "D13"),
            number(
                "D13",
                "2-10",
                "7",
                {
                    "2": (3, 20),
                    "3": (3, 20),
                    "4": (3, 20),
                    "5": (3, 20),
                    "6": (1, 10),
                    "7": (1, 10),
                    "8": (1, 10),
                    "9": (1, 20),
                    "10": (1, 20),
                },
                20,
            ),
            Concluded("ana", "2-10", "7", "7"),
            Moved("ana", "cards left", -1, "2-10", 19),
        ),
    ),
    (
        m.RanksAdjusted("ana", EVEN, Ranks(1, 2, 3), "a knock on the head"),
        "The GM changes {ana}'s Strength from 2 to 1 and Intelligence from 2 to 3"
        " (a knock on the head).",
        (),
    ),
    (
        m.RanksAdjusted("ana", EVEN, EVEN, "no curse after all"),
        "The GM leaves {ana}'s ranks at Strength 2, Dexterity 2 and Intelligence 2"
        " (no curse after all).",
        (),
    ),
    (
        m.CardMoved("ana", "D07", Pile.DECK, Pile.DISCARD, ("D07",), "found under the table"),
        "The GM moves {ana}'s D07 to the discard pile (found under the table).",
        (Moved("ana", "cards left", -1, "adjusted", 19),),
    ),
    (
        m.CardMoved("ana", "D07", Pile.DISCARD, Pile.DECK, (), "it never was flipped"),
        "The GM moves {ana}'s D07 to the deck (it never was flipped).",
        (Moved("ana", "cards left", 1, "adjusted", 20),),
    ),
    (
        m.CharacterCreated("wolf", "Wolf", "gm", EVEN, npc=True),
        "{wolf} joins the game as an NPC with 20 cards, Strength 2, Dexterity 2 and Intelligence 2.",
        (Owned("wolf", "gm"),),
    ),
    (
        m.Introduced("ana", "the docks", name="Ana Stone"),
        '{ana}\'s sheet now says: name "Ana Stone"; background "the docks".',
        (),
    ),
    (
        m.Introduced("ana", name="Ana Stone"),
        '{ana}\'s sheet now says: name "Ana Stone".',
        (),
    ),
    (
        m.DifficultySet("ana", Stat.DEXTERITY, 4, EASY, 2, "dodge the boulder"),
        "Dodge the boulder: the GM asks {ana} for an easy flip on Dexterity 4 (Dart):"
        " the better of 2 cards.",
        (),
    ),
    (
        hand("D13", rank=3, exhausted=["D12"], aim="lift the gate"),
        "Lift the gate: {ana} flips D13 ✔✔ (stamina) on Strength: unconditional success.",
        (
            *cards("Strength", "D13", gone=["D12"]),
            flip(
                "D13",
                BEST,
                {WORST: (4, 19), BAD: (5, 19), GOOD: (5, 19), BEST: (5, 19)},
                (19, "standard", 3),
            ),
            Concluded("ana", "Strength", BEST, BEST),
            Moved("ana", "cards left", -1, "Strength", 18),
        ),
    ),
    (
        m.NumberFlipped("ana", Number.D4, DeckName.D, (), ("D02",), 1, ("D05",), "damage"),
        "Damage: {ana} flips card D02 for a d4 and gets 1.",
        (
            *cards("d4", "D02", gone=["D05"]),
            number("D02", "d4", "1", {"1": (4, 15), "2": (4, 15), "3": (4, 15), "4": (1, 5)}, 19),
            Concluded("ana", "d4", "1", "1"),
            Moved("ana", "cards left", -1, "d4", 18),
        ),
    ),
    (
        m.CardMoved(
            "ana", "D12", Pile.DECK, Pile.EXHAUSTION, ("D07",), "fell off the table", ("D12",)
        ),
        "The GM moves {ana}'s D12 to the exhaustion pile (fell off the table).",
        (
            Moved("ana", "cards left", -1, "adjusted", 18),
            Moved("ana", "stamina", -1, "adjusted", 9),
        ),
    ),
    (
        m.CardMoved("ana", "D12", Pile.EXHAUSTION, Pile.DISCARD, ("D12",), "a short rest", ()),
        "The GM moves {ana}'s D12 to the discard pile (a short rest).",
        (Moved("ana", "stamina", 1, "adjusted", 10),),
    ),
    (
        POISONED,
        '{ana} now has the condition "poisoned" for 3 rounds.',
        (Ticked("ana", "poisoned", 3, is_set=True),),
    ),
    (
        m.ConditionSet("ana", "cursed", UNSET, 1, "sees ghosts"),
        '{ana} now has the condition "cursed" for 1 minute (sees ghosts).',
        (),
    ),
    (
        m.ConditionSet("ana", "cursed", minutes=120),
        '{ana} now has the condition "cursed" for 2 hours.',
        (),
    ),
    (m.ConditionSet("ana", "blessed"), '{ana} now has the condition "blessed".', ()),
    (
        m.ConditionTicked("ana", "poisoned", 2),
        '{ana} has the condition "poisoned" for 2 more rounds.',
        (Ticked("ana", "poisoned", 2),),
    ),
    (
        m.ConditionTicked("ana", "poisoned", 1),
        '{ana} has the condition "poisoned" for 1 more round.',
        (Ticked("ana", "poisoned", 1),),
    ),
    (
        m.ConditionTicked("ana", "poisoned", 0),
        '{ana} no longer has the condition "poisoned".',
        (Ticked("ana", "poisoned", 0),),
    ),
    (
        m.ConditionTicked("ana", "cursed", minutes=125),
        '{ana} has the condition "cursed" for another 2 hours and 5 minutes.',
        (),
    ),
    (
        m.ConditionTicked("ana", "cursed", minutes=55),
        '{ana} has the condition "cursed" for 55 more minutes.',
        (),
    ),
    (
        m.ConditionTicked("ana", "cursed", minutes=0),
        '{ana} no longer has the condition "cursed".',
        (),
    ),
    (
        m.ConditionEnded("ana", "poisoned", "washed off", 2),
        '{ana} no longer has the condition "poisoned" (washed off).',
        (Ticked("ana", "poisoned", 0, is_set=True),),
    ),
    (
        m.ConditionEnded("ana", "blessed", "the temple burned"),
        '{ana} no longer has the condition "blessed" (the temple burned).',
        (),
    ),
    (
        m.CounterSet("ana", "arrows", value=12),
        "{ana} now keeps count of arrows, starting at 12.",
        (Moved("ana", "arrows", 12, "set", 12),),
    ),
    (m.CounterSet("ana", "debts", value=0), "{ana} now keeps count of debts, starting at 0.", ()),
    (
        m.CounterSet("ana", "arrows", 12, 11, "shot at the wolf"),
        "{ana} goes from 12 to 11 arrows (shot at the wolf).",
        (Moved("ana", "arrows", -1, "set", 11),),
    ),
    (
        m.CounterSet("ana", "arrows", 11),
        "{ana} no longer keeps count of arrows.",
        (Moved("ana", "arrows", -11, "set", 0),),
    ),
    (
        lost("D12", "D13", aim="dodge the axe"),
        "Dodge the axe: {ana} loses 2 stamina (D12 and D13) and has 8 left.",
        (
            *cards("stamina", "D12", "D13"),
            Moved("ana", "cards left", -2, "stamina", 18),
            Moved("ana", "stamina", -2, "lost", 8),
        ),
    ),
    (
        lost("D03", "D12", mode=StaminaMode.GRITTY, discard=["D01"], exhausted=["D11"]),
        "{ana} flips D03 and D12, loses 1 stamina (D12) and has 8 left.",
        (
            *cards("stamina", "D03", "D12", gone=["D01", "D11"]),
            Moved("ana", "cards left", -2, "stamina", 16),
            Moved("ana", "stamina", -1, "lost", 8),
        ),
    ),
    (
        lost("D20", exhausted=ALL[:9]),
        "{ana} loses 1 stamina (D20) and is incapacitated.",
        (
            *cards("stamina", "D20", gone=ALL[:9]),
            Moved("ana", "cards left", -1, "stamina", 10),
            Moved("ana", "stamina", -1, "lost", 0),
        ),
    ),
    (
        m.Injured("ana", Injury.HARM, 1, 0),
        "{ana} takes a harm token and now has 1 harm.",
        (Moved("ana", "harm", 1, "injury", 1),),
    ),
    (
        m.Injured("ana", Injury.WOUND, 2, 1),
        "{ana} takes a wound and now has 2 harm and 1 wound.",
        (Moved("ana", "wounds", 1, "injury", 1),),
    ),
    (
        m.Injured("ana", Injury.WOUND, 0, 2),
        "{ana} takes a wound and now has 2 wounds.",
        (Moved("ana", "wounds", 1, "injury", 2),),
    ),
    (
        m.Injured("ana", Injury.WOUND, 0, 3),
        "{ana} takes one wound too many and is incapacitated.",
        (Moved("ana", "wounds", 1, "injury", 3),),
    ),
    (
        m.BreatherTaken(
            "ana",
            Result.UNCONDITIONAL_SUCCESS,
            ("D12", "D13"),
            (),
            ("D07", "D12", "D13"),
            4,
            "catch my breath",
        ),
        "Catch my breath: {ana} takes a breather, rolls 4, regains 2 stamina and now has 10.",
        (
            Rolled("ana", "d4", "4", "breather"),
            Attempted("ana", "breather", "4", "4", fair_die(4)),
            Moved("ana", "stamina", 2, "breather", 10),
        ),
    ),
    (
        m.BreatherTaken("ana", Result.SUCCESS, ("D12",), ("D13",), ("D07", "D12"), 1),
        "{ana} takes a breather, rolls 1, regains 1 stamina and now has 9; the foe gains position.",
        (
            Rolled("ana", "d4", "1", "breather"),
            Attempted("ana", "breather", "1", "1", fair_die(4)),
            Moved("ana", "stamina", 1, "breather", 9),
        ),
    ),
    (
        m.BreatherTaken("ana", Result.FAILURE, ("D12",), ("D13",), ("D07", "D12")),
        "{ana} takes a breather, regains 1 stamina and now has 9; the foe gains position.",
        (Moved("ana", "stamina", 1, "breather", 9),),
    ),
    (
        m.BreatherTaken("ana", Result.CATEGORICAL_FAILURE, (), ("D12",), ("D07",)),
        "{ana} takes a breather but regains no stamina; the foe gains position.",
        (),
    ),
    (
        m.Recovered("ana", Recovery.REST, ("D12", "D13"), ("D14",), ("D12", "D13"), 0, 1, 1, 0),
        "{ana} rests and now has 9 stamina and 1 wound.",
        (Moved("ana", "stamina", 2, "rest", 9), Moved("ana", "harm", -1, "rest", 0)),
    ),
    (
        m.Recovered("ana", Recovery.HEALING, ("D14",), (), ("D14",), 0, 0, 2, 1),
        "{ana} heals for a day and now has 10 stamina.",
        (
            Moved("ana", "stamina", 1, "a day of healing", 10),
            Moved("ana", "harm", -2, "a day of healing", 0),
            Moved("ana", "wounds", -1, "a day of healing", 0),
        ),
    ),
]
