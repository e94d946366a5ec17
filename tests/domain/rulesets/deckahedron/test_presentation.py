"""The table as players see it."""

from __future__ import annotations

import msgspec
import pytest

from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m, ruleset
from domain.rulesets.deckahedron.rules import Ranks, Result
from tests.domain.rulesets.deckahedron.people import (
    ANA,
    EASY,
    TABLE,
    gone,
    hand,
    hard,
    out,
    tried,
)
from tests.domain.rulesets.given import after


def shown(*events: Message) -> dict[str, object]:
    table: dict[str, object] = msgspec.json.decode(
        msgspec.json.encode(ruleset.show(after(ANA, events)))
    )
    return table


def test_an_empty_table_shows_nothing() -> None:
    assert shown() == {}


def test_show_a_character_with_all_that_was_said() -> None:
    said = m.Introduced("ana", "the docks", "a boat", "knots", "Ben: one cell")
    assert shown(*TABLE, m.RanksDistributed("ana", Ranks(1, 4, 1)), said)["entities"] == {
        "ana": {
            "name": "Ana",
            "seat": "p1",
            "kind": "PC",
            "status": "ok",
            "sheet": {
                "Strength": "1 (Anchor)",
                "Dexterity": "4 (Dart)",
                "Intelligence": "1 (Anchor)",
                "background": "the docks",
                "motivation": "a boat",
                "special skills": "knots",
                "bonds": "Ben: one cell",
            },
            "summary": "the docks",
            "stats": {"STR": "1", "DEX": "4", "INT": "1"},
        },
        "ben": {
            "name": "Ben",
            "seat": "p2",
            "kind": "PC",
            "status": "ok",
            "sheet": {"Strength": "2 (Bulb)", "Dexterity": "2 (Bulb)", "Intelligence": "2 (Bulb)"},
            "stats": {"STR": "2", "DEX": "2", "INT": "2"},
        },
    }


def test_show_the_deck_with_what_lies_in_play_apart() -> None:
    events = [
        *TABLE,
        gone("D03", "D07"),
        tried(),
        hard(EASY),
        hand("D11", "D02", difficulty=EASY, discard=["D03", "D07"]),
    ]
    assert shown(*events)["decks"] == {
        "ana": {
            "remaining": 16,
            "up": ["D11", "D02"],
            "edge": "right",
            "discard": ["D03", "D07"],
            "shuffles_at": 5,
        },
        "ben": {"remaining": 20, "shuffles_at": 5},
    }
    events.append(m.Interpreted("ana", Result.UNCONDITIONAL_SUCCESS, "Wide open."))
    assert shown(*events)["decks"] == {
        "ana": {"remaining": 16, "discard": ["D03", "D07", "D11", "D02"], "shuffles_at": 5},
        "ben": {"remaining": 20, "shuffles_at": 5},
    }


def test_the_chances_of_the_next_flip_by_its_difficulty() -> None:
    assert set(shown(ANA)["forecasts"]) == {"ana.Strength", "ana.Dexterity", "ana.Intelligence"}  # type: ignore[call-overload]
    [(name, forecast)] = shown(ANA, hard(EASY))["forecasts"].items()  # type: ignore[attr-defined]
    assert (name, forecast["chosen"]) == ("ana.Strength", "best of 2")
    assert list(forecast["percent"]) == [
        "best of 3",
        "best of 2",
        "1 card",
        "worst of 2",
        "worst of 3",
    ]
    odds = ruleset.odds(after(ANA, [ANA, hard(EASY)]), m.Flip("ana"))
    assert odds is not None
    assert forecast["percent"]["best of 2"] == [
        round(100 * odds.get(each, 0)) for each in forecast["outcomes"]
    ]


@pytest.mark.parametrize(("rank", "edge"), [(1, "bottom"), (2, "right"), (3, "left"), (4, "top")])
def test_show_the_edge_that_the_cards_are_read_by(rank: int, edge: str) -> None:
    shown_by = shown(ANA, hard(EASY, rank), hand("D11", "D02", rank=rank, difficulty=EASY))
    assert shown_by["decks"]["ana"]["edge"] == edge  # type: ignore[index]


def test_show_no_deck_of_a_retired_character() -> None:
    table = shown(*TABLE, out())
    assert list(table["decks"]) == ["ben"]  # type: ignore[call-overload]
    assert table["entities"]["ana"]["status"] == "retired"  # type: ignore[index]


TASKS = [
    ([], {}, None),
    ([tried()], {"aim": "lift the gate"}, "the GM's difficulty"),
    (
        [hard(EASY, 3)],
        {"stat": "Strength", "rank": "3 (Crescent)", "difficulty": "easy"},
        "the flip",
    ),
    (
        [tried(), hard(EASY, 3)],
        {"aim": "lift the gate", "stat": "Strength", "rank": "3 (Crescent)", "difficulty": "easy"},
        "the flip",
    ),
    (
        [tried(), hard(), hand("D07")],
        {
            "aim": "lift the gate",
            "stat": "Strength",
            "rank": "2 (Bulb)",
            "difficulty": "standard",
            "card": "D07",
            "result": "categorical failure",
        },
        "the GM's interpretation",
    ),
]


@pytest.mark.parametrize(("events", "sheet", "waits"), TASKS)
def test_show_an_attempt(events: list[Message], sheet: dict[str, str], waits: str | None) -> None:
    task = {"seat": "p1", "label": "attempt", "waits": waits, "sheet": {"entity": "ana", **sheet}}
    assert shown(ANA, *events).get("tasks", {}) == ({} if waits is None else {"ana.attempt": task})


def test_show_a_longer_turn() -> None:
    assert shown(ANA, m.TurnOpened("ana"))["tasks"] == {
        "ana.turn": {
            "seat": "p1",
            "label": "turn",
            "waits": "end the turn",
            "sheet": {"entity": "ana"},
        }
    }


def test_an_unknown_character_is_not_shown() -> None:
    unseen = [tried(), hard(), hand("D07"), m.CardChosen("ana", "D07", "D08"), out()]
    assert shown(*unseen, m.TurnOpened("ana"), gone("D07"), m.Introduced("ana", "fog")) == {}


def test_a_flip_of_an_unknown_attempt_only_moves_the_cards() -> None:
    assert shown(ANA, hand("D07"), m.CardChosen("ana", "D07", "D08"))["decks"] == {
        "ana": {"remaining": 19, "discard": ["D07"], "shuffles_at": 5}
    }
