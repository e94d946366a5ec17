"""Conditions, counters and NPCs, by the numbers of RULES.md (2.9, 3.1, 15)."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from domain.codec import encode
from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m, ruleset
from domain.rulesets.deckahedron.rules import Options, StaminaMode
from domain.table import Condition, Pool
from tests.domain.rulesets.deckahedron.people import (
    ANA,
    CURSED,
    EASY,
    EVEN,
    GM,
    P1,
    POISONED,
    TABLE,
    D,
    out,
)
from tests.domain.rulesets.given import Case, after, check, each_case, play

R = "for a reason"
WOLF = m.CharacterCreated("wolf", "Wolf", "gm", EVEN, npc=True)


def test_15_1_conditions_stand_on_the_table() -> None:
    blessed = m.ConditionSet("ben", "blessed", note="flips with a smile")
    table = ruleset.show(after(ANA, [*TABLE, POISONED, CURSED, blessed]))
    assert table.conditions == {
        "ana.poisoned": Condition("ana", "poisoned", 3),
        "ana.cursed": Condition("ana", "cursed", minutes=60),
        "ben.blessed": Condition("ben", "blessed", note="flips with a smile"),
    }


AGAIN = [
    # what is set again, and what stands then
    (m.SetCondition("ana", "POISONED", 5), m.ConditionSet("ana", "poisoned", 5)),
    (m.SetCondition("ana", " poisoned "), m.ConditionSet("ana", "poisoned")),
    (
        m.SetCondition("ana", "poisoned", minutes=7),
        m.ConditionSet("ana", "poisoned", minutes=7),
    ),
    (
        m.SetCondition("ana", "poisoned", 3, note="weak"),
        m.ConditionSet("ana", "poisoned", 3, note="weak"),
    ),
    (m.SetCondition("ana", "poisoned badly", 3), m.ConditionSet("ana", "poisoned badly", 3)),
]


@pytest.mark.parametrize(("when", "then"), AGAIN)
def test_15_3_set_again_a_condition_changes(when: Message, then: m.ConditionSet) -> None:
    check(given=[*TABLE, POISONED], when=when, by=GM, then=[then])
    conditions = after(ANA, [*TABLE, POISONED, then]).conditions
    assert len(conditions) == (2 if then.name == "poisoned badly" else 1)


def test_15_3_what_a_condition_does_does_not_stay_if_it_is_set_again() -> None:
    noted = m.ConditionSet("ana", "poisoned", 3, note="weak")
    for when, then in (
        (m.SetCondition("ana", "poisoned", 9), m.ConditionSet("ana", "poisoned", 9)),
        (m.SetCondition("ana", "poisoned", 3), m.ConditionSet("ana", "poisoned", 3)),
    ):
        check(given=[*TABLE, noted], when=when, by=GM, then=[then])


def test_15_3_any_script_makes_a_key_that_can_stand_in_a_log() -> None:
    counted = m.CounterSet("ana", "Öl", value=1)
    state = after(ANA, [*TABLE, m.ConditionSet("ana", "Übel", 3), counted])
    assert list(state.conditions) == ["ana.\\xfcbel"]
    assert list(state.counters) == ["ana.\\xf6l"]
    assert all(key.isascii() for key in (*state.conditions, *state.counters))
    check(
        given=[*TABLE, m.ConditionSet("ana", "Übel", 3)],
        when=m.EndCondition("ana", "übel", R),
        by=GM,
        then=[m.ConditionEnded("ana", "Übel", R, 3)],
    )
    assert encode(state)


def test_15_4_rounds_and_minutes_pass_for_all() -> None:
    given = [*TABLE, POISONED, CURSED, m.ConditionSet("ben", "aflame", 1)]
    steps = (
        (GM, m.EndRound()),
        (GM, m.PassMinutes(59)),
        (GM, m.EndRound()),
        (GM, m.PassMinutes(9)),
    )
    log = play(*steps, given=given)
    assert log == [
        m.ConditionTicked("ana", "poisoned", 2),
        m.ConditionTicked("ben", "aflame", 0),
        m.ConditionTicked("ana", "cursed", minutes=1),
        m.ConditionTicked("ana", "poisoned", 1),
        m.ConditionTicked("ana", "cursed", minutes=0),
    ]
    assert list(after(ANA, [*given, *log]).conditions) == ["ana.poisoned"]


def test_15_6_who_leaves_leaves_conditions_and_counters_behind() -> None:
    counted = m.CounterSet("ana", "arrows", value=3)
    state = after(ANA, [*TABLE, POISONED, counted, m.ConditionSet("ben", "blessed"), out()])
    assert (list(state.conditions), state.counters) == (["ben.blessed"], {})


def test_15_7_counters_stand_on_the_table() -> None:
    steps = (
        (P1, m.SetCounter("ana", "arrows", 12)),
        (GM, m.SetCounter("ana", "Arrows", 11, "shot at the wolf")),
        (GM, m.SetCounter("ben", "debts", -3)),
        (GM, m.SetCounter("ben", "coins", 3)),
        (GM, m.SetCounter("ben", "coins")),
    )
    log = play(*steps, given=TABLE)
    assert log[1] == m.CounterSet("ana", "arrows", 12, 11, "shot at the wolf")
    assert log[-1] == m.CounterSet("ben", "coins", 3)
    assert ruleset.show(after(ANA, [*TABLE, *log])).pools == {
        "ana.arrows": Pool("ana", "arrows", 11),
        "ben.debts": Pool("ben", "debts", -3),
    }


@pytest.mark.parametrize("mode", [UNSET, *StaminaMode])
def test_15_9_stamina_is_counted_by_hand_only_where_the_rules_do_not(mode: StaminaMode) -> None:
    counted = [m.CounterSet("ana", "Stamina", value=9)]
    check(
        given=TABLE,
        when=m.SetCounter("ana", "Stamina", 9),
        by=P1,
        then="counter-reserved" if mode else counted,
        options=Options(stamina_mode=mode),
    )


def test_2_9_the_gm_plays_any_number_of_npcs_each_with_a_deck() -> None:
    log = play(
        (GM, m.CreateNpc("wolf", "Wolf")),
        (GM, m.CreateNpc("rat", "Rat")),
        (GM, m.DistributeRanks("wolf", 1, 4, 1)),
        (GM, m.SetDifficulty("wolf", D, EASY, "bite Ana")),
        (GM, m.Flip("wolf"), 13, 12),
        (GM, m.Interpret("wolf", "It bites.")),
        (GM, m.SetCondition("wolf", "aflame", 2)),
        given=TABLE,
    )
    assert log[0] == WOLF
    [flipped] = [event for event in log if isinstance(event, m.Flipped)]
    assert (flipped.rank, flipped.aim, flipped.cards) == (4, "bite Ana", ("D13", "D12"))
    table = ruleset.show(after(ANA, [*TABLE, *log]))
    assert [table.entities[who].kind for who in ("ana", "wolf", "rat")] == ["PC", "NPC", "NPC"]
    assert (table.decks["wolf"].remaining, table.decks["rat"].remaining) == (18, 20)


def test_5_2_what_the_gm_says_a_flip_is_for_replaces_what_was_announced() -> None:
    steps = (
        (P1, m.Attempt("ana", "fly")),
        (GM, m.SetDifficulty("ana", D, EASY, "jump")),
        (P1, m.Flip("ana"), 13, 12),
    )
    log = play(*steps, given=TABLE)
    assert [event.aim for event in log] == ["fly", "jump", "jump"]  # type: ignore[attr-defined]
    assert after(ANA, [*TABLE, *log]).characters["ana"].attempt.aim == "jump"


ILLS = [m.ConditionSet("ana", f"ill {nth}") for nth in range(20)]
COUNTS = [m.CounterSet("ana", f"count {nth}", value=nth) for nth in range(20)]
CASES = [
    # name, given, by, when, drawn, then
    Case(
        "3 1 a new name",
        TABLE,
        P1,
        m.Introduce("ana", name="Ana Stone"),
        [],
        [m.Introduced("ana", name="Ana Stone")],
    ),
    Case(
        "12 3 the gm reshuffles for a player",
        TABLE,
        GM,
        m.Reshuffle("ana"),
        [],
        [m.Reshuffled("ana", "chosen", 20, 0)],
    ),
    Case(
        "15 5 the gm ends a condition",
        [*TABLE, CURSED],
        GM,
        m.EndCondition("ana", "Cursed", R),
        [],
        [m.ConditionEnded("ana", "cursed", R)],
    ),
    Case(
        "15 6 the twentieth condition",
        [*TABLE, *ILLS[:19]],
        GM,
        m.SetCondition("ana", "poisoned"),
        [],
        [m.ConditionSet("ana", "poisoned")],
    ),
    Case(
        "15 6 one of twenty is set again",
        [*TABLE, *ILLS],
        GM,
        m.SetCondition("ana", "Ill 3", 2),
        [],
        [m.ConditionSet("ana", "ill 3", 2)],
    ),
    Case(
        "15 6 another character has its own twenty",
        [*TABLE, *ILLS],
        GM,
        m.SetCondition("ben", "poisoned"),
        [],
        [m.ConditionSet("ben", "poisoned")],
    ),
    Case(
        "15 9 the twentieth counter",
        [*TABLE, *COUNTS[:19]],
        P1,
        m.SetCounter("ana", "arrows", 12),
        [],
        [m.CounterSet("ana", "arrows", value=12)],
    ),
    Case(
        "15 7 below 0",
        [*TABLE, m.CounterSet("ana", "luck", value=0)],
        P1,
        m.SetCounter("ana", "luck", -1),
        [],
        [m.CounterSet("ana", "luck", 0, -1)],
    ),
]


@each_case(CASES)
def test_case(case: Case) -> None:
    case.check()


def test_3_1_the_new_name_is_on_the_table() -> None:
    state = after(ANA, [*TABLE, m.Introduced("ana", name="Ana Stone")])
    assert ruleset.show(state).entities["ana"].name == "Ana Stone"


def test_what_happens_to_an_unknown_character_is_not_shown() -> None:
    unseen = [POISONED, m.ConditionTicked("ana", "poisoned", 2), m.ConditionEnded("ana", "x", R)]
    counted = [m.CounterSet("ana", "arrows", value=3), m.CounterSet("ana", "arrows", 3)]
    assert after(ANA, [*unseen, *counted]) == after(ANA, [])
