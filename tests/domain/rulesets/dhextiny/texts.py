"""One row or more for every event: its text and what it counts for."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny.rules import PF, PS, Being, Dies, F, Pool, RollPurpose, S, Status
from domain.tally import (
    Attempted,
    Counts,
    Landed,
    Moved,
    Owned,
    Probability,
    Rolled,
    Settled as Concluded,
    Ticked,
)

ODDS: dict[str, Probability] = {"F": (1, 6), "PF": (2, 6), "PS": (2, 6), "S": (1, 6)}


POINTS: dict[str, Probability] = dict.fromkeys("012345", (1, 6))
ENDS = ("F", "PF", "PS", "S", "PS", "PF")


def d6(who: str, start: int, value: str, use: str, outcome: str) -> tuple[Rolled, Attempted]:
    """Return the counts of a roll on the ring, with its stakes."""
    attempted = Attempted(who, use, value, outcome, ODDS, ("PS", "S"), given={"start": start})
    if use == "death check":
        attempted = replace(attempted, stakes="life", is_save=True)
    if use in ("attack", "put out"):
        attempted = replace(attempted, stakes="harm")
    return Rolled(who, "d6", value, use), attempted


def plain(who: str, value: str, use: str, worst_first: str) -> tuple[Rolled, Attempted]:
    """Return the counts of a roll that does not move the token."""
    chances: dict[str, Probability] = dict.fromkeys(worst_first, (1, 6))
    return Rolled(who, "d6", value, use), Attempted(who, use, value, value, chances)


def fire(who: str, value: str) -> tuple[Rolled, Attempted]:
    rolled, attempted = plain(who, value, "aflame", "654321")
    return rolled, replace(attempted, stakes="harm")


def to(who: str, point: int) -> Landed:
    return Landed(who, "ring", ENDS, point, "rolled", POINTS)


def own_fire(who: str, start: int, value: str, outcome: str, point: int) -> Counts:
    """Return the counts of an attempt to put out the flames on oneself, which is a save."""
    rolled, attempted = d6(who, start, value, "put out", outcome)
    return rolled, replace(attempted, is_save=True), to(who, point)


TEXTS: list[tuple[m.Event, str, Counts]] = [
    (
        m.EntityCreated("ana", "Ana", Being.PC, "p1", 12, 6, -6),
        "{ana} joins the game as a PC with 12 AP and 6 LP.",
        (Owned("ana", "p1"),),
    ),
    (
        m.EntityCreated("tobin", "Tobin", Being.NPC, "gm", 12, 6, -6),
        "{tobin} joins the game as an NPC with 12 AP and 6 LP.",
        (Owned("tobin", "gm"),),
    ),
    (
        m.EntityCreated("rat", "The rat", Being.CREATURE, "gm", 12, 4),
        "{rat} joins the game as a creature with 12 AP and 4 LP.",
        (Owned("rat", "gm"),),
    ),
    (
        m.AbilitiesRolled("ana", 4, 6),
        "{ana} rolls 4 and may name 6 abilities.",
        plain("ana", "4", "abilities", "123456"),
    ),
    (m.AbilityNamed("ana", "locks", 3), "{ana} has a new ability: locks (AMX 3).", ()),
    (
        m.Checked("ana", RollPurpose.CHECK, 0, 4, 4, PS),
        "{ana} rolls 4 on a check; the token goes PF, PS, S, PS: partial success.",
        (*d6("ana", 0, "4", "check", "PS"), to("ana", 4)),
    ),
    (
        m.Checked("ana", RollPurpose.CHECK, 0, 4, 4, PS, "locks"),
        "{ana} rolls 4 on locks; the token goes PF, PS, S, PS: partial success.",
        (*d6("ana", 0, "4", "check", "PS"), to("ana", 4)),
    ),
    (
        m.Checked("ben", RollPurpose.ATTACK, 4, 3, 1, PF, "sword", "rat"),
        "{ben} attacks {rat} and rolls 3 on sword; the token goes PF, F, PF: partial failure.",
        (*d6("ben", 4, "3", "attack", "PF"), to("ben", 1)),
    ),
    (
        m.Checked("ana", RollPurpose.PUT_OUT, 5, 1, 0, F, UNSET, "ben"),
        "{ana} tries to put out the flames on {ben} and rolls 1; the token goes to F: failure.",
        (*d6("ana", 5, "1", "put out", "F"), to("ana", 0)),
    ),
    (
        m.Checked("ana", RollPurpose.PUT_OUT, 5, 1, 0, F, "climbing", "ben"),
        "{ana} tries to put out the flames on {ben} and rolls 1 on climbing; the token goes to F:"
        " failure.",
        (*d6("ana", 5, "1", "put out", "F"), to("ana", 0)),
    ),
    (
        m.Checked("ana", RollPurpose.PUT_OUT, 5, 1, 0, F, UNSET, "ana"),
        "{ana} tries to put out the flames and rolls 1; the token goes to F: failure.",
        own_fire("ana", 5, "1", "F", 0),
    ),
    (
        m.Altered("ana", "locks", 2, 1, 3, S, 3, 3, 9),
        "{ana} spends 3 AP on locks and moves the token 1 more point to S: success (9 AP left).",
        (Landed("ana", "ring", ENDS, 3, "altered"), Moved("ana", "AP", -3, "alter", 9)),
    ),
    (
        m.Altered("ana", "locks", 0, 2, 2, PS, 8, 2, 10),
        "{ana} spends 2 AP on locks and moves the token 2 more points to PS: partial success"
        " (10 AP left).",
        (Landed("ana", "ring", ENDS, 2, "altered"), Moved("ana", "AP", -2, "alter", 10)),
    ),
    (
        m.Altered("ana", "locks", 4, 2, 0, F, 6, 0, 6),
        "{ana} uses locks to move the token on to F at no AP cost (6 AP left).",
        (Landed("ana", "ring", ENDS, 0, "altered"),),
    ),
    (
        m.Settled("ana", RollPurpose.CHECK, PS, 3, S),
        "{ana}'s check ends in success.",
        (Concluded("ana", "check", "S", "PS"),),
    ),
    (
        m.Settled("ana", RollPurpose.PUT_OUT, PF, 1, PF),
        "{ana}'s partial failure stands.",
        (Concluded("ana", "put out", "PF", "PF"),),
    ),
    (
        m.Settled("ana", RollPurpose.PUT_OUT, S, 1, PF),
        "{ana}'s attempt to put out the flames ends in partial failure.",
        (Concluded("ana", "put out", "PF", "S"),),
    ),
    (
        m.Gained("ana", 2, 2, 7),
        "{ana} gains 2 AP from the failure and now has 7.",
        (Moved("ana", "AP", 2, "failure", 7),),
    ),
    (
        m.Gained("ana", 2, 1, 12),
        "{ana} gains only 1 of the 2 AP from the failure, because the pool is full now (12 AP).",
        (Moved("ana", "AP", 1, "failure", 12),),
    ),
    (
        m.Gained("ana", 2, 0, 12),
        "{ana}'s pool is full, so the failure adds nothing (12 AP).",
        (),
    ),
    (
        m.Hit("ben", "rat", S, 3, Pool.LP, 3, 1, Status.OK),
        "{ben} hits {rat} for 3 LP (1 LP left).",
        (Moved("rat", "LP", -3, "hit", 1),),
    ),
    (
        m.Hit("ben", "rat", S, 5, Pool.LP, 5, -1, Status.DYING),
        "{ben} hits {rat} for 5 LP, which leaves {rat} dying at -1 LP.",
        (Moved("rat", "LP", -5, "hit", -1),),
    ),
    (
        m.Hit("ana", "ben", S, 8, Pool.LP, 8, -6, Status.DEAD),
        "{ana} hits {ben} for 8 LP, which leaves {ben} dead at -6 LP.",
        (Moved("ben", "LP", -8, "hit", -6),),
    ),
    (
        m.Hit("ben", "rat", PS, 5, Pool.AP, 5, 7, Status.OK),
        "{ben} hits and takes 5 of {rat}'s 12 AP.",
        (Moved("rat", "AP", -5, "hit", 7),),
    ),
    (
        m.Hit("ben", "rat", PS, 5, Pool.AP, 4, 0, Status.OK),
        "{ben} hits for 5 and takes {rat}'s last 4 AP.",
        (Moved("rat", "AP", -4, "hit", 0),),
    ),
    (
        m.Hit("ben", "rat", PS, 4, Pool.LP, 1, 3, Status.OK),
        "{ben} hits for 4, but {rat} has no AP to lose and loses 1 LP instead (3 LP left).",
        (Moved("rat", "LP", -1, "hit", 3),),
    ),
    (
        m.DeathChecked("ana", 0, 1, 1, PF, 0, -1, Status.DYING),
        "{ana} rolls 1 on a death check; the token goes to PF: partial failure,"
        " so {ana} loses 1 LP and is still dying (-1 LP).",
        (
            *d6("ana", 0, "1", "death check", "PF"),
            Concluded("ana", "death check", "PF", "PF"),
            to("ana", 1),
            Moved("ana", "LP", -1, "death check", -1),
        ),
    ),
    (
        m.DeathChecked("ana", 0, 2, 2, PS, 0, 0, Status.DYING),
        "{ana} rolls 2 on a death check; the token goes PF, PS: partial success,"
        " so {ana} is still dying (0 LP).",
        (
            *d6("ana", 0, "2", "death check", "PS"),
            Concluded("ana", "death check", "PS", "PS"),
            to("ana", 2),
        ),
    ),
    (
        m.DeathChecked("ana", 0, 3, 3, S, -3, 1, Status.OK),
        "{ana} rolls 3 on a death check; the token goes PF, PS, S: success,"
        " so {ana} comes back with 1 LP.",
        (
            *d6("ana", 0, "3", "death check", "S"),
            Concluded("ana", "death check", "S", "S"),
            to("ana", 3),
            Moved("ana", "LP", 4, "death check", 1),
        ),
    ),
    (
        m.DeathChecked("ana", 5, 1, 0, F, -3, -3, Status.DEAD),
        "{ana} rolls 1 on a death check; the token goes to F: failure, so {ana} dies (-3 LP).",
        (
            *d6("ana", 5, "1", "death check", "F"),
            Concluded("ana", "death check", "F", "F"),
            to("ana", 0),
        ),
    ),
    (
        m.DeathChecked("ana", 0, 1, 1, PF, -5, -6, Status.DEAD),
        "{ana} rolls 1 on a death check; the token goes to PF: partial failure,"
        " so {ana} loses 1 LP and dies (-6 LP).",
        (
            *d6("ana", 0, "1", "death check", "PF"),
            Concluded("ana", "death check", "PF", "PF"),
            to("ana", 1),
            Moved("ana", "LP", -1, "death check", -6),
        ),
    ),
    (
        m.CaughtFire("ana", 3),
        "{ana} catches fire and will burn for 3 rounds.",
        (*fire("ana", "3"), Ticked("ana", "Aflame", 3, is_set=True)),
    ),
    (m.Smouldered("ana", 2), "{ana} will burn for 2 more rounds.", (Ticked("ana", "Aflame", 2),)),
    (m.Smouldered("ana", 1), "{ana} will burn for 1 more round.", (Ticked("ana", "Aflame", 1),)),
    (m.Smouldered("ana", 0), "The flames on {ana} burn out.", (Ticked("ana", "Aflame", 0),)),
    (
        m.Extinguished("ben", "ana"),
        "{ben} puts out the flames on {ana}.",
        (Ticked("ana", "Aflame", 0, is_set=True),),
    ),
    (
        m.Extinguished("ana", "ana"),
        "{ana} puts out the flames.",
        (Ticked("ana", "Aflame", 0, is_set=True),),
    ),
    (
        m.Burned("ana", 6, 2, Status.OK),
        "The fire costs {ana} 4 LP (2 LP left).",
        (Moved("ana", "LP", -4, "fire", 2),),
    ),
    (
        m.Burned("ana", 6, 0, Status.DYING),
        "The fire costs {ana} 6 LP, which leaves {ana} dying at 0 LP.",
        (Moved("ana", "LP", -6, "fire", 0),),
    ),
    (
        m.Rested("ana", 8, 12),
        "{ana} takes a full rest, recovers 8 AP and now has 12.",
        (Moved("ana", "AP", 8, "rest", 12),),
    ),
    (
        m.Rested("ana", 0, 12),
        "{ana} takes a full rest but already has full AP (12 AP).",
        (),
    ),
    (m.Killed("rat", Status.OK, "under the wheel"), "{rat} dies (under the wheel).", ()),
    (
        m.Adjusted("ana", Pool.LP, 6, 4, "a fall"),
        "The GM lowers {ana}'s LP from 6 to 4 (a fall).",
        (Moved("ana", "LP", -2, "adjusted", 4),),
    ),
    (
        m.Adjusted("ana", Pool.AP_MAX, 12, 14, "lore"),
        "The GM raises {ana}'s maximum AP from 12 to 14 (lore).",
        (Moved("ana", "AP max", 2, "adjusted", 14),),
    ),
    (
        m.Adjusted("ana", Pool.AP, 11, 11, "a pause"),
        "The GM leaves {ana}'s AP at 11 (a pause).",
        (),
    ),
    (
        m.AmxAdjusted("ana", "locks", 3, 4, "lore"),
        "The GM raises {ana}'s AMX for locks from 3 to 4 (lore).",
        (),
    ),
    (
        m.StatusAdjusted("ana", Status.DYING, Status.OK, "salts"),
        "{ana} is all right again (salts).",
        (),
    ),
    (
        m.StatusAdjusted("ana", Status.DYING, Status.DEAD, "too late"),
        "{ana} is dead now (too late).",
        (),
    ),
    (
        m.StatusAdjusted("ana", Status.OK, Status.DYING, "a fall"),
        "{ana} is dying now (a fall).",
        (),
    ),
    (
        m.StatusAdjusted("ana", Status.DEAD, Status.DYING, "she still breathes"),
        "{ana} is dying, not dead (she still breathes).",
        (),
    ),
    (
        m.StatusAdjusted("ana", Status.OK, Status.OK, "on her feet"),
        "{ana} is still all right (on her feet).",
        (),
    ),
    (
        m.StatusAdjusted("ana", Status.DYING, Status.DYING, "a pause"),
        "{ana} is still dying (a pause).",
        (),
    ),
    (
        m.TokenMoved(1, 3, "a bump"),
        "The GM moves the token from the PF after F to S (a bump).",
        (),
    ),
    (
        m.TokenMoved(3, 3, "a second look"),
        "The GM leaves the token on S (a second look).",
        (),
    ),
    (
        m.Adjusted("ana", Pool.LP_MAX, 6, 8, "lore"),
        "The GM raises {ana}'s maximum LP from 6 to 8 (lore).",
        (Moved("ana", "LP max", 2, "adjusted", 8),),
    ),
    (
        m.AbilitiesRolled("ana", 4, 6, "a new life"),
        "A new life: {ana} rolls 4 and may name 6 abilities.",
        plain("ana", "4", "abilities", "123456"),
    ),
    (
        m.Checked("ana", RollPurpose.CHECK, 0, 4, 4, PS, "locks", aim="pick the lock"),
        "Pick the lock: {ana} rolls 4 on locks; the token goes PF, PS, S, PS: partial success.",
        (*d6("ana", 0, "4", "check", "PS"), to("ana", 4)),
    ),
    (
        m.Checked("ben", RollPurpose.ATTACK, 4, 3, 1, PF, "sword", "rat", "End it"),
        "End it: {ben} attacks {rat} and rolls 3 on sword; the token goes PF, F, PF:"
        " partial failure.",
        (*d6("ben", 4, "3", "attack", "PF"), to("ben", 1)),
    ),
    (
        m.DeathChecked("ana", 5, 1, 0, F, -3, -3, Status.DEAD, "hold on"),
        "Hold on: {ana} rolls 1 on a death check; the token goes to F: failure,"
        " so {ana} dies (-3 LP).",
        (
            *d6("ana", 5, "1", "death check", "F"),
            Concluded("ana", "death check", "F", "F"),
            to("ana", 0),
        ),
    ),
    (
        m.CaughtFire("ana", 1, "the torch"),
        "The torch: {ana} catches fire and will burn for 1 round.",
        (*fire("ana", "1"), Ticked("ana", "Aflame", 1, is_set=True)),
    ),
    (
        m.Interpreted("ana", PS, "It opens, but the pick breaks."),
        'Partial success for {ana}. The GM: "It opens, but the pick breaks."',
        (),
    ),
    (
        m.Interpreted("ana", PS, "It opens.\n\nBut the pick breaks."),
        'Partial success for {ana}. The GM: "It opens. But the pick breaks."',
        (),
    ),
    (
        m.CheckedAside("tobin", 4, 3, 1, PF, aim="is it locked?"),
        "Is it locked? {tobin} rolls 3 on a check without moving the token: partial failure.",
        (*d6("tobin", 4, "3", "check", "PF"), Concluded("tobin", "check", "PF", "PF")),
    ),
    (
        m.CheckedAside("tobin", 4, 3, 1, PF, aim="hear the steps. "),
        "Hear the steps: {tobin} rolls 3 on a check without moving the token: partial failure.",
        (*d6("tobin", 4, "3", "check", "PF"), Concluded("tobin", "check", "PF", "PF")),
    ),
    (
        m.CheckedAside("tobin", 4, 3, 1, PF, aim="..."),
        "{tobin} rolls 3 on a check without moving the token: partial failure.",
        (*d6("tobin", 4, "3", "check", "PF"), Concluded("tobin", "check", "PF", "PF")),
    ),
    (
        m.AbilityGranted("ana", "luck", 3, "a gift"),
        "The GM gives {ana} a new ability: luck, AMX 3 (a gift).",
        (),
    ),
    (
        m.AbilityRenamed("ana", "lokcs", "locks", "a typo"),
        '{ana}\'s ability "lokcs" is now called "locks" (a typo).',
        (),
    ),
    (
        m.AbilityRemoved("ana", "locks", "a curse"),
        '{ana} no longer has the ability "locks" (a curse).',
        (),
    ),
    (
        m.Harmed("ana", 6, 2, Status.OK, "a fall"),
        "A fall: {ana} loses 4 LP (2 LP left).",
        (Moved("ana", "LP", -4, "harm", 2),),
    ),
    (
        m.Harmed("ana", 2, -1, Status.DYING, "a fall"),
        "A fall: {ana} loses 3 LP, which leaves {ana} dying at -1 LP.",
        (Moved("ana", "LP", -3, "harm", -1),),
    ),
    (
        m.DeathRuleSet("rat", Dies.NEVER, Dies.AT_ZERO, "only a rat", 0),
        "From now on, {rat} dies at 0 LP (only a rat).",
        (),
    ),
    (
        m.DeathRuleSet("rat", Dies.NEVER, Dies.AT_MINUS_SIX, "its king", -6),
        "From now on, {rat} dies at -6 LP (its king).",
        (),
    ),
    (
        m.DeathRuleSet("rat", Dies.AT_ZERO, Dies.NEVER, "a ghost"),
        "From now on, {rat} does not die from losing LP (a ghost).",
        (),
    ),
    (
        m.FireAdjusted("ana", 4, 0, "a river"),
        "The flames on {ana} go out (a river).",
        (Ticked("ana", "Aflame", 0, is_set=True),),
    ),
    (
        m.FireAdjusted("ana", 2, 5, "oil"),
        "{ana} will burn for 5 more rounds instead of 2 (oil).",
        (Ticked("ana", "Aflame", 5, is_set=True),),
    ),
    (
        m.CheckedAside("tobin", 4, 3, 1, PF),
        "{tobin} rolls 3 on a check without moving the token: partial failure.",
        (*d6("tobin", 4, "3", "check", "PF"), Concluded("tobin", "check", "PF", "PF")),
    ),
    (
        m.CheckedAside("tobin", 0, 3, 3, S, "gossip", "hear the steps"),
        "Hear the steps: {tobin} rolls 3 on gossip without moving the token: success.",
        (*d6("tobin", 0, "3", "check", "S"), Concluded("tobin", "check", "S", "S")),
    ),
    (m.ConditionSet("ana", "stunned"), '{ana} now has the condition "stunned".', ()),
    (
        m.ConditionSet("ana", "stunned", 1, note="no attacks"),
        '{ana} now has the condition "stunned" for 1 round (no attacks).',
        (Ticked("ana", "stunned", 1, is_set=True),),
    ),
    (
        m.ConditionSet("ana", "cursed", minutes=90),
        '{ana} now has the condition "cursed" for 90 minutes.',
        (),
    ),
    (
        m.ConditionSet("ana", "cursed", minutes=150),
        '{ana} now has the condition "cursed" for 2 hours and 30 minutes.',
        (),
    ),
    (
        m.ConditionTicked("ana", "stunned", 2),
        '{ana} has the condition "stunned" for 2 more rounds.',
        (Ticked("ana", "stunned", 2),),
    ),
    (
        m.ConditionTicked("ana", "stunned", 0),
        '{ana} no longer has the condition "stunned".',
        (Ticked("ana", "stunned", 0),),
    ),
    (
        m.ConditionTicked("ana", "cursed", minutes=1),
        '{ana} has the condition "cursed" for 1 more minute.',
        (),
    ),
    (
        m.ConditionTicked("ana", "cursed", minutes=120),
        '{ana} has the condition "cursed" for another 2 hours.',
        (),
    ),
    (
        m.ConditionTicked("ana", "cursed", minutes=181),
        '{ana} has the condition "cursed" for another 3 hours and 1 minute.',
        (),
    ),
    (
        m.ConditionTicked("ana", "cursed", minutes=0),
        '{ana} no longer has the condition "cursed".',
        (),
    ),
    (
        m.ConditionEnded("ana", "stunned", "a slap", 2),
        '{ana} no longer has the condition "stunned" (a slap).',
        (Ticked("ana", "stunned", 0, is_set=True),),
    ),
    (
        m.ConditionEnded("ana", "cursed", "a prayer"),
        '{ana} no longer has the condition "cursed" (a prayer).',
        (),
    ),
]
