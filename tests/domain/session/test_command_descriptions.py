"""A wish in words: what people read of a command before anybody knows what comes of it."""

from __future__ import annotations

import json

import msgspec
import pytest

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.descriptions import describe_command

WISHES = [
    # the command as it is logged, and as it is told
    ('{"kind":"dhextiny.EndRound"}', "end round"),
    ('{"entity":"ana","kind":"dhextiny.Check"}', "check (entity {ana})"),
    (
        '{"entity":"rat","kind":"dhextiny.CreatePc","name":"Rat","seat":"p1"}',
        "(entity rat, name Rat, seat {@p1})",
    ),
    (
        '{"amx":4,"entity":"ana","kind":"dhextiny.AdjustAmx","reason":"ana"}',
        "(amx 4, entity {ana}, reason ana)",
    ),
    (
        '{"entity":"bo","kind":"fansys.SetTerms","may_yield":true,"routine":false}',
        "may yield yes, routine no",
    ),
    ('{"kind":"kingdoms.DeclareTest","stats":["fog","sword"]}', "stats fog and sword"),
    ('{"kind":"kingdoms.DeclareTest","stats":[]}', "stats none"),
    (
        '{"challenger":"bo","keeper":"ada","kind":"fansys.Oppose"}',
        "oppose (challenger {bo}, keeper {ada})",
    ),
]


@pytest.mark.parametrize(("command", "words"), WISHES)
def test_a_wish_in_words(command: str, words: str) -> None:
    ruleset = next(ruleset for ruleset in RULESETS if f'"kind":"{ruleset.name}.' in command)
    assert words in describe_command(ruleset, msgspec.Raw(command.encode()))


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: str(ruleset.name))
def test_every_command_has_words(ruleset: AnyRuleset) -> None:
    for command in ruleset.commands:
        kind = str(command.__struct_config__.tag)
        words = describe_command(ruleset, msgspec.Raw(json.dumps({"kind": kind}).encode()))
        assert words.replace(" ", "").lower() == kind.partition(".")[2].lower()
        assert " " in words or words.isupper() or words.islower()
