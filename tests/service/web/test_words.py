"""How pages word commands, fields, refusals and events: capitals of the rulebook, sentences, no JSON."""

from __future__ import annotations

import pytest

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from service.sessions.refusal_texts import in_words
from service.web.capitals import capitals
from service.web.changed import fields

ROOMS = {ruleset.name: ruleset for ruleset in RULESETS}


@pytest.mark.parametrize(
    ("ruleset", "words", "written"),
    [
        ("dhextiny", "Adjust ap max", "Adjust AP max"),
        ("dhextiny", "Create pc", "Create PC"),
        ("dhextiny", "over amx: cost 5, amx 3", "over AMX: cost 5, AMX 3"),
        ("dhextiny", "Alter to F", "Alter to F"),
        ("kingdoms", "Set dt", "Set DT"),
        ("pentola", "Set dt", "Set dt"),
        ("fansys", "Mp dice and sides", "MP dice and sides"),
    ],
)
def test_words_are_written_as_in_the_rulebook(ruleset: str, words: str, written: str) -> None:
    assert capitals(ROOMS[ruleset], words) == written


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_nothing_of_running_text_is_written_in_capitals(ruleset: AnyRuleset) -> None:
    assert capitals(ruleset, "Set the most that a seat may take of and for it, or not") == (
        "Set the most that a seat may take of and for it, or not"
    )


def test_a_refusal_of_the_frame_is_a_sentence_and_that_of_a_game_its_name_and_facts() -> None:
    names = {"@p1": "Ana", "rats": "The rat swarm"}
    info = in_words("seat-held", {"seat": "p1"}, names)
    assert info.what == "The seat Ana is taken."
    game = in_words("over-amx", {"entity": "rats", "cost": 5, "at_most": 3}, names)
    assert game.what == "over amx: entity The rat swarm, cost 5, at most 3"
    assert game.facts == [("entity", "The rat swarm"), ("cost", "5"), ("at most", "3")]


def test_an_event_is_told_in_words_however_deep_it_is() -> None:
    sources = [{"dice": 4, "name": "STR"}, {"dice": 3, "name": "mace"}]
    assert fields(
        {"kind": "kingdoms.PoolAssembled", "bonus_dice": 0, "given": [], "sources": sources}
    ) == [
        ("bonus dice", "0"),
        ("given", "none"),
        ("sources", "dice 4, name STR; dice 3, name mace"),
    ]
    assert fields({"attack": {"spiritual": False, "stats": ["CHA", "CON"]}}) == [
        ("attack", "spiritual no; stats CHA, CON")
    ]
    assert fields({"kind": "session.Drawn", "k": 1, "values": [[6, 4]]}) == [], (
        "its draw stands beside it"
    )
