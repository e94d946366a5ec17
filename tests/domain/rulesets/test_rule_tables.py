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
from domain.tally import Attempted, Counts
from tests.domain.rulesets.given import after, check
from tests.support.rows import check_rows

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
ASKING = (By("p1", Role.PLAYER), By("p2", Role.PLAYER), By("gm", Role.GM))
NOT_PLAYING = (By("s1", Role.SPECTATOR), By("a1", Role.AUDITOR), By("house", Role.HOUSE))
WORDS = {"backticks", "clock", "deck", "player", "point"}  # RULES.md has them in backticks, too
REFUSED_ELSEWHERE = {"odds-too-large", "seat-does-not-play"}  # by the odds, and by the session
NO_SLUGS = WORDS | REFUSED_ELSEWHERE


@cache
def table(ruleset: AnyRuleset, name: str) -> ModuleType:
    return import_module(f"tests.domain.rulesets.{ruleset.name}.{name}")


def parse(ruleset: AnyRuleset, fields: dict[str, object]) -> Message:
    tagged = json.dumps(fields | {"kind": f"{ruleset.name}.{fields['kind']}"})
    command: Message = msgspec.json.decode(tagged, type=Union[ruleset.commands])  # noqa: UP007
    return command


@every_ruleset
def test_a_command_is_decoded_and_encoded_again(ruleset: AnyRuleset) -> None:
    def is_encoded_again(fields: dict[str, object]) -> None:
        command = parse(ruleset, fields)
        assert decode_command(ruleset, encode(command)) == command

    check_rows(table(ruleset, "inputs").VALID, is_encoded_again)


@every_ruleset
def test_a_malformed_command_is_rejected(ruleset: AnyRuleset) -> None:
    def is_rejected(fields: dict[str, object]) -> None:
        with pytest.raises(msgspec.ValidationError):
            parse(ruleset, fields)

    check_rows(table(ruleset, "inputs").MALFORMED, is_rejected)


@every_ruleset
def test_malformed_options_are_rejected(ruleset: AnyRuleset) -> None:
    def is_rejected(options: dict[str, object]) -> None:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(options, ruleset.options)

    check_rows(table(ruleset, "inputs").MALFORMED_OPTIONS, is_rejected)


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


@every_ruleset
def test_a_command_is_for_its_player_or_the_gm(ruleset: AnyRuleset) -> None:
    def is_for_them(row: tuple[Message, Sequence[Message], str]) -> None:
        when, given, answers = row
        assert [answer(ruleset, when, given, by) for by in ASKING] == answers.split()
        assert {answer(ruleset, when, given, by) for by in NOT_PLAYING} == {"not-playing"}

    check_rows(table(ruleset, "permissions").PERMISSIONS, is_for_them)


@every_ruleset
def test_a_seat_keeps_its_own_entities_after_a_change_of_role(ruleset: AnyRuleset) -> None:
    def is_kept(row: tuple[Message, Sequence[Message], By, str]) -> None:
        when, given, by, expected = row
        assert answer(ruleset, when, given, by) == expected

    check_rows(table(ruleset, "permissions").EXCEPTIONS, is_kept)


@every_ruleset
def test_a_refused_command_names_its_rule(ruleset: AnyRuleset) -> None:
    def is_refused(row: tuple[Any, ...]) -> None:
        slug, given, by, when, *options = row
        given = [*table(ruleset, "people").TABLE, *given]
        check(given=given, when=when, by=by, then=slug, options=options[0] if options else None)

    check_rows(table(ruleset, "refusals").REFUSALS, is_refused)


def ranked_outcomes(counts: Counts) -> list[tuple[str, ...]]:
    """Return the outcomes of each attempt in their order, which `==` of two maps ignores."""
    return [tuple(count.chances) for count in counts if isinstance(count, Attempted)]


@every_ruleset
def test_an_event_has_its_text_and_counts(ruleset: AnyRuleset) -> None:
    def has_its_text(row: tuple[Any, ...]) -> None:
        event, text, *counts = row
        assert ruleset.describe(event) == text
        assert counts in ([], [ruleset.tally(event)])
        if counts:
            assert ranked_outcomes(counts[0]) == ranked_outcomes(ruleset.tally(event))

    check_rows(table(ruleset, "texts").TEXTS, has_its_text)


@every_ruleset
def test_every_command_event_and_refusal_has_a_row(ruleset: AnyRuleset) -> None:
    folder = files(f"domain.rulesets.{ruleset.name}")
    slugs = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", (folder / "RULES.md").read_text()))
    permissions, refusals = table(ruleset, "permissions"), table(ruleset, "refusals")
    assert {type(row[0]) for row in permissions.PERMISSIONS} == set(ruleset.commands)
    assert {type(row[0]) for row in table(ruleset, "texts").TEXTS} == set(ruleset.events)
    assert {row[0] for row in refusals.REFUSALS} == slugs - NO_SLUGS
