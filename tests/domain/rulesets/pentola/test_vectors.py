"""The worked examples of the book and the digest, PE-1 to PE-26, by their numbers."""

from __future__ import annotations

import pytest

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.pentola import commands as c, events as e
from domain.rulesets.pentola.rules import (
    Being,
    Characteristic,
    Difficulty,
    Finding,
    Outcome,
    RollPurpose,
    Ruling,
    goal,
    goal_text,
)
from tests.domain.rulesets.given import Case, check, each_case, play
from tests.domain.rulesets.pentola.people import (
    BOD,
    EASY,
    GM,
    HARD,
    INT,
    NORMAL,
    P1,
    P2,
    SKILL,
    TABLE,
    TARASI,
    TOPH,
    called,
    intends,
)

FUMBLE, FAILURE, SUCCESS, CRITICAL = Outcome
CANNOT_FAIL, CANNOT_SUCCEED, NO_CONSEQUENCES = Finding
SUCCEEDS, FAILS = Ruling

CERIVNY = e.CharacterCreated("cerivny", "Cerivny", Being.PC, "p1", 20, 20)
CALEB = e.CharacterCreated("caleb", "Caleb", Being.PC, "p2", 20, 20)
DEBATES = [
    # id, Cerivny rolls against 80, Caleb against 140, what they come to, who wins
    ("PE-1", 87, 83, FAILURE, SUCCESS, "caleb"),
    ("PE-2", 68, 32, SUCCESS, SUCCESS, "cerivny"),
    ("PE-3", 41, 12, SUCCESS, CRITICAL, "caleb"),
    ("PE-4", 91, 100, FAILURE, FUMBLE, "cerivny"),
]


@pytest.mark.parametrize(
    ("hers", "his", "she", "he", "winner"),
    [row[1:] for row in DEBATES],
    ids=[r[0] for r in DEBATES],
)
def test_the_debate(hers: int, his: int, she: Outcome, he: Outcome, winner: str) -> None:
    *_, first, second, settled = play(
        (P1, c.AddBonus("cerivny", "charm", SKILL, 20)),
        (P2, c.AddBonus("caleb", "heroines", SKILL, 10)),
        (P1, c.DeclareIntent("cerivny", "the favour of the crowd", "charm")),
        (GM, c.CallTest("cerivny", BOD, NORMAL)),
        (GM, c.Oppose("cerivny", "caleb", BOD, EASY)),
        (P1, c.RollTest("cerivny", ("charm",)), hers),
        (P2, c.RollTest("caleb", ("heroines",)), his),
        given=[CERIVNY, CALEB],
    )
    assert isinstance(first, e.RolledTest)
    assert isinstance(second, e.RolledTest)
    assert (goal_text(goal(first.percent, first.steps)), first.outcome) == ("80 %", she)
    assert (goal_text(goal(second.percent, second.steps)), second.outcome) == (
        "140 %",
        he,
    )  # PE-5: 70 made easy
    assert isinstance(settled, e.OpposedSettled)
    assert settled.ranking[0] == winner


def test_pe_11_the_higher_failure_wins() -> None:
    *_, settled = play(
        (GM, c.CallTest("cerivny", BOD, NORMAL)),
        (GM, c.Oppose("cerivny", "caleb", BOD, NORMAL)),
        (P1, c.RollTest("cerivny"), 91),
        (P2, c.RollTest("caleb"), 95),
        given=[CERIVNY, CALEB, intends("cerivny")],
    )
    assert settled == e.OpposedSettled("cerivny", ("caleb", "cerivny"))


GOSSIP = [
    # difficulty, steps, Toph's INT of 13 makes the goal, roll, outcome
    (NORMAL, 0, "39 %", 38, SUCCESS),
    (NORMAL, 0, "39 %", 39, FAILURE),
    (EASY, 1, "78 %", 77, SUCCESS),
    (EASY, 1, "78 %", 78, FAILURE),
    (HARD, -1, "19½ %", 19, SUCCESS),
    (HARD, -1, "19½ %", 20, FAILURE),
]


