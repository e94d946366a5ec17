"""The steps of basic and extended tests in the order of the book; and the creation of entities."""

from __future__ import annotations

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import DeclaredChance
from domain.decider import Refused
from domain.ruleset import Message
from domain.rulesets.kingdoms import messages as m, ruleset
from domain.rulesets.kingdoms.rules import Being, Options
from tests.domain.rulesets.given import after, check, play
from tests.domain.rulesets.kingdoms.people import (
    ANA,
    BASIC,
    CHA,
    CON,
    EXTENDED,
    GM,
    P1,
    TABLE,
    extended,
    pooled,
    ready,
    rolled,
)


def test_a_basic_test_from_the_first_step_to_the_last() -> None:
    happened = play(
        (GM, m.DeclareTest("ana", BASIC, ("STR", "CON"))),
        (GM, m.GrantDice("ana", "a running start", 1)),
        (P1, m.AssemblePool("ana")),
        (GM, m.SetDt("ana", 6)),
        (P1, m.RollTest("ana"), 7, 7, 7, 1, 12, 3, 9),  # type: ignore[arg-type]
        (GM, m.Interpret("ana", "across, with a wet boot")),
        given=ANA,
    )
    sources = (m.DiceSource("STR", 4), m.DiceSource("CON", 2), m.DiceSource("a running start", 1))
    assert happened == [
        m.TestDeclared("ana", BASIC, ("STR", "CON")),
        m.DiceGranted("ana", "a running start", 1),
        m.PoolAssembled("ana", sources, 7),
        m.DtSet("ana", 6),
        rolled("ana", 6, [7, 7, 7, 1, 12, 3, 9], (6, 3, 3, 2)),
        m.Interpreted("ana", 1, "across, with a wet boot"),
        m.TestEnded("ana", BASIC, 1, 3, 7),
    ]
    assert after(m.RollTest("ana"), [*ANA, *happened]).tests == {}


def test_an_extended_test_from_the_first_step_to_the_end_by_the_gr() -> None:
    happened = play(
        (GM, m.DeclareTest("ana", EXTENDED, ("STR",), CHA)),
        (P1, m.AssemblePool("ana")),
        (GM, m.SetDt("ana", 6)),
        (P1, m.RollTest("ana"), 7, 6, 12, 1),  # type: ignore[arg-type]
        (GM, m.Interpret("ana", "they circle")),
        (P1, m.RollTest("ana"), 12, 12, 2, 8, 9),  # type: ignore[arg-type]
        (GM, m.Interpret("ana", "a hit")),
        (GM, m.SetDt("ana", 9)),
        (P1, m.RollTest("ana"), 9, 9, 9, 9, 9, 9, 9),  # type: ignore[arg-type]
        (GM, m.Interpret("ana", "out of breath")),
        (GM, m.EndTest("ana")),
        given=ANA,
    )
    assert happened == [
        extended("ana", CHA),
        pooled("ana", 4),
        m.DtSet("ana", 6),
        rolled("ana", 6, [7, 6, 12, 1], (3, 3, 0, 2), EXTENDED),
        m.Interpreted("ana", 1, "they circle"),
        m.Refilled("ana", 1, 2, CHA, 3, 3, 5),
        rolled("ana", 6, [12, 12, 2, 8, 9], (6, 1, 5, 1), EXTENDED, 2, 5),
        m.Interpreted("ana", 2, "a hit"),
        m.Refilled("ana", 2, 1, CHA, 3, 3, 7),
        m.DtSet("ana", 9, 6),
        rolled("ana", 9, [9] * 7, (0, 7, -7, 7), EXTENDED, 3, -2),
        m.Interpreted("ana", 3, "out of breath"),
        m.Refilled("ana", 3, 7, CHA, 3, 3, 3),
        m.TestEnded("ana", EXTENDED, 3, -2, 3),
    ]


