"""One row or more for every event: its text and what it counts for."""

from __future__ import annotations

from collections.abc import Mapping

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
    TieBreak,
    Usable,
)
from domain.tally import (
    Attempted,
    Counts,
    Moved,
    Owned,
    Probability,
    Rolled,
    Settled,
    Ticked,
    Wore,
)

BOD, INT, _ = Characteristic
EASY, NORMAL, HARD = Difficulty
FUMBLE, FAILURE, SUCCESS, CRITICAL = Outcome


def d100(
    who: str,
    roll: int,
    use: str,
    outcome: str,
    given: tuple[str, int, int],
    ways: Mapping[str, int],
    *,
    is_save: bool = False,
) -> tuple[Rolled, Attempted]:
    """Return the counts of a d100.

    `given` holds the goal, and the percent and steps that make it. `ways` are worst first.
    """
    chances: dict[str, Probability] = {name: (number, 100) for name, number in ways.items()}
    attempted = Attempted(
        who,
        use,
        str(roll),
        outcome,
        chances,
        tuple(name for name in ("success", "critical") if name in ways),
        is_save=is_save,
        given=dict(zip(("goal", "percent", "steps"), given, strict=True)),
    )
    return Rolled(who, "d100", str(roll), use), attempted


def usage(die: int, face: int, outcome: str, down: str, left: str) -> Counts:
    chances: dict[str, Probability] = {down: (1, die), "holds": (die - 1, die)}
    return (
        Rolled("toph", f"d{die}", str(face), "usage die"),
        Attempted("toph", "usage die", str(face), outcome, chances),
        Wore("toph", "herbs", f"d{die}", left, (1, die)),
    )


OF_39 = {"fumble": 1, "failure": 61, "success": 35, "critical": 3}
OF_25 = {"fumble": 1, "failure": 74, "success": 23, "critical": 2}
OF_140 = {"fumble": 1, "success": 86, "critical": 13}

TIES = {
    TieBreak.PLAYER: "goes to the player",
    TieBreak.DEFENDER: "goes to the defender",
    TieBreak.GOAL: "goes to the higher goal",
    TieBreak.ORDER: "is decided by seat order",
}

