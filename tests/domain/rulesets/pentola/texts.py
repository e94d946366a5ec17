"""One row or more for every event: its text and what it counts for."""

from __future__ import annotations

from domain.rulesets.pentola import events as e
from domain.rulesets.pentola.rules import (
    Being,
    Bonus,
    Characteristic,
    Die,
    Difficulty,
    Distance,
    Finding,
    Outcome,
    RollPurpose,
    Ruling,
    Thing,
    Usable,
)
from domain.tally import Counts, Probability, Rolled, Settled, Wore

BOD, INT, _ = Characteristic
EASY, NORMAL, HARD = Difficulty
FUMBLE, FAILURE, SUCCESS, CRITICAL = Outcome
PERCENTS: dict[str, Probability] = {str(roll): (1, 100) for roll in range(1, 101)}


def d100(
    who: str, roll: int, use: str, outcome: str, given: tuple[str, int, int], **ways: int
) -> Rolled:
    """Return the count of a d100.

    `given` holds the goal, and the percent and steps that make it. `ways` are best first.
    """
    outcomes: dict[str, Probability] = {name: (number, 100) for name, number in ways.items()}
    of: dict[str, int | str] = dict(zip(("goal", "percent", "steps"), given, strict=True))
    return Rolled(who, "d100", str(roll), use, PERCENTS, outcome, outcomes, tuple(ways)[::-1], of)


def usage(die: int, face: int, outcome: str, down: str, left: str) -> Counts:
    faces: dict[str, Probability] = {str(each): (1, die) for each in range(1, die + 1)}
    outcomes: dict[str, Probability] = {down: (1, die), "holds": (die - 1, die)}
    rolled = Rolled(
        "toph", f"d{die}", str(face), "usage die", faces, outcome, outcomes, (down, "holds")
    )
    return rolled, Wore("toph", "herbs", f"d{die}", left, (1, die))


OF_39 = {"critical": 3, "success": 35, "failure": 61, "fumble": 1}
OF_25 = {"critical": 2, "success": 23, "failure": 74, "fumble": 1}
OF_140 = {"critical": 13, "success": 86, "fumble": 1}

