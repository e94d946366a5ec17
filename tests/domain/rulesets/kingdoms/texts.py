"""One row or more for every event: its text and what it counts for."""

from __future__ import annotations

from msgspec.structs import replace

from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms.rules import Being
from domain.tally import Attempted, Counts, Moved, Owned, Probability, Rolled, Settled, Ticked
from tests.domain.rulesets.kingdoms.people import (
    BASIC,
    CHA,
    CON,
    EXTENDED,
    declared,
    extended,
    rolled,
)

D8: dict[str, Probability] = dict.fromkeys("12345678", (1, 8))
TWO_D8: dict[str, Probability] = {
    "2": (1, 64),
    "3": (1, 32),
    "4": (3, 64),
    "5": (1, 16),
    "6": (5, 64),
    "7": (3, 32),
    "8": (7, 64),
    "9": (1, 8),
    "10": (7, 64),
    "11": (3, 32),
    "12": (5, 64),
    "13": (1, 16),
    "14": (3, 64),
    "15": (1, 32),
    "16": (1, 64),
}


def d12(*faces: int) -> tuple[Rolled, ...]:
    return tuple(Rolled("ana", "d12", str(face), "die of a test") for face in faces)


def plain(
    who: str, use: str, total: str, chances: dict[str, Probability], *faces: str
) -> tuple[Rolled | Attempted | Settled, ...]:
    """Return the counts of a plain roll, whose totals are not ranked."""
    rolls = (Rolled(who, "d8", face, "plain roll") for face in faces)
    attempted = Attempted(who, use, " + ".join(faces), total, chances, is_ranked=False)
    return *rolls, attempted, Settled(who, use, total)


def shifted(chances: dict[str, Probability], by: int) -> dict[str, Probability]:
    return {str(int(total) + by): chance for total, chance in chances.items()}


