"""Moments: budget, focus, declarations, turns and moves (rulings 11 to 15, 18 to 21)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.pentola import commands as c, events as e
from domain.rulesets.pentola.rules import Distance, Finding, Outcome, Ruling, Thing
from tests.domain.rulesets.given import Case, each_case
from tests.domain.rulesets.pentola.people import (
    BOD,
    DUEL,
    EASY,
    GM,
    HARD,
    NORMAL,
    P1,
    P2,
    TABLE,
    acts,
    apart,
    initiative,
    moves,
    reacts,
    slot,
    started,
    turn,
)

ALL = ("galner", "guard", "toph", "tarasi")  # by seat and id
FAILS = Finding.CANNOT_SUCCEED
HIS_SLOT = [*DUEL, acts(1, "tarasi"), slot("toph")]
KICK = [*HIS_SLOT, reacts(2, "toph", "tarasi", 1), turn(1, "tarasi")]


def act(extra: bool | UnsetType = UNSET, focus: bool | UnsetType = UNSET) -> c.DeclareAction:
    return c.DeclareAction("toph", "win", "a kick", focus, extra)


def react(
    extra: bool | UnsetType = UNSET, focus: bool | UnsetType = UNSET, which: int | UnsetType = UNSET
) -> Message:
    return c.DeclareReaction("toph", "a dodge", "tarasi", which, focus, extra)


CASES: list[tuple[str, Sequence[Message], By, Message, Sequence[int], Sequence[Message]]] = [
    # id, given, who, when, dice, then
    ("at first everybody", [], GM, c.StartMoment(), [], [e.MomentStarted(1, ALL)]),
    (
        "who is named",
        [],
        GM,
        c.StartMoment(("toph", "guard")),
        [],
        [e.MomentStarted(1, ("toph", "guard"))],
    ),
    (
        "then as in the last moment",
        [started("toph", "guard"), e.MomentEnded(1)],
        GM,
        c.StartMoment(),
        [],
        [e.MomentStarted(2, ("toph", "guard"))],
    ),
    (
        "ruling 21: a hard initiative",
        [started("toph", "guard")],
        GM,
        c.SetInitiative("toph", HARD),
        [],
        [e.InitiativeSet("toph", HARD)],
    ),
    (
        "ruling 21: its goal is halved",
        [started("toph", "guard"), e.InitiativeSet("toph", HARD)],
        P1,
        c.RollInitiative("toph"),
        [19],
        [e.InitiativeRolled("toph", 39, 0, -1, 19, Outcome.SUCCESS)],
    ),
    (
        "ruling 19: the highest of skill and vocation",
        [started("toph", "guard")],
        P1,
        c.RollInitiative("toph", ("bravo", "fencing")),
        [8],
        [e.InitiativeRolled("toph", 82, 43, 0, 8, Outcome.CRITICAL, "fencing")],
    ),
    (
        "all the referee's at once",
        [started("toph", "galner", "guard"), initiative("toph", 31)],
        GM,
        c.RollRest(("needlejutsu",)),
        [10, 27],
        [
            e.InitiativeRolled("galner", 51, 21, 0, 10, Outcome.SUCCESS, "needlejutsu"),
            e.InitiativeRolled("guard", 27, 0, 0, 27, Outcome.FAILURE),
            e.Ordered(("toph", "galner", "guard"), "guard"),
        ],
    ),
    (
        "any other order",
        [started("toph", "guard")],
        GM,
        c.SetOrder(("guard", "toph"), "the guard hides"),
        [],
        [e.OrderSet(("toph", "guard"), ("guard", "toph"), "toph", "the guard hides")],
    ),
    ("an action", HIS_SLOT, P1, act(), [], [acts(2, "toph")]),
    (
        "then a reaction",
        [*HIS_SLOT, acts(2, "toph")],
        P1,
        react(),
        [],
        [reacts(3, "toph", "tarasi", 1, 2)],
    ),
    ("or two actions", [*HIS_SLOT, acts(2, "toph")], P1, act(), [], [acts(3, "toph", things=2)]),
    (
        "or two reactions",
        [*HIS_SLOT, reacts(2, "toph", "tarasi", 1)],
        P1,
        react(),
        [],
        [reacts(3, "toph", "tarasi", 1, 2)],
    ),
    (
        "ruling 11: a third thing",
        [*HIS_SLOT, acts(2, "toph"), acts(3, "toph", things=2)],
        P1,
        react(extra=True),
        [],
        [reacts(4, "toph", "tarasi", 1, 3)],
    ),
    ("ruling 12: focus", HIS_SLOT, P1, act(focus=True), [], [acts(2, "toph", focus=True)]),
    (
        "focus of a reaction",
        HIS_SLOT,
        P1,
        react(focus=True),
        [],
        [reacts(2, "toph", "tarasi", 1, focus=True)],
    ),
    (
        "against the second action",
        [*DUEL, acts(1, "tarasi"), acts(2, "tarasi", "a punch", 2), slot("toph")],
        P1,
        react(which=2),
        [],
        [e.ReactionDeclared("toph", 3, "a dodge", "tarasi", 2, focus=False, things=1)],
    ),
    (
        "the next better declares",
        [*DUEL, acts(1, "tarasi")],
        P2,
        c.EndDeclaration("tarasi"),
        [],
        [e.SlotPassed("toph")],
    ),
    (
        "the best acts first",
        [*HIS_SLOT, acts(2, "toph", "an elbow")],
        P1,
        c.EndDeclaration("toph"),
        [],
        [e.TurnCame("toph", 2, "win", "an elbow")],
    ),
    ("nobody acts", [*DUEL, slot("toph")], P1, c.EndDeclaration("toph"), [], [e.MomentEnded(1)]),
    (
        "a ruling ends the turn",
        [*HIS_SLOT, acts(2, "toph"), turn(2, "toph")],
        GM,
        c.RuleAutomatic("toph", FAILS),
        [],
        [e.Ruled("toph", FAILS, Ruling.FAILURE), turn(1, "tarasi")],
    ),
    (
        "ruling 14: dropped",
        KICK,
        P2,
        c.Withdraw("tarasi"),
        [],
        [e.Withdrawn("tarasi"), e.MomentEnded(1)],
    ),
    (
        "the reaction opposes",
        [*KICK, e.CalledForTest("tarasi", BOD, NORMAL)],
        GM,
        c.Oppose("tarasi", "toph", BOD, EASY),
        [],
        [e.OpponentNamed("tarasi", "toph", BOD, EASY, 2)],
    ),
    (
        "broken off",
        KICK,
        GM,
        c.EndMoment("the bell rings"),
        [],
        [e.MomentEnded(1, "the bell rings")],
    ),
    (
        "a walk",
        [*DUEL, apart("tarasi", "spire", Distance.NEAR)],
        P2,
        c.DeclareMove("tarasi", "spire"),
        [],
        [moves(1, "tarasi", "spire")],
    ),
    (
        "a sprint takes two things",
        [*DUEL, apart("spire", "tarasi", Distance.DISTANT)],
        P2,
        c.DeclareMove("tarasi", "spire", True),
        [],
        [
            e.ActionDeclared(
                "tarasi",
                1,
                Thing.SPRINT,
                "get close",
                "sprint",
                focus=False,
                things=2,
                target="spire",
            )
        ],
    ),
    (
        "a sprint that succeeds",
        [
            *DUEL,
            apart("spire", "tarasi", Distance.DISTANT),
            moves(1, "tarasi", "spire", Thing.SPRINT),
            slot("toph"),
            turn(1, "tarasi", "sprint", "get close"),
        ],
        GM,
        c.RuleAutomatic("tarasi", Finding.CANNOT_FAIL),
        [],
        [
            e.Ruled("tarasi", Finding.CANNOT_FAIL, Ruling.SUCCESS),
            e.Moved("tarasi", "spire", Thing.SPRINT, Distance.DISTANT, Distance.CLOSE),
            e.MomentEnded(1),
        ],
    ),
    (
        "a walk whose target has gone too far",
        [
            *DUEL,
            moves(1, "tarasi", "spire"),
            apart("spire", "tarasi", Distance.FAR),
            slot("toph"),
            turn(1, "tarasi", "move", "get close"),
        ],
        GM,
        c.RuleAutomatic("tarasi", Finding.CANNOT_FAIL),
        [],
        [e.Ruled("tarasi", Finding.CANNOT_FAIL, Ruling.SUCCESS), e.MomentEnded(1)],
    ),
]


ROWS: list[Case] = [
    *(
        Case(name, [*TABLE, *given], by, when, drawn, then)
        for name, given, by, when, drawn, then in CASES
    ),
]


@each_case(ROWS)
def test_case(case: Case) -> None:
    case.check()
