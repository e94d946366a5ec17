"""The picture shows every part of every room's table, also where there are no colours."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from domain.ruleset import AnyRuleset
from domain.table import Board, Condition, Deck, Die, Entity, Order, Pool, Table, Task
from service.charts.terminal.table import draw_table
from tests.support.scale import SCALED_RULESETS
from tests.support.sessions import MemoryLog, play

WHOLE = Table(
    entities={"ana": Entity("Ana", "p1", "PC", "ok", {"locks": "AMX 3"})},
    boards={
        "ring": Board("ring", ("F", "PF", "S"), 2),
        "gap": Board("line", ("close", "near", "far"), 1),
    },
    pools={"ana.ap": Pool("ana", "AP", 9, 12), "doom": Pool("table", "doom", 5)},
    decks={"ana": Deck(14, ("D07",), ("D03", "D11"))},
    dice={"ana.herbs": Die(6, (8, 6, 4)), "ana.oil": Die(0)},
    conditions={
        "ana.aflame": Condition("ana", "Aflame", 3),
        "dark": Condition("table", "Darkness"),
    },
    order={"moment": Order(("ana", "rat"), "rat")},
    tasks={"check": Task("p1", "check", "alter or settle", {"result": "PS"})},
)
SEEN = (
    "Ana",
    "PC of p1: ok",
    "locks AMX 3",
    "[S]",
    "[near]",
    "9/12",
    "doom",
    "14 left",
    "up D07",
    "discard D03 D11",
    "[d6]",
    "used up",
    "Aflame 3",
    "Darkness",
    "[rat]",
    "alter or settle",
    "result PS",
)


def drawn(table: Table, width: int) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(draw_table(table, width))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("words", SEEN)
def test_every_part_is_seen(width: int, words: str) -> None:
    assert words in drawn(WHOLE, width)


def test_an_empty_table_is_empty() -> None:
    assert drawn(Table(), 120).strip() == ""


@pytest.mark.parametrize("ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name)
def test_every_part_of_every_room_is_seen(ruleset: AnyRuleset) -> None:
    log = MemoryLog()
    facts = play(3, 120, ruleset, log)
    table = ruleset.show(log.head(facts[0].session).table)
    shown = re.sub(r"\s+", "", drawn(table, 250))
    for parts in (table.boards, table.decks, table.dice, table.order, table.tasks):
        assert [name for name in parts if "".join(name.split()) not in shown] == []
    for part in (*table.pools.values(), *table.conditions.values()):
        assert "".join(part.label.split()) in shown
    for entity in table.entities.values():
        assert "".join(entity.name.split()) in shown
