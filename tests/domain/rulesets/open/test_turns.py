"""Initiative, rounds and conditions: who acts when, and what time does."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.open import messages as m
from domain.rulesets.open.rules import Being
from domain.session.annotations import OVERRIDES
from tests.domain.rulesets.given import Case, after, check, each_case, play
from tests.domain.rulesets.open.people import (
    ANA,
    BEN,
    GM,
    P1,
    P2,
    TABLE,
    in_order,
    result,
    turn,
)

ORDERS: list[tuple[dict[str, int], list[str]]] = [
    ({"ana": 12, "ben": 15, "orc": 9}, ["ben", "ana", "orc"]),
    ({"ana": 12, "ben": 12, "orc": 12}, ["ana", "ben", "orc"]),
    ({"orc": 12, "ben": 12, "ana": 13}, ["ana", "orc", "ben"]),
    ({"ana": -3, "ben": 0}, ["ben", "ana"]),
]


@pytest.mark.parametrize(("initiative", "order"), ORDERS)
def test_the_highest_is_first_and_the_earlier_of_equals(
    initiative: dict[str, int], order: list[str]
) -> None:
    state = after(TABLE[0], [*TABLE, *in_order(**initiative)])
    assert [place.entity for place in state.order] == order


def test_a_character_that_enters_again_is_placed_after_equals() -> None:
    state = after(TABLE[0], [*TABLE, *in_order(ana=12, ben=12), *in_order(ana=12)])
    assert [place.entity for place in state.order] == ["ben", "ana"]


def test_a_number_that_the_gm_sets_is_no_override() -> None:
    assert m.InitiativeSet not in OVERRIDES


def test_a_number_that_is_changed_in_a_round_holds_from_the_next_round_on() -> None:
    happened = play(
        (GM, m.NextTurn()),
        (P1, m.SetInitiative("ana", 1)),
        (P1, m.NextTurn()),
        (P2, m.RollInitiative("ben", "1d20"), 20),
        (P2, m.NextTurn()),
        (P2, m.SetInitiative("ben", 2)),
        (GM, m.NextTurn()),
        (GM, m.NextTurn()),
        (P2, m.NextTurn()),
        given=[*TABLE, *in_order(ana=12, ben=9, orc=3)],
    )
    turns = [(each.round, each.entity) for each in happened if isinstance(each, m.TurnStarted)]
    assert turns == [(1, "ana"), (1, "ben"), (1, "orc"), (2, "orc"), (2, "ben"), (2, "ana")]


@pytest.mark.parametrize(("value", "following"), [(15, "orc"), (12, "ben"), (7, "ben")])
def test_a_character_that_enters_in_a_round_acts_if_its_place_is_still_to_come(
    value: int, following: str
) -> None:
    given = [*TABLE, *in_order(ana=12, orc=3), turn("ana"), *in_order(ben=value)]
    assert play((P1, m.NextTurn()), given=given) == [turn(following, 1, starts_round=False)]


@pytest.mark.parametrize("end", [m.Removed("orc"), m.InitiativeEnded()])
def test_a_changed_number_ends_with_the_character_or_the_initiative(end: Message) -> None:
    given = [*TABLE, *in_order(ana=12, orc=3), turn("ana"), *in_order(orc=20), end]
    state = after(TABLE[0], [*given, *in_order(ana=12), m.RoundEnded()])
    assert [place.entity for place in state.order] == ["ana"]


def test_a_fight_of_two_rounds() -> None:
    happened = play(
        (P1, m.RollInitiative("ana", "1d20+2", "Draw first"), 10),
        (GM, m.SetInitiative("orc", 15)),
        (GM, m.NextTurn()),
        (GM, m.SetCondition("ana", "prone", rounds=1)),
        (P2, m.SetCondition("ben", "blessed", rounds=2)),
        (GM, m.NextTurn()),
        (P1, m.NextTurn()),
        (GM, m.NextTurn()),
        (GM, m.EndInitiative()),
        given=TABLE,
    )
    assert happened == [
        m.InitiativeRolled("ana", "1d20+2", (result(20, [10]),), 12, True, "Draw first"),
        m.InitiativeSet("orc", 15),
        turn("orc", 1),
        m.ConditionSet("ana", "prone", 1),
        m.ConditionSet("ben", "blessed", 2),
        turn("ana", 1, starts_round=False),
        m.RoundEnded(1),
        m.ConditionEnded("ana", "prone", 0),
        m.ConditionTicked("ben", "blessed", 1),
        turn("orc", 2),
        turn("ana", 2, starts_round=False),
        m.InitiativeEnded(),
    ]
    ended = after(TABLE[0], [*TABLE, *happened])
    assert (ended.order, ended.round, ended.characters["ana"].conditions) == ((), 0, ())


IN_TURN = [*in_order(ana=12, ben=9, orc=3), turn("ana")]
BLESSED = m.ConditionSet("orc", "blessed", 2)

CASES = [
    Case(
        "the character after the removed one is next",
        [*TABLE, *IN_TURN],
        P1,
        m.Remove("ana"),
        [],
        [m.Removed("ana"), turn("ben", 1, starts_round=False)],
    ),
    Case(
        "the round ends if the last character is removed in its turn",
        [*TABLE, *IN_TURN, turn("orc", 1, starts_round=False), BLESSED],
        GM,
        m.Remove("orc"),
        [],
        [m.Removed("orc"), m.RoundEnded(1), turn("ana", 2)],
    ),
    Case(
        "initiative ends with the only character",
        [*TABLE, *in_order(ana=12), turn("ana")],
        P1,
        m.Remove("ana"),
        [],
        [m.Removed("ana"), m.InitiativeEnded()],
    ),
    Case(
        "nothing happens to the turn of another character",
        [*TABLE, *IN_TURN],
        GM,
        m.Remove("orc"),
        [],
        [m.Removed("orc")],
    ),
    Case(
        "a round outside of initiative",
        [*TABLE, BLESSED, m.ConditionSet("ana", "hidden", minutes=5)],
        GM,
        m.EndRound(),
        [],
        [m.RoundEnded(), m.ConditionTicked("orc", "blessed", 1)],
    ),
    Case(
        "a round before the first turn",
        [*TABLE, *in_order(ana=12), BLESSED],
        GM,
        m.EndRound(),
        [],
        [m.RoundEnded(), m.ConditionTicked("orc", "blessed", 1)],
    ),
    Case(
        "minutes pass",
        [*TABLE, BLESSED, m.ConditionSet("ana", "hidden", minutes=5)],
        GM,
        m.PassMinutes(3),
        [],
        [m.MinutesPassed(3), m.ConditionTicked("ana", "hidden", minutes=2)],
    ),
    Case(
        "more minutes pass than are left",
        [*TABLE, m.ConditionSet("ana", "hidden", minutes=5)],
        GM,
        m.PassMinutes(60),
        [],
        [m.MinutesPassed(60), m.ConditionEnded("ana", "hidden", minutes=0)],
    ),
    Case(
        "a condition without a duration stays",
        [*TABLE, m.ConditionSet("ana", "cursed")],
        GM,
        m.PassMinutes(60),
        [],
        [m.MinutesPassed(60)],
    ),
    Case(
        "a condition that is ended says what was left",
        [*TABLE, BLESSED],
        GM,
        m.EndCondition("orc", "blessed"),
        [],
        [m.ConditionEnded("orc", "blessed", 2)],
    ),
]


@each_case(CASES)
def test_turns_and_time(case: Case) -> None:
    case.check()


def test_a_condition_that_is_set_again_is_replaced() -> None:
    tripped = m.ConditionSet("ana", "prone", 3, note="tripped")
    given = [*ANA, tripped, m.ConditionSet("ana", "prone")]
    [held] = after(given[0], given).characters["ana"].conditions
    assert held == after(given[0], [*ANA, given[-1]]).characters["ana"].conditions[0]


def test_a_tick_keeps_the_note() -> None:
    given: list[Message] = [*ANA, m.ConditionSet("ana", "prone", 3, note="tripped")]
    given.append(m.ConditionTicked("ana", "prone", 2))
    [held] = after(given[0], given).characters["ana"].conditions
    assert (held.rounds, held.note) == (2, "tripped")


CHANGES: list[tuple[Sequence[Message], By, Message, Message]] = [
    (
        [],
        P1,
        m.CreateCharacter("cleo", "Cleo"),
        m.CharacterCreated("cleo", "Cleo", Being.PC, "p1"),
    ),
    (
        [],
        P1,
        m.CreateCharacter("cleo", "Cleo", "p1"),
        m.CharacterCreated("cleo", "Cleo", Being.PC, "p1"),
    ),
    (
        [],
        GM,
        m.CreateCharacter("cleo", "Cleo", "p2"),
        m.CharacterCreated("cleo", "Cleo", Being.PC, "p2"),
    ),
    (
        [],
        GM,
        m.CreateCharacter("cleo", "Cleo", "gm"),
        m.CharacterCreated("cleo", "Cleo", Being.PC, "gm"),
    ),
    (
        [],
        GM,
        m.CreateCharacter("rat", "The rat"),
        m.CharacterCreated("rat", "The rat", Being.NPC, "gm"),
    ),
    ([], P2, m.Note("A letter", "Come\nsoon."), m.NoteWritten("p2", "A letter", "Come\nsoon.")),
    ([], P1, m.SetNumber("ana", "strength", 4), m.NumberSet("ana", "strength", 4, 3)),
    ([], P1, m.SetNumber("ana", "gold", 4), m.NumberSet("ana", "gold", 4)),
    (
        [],
        GM,
        m.AddToNumber("ana", "strength", -4, "a curse"),
        m.NumberChanged("ana", "strength", 3, -1, "a curse"),
    ),
    (
        [],
        P1,
        m.AddToNumber("ana", "gold", 4, "a purse"),
        m.NumberChanged("ana", "gold", 0, 4, "a purse"),
    ),
    (
        [m.NumberSet("ana", "gold", 999_998)],
        P1,
        m.AddToNumber("ana", "gold", 1, "a coin"),
        m.NumberChanged("ana", "gold", 999_998, 999_999, "a coin"),
    ),
    (
        [],
        P1,
        m.AddToNumber("ana", "debt", -999_999, "a bad bet"),
        m.NumberChanged("ana", "debt", 0, -999_999, "a bad bet"),
    ),
    ([], P1, m.SetBar("ana", "HP", 12, 12), m.BarSet("ana", "HP", 12, 12, 7)),
    ([], P1, m.SetBar("ana", "mana", 0, 5), m.BarSet("ana", "mana", 0, 5)),
    ([], P1, m.ChangeBar("ana", "HP", -3), m.BarChanged("ana", "HP", -3, 4, 12)),
    ([], P1, m.ChangeBar("ana", "HP", -30), m.BarChanged("ana", "HP", -7, 0, 12)),
    ([], P1, m.ChangeBar("ana", "HP", 30), m.BarChanged("ana", "HP", 5, 12, 12)),
    (
        [m.BarSet("ana", "HP", 12, 12)],
        P1,
        m.ChangeBar("ana", "HP", 1),
        m.BarChanged("ana", "HP", 0, 12, 12),
    ),
    ([], GM, m.SetCounter("doom", 2), m.CounterSet("doom", 2)),
    ([m.CounterSet("doom", 2)], GM, m.SetCounter("doom", 5), m.CounterSet("doom", 5, 2)),
    ([], GM, m.AddToCounter("doom", -1), m.CounterSet("doom", -1)),
    ([m.CounterSet("doom", 2)], GM, m.AddToCounter("Doom", 3), m.CounterSet("doom", 5, 2)),
    ([], GM, m.AddToCounter("doom", -999_999), m.CounterSet("doom", -999_999)),
    ([], P1, m.SaveRoll("ana", "bow", "1d20+5"), m.RollSaved("ana", "bow", "1d20+5")),
    ([], P1, m.SaveRoll("ana", "STEALTH", "1d20"), m.RollSaved("ana", "stealth", "1d20")),
    ([], P1, m.SetNumber("ana", " Strength ", 4), m.NumberSet("ana", "strength", 4, 3)),
    (
        [],
        P1,
        m.AddToNumber("ana", "STRENGTH", 1, "a potion"),
        m.NumberChanged("ana", "strength", 3, 4, "a potion"),
    ),
    ([], P1, m.SetBar("ana", "hp", 12, 12), m.BarSet("ana", "HP", 12, 12, 7)),
    ([], P1, m.ChangeBar("ana", "hp", -3), m.BarChanged("ana", "HP", -3, 4, 12)),
    (
        [m.ConditionSet("ana", "mage armour", 3)],
        P1,
        m.SetCondition("ana", "Mage  Armour", 5),
        m.ConditionSet("ana", "mage armour", 5),
    ),
    (
        [m.ConditionSet("ana", "mage armour", 3)],
        P1,
        m.EndCondition("ana", "Mage Armour"),
        m.ConditionEnded("ana", "mage armour", 3),
    ),
]


@pytest.mark.parametrize(("given", "by", "when", "then"), CHANGES)
def test_what_is_on_a_sheet_or_on_the_table_changes(
    given: Sequence[Message], by: By, when: Message, then: Message
) -> None:
    check(given=[*TABLE, *given], when=when, by=by, then=[then])


def test_a_removed_character_keeps_its_name_alone() -> None:
    given = [*ANA, *BEN, m.ConditionSet("ana", "prone"), m.Removed("ana")]
    ana = after(given[0], given).characters["ana"]
    assert (ana.name, ana.seat, ana.removed) == ("Ana", "p1", True)
    assert (ana.numbers, ana.bars, ana.conditions, ana.rolls) == ((), (), (), ())
