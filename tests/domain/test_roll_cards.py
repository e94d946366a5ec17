"""What holds of the roll cards of every ruleset: they can be drawn, and they name only what is there."""

from __future__ import annotations

import re
from functools import cache

import pytest

from domain.roll_card import (
    BEST,
    WORST,
    CardsDrawing,
    DiceDrawing,
    PathDrawing,
    RollCard,
    ScaleDrawing,
    SumDrawing,
)
from domain.ruleset import AnyRuleset, Message
from domain.session.state import HOUSE
from domain.tally import Rolled
from tests.domain.scripts import every_ruleset
from tests.support.example import kind
from tests.support.scale import scale
from tests.support.sessions import play_table

LONGEST_LINE = 6
"""Words of the line below an action's title, so that it fits into the narrowest column."""


@cache
def events(ruleset: AnyRuleset) -> list[Message]:
    """The events of the ruleset in a random session."""
    facts = play_table(ruleset, 1, scale(80, 400)).facts
    return [fact.body for fact in facts if type(fact.body) in ruleset.events]


def cards(ruleset: AnyRuleset) -> list[RollCard]:
    return [card for body in events(ruleset) if (card := ruleset.card(body)) is not None]


@every_ruleset
def test_a_card_has_a_sentence_and_drawings_that_are_not_empty(ruleset: AnyRuleset) -> None:
    found = cards(ruleset)
    assert found
    for card in found:
        assert card.entity != HOUSE
        assert card.action or card.continues
        assert not card.said or card.continues
        assert "{}" not in card.action
        assert not card.action.endswith((".", " "))
        for field in (card.action, card.detail, card.result, card.note):
            assert all(
                re.fullmatch(r"@?[a-z0-9-]+", id_) for id_ in re.findall(r"\{(.*?)\}", field)
            )
        for drawing in card.drawings:
            match drawing:
                case DiceDrawing(dice):
                    assert all(die.sides > 0 for die in dice)
                case PathDrawing(points):
                    assert points
                case ScaleDrawing(value, _, bands):
                    assert [band.high + 1 for band in bands][:-1] == [b.low for b in bands][1:]
                    assert bands[0].low <= value <= bands[-1].high
                case SumDrawing(parts, total) if not drawing.note:
                    assert sum(part.value for part in parts) == total
                case CardsDrawing(hand):
                    assert all(card.name for card in hand)


@every_ruleset
def test_every_roll_that_is_counted_has_a_card(ruleset: AnyRuleset) -> None:
    for body in events(ruleset):
        is_roll = any(isinstance(count, Rolled) for count in ruleset.tally(body))
        assert not is_roll or ruleset.card(body) is not None, body


@every_ruleset
def test_a_level_is_within_its_bounds(ruleset: AnyRuleset) -> None:
    levels = [card.level for card in cards(ruleset) if card.level]
    assert all(WORST <= level <= BEST for level in levels if isinstance(level, int))


@pytest.mark.parametrize("kind", ["pools", "conditions"])
@every_ruleset
def test_controls_name_commands_and_fields(ruleset: AnyRuleset, kind: str) -> None:
    commands = {str(each.__struct_config__.tag): each for each in ruleset.commands}
    for control in getattr(ruleset.controls, kind):
        fields = commands[control.command].__struct_encode_fields__
        named = [control.field, getattr(control, "pool_field", ""), *getattr(control, "fixed", {})]
        assert set(filter(None, named)) <= set(fields)


@every_ruleset
def test_each_command_has_a_short_line(ruleset: AnyRuleset) -> None:
    """Pages show it below the title: two to six plain words, not a sentence of the reference."""
    lines = ruleset.controls.lines
    assert set(lines) == {kind(each) for each in ruleset.commands}
    for line in lines.values():
        assert 2 <= len(line.split()) <= LONGEST_LINE, line
        assert not line.endswith("."), line
        assert "entity" not in line


@every_ruleset
def test_what_comes_first_is_not_folded_away(ruleset: AnyRuleset) -> None:
    first, seldom, harmful = (
        getattr(ruleset.controls, each) for each in ("first", "seldom", "harmful")
    )
    assert {*first, *seldom, *harmful} <= {kind(each) for each in ruleset.commands}
    assert first
    assert len({*first, *seldom}) == len(first) + len(seldom)


@every_ruleset
def test_titles_name_commands(ruleset: AnyRuleset) -> None:
    assert set(ruleset.titles) <= {command.__name__ for command in ruleset.commands}
