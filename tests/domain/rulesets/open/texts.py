"""One row or more for every event: its text and what it counts for."""

from __future__ import annotations

from msgspec import UNSET

from domain.rulesets.open import messages as m
from domain.rulesets.open.rules import Being
from domain.tally import (
    Attempted,
    Counts,
    Moved,
    Owned,
    Probability,
    Rolled,
    Settled,
    Ticked,
    reduce,
)
from tests.domain.rulesets.open.people import drawn, result, rolled, turn


def dice(sides: int, use: str, *faces: int, who: str = "ana") -> tuple[Rolled, ...]:
    return tuple(Rolled(who, f"d{sides}", str(face), use) for face in faces)


def total(
    use: str, value: str, outcome: str, chances: dict[str, Probability], who: str = "ana"
) -> tuple[Attempted, Settled]:
    return Attempted(who, use, value, outcome, chances), Settled(who, use, outcome)


def fair(lowest: int, highest: int) -> dict[str, Probability]:
    """Return equal chances of the totals, from the first to the last, in either direction."""
    step = 1 if lowest < highest else -1
    totals = range(lowest, highest + step, step)
    return {str(each): (1, len(totals)) for each in totals}


BEST_OF_2: dict[str, Probability] = {
    str(face + 5): reduce(2 * face - 1, 400) for face in range(1, 21)
}
BEST_3_OF_4: dict[str, Probability] = {
    "3": (1, 1296),
    "4": (1, 324),
    "5": (5, 648),
    "6": (7, 432),
    "7": (19, 648),
    "8": (31, 648),
    "9": (91, 1296),
    "10": (61, 648),
    "11": (37, 324),
    "12": (167, 1296),
    "13": (43, 324),
    "14": (10, 81),
    "15": (131, 1296),
    "16": (47, 648),
    "17": (1, 24),
    "18": (7, 432),
}
FUDGE: dict[str, Probability] = {
    "-4": (1, 81),
    "-3": (4, 81),
    "-2": (10, 81),
    "-1": (16, 81),
    "0": (19, 81),
    "1": (16, 81),
    "2": (10, 81),
    "3": (4, 81),
    "4": (1, 81),
}
REROLLED: dict[str, Probability] = {
    "2": (1, 1296),
    "3": (7, 648),
    "4": (7, 144),
    "5": (7, 81),
    "6": (161, 1296),
    "7": (35, 216),
    "8": (245, 1296),
    "9": (49, 324),
    "10": (49, 432),
    "11": (49, 648),
    "12": (49, 1296),
}
SMALL = ("Ace", "Ace", "Two", "Three", "Four")

ROLLS: list[tuple[m.Event, str, Counts]] = [
    (
        rolled("1d20+5", result(20, [17]), total=22),
        "{ana} rolls 1d20+5: 17, +5 = 22.",
        (*dice(20, "1d20+5", 17), *total("1d20+5", "17", "22", fair(6, 25))),
    ),
    (
        rolled(
            "2d20kh1+5",
            result(20, [17], [4], value=17, dropped=[1]),
            total=22,
            aim="Sneak past the guard",
        ),
        "Sneak past the guard: {ana} rolls 2d20kh1+5: 17 and 4, keeps 17, +5 = 22.",
        (
            *dice(20, "2d20kh1+5", 17, 4),
            *total("2d20kh1+5", "17 + 4", "22", BEST_OF_2),
        ),
    ),
    (
        rolled("1d20+7", result(20, [2]), total=9, name="stealth"),
        '{ana} rolls "stealth" (1d20+7): 2, +7 = 9.',
        (*dice(20, "stealth", 2), *total("stealth", "2", "9", fair(8, 27))),
    ),
    (
        rolled("d6", result(6, [5]), entity=UNSET, seat="p2"),
        "{@p2} rolls d6: 5.",
        (*dice(6, "d6", 5, who="@p2"), *total("d6", "5", "5", fair(1, 6), "@p2")),
    ),
    (
        rolled("d6", result(6, [5]), high_is_lucky=False),
        "{ana} rolls d6: 5.",
        (*dice(6, "d6", 5), *total("d6", "5", "5", fair(6, 1))),
    ),
    (
        rolled("4dF", result(3, [-1], [0], [1], [1], low=-1)),
        "{ana} rolls 4dF: -1, 0, +1 and +1 = 1.",
        (
            *(Rolled("ana", "dF", face, "4dF", ("-1", "0", "1")) for face in ("-1", "0", "1", "1")),
            *total("4dF", "-1 + 0 + 1 + 1", "1", FUDGE),
        ),
    ),
    (
        rolled("2d6ro<2", result(6, [1, 4], [5], value=9, rerolled=[0])),
        "{ana} rolls 2d6ro<2: 4 (instead of 1) and 5 = 9.",
        (
            *dice(6, "2d6ro<2", 1, 4, 5),
            *total("2d6ro<2", "1 + 4 + 5", "9", REROLLED),
        ),
    ),
    (
        rolled("4d6kh3", result(6, [6], [5], [3], [1], value=14, dropped=[3])),
        "{ana} rolls 4d6kh3: 6, 5, 3 and 1, keeps 6, 5 and 3 = 14.",
        (*dice(6, "4d6kh3", 6, 5, 3, 1), *total("4d6kh3", "6 + 5 + 3 + 1", "14", BEST_3_OF_4)),
    ),
    (
        rolled("2d6!", result(6, [6, 2], [3])),
        "{ana} rolls 2d6!: 6!, 2 and 3 = 11.",
        # A die can explode 100 times, which is too rare to store.
        (*dice(6, "2d6!", 6, 2, 3), Settled("ana", "2d6!", "11")),
    ),
    (
        rolled("9d100", result(100, *([50] for _ in range(9)))),
        "{ana} rolls 9d100: " + "50, " * 7 + "50 and 50 = 450.",
        # There are 892 totals.
        (*dice(100, "9d100", *[50] * 9), Settled("ana", "9d100", "450")),
    ),
    (rolled("5+3", total=8), "{ana} rolls 5+3: 8.", (Settled("ana", "5+3", "8"),)),
]

