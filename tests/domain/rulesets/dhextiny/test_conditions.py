"""Conditions of one's own, fires that the GM corrects, and rounds and minutes that pass."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from domain.rulesets.dhextiny import messages as m, ruleset
from domain.rulesets.dhextiny.rules import MAX_CONDITIONS
from tests.domain.rulesets.dhextiny.people import (
    GM,
    TABLE,
    aflame,
    dead,
    dying,
    stunned,
)
from tests.domain.rulesets.given import Case, after, each_case, play

CURSED = m.ConditionSet("ana", "cursed", minutes=90, note="no luck")
FULL = [m.ConditionSet("ana", f"curse {n}") for n in range(MAX_CONDITIONS)]

CASES = [
    # name, given, by, when, drawn, then
    Case("rounds", TABLE, GM, m.SetCondition("ana", "stunned", 2), [], [stunned("ana", 2)]),
    Case("minutes", TABLE, GM, m.SetCondition("ana", "cursed", UNSET, 90, "no luck"), [], [CURSED]),
    Case("without end", TABLE, GM, m.SetCondition("ana", "stunned"), [], [stunned("ana")]),
    Case(
        "the dying have conditions too",
        [*TABLE, *dying("ana", 0)],
        GM,
        m.SetCondition("ana", "stunned"),
        [],
        [stunned("ana")],
    ),
    Case(
        "set again it keeps its name, but neither its duration nor its note",
        [*TABLE, CURSED],
        GM,
        m.SetCondition("ana", " CURSED", 3),
        [],
        [m.ConditionSet("ana", "cursed", 3)],
    ),
    Case(
        "set again with another note",
        [*TABLE, CURSED],
        GM,
        m.SetCondition("ana", "cursed", UNSET, 90, "bad luck"),
        [],
        [m.ConditionSet("ana", "cursed", UNSET, 90, "bad luck")],
    ),
    Case(
        "the twentieth",
        [*TABLE, *FULL[1:]],
        GM,
        m.SetCondition("ana", "one more"),
        [],
        [m.ConditionSet("ana", "one more")],
    ),
    Case(
        "one of twenty set again",
        [*TABLE, *FULL],
        GM,
        m.SetCondition("ana", "curse 7", 4),
        [],
        [m.ConditionSet("ana", "curse 7", 4)],
    ),
    Case(
        "twenty of ana leave room for ben",
        [*TABLE, *FULL],
        GM,
        m.SetCondition("ben", "stunned", 1),
        [],
        [stunned("ben", 1)],
    ),
    Case(
        "the end of a round counts fires and conditions, in the order of their names",
        [*TABLE, stunned("rat", 1), stunned("ana", 3), CURSED, aflame("ben", 2), stunned("tobin")],
        GM,
        m.EndRound(),
        [],
        [
            m.Smouldered("ben", 1),
            m.ConditionTicked("ana", "stunned", 2),
            m.ConditionTicked("rat", "stunned", 0),
        ],
    ),
    Case(
        "fires and conditions of the dead are counted too",
        [*TABLE, stunned("rat", 2), aflame("rat", 2), dead("rat")],
        GM,
        m.EndRound(),
        [],
        [m.Smouldered("rat", 1), m.ConditionTicked("rat", "stunned", 1)],
    ),
    Case(
        "conditions alone make a round",
        [*TABLE, stunned("ana", 3)],
        GM,
        m.EndRound(),
        [],
        [m.ConditionTicked("ana", "stunned", 2)],
    ),
    Case(
        "minutes pass for conditions in minutes",
        [*TABLE, stunned("ana", 3), CURSED, m.ConditionSet("ben", "asleep", minutes=10)],
        GM,
        m.PassMinutes(10),
        [],
        [
            m.ConditionTicked("ana", "cursed", minutes=80),
            m.ConditionTicked("ben", "asleep", minutes=0),
        ],
    ),
    Case(
        "more minutes than are left",
        [*TABLE, CURSED],
        GM,
        m.PassMinutes(100_000),
        [],
        [m.ConditionTicked("ana", "cursed", minutes=0)],
    ),
    Case(
        "the gm ends a condition in rounds",
        [*TABLE, stunned("ana", 3)],
        GM,
        m.EndCondition("ana", "Stunned", "a slap"),
        [],
        [m.ConditionEnded("ana", "stunned", "a slap", 3)],
    ),
    Case(
        "the gm ends a condition without end, also of the dead",
        [*TABLE, stunned("ana"), dead("ana")],
        GM,
        m.EndCondition("ana", "stunned", "too late"),
        [],
        [m.ConditionEnded("ana", "stunned", "too late")],
    ),
    Case(
        "the gm puts out a fire",
        [*TABLE, aflame("ben", 4)],
        GM,
        m.AdjustFire("ben", 0, "a river"),
        [],
        [m.FireAdjusted("ben", 4, 0, "a river")],
    ),
    Case(
        "the gm corrects a fire, also on the dead",
        [*TABLE, aflame("ben", 4), dead("ben")],
        GM,
        m.AdjustFire("ben", 6, "oil"),
        [],
        [m.FireAdjusted("ben", 4, 6, "oil")],
    ),
]


@each_case(CASES)
def test_case(case: Case) -> None:
    case.check()


def test_a_condition_is_shown_until_its_rounds_are_over() -> None:
    given = [*TABLE, stunned("ana", 2), CURSED, aflame("ana", 1)]
    rounds = [*given, *play((GM, m.EndRound()), given=given)]
    over = [*rounds, *play((GM, m.EndRound()), given=rounds)]
    cursed = {"entity": "ana", "label": "cursed", "minutes": 90, "note": "no luck"}
    stun = {"entity": "ana", "label": "stunned"}
    fire = {"entity": "ana", "label": "Aflame", "rounds": 1}
    assert shown(given) == {
        "ana.aflame": fire,
        "ana.cursed": cursed,
        "ana.stunned": stun | {"rounds": 2},
    }
    assert shown(rounds) == {"ana.cursed": cursed, "ana.stunned": stun | {"rounds": 1}}
    assert shown(over) == {"ana.cursed": cursed}


def test_what_passes_for_a_condition_that_is_not_seen_is_not_seen_either() -> None:
    """It was set in secret."""
    given = [*TABLE, m.ConditionTicked("ana", "stunned", 1), m.ConditionTicked("ana", "cursed", 0)]
    ended = m.ConditionEnded("ana", "dazed", "a slap", 1)
    assert shown([*given, ended]) == {}
    assert shown([stunned("ana", 1)]) == {}


def shown(given: list[m.Event]) -> dict[str, object]:
    table = msgspec.to_builtins(ruleset.show(after(m.EndRound(), given)))
    found: dict[str, object] = table.get("conditions", {})
    return found
