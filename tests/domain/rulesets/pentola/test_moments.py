"""Moments: budget, focus, declarations, turns and moves (rulings 11 to 15, 18 to 21)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET, UnsetType

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.pentola import commands as c, events as e
from domain.rulesets.pentola.rules import (
    Being,
    Die,
    Distance,
    Finding,
    Options,
    Outcome,
    RollPurpose,
    Ruling,
    Thing,
    Usable,
)
from tests.domain.rulesets.given import Case, check, each_case, play
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
    rolled,
    slot,
    started,
    turn,
)

OX = e.CharacterCreated("ox", "Ox", Being.PC, "p1", 12, 13, UNSET, 12)
DEAD = [OX, e.Harmed("ox", 12, 0, 12, "a fall")]
ALL = ("galner", "guard", "toph", "tarasi")  # by seat and id
FAILS = Finding.CANNOT_SUCCEED
HIS_SLOT = [*DUEL, acts(1, "tarasi"), slot("toph")]
HERBAL = [*HIS_SLOT, acts(2, "toph", "a tea", uses="herbs")]
KICK = [*HIS_SLOT, reacts(2, "toph", "tarasi", 1), turn(1, "tarasi")]
CALLED = e.CalledForTest("tarasi", BOD, NORMAL)
UNUSED = e.ReactionDropped("toph", 2, "a dodge", "tarasi")


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
        [e.Withdrawn("tarasi", "win", "a kick", 1), UNUSED, e.MomentEnded(1)],
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
        [
            e.Ruled("tarasi", Finding.CANNOT_FAIL, Ruling.SUCCESS),
            e.Moved("tarasi", "spire", Thing.MOVE, Distance.FAR, Distance.FAR),
            e.MomentEnded(1),
        ],
    ),
    (
        "a walk that fails is no move",
        [
            *DUEL,
            moves(1, "tarasi", "spire"),
            apart("spire", "tarasi", Distance.FAR),
            slot("toph"),
            turn(1, "tarasi", "move", "get close"),
        ],
        GM,
        c.RuleAutomatic("tarasi", FAILS),
        [],
        [e.Ruled("tarasi", FAILS, Ruling.FAILURE), e.MomentEnded(1)],
    ),
    (
        "what the ruling comes to",
        [*HIS_SLOT, acts(2, "toph"), turn(2, "toph")],
        GM,
        c.RuleAutomatic("toph", FAILS, "she ducks"),
        [],
        [e.Ruled("toph", FAILS, Ruling.FAILURE, "she ducks"), turn(1, "tarasi")],
    ),
    (
        "a reaction is dropped",
        KICK,
        P1,
        c.DropReaction("toph"),
        [],
        [UNUSED],
    ),
    (
        "then the roll waits for nobody",
        [*KICK, CALLED, UNUSED],
        P2,
        c.RollTest("tarasi"),
        [33],
        [
            e.RolledTest(
                *("tarasi", "tarasi", RollPurpose.TEST, BOD, NORMAL, 33, 0, 0, 33),
                Outcome.FAILURE,
            ),
            e.MomentEnded(1),
        ],
    ),
    (
        "a ruling says that the reaction is not used",
        KICK,
        GM,
        c.RuleAutomatic("tarasi", FAILS),
        [],
        [e.Ruled("tarasi", FAILS, Ruling.FAILURE), UNUSED, e.MomentEnded(1)],
    ),
    (
        "a race needs no reaction",
        [*HIS_SLOT, acts(2, "toph"), turn(2, "toph"), e.CalledForTest("toph", BOD, NORMAL)],
        GM,
        c.Oppose("toph", "tarasi", BOD, NORMAL, True),
        [],
        [e.OpponentNamed("toph", "tarasi", BOD, NORMAL, competes=True)],
    ),
    (
        "nor does a guard who has no part in it",
        [*KICK, CALLED],
        GM,
        c.Oppose("tarasi", "guard", BOD, HARD, True, "see it coming"),
        [],
        [e.OpponentNamed("tarasi", "guard", BOD, HARD, competes=True, aim="see it coming")],
    ),
    (
        "who has a reaction uses it",
        [*KICK, CALLED],
        GM,
        c.Oppose("tarasi", "toph", BOD, NORMAL, True),
        [],
        [e.OpponentNamed("tarasi", "toph", BOD, NORMAL, 2)],
    ),
    (
        "an action names what it uses",
        HIS_SLOT,
        P1,
        c.DeclareAction("toph", "win", "a tea", uses=" HERBS"),
        [],
        [acts(2, "toph", "a tea", uses="herbs")],
    ),
    (
        "and so does a reaction",
        HIS_SLOT,
        P1,
        c.DeclareReaction("toph", "a dodge", "tarasi", uses="second wind"),
        [],
        [reacts(2, "toph", "tarasi", 1, uses="second wind")],
    ),
    (
        "an item is used in its turn",
        [*HERBAL, turn(2, "toph")],
        P1,
        c.UseItem("toph", "Herbs "),
        [],
        [e.ItemUsed("toph", "herbs", 1, 2)],
    ),
    (
        "or after the ruling on it",
        [*HERBAL, turn(2, "toph"), turn(1, "tarasi")],
        P1,
        c.UseItem("toph", "herbs"),
        [],
        [e.ItemUsed("toph", "herbs", 1, 2)],
    ),
    (
        "the second action allows a second use",
        [
            *(*HERBAL, acts(3, "toph", things=2, uses="herbs"), turn(2, "toph")),
            *(e.ItemUsed("toph", "herbs", 1, 2), turn(3, "toph")),
        ],
        P1,
        c.UseItem("toph", "herbs"),
        [],
        [e.ItemUsed("toph", "herbs", 2, 3)],
    ),
    (
        "a reaction allows a use when it is named",
        [
            *(*HIS_SLOT, reacts(2, "toph", "tarasi", 1, uses="second wind"), turn(1, "tarasi")),
            *(CALLED, e.OpponentNamed("tarasi", "toph", BOD, NORMAL, 2)),
        ],
        P1,
        c.UseAbility("toph", "second wind"),
        [4],
        [e.UsageRolled(*("toph", "second wind", Usable.ABILITY, Die.D4, 4, Die.D4, 0, 0), nth=2)],
    ),
    (
        "handing over is a use",
        [*HERBAL, turn(2, "toph")],
        P1,
        c.GiveItem("toph", "herbs", "tarasi"),
        [],
        [e.ItemGiven("toph", "herbs", "tarasi", Die.D8, 0, 0, 2)],
    ),
    (
        "who has left is not counted in",
        [started("toph", "guard"), e.MomentEnded(1), e.Retired("guard", "slain")],
        GM,
        c.StartMoment(),
        [],
        [e.MomentStarted(2, ("toph",))],
    ),
    (
        "nor among all",
        [e.Retired("guard", "slain")],
        GM,
        c.StartMoment(aim="the chase"),
        [],
        [e.MomentStarted(1, ("galner", "toph", "tarasi"), "the chase")],
    ),
    (
        "a second reaction to the same action is not used",
        [
            *(*HIS_SLOT, reacts(2, "toph", "tarasi", 1), reacts(3, "toph", "tarasi", 1, 2)),
            *(turn(1, "tarasi"), CALLED, e.OpponentNamed("tarasi", "toph", BOD, NORMAL, 2)),
            rolled("tarasi", "tarasi", 33, 0, 20),
        ],
        P1,
        c.RollTest("toph"),
        [30],
        [
            rolled("toph", "tarasi", 36, 0, 30),
            e.OpposedSettled("tarasi", ("toph", "tarasi")),
            e.ReactionDropped("toph", 3, "a dodge", "tarasi"),
            e.MomentEnded(1),
        ],
    ),
    (
        "the reaction to an action that is still to come stays open",
        [
            *(*DUEL, acts(1, "tarasi"), acts(2, "tarasi", "a punch", 2), slot("toph")),
            *(e.ReactionDeclared("toph", 3, "a dodge", "tarasi", 2, False, 1), turn(1, "tarasi")),
        ],
        GM,
        c.RuleAutomatic("tarasi", FAILS),
        [],
        [e.Ruled("tarasi", FAILS, Ruling.FAILURE), turn(2, "tarasi", "a punch")],
    ),
    (
        "the dead are not counted in",
        DEAD,
        GM,
        c.StartMoment(),
        [],
        [e.MomentStarted(1, ALL)],
    ),
    (
        "the action of the dead is withdrawn",
        [
            *(OX, started("ox", "tarasi"), e.Ordered(("ox", "tarasi"), "tarasi"), slot("ox")),
            *(acts(1, "ox"), turn(1, "ox"), e.Harmed("ox", 12, 0, 12, "a kick")),
        ],
        GM,
        c.Withdraw("ox"),
        [],
        [e.Withdrawn("ox", "win", "a kick", 1), e.MomentEnded(1)],
    ),
    (
        "the dead declare no more",
        [
            *(OX, started("ox", "tarasi"), e.Ordered(("ox", "tarasi"), "tarasi"), slot("ox")),
            e.Harmed("ox", 12, 0, 12, "a fall"),
        ],
        P1,
        c.EndDeclaration("ox"),
        [],
        [e.MomentEnded(1)],
    ),
    (
        "an initiative roll is for what the moment is for",
        [e.MomentStarted(1, ("toph", "guard"), "the chase")],
        P1,
        c.RollInitiative("toph"),
        [19],
        [e.InitiativeRolled("toph", 39, 0, 0, 19, Outcome.SUCCESS, aim="the chase")],
    ),
    (
        "or for what its test is for",
        [
            e.MomentStarted(1, ("toph", "guard"), "the chase"),
            e.InitiativeSet("toph", NORMAL, "the jump"),
        ],
        P1,
        c.RollInitiative("toph"),
        [19],
        [e.InitiativeRolled("toph", 39, 0, 0, 19, Outcome.SUCCESS, aim="the jump")],
    ),
    (
        "another aim is a change",
        [started("toph", "guard")],
        GM,
        c.SetInitiative("toph", NORMAL, "the jump"),
        [],
        [e.InitiativeSet("toph", NORMAL, "the jump")],
    ),
    (
        "a bonus under another spelling",
        [started("toph", "guard", "galner"), initiative("toph", 31)],
        GM,
        c.RollRest(("Needlejutsu ",)),
        [27, 10],
        [
            e.InitiativeRolled("guard", 27, 0, 0, 27, Outcome.FAILURE),
            e.InitiativeRolled("galner", 51, 21, 0, 10, Outcome.SUCCESS, "needlejutsu"),
            e.Ordered(("toph", "galner", "guard"), "guard"),
        ],
    ),
    (
        "all the referee's at once, for one aim",
        [started("toph", "guard", "galner"), initiative("toph", 31)],
        GM,
        c.RollRest(aim="the chase"),
        [27, 10],
        [
            e.InitiativeRolled("guard", 27, 0, 0, 27, Outcome.FAILURE, aim="the chase"),
            e.InitiativeRolled("galner", 30, 0, 0, 10, Outcome.SUCCESS, aim="the chase"),
            e.Ordered(("toph", "galner", "guard"), "guard"),
        ],
    ),
]

MOVES = [
    # sprint, away, distance, then, for what; from edition 2 for a sprint towards what is far
    (UNSET, UNSET, Distance.NEAR, Distance.CLOSE, "get close"),
    (True, UNSET, Distance.NEAR, Distance.CLOSE, "get close"),
    (True, UNSET, Distance.DISTANT, Distance.CLOSE, "get close"),
    (True, UNSET, Distance.FAR, Distance.DISTANT, "get nearer"),
    (UNSET, True, Distance.CLOSE, Distance.NEAR, "get away"),
    (UNSET, True, Distance.NEAR, Distance.DISTANT, "get away"),
    (True, True, Distance.CLOSE, Distance.DISTANT, "get away"),
    (True, True, Distance.NEAR, Distance.DISTANT, "get away"),
    (True, True, Distance.DISTANT, Distance.FAR, "get away"),
]


@pytest.mark.parametrize(("sprint", "away", "old", "new", "intent"), MOVES)
def test_moves(
    sprint: bool | UnsetType, away: bool | UnsetType, old: Distance, new: Distance, intent: str
) -> None:
    thing = Thing.MOVE if sprint is UNSET else Thing.SPRINT
    given = [*TABLE, *DUEL, apart("tarasi", "spire", old)]
    declared, *_ = log = play(
        (P2, c.DeclareMove("tarasi", "spire", sprint, away=away)),
        (P2, c.EndDeclaration("tarasi")),
        (P1, c.EndDeclaration("toph")),
        (GM, c.RuleAutomatic("tarasi", Finding.CANNOT_FAIL)),
        given=given,
    )
    things = 1 if sprint is UNSET else 2
    assert declared == e.ActionDeclared(
        "tarasi", 1, thing, intent, thing, False, things, "spire", away
    )
    assert log[-2:] == [e.Moved("tarasi", "spire", thing, old, new), e.MomentEnded(1)]


HEXED, BURNING = e.ConditionSet("toph", "hexed", 2), e.ConditionSet("spire", "on fire", minutes=2)
LAST, ENDLESS = e.ConditionSet("toph", "hexed", 1), e.ConditionSet("toph", "hexed")
TIMES = [
    # conditions, what takes time, what is left
    ([HEXED, BURNING], c.EndMoment("a bell"), [e.ConditionTicked("toph", "hexed", 1)]),
    ([LAST], c.EndMoment("a bell"), [e.ConditionTicked("toph", "hexed", 0)]),
    ([ENDLESS], c.EndMoment("a bell"), []),
    (
        [HEXED, BURNING],
        c.PassMinute(),
        [e.ConditionTicked("spire", "on fire", minutes=1), e.ConditionTicked("toph", "hexed", 0)],
    ),
    (
        [e.ConditionSet("toph", "hexed", 61)],
        c.PassMinute(3),
        [e.ConditionTicked("toph", "hexed", 1)],
    ),
    ([BURNING], c.PassMinute(100), [e.ConditionTicked("spire", "on fire", minutes=0)]),
]


@pytest.mark.parametrize(("conditions", "when", "then"), TIMES)
def test_time_passes_for_conditions(
    conditions: list[Message], when: Message, then: list[Message]
) -> None:
    ended = 1 if isinstance(when, c.EndMoment) else 0
    given = [*TABLE, *conditions, *(DUEL if ended else ())]
    log = play((GM, when), given=given)
    assert log[ended:] == then


def test_a_moment_that_runs_out_takes_time_too() -> None:
    given = [*TABLE, HEXED, *DUEL, slot("toph")]
    log = play((P1, c.EndDeclaration("toph")), given=given)
    assert log == [e.MomentEnded(1), e.ConditionTicked("toph", "hexed", 1)]


SETTINGS: list[tuple[Sequence[Message], Message, Message]] = [
    # given, when, then
    ([], c.SetCondition("toph", "hexed"), e.ConditionSet("toph", "hexed")),
    ([HEXED], c.SetCondition("toph", " HEXED", 5), e.ConditionSet("toph", "hexed", 5)),
    ([HEXED], c.SetCondition("toph", "Hexed"), e.ConditionSet("toph", "hexed")),
    ([HEXED], c.SetCondition("guard", "hexed", 2), e.ConditionSet("guard", "hexed", 2)),
    (
        [e.ConditionSet("toph", "hexed", 2, note="all is hard")],
        c.SetCondition("toph", "hexed", UNSET, 9),
        e.ConditionSet("toph", "hexed", UNSET, 9),
    ),
    (
        [HEXED],
        c.EndCondition("toph", "Hexed", "a priest"),
        e.ConditionEnded("toph", "hexed", "a priest", 2),
    ),
]


@pytest.mark.parametrize(("given", "when", "then"), SETTINGS)
def test_conditions(given: Sequence[Message], when: Message, then: Message) -> None:
    check(given=[*TABLE, *given], when=when, by=GM, then=[then])


POINTS: list[tuple[Sequence[Message], Message, Message]] = [
    # given, when, then
    ([OX], c.Harm("ox", 5, "a kick"), e.Harmed("ox", 5, 7, 12, "a kick")),
    ([OX], c.Harm("ox", 12, "a kick"), e.Harmed("ox", 12, 0, 12, "a kick")),
    ([OX], c.Harm("ox", 100, "a kick"), e.Harmed("ox", 12, 0, 12, "a kick")),
    (
        [OX, e.Harmed("ox", 5, 7, 12, "a kick")],
        c.Heal("ox", 3, "a rest"),
        e.Healed("ox", 3, 10, 12, "a rest"),
    ),
    (
        [OX, e.Harmed("ox", 5, 7, 12, "a kick")],
        c.Heal("ox", 100, "a rest"),
        e.Healed("ox", 5, 12, 12, "a rest"),
    ),
    (DEAD, c.Heal("ox", 1, "a slip"), e.Healed("ox", 1, 1, 12, "a slip")),
    (
        [OX, e.CharacteristicAdjusted("ox", BOD, 12, 14, "a winter of wrestling")],
        c.Heal("ox", 9, "a rest"),
        e.Healed("ox", 2, 14, 14, "a rest"),
    ),
]


@pytest.mark.parametrize(("given", "when", "then"), POINTS)
def test_hit_points(given: Sequence[Message], when: Message, then: Message) -> None:
    check(given=given, when=when, by=GM, then=[then])


MAXIMA = [
    # BOD, POW, hit points: half of the sum, rounded up
    (13, 6, 10),
    (13, 7, 10),
    (13, UNSET, 13),
    (1, 1, 1),
    (100, 99, 100),
]


@pytest.mark.parametrize(("body", "power", "most"), MAXIMA)
def test_the_maximum_of_hit_points(body: int, power: int | UnsetType, most: int) -> None:
    rows: list[tuple[Options, int | UnsetType]] = [
        (Options(hit_points=True), most),
        (Options(), UNSET),
    ]
    for options, points in rows:
        npc = c.CreateNpc("rat", "Rat", body, 10, power)
        created = e.CharacterCreated("rat", "Rat", Being.NPC, "gm", body, 10, power, points)
        check(when=npc, by=GM, then=[created], options=options)


ROWS: list[Case] = [
    *(
        Case(name, [*TABLE, *given], by, when, drawn, then)
        for name, given, by, when, drawn, then in CASES
    ),
]


@each_case(ROWS)
def test_case(case: Case) -> None:
    case.check()
