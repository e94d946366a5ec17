"""The tables of every ruleset: its inputs, permissions, refusals and texts, row by row."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from types import ModuleType
from typing import Any, Union

import msgspec
import pytest

from domain.chance import EnumeratedChance
from domain.codec import decode_command, encode
from domain.decider import By, Refused, Role
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from tests.domain.rulesets.given import after, check

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
ASKING = (By("p1", Role.PLAYER), By("p2", Role.PLAYER), By("gm", Role.GM))
NOT_PLAYING = (By("s1", Role.SPECTATOR), By("a1", Role.AUDITOR), By("house", Role.HOUSE))
NO_SLUGS = {"backticks", "clock", "deck", "player", "point"}  # RULES.md has them in backticks, too


@cache
def table(ruleset: AnyRuleset, name: str) -> ModuleType:
    return import_module(f"tests.domain.rulesets.{ruleset.name}.{name}")


def rows(module: str, name: str) -> list[Any]:
    """Return the rows of all rulesets, each with its ruleset."""
    return [
        pytest.param(ruleset, row, id=f"{ruleset.name}-{nth}")
        for ruleset in RULESETS
        for nth, row in enumerate(getattr(table(ruleset, module), name))
    ]


def parse(ruleset: AnyRuleset, fields: dict[str, object]) -> Message:
    tagged = json.dumps(fields | {"kind": f"{ruleset.name}.{fields['kind']}"})
    command: Message = msgspec.json.decode(tagged, type=Union[ruleset.commands])  # noqa: UP007
    return command


@pytest.mark.parametrize(("ruleset", "fields"), rows("inputs", "VALID"))
def test_a_command_is_decoded_and_encoded_again(
    ruleset: AnyRuleset, fields: dict[str, object]
) -> None:
    command = parse(ruleset, fields)
    assert decode_command(ruleset, encode(command)) == command


@pytest.mark.parametrize(("ruleset", "fields"), rows("inputs", "MALFORMED"))
def test_a_malformed_command_is_rejected(ruleset: AnyRuleset, fields: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        parse(ruleset, fields)


@pytest.mark.parametrize(("ruleset", "options"), rows("inputs", "MALFORMED_OPTIONS"))
def test_malformed_options_are_rejected(ruleset: AnyRuleset, options: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, ruleset.options)


def answer(ruleset: AnyRuleset, when: Message, given: Sequence[Message], by: By) -> str:
    """Return "may", or the rule that refuses the command."""
    permissions = table(ruleset, "permissions")
    options = getattr(permissions, "OPTIONS", None)
    state = after(when, [*table(ruleset, "people").TABLE, *given], options)
    try:
        ruleset.decider.decide(state, when, by, EnumeratedChance(()))
    except Refused as refused:
        return refused.rule
    return "may"


@pytest.mark.parametrize(("ruleset", "row"), rows("permissions", "PERMISSIONS"))
def test_a_command_is_for_its_player_or_the_gm(
    ruleset: AnyRuleset, row: tuple[Message, Sequence[Message], str]
) -> None:
    when, given, answers = row
    assert [answer(ruleset, when, given, by) for by in ASKING] == answers.split()
    assert {answer(ruleset, when, given, by) for by in NOT_PLAYING} == {"not-playing"}


@pytest.mark.parametrize(("ruleset", "row"), rows("permissions", "EXCEPTIONS"))
def test_a_seat_keeps_its_own_entities_after_a_change_of_role(
    ruleset: AnyRuleset, row: tuple[Message, Sequence[Message], By, str]
) -> None:
    when, given, by, expected = row
    assert answer(ruleset, when, given, by) == expected


@pytest.mark.parametrize(("ruleset", "row"), rows("refusals", "REFUSALS"))
def test_a_refused_command_names_its_rule(ruleset: AnyRuleset, row: tuple[Any, ...]) -> None:
    slug, given, by, when, *options = row
    given = [*table(ruleset, "people").TABLE, *given]
    check(given=given, when=when, by=by, then=slug, options=options[0] if options else None)


@pytest.mark.parametrize(("ruleset", "row"), rows("texts", "TEXTS"))
def test_an_event_has_its_text_and_counts(ruleset: AnyRuleset, row: tuple[Any, ...]) -> None:
    event, text, *counts = row
    assert ruleset.describe(event) == text
    assert counts in ([], [ruleset.tally(event)])


@every_ruleset
def test_every_command_event_and_refusal_has_a_row(ruleset: AnyRuleset) -> None:
    folder = files(f"domain.rulesets.{ruleset.name}")
    slugs = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", (folder / "RULES.md").read_text()))
    permissions, refusals = table(ruleset, "permissions"), table(ruleset, "refusals")
    assert {type(row[0]) for row in permissions.PERMISSIONS} == set(ruleset.commands)
    assert {type(row[0]) for row in table(ruleset, "texts").TEXTS} == set(ruleset.events)
    assert {row[0] for row in refusals.REFUSALS} == slugs - NO_SLUGS