WORDS: list[tuple[m.Event, str]] = [
    (rolled("2d8", result(8, [3], [5])), "{ana} rolls 2d8: 3 and 5 = 8."),
    (
        rolled("4d6kh3+2", result(6, [6], [5], [3], [1], value=14, dropped=[3]), total=16),
        "{ana} rolls 4d6kh3+2: 6, 5, 3 and 1, keeps 6, 5 and 3, +2 = 16.",
    ),
    (
        rolled("2d20kl1", result(20, [17], [4], value=4, dropped=[0])),
        "{ana} rolls 2d20kl1: 17 and 4, keeps 4.",
    ),
    (
        rolled("3d6!", result(6, [6, 6, 2], [3], [4])),
        "{ana} rolls 3d6!: 6!, 6!, 2, 3 and 4 = 21.",
    ),
    (
        rolled("8d10>=7", result(10, [8], [3], [10], [7], [1], [2], [5], [9], value=4)),
        "{ana} rolls 8d10>=7: 8, 3, 10, 7, 1, 2, 5 and 9: 4 successes.",
    ),
    (
        rolled("2d10>=7", result(10, [8], [3], value=1)),
        "{ana} rolls 2d10>=7: 8 and 3: 1 success.",
    ),
    (
        rolled("2d10>=7+1", result(10, [2], [3], value=0), total=1),
        "{ana} rolls 2d10>=7+1: 2 and 3: no successes, +1 = 1.",
    ),
    (
        rolled("1d8[fire]+2d6[cold]+3[staff]", result(8, [5]), result(6, [2], [6]), total=16),
        "{ana} rolls 1d8[fire]+2d6[cold]+3[staff]: 5 (fire), plus 2 and 6 (cold), +3 (staff) = 16.",
    ),
    (
        rolled("1d20-1d4", result(20, [11]), result(4, [3]), total=8),
        "{ana} rolls 1d20-1d4: 11, minus 3 = 8.",
    ),
    (
        rolled("(1d6+2)*3", result(6, [4]), total=18),
        "{ana} rolls (1d6+2)*3: 4, so (4+2)*3 = 18.",
    ),
    (
        rolled("(1d8+2)[fire]", result(8, [5]), total=7),
        "{ana} rolls (1d8+2)[fire]: 5, so (5+2)[fire] = 7.",
    ),
    (
        rolled("(1d8[cold]+2[strength])*2", result(8, [5]), total=14),
        "{ana} rolls (1d8[cold]+2[strength])*2: 5 (cold), so (5+2[strength])*2 = 14.",
    ),
    (
        rolled("10-(1d6+1d4)/2", result(6, [4]), result(4, [3]), total=7),
        "{ana} rolls 10-(1d6+1d4)/2: 4, then 3, so 10-(4+3)/2, with division rounding down, is 7.",
    ),
    (
        rolled("3d6[fire]/2", result(6, [4], [5], [2]), total=5),
        "{ana} rolls 3d6[fire]/2: 4, 5 and 2 (fire), so 11/2, rounded down, is 5.",
    ),
    (
        rolled("2d6/2", result(6, [4], [2]), total=3),
        "{ana} rolls 2d6/2: 4 and 2, so 6/2 = 3.",
    ),
    (
        rolled("2*2dF", result(3, [-1], [0], low=-1), total=-2),
        "{ana} rolls 2*2dF: -1 and 0, so 2*(-1) = -2.",
    ),
    (rolled("-1d4", result(4, [3]), total=-3), "{ana} rolls -1d4: 3, so -3."),
    (
        rolled("2d6ro<2!kh1", result(6, [1, 6, 2], [5], value=6, rerolled=[0], dropped=[1, 2])),
        "{ana} rolls 2d6ro<2!kh1: 6! (instead of 1), 2 and 5, keeps 6.",
    ),
]