TEXTS: list[tuple[e.Event, str, Counts]] = [
    (
        e.CharacterCreated("toph", "Toph", Being.PC, "p1", 12, 13),
        "{toph} joins the game as a PC with BOD 12 and INT 13.",
        (Owned("toph", "p1"),),
    ),
    (
        e.CharacterCreated("guard", "The guard", Being.NPC, "gm", 12, 13, 7),
        "{guard} joins the game as an NPC with BOD 12, INT 13 and POW 7.",
        (Owned("guard", "gm"),),
    ),
    (
        e.CharacterCreated("toph", "Toph", Being.PC, "p1", 12, 13, 7, 10),
        "{toph} joins the game as a PC with BOD 12, INT 13, POW 7 and 10 hit points.",
        (Owned("toph", "p1"),),
    ),
    (
        e.ThingCreated("spire", "The spire", "gm"),
        "{spire} is now part of the scene.",
        (Owned("spire", "gm"),),
    ),
    (e.Retired("toph", "a grave"), "{toph} leaves the story for good (a grave).", ()),
    (
        e.BonusAdded("toph", "fencing", Bonus.SKILL, 43),
        "{toph} has a new skill: fencing (+43 %).",
        (),
    ),
    (
        e.UsableAdded("toph", "herbs", Usable.ITEM, Die.D8),
        "{toph} has a new item: herbs (usage die d8).",
        (),
    ),
    (
        e.ItemGiven("toph", "herbs", "tarasi", Die.D8, 1, 0),
        "{toph} gives {tarasi} an item: herbs (usage die d8).",
        (),
    ),
    (e.IntentDeclared("toph", "to pass"), "{toph}'s plan: to pass.", ()),
    (
        e.IntentDeclared("toph", "to pass", "by wit"),
        "{toph}'s plan: to pass (by wit).",
        (),
    ),
    (e.ApproachExplained("toph", "by wit"), "{toph}'s approach: by wit.", ()),
    (e.Withdrawn("toph"), "{toph} gives up the plan.", ()),
    (
        e.Withdrawn("toph", "to pass", "by wit", 2),
        "{toph} gives up this plan: to pass (by wit).",
        (),
    ),
    (e.Withdrawn("toph", "to pass"), "{toph} gives up this plan: to pass.", ()),
    (
        e.Ruled("toph", Finding.CANNOT_FAIL, Ruling.SUCCESS, "the guard\n\nlets him pass"),
        "The referee rules that {toph} cannot fail, so {toph} succeeds without a test. The guard lets him pass.",
        (Settled("toph", "ruling", "automatic success"),),
    ),
    (
        e.Ruled("toph", Finding.CANNOT_SUCCEED, Ruling.FAILURE, "To the cells with him!"),
        "The referee rules that {toph} cannot succeed, so {toph} fails without a test. To the cells with him!",
        (Settled("toph", "ruling", "automatic failure"),),
    ),
    (
        e.Ruled("toph", Finding.CANNOT_FAIL, Ruling.SUCCESS),
        "The referee rules that {toph} cannot fail, so {toph} succeeds without a test.",
        (Settled("toph", "ruling", "automatic success"),),
    ),
    (
        e.Ruled("toph", Finding.CANNOT_SUCCEED, Ruling.FAILURE),
        "The referee rules that {toph} cannot succeed, so {toph} fails without a test.",
        (Settled("toph", "ruling", "automatic failure"),),
    ),
    (
        e.Ruled("toph", Finding.NO_CONSEQUENCES, Ruling.SUCCESS),
        "The referee rules that a failure would have no meaningful consequences, so {toph} succeeds without a test.",
        (Settled("toph", "ruling", "automatic success"),),
    ),
    (e.CalledForTest("toph", INT, EASY), "The referee calls for an easy INT test from {toph}.", ()),
    (
        e.CalledForTest("toph", INT, EASY, "share gossip"),
        "Share gossip: the referee calls for an easy INT test from {toph}.",
        (),
    ),
    (e.TestDemanded("toph", BOD, HARD), "The referee calls for a hard BOD test from {toph}.", ()),
    (
        e.TestDemanded("toph", BOD, NORMAL, "stay on the roof"),
        "Stay on the roof: the referee calls for a normal BOD test from {toph}.",
        (),
    ),
    (
        e.OpponentNamed("toph", "guard", BOD, HARD, competes=True),
        "{guard} competes with {toph} and makes a hard BOD test.",
        (),
    ),
    (
        e.OpponentNamed("toph", "guard", BOD, HARD, 2, aim="hold the door"),
        "Hold the door: {guard} opposes {toph} with a hard BOD test.",
        (),
    ),
    (
        e.TestChanged("toph", INT, EASY, BOD, HARD, "a slip"),
        "The referee changes {toph}'s test from easy INT to hard BOD (a slip).",
        (),
    ),
    (
        e.TestChanged("toph", INT, EASY, INT, HARD, "a slip", "share gossip"),
        "Share gossip: the referee changes {toph}'s test from easy INT to hard INT (a slip).",
        (),
    ),
    (
        e.CalledOff("toph", "a slip", (2, 3)),
        "The referee calls off {toph}'s test (a slip).",
        (),
    ),
    (
        e.OpponentNamed("toph", "guard", BOD, HARD),
        "{guard} opposes {toph} with a hard BOD test.",
        (),
    ),
    (
        e.BonusRuled("toph", "fencing", False),
        'The referee rules out "fencing" for {toph}\'s next roll.',
        (),
    ),
    (
        e.BonusRuled("toph", "fencing", True),
        'The referee allows "fencing" for {toph}\'s next roll.',
        (),
    ),
    (
        e.RolledTest("toph", "toph", RollPurpose.TEST, INT, NORMAL, 39, 0, 0, 38, SUCCESS),
        "{toph} rolls 38 on INT, against a goal of 39 %: success.",
        (
            *d100("toph", 38, "test", "success", ("39", 39, 0), OF_39),
            Settled("toph", "test", "success", "success"),
        ),
    ),
    (
        e.RolledTest("toph", "toph", RollPurpose.TEST, INT, EASY, 70, 31, 1, 100, FUMBLE, "debate"),
        "{toph} rolls 100 on INT with debate, against a goal of 140 %: fumble.",
        (
            *d100("toph", 100, "test", "fumble", ("140", 70, 1), OF_140),
            Settled("toph", "test", "fumble", "fumble"),
        ),
    ),
    (
        e.RolledTest("guard", "toph", RollPurpose.OPPOSED, BOD, HARD, 51, 0, -1, 2, CRITICAL),
        "{guard} rolls 2 on BOD, against a goal of 25½ %: critical success.",
        (*d100("guard", 2, "opposed test", "critical", ("51/2", 51, -1), OF_25, is_save=True),),
    ),
    (
        e.OpposedSettled("toph", ("guard", "toph", "galner")),
        "{guard} wins the opposed test, ahead of {toph} and {galner}.",
        (
            Settled("guard", "opposition", "won"),
            Settled("toph", "opposition", "lost"),
            Settled("galner", "opposition", "lost"),
            Settled("guard", "winner", "guard"),
        ),
    ),
    *(
        (
            e.OpposedSettled("toph", ("guard", "toph"), tie),
            f"{{guard}} wins the opposed test, ahead of {{toph}}. It was a tie, which {how}.",
            (
                Settled("guard", "opposition", "won"),
                Settled("toph", "opposition", "lost"),
                Settled("guard", "winner", "guard"),
            ),
        )
        for tie, how in TIES.items()
    ),
    (
        e.RolledTest(
            "toph", "toph", RollPurpose.DEMANDED, INT, NORMAL, 39, 0, 0, 38, SUCCESS, aim="hold on"
        ),
        "Hold on: {toph} rolls 38 on INT, against a goal of 39 %: success.",
        (
            *d100("toph", 38, "demanded test", "success", ("39", 39, 0), OF_39),
            Settled("toph", "demanded test", "success", "success"),
        ),
    ),
    (
        e.ItemUsed("toph", "herbs", 1),
        '{toph} uses "herbs" and will roll its usage die after a minute.',
        (),
    ),
    (
        e.ItemUsed("toph", "herbs", 1, 1, "brew a tea"),
        'Brew a tea: {toph} uses "herbs" and will roll its usage die after a minute.',
        (),
    ),
    (
        e.RollsDue("toph", "herbs", 1, 1),
        '{toph} has to roll the usage die for "herbs", because a minute has passed.',
        (),
    ),
    (
        e.RollsDue("toph", "herbs", 2, 5),
        '{toph} has to roll the usage die for "herbs" twice, once for each use, because 5 minutes have passed.',
        (),
    ),
    (
        e.RollsDue("toph", "herbs", 1, 150),
        '{toph} has to roll the usage die for "herbs", because 2 hours and 30 minutes have passed.',
        (),
    ),
    (
        e.RollsDue("toph", "herbs", 1),
        '{toph} has to roll the usage die for "herbs", because a minute has passed.',
        (),
    ),
    (
        e.RollsDue("toph", "herbs", 2),
        '{toph} has to roll the usage die for "herbs" twice, once for each use, because a minute has passed.',
        (),
    ),
    (
        e.RollsDue("toph", "herbs", 3),
        '{toph} has to roll the usage die for "herbs" 3 times, once for each use, because a minute has passed.',
        (),
    ),
    (
        e.UsageRolled("toph", "herbs", Usable.ITEM, Die.D8, 1, Die.D6, 0, 0),
        '{toph} rolls 1 on the d8 for "herbs": it drops to a d6.',
        usage(8, 1, "steps down", "steps down", "d6"),
    ),
    (
        e.UsageRolled("toph", "herbs", Usable.ITEM, Die.D20, 20, Die.D20, 0, 0),
        '{toph} rolls 20 on the d20 for "herbs": it stays a d20.',
        usage(20, 20, "holds", "steps down", "d20"),
    ),
    (
        e.UsageRolled("toph", "herbs", Usable.ITEM, Die.D4, 1, Die.EXPENDED, 0, 0),
        '{toph} rolls 1 on the d4 for "herbs": it is expended.',
        usage(4, 1, "expended", "expended", ""),
    ),
    (
        e.UsageRolled("toph", "herbs", Usable.ABILITY, Die.D8, 8, Die.D8, 0, 0),
        "{toph} uses herbs and rolls 8 on the d8: it stays a d8.",
        usage(8, 8, "holds", "steps down", "d8"),
    ),
    (
        e.UsageRolled("toph", "herbs", Usable.ABILITY, Die.D8, 8, Die.D8, 0, 0, 1, "brew a tea"),
        "Brew a tea: {toph} uses herbs and rolls 8 on the d8: it stays a d8.",
        usage(8, 8, "holds", "steps down", "d8"),
    ),
    (e.MomentStarted(3, ("toph", "guard")), "Moment 3 begins for {toph} and {guard}.", ()),
    (
        e.MomentStarted(3, ("toph", "guard"), "the chase"),
        "The chase: moment 3 begins for {toph} and {guard}.",
        (),
    ),
    (
        e.InitiativeSet("toph", HARD, "in the dark"),
        "In the dark: the referee calls for a hard initiative test from {toph}.",
        (),
    ),
    (
        e.InitiativeRolled("toph", 39, 9, 0, 39, FAILURE, "fencing", "the chase"),
        "The chase: {toph} rolls 39 for initiative with fencing, against a goal of 39 %: failure.",
        (*d100("toph", 39, "initiative", "failure", ("39", 39, 0), OF_39),),
    ),
    (
        e.InitiativeSet("toph", HARD),
        "The referee calls for a hard initiative test from {toph}.",
        (),
    ),
    (
        e.InitiativeRolled("toph", 39, 9, 0, 39, FAILURE, "fencing"),
        "{toph} rolls 39 for initiative with fencing, against a goal of 39 %: failure.",
        (*d100("toph", 39, "initiative", "failure", ("39", 39, 0), OF_39),),
    ),
    (
        e.Ordered(("toph", "guard"), "guard"),
        "The order is {toph}, then {guard}; {guard} declares first.",
        (Settled("toph", "acts first", "toph"),),
    ),
    (
        e.OrderSet(("toph", "guard"), ("guard", "toph"), "toph", "a shout"),
        "The referee sets the order: {guard}, then {toph} (a shout); {toph} declares first.",
        (),
    ),
    (
        e.ActionDeclared("toph", 1, Thing.ACTION, "hurt him", "a kick", False, 1),
        "{toph} declares an action: hurt him (a kick).",
        (),
    ),
    (
        e.ActionDeclared("toph", 1, Thing.SPRINT, "get close", "sprint", False, 2, "spire"),
        "{toph} declares a sprint to {spire}.",
        (),
    ),
    (
        e.ActionDeclared("toph", 3, Thing.MOVE, "get close", "move", False, 3, "spire"),
        "{toph} declares a move to {spire}. This is an extra action, so all of {toph}'s tests in this moment are one step harder.",
        (),
    ),
    (
        e.ReactionDeclared("toph", 2, "a dodge", "guard", 1, True, 1),
        "{toph} declares a reaction to {guard}: a dodge. With focus, the test is one step easier.",
        (),
    ),
    (
        e.ActionDeclared("toph", 1, Thing.ACTION, "be strong", "a tea", False, 1, uses="herbs"),
        '{toph} declares an action: be strong (a tea), using "herbs".',
        (),
    ),
    (
        e.ReactionDeclared("toph", 2, "a dodge", "guard", 1, True, 1, "second wind"),
        '{toph} declares a reaction to {guard}: a dodge, using "second wind".'
        " With focus, the test is one step easier.",
        (),
    ),
    (
        e.ReactionDeclared("toph", 2, "interfere: a tile", "guard", 1, False, 1),
        "{toph} declares a reaction to {guard}: interfere (a tile).",
        (),
    ),
    (
        e.ReactionDropped("toph", 2, "a dodge", "guard"),
        '{toph} does not use the reaction "a dodge" to {guard}.',
        (),
    ),
    (
        e.ActionDeclared("toph", 1, Thing.SPRINT, "get away", "sprint", False, 2, "guard", True),
        "{toph} declares a sprint away from {guard}.",
        (),
    ),
    (e.SlotPassed("toph"), "{toph} declares next.", ()),
    (
        e.TurnCame("toph", 1, "hurt him", "a kick"),
        "It is {toph}'s turn to act. The plan: hurt him (a kick).",
        (),
    ),
    (
        e.Moved("toph", "spire", Thing.SPRINT, Distance.DISTANT, Distance.CLOSE),
        "{toph} sprints up to {spire} and is now close.",
        (),
    ),
    (
        e.Moved("toph", "spire", Thing.MOVE, Distance.NEAR, Distance.CLOSE),
        "{toph} moves up to {spire} and is now close.",
        (),
    ),
    (
        e.Moved("toph", "spire", Thing.SPRINT, Distance.FAR, Distance.DISTANT),
        "{toph} sprints towards {spire} and is now distant.",
        (),
    ),
    (
        e.Moved("toph", "guard", Thing.MOVE, Distance.CLOSE, Distance.NEAR),
        "{toph} moves away from {guard} and is now near.",
        (),
    ),
    (
        e.Moved("toph", "guard", Thing.SPRINT, Distance.FAR, Distance.FAR),
        "{toph} sprints and is still far from {guard}.",
        (),
    ),
    (e.MomentEnded(3), "Moment 3 ends.", ()),
    (e.MomentEnded(3, "the bell rings"), "The referee ends moment 3 early (the bell rings).", ()),
    (e.DistanceSet("toph", "spire", Distance.NEAR), "{toph} is near {spire}.", ()),
    (e.DistanceSet("toph", "spire", Distance.FAR), "{toph} is far from {spire}.", ()),
    (e.ConditionSet("toph", "hexed"), '{toph} now has the condition "hexed".', ()),
    (
        e.ConditionSet("toph", "hexed", 3, note="all tests are hard"),
        '{toph} now has the condition "hexed" for 3 moments (all tests are hard).',
        (Ticked("toph", "hexed", 3, is_set=True),),
    ),
    (
        e.ConditionSet("toph", "hexed", minutes=1),
        '{toph} now has the condition "hexed" for 1 minute.',
        (),
    ),
    (
        e.ConditionSet("toph", "hexed", minutes=120),
        '{toph} now has the condition "hexed" for 2 hours.',
        (),
    ),
    (
        e.ConditionTicked("toph", "hexed", 1),
        '{toph} has the condition "hexed" for 1 more moment.',
        (Ticked("toph", "hexed", 1),),
    ),
    (
        e.ConditionTicked("toph", "hexed", minutes=20),
        '{toph} has the condition "hexed" for 20 more minutes.',
        (),
    ),
    (
        e.ConditionTicked("toph", "hexed", minutes=470),
        '{toph} has the condition "hexed" for another 7 hours and 50 minutes.',
        (),
    ),
    (
        e.ConditionTicked("toph", "hexed", 0),
        '{toph} no longer has the condition "hexed".',
        (Ticked("toph", "hexed", 0),),
    ),
    (
        e.ConditionTicked("toph", "hexed", minutes=0),
        '{toph} no longer has the condition "hexed".',
        (),
    ),
    (
        e.ConditionEnded("toph", "hexed", "a priest", 2),
        '{toph} no longer has the condition "hexed" (a priest).',
        (Ticked("toph", "hexed", 0, is_set=True),),
    ),
    (
        e.ConditionEnded("toph", "hexed", "a priest"),
        '{toph} no longer has the condition "hexed" (a priest).',
        (),
    ),
    (
        e.Harmed("toph", 4, 8, 12, "a kick"),
        "{toph} loses 4 hit points and has 8 of 12 left (a kick).",
        (Moved("toph", "HP", -4, "harm", 8),),
    ),
    (
        e.Harmed("toph", 1, 0, 12, "a kick"),
        "{toph} loses 1 hit point and is dead (a kick).",
        (Moved("toph", "HP", -1, "harm", 0),),
    ),
    (
        e.Healed("toph", 3, 11, 12, "a week of rest"),
        "{toph} regains 3 hit points and has 11 of 12 now (a week of rest).",
        (Moved("toph", "HP", 3, "healing", 11),),
    ),
    (
        e.CharacteristicAdjusted("toph", BOD, 12, 13, "a winter of wrestling"),
        "The referee changes {toph}'s BOD from 12 to 13 (a winter of wrestling).",
        (),
    ),
    (
        e.BonusAdjusted("toph", "fencing", 43, 46, "practice"),
        'The referee changes {toph}\'s bonus for "fencing" from 43 % to 46 % (practice).',
        (),
    ),
    (
        e.UsageDieAdjusted("toph", "herbs", Die.EXPENDED, Die.D8, 0, 0, "a harvest"),
        "The referee rules that {toph} has herbs again, with a d8 as the usage die (a harvest).",
        (),
    ),
    (
        e.UsageDieAdjusted("toph", "herbs", Die.D8, Die.EXPENDED, 0, 0, "a leak"),
        "The referee rules that {toph} has no herbs left (a leak).",
        (),
    ),
    (
        e.UsageDieAdjusted("toph", "herbs", Die.D8, Die.D12, 0, 0, "a harvest"),
        "The referee changes {toph}'s usage die for herbs from d8 to d12 (a harvest).",
        (),
    ),
]
