"""Every refusal of `domain/session` has a text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import domain.session
from service.sessions.refusal_texts import TEXTS, refusal_text


def rules_in(module: Path) -> Iterator[str]:
    """Yield the rules of the module's refusals, both of one that depends on a condition."""
    for call in ast.walk(ast.parse(module.read_text())):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Refused":
            rule = call.args[0]
            choices = (rule.body, rule.orelse) if isinstance(rule, ast.IfExp) else (rule,)
            yield from map(ast.literal_eval, choices)


RULES = sorted(
    {rule for module in Path(domain.session.__path__[0]).glob("*.py") for rule in rules_in(module)}
)


@pytest.mark.parametrize("rule", RULES)
def test_a_refusal_has_a_text(rule: str) -> None:
    assert len(RULES) > 50
    assert rule in TEXTS


def test_facts_are_filled_in_with_names() -> None:
    text = refusal_text("not-a-contributor", {"seat": "p1", "k": 5}, {"p1": "Ana"})
    assert text.line == (
        "Draw 5 is not waiting for seat Ana. Contribute only to draws that name your seat."
    )
    assert text.facts == [("seat", "Ana"), ("k", "5")]