TEXTS: list[tuple[e.Event, str, Counts]] = [
    (
        e.CharacterCreated("toph", "Toph", Being.PC, "p1", 12, 13),
        "{toph} comes to the table (PC) with BOD 12, INT 13.",
        (),
    ),
    (
        e.CharacterCreated("guard", "The guard", Being.NPC, "gm", 12, 13, 7),
        "{guard} comes to the table (NPC) with BOD 12, INT 13, POW 7.",
        (),
    ),
    (e.ThingCreated("spire", "The spire", "gm"), "{spire} is on the table.", ()),
    (
        e.BonusAdded("toph", "fencing", Bonus.SKILL, 43),
        "{toph} has the skill bonus fencing, 43 %.",
        (),
    ),
    (
        e.UsableAdded("toph", "herbs", Usable.ITEM, Die.D8),
        "{toph} has the item herbs with the usage die d8.",
        (),
    ),
    (e.IntentDeclared("toph", "to pass"), "{toph} intends: to pass.", ()),
    (
        e.IntentDeclared("toph", "to pass", "by wit"),
        "{toph} intends: to pass; the approach: by wit.",
        (),
    ),
    (e.ApproachExplained("toph", "by wit"), "{toph} explains the approach: by wit.", ()),
    (e.Withdrawn("toph"), "{toph} drops it.", ()),
    (
        e.Ruled("toph", Finding.CANNOT_FAIL, Ruling.SUCCESS),
        "The referee rules for {toph}: it cannot fail, automatic success.",
        (Settled("toph", "ruling", "automatic success"),),
    ),
    (
        e.Ruled("toph", Finding.NO_CONSEQUENCES, Ruling.SUCCESS),
        "The referee rules for {toph}: failure would have no meaningful consequences, automatic success.",
        (Settled("toph", "ruling", "automatic success"),),
    ),
    (e.CalledForTest("toph", INT, EASY), "The referee calls for an easy INT test of {toph}.", ()),
    (
        e.OpponentNamed("toph", "guard", BOD, HARD),
        "{guard} opposes {toph} with a hard BOD test.",
        (),
    ),
    (
        e.BonusRuled("toph", "fencing", False),
        "The referee rules: fencing does not apply to {toph}'s next roll.",
        (),
    ),
    (
        e.BonusRuled("toph", "fencing", True),
        "The referee rules: fencing may apply to {toph}'s next roll.",
        (),
    ),
    (
        e.RolledTest("toph", "toph", RollPurpose.TEST, INT, NORMAL, 39, 0, 0, 38, SUCCESS),
        "{toph} tests INT and rolls 38 against 39 %: a success.",
        (
            d100("toph", 38, "test", "success", ("39", 39, 0), **OF_39),
            Settled("toph", "test", "success", "success"),
        ),
    ),
    (
        e.RolledTest("toph", "toph", RollPurpose.TEST, INT, EASY, 70, 31, 1, 100, FUMBLE, "debate"),
        "{toph} tests INT with debate and rolls 100 against 140 %: a fumble, the worst possible result.",
        (
            d100("toph", 100, "test", "fumble", ("140", 70, 1), **OF_140),
            Settled("toph", "test", "fumble", "fumble"),
        ),
    ),
    (
        e.RolledTest("guard", "toph", RollPurpose.OPPOSED, BOD, HARD, 51, 0, -1, 2, CRITICAL),
        "{guard} makes an opposed test of BOD and rolls 2 against 25½ %: a critical success, the best possible result.",
        (d100("guard", 2, "opposed test", "critical", ("51/2", 51, -1), **OF_25),),
    ),
    (
        e.OpposedSettled("toph", ("guard", "toph", "galner")),
        "{guard} wins the opposed test against {toph}, {galner}.",
        (
            Settled("guard", "opposition", "won"),
            Settled("toph", "opposition", "lost"),
            Settled("galner", "opposition", "lost"),
            Settled("guard", "winner", "guard"),
        ),
    ),
    (e.ItemUsed("toph", "herbs", 1), "{toph} uses herbs; its usage die is rolled in a minute.", ()),
    (
        e.RollsDue("toph", "herbs", 1),
        "A minute has passed since {toph} used herbs: its usage die is due.",
        (),
    ),
    (
        e.UsageRolled("toph", "herbs", Usable.ITEM, Die.D8, 1, Die.D6, 0, 0),
        "{toph} rolls 1 on the usage die of herbs, d8: it is downgraded to d6.",
        usage(8, 1, "steps down", "steps down", "d6"),
    ),
    (
        e.UsageRolled("toph", "herbs", Usable.ITEM, Die.D20, 20, Die.D20, 0, 0),
        "{toph} rolls 20 on the usage die of herbs, d20: it stays d20.",
        usage(20, 20, "holds", "steps down", "d20"),
    ),
    (
        e.UsageRolled("toph", "herbs", Usable.ITEM, Die.D4, 1, Die.EXPENDED, 0, 0),
        "{toph} rolls 1 on the usage die of herbs, d4: it is expended.",
        usage(4, 1, "expended", "expended", ""),
    ),
    (e.MomentStarted(3, ("toph", "guard")), "Moment 3 starts for {toph}, {guard}.", ()),
    (e.InitiativeSet("toph", HARD), "The referee calls for a hard initiative test of {toph}.", ()),
    (
        e.InitiativeRolled("toph", 39, 9, 0, 39, FAILURE, "fencing"),
        "{toph} tests INT for initiative with fencing and rolls 39 against 39 %: a failure.",
        (d100("toph", 39, "initiative", "failure", ("39", 39, 0), **OF_39),),
    ),
    (
        e.Ordered(("toph", "guard"), "guard"),
        "The order is {toph}, {guard}; {guard} declares first.",
        (Settled("toph", "acts first", "toph"),),
    ),
    (
        e.OrderSet(("toph", "guard"), ("guard", "toph"), "toph", "a shout"),
        "The referee sets the order {guard}, {toph}; {toph} declares first (a shout).",
        (),
    ),
    (
        e.ActionDeclared("toph", 1, Thing.ACTION, "hurt him", "a kick", False, 1),
        "{toph} declares an action: a kick, to hurt him.",
        (),
    ),
    (
        e.ActionDeclared("toph", 1, Thing.SPRINT, "get close", "sprint", False, 2, "spire"),
        "{toph} declares a sprint to {spire}.",
        (),
    ),
    (
        e.ActionDeclared("toph", 3, Thing.MOVE, "get close", "move", False, 3, "spire"),
        "{toph} declares a move to {spire}, a third thing: all tests this moment one step harder.",
        (),
    ),
    (
        e.ReactionDeclared("toph", 2, "a dodge", "guard", 1, True, 1),
        "{toph} declares a reaction to {guard}: a dodge, with focus.",
        (),
    ),
    (e.SlotPassed("toph"), "{toph} declares next.", ()),
    (e.TurnCame("toph", 1, "hurt him", "a kick"), "It is {toph}'s turn: a kick.", ()),
    (
        e.Moved("toph", "spire", Thing.SPRINT, Distance.DISTANT, Distance.CLOSE),
        "{toph} sprints close to {spire}.",
        (),
    ),
    (
        e.Moved("toph", "spire", Thing.MOVE, Distance.NEAR, Distance.CLOSE),
        "{toph} moves close to {spire}.",
        (),
    ),
    (e.MomentEnded(3), "Moment 3 ends.", ()),
    (e.MomentEnded(3, "the bell rings"), "Moment 3 is broken off (the bell rings).", ()),
    (e.DistanceSet("toph", "spire", Distance.FAR), "{toph} and {spire} are far.", ()),
    (
        e.CharacteristicAdjusted("toph", BOD, 12, 13, "a winter of wrestling"),
        "The referee sets BOD of {toph} from 12 to 13 (a winter of wrestling).",
        (),
    ),
    (
        e.BonusAdjusted("toph", "fencing", 43, 46, "practice"),
        "The referee sets the bonus fencing of {toph} from 43 % to 46 % (practice).",
        (),
    ),
    (
        e.UsageDieAdjusted("toph", "herbs", Die.EXPENDED, Die.D8, 0, 0, "a harvest"),
        "The referee sets the usage die of {toph} for herbs from expended to d8 (a harvest).",
        (),
    ),
]
