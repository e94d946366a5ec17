"""An enormous number in a stranger's file is told, counted or refused at once: none makes work of its size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from domain.verify.rules_check import RULESET_ERRORS
from tests.support.scale import scale
from tests.support.sessions import play

MOST = 2**53 - 1


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_an_enormous_number_is_no_enormous_work(ruleset: AnyRuleset) -> None:
    bent = [
        event
        for fact in play(3, scale(200, 500), ruleset)
        if isinstance(fact.body, ruleset.events)
        for event in bendings(fact.body)
    ]
    assert len(bent) > 50
    for event in bent:
        for read in (ruleset.describe, ruleset.tally):
            with suppress(*RULESET_ERRORS):  # what the check of a log answers with E_OUTCOME
                assert len(msgspec.json.encode(read(event))) < 100_000


def bendings(event: Message) -> Iterator[Message]:
    """The event with one of its numbers enormous."""
    for path, value in numbers(msgspec.json.decode(msgspec.json.encode(event))):
        document: Any = msgspec.json.decode(msgspec.json.encode(event))
        inner = document
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = MOST * (1 if value >= 0 else -1)
        try:
            yield msgspec.json.decode(msgspec.json.encode(document), type=type(event))
        except msgspec.ValidationError:
            continue


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Every whole number of a document, by the names that lead to it."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield path, value
    elif isinstance(value, dict | list | tuple):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(inner, (*path, name))
