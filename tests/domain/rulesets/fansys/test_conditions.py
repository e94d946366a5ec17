"""Conditions that are not the game's: their names, how long they last, and what ends with them."""

from __future__ import annotations

import random

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.available_commands import (
    AvailableCommand,
    KnownValues,
    allowed_values,
    available_commands,
    examples,
)
from domain.codec import check_parts
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c, events as e, ruleset
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    Options,
    RollPurpose,
    Scene,
    TiedGrant,
    Unit,
)
from fairlog.testing.random_commands import builtins, random_wish
from tests.domain.rulesets.fansys.example import EXAMPLE
from tests.domain.rulesets.fansys.people import (
    ANA,
    BEN,
    GM,
    TABLE,
    created,
    hex_penalty,
    hexed,
    is_now,
    tied,
)
from tests.domain.rulesets.given import Case, after, each_case
from tests.support.sessions import ScriptedSession

PRONE = ConditionName.PRONE
SET: list[tuple[c.SetCondition, Options, e.ConditionSet]] = [
    # the command, options, what is set
    (c.SetCondition("ana", name="hexed"), Options(), hexed("ana")),
    (c.SetCondition("ana", name="hexed", rounds=3), Options(), hexed("ana", 3)),
    (c.SetCondition("ana", name="hexed", minutes=3), Options(), hexed("ana", minutes=3)),
    (
        c.SetCondition("ana", name=" on  fire ", note="1d6 a round"),
        Options(),
        e.ConditionSet("ana", "on fire", note="1d6 a round"),
    ),
    (c.SetCondition("ana", name="Prone", rounds=2), Options(), is_now("ana", PRONE, 2)),
    (c.SetCondition("ana", name="prone (c)", rounds=2), Options(), is_now("ana", PRONE, 2)),
    (c.SetCondition("ana", PRONE), Options(), is_now("ana", PRONE)),
    (c.SetCondition("ana", PRONE, minutes=2), Options(), is_now("ana", PRONE, 20)),
    (
        c.SetCondition("ana", PRONE, minutes=2),
        Options(round_seconds=5),
        is_now("ana", PRONE, 24),
    ),
]


@pytest.mark.parametrize(("when", "options", "then"), SET)
def test_set(when: c.SetCondition, options: Options, then: e.ConditionSet) -> None:
    Case("", ANA, GM, when, [], [then], options).check()


def test_set_again_it_has_the_new_name_duration_and_note() -> None:
    given, again = replace(hexed("ana", 3), note="slow"), e.ConditionSet("ana", "HEXED", minutes=5)
    state = after(again, [*ANA, given, again])
    (own,) = state.conditions.values()
    assert (own.name, own.rounds, own.until, own.note) == ("HEXED", UNSET, 300, UNSET)


def test_twenty_may_be_set_anew() -> None:
    given = [*ANA, *(e.ConditionSet("ana", f"hexed {n} times") for n in range(20))]
    when = c.SetCondition("ana", name="Hexed 7 times", rounds=1)
    Case("", given, GM, when, [], [e.ConditionSet("ana", "Hexed 7 times", 1)]).check()


TICKS: list[tuple[Message, int, list[Message]]] = [
    # the condition, seconds that pass; what is told of it
    (hexed("ana"), 600, []),
    (hexed("ana", 3), 6, [e.ConditionTicked("ana", "hexed", 2)]),
    (hexed("ana", 3), 18, [e.ConditionTicked("ana", "hexed", 0)]),
    (hexed("ana", minutes=2), 6, []),
    (hexed("ana", minutes=2), 60, [e.ConditionTicked("ana", "hexed", minutes=1)]),
    (hexed("ana", minutes=2), 66, [e.ConditionTicked("ana", "hexed", minutes=1)]),
    (hexed("ana", minutes=2), 120, [e.ConditionTicked("ana", "hexed", minutes=0)]),
    (hexed("ana", minutes=2), 6_000, [e.ConditionTicked("ana", "hexed", minutes=0)]),
]