def test_the_log_of_a_test_is_kept_roll_by_roll() -> None:
    """The history of digest 1: pool, rolls, successes, failures, margin, removed, added."""
    happened: list[Message] = [
        *ready("ana", 4, 6, CON),
        rolled("ana", 6, [7, 6, 12, 1], (3, 3, 0, 2), EXTENDED),
        m.Interpreted("ana", 1, "so"),
        m.Refilled("ana", 1, 2, CON, 2, 2, 4),
    ]
    (kept,) = after(m.RollTest("ana"), [*ANA, *happened]).tests["ana"].rolls
    assert (kept.pool, kept.faces, kept.successes, kept.failures) == (4, (7, 6, 12, 1), 3, 3)
    assert (kept.margin, kept.removed, kept.added) == (0, 2, 2)


def test_tests_of_different_entities_go_on_side_by_side() -> None:
    given = [*TABLE, *ready("ana", 1, 6, CON), m.TestDeclared("ork", BASIC, ("AC",))]
    check(
        given=given,
        when=m.AssemblePool("ork"),
        by=GM,
        then=[m.PoolAssembled("ork", (m.DiceSource("AC", 8),), 8)],
    )
    check(given=given, when=m.EndTest("ana"), by=GM, then=[m.TestEnded("ana", EXTENDED, 0, 0, 1)])


def test_entities_come_with_con_and_cha_and_are_given_other_stats() -> None:
    then: list[Message] = [m.EntityCreated("cleo", "Cleo", Being.PC, "p1", 2, -1)]
    check(when=m.CreatePc("cleo", "Cleo", 2, -1), by=P1, then=then)
    check(when=m.CreatePc("cleo", "Cleo", 2, -1, "p1"), by=GM, then=then)
    check(
        when=m.CreateNpc("imp", "Imp", 0, 9),
        by=GM,
        then=[m.EntityCreated("imp", "Imp", Being.NPC, "gm", 0, 9)],
    )
    check(
        given=then,
        when=m.NameStat("cleo", "Stability", 3),
        by=P1,
        then=[m.StatNamed("cleo", "Stability", 3)],
    )
    assert after(m.NameStat("cleo", "x", 1), then).entities["cleo"].stats == (
        m.StatValue("CON", 2),
        m.StatValue("CHA", -1),
    )


GONE = m.Retired("ana", "a grave")


def test_who_leaves_has_no_conditions_and_nothing_that_waits() -> None:
    given = [
        *(*TABLE, m.ConditionSet("ana", "cursed"), m.ConditionSet("ben", "bound")),
        *(m.StatProposed("ana", "INT", 9), m.StatProposed("ben", "INT", 2)),
    ]
    check(given=given, when=m.Retire("ana", "a grave"), by=P1, then=[GONE])
    state = after(m.EndRound(), [*given, GONE])
    assert set(state.conditions) == {"ben.bound"}
    assert set(state.waiting) == {"ben"}
    assert ruleset.show(state).entities["ana"].status == "retired"
    alone = after(m.EndRound(), [*TABLE, m.ConditionSet("ana", "cursed"), GONE])
    assert (alone.conditions, alone.waiting) == (UNSET, UNSET)


def test_a_stat_is_renamed_in_its_place_and_removed() -> None:
    renamed = m.StatRenamed("ana", "STR", "Strength", "a typo")
    check(given=ANA, when=m.RenameStat("ana", "str", "Strength", "a typo"), by=GM, then=[renamed])
    other_case = m.StatRenamed("ana", "STR", "str", "a typo")
    check(given=ANA, when=m.RenameStat("ana", "STR", "str", "a typo"), by=GM, then=[other_case])
    removed = m.StatRemoved("ana", "fear", -2, "courage")
    check(given=ANA, when=m.RemoveStat("ana", "Fear", "courage"), by=GM, then=[removed])
    assert after(m.EndRound(), [*ANA, renamed, removed]).entities["ana"].stats == (
        m.StatValue("CON", 2),
        m.StatValue("CHA", 3),
        m.StatValue("Strength", 4),
    )


