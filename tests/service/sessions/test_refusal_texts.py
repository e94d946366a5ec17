"""Every refusal of `domain/session` and of `service` has a text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import domain.session
import service
from service.sessions.refusal_texts import TEXTS, refusal_text


def rules_in(module: Path) -> Iterator[str]:
    """Yield the rules that the module names in its refusals, both of one that depends on a condition."""
    for call in ast.walk(ast.parse(module.read_text())):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Refused":
            rule = call.args[0]
            choices = (rule.body, rule.orelse) if isinstance(rule, ast.IfExp) else (rule,)
            yield from (each.value for each in choices if isinstance(each, ast.Constant))


RULES = sorted(
    {
        rule
        for package in (domain.session, service)
        for module in Path(package.__path__[0]).rglob("*.py")
        for rule in rules_in(module)
    }
)


@pytest.mark.parametrize("rule", RULES)
def test_a_refusal_has_a_text(rule: str) -> None:
    assert len(RULES) > 65
    assert rule in TEXTS


def test_facts_are_filled_in_with_names() -> None:
    text = refusal_text("not-a-contributor", {"seat": "p1", "k": 5}, {"p1": "Ana"})
    assert text.line == (
        "Draw 5 is not waiting for seat Ana. Contribute only to draws that name your seat."
    )
    assert text.facts == [("seat", "Ana"), ("k", "5")]
