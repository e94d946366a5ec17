"""Tests and usage dice: steps, bonuses, reactions, the chain of dice (rulings 16 and 17)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import DeclaredChance
from domain.decider import By, Refused
from domain.ruleset import Message
from domain.rulesets.pentola import commands as c, events as e, ruleset
from domain.rulesets.pentola.rules import (
    CHAIN,
    Die,
    Difficulty,
    Finding,
    Options,
    Outcome,
    RollPurpose,
    Usable,
)
from tests.domain.rulesets.given import Case, after, check, each_case, play
from tests.domain.rulesets.pentola.people import (
    BOD,
    DUEL,
    EASY,
    GM,
    HARD,
    INT,
    NORMAL,
    P1,
    P2,
    TABLE,
    TARASI,
    TOPH,
    acts,
    called,
    intends,
    reacts,
    rolled,
    ruled,
    slot,
    started,
    turn,
)

HIS_SLOT = [*DUEL, acts(1, "tarasi"), slot("toph")]
KICKED: list[Message] = [
    *[*TABLE, *HIS_SLOT, reacts(2, "toph", "tarasi", 1), turn(1, "tarasi")],
    e.CalledForTest("tarasi", BOD, NORMAL),
]
OPPOSED = [*KICKED, e.OpponentNamed("tarasi", "toph", BOD, NORMAL, 2)]
BARRED, LIFTED = e.BonusRuled("toph", "fencing", False), e.BonusRuled("toph", "fencing", True)

STEPS = [
    # difficulty, focus, things -> steps; with the option
    (NORMAL, False, 1, 0, 0),
    (NORMAL, True, 1, 1, 1),
    (EASY, True, 1, 2, 1),
    (HARD, True, 1, 0, 0),
    (NORMAL, False, 2, 0, 0),
    (NORMAL, False, 3, -1, -1),
    (HARD, False, 3, -2, -1),
    (EASY, False, 3, 0, 0),
]


@pytest.mark.parametrize(("difficulty", "focus", "things", "steps", "clamped"), STEPS)
def test_focus_and_the_third_thing(
    difficulty: Difficulty, focus: bool, things: int, steps: int, clamped: int
) -> None:
    declared = [*HIS_SLOT, acts(2, "toph", things=things, focus=focus), turn(2, "toph")]
    given = [*TABLE, *declared, e.CalledForTest("toph", BOD, difficulty)]
    for options, expected in ((Options(), steps), (Options(steps_stop_at_one=True), clamped)):
        event, *_ = play((P1, c.RollTest("toph"), 100), given=given, options=options)
        assert isinstance(event, e.RolledTest)
        assert event.steps == expected


def test_the_third_thing_makes_a_reaction_harder_too() -> None:
    given = [*TABLE, *HIS_SLOT, reacts(2, "toph", "tarasi", 1, things=3), turn(1, "tarasi")]
    called_for = [
        e.CalledForTest("tarasi", BOD, NORMAL),
        e.OpponentNamed("tarasi", "toph", BOD, NORMAL, 2),
    ]
    event, *_ = play((P1, c.RollTest("toph"), 18), given=[*given, *called_for])
    assert event == replace(rolled("toph", "tarasi", 36, -1, 18), difficulty=NORMAL)


def test_ruling_11_the_initiative_stays_as_it_was_rolled() -> None:
    event, *_ = play((P1, c.RollInitiative("toph"), 38), given=[*TABLE, started("toph")])
    assert isinstance(event, e.InitiativeRolled)
    assert event.steps == 0


def test_a_reaction_opposes_one_action_once() -> None:
    check(given=OPPOSED, when=c.Oppose("tarasi", "toph", BOD, NORMAL), by=GM, then="in-a-test")
    *_, ended = play(
        (GM, c.RollTest("tarasi"), 21),
        (P1, c.RollTest("toph", ("fencing",)), 27),
        given=OPPOSED,
    )
    assert ended == e.MomentEnded(1)


def test_a_bonus_that_is_ruled_out_is_not_named_until_the_ruling_is_set_or_spent() -> None:
    given = [*TABLE, *called("toph")]
    check(
        given=[*given, BARRED],
        when=c.RollTest("toph", ("fencing", "bravo")),
        by=P1,
        then="bonus-barred",
    )
    (bravo,) = play((P1, c.RollTest("toph", ("bravo",)), 50), given=[*given, BARRED])
    (fencing,) = play((P1, c.RollTest("toph", ("fencing",)), 50), given=[*given, BARRED, LIFTED])
    (spent,) = play(
        (P1, c.RollTest("toph", ("fencing",)), 50), given=[*given, BARRED, bravo, *called("toph")]
    )
    assert [roll.added for roll in (bravo, fencing, spent) if isinstance(roll, e.RolledTest)] == [
        25,
        43,
        43,
    ]


ITEM, ABILITY = Usable
USED, TWICE = e.ItemUsed("toph", "herbs", 1), e.ItemUsed("toph", "herbs", 2)
DUE = e.RollsDue("toph", "herbs", 1)


def set_to(die: Die, due: int = 0, waiting: int = 0) -> e.UsageDieAdjusted:
    return e.UsageDieAdjusted("toph", "herbs", Die.D8, die, due, waiting, "as the example begins")


CASES: list[tuple[str, Sequence[Message], By, Message, Sequence[int], Sequence[Message]]] = [
    # id, given, who, when, die, then
    (
        "an ability at once",
        [],
        P1,
        c.UseAbility("toph", "second wind"),
        [2],
        [e.UsageRolled("toph", "second wind", ABILITY, Die.D4, 2, Die.D4, 0, 0)],
    ),
    ("an item waits", [], P1, c.UseItem("toph", "herbs"), [], [USED]),
    ("used again", [USED], P1, c.UseItem("toph", "herbs"), [], [TWICE]),
    ("a minute passes", [TWICE], GM, c.PassMinute(), [], [e.RollsDue("toph", "herbs", 2)]),
    (
        "what was due stays due",
        [DUE, USED],
        GM,
        c.PassMinute(),
        [],
        [e.RollsDue("toph", "herbs", 2)],
    ),
    (
        "then it rolls",
        [e.RollsDue("toph", "herbs", 2)],
        P1,
        c.RollUsage("toph", "herbs"),
        [1],
        [e.UsageRolled("toph", "herbs", ITEM, Die.D8, 1, Die.D6, 1, 0)],
    ),
    (
        "for the referee the minute is over",
        [TWICE],
        GM,
        c.RollUsage("toph", "herbs"),
        [8],
        [e.UsageRolled("toph", "herbs", ITEM, Die.D8, 8, Die.D8, 0, 1)],
    ),
    (
        "expended, and what waits is void",
        [set_to(Die.D4, 2, 3)],
        P1,
        c.RollUsage("toph", "herbs"),
        [1],
        [e.UsageRolled("toph", "herbs", ITEM, Die.D4, 1, Die.EXPENDED, 0, 0)],
    ),
    (
        "refilled",
        [set_to(Die.EXPENDED)],
        GM,
        c.AdjustUsageDie("toph", "herbs", Die.D12, "a harvest"),
        [],
        [e.UsageDieAdjusted("toph", "herbs", Die.EXPENDED, Die.D12, 0, 0, "a harvest")],
    ),
    (
        "taken away",
        [TWICE],
        GM,
        c.AdjustUsageDie("toph", "herbs", Die.EXPENDED, "a fire"),
        [],
        [e.UsageDieAdjusted("toph", "herbs", Die.D8, Die.EXPENDED, 0, 0, "a fire")],
    ),
]


NAMES: list[tuple[str, Sequence[Message], By, Message, Sequence[int], Sequence[Message]]] = [
    # id, given, who, when, die, then; the log has the name on the sheet
    (
        "the bonus of a roll",
        called("toph"),
        P1,
        c.RollTest("toph", ("Fencing", " bravo")),
        [50],
        [
            e.RolledTest(
                *("toph", "toph", RollPurpose.TEST, BOD, NORMAL, 79, 43, 0, 50),
                Outcome.SUCCESS,
                "fencing",
            )
        ],
    ),
    (
        "a ruling on a bonus",
        [],
        GM,
        c.RuleBonus("toph", "FENCING", False),
        [],
        [e.BonusRuled("toph", "fencing", False)],
    ),
    (
        "a percentage",
        [],
        GM,
        c.AdjustBonus("toph", "Fencing", 50, "a winter"),
        [],
        [e.BonusAdjusted("toph", "fencing", 43, 50, "a winter")],
    ),
    (
        "a usage die",
        [],
        GM,
        c.AdjustUsageDie("toph", "HERBS", Die.D6, "a leak"),
        [],
        [e.UsageDieAdjusted("toph", "herbs", Die.D8, Die.D6, 0, 0, "a leak")],
    ),
    ("an item", [], P1, c.UseItem("toph", "Herbs"), [], [USED]),
    (
        "an ability",
        [],
        P1,
        c.UseAbility("toph", "Second  Wind"),
        [2],
        [e.UsageRolled("toph", "second wind", ABILITY, Die.D4, 2, Die.D4, 0, 0)],
    ),
    (
        "an item that is handed over",
        TARASI,
        P1,
        c.GiveItem("toph", "HERBS", "tarasi"),
        [],
        [e.ItemGiven("toph", "herbs", "tarasi", Die.D8, 0, 0)],
    ),
    (
        "the die of an item",
        [DUE],
        P1,
        c.RollUsage("toph", "Herbs"),
        [8],
        [e.UsageRolled("toph", "herbs", ITEM, Die.D8, 8, Die.D8, 0, 0)],
    ),
]


@each_case([Case(name, [*TOPH, *given], *rest) for name, given, *rest in NAMES])
def test_a_name_in_other_capitals_or_spaces_is_the_name_on_the_sheet(case: Case) -> None:
    case.check()


@pytest.mark.parametrize(("name", "held"), [("Fencing ", "fencing"), ("bod", "BOD")])
def test_a_name_that_is_taken_is_cited_as_it_is_on_the_sheet(name: str, held: str) -> None:
    command = c.AddItem("toph", name, Die.D6)
    decider = ruleset.decider
    with pytest.raises(Refused) as refused:
        decider.decide(after(command, TOPH), command, P1, DeclaredChance(()))
    assert refused.value.facts == {"entity": "toph", "name": held}


def test_down_the_whole_chain() -> None:
    lefts = []
    log: list[Message] = [set_to(Die.D20)]
    for _ in CHAIN[:-1]:
        events = play(
            (P1, c.UseItem("toph", "herbs")),
            (GM, c.RollUsage("toph", "herbs"), 1),
            given=[*TOPH, *log],
        )
        log += events
        lefts += [event.left for event in events if isinstance(event, e.UsageRolled)]
    assert lefts == list(CHAIN[1:])
    check(given=[*TOPH, *log], when=c.UseItem("toph", "herbs"), by=P1, then="expended")


def usage(die: Die, face: int, left: Die, usable: Usable = Usable.ITEM) -> e.UsageRolled:
    held = "herbs" if usable is Usable.ITEM else "second wind"
    return e.UsageRolled("toph", held, usable, die, face, left, due=0, waiting=0)


HERBS_DUE = e.RollsDue("toph", "herbs", 1)


@pytest.mark.parametrize(("face", "left"), [(1, Die.D6), *((face, Die.D8) for face in range(2, 9))])
def test_pe_13_the_herbs(face: int, left: Die) -> None:
    then = [usage(Die.D8, face, left)]
    check(
        given=[*TOPH, HERBS_DUE], when=c.RollUsage("toph", "herbs"), by=P1, drawn=[face], then=then
    )


ROWS: list[Case] = [
    *(
        Case(name, [*TOPH, *given], by, when, drawn, then)
        for name, given, by, when, drawn, then in CASES
    ),
    Case(
        "pe 14 a 1 on the d4 expends it and the next use is refused",
        TOPH,
        P1,
        c.UseAbility("toph", "second wind"),
        [1],
        [usage(Die.D4, 1, Die.EXPENDED, Usable.ABILITY)],
    ),
    Case(
        "pe 14 a 1 on the d4 expends it and the next use is refused",
        [*TOPH, usage(Die.D4, 1, Die.EXPENDED, Usable.ABILITY)],
        P1,
        c.UseAbility("toph", "second wind"),
        [],
        "expended",
    ),
    Case(
        "pe 14 a 1 on the d4 expends it and the next use is refused",
        [*TOPH, e.UsageDieAdjusted("toph", "herbs", Die.D4, Die.EXPENDED, 0, 0, "a leak")],
        P1,
        c.UseItem("toph", "herbs"),
        [],
        "expended",
    ),
]


@each_case(ROWS)
def test_case(case: Case) -> None:
    case.check()


DEMANDED = e.TestDemanded("toph", BOD, HARD, "stay on the roof")
TEST, FAILURE, SUCCESS = RollPurpose.DEMANDED, Outcome.FAILURE, Outcome.SUCCESS

AMENDED: list[tuple[str, Sequence[Message], By, Message, Sequence[int], Sequence[Message]]] = [
    # id, given, who, when, die, then
    (
        "a demanded test",
        TABLE,
        GM,
        c.DemandTest("toph", BOD, HARD, "stay on the roof"),
        [],
        [DEMANDED],
    ),
    (
        "a demanded test in a moment",
        KICKED,
        GM,
        c.DemandTest("toph", BOD, HARD, "stay on the roof"),
        [],
        [DEMANDED],
    ),
    (
        "it decides nothing but itself",
        [*KICKED, DEMANDED],
        P1,
        c.RollTest("toph"),
        [18],
        [
            e.RolledTest(
                *("toph", "toph", TEST, BOD, HARD, 36, 0, -1, 18, FAILURE), aim="stay on the roof"
            )
        ],
    ),
    (
        "the action can be tested next to it",
        [*TABLE, *HIS_SLOT, acts(2, "toph"), turn(2, "toph"), DEMANDED],
        GM,
        c.RuleAutomatic("toph", Finding.CANNOT_SUCCEED),
        [],
        [ruled("toph", Finding.CANNOT_SUCCEED), turn(1, "tarasi")],
    ),
    (
        "a wrong call is changed",
        [*TABLE, *called("toph")],
        GM,
        c.ChangeTest("toph", INT, EASY, "a slip"),
        [],
        [e.TestChanged("toph", BOD, NORMAL, INT, EASY, "a slip")],
    ),
    (
        "and then rolled as it was changed",
        [*TABLE, *called("toph"), e.TestChanged("toph", BOD, NORMAL, INT, EASY, "a slip", "think")],
        P1,
        c.RollTest("toph"),
        [77],
        [
            e.RolledTest(
                *("toph", "toph", RollPurpose.TEST, INT, EASY, 39, 0, 1, 77, SUCCESS), aim="think"
            )
        ],
    ),
    (
        "an opponent's too",
        OPPOSED,
        GM,
        c.ChangeTest("toph", BOD, HARD, "a slip", "duck"),
        [],
        [e.TestChanged("toph", BOD, NORMAL, BOD, HARD, "a slip", "duck")],
    ),
    (
        "a test is called off with all against it",
        OPPOSED,
        GM,
        c.CallOff("tarasi", "he is out of her reach"),
        [],
        [e.CalledOff("tarasi", "he is out of her reach", (2,))],
    ),
    (
        "and the action is open again",
        [*OPPOSED, e.CalledOff("tarasi", "he is out of her reach", (2,))],
        GM,
        c.CallTest("tarasi", INT, NORMAL),
        [],
        [e.CalledForTest("tarasi", INT, NORMAL)],
    ),
    (
        "a wrong opponent is called off",
        OPPOSED,
        GM,
        c.CallOff("toph", "a slip"),
        [],
        [e.CalledOff("toph", "a slip", (2,))],
    ),
    (
        "and can react again",
        [*OPPOSED, e.CalledOff("toph", "a slip", (2,))],
        GM,
        c.Oppose("tarasi", "toph", INT, NORMAL),
        [],
        [e.OpponentNamed("tarasi", "toph", INT, NORMAL, 2)],
    ),
    (
        "a demanded test is called off",
        [*TABLE, DEMANDED],
        GM,
        c.CallOff("toph", "a slip"),
        [],
        [e.CalledOff("toph", "a slip", ())],
    ),
    (
        "what the referee called for stands before the roll",
        [*TABLE, intends("toph"), e.CalledForTest("toph", INT, NORMAL, "share gossip")],
        P1,
        c.RollTest("toph"),
        [38],
        [
            e.RolledTest(
                *("toph", "toph", RollPurpose.TEST, INT, NORMAL, 39, 0, 0, 38, SUCCESS),
                aim="share gossip",
            )
        ],
    ),
    (
        "unless the player says it otherwise",
        [*TABLE, intends("toph"), e.CalledForTest("toph", INT, NORMAL, "share gossip")],
        P1,
        c.RollTest("toph", UNSET, "flatter him"),
        [38],
        [
            e.RolledTest(
                *("toph", "toph", RollPurpose.TEST, INT, NORMAL, 39, 0, 0, 38, SUCCESS),
                aim="flatter him",
            )
        ],
    ),
    (
        "a usage die for an aim",
        [*TABLE, DUE],
        P1,
        c.RollUsage("toph", "herbs", "brew a tea"),
        [2],
        [e.UsageRolled(*("toph", "herbs", ITEM, Die.D8, 2, Die.D8, 0, 0), aim="brew a tea")],
    ),
    (
        "minutes",
        [*TABLE, TWICE],
        GM,
        c.PassMinute(5),
        [],
        [e.RollsDue("toph", "herbs", 2, 5)],
    ),
    (
        "an item is handed over with what waits for it",
        [*TABLE, DUE, USED],
        P1,
        c.GiveItem("toph", "herbs", "tarasi"),
        [],
        [e.ItemGiven("toph", "herbs", "tarasi", Die.D8, 1, 1)],
    ),
    (
        "and its receiver rolls for it",
        [*TABLE, e.ItemGiven("toph", "herbs", "tarasi", Die.D8, 1, 1)],
        P2,
        c.RollUsage("tarasi", "herbs"),
        [1],
        [e.UsageRolled("tarasi", "herbs", ITEM, Die.D8, 1, Die.D6, 0, 1)],
    ),
    (
        "who has left has no rolls to make",
        [*TABLE, USED, e.Retired("toph", "a grave"), e.ConditionSet("guard", "asleep", minutes=2)],
        GM,
        c.PassMinute(),
        [],
        [e.ConditionTicked("guard", "asleep", minutes=1)],
    ),
]


@each_case([Case(*row) for row in AMENDED])
def test_amended_tests_aims_and_items(case: Case) -> None:
    case.check()


def test_focus_helps_only_with_what_was_declared() -> None:
    focused = [*TABLE, *HIS_SLOT, reacts(2, "toph", "tarasi", 1, focus=True), turn(1, "tarasi")]
    called_for = [*focused, e.CalledForTest("tarasi", BOD, NORMAL)]
    reaction = e.OpponentNamed("tarasi", "toph", BOD, NORMAL, 2)
    competing = e.OpponentNamed("tarasi", "toph", BOD, NORMAL, competes=True)
    demanded = e.TestDemanded("toph", BOD, NORMAL)
    for given, steps in ((reaction, 1), (competing, 0), (demanded, 0)):
        event, *_ = play((P1, c.RollTest("toph"), 50), given=[*called_for, given])
        assert isinstance(event, e.RolledTest)
        assert event.steps == steps


def test_the_third_thing_makes_a_demanded_test_harder() -> None:
    given = [*TABLE, *HIS_SLOT, acts(2, "toph", things=3), turn(2, "toph"), DEMANDED]
    event, *_ = play((P1, c.RollTest("toph"), 50), given=given)
    assert isinstance(event, e.RolledTest)
    assert event.steps == -2
