"""The laws of every ruleset, held by random scripts of commands."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

import pytest
from hypothesis import given
from msgspec.structs import replace

from domain.codec import decode, decode_command, encode
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.tally import AnyCount, Attempted, Landed, Rolled, Wore
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


ROLL, ATTEMPT = (
    Rolled("ana", "d6", "4", "check"),
    Attempted("ana", "check", "4", "passed", {"failed": (1, 2), "passed": (1, 2)}, ("passed",)),
)
BROKEN: dict[str, list[AnyCount]] = {
    "the chances in tallies sum to 1": [
        replace(ATTEMPT, chances={"failed": (1, 2), "passed": (1, 3)}),
        Landed("ana", "ring", ("a", "b"), 0, "rolled", {"0": (1, 2)}),
    ],
    "the chances in tallies can be stored": [
        replace(ATTEMPT, chances={"failed": (1, 2**63), "passed": (2**63 - 1, 2**63)}),
        Wore("ana", "herbs", "d6", "d4", (1, 2**63)),
    ],
    "an attempt has an outcome that was possible": [
        replace(ATTEMPT, outcome="tied"),
        replace(ATTEMPT, chances={"failed": (0, 1), "passed": (1, 1)}),
        replace(ATTEMPT, successes=("critical",)),
    ],
    "a die or deck gives a value that it has": [
        replace(ROLL, value="7"),
        replace(ROLL, value="0"),
        replace(ROLL, value="-1"),
        replace(ROLL, source="deck", left=("Ace", "Two")),
        replace(ROLL, source="deck"),
    ],
}


@pytest.mark.parametrize(
    ("law", "wrong"), [(law, wrong) for law, counts in BROKEN.items() for wrong in counts]
)
def test_a_wrong_count_breaks_its_law(law: str, wrong: AnyCount) -> None:
    ruleset, played = RULESETS[0], script(RULESETS[0], 0)
    broken = replace(ruleset, tally=lambda event: (ROLL, ATTEMPT, wrong))
    assert [name for name in BROKEN if next(LAWS[name](broken, played), "")] == [law]


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
