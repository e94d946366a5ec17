"""The table as players see it, and the commands that are offered to them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.available_commands import available_commands
from domain.chance import EnumeratedChance
from domain.decider import By, Refused, Role
from domain.ruleset import Message
from domain.rulesets.open import messages as m, ruleset
from domain.rulesets.open.notation import parse
from domain.rulesets.open.roll_text import describe_roll
from service.sessions.refusal_texts import refusal_text
from tests.domain.rulesets.given import after
from tests.domain.rulesets.open.people import P1, TABLE, drawn, in_order, result, turn
from tests.support.sessions import ScriptedSession


def shown(*given: Message) -> dict[str, Any]:
    table = ruleset.show(after(TABLE[0], [*TABLE, *given]))
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(table))
    return plain


def test_the_table_shows_characters_bars_and_decks() -> None:
    table = shown()
    assert table["entities"]["ana"] == {
        "name": "Ana",
        "seat": "p1",
        "kind": "PC",
        "status": "ok",
        "sheet": {"strength": "3", "stealth": "roll 1d20+7"},
        "summary": "strength 3",
        "rolls": {"stealth": "1d20+7"},
    }
    assert table["entities"]["orc"]["kind"] == "NPC"
    assert table["pools"]["ana.HP"] == {
        "entity": "ana",
        "label": "HP",
        "now": 7,
        "max": 12,
        "kind": "health",
    }
    assert table["decks"] == {"small": {"remaining": 5}}
    assert set(table) == {"entities", "pools", "decks"}


def test_a_number_and_a_roll_of_one_name_are_one_line() -> None:
    table = shown(m.NumberSet("ana", "stealth", 7))
    assert table["entities"]["ana"]["sheet"]["stealth"] == "7, roll 1d20+7"


def test_the_table_shows_cards_in_play_and_discarded() -> None:
    discarded = m.CardsDiscarded("small", "the small deck", "p1", ("Ace",), (0,))
    assert shown(drawn(0, 2), discarded)["decks"] == {
        "small": {"remaining": 3, "up": ["Two"], "discard": ["Ace"]}
    }


def test_the_table_shows_counters_and_conditions() -> None:
    table = shown(
        m.CounterSet("doom", 3),
        m.ConditionSet("ana", "prone", 2),
        m.ConditionSet("ana", "mage armour", minutes=480, note="armour class 15"),
    )
    assert table["pools"]["the table.doom"] == {"entity": "the table", "label": "doom", "now": 3}
    assert table["conditions"] == {
        "ana.prone": {"entity": "ana", "label": "prone", "rounds": 2},
        "ana.mage armour": {
            "entity": "ana",
            "label": "mage armour",
            "minutes": 480,
            "note": "armour class 15",
        },
    }


def test_the_table_shows_the_order_and_whose_turn_it_is() -> None:
    waiting = shown(*in_order(orc=3, ana=12))
    assert waiting["order"] == {"initiative": {"ids": ["ana", "orc"]}}
    assert waiting["entities"]["ana"]["status"] == "initiative 12"
    task = {"seat": "p1", "label": "turn", "waits": "start the first turn"}
    assert waiting["tasks"] == {"turn": task | {"sheet": {"entity": "ana"}}}
    running = shown(*in_order(orc=3, ana=12), turn("orc", 2))
    assert running["order"] == {"initiative": {"ids": ["ana", "orc"], "current": "orc"}}
    task = {"seat": "gm", "label": "turn", "waits": "end the turn"}
    assert running["tasks"] == {"turn": task | {"sheet": {"entity": "orc", "round": "2"}}}
    changed = shown(*in_order(orc=3, ana=12), turn("ana"), *in_order(ana=15))
    assert changed["entities"]["ana"]["status"] == "initiative 12, 15 from the next round on"


def test_a_removed_character_comes_last_and_has_nothing() -> None:
    table = shown(m.Removed("ana"))
    assert list(table["entities"]) == ["ben", "orc", "ana"]
    assert table["entities"]["ana"] == {
        "name": "Ana",
        "seat": "p1",
        "kind": "PC",
        "status": "removed",
    }
    assert "ana.HP" not in table["pools"]


def test_a_roll_is_described_only_with_the_results_of_all_its_dice() -> None:
    for dice in ((), (result(20, [17]), result(4, [2]))):
        with pytest.raises(ValueError, match="zip"):
            describe_roll(parse("1d20+5"), dice, 22)


def test_an_event_about_something_hidden_changes_nothing() -> None:
    """Show the table of a seat from which the creation of characters and the deck is hidden."""
    created = (m.CharacterCreated, m.DeckCreated)
    seen = [event for event in TABLE if not isinstance(event, created)]
    seen += [*in_order(ana=3), m.ConditionTicked("ana", "prone", 1), drawn(0), m.Removed("ana")]
    assert msgspec.to_builtins(ruleset.show(after(TABLE[0], seen))) == {}


@pytest.fixture(scope="module")
def session() -> ScriptedSession:
    played = ScriptedSession(ruleset=ruleset)
    for seat, command in (
        ("p1", m.CreateCharacter("ana", "Ana")),
        ("p1", m.SetBar("ana", "HP", 7, 12)),
        ("p1", m.SaveRoll("ana", "stealth", "1d20+7")),
        ("p1", m.SetCondition("ana", "prone", rounds=2)),
        ("gm", m.CreateDeck("small", "Small", ("Ace", "Two"))),
        ("p1", m.DrawCards("small", 1)),
    ):
        played.do(seat, command)
    return played


@pytest.mark.parametrize(
    ("when", "what"),
    [
        (m.CreateCharacter("ben", "Benno"), "The id that you chose already belongs to Ben."),
        (
            m.CreateCharacter("cleo", "Cleo", "p2"),
            "Players act only for the characters of their own seat, and Cleo is not one of them.",
        ),
    ],
)
def test_a_refused_newcomer_is_called_by_name(when: Message, what: str) -> None:
    with pytest.raises(Refused) as refused:
        ruleset.decider.decide(after(when, TABLE), when, P1, EnumeratedChance(()))
    names = {"ana": "Ana", "ben": "Ben"}
    text = refusal_text(refused.value.rule, refused.value.facts, names, ruleset.refusals)
    assert text.what == what


def test_commands_are_offered_with_names_from_the_table(session: ScriptedSession) -> None:
    offered = {
        choice.kind: choice.example
        for choice in available_commands(session.session, By("p1", Role.PLAYER))
        if choice.allowed
    }
    assert offered["open.ChangeBar"] == m.ChangeBar("ana", "HP", 1)
    assert offered["open.EndCondition"] == m.EndCondition("ana", "prone")
    assert offered["open.DrawCards"] == m.DrawCards("small", 1)
    assert offered["open.Roll"] == m.Roll(notation="1d20")
    assert {"open.Discard", "open.ReturnCards", "open.RollInitiative"} <= set(offered)
    assert {"open.EndRound", "open.NextTurn", "open.CreateDeck"}.isdisjoint(offered)