@pytest.mark.parametrize(("difficulty", "steps", "against", "roll", "result"), GOSSIP)
def test_pe_25_the_goal(
    difficulty: Difficulty, steps: int, against: str, roll: int, result: Outcome
) -> None:
    then = e.RolledTest(
        "toph", "toph", RollPurpose.TEST, Characteristic.INT, difficulty, 39, 0, steps, roll, result
    )
    check(
        given=[*TABLE, *called("toph", INT, difficulty)],
        when=c.RollTest("toph"),
        by=P1,
        drawn=[roll],
        then=[then],
    )
    assert goal_text(goal(39, steps)) == against


INITIATIVES = [
    # id, who, when, roll, goal, outcome
    ("PE-15 and 16", P1, c.RollInitiative("toph", ("fencing",)), 31, 82, SUCCESS),
    ("PE-15 and 16", P2, c.RollInitiative("tarasi", ("gearslinger",)), 79, 50, FAILURE),
    ("PE-18", GM, c.RollInitiative("galner", ("needlejutsu",)), 10, 51, SUCCESS),
    ("PE-21", P1, c.RollInitiative("toph", ("bravo", "fencing")), 31, 82, SUCCESS),
]


@pytest.mark.parametrize(
    ("by", "when", "roll", "percent", "result"), [row[1:] for row in INITIATIVES]
)
def test_initiative_rolls(by: By, when: Message, roll: int, percent: int, result: Outcome) -> None:
    _, event = play(
        (GM, c.StartMoment(("toph", "tarasi", "galner"))), (by, when, roll), given=TABLE
    )
    assert isinstance(event, e.InitiativeRolled)
    assert (event.percent, event.outcome) == (percent, result)


RULINGS = [
    # id, when, then
    (
        "PE-20: the side door",
        c.RuleAutomatic("toph", NO_CONSEQUENCES),
        e.Ruled("toph", NO_CONSEQUENCES, SUCCEEDS),
    ),
    ("PE-20: the bandit", c.CallTest("toph", BOD, NORMAL), e.CalledForTest("toph", BOD, NORMAL)),
    (
        "PE-20: the vault",
        c.RuleAutomatic("toph", CANNOT_SUCCEED),
        e.Ruled("toph", CANNOT_SUCCEED, FAILS),
    ),
    (
        "PE-23: the ladder",
        c.RuleAutomatic("toph", CANNOT_FAIL),
        e.Ruled("toph", CANNOT_FAIL, SUCCEEDS),
    ),
    (
        "PE-23: the spade",
        c.RuleAutomatic("toph", CANNOT_SUCCEED),
        e.Ruled("toph", CANNOT_SUCCEED, FAILS),
    ),
    (
        "PE-24: a cleaning is due",
        c.RuleAutomatic("toph", CANNOT_FAIL),
        e.Ruled("toph", CANNOT_FAIL, SUCCEEDS),
    ),
    (
        "PE-24: she knows the guild",
        c.RuleAutomatic("toph", CANNOT_SUCCEED),
        e.Ruled("toph", CANNOT_SUCCEED, FAILS),
    ),
    ("PE-24: neither", c.CallTest("toph", INT, NORMAL), e.CalledForTest("toph", INT, NORMAL)),
    ("PE-25: false gossip", c.CallTest("toph", INT, NORMAL), e.CalledForTest("toph", INT, NORMAL)),
    (
        "PE-25: a smoke and a smile",
        c.CallTest("toph", INT, EASY),
        e.CalledForTest("toph", INT, EASY),
    ),
    ("PE-25: threats", c.CallTest("toph", INT, HARD), e.CalledForTest("toph", INT, HARD)),
]


@pytest.mark.parametrize(
    ("when", "then"), [row[1:] for row in RULINGS], ids=[row[0] for row in RULINGS]
)
def test_adjudication(when: Message, then: Message) -> None:
    check(given=[*TABLE, intends("toph")], when=when, by=GM, then=[then])