@pytest.mark.parametrize(("condition", "seconds", "then"), TICKS)
def test_ticks(condition: Message, seconds: int, then: list[Message]) -> None:
    passed = e.TimePassed(seconds, seconds, seconds // 6, Unit.ROUND)
    when = c.PassTime(seconds // 6, Unit.ROUND)
    Case("", [*ANA, condition], GM, when, [], [passed, *then]).check()
    ended = then and not (then[0].rounds or then[0].minutes)  # type: ignore[attr-defined]
    assert len(after(passed, [*ANA, condition, passed, *then]).conditions) == (not ended)


def test_minutes_are_counted_from_when_they_began() -> None:
    given = [*ANA, e.TimePassed(30, 30), hexed("ana", minutes=1), e.TimePassed(30, 60)]
    passed = e.TimePassed(30, 90)
    assert after(passed, given).conditions["ana.hexed"].until == 90
    assert ruleset.show(after(passed, given)).conditions["ana.own.hexed"].minutes == 1


ENDING = c.EndCondition("ana", "HEXED", "the moth is free")
ENDED = e.ConditionEnded("ana", "hexed", "the moth is free")
ROWS: list[Case] = [
    Case("the gm ends it", [*ANA, hexed("ana")], GM, ENDING, [], [ENDED]),
    Case(
        "with the rounds that were left",
        [*ANA, hexed("ana", 3)],
        GM,
        ENDING,
        [],
        [replace(ENDED, rounds=3)],
    ),
    Case(
        "one of the game's too",
        [*ANA, is_now("ana", PRONE)],
        GM,
        c.EndCondition("ana", "Prone", "a hand"),
        [],
        [e.ConditionEnded("ana", "prone", "a hand")],
    ),
    Case(
        "one of the game's as the table shows it",
        [*ANA, is_now("ana", PRONE, 2)],
        GM,
        c.EndCondition("ana", "prone (C)", "a hand"),
        [],
        [e.ConditionEnded("ana", "prone", "a hand", 2)],
    ),
    Case(
        "its modifiers end with it",
        [*ANA, hexed("ana"), hex_penalty(), hex_penalty(2, source="luck")],
        GM,
        ENDING,
        [],
        [ENDED, hex_penalty(0, -2)],
    ),
    Case(
        "also when it runs out",
        [*ANA, hexed("ana", 1), hex_penalty()],
        GM,
        c.PassTime(1, Unit.ROUND),
        [],
        [
            e.TimePassed(6, 6, 1, Unit.ROUND),
            e.ConditionTicked("ana", "hexed", 0),
            hex_penalty(0, -2),
        ],
    ),
    Case(
        "but not before",
        [*ANA, hexed("ana", 2), hex_penalty()],
        GM,
        c.PassTime(1, Unit.ROUND),
        [],
        [e.TimePassed(6, 6, 1, Unit.ROUND), e.ConditionTicked("ana", "hexed", 1)],
    ),
]


@each_case(ROWS)
def test_case(case: Case) -> None:
    case.check()


def test_what_ends_is_gone_from_the_sheet() -> None:
    given = [*ANA, hexed("ana"), hex_penalty(), ENDED, hex_penalty(0, -2)]
    state = after(ENDED, given)
    assert state.conditions == {}
    assert state.entities["ana"].modifiers == ()


def test_who_retires_takes_the_conditions_along() -> None:
    given = [*TABLE, hexed("ana"), hexed("ben"), is_now("ana", PRONE), e.Retired("ana", "an inn")]
    state = after(given[0], given)
    assert list(state.conditions) == ["ben.hexed"]
    assert state.entities["ana"].conditions == {}


def test_a_state_with_any_condition_can_go_into_a_log() -> None:
    """The keys of canonical JSON are ASCII, and a fork records the state."""
    odd = [replace(hexed("ana"), condition=name) for name in ("Müde", "疲れた", "{on fire}")]
    state = after(odd[0], [*ANA, *odd, e.SceneSet(Scene.TENSE, Scene.SAFE, "dawn")])
    check_parts(builtins(state))
    assert len(state.conditions) == 3


def test_conditions_of_someone_unseen_are_not_kept() -> None:
    assert after(BEN[0], [*BEN, hexed("ana"), created("ana")]).conditions == {}


LONG = "disadvantage on the next sword attack against someone with a long name"


def test_a_label_that_is_too_long_for_the_command_is_no_example() -> None:
    """The table shows grants among the conditions. Their labels can be longer than any name."""
    target = replace(created("ben", "p2"), name="B" * 80)
    grant = TiedGrant(Twist.EXTREME_DISADVANTAGE, RollPurpose.ATTACK, "a" * 80, "ben")
    state = after(target, [*ANA, target, tied(grant)])
    assert len(ruleset.show(state).conditions["ana.granted.1"].label) > 60
    for seed in range(10):
        random_wish(random.Random(seed), ruleset, state, c.EndCondition)


@pytest.mark.parametrize(("labels", "name"), [((LONG, "hexed"), "hexed"), ((LONG,), "new")])
def test_the_first_example_names_a_label_that_is_not_too_long(
    labels: tuple[str, ...], name: str
) -> None:
    known = KnownValues({"ana": ()}, (), conditions={"ana": labels})
    assert next(examples(known, c.EndCondition)) == c.EndCondition("ana", name, "new")


def offered_end(evening: ScriptedSession) -> AvailableCommand:
    offered = available_commands(evening.session, GM)
    return next(each for each in offered if each.kind == "fansys.EndCondition")


def test_at_a_large_table_the_end_of_the_only_condition_is_offered() -> None:
    """The characters without conditions do not use up the examples that are tried."""
    evening = ScriptedSession(ruleset=ruleset)
    for n in range(10):
        evening.do("gm", replace(EXAMPLE.bring, entity=f"rat-{n}", name=f"Rat {n}"))
    assert offered_end(evening).facts == {"entity": "rat-0", "condition": "new"}
    evening.do("gm", c.SetCondition("rat-9", name="hexed"))
    assert offered_end(evening).example == c.EndCondition("rat-9", "hexed", "new")


def test_only_attacks_and_skills_of_the_sheet_are_offered_by_name() -> None:
    """The sheet that people see has more entries, such as the level."""
    evening = ScriptedSession(ruleset=ruleset)
    for entity in ("ana", "rat"):
        evening.do("gm", replace(EXAMPLE.bring, entity=entity, name=entity))
    for item in (Item.LONGSWORD, Item.DAGGER):
        evening.do("gm", c.Equip("ana", item))
    evening.do("gm", c.LearnSkill("ana", "hiding", 1, DEX))
    offered = {each.kind: each for each in available_commands(evening.session, GM, "ana")}
    attack = offered["fansys.Attack"].example
    assert attack == c.Attack("ana", "rat", "longsword")
    assert isinstance(attack, c.Attack)
    assert allowed_values(evening.session, GM, attack)["attack"] == ("longsword", "dagger")
    check = c.OpenCheck("ana", stat=DEX)
    assert allowed_values(evening.session, GM, check)["skill"] == ("hiding",)