TEXTS: list[tuple[m.Event, str] | tuple[m.Event, str, Counts]] = [
    *ROLLS,
    *WORDS,
    (
        m.CharacterCreated("ana", "Ana", Being.PC, "p1"),
        "{ana} joins the game as a PC.",
        (Owned("ana", "p1"),),
    ),
    (
        m.CharacterCreated("orc", "The orc", Being.NPC, "gm"),
        "{orc} joins the game as an NPC.",
        (Owned("orc", "gm"),),
    ),
    (m.Removed("orc"), "{orc} leaves the game.", ()),
    (m.NumberSet("ana", "strength", 3), "{ana}'s strength is 3.", ()),
    (m.NumberSet("ana", "strength", 4, 3), "{ana}'s strength rises from 3 to 4.", ()),
    (
        m.NumberChanged("ana", "gold", 20, 5, "a new rope"),
        "{ana}'s gold falls from 20 to 5 (a new rope).",
        (),
    ),
    (m.NumberSet("ana", "arrows", 20), "{ana}'s arrows are 20.", ()),
    (m.NumberSet("ana", "arrows", 21, 20), "{ana}'s arrows rise from 20 to 21.", ()),
    (m.NumberSet("ana", "armour class", 16), "{ana}'s armour class is 16.", ()),
    (m.BarSet("ana", "HP", 7, 12), "{ana} has 7 of 12 HP.", ()),
    (
        m.BarSet("ana", "HP", 12, 12, 7),
        "{ana} has 12 of 12 HP.",
        (Moved("ana", "HP", 5, "set", 12),),
    ),
    (m.BarSet("ana", "HP", 7, 20, 7), "{ana} has 7 of 20 HP.", ()),
    (
        m.BarChanged("ana", "HP", -5, 7, 12),
        "{ana} loses 5 HP (7 of 12 left).",
        (Moved("ana", "HP", -5, "changed", 7),),
    ),
    (
        m.BarChanged("ana", "HP", 3, 10, 12),
        "{ana} gains 3 HP (now 10 of 12).",
        (Moved("ana", "HP", 3, "changed", 10),),
    ),
    (m.BarChanged("ana", "HP", 0, 12, 12), "{ana}'s HP stays at 12 of 12.", ()),
    (
        m.BarChanged("ana", "spell slots", -1, 1, 2),
        "{ana}'s spell slots fall by 1 (1 of 2 left).",
        (Moved("ana", "spell slots", -1, "changed", 1),),
    ),
    (
        m.BarChanged("ana", "spell slots", 1, 2, 2),
        "{ana}'s spell slots rise by 1 (now 2 of 2).",
        (Moved("ana", "spell slots", 1, "changed", 2),),
    ),
    (m.BarChanged("ana", "spell slots", 0, 2, 2), "{ana}'s spell slots stay at 2 of 2.", ()),
    (
        m.ConditionSet("ana", "poisoned", 3, note="spider bite"),
        '{ana} now has the condition "poisoned" for 3 rounds (spider bite).',
        (Ticked("ana", "poisoned", 3, is_set=True),),
    ),
    (
        m.ConditionSet("ana", "poisoned", 1),
        '{ana} now has the condition "poisoned" for 1 round.',
        (Ticked("ana", "poisoned", 1, is_set=True),),
    ),
    (
        m.ConditionSet("ana", "mage armour", minutes=480),
        '{ana} now has the condition "mage armour" for 8 hours.',
        (),
    ),
    (m.ConditionSet("ana", "cursed"), '{ana} now has the condition "cursed".', ()),
    (
        m.ConditionTicked("ana", "poisoned", 2),
        '{ana} has the condition "poisoned" for 2 more rounds.',
        (Ticked("ana", "poisoned", 2),),
    ),
    (
        m.ConditionTicked("ana", "mage armour", minutes=1),
        '{ana} has the condition "mage armour" for 1 more minute.',
        (),
    ),
    (
        m.ConditionTicked("ana", "mage armour", minutes=119),
        '{ana} has the condition "mage armour" for 119 more minutes.',
        (),
    ),
    (
        m.ConditionTicked("ana", "mage armour", minutes=470),
        '{ana} has the condition "mage armour" for another 7 hours and 50 minutes.',
        (),
    ),
    (
        m.ConditionEnded("ana", "poisoned", 0),
        '{ana} no longer has the condition "poisoned".',
        (Ticked("ana", "poisoned", 0),),
    ),
    (
        m.ConditionEnded("ana", "mage armour", minutes=0),
        '{ana} no longer has the condition "mage armour".',
        (),
    ),
    (
        m.ConditionEnded("ana", "poisoned", 2),
        '{ana} no longer has the condition "poisoned".',
        (Ticked("ana", "poisoned", 0, is_set=True),),
    ),
    (m.ConditionEnded("ana", "cursed"), '{ana} no longer has the condition "cursed".', ()),
    (m.RoundEnded(), "The round ends.", ()),
    (m.RoundEnded(2), "Round 2 ends.", ()),
    (m.MinutesPassed(1), "Time passes: 1 minute.", ()),
    (m.MinutesPassed(10), "Time passes: 10 minutes.", ()),
    (m.MinutesPassed(480), "Time passes: 8 hours.", ()),
    (m.MinutesPassed(121), "Time passes: 2 hours and 1 minute.", ()),
    (m.RollSaved("ana", "stealth", "1d20+7"), 'From now on, {ana} rolls 1d20+7 for "stealth".', ()),
    (
        m.InitiativeRolled("ana", "1d20+2", (result(20, [14]),), 16, True),
        "{ana} rolls 1d20+2 for initiative: 14, +2 = 16.",
        (*dice(20, "initiative", 14), *total("initiative", "14", "16", fair(3, 22))),
    ),
    (
        m.InitiativeRolled("ana", "1d20", (result(20, [14]),), 14, True, "Draw first"),
        "Draw first: {ana} rolls 1d20 for initiative: 14.",
    ),
    (m.InitiativeSet("ana", 12), "{ana}'s initiative is 12.", ()),
    (turn("ana", 2), "Round 2 begins, and {ana} goes first.", ()),
    (turn("ana", 2, starts_round=False), "It is {ana}'s turn.", ()),
    (m.InitiativeEnded(), "Initiative is over.", ()),
    (
        m.DeckCreated("small", "the small deck", ("Ace", "Two")),
        'A new deck is on the table: "the small deck" (2 cards).',
        (),
    ),
    (
        drawn(0, 3),
        '{ana} draws Ace and Three from "the small deck" (3 cards left).',
        (
            Rolled("ana", "deck small", "Ace", "the small deck", SMALL),
            Rolled("ana", "deck small", "Three", "the small deck", SMALL[1:]),
            Moved("small", "cards left", -2, "drawn", 3),
        ),
    ),
    (
        drawn(0, aim="Ask the omens"),
        'Ask the omens: {ana} draws Ace from "the small deck" (4 cards left).',
    ),
    (
        drawn(2, entity=UNSET, left=("Two", "Four")),
        '{@p1} draws Two from "the small deck" (1 card left).',
        (
            Rolled("@p1", "deck small", "Two", "the small deck", ("Two", "Four")),
            Moved("small", "cards left", -1, "drawn", 1),
        ),
    ),
    (
        m.CardsDiscarded("small", "the small deck", "p1", ("Ace", "Two", "Four"), (0, 2, 4)),
        '{@p1} puts Ace, Two and Four on the discard pile of "the small deck".',
        (),
    ),
    (
        m.CardsReturned("small", "the small deck", "p1", ("Ace",), (0,), 4),
        '{@p1} puts Ace back into "the small deck" (now 4 cards).',
        (Moved("small", "cards left", 1, "returned", 4),),
    ),
    (
        m.Shuffled("small", "the small deck", "gm", 2, 5),
        '{@gm} shuffles 2 discarded cards back into "the small deck" (now 5 cards).',
        (Moved("small", "cards left", 2, "shuffled", 5),),
    ),
    (
        m.Shuffled("small", "the small deck", "gm", 1, 1),
        '{@gm} shuffles 1 discarded card back into "the small deck" (now 1 card).',
        (Moved("small", "cards left", 1, "shuffled", 1),),
    ),
    (
        m.Shuffled("small", "the small deck", "gm", 0, 5),
        '{@gm} shuffles "the small deck" (5 cards left).',
        (),
    ),
    (m.CounterSet("doom", 1), 'The counter "doom" starts at 1.', ()),
    (
        m.CounterSet("doom", 3, 1),
        'The counter "doom" rises from 1 to 3.',
        (Moved("the table", "doom", 2, "set", 3),),
    ),
    (
        m.NoteWritten("gm", "A letter", "Dear Ana,\n\ncome at once."),
        '{@gm} writes the note "A letter": "Dear Ana, come at once."',
        (),
    ),
]