def test_a_name_in_other_capitals_or_spaces_is_the_name_on_the_sheet() -> None:
    happened = play(
        (GM, m.RunBasicTest("ana", ("Str",), 6), 7, 7, 7, 7),  # type: ignore[arg-type]
        (GM, m.Interpret("ana", "so")),
        (GM, m.DeclareTest("ana", EXTENDED, ("str ", "con"), CON)),
        (P1, m.AssemblePool("ana")),
        (GM, m.DetermineDt("ana", "ork", ("ac",), ("Fear",))),
        (GM, m.ComputeDt("ana", 6, (" CON",), "ork", (), ("Ac",))),
        (GM, m.AdjustStat("ana", "str", 5, "rest")),
        (GM, m.ChangeStat("ana", " STR", -1, "a blow")),
        given=TABLE,
    )
    assert [event for event in happened if not isinstance(event, m.TestRolled)] == [
        m.TestDeclared("ana", BASIC, ("STR",)),
        m.PoolAssembled("ana", (m.DiceSource("STR", 4),), 4),
        m.DtSet("ana", 6),
        m.Interpreted("ana", 1, "so"),
        m.TestEnded("ana", BASIC, 1, 4, 4),
        m.TestDeclared("ana", EXTENDED, ("STR", "CON"), CON),
        m.PoolAssembled("ana", (m.DiceSource("STR", 4), m.DiceSource("CON", 2)), 6),
        m.DtDetermined(
            *("ana", "ork", (m.StatValue("AC", 8),), (m.StatValue("fear", -2),), 10, 10)
        ),
        m.DtComputed(
            *("ana", 6, (), (m.StatValue("AC", 8),), (m.StatValue("CON", 2),), 8, 8, "ork", 10)
        ),
        m.StatAdjusted("ana", "STR", 4, 5, "rest"),
        m.StatAdjusted("ana", "STR", 5, 4, "a blow"),
    ]


def test_a_name_that_is_taken_is_cited_as_it_is_on_the_sheet() -> None:
    rows: list[tuple[Message, list[Message], dict[str, str]]] = [
        (m.NameStat("ana", "str ", 9), [], {"entity": "ana", "stat": "STR"}),
        (
            m.GrantDice("ana", "str ", 1),
            [m.TestDeclared("ana", BASIC, ("STR",))],
            {"entity": "ana", "source": "STR"},
        ),
    ]
    for command, given, facts in rows:
        with pytest.raises(Refused) as refused:
            ruleset.decider.decide(after(command, [*ANA, *given]), command, GM, DeclaredChance(()))
        assert refused.value.facts == facts


def test_what_a_test_is_for_is_said_at_every_roll() -> None:
    happened = play(
        (GM, m.DeclareTest("ana", EXTENDED, ("STR",), CON, "hold the door")),
        (P1, m.AssemblePool("ana")),
        (GM, m.SetDt("ana", 6)),
        (P1, m.RollTest("ana"), 7, 7, 7, 7),  # type: ignore[arg-type]
        (GM, m.Interpret("ana", "so")),
        (P1, m.RollTest("ana", "bar it"), 7, 7, 7, 7, 7, 7),  # type: ignore[arg-type]
        (GM, m.Interpret("ana", "so")),
        (P1, m.RollTest("ana"), 7, 7, 7, 7, 7, 7, 7, 7),  # type: ignore[arg-type]
        given=ANA,
    )
    assert [event.aim for event in happened if isinstance(event, m.TestDeclared)] == [
        "hold the door"
    ]
    assert [event.aim for event in happened if isinstance(event, m.TestRolled)] == [
        "hold the door",
        "bar it",
        "hold the door",
    ]


