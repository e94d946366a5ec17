"""Moments: budget, focus and the third thing, declarations and turns, moves; rulings 11 to 15 and 18 to 21."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET, UnsetType

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.pentola.messages.commands.moments import (
    DeclareAction,
    DeclareMove,
    DeclareReaction,
    EndDeclaration,
    EndMoment,
    RollInitiative,
    RollRest,
    SetInitiative,
    SetOrder,
    StartMoment,
)
from domain.rulesets.pentola.messages.commands.play import Oppose, RuleAutomatic, Withdraw
from domain.rulesets.pentola.messages.events.moments import (
    ActionDeclared,
    InitiativeRolled,
    InitiativeSet,
    MomentEnded,
    MomentStarted,
    Moved,
    Ordered,
    OrderSet,
    ReactionDeclared,
    SlotPassed,
    TurnCame,
)
from domain.rulesets.pentola.messages.events.play import (
    CalledForTest,
    OpponentNamed,
    Ruled,
    Withdrawn,
)
from domain.rulesets.pentola.rules import Distance, Finding, Outcome, Ruling, Thing
from tests.domain.rulesets.given import check
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


def act(extra: bool | UnsetType = UNSET, focus: bool | UnsetType = UNSET) -> DeclareAction:
    return DeclareAction("toph", "win", "a kick", focus, extra)


def react(
    extra: bool | UnsetType = UNSET, focus: bool | UnsetType = UNSET, which: int | UnsetType = UNSET
) -> Message:
    return DeclareReaction("toph", "a dodge", "tarasi", which, focus, extra)


CASES: list[tuple[str, Sequence[Message], By, Message, Sequence[int], Sequence[Message]]] = [
    # id, given, who, when, dice, then
    ("at first everybody", [], GM, StartMoment(), [], [MomentStarted(1, ALL)]),
    (
        "who is named",
        [],
        GM,
        StartMoment(("toph", "guard")),
        [],
        [MomentStarted(1, ("toph", "guard"))],
    ),
    (
        "then as in the last moment",
        [started("toph", "guard"), MomentEnded(1)],
        GM,
        StartMoment(),
        [],
        [MomentStarted(2, ("toph", "guard"))],
    ),
    (
        "ruling 21: a hard initiative",
        [started("toph", "guard")],
        GM,
        SetInitiative("toph", HARD),
        [],
        [InitiativeSet("toph", HARD)],
    ),
    (
        "ruling 21: its goal is halved",
        [started("toph", "guard"), InitiativeSet("toph", HARD)],
        P1,
        RollInitiative("toph"),
        [19],
        [InitiativeRolled("toph", 39, 0, -1, 19, Outcome.SUCCESS)],
    ),
    (
        "ruling 19: the highest of skill and vocation",
        [started("toph", "guard")],
        P1,
        RollInitiative("toph", ("bravo", "fencing")),
        [8],
        [InitiativeRolled("toph", 82, 43, 0, 8, Outcome.CRITICAL, "fencing")],
    ),
    (
        "all the referee's at once",
        [started("toph", "galner", "guard"), initiative("toph", 31)],
        GM,
        RollRest(("needlejutsu",)),
        [10, 27],
        [
            InitiativeRolled("galner", 51, 21, 0, 10, Outcome.SUCCESS, "needlejutsu"),
            InitiativeRolled("guard", 27, 0, 0, 27, Outcome.FAILURE),
            Ordered(("toph", "galner", "guard"), "guard"),
        ],
    ),
    (
        "any other order",
        [started("toph", "guard")],
        GM,
        SetOrder(("guard", "toph"), "the guard hides"),
        [],
        [OrderSet(("toph", "guard"), ("guard", "toph"), "toph", "the guard hides")],
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
        [ReactionDeclared("toph", 3, "a dodge", "tarasi", 2, focus=False, things=1)],
    ),
    (
        "the next better declares",
        [*DUEL, acts(1, "tarasi")],
        P2,
        EndDeclaration("tarasi"),
        [],
        [SlotPassed("toph")],
    ),
    (
        "the best acts first",
        [*HIS_SLOT, acts(2, "toph", "an elbow")],
        P1,
        EndDeclaration("toph"),
        [],
        [TurnCame("toph", 2, "win", "an elbow")],
    ),
    ("nobody acts", [*DUEL, slot("toph")], P1, EndDeclaration("toph"), [], [MomentEnded(1)]),
    (
        "a ruling ends the turn",
        [*HIS_SLOT, acts(2, "toph"), turn(2, "toph")],
        GM,
        RuleAutomatic("toph", FAILS),
        [],
        [Ruled("toph", FAILS, Ruling.FAILURE), turn(1, "tarasi")],
    ),
    ("ruling 14: dropped", KICK, P2, Withdraw("tarasi"), [], [Withdrawn("tarasi"), MomentEnded(1)]),
    (
        "the reaction opposes",
        [*KICK, CalledForTest("tarasi", BOD, NORMAL)],
        GM,
        Oppose("tarasi", "toph", BOD, EASY),
        [],
        [OpponentNamed("tarasi", "toph", BOD, EASY, 2)],
    ),
    ("broken off", KICK, GM, EndMoment("the bell rings"), [], [MomentEnded(1, "the bell rings")]),
    (
        "a walk",
        [*DUEL, apart("tarasi", "spire", Distance.NEAR)],
        P2,
        DeclareMove("tarasi", "spire"),
        [],
        [moves(1, "tarasi", "spire")],
    ),
    (
        "a sprint takes two things",
        [*DUEL, apart("spire", "tarasi", Distance.DISTANT)],
        P2,
        DeclareMove("tarasi", "spire", True),
        [],
        [
            ActionDeclared(
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
        RuleAutomatic("tarasi", Finding.CANNOT_FAIL),
        [],
        [
            Ruled("tarasi", Finding.CANNOT_FAIL, Ruling.SUCCESS),
            Moved("tarasi", "spire", Thing.SPRINT, Distance.DISTANT, Distance.CLOSE),
            MomentEnded(1),
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
        RuleAutomatic("tarasi", Finding.CANNOT_FAIL),
        [],
        [Ruled("tarasi", Finding.CANNOT_FAIL, Ruling.SUCCESS), MomentEnded(1)],
    ),
]


@pytest.mark.parametrize(
    ("given", "by", "when", "drawn", "then"),
    [row[1:] for row in CASES],
    ids=[row[0] for row in CASES],
)
def test_case(
    given: Sequence[Message], by: By, when: Message, drawn: Sequence[int], then: Sequence[Message]
) -> None:
    check(given=[*TABLE, *given], when=when, by=by, drawn=drawn, then=then)
