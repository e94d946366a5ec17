"""The table of Pentola as a client gets it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from domain.ruleset import Message
from domain.rulesets.pentola import events as e, ruleset
from domain.rulesets.pentola.rules import Being, Die, Distance, Finding
from tests.domain.rulesets.given import after
from tests.domain.rulesets.pentola.people import (
    BOD,
    DUEL,
    HARD,
    NORMAL,
    TABLE,
    acts,
    apart,
    called,
    initiative,
    intends,
    opposed,
    reacts,
    rolled,
    ruled,
    slot,
    started,
    turn,
)

HIS_SLOT = [*DUEL, acts(1, "tarasi"), slot("toph")]
ALL_SAID = [*HIS_SLOT, acts(2, "toph", "an elbow"), reacts(3, "toph", "tarasi", 1, 2)]


def shown(*given: Message) -> dict[str, Any]:
    table: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(ruleset.show(after(TABLE[0], given)))
    )
    return table


def test_the_card_of_a_declaration_says_what_it_uses() -> None:
    table = shown(*TABLE, *HIS_SLOT, acts(2, "toph", "a tea", uses="herbs"))
    assert table["tasks"]["thing-2"]["sheet"] == {
        "entity": "toph",
        "intent": "win",
        "approach": "a tea",
        "uses": "herbs",
    }


def test_sheets() -> None:
    table = shown(*TABLE, e.BonusRuled("toph", "bravo", False))
    assert table["entities"]["toph"] == {
        "name": "Toph",
        "seat": "p1",
        "kind": "PC",
        "status": "ok",
        "sheet": {
            "BOD": "12, goal 36 %",
            "INT": "13, goal 39 %",
            "fencing": "skill 43 %",
            "bravo": "vocation 25 %, not for the next roll",
            "the guild": "relationship 90 %",
            "herbs": "item d8",
            "second wind": "ability d4",
        },
        "summary": "fencing +43 · bravo +25 · the guild +90",
        "stats": {"BOD": "12", "INT": "13"},
    }
    assert table["entities"]["galner"]["sheet"]["POW"] == "7, goal 21 %"
    assert table["entities"]["spire"] == {
        "name": "The spire",
        "seat": "gm",
        "kind": "thing",
        "status": "ok",
    }
    assert table["dice"] == {
        "toph.herbs": {"sides": 8, "chain": [8, 6, 4]},
        "toph.second wind": {"sides": 4, "chain": [4]},
    }
    assert set(table) == {"entities", "dice"}


def test_an_empty_table_shows_nothing() -> None:
    assert shown() == {}


def test_distances_are_a_line_of_four() -> None:
    points = ["close", "near", "distant", "far"]
    assert shown(apart("spire", "toph", Distance.DISTANT))["boards"] == {
        "spire.toph.distance": {"shape": "line", "points": points, "index": 2}
    }


def test_an_expended_die_has_no_sides() -> None:
    emptied = e.UsageDieAdjusted("toph", "herbs", Die.D8, Die.EXPENDED, 0, 0, "a leak")
    assert shown(*TABLE, emptied)["dice"]["toph.herbs"] == {"sides": 0}


WAITING: list[tuple[str, Sequence[Message], str, tuple[str, str, str] | None]] = [
    # id, given, task, whose, what, waits for
    ("an intent", [intends("toph", UNSET)], "toph.action", ("p1", "action", "approach")),
    ("an approach", [intends("toph")], "toph.action", ("p1", "action", "ruling")),
    ("a test", called("toph"), "toph.action", ("p1", "action", "rolls")),
    ("its roll", called("toph"), "toph.test", ("p1", "test", "roll")),
    (
        "a ruling ends it",
        [intends("toph"), ruled("toph", Finding.CANNOT_FAIL)],
        "toph.action",
        None,
    ),
    (
        "an opponent",
        [*called("toph"), opposed("toph", "guard")],
        "guard.test",
        ("gm", "test", "roll"),
    ),
    (
        "one side has rolled",
        [*called("toph"), opposed("toph", "guard"), rolled("toph", "toph", 36, 0, 8)],
        "toph.test",
        ("p1", "test", "other side"),
    ),
    (
        "an item was used",
        [e.ItemUsed("toph", "herbs", 1)],
        "toph.herbs",
        ("p1", "usage die", "a minute"),
    ),
    (
        "its roll is due",
        [e.RollsDue("toph", "herbs", 1)],
        "toph.herbs",
        ("p1", "usage die", "roll"),
    ),
    ("initiative", [started("toph", "tarasi")], "tarasi.initiative", ("p2", "initiative", "roll")),
    (
        "one has rolled",
        [started("toph", "tarasi"), initiative("toph", 31)],
        "toph.initiative",
        None,
    ),
    ("the worst declares", DUEL, "declaration", ("p2", "declaration", "declare")),
    ("what was declared", ALL_SAID, "thing-1", ("p2", "action", "turn")),
    ("the reaction", ALL_SAID, "thing-3", ("p1", "reaction", "use")),
    ("the best acts", [*ALL_SAID, turn(2, "toph")], "thing-2", None),
    ("the worst has yet to", [*ALL_SAID, turn(2, "toph")], "thing-1", ("p2", "action", "turn")),
    ("until its turn", [*ALL_SAID, turn(2, "toph"), turn(1, "tarasi")], "thing-1", None),
    (
        "a spent reaction",
        [*ALL_SAID, turn(1, "tarasi"), e.OpponentNamed("tarasi", "toph", BOD, NORMAL, 3)],
        "thing-3",
        None,
    ),
    (
        "a dropped reaction",
        [*ALL_SAID, turn(1, "tarasi"), e.ReactionDropped("toph", 3, "a dodge", "tarasi")],
        "thing-3",
        None,
    ),
    ("the moment is over", [*ALL_SAID, e.MomentEnded(1)], "thing-3", None),
]


@pytest.mark.parametrize(
    ("given", "task", "what"), [row[1:] for row in WAITING], ids=[row[0] for row in WAITING]
)
def test_what_waits(given: Sequence[Message], task: str, what: tuple[str, str, str] | None) -> None:
    tasks = shown(*TABLE, *given).get("tasks", {})
    if what is None:
        assert task not in tasks
    else:
        assert (tasks[task]["seat"], tasks[task]["label"], tasks[task]["waits"]) == what


def test_the_sheet_of_a_test_that_waits_for_the_other_side() -> None:
    given = [*called("toph"), opposed("toph", "guard"), rolled("toph", "toph", 36, 0, 8)]
    assert shown(*TABLE, *given)["tasks"]["toph.test"]["sheet"] == {
        "entity": "toph",
        "action": "toph",
        "characteristic": "BOD",
        "difficulty": "normal",
        "roll": "8",
        "goal": "36 %",
    }


def test_the_order_and_what_weighs_on_it() -> None:
    assert "order" not in shown(*TABLE, started("toph", "tarasi"), e.InitiativeSet("toph", HARD))
    table = shown(*TABLE, *HIS_SLOT, acts(2, "toph", things=3))
    assert table["order"] == {
        "moment": {
            "ids": ["toph", "tarasi"],
            "current": "toph",
            "number": 1,
            "used": {"toph": 3, "tarasi": 1},
            "budget": 2,
        }
    }
    extra = {"entity": "toph", "label": "a third action or reaction: all tests are one step harder"}
    assert table["conditions"] == {"toph.extra": extra}
    focused = shown(*TABLE, *HIS_SLOT, acts(2, "toph", focus=True))["conditions"]
    focus = {"entity": "toph", "label": "focus: the test is one step easier", "helps": True}
    assert focused == {"toph.focus": focus}


def test_a_moment_whose_people_were_never_seen() -> None:
    tasks = shown(*DUEL, acts(1, "tarasi"))["tasks"]
    assert [task["seat"] for task in tasks.values()] == ["", ""]


def test_conditions_of_ones_own() -> None:
    hexed = e.ConditionSet("toph", "Verhext für immer", 3, note="all tests are hard")
    burning = e.ConditionSet("spire", "on fire", minutes=2)
    focus = e.ConditionSet("toph", "focus")
    table = shown(*TABLE, hexed, burning, focus, *HIS_SLOT, acts(2, "toph", focus=True))
    assert table["conditions"] == {
        "toph.condition.verhext für immer": {
            "entity": "toph",
            "label": "Verhext für immer",
            "rounds": 3,
            "note": "all tests are hard",
        },
        "spire.condition.on fire": {"entity": "spire", "label": "on fire", "minutes": 2},
        "toph.condition.focus": {"entity": "toph", "label": "focus"},
        "toph.focus": {
            "entity": "toph",
            "label": "focus: the test is one step easier",
            "helps": True,
        },
    }


@pytest.mark.parametrize(
    "over",
    [
        e.ConditionTicked("toph", "hexed", 0),
        e.ConditionEnded("toph", "HEXED", "a priest", 3),
        e.Retired("toph", "a grave"),
    ],
)
def test_a_condition_that_is_over(over: Message) -> None:
    assert "conditions" not in shown(*TABLE, e.ConditionSet("toph", "hexed", 3), over)


def test_what_has_left_keeps_its_sheet_and_nothing_else() -> None:
    near, due = apart("toph", "spire", Distance.NEAR), e.RollsDue("toph", "herbs", 1)
    table = shown(*TABLE, near, due, e.Retired("toph", "a grave"))
    assert table["entities"]["toph"]["status"] == "retired"
    assert table["entities"]["toph"]["sheet"]["fencing"] == "skill 43 %"
    assert set(table) == {"entities"}


def test_a_demanded_test_beside_an_action() -> None:
    demanded = e.TestDemanded("toph", BOD, NORMAL, "stay on the roof")
    tasks = shown(*TABLE, intends("toph"), demanded)["tasks"]
    assert tasks["toph.action"]["waits"] == "ruling"
    assert tasks["toph.test"]["sheet"]["aim"] == "stay on the roof"


def test_an_item_that_was_handed_over() -> None:
    given = e.ItemGiven("toph", "herbs", "tarasi", Die.D6, 0, 1)
    table = shown(*TABLE, given)
    assert table["entities"]["tarasi"]["sheet"]["herbs"] == "item d6"
    assert "herbs" not in table["entities"]["toph"]["sheet"]
    assert set(table["dice"]) == {"toph.second wind", "tarasi.herbs"}
    assert table["tasks"]["tarasi.herbs"]["waits"] == "a minute"


def test_hit_points_are_a_pool() -> None:
    ox = e.CharacterCreated("ox", "Ox", Being.PC, "p1", 13, 10, 6, 10)
    harmed = e.Harmed("ox", 4, 6, 10, "a kick")
    hurt = shown(*TABLE, ox, harmed)
    assert hurt["pools"] == {
        "ox.hp": {"entity": "ox", "label": "HP", "now": 6, "max": 10, "kind": "health"}
    }
    assert hurt["entities"]["ox"]["status"] == "ok"
    slain = shown(*TABLE, ox, harmed, e.Harmed("ox", 6, 0, 10, "a kick"))
    assert slain["pools"]["ox.hp"]["now"] == 0
    assert slain["entities"]["ox"]["status"] == "dead"
    buried = shown(*TABLE, ox, harmed, e.Retired("ox", "a grave"))
    assert "pools" not in buried


def test_the_aim_of_initiative_is_on_its_card() -> None:
    begun = e.MomentStarted(1, ("toph", "tarasi"), "the chase")
    tasks = shown(*TABLE, begun, e.InitiativeSet("toph", HARD, "the jump"))["tasks"]
    assert tasks["toph.initiative"]["sheet"]["aim"] == "the jump"
    assert tasks["tarasi.initiative"]["sheet"]["aim"] == "the chase"


def test_refusals_speak_of_the_referee() -> None:
    assert ruleset.refusals["gm-only"] == (
        "Only the referee may do this.",
        "Ask the referee to do it.",
    )
    assert not any("GM" in part for parts in ruleset.refusals.values() for part in parts)