def test_a_basic_test_in_one_step_has_the_events_of_each_step() -> None:
    happened = play(
        (GM, m.RunBasicTest("ana", ("STR", "fear"), 6, "jump"), 7, 1),  # type: ignore[arg-type]
        (GM, m.Interpret("ana", "short")),
        given=ANA,
    )
    assert happened == [
        m.TestDeclared("ana", BASIC, ("STR", "fear"), aim="jump"),
        m.PoolAssembled("ana", (m.DiceSource("STR", 4), m.DiceSource("fear", -2)), 2),
        m.DtSet("ana", 6),
        replace(rolled("ana", 6, [7, 1], (1, 2, -1, 1)), aim="jump"),
        m.Interpreted("ana", 1, "short"),
        m.TestEnded("ana", BASIC, 1, -1, 2),
    ]


def test_bonus_dice_come_between_the_rolls_of_an_extended_test() -> None:
    given = [*TABLE, *ready("ana", 2, 6, CON)]
    granted = m.DiceGranted("ana", "a friend", 3, 5)
    check(given=given, when=m.GrantDice("ana", "a friend", 3), by=GM, then=[granted])
    test = after(m.RollTest("ana"), [*given, granted]).tests["ana"]
    assert test.pool == 5
    assert test.sources == (m.DiceSource("STR", 2), m.DiceSource("a friend", 3))


def test_bonus_dice_fill_the_pool_up_to_200() -> None:
    given = [*TABLE, *ready("ana", 199, 6, CON)]
    granted = m.DiceGranted("ana", "a friend", 1, 200)
    check(given=given, when=m.GrantDice("ana", "a friend", 1), by=GM, then=[granted])


APPROVING = Options(gr_approves_stats=True)


def test_what_a_player_writes_waits_for_the_gr_with_the_option() -> None:
    happened = play(
        (P1, m.CreatePc("cleo", "Cleo", 2, 0)),
        (P1, m.NameStat("cleo", "wits", 9)),
        (P1, m.NameStat("cleo", "Wits", 4)),
        (P1, m.NameStat("cleo", "Godlike", 99)),
        (GM, m.NameStat("cleo", "luck", 1)),
        (GM, m.RejectStats("cleo", "no gods", "godlike")),
        (GM, m.ApproveStats("cleo")),
        options=APPROVING,
    )
    assert happened == [
        m.EntityCreated("cleo", "Cleo", Being.PC, "p1", 0, 0),
        m.StatProposed("cleo", "CON", 2),
        m.StatProposed("cleo", "wits", 9),
        m.StatProposed("cleo", "wits", 4),
        m.StatProposed("cleo", "Godlike", 99),
        m.StatNamed("cleo", "luck", 1),
        m.StatRejected("cleo", "Godlike", 99, "no gods"),
        m.StatNamed("cleo", "CON", 2),
        m.StatNamed("cleo", "wits", 4),
    ]
    state = after(m.RollTest("cleo"), happened, APPROVING)
    assert state.waiting is UNSET
    assert state.entities["cleo"].stats == (
        m.StatValue("CON", 2),
        m.StatValue("CHA", 0),
        m.StatValue("luck", 1),
        m.StatValue("wits", 4),
    )


def test_the_gr_writes_in_place_of_what_waits() -> None:
    given = [*ANA, m.StatProposed("ana", "INT", 9), m.StatProposed("ana", "CON", 7)]
    for stat, value in (("int", 3), ("con", 1)):
        then = [m.StatNamed("ana", stat.upper(), value)]
        check(given=given, when=m.NameStat("ana", stat, value), by=GM, then=then)
    left = after(m.RollTest("ana"), [*given, m.StatNamed("ana", "INT", 3)])
    assert left.waiting == {"ana": (m.StatValue("CON", 7),)}


def test_without_the_option_nothing_waits_and_the_gr_never_does() -> None:
    then: list[Message] = [m.StatNamed("ana", "INT", 9)]
    check(given=ANA, when=m.NameStat("ana", "INT", 9), by=P1, then=then)
    check(given=ANA, when=m.NameStat("ana", "INT", 9), by=GM, then=then, options=APPROVING)
    check(
        when=m.CreatePc("cleo", "Cleo", 2, 3, "p1"),
        by=GM,
        then=[m.EntityCreated("cleo", "Cleo", Being.PC, "p1", 2, 3)],
        options=APPROVING,
    )
