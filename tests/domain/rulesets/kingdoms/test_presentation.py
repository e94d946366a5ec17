"""The table as players see it."""

from __future__ import annotations

import msgspec
import pytest

from domain.ruleset import Message
from domain.rulesets.kingdoms import messages as m, ruleset
from tests.domain.rulesets.given import after
from tests.domain.rulesets.kingdoms.people import (
    BASIC,
    CON,
    EXTENDED,
    TABLE,
    declared,
    dt,
    pooled,
    ready,
    rolled,
)


def shown(*given: Message) -> dict[str, object]:
    table = ruleset.show(after(m.RollTest("ana"), [*TABLE, *given]))
    plain: dict[str, object] = msgspec.to_builtins(table)
    return plain


def test_the_table_shows_entities_with_their_stats() -> None:
    ana = {
        "name": "Ana",
        "seat": "p1",
        "kind": "PC",
        "status": "ok",
        "sheet": {"CON": "2", "CHA": "3", "STR": "4", "fear": "-2"},
        "summary": "fear -2",
        "stats": {"CON": "2", "CHA": "3", "STR": "4"},
    }
    table = shown()
    assert table["entities"]["ana"] == ana  # type: ignore[index]
    assert set(table) == {"entities", "forecasts"}


WAITING: list[tuple[list[Message], str, dict[str, str]]] = [
    # what has happened, what the test waits for, its sheet beside entity and stats
    ([declared("ana")], "the player assembles the pool", {}),
    (
        [declared("ana"), m.DiceGranted("ana", "rope", 1)],
        "the player assembles the pool",
        {"dice": "rope 1"},
    ),
    ([declared("ana"), pooled("ana", 4)], "the GR sets the DT", {"dice": "STR 4"}),
    (
        [declared("ana"), pooled("ana", 4), dt("ana", 6)],
        "the player rolls",
        {"dice": "STR 4", "DT": "6"},
    ),
    (
        [*ready("ana", 2, 6), rolled("ana", 6, [7, 1], (1, 2, -1, 1))],
        "the GR interprets",
        {
            "dice": "STR 2",
            "DT": "6",
            "margin": "-1",
            "roll 1": "7 1 against DT 6: margin -1",
        },
    ),
    (
        [
            *ready("ana", 2, 6, CON),
            rolled("ana", 6, [7, 1], (1, 2, -1, 1), EXTENDED),
            m.Interpreted("ana", 1, "so"),
            m.Refilled("ana", 1, 1, CON, 2, 2, 3),
        ],
        "the player rolls",
        {
            "refill": "CON",
            "dice": "STR 2",
            "DT": "6",
            "margin": "-1",
            "sum of margins": "-1",
            "roll 1": "7 1 against DT 6: margin -1; removed 1, added 2",
        },
    ),
]


@pytest.mark.parametrize(("given", "waits", "sheet"), WAITING)
def test_the_table_shows_what_a_test_waits_for(
    given: list[Message], waits: str, sheet: dict[str, str]
) -> None:
    table = shown(*given)
    task = table["tasks"]["ana.test"]  # type: ignore[index]
    kind = "extended" if "refill" in sheet else "basic"
    expected = {"entity": "ana", "stats": "STR"} | sheet
    assert task == {"seat": "p1", "label": f"{kind} test", "waits": waits, "sheet": expected}
    assert table["entities"]["ana"]["status"].endswith(f"{kind} test")  # type: ignore[index]


def test_the_table_shows_the_pool() -> None:
    assert shown(declared("ana"), pooled("ana", 4))["pools"] == {
        "ana.pool": {"entity": "ana", "label": "d12", "now": 4}
    }
    assert "pools" not in shown(declared("ana"))


def test_the_chances_of_a_test_by_its_dt() -> None:
    [(name, forecast)] = shown(declared("ana"), pooled("ana", 4))["forecasts"].items()  # type: ignore[attr-defined]
    assert (name, forecast["label"], forecast["outcomes"]) == (
        "ana.test",
        "4 dice",
        ("not passed", "passed"),
    )
    assert list(forecast["percent"]) == [str(dt) for dt in range(1, 12)]
    assert "ana.test" not in shown()["forecasts"]  # type: ignore[operator]


def test_a_test_with_a_hidden_declaration_is_not_shown() -> None:
    """A test whose declaration is hidden is not shown; its entity is."""
    table = shown(*ready("ana", 2, 6)[1:], rolled("ana", 6, [7, 1], (1, 2, -1, 1)))
    assert set(table) == {"entities", "forecasts"}


def test_the_table_shows_conditions() -> None:
    table = shown(
        m.ConditionSet("ana", "Poisoned", rounds=3, note="one die fewer"),
        m.ConditionSet("ork", "bound", minutes=30),
        m.ConditionSet("ben", "cursed"),
    )
    assert table["conditions"] == {
        "ana.poisoned": {
            "entity": "ana",
            "label": "Poisoned",
            "rounds": 3,
            "note": "one die fewer",
        },
        "ork.bound": {"entity": "ork", "label": "bound", "minutes": 30},
        "ben.cursed": {"entity": "ben", "label": "cursed"},
    }


def test_the_table_shows_stats_that_wait() -> None:
    table = shown(m.StatProposed("ana", "INT", 9), m.StatProposed("ana", "wits", 2))
    assert table["tasks"] == {
        "ana.stats": {
            "seat": "p1",
            "label": "new stats",
            "waits": "the GR approves",
            "sheet": {"entity": "ana", "stats": "INT 9, wits 2"},
        }
    }
    assert "INT" not in table["entities"]["ana"]["sheet"]  # type: ignore[index]


def test_the_card_of_a_test_begins_with_what_it_is_for() -> None:
    table = shown(m.TestDeclared("ana", BASIC, ("STR",), aim="pick the lock"))
    sheet = table["tasks"]["ana.test"]["sheet"]  # type: ignore[index]
    assert next(iter(sheet.items())) == ("aim", "pick the lock")
