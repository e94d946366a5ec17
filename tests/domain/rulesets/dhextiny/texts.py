"""One row or more for every event: its text and what it counts for."""

from __future__ import annotations

from msgspec import UNSET

from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny.rules import PF, PS, Being, F, Pool, RollPurpose, S, Status
from domain.tally import Counts, Landed, Moved, Probability, Rolled, Settled as Concluded, Ticked

FACES: dict[str, Probability] = dict.fromkeys("123456", (1, 6))
ODDS: dict[str, Probability] = {"F": (1, 6), "PF": (2, 6), "PS": (2, 6), "S": (1, 6)}


RISING = tuple("123456")
POINTS: dict[str, Probability] = dict.fromkeys("012345", (1, 6))
ENDS = ("F", "PF", "PS", "S", "PS", "PF")


def d6(who: str, start: int, value: str, use: str, outcome: str) -> Rolled:
    return Rolled(
        who, "d6", value, use, FACES, outcome, ODDS, ("F", "PF", "PS", "S"), {"start": start}
    )


def to(who: str, point: int) -> Landed:
    return Landed(who, "ring", ENDS, point, "rolled", POINTS)


TEXTS: list[tuple[m.Event, str, Counts]] = [
    (
        m.EntityCreated("ana", "Ana", Being.PC, "p1", 12, 6, -6),
        "{ana} comes to the table (PC) with 12 AP and 6 LP.",
        (),
    ),
    (
        m.AbilitiesRolled("ana", 4, 6),
        "{ana} rolls 4 and has 6 abilities to name.",
        (Rolled("ana", "d6", "4", "abilities", FACES, scale=RISING),),
    ),
    (m.AbilityNamed("ana", "locks", 3), "{ana} has the ability locks with AMX 3.", ()),
    (
        m.Checked("ana", RollPurpose.CHECK, 0, 4, 4, PS),
        "{ana} makes a check and rolls 4: PF, PS, S, PS, a partial success.",
        (d6("ana", 0, "4", "check", "PS"), to("ana", 4)),
    ),
    (
        m.Checked("ben", RollPurpose.ATTACK, 4, 3, 1, PF, "sword", "rat"),
        "{ben} attacks {rat} with sword and rolls 3: PF, F, PF, a partial failure.",
        (d6("ben", 4, "3", "attack", "PF"), to("ben", 1)),
    ),
    (
        m.Checked("ana", RollPurpose.PUT_OUT, 5, 1, 0, F, UNSET, "ben"),
        "{ana} tries to put out the flames on {ben} and rolls 1: F, a failure.",
        (d6("ana", 5, "1", "put out", "F"), to("ana", 0)),
    ),
    (
        m.Altered("ana", "locks", 2, 1, 3, S, 3, 3, 9),
        "{ana} spends 3 AP on locks: S, a success; AP 9.",
        (Landed("ana", "ring", ENDS, 3, "altered"), Moved("ana", "AP", -3, "alter", 9)),
    ),
    (
        m.Altered("ana", "locks", 4, 2, 0, F, 6, 0, 6),
        "{ana} uses locks for no AP: PF, F, a failure; AP 6.",
        (Landed("ana", "ring", ENDS, 0, "altered"),),
    ),
    (
        m.Settled("ana", RollPurpose.CHECK, PS, 3, S),
        "{ana}'s check is settled: success.",
        (Concluded("ana", "check", "S", "PS"),),
    ),
    (
        m.Settled("ana", RollPurpose.PUT_OUT, PF, 1, PF),
        "{ana}'s attempt to put out the flames is settled: partial failure.",
        (Concluded("ana", "put out", "PF", "PF"),),
    ),
    (
        m.Gained("ana", 2, 2, 7),
        "{ana} gains 2 AP by the failure; AP 7.",
        (Moved("ana", "AP", 2, "failure", 7),),
    ),
    (m.Gained("ana", 2, 0, 12), "{ana} gains 0 AP by the failure; AP 12.", ()),
    (
        m.Hit("ben", "rat", S, 5, Pool.LP, 5, -1, Status.DYING),
        "{ben} hits for 5: {rat} loses 5 LP; LP -1, dying.",
        (Moved("rat", "LP", -5, "hit", -1),),
    ),
    (
        m.Hit("ben", "rat", PS, 5, Pool.AP, 4, 0, Status.OK),
        "{ben} hits for 5: {rat} loses 4 AP; AP 0, ok.",
        (Moved("rat", "AP", -4, "hit", 0),),
    ),
    (
        m.DeathChecked("ana", 0, 1, 1, PF, 0, -1, Status.DYING),
        "{ana} makes a death check and rolls 1: PF, a partial failure; LP -1, dying.",
        (
            d6("ana", 0, "1", "death check", "PF"),
            to("ana", 1),
            Concluded("ana", "death check", "PF", "PF"),
            Moved("ana", "LP", -1, "death check", -1),
        ),
    ),
    (
        m.DeathChecked("ana", 0, 2, 2, PS, 0, 0, Status.DYING),
        "{ana} makes a death check and rolls 2: PF, PS, a partial success; LP 0, dying.",
        (
            d6("ana", 0, "2", "death check", "PS"),
            to("ana", 2),
            Concluded("ana", "death check", "PS", "PS"),
        ),
    ),
    (
        m.CaughtFire("ana", 3),
        "{ana} is aflame for 3 rounds.",
        (Rolled("ana", "d6", "3", "aflame", FACES, scale=RISING[::-1]), Ticked("ana", "Aflame", 3)),
    ),
    (m.Smouldered("ana", 1), "{ana} is aflame for 1 round more.", (Ticked("ana", "Aflame", 1),)),
    (m.Smouldered("ana", 0), "The flames on {ana} burn out.", (Ticked("ana", "Aflame", 0),)),
    (
        m.Extinguished("ben", "ana"),
        "{ben} extinguishes the flames on {ana}.",
        (Ticked("ana", "Aflame", 0),),
    ),
    (
        m.Burned("ana", 6, 2, Status.OK),
        "{ana} loses 4 LP by the fire; LP 2, ok.",
        (Moved("ana", "LP", -4, "fire", 2),),
    ),
    (
        m.Rested("ana", 8, 12),
        "{ana} rests fully and recovers 8 AP; AP 12.",
        (Moved("ana", "AP", 8, "rest", 12),),
    ),
    (m.Rested("ana", 0, 12), "{ana} rests fully and recovers 0 AP; AP 12.", ()),
    (m.Killed("rat", Status.OK, "under the wheel"), "{rat} dies (under the wheel).", ()),
    (
        m.Adjusted("ana", Pool.LP, 6, 4, "a fall"),
        "The GM sets the LP of {ana} from 6 to 4 (a fall).",
        (Moved("ana", "LP", -2, "adjusted", 4),),
    ),
    (
        m.AmxAdjusted("ana", "locks", 3, 4, "lore"),
        "The GM sets the AMX of {ana} for locks from 3 to 4 (lore).",
        (),
    ),
    (
        m.StatusAdjusted("ana", Status.DYING, Status.OK, "salts"),
        "The GM sets {ana} from dying to ok (salts).",
        (),
    ),
    (m.TokenMoved(1, 3, "a bump"), "The GM moves the token from PF at 1 to S at 3 (a bump).", ()),
]
