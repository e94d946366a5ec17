"""The laws of every ruleset, held by random scripts of commands."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

import pytest
from hypothesis import given

from domain.codec import decode, decode_command, encode
from domain.ruleset import AnyRuleset
from fairlog.testing.laws import LAWS, Law
from tests.domain.scripts import every_ruleset, script, scripts, seeds
from tests.support.scale import scale


@lru_cache
def slugs(ruleset: AnyRuleset) -> frozenset[str]:
    text = (files(f"domain.rulesets.{ruleset.name}") / "RULES.md").read_text()
    return frozenset(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", text))


@every_ruleset
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@scripts
@given(seed=seeds)
def test_a_law_holds(law: Law, ruleset: AnyRuleset, seed: int) -> None:
    assert list(law(ruleset, script(ruleset, seed))) == []


@every_ruleset
@scripts
@given(seed=seeds)
def test_every_refusal_stands_in_the_rulebook(ruleset: AnyRuleset, seed: int) -> None:
    assert set(script(ruleset, seed).refused) <= slugs(ruleset)


@every_ruleset
@scripts
@given(seed=seeds)
def test_messages_are_read_by_the_codec(ruleset: AnyRuleset, seed: int) -> None:
    played = script(ruleset, seed)
    for event in played.events:
        assert decode(encode(event)) == event
    for _, command, *_ in played.accepted:
        assert decode_command(ruleset, encode(command)) == command


@every_ruleset
def test_random_scripts_reach_most_commands_and_refusals(ruleset: AnyRuleset) -> None:
    played = [script(ruleset, seed) for seed in range(scale(20, 200))]
    accepted = {type(command) for script in played for _, command, *_ in script.accepted}
    assert len(accepted) >= 0.8 * len(ruleset.commands), set(ruleset.commands) - accepted
    assert len({rule for script in played for rule in script.refused}) >= 5
