"""Limits of a table and a sheet: the last free place, one more, and a change on a full sheet."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.open import messages as m
from domain.rulesets.open.rules import Being
from tests.domain.rulesets.given import check
from tests.domain.rulesets.open.people import ANA, GM, P1
from tests.domain.rulesets.open.refusals import (
    BARS,
    CONDITIONS,
    COUNTERS,
    CROWD,
    DECKS,
    NUMBERS,
    ROLLS,
)

CREATED = ANA[:1]

PLACES: list[tuple[str, Sequence[Message], By, Message, Message]] = [
    # rule, what takes all places, who, a command for one more place, its event
    (
        "too-many-characters",
        CROWD[1:],  # and ana
        GM,
        m.CreateCharacter("new", "New"),
        m.CharacterCreated("new", "New", Being.NPC, "gm"),
    ),
    (
        "too-many-numbers",
        NUMBERS,
        P1,
        m.SetNumber("ana", "new", 1),
        m.NumberSet("ana", "new", 1),
    ),
    (
        "too-many-numbers",
        NUMBERS,
        P1,
        m.AddToNumber("ana", "new", 1, "a gift"),
        m.NumberChanged("ana", "new", 0, 1, "a gift"),
    ),
    ("too-many-bars", BARS, P1, m.SetBar("ana", "new", 1, 1), m.BarSet("ana", "new", 1, 1)),
    (
        "too-many-conditions",
        CONDITIONS,
        P1,
        m.SetCondition("ana", "new"),
        m.ConditionSet("ana", "new"),
    ),
    (
        "too-many-rolls",
        ROLLS,
        P1,
        m.SaveRoll("ana", "new", "1d6"),
        m.RollSaved("ana", "new", "1d6"),
    ),
    (
        "too-many-decks",
        DECKS,
        GM,
        m.CreateDeck("new", "New", ("Ace",)),
        m.DeckCreated("new", "New", ("Ace",)),
    ),
    ("too-many-counters", COUNTERS, GM, m.SetCounter("new", 1), m.CounterSet("new", 1)),
    ("too-many-counters", COUNTERS, GM, m.AddToCounter("new", 1), m.CounterSet("new", 1)),
]


@pytest.mark.parametrize(("rule", "taken", "by", "when", "then"), PLACES)
def test_the_last_place_is_filled_and_one_more_is_refused(
    rule: str, taken: Sequence[Message], by: By, when: Message, then: Message
) -> None:
    check(given=[*CREATED, *taken[1:]], when=when, by=by, then=[then])
    check(given=[*CREATED, *taken], when=when, by=by, then=rule)


CHANGES: list[tuple[Sequence[Message], By, Message, Message]] = [
    # what takes all places, who, a command that changes one of them, its event
    (NUMBERS, P1, m.SetNumber("ana", "N0", 2), m.NumberSet("ana", "n0", 2, 1)),
    (
        NUMBERS,
        P1,
        m.AddToNumber("ana", "N0", 1, "a gift"),
        m.NumberChanged("ana", "n0", 1, 2, "a gift"),
    ),
    (BARS, P1, m.SetBar("ana", "B0", 0, 1), m.BarSet("ana", "b0", 0, 1, 1)),
    (CONDITIONS, P1, m.SetCondition("ana", "C0", 2), m.ConditionSet("ana", "c0", 2)),
    (ROLLS, P1, m.SaveRoll("ana", "R0", "1d8"), m.RollSaved("ana", "r0", "1d8")),
    (COUNTERS, GM, m.SetCounter("C0", 2), m.CounterSet("c0", 2, 1)),
    (COUNTERS, GM, m.AddToCounter("C0", 1), m.CounterSet("c0", 2, 1)),
]


@pytest.mark.parametrize(("taken", "by", "when", "then"), CHANGES)
def test_a_part_is_changed_when_all_places_are_taken(
    taken: Sequence[Message], by: By, when: Message, then: Message
) -> None:
    check(given=[*CREATED, *taken], when=when, by=by, then=[then])
