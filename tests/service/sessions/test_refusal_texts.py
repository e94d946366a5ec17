"""Every refusal of `domain/session`, of `service` and of each ruleset has a text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import domain.rulesets
import domain.session
import service
from domain.chance import EnumeratedChance
from domain.decider import Refused
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from service.sessions.refusal_texts import TEXTS, refusal_text
from tests.domain.rulesets.given import after
from tests.domain.rulesets.test_rule_tables import table


def refusals_in(module: Path) -> Iterator[tuple[str, set[str | None]]]:
    """Yield the rule of each refusal in the module, with the names of its facts.

    A refusal that depends on a condition has two rules. None stands for facts that are unpacked.
    """
    for call in ast.walk(ast.parse(module.read_text())):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Refused":
            rule, facts = call.args[0], {keyword.arg for keyword in call.keywords}
            choices = (rule.body, rule.orelse) if isinstance(rule, ast.IfExp) else (rule,)
            yield from ((each.value, facts) for each in choices if isinstance(each, ast.Constant))


def test_every_refusal_of_a_session_has_a_text() -> None:
    modules = (
        *Path(domain.__path__[0]).glob("*.py"),
        *Path(domain.session.__path__[0]).rglob("*.py"),
        *Path(service.__path__[0]).rglob("*.py"),
    )
    rules = {rule for module in modules for rule, _ in refusals_in(module)}
    assert len(rules) > 65
    assert rules <= set(TEXTS)


def test_facts_are_filled_in_with_names() -> None:
    text = refusal_text("not-a-contributor", {"seat": "p1", "draw": 5}, {"@p1": "Ana"})
    assert text.line == (
        "Draw 5 is not waiting for seat Ana. Contribute only to draws that name your seat."
    )
    assert text.facts == [("seat", "Ana"), ("draw", "5")]


def test_a_seat_and_an_entity_with_the_same_id_keep_their_names() -> None:
    facts = {"entity": "ana", "seat": "ana"}
    of_game = {"one-character": ("{seat} already plays {entity}.", "Play on.")}
    text = refusal_text("one-character", facts, {"@ana": "Ana", "ana": "the wren"}, of_game)
    assert text.what == "Ana already plays the wren."


def test_a_text_that_equals_an_id_stays_as_it_is() -> None:
    of_game = {"no-such-ability": ("{entity} has no {ability}.", "Play on.")}
    facts = {"entity": "ben", "ability": "rat"}
    text = refusal_text("no-such-ability", facts, {"@ben": "Benno", "rat": "the rat"}, of_game)
    assert text.what == "Ben has no rat."


def test_a_name_at_the_beginning_of_a_sentence_has_a_capital_letter() -> None:
    of_game = {"dead": ("{entity} is dead.", "Ask the GM. {entity} may return.")}
    text = refusal_text("dead", {"entity": "orc"}, {"orc": "the orc"}, of_game)
    assert text.line == "The orc is dead. Ask the GM. The orc may return."


def test_who_enters_faces_without_need_is_told_that_no_roll_is_needed() -> None:
    text = refusal_text("faces-left-over", {"given": 2, "asked": 0}, {})
    assert text.line.endswith("no roll is needed: send the command without faces.")


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_a_refusal_of_the_game_has_a_sentence(ruleset: AnyRuleset) -> None:
    for row in table(ruleset, "refusals").REFUSALS:
        has_a_sentence(ruleset, *row)


def has_a_sentence(
    ruleset: AnyRuleset, slug: str, given: Any, by: Any, when: Any, *options: Any
) -> None:
    state = after(when, [*table(ruleset, "people").TABLE, *given], options[0] if options else None)
    with pytest.raises(Refused) as refused:
        ruleset.decider.decide(state, when, by, EnumeratedChance(()))
    assert refused.value.rule == slug
    assert slug in ruleset.refusals or slug in TEXTS
    text = refusal_text(slug, refused.value.facts, {}, ruleset.refusals)
    assert "{" not in text.line
    assert text.what[-1] in ".?"
    assert text.instead[-1] == "."


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_a_sentence_uses_facts_that_every_such_refusal_has(ruleset: AnyRuleset) -> None:
    package = Path(domain.rulesets.__path__[0]) / ruleset.name
    found = [each for module in package.rglob("*.py") for each in refusals_in(module)]
    assert len(found) > 20
    for rule, facts in found:
        used = set(re.findall(r"\{(\w+)\}", "".join(ruleset.refusals.get(rule, ()))))
        assert None in facts or used <= facts, rule
    row_slugs = {row[0] for row in table(ruleset, "refusals").REFUSALS}
    assert set(ruleset.refusals) <= row_slugs | {rule for rule, _ in found} | set(TEXTS)


def test_kingdoms_calls_the_gm_gr_as_its_rulebook_does() -> None:
    refusals = next(ruleset.refusals for ruleset in RULESETS if ruleset.name == "kingdoms")
    text = refusal_text("gm-only", {"role": "player"}, {}, refusals)
    assert text.line == "Only the GR may do this. Ask the GR to do it."
    assert not any("GM" in part for parts in refusals.values() for part in parts)
