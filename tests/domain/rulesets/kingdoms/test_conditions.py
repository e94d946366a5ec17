"""Conditions: they last for rounds, for minutes or until the GR ends them."""

from __future__ import annotations

import json

from msgspec import UNSET

from domain.codec import check_parts, encode
from domain.ruleset import Message
from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms.rules import MAX_CONDITIONS
from domain.rulesets.kingdoms.state import Condition
from tests.domain.rulesets.given import after, check, play
from tests.domain.rulesets.kingdoms.people import GM, TABLE

POISONED = m.ConditionSet("ana", "Poisoned", rounds=2, note="one die fewer")
BOUND = m.ConditionSet("ork", "bound", minutes=30)
CURSED = m.ConditionSet("ben", "cursed")
ALL: tuple[Message, ...] = (*TABLE, POISONED, BOUND, CURSED)


def test_a_condition_is_set_with_rounds_minutes_or_neither() -> None:
    for when, then in (
        (m.SetCondition("ana", "Poisoned", 2, note="one die fewer"), POISONED),
        (m.SetCondition("ork", "bound", minutes=30), BOUND),
        (m.SetCondition("ben", "cursed"), CURSED),
    ):
        check(given=TABLE, when=when, by=GM, then=[then])


def test_a_condition_set_again_keeps_its_spelling_and_has_the_new_terms() -> None:
    then = m.ConditionSet("ana", "Poisoned", minutes=5)
    check(given=ALL, when=m.SetCondition("ana", " poisoned", minutes=5), by=GM, then=[then])
    assert after(m.EndRound(), [*ALL, then]).conditions["ana.poisoned"] == Condition(
        "ana", "Poisoned", minutes=5
    )


def test_a_round_counts_for_conditions_with_rounds_alone() -> None:
    first, second = (m.ConditionTicked("ana", "Poisoned", rounds=left) for left in (1, 0))
    check(given=ALL, when=m.EndRound(), by=GM, then=[first])
    check(given=[*ALL, first], when=m.EndRound(), by=GM, then=[second])
    state = after(m.EndRound(), [*ALL, first])
    assert state.conditions["ana.poisoned"] == Condition("ana", "Poisoned", 1, note="one die fewer")
    assert set(after(m.EndRound(), [*ALL, first, second]).conditions) == {"ork.bound", "ben.cursed"}


def test_minutes_count_for_conditions_with_minutes_alone() -> None:
    for passed, left in ((10, 20), (30, 0), (45, 0)):
        then = m.ConditionTicked("ork", "bound", minutes=left)
        check(given=ALL, when=m.PassMinutes(passed), by=GM, then=[then])
    ended = after(m.EndRound(), [*ALL, m.ConditionTicked("ork", "bound", minutes=0)])
    assert set(ended.conditions) == {"ana.poisoned", "ben.cursed"}


def test_conditions_tick_in_the_order_of_their_keys() -> None:
    happened = play(
        (GM, m.SetCondition("ork", "dazed", 3)),
        (GM, m.SetCondition("ana", "winded", 1)),
        (GM, m.SetCondition("ana", "dazed", 2)),
        (GM, m.EndRound()),
        given=TABLE,
    )
    assert happened[3:] == [
        m.ConditionTicked("ana", "dazed", rounds=1),
        m.ConditionTicked("ana", "winded", rounds=0),
        m.ConditionTicked("ork", "dazed", rounds=2),
    ]


def test_the_gr_ends_a_condition_under_any_spelling() -> None:
    for when, then in (
        (m.EndCondition("ana", "poisoned", "an antidote"), ("ana", "Poisoned", "an antidote", 2)),
        (m.EndCondition("ork", "BOUND", "a knife"), ("ork", "bound", "a knife")),
        (m.EndCondition("ben", "cursed", "a kiss"), ("ben", "cursed", "a kiss")),
    ):
        check(given=ALL, when=when, by=GM, then=[m.ConditionEnded(*then)])
    ended = [
        m.ConditionEnded("ana", "Poisoned", "so", 2),
        m.ConditionEnded("ork", "bound", "so"),
        m.ConditionEnded("ben", "cursed", "so"),
    ]
    assert after(m.EndRound(), [*ALL, *ended]).conditions is UNSET


def test_the_last_of_twenty_conditions_can_be_set_and_changed() -> None:
    ailing = [m.ConditionSet("ana", f"ill {n}") for n in range(MAX_CONDITIONS)]
    last = ailing[-1].name
    check(
        given=[*TABLE, *ailing[:-1]],
        when=m.SetCondition("ana", last),
        by=GM,
        then=[ailing[-1]],
    )
    check(
        given=[*TABLE, *ailing],
        when=m.SetCondition("ana", last, rounds=3),
        by=GM,
        then=[m.ConditionSet("ana", last, rounds=3)],
    )


def test_a_condition_of_a_hidden_entity_has_no_effect() -> None:
    hidden = [m.ConditionSet("imp", "bound", 3), m.ConditionTicked("imp", "bound", 2)]
    assert after(m.EndRound(), [*TABLE, *hidden]).conditions is UNSET


def test_a_table_with_conditions_is_canonical_json() -> None:
    """A fork records it, and canonical JSON has only ASCII keys."""
    given = [*TABLE, m.ConditionSet("ana", "Müde", rounds=3), m.ConditionSet("ana", "\\xfc", 3)]
    state = after(m.EndRound(), given)
    assert len(state.conditions) == 2
    check_parts(json.loads(encode(state)))
    check(
        given=given,
        when=m.EndCondition("ana", "MÜDE", "sleep"),
        by=GM,
        then=[m.ConditionEnded("ana", "Müde", "sleep", 3)],
    )