TEXTS: list[tuple[m.Event, str, Counts]] = [
    (
        m.EntityCreated("ana", "Ana", Being.PC, "p1", 2, 3),
        "{ana} joins the game as a PC, with CON 2 and CHA 3.",
        (Owned("ana", "p1"),),
    ),
    (
        m.EntityCreated("ork", "The ork", Being.NPC, "gm", 4, -1),
        "{ork} joins the game as an NPC, with CON 4 and CHA -1.",
        (Owned("ork", "gm"),),
    ),
    (m.Retired("ana", "a grave"), "{ana} leaves the story for good (a grave).", ()),
    (m.StatNamed("ana", "STR", 4), "{ana} has STR 4.", ()),
    (
        m.StatRenamed("ana", "Strenght", "Strength", "a typo"),
        "The GR renames {ana}'s Strenght to Strength (a typo).",
        (),
    ),
    (
        m.StatRemoved("ana", "luck", 3, "spent"),
        "{ana} no longer has the stat luck, which was 3 (spent).",
        (),
    ),
    (declared("ana", "STR"), "{ana} faces a basic test of STR.", ()),
    (
        declared("ana", "STR", "CON", "fear"),
        "{ana} faces a basic test of STR, CON and fear.",
        (),
    ),
    (
        extended("ana", CHA, "STR", "CON"),
        "{ana} faces an extended test of STR and CON; CHA refills the pool.",
        (),
    ),
    (m.DiceGranted("ana", "high ground", 2), "The GR grants {ana} 2 dice for high ground.", ()),
    (m.DiceGranted("ana", "a rope", 1), "The GR grants {ana} 1 die for a rope.", ()),
    (
        m.PoolAssembled("ana", (m.DiceSource("STR", 4), m.DiceSource("fear", -2)), 2),
        "{ana} assembles a pool of 2 dice: STR 4, fear -2.",
        (Moved("ana", "d12", 2, "assembled", 2),),
    ),
    (
        m.PoolAssembled("ana", (m.DiceSource("fear", -2),), 0),
        "{ana} has no dice to roll: fear -2.",
        (),
    ),
    (m.DtSet("ana", 6), "The GR sets the DT for {ana} to 6.", ()),
    (m.DtSet("ana", 6, 8), "The GR lowers the DT for {ana} from 8 to 6.", ()),
    (m.DtSet("ana", 8, 6), "The GR raises the DT for {ana} from 6 to 8.", ()),
    (m.DtSet("ana", 6, 6), "The GR leaves the DT for {ana} at 6.", ()),
    (
        m.DtDetermined("ana", "ork", (m.StatValue("AC", 8),), (m.StatValue("STR", 4),), 4, 4),
        "The DT for {ana} against {ork} is 4: {ork}'s AC 8 less {ana}'s STR 4.",
        (),
    ),
    (
        m.DtDetermined(
            "ana", "ork", (m.StatValue("AC", 8), m.StatValue("pride", 6)), (), 14, 12, 6
        ),
        "The DT for {ana} against {ork} is now 12 instead of 6: {ork}'s AC 8 plus pride 6 makes 14, but the highest DT is 12.",
        (),
    ),
    (
        m.DtDetermined(
            "ana",
            "ork",
            (m.StatValue("AC", 8),),
            (m.StatValue("STR", 4), m.StatValue("CON", 5)),
            -1,
            1,
            1,
        ),
        "The DT for {ana} against {ork} is still 1: {ork}'s AC 8 less {ana}'s STR 4 and CON 5 makes -1, but the lowest DT is 1.",
        (),
    ),
    (
        m.DtDetermined("ana", "ork", (m.StatValue("AC", 8),), (), 8, 8),
        "The DT for {ana} is 8: equal to {ork}'s AC.",
        (),
    ),
    (
        m.DtDetermined("ana", "ork", (m.StatValue("AC", 8),), (), 8, 8, 6),
        "The DT for {ana} is now 8 instead of 6: equal to {ork}'s AC.",
        (),
    ),
    (
        m.DtDetermined("ana", "ork", (m.StatValue("AC", 15),), (), 15, 12),
        "The DT for {ana} is 12: {ork}'s AC is 15, but the highest DT is 12.",
        (),
    ),
    (
        rolled("ana", 6, [7, 6, 12, 1], (3, 3, 0, 2)),
        "{ana} rolls 7, 6, 12 and 1 against DT 6 and does not pass:"
        " 3 successes, 3 failures, margin 0.",
        (
            *d12(7, 6, 12, 1),
            # The margins of one die are -2, -1, +1 and +2 with 1, 5, 5 and 1 of 12.
            Attempted(
                "ana",
                "basic test",
                "7 + 6 + 12 + 1",
                "not passed",
                {"not passed": (697, 1152), "passed": (455, 1152)},
                ("passed",),
                given={"DT": 6, "pool": 4},
            ),
            Settled("ana", "basic test", "not passed"),
            Settled("ana", "basic margin", "0"),
        ),
    ),
    (
        rolled("ana", 11, [12, 11], (2, 1, 1, 1)),
        "{ana} rolls 12 and 11 against DT 11 and passes: 2 successes, 1 failure, margin +1.",
        (
            *d12(12, 11),
            # A 12 must come, with another 12 (1 of 144) or a failure that is not a 1 (20 of 144).
            Attempted(
                "ana",
                "basic test",
                "12 + 11",
                "passed",
                {"not passed": (41, 48), "passed": (7, 48)},
                ("passed",),
                given={"DT": 11, "pool": 2},
            ),
            Settled("ana", "basic test", "passed"),
            Settled("ana", "basic margin", "+1"),
        ),
    ),
    (
        rolled("ana", 12, [12], (0, 1, -1, 1), EXTENDED, 3, 4, twelve_succeeds=False),
        "{ana} rolls 12 against DT 12: no successes, 1 failure, margin -1.",
        (
            *d12(12),
            Attempted(
                "ana",
                "extended margin",
                "12",
                "-1",
                {"-2": (1, 12), "-1": (11, 12)},
                given={"DT": 12, "pool": 1},
            ),
            Settled("ana", "extended margin", "-1"),
        ),
    ),
    (
        rolled("ana", 6, [12, 12, 7], (5, 0, 5, 0), EXTENDED, 1, 5),
        "{ana} rolls 12, 12 and 7 against DT 6: 5 successes, no failures, margin +5.",
        (
            *d12(12, 12, 7),
            Attempted(
                "ana",
                "extended margin",
                "12 + 12 + 7",
                "+5",
                {
                    "-6": (1, 1728),
                    "-5": (5, 576),
                    "-4": (25, 576),
                    "-3": (35, 432),
                    "-2": (17, 192),
                    "-1": (15, 64),
                    "0": (25, 288),
                    "+1": (15, 64),
                    "+2": (17, 192),
                    "+3": (35, 432),
                    "+4": (25, 576),
                    "+5": (5, 576),
                    "+6": (1, 1728),
                },
                given={"DT": 6, "pool": 3},
            ),
            Settled("ana", "extended margin", "+5"),
        ),
    ),
    (
        rolled("ana", 6, [7] * 18, (18, 0, 18, 0), EXTENDED, 1, 18),
        "{ana} rolls "
        + "7, " * 16
        + "7 and 7 against DT 6: 18 successes, no failures, margin +18.",
        # One throw in 12**18 gives the lowest margin, which is too rare to store.
        (*d12(*[7] * 18), Settled("ana", "extended margin", "+18")),
    ),
    (
        rolled("ana", 6, [], (0, 0, 0, 0)),
        "{ana} has no dice to roll against DT 6 and does not pass: margin 0.",
        (Settled("ana", "basic test", "not passed"), Settled("ana", "basic margin", "0")),
    ),
    (
        m.Interpreted("ana", 1, "a near miss"),
        'The GR interprets {ana}\'s roll: "a near miss".',
        (),
    ),
    (
        m.Interpreted("ana", 1, "A miss.\n\nThe rope sings."),
        'The GR interprets {ana}\'s roll: "A miss. The rope sings."',
        (),
    ),
    (m.Interpreted("ana", 1, "A miss!"), 'The GR interprets {ana}\'s roll: "A miss!"', ()),
    (
        m.Refilled("ana", 1, 2, CON, 2, 2, 4),
        "{ana} loses the 2 dice that failed; CON adds 2, so the pool is now 4 dice.",
        (Moved("ana", "d12", -2, "failed", 2), Moved("ana", "d12", 2, "CON", 4)),
    ),
    (
        m.Refilled("ana", 1, 1, CHA, -5, -1, 0),
        "{ana} loses the die that failed; CHA is negative and takes away 1 more, so the pool is now empty.",
        (Moved("ana", "d12", -1, "failed", 1), Moved("ana", "d12", -1, "CHA", 0)),
    ),
    (
        m.Refilled("ana", 1, 0, CON, 2, 2, 3),
        "None of {ana}'s dice failed; CON adds 2, so the pool is now 3 dice.",
        (Moved("ana", "d12", 2, "CON", 3),),
    ),
    (
        m.Refilled("ana", 1, 0, CON, 6, 0, 200),
        "None of {ana}'s dice failed; CON adds nothing, so the pool is now 200 dice,"
        " which is the maximum.",
        (),
    ),
    (
        m.Refilled("ana", 1, 0, CON, 1, 1, 200),
        "None of {ana}'s dice failed; CON adds 1, so the pool is now 200 dice.",
        (Moved("ana", "d12", 1, "CON", 200),),
    ),
    (
        m.Refilled("ana", 1, 3, CON, 0, 0, 1),
        "{ana} loses the 3 dice that failed; CON adds nothing, so the pool is now 1 die.",
        (Moved("ana", "d12", -3, "failed", 1),),
    ),
    (
        m.TestEnded("ana", BASIC, 1, 3, 7),
        "That ends the test.",
        (Moved("ana", "d12", -7, "put back", 0),),
    ),
    (
        m.TestEnded("ana", EXTENDED, 3, -2, 3),
        "The GR ends {ana}'s extended test after 3 rolls, with a total margin of -2.",
        (Moved("ana", "d12", -3, "put back", 0),),
    ),
    (
        m.TestEnded("ana", EXTENDED, 1, 2, 0),
        "The GR ends {ana}'s extended test after 1 roll, with a margin of +2.",
        (),
    ),
    (
        m.TestEnded("ana", EXTENDED, 0, 0, 3),
        "The GR ends {ana}'s extended test before the first roll.",
        (Moved("ana", "d12", -3, "put back", 0),),
    ),
    (
        m.DiceRolled("ana", 8, (3, 5), 8, "damage"),
        "{ana} rolls 2d8 for damage: 3 + 5 = 8.",
        plain("ana", "2d8", "8", TWO_D8, "3", "5"),
    ),
    (
        m.DiceRolled("ana", 8, (8,), 8),
        "{ana} rolls a d8: 8.",
        plain("ana", "1d8", "8", D8, "8"),
    ),
    (
        m.StatAdjusted("ana", "STR", 4, 3, "a wound"),
        "The GR lowers {ana}'s STR from 4 to 3 (a wound).",
        (),
    ),
    (
        m.StatAdjusted("ana", "STR", 4, 4, "a bandage"),
        "The GR leaves {ana}'s STR at 4 (a bandage).",
        (),
    ),
    (
        m.PoolAdjusted("ana", 1, 5, "a friend helps"),
        "The GR raises {ana}'s pool from 1 to 5 dice (a friend helps).",
        (Moved("ana", "d12", 4, "adjusted", 5),),
    ),
    (
        m.TestDropped("ana", EXTENDED, 4, "both sit down"),
        "The GR calls off {ana}'s extended test (both sit down).",
        (Moved("ana", "d12", -4, "put back", 0),),
    ),
    (m.StatProposed("ana", "INT", 9), "{ana} asks the GR to approve INT 9.", ()),
    (
        m.StatRejected("ana", "INT", 9, "too clever"),
        "The GR rejects {ana}'s INT 9 (too clever).",
        (),
    ),
    (
        m.TestDeclared("ana", BASIC, ("STR",), aim="pick the lock"),
        "Pick the lock: {ana} faces a basic test of STR.",
        (),
    ),
    (
        m.TestDeclared("ana", BASIC, ("STR",), aim=" "),
        "{ana} faces a basic test of STR.",
        (),
    ),
    (
        m.DiceGranted("ana", "high ground", 2, 6),
        "The GR grants {ana} 2 dice for high ground; the pool is now 6 dice.",
        (Moved("ana", "d12", 2, "granted", 6),),
    ),
    (
        m.DtComputed("ana", 6, (), (), (m.StatValue("Cunning", 2),), 4, 4),
        "The DT for {ana} is 4: 6 less {ana}'s Cunning 2.",
        (),
    ),
    (
        m.DtComputed("ana", 0, (), (m.StatValue("DEX", 5),), (), 2, 2, "ork", 6),
        "The DT for {ana} against {ork} is now 2 instead of 6: half of {ork}'s DEX 5 (halves rounded down).",
        (),
    ),
    (
        m.DtComputed(
            "ana",
            2,
            (m.StatValue("AC", 8),),
            (m.StatValue("DEX", 5),),
            (m.StatValue("STR", 4), m.StatValue("CON", 2)),
            6,
            6,
            "ork",
        ),
        "The DT for {ana} against {ork} is 6: 2 plus {ork}'s AC 8 plus half of DEX 5 less {ana}'s STR 4 and CON 2 (halves rounded down).",
        (),
    ),
    (
        m.DtComputed("ana", 0, (), (), (m.StatValue("STR", 4),), -4, 1),
        "The DT for {ana} is 1: 0 less {ana}'s STR 4 makes -4, but the lowest DT is 1.",
        (),
    ),
    (
        replace(rolled("ana", 11, [12, 11], (2, 1, 1, 1)), aim="éclairs for all"),
        "Éclairs for all: {ana} rolls 12 and 11 against DT 11 and passes:"
        " 2 successes, 1 failure, margin +1.",
        (
            *d12(12, 11),
            # A 12 must come, with another 12 (1 of 144) or a failure that is not a 1 (20 of 144).
            Attempted(
                "ana",
                "basic test",
                "12 + 11",
                "passed",
                {"not passed": (41, 48), "passed": (7, 48)},
                ("passed",),
                given={"DT": 11, "pool": 2},
            ),
            Settled("ana", "basic test", "passed"),
            Settled("ana", "basic margin", "+1"),
        ),
    ),
    (
        m.DiceRolled("@gm", 8, (5,), 5, aim="who comes first"),
        "Who comes first: {@gm} rolls a d8: 5.",
        plain("@gm", "1d8", "5", D8, "5"),
    ),
    (
        m.DiceRolled("ana", 8, (3, 5), 11, "damage", 3, "ana", 2),
        "Because of a margin of +2, {ana} rolls 2d8 + 3 for damage: 3 + 5 + 3 = 11.",
        plain("ana", "2d8 + 3", "11", shifted(TWO_D8, 3), "3", "5"),
    ),
    (
        m.DiceRolled("ork", 8, (3,), -1, added=-4, margin_of="ana", margin=0),
        "Because of {ana}'s margin of 0, {ork} rolls 1d8 - 4: 3 - 4 = -1.",
        plain("ork", "1d8 - 4", "-1", shifted(D8, -4), "3"),
    ),
    (
        m.DiceRolled("ana", 8, (3,), 3, added=0),
        "{ana} rolls a d8: 3.",
        plain("ana", "1d8", "3", D8, "3"),
    ),
    (
        m.ConditionSet("ana", "poisoned", rounds=3, note="one die fewer"),
        '{ana} now has the condition "poisoned" for 3 rounds (one die fewer).',
        (Ticked("ana", "poisoned", 3, is_set=True),),
    ),
    (
        m.ConditionSet("ana", "bound", minutes=1),
        '{ana} now has the condition "bound" for 1 minute.',
        (),
    ),
    (
        m.ConditionSet("ana", "cursed"),
        '{ana} now has the condition "cursed" until the GR ends it.',
        (),
    ),
    (
        m.ConditionTicked("ana", "poisoned", rounds=1),
        '{ana} has the condition "poisoned" for 1 more round.',
        (Ticked("ana", "poisoned", 1),),
    ),
    (
        m.ConditionTicked("ana", "poisoned", rounds=0),
        '{ana} no longer has the condition "poisoned".',
        (Ticked("ana", "poisoned", 0),),
    ),
    (
        m.ConditionSet("ana", "bound", minutes=121),
        '{ana} now has the condition "bound" for 2 hours and 1 minute.',
        (),
    ),
    (
        m.ConditionTicked("ana", "bound", minutes=120),
        '{ana} has the condition "bound" for another 2 hours.',
        (),
    ),
    (
        m.ConditionTicked("ana", "bound", minutes=119),
        '{ana} has the condition "bound" for 119 more minutes.',
        (),
    ),
    (
        m.ConditionTicked("ana", "bound", minutes=20),
        '{ana} has the condition "bound" for 20 more minutes.',
        (),
    ),
    (
        m.ConditionTicked("ana", "bound", minutes=0),
        '{ana} no longer has the condition "bound".',
        (),
    ),
    (
        m.ConditionEnded("ana", "poisoned", "an antidote", 2),
        '{ana} no longer has the condition "poisoned" (an antidote).',
        (Ticked("ana", "poisoned", 0, is_set=True),),
    ),
    (
        m.ConditionEnded("ana", "cursed", "a kiss"),
        '{ana} no longer has the condition "cursed" (a kiss).',
        (),
    ),
]
