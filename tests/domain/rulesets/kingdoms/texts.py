"""One row or more for every event: its text and what it counts for."""

from __future__ import annotations

from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms.rules import Being
from domain.tally import Counts, Moved, Probability, Rolled, Settled
from tests.domain.rulesets.kingdoms.people import (
    BASIC,
    CHA,
    CON,
    EXTENDED,
    declared,
    extended,
    rolled,
)

FACES: dict[str, Probability] = {str(face): (1, 12) for face in range(1, 13)}
AT_6: dict[str, Probability] = {
    "two successes": (1, 12),
    "success": (5, 12),
    "failure": (5, 12),
    "two failures": (1, 12),
}
AT_11: dict[str, Probability] = {
    "two successes": (1, 12),
    "failure": (10, 12),
    "two failures": (1, 12),
}
D8: dict[str, Probability] = dict.fromkeys("12345678", (1, 8))


def d12(face: int, outcome: str, outcomes: dict[str, Probability], dt: int, pool: int) -> Rolled:
    given: dict[str, int | str] = {"DT": dt, "pool": pool}
    return Rolled(
        "ana",
        "d12",
        str(face),
        "die of a test",
        FACES,
        outcome,
        outcomes,
        tuple(outcomes)[::-1],
        given,
    )


TEXTS: list[tuple[m.Event, str, Counts]] = [
    (
        m.EntityCreated("ana", "Ana", Being.PC, "p1", 2, 3),
        "{ana} comes to the table (PC) with CON 2 and CHA 3.",
        (),
    ),
    (m.StatNamed("ana", "STR", 4), "{ana} has STR 4.", ()),
    (declared("ana", "STR"), "The GR calls {ana} to a basic test of STR.", ()),
    (
        declared("ana", "STR", "CON", "fear"),
        "The GR calls {ana} to a basic test of STR, CON and fear.",
        (),
    ),
    (
        extended("ana", CHA, "STR", "CON"),
        "The GR calls {ana} to an extended test of STR and CON, refilled by CHA.",
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
        "{ana} assembles a pool of 0 dice: fear -2.",
        (),
    ),
    (m.DtSet("ana", 6), "The GR sets the DT for {ana} to 6.", ()),
    (m.DtSet("ana", 6, 8), "The GR sets the DT for {ana} to 6 (before: 8).", ()),
    (
        m.DtDetermined("ana", "ork", (m.StatValue("AC", 8),), (m.StatValue("STR", 4),), 4, 4),
        "{ork} determines the DT for {ana}: AC 8 - STR 4 = 4.",
        (),
    ),
    (
        m.DtDetermined(
            "ana", "ork", (m.StatValue("AC", 8), m.StatValue("pride", 6)), (), 14, 12, 6
        ),
        "{ork} determines the DT for {ana}: AC 8 + pride 6 = 14, which leaves DT 12 (before: 6).",
        (),
    ),
    (
        rolled("ana", 6, [7, 6, 12, 1], (3, 3, 0, 2)),
        "{ana} rolls 7 6 12 1 against DT 6: 3 successes, 3 failures, margin 0, not passed.",
        (
            d12(7, "success", AT_6, 6, 4),
            d12(6, "failure", AT_6, 6, 4),
            d12(12, "two successes", AT_6, 6, 4),
            d12(1, "two failures", AT_6, 6, 4),
            Settled("ana", "basic test", "not passed"),
            Settled("ana", "basic margin", "0"),
        ),
    ),
    (
        rolled("ana", 11, [12, 11], (2, 1, 1, 1)),
        "{ana} rolls 12 11 against DT 11: 2 successes, 1 failure, margin +1, passed.",
        (
            d12(12, "two successes", AT_11, 11, 2),
            d12(11, "failure", AT_11, 11, 2),
            Settled("ana", "basic test", "passed"),
            Settled("ana", "basic margin", "+1"),
        ),
    ),
    (
        rolled("ana", 12, [12], (0, 1, -1, 1), EXTENDED, 3, 4, twelve_succeeds=False),
        "{ana} rolls 12 against DT 12: 0 successes, 1 failure, margin -1.",
        (
            d12(12, "failure", {"failure": (11, 12), "two failures": (1, 12)}, 12, 1),
            Settled("ana", "extended margin", "-1"),
        ),
    ),
    (
        rolled("ana", 6, [], (0, 0, 0, 0)),
        "{ana} rolls no dice against DT 6: 0 successes, 0 failures, margin 0, not passed.",
        (Settled("ana", "basic test", "not passed"), Settled("ana", "basic margin", "0")),
    ),
    (
        m.Interpreted("ana", 1, "a near miss"),
        "The GR interprets the roll of {ana} (a near miss).",
        (),
    ),
    (
        m.Refilled("ana", 1, 2, CON, 2, 2, 4),
        "{ana} removes 2 dice that failed and adds 2 dice by CON; the pool is 4 dice.",
        (Moved("ana", "d12", -2, "failed", 2), Moved("ana", "d12", 2, "CON", 4)),
    ),
    (
        m.Refilled("ana", 1, 1, CHA, -5, -1, 0),
        "{ana} removes 1 die that failed and loses 1 die by CHA; the pool is 0 dice.",
        (Moved("ana", "d12", -1, "failed", 1), Moved("ana", "d12", -1, "CHA", 0)),
    ),
    (
        m.TestEnded("ana", BASIC, 1, 3, 7),
        "The basic test of {ana} is over.",
        (Moved("ana", "d12", -7, "put back", 0),),
    ),
    (
        m.TestEnded("ana", EXTENDED, 3, -2, 3),
        "The GR ends the extended test of {ana} after 3 rolls, with margins of -2 in all.",
        (Moved("ana", "d12", -3, "put back", 0),),
    ),
    (
        m.TestEnded("ana", EXTENDED, 1, 2, 0),
        "The GR ends the extended test of {ana} after 1 roll, with margins of +2 in all.",
        (),
    ),
    (
        m.DiceRolled("ana", 8, (3, 5), 8, "damage"),
        "{ana} rolls 2d8 for damage: 3 + 5 = 8.",
        (
            Rolled("ana", "d8", "3", "plain roll", D8),
            Rolled("ana", "d8", "5", "plain roll", D8),
            Settled("ana", "2d8", "8"),
        ),
    ),
    (
        m.DiceRolled("ana", 8, (8,), 8),
        "{ana} rolls 1d8: 8.",
        (Rolled("ana", "d8", "8", "plain roll", D8), Settled("ana", "1d8", "8")),
    ),
    (
        m.StatAdjusted("ana", "STR", 4, 3, "a wound"),
        "The GR sets STR of {ana} from 4 to 3 (a wound).",
        (),
    ),
    (
        m.PoolAdjusted("ana", 1, 5, "a friend helps"),
        "The GR sets the pool of {ana} from 1 die to 5 dice (a friend helps).",
        (Moved("ana", "d12", 4, "adjusted", 5),),
    ),
    (
        m.TestDropped("ana", EXTENDED, 4, "both sit down"),
        "The GR calls off the extended test of {ana} (both sit down).",
        (Moved("ana", "d12", -4, "put back", 0),),
    ),
]