def test_pe_16_17_and_26_two_fighters() -> None:
    log = play(
        (GM, c.StartMoment(("toph", "tarasi"))),
        (P2, c.RollInitiative("tarasi", ("gearslinger",)), 79),
        (P1, c.RollInitiative("toph", ("fencing",)), 31),
        (P2, c.DeclareAction("tarasi", "hurt him", "a kick")),
        (P2, c.EndDeclaration("tarasi")),
        (P1, c.DeclareReaction("toph", "a dodge", "tarasi")),
        (P1, c.DeclareAction("toph", "hurt her", "an elbow")),
        (P1, c.EndDeclaration("toph")),
        (GM, c.CallTest("toph", BOD, NORMAL)),
        (P1, c.RollTest("toph"), 20),
        (GM, c.CallTest("tarasi", BOD, NORMAL)),
        (GM, c.Oppose("tarasi", "toph", BOD, NORMAL)),
        (P2, c.RollTest("tarasi"), 21),
        (P1, c.RollTest("toph"), 27),
        given=[*TOPH, *TARASI],
    )
    assert e.Ordered(("toph", "tarasi"), "tarasi") in log
    assert [event.entity for event in log if isinstance(event, e.TurnCame)] == ["toph", "tarasi"]
    assert log[-2:] == [e.OpposedSettled("tarasi", ("toph", "tarasi")), e.MomentEnded(1)]


def test_pe_18_and_19_three_fighters() -> None:
    log = play(
        (GM, c.StartMoment(("toph", "tarasi", "galner"))),
        (P1, c.RollInitiative("toph", ("fencing",)), 31),
        (P2, c.RollInitiative("tarasi", ("gearslinger",)), 79),
        (GM, c.RollInitiative("galner", ("needlejutsu",)), 10),
        (P2, c.DeclareAction("tarasi", "hurt him", "a kick")),
        (P2, c.EndDeclaration("tarasi")),
        (GM, c.DeclareAction("galner", "bring him down", "a tackle")),
        (GM, c.EndDeclaration("galner")),
        (P1, c.DeclareReaction("toph", "a dodge", "galner")),
        (P1, c.DeclareAction("toph", "hurt him", "an elbow")),
        (P1, c.EndDeclaration("toph")),
        (GM, c.CallTest("toph", BOD, NORMAL)),
        (P1, c.RollTest("toph", ("fencing",)), 50),
        (GM, c.CallTest("galner", BOD, NORMAL)),
        (GM, c.Oppose("galner", "toph", BOD, NORMAL)),
        (GM, c.RollTest("galner"), 15),
        (P1, c.RollTest("toph"), 2),
        (GM, c.CallTest("tarasi", BOD, NORMAL)),
        given=TABLE,
    )
    assert e.Ordered(("toph", "galner", "tarasi"), "tarasi") in log
    assert [event.entity for event in log if isinstance(event, e.TurnCame)] == [
        "toph",
        "galner",
        "tarasi",
    ]
    assert e.OpposedSettled("galner", ("toph", "galner")) in log
    check(
        given=[*TABLE, *log],
        when=c.Oppose("tarasi", "toph", BOD, NORMAL),
        by=GM,
        then="no-reaction",
    )
    *_, kick, ended = play((P2, c.RollTest("tarasi"), 20), given=[*TABLE, *log])
    assert isinstance(kick, e.RolledTest)
    assert kick.outcome is SUCCESS
    assert ended == e.MomentEnded(1)


ROWS: list[Case] = [
    Case(
        "pe 24 there is no free second roll",
        [
            *TABLE,
            *called("toph", INT),
            *play((P1, c.RollTest("toph"), 99), given=[*TABLE, *called("toph", INT)]),
        ],
        P1,
        c.RollTest("toph"),
        [],
        "no-test",
    ),
    Case(
        "pe 24 there is no free second roll",
        [
            *TABLE,
            *called("toph", INT),
            *play((P1, c.RollTest("toph"), 99), given=[*TABLE, *called("toph", INT)]),
        ],
        GM,
        c.CallTest("toph", INT, NORMAL),
        [],
        "no-intent",
    ),
]


@each_case(ROWS)
def test_case(case: Case) -> None:
    case.check()
