"""Differences between two tables in the words of each ruleset."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.differences import differences
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.descriptions import names
from domain.table import Board, Condition, Deck, Die, Entity, Order, Pool, Table
from tests.domain.scripts import every_ruleset
from tests.support.scale import scale
from tests.support.sessions import play_table

BY_NAME = {ruleset.name: ruleset for ruleset in RULESETS}
NAMES = {"@p1": "Ana", "@p2": "Bo"}


def being(
    sheet: dict[str, str] | None = None, *, name: str = "Ana", seat: str = "p1", status: str = "ok"
) -> Entity:
    return Entity(name, seat, "PC", status, sheet or {})


def ana(**parts: object) -> Table:
    """A table with Ana and what else is given."""
    return replace(Table(entities={"ana": being()}), **parts)


def told(table: Table) -> Table:
    """Return what the sentences tell: chances follow from the rest, and tasks are still open."""
    return replace(table, forecasts={}, attacks={}, tasks={})


def pools(*held: Pool) -> dict[str, Pool]:
    return {f"{pool.entity}.{pool.label}": pool for pool in held}


def sheet(**rows: str) -> Table:
    return Table(
        entities={"ana": being({name.replace("_", " "): row for name, row in rows.items()})}
    )


def status(word: str) -> Table:
    return Table(entities={"ana": being(status=word)})


def condition(label: str, rounds: int = 0, minutes: int = 0) -> Table:
    held = Condition("ana", label, rounds or UNSET, minutes or UNSET)
    return ana(conditions={"ana.own": held})


def ring(index: int) -> Table:
    return Table(boards={"ring": Board("ring", ("S", "PS", "F", "PS"), index)})


def line(id_: str, index: int) -> Table:
    met = {"ana": being(), "rat": being(name="The giant rat")}
    return Table(entities=met, boards={id_: Board("line", ("near", "far"), index)})


ROWS = [
    # a character
    ("dhextiny", Table(), ana(), "Ana appears."),
    (
        "dhextiny",
        Table(entities={"rat": being(name="The giant rat")}, pools=pools(Pool("rat", "LP", 3, 6))),
        Table(),
        "The giant rat is gone.",
    ),
    ("dhextiny", ana(), Table(entities={"ana": being(seat="p2")}), "Ana is now played by Bo."),
    ("open", ana(), Table(entities={"ana": being(name="Anna")}), "Anna is now called Anna."),
    # its status
    ("dhextiny", status("dead"), status("ok"), "Ana is alive again."),
    ("dhextiny", status("ok"), status("dying"), "Ana is dying."),
    ("deckahedron", status("incapacitated"), status("ok"), "Ana is no longer incapacitated."),
    ("pentola", status("ok"), status("retired"), "Ana is retired."),
    ("open", status("ok"), status("initiative 12"), "Ana has initiative 12."),
    ("open", status("initiative 12"), status("ok"), "Ana no longer has initiative 12."),
    # its points
    (
        "dhextiny",
        ana(pools=pools(Pool("ana", "AP", 3, 12), Pool("ana", "LP", -1, 6, "health"))),
        ana(pools=pools(Pool("ana", "AP", 9, 12), Pool("ana", "LP", 1, 6, "health"))),
        "Ana gets 6 AP and 2 LP back.",
    ),
    (
        "deckahedron",
        ana(pools=pools(Pool("ana", "harm", 0, 4, "harm"), Pool("ana", "stamina", 9, 20))),
        ana(pools=pools(Pool("ana", "harm", 2, 4, "harm"), Pool("ana", "stamina", 4, 20))),
        "Ana takes 2 harm and loses 5 stamina.",
    ),
    (
        "open",
        ana(pools=pools(Pool("ana", "gold", 1))),
        ana(pools=pools(Pool("ana", "gold", 4))),
        "Ana gets 3 gold.",
    ),
    (
        "fansys",
        ana(pools=pools(Pool("ana", "HP", 13, 13))),
        ana(pools=pools(Pool("ana", "HP", 13, 12))),
        "Ana has at most 12 HP instead of 13.",
    ),
    (
        "open",
        Table(pools=pools(Pool("the table", "omens", 2))),
        Table(pools=pools(Pool("the table", "omens", 3))),
        "The counter omens goes from 2 to 3.",
    ),
    # its conditions
    ("dhextiny", ana(), condition("Aflame", 3), "Ana burns for 3 rounds."),
    ("dhextiny", condition("Aflame", 3), ana(), "Ana no longer burns."),
    (
        "dhextiny",
        condition("Aflame", 3),
        condition("Aflame", 1),
        "Ana burns for 1 round instead of 3.",
    ),
    ("fansys", ana(), condition("prone (C)"), "Ana is prone."),
    ("fansys", condition("prone (C)"), ana(), "Ana is no longer prone."),
    ("kingdoms", ana(), condition("wet", 0, 5), 'Ana has the condition "wet" for 5 minutes.'),
    ("open", condition("wet"), ana(), 'Ana no longer has the condition "wet".'),
    # its sheet
    (
        "dhextiny",
        sheet(keeping_watch="AMX 3"),
        sheet(),
        "Ana loses the ability keeping watch.",
    ),
    (
        "dhextiny",
        sheet(),
        sheet(climbing="AMX 3", locks="AMX 1"),
        "Ana gets the ability climbing (AMX 3) and the ability locks (AMX 1).",
    ),
    (
        "dhextiny",
        sheet(fists="AMX 4"),
        sheet(fists="AMX 5"),
        "Ana has AMX 5 instead of AMX 4 for the ability fists.",
    ),
    ("pentola", sheet(), sheet(locks="skill 20 %"), "Ana gets the bonus locks (skill 20 %)."),
    ("kingdoms", sheet(STR="3"), sheet(STR="2"), "Ana has 2 instead of 3 for STR."),
    ("open", sheet(), sheet(axe="roll 1d20+4"), "Ana gets the roll axe (roll 1d20+4)."),
    (
        "fansys",
        sheet(axe="2d6 +1 slashing melee, STR"),
        sheet(),
        "Ana loses the attack axe.",
    ),
    ("fansys", sheet(), sheet(sneak="3 points, DEX"), "Ana gets the skill sneak (3 points, DEX)."),
    (
        "deckahedron",
        sheet(background="the docks"),
        sheet(background="the docks, and worse"),
        "Ana has other words for the background.",
    ),
    # what lies on the table
    ("dhextiny", ring(0), ring(2), "The token moves from S to F."),
    ("dhextiny", ring(1), ring(3), "The token moves to another PS."),
    (
        "pentola",
        line("ana.rat.distance", 0),
        line("ana.rat.distance", 1),
        "The distance between Ana and The giant rat changes from near to far.",
    ),
    ("fansys", line("scene", 0), line("scene", 1), "The scene changes from near to far."),
    (
        "pentola",
        ana(dice={"ana.torch": Die(8)}),
        ana(dice={"ana.torch": Die(6)}),
        "Ana has d6 instead of d8 for torch.",
    ),
    (
        "pentola",
        ana(dice={"ana.torch": Die(4)}),
        ana(dice={"ana.torch": Die(0)}),
        "Ana has used up torch.",
    ),
    (
        "deckahedron",
        ana(decks={"ana": Deck(11)}),
        ana(decks={"ana": Deck(9)}),
        "Ana has 9 cards left instead of 11.",
    ),
    (
        "deckahedron",
        ana(decks={"ana": Deck(11)}),
        ana(decks={"ana": Deck(10, ("D12",))}),
        "Ana has the card D12 in play.",
    ),
    (
        "pentola",
        ana(order={"moment": Order(("ana",), "ana", 2)}),
        ana(order={"moment": Order(("ana",), "ana", 1)}),
        "The moment is in round 1 instead of 2.",
    ),
]


@pytest.mark.parametrize(("ruleset", "before", "after", "said"), ROWS)
def test_what_differs_is_a_sentence(ruleset: str, before: Table, after: Table, said: str) -> None:
    [found] = differences(before, after, NAMES, BY_NAME[ruleset].wording)
    assert found.text == said


def test_each_character_has_one_sentence_and_the_largest_change_comes_first() -> None:
    before = Table(
        entities={"ana": being(), "bo": being(name="Bo"), "rat": being(name="The rat")},
        pools=pools(Pool("ana", "LP", 5, 6), Pool("bo", "AP", 4, 10), Pool("bo", "LP", 3, 6)),
        conditions={"bo.aflame": Condition("bo", "Aflame", 2)},
    )
    after = Table(
        entities={"ana": being(), "bo": being(name="Bo")},
        pools=pools(Pool("ana", "LP", 6, 6), Pool("bo", "AP", 10, 10), Pool("bo", "LP", 5, 6)),
    )
    found = differences(before, after, NAMES, BY_NAME["dhextiny"].wording)
    assert [each.text for each in found] == [
        "The rat is gone.",
        "Bo no longer burns and gets 6 AP and 2 LP back.",
        "Ana gets 1 LP back.",
    ]
    assert [each.entity for each in found] == ["rat", "bo", "ana"]
    [change] = found[2].changes
    assert (change.kind, change.what, change.before, change.after) == ("pool", "LP", "5", "6")
    assert change.text == "gets 1 LP back"


@every_ruleset
def test_every_change_of_a_table_is_said(ruleset: AnyRuleset) -> None:
    table = play_table(ruleset, 1, scale(60, 300))
    versions = range(1, table.session.version + 1)
    shown = [(ruleset.show(then.table), names(then)) for then in map(table.then, versions)]
    for (before, _), (after, known) in pairwise(shown):
        said = differences(before, after, known, ruleset.wording)
        assert bool(said) == (told(before) != told(after))
        for each in said:
            assert "{" not in each.text
            assert "  " not in each.text
            assert each.changes
            assert all(change.text for change in each.changes)
