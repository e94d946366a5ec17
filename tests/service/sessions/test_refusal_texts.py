"""Every refusal of `domain/session` has a text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import domain.session
from service.sessions.refusal_texts import TEXTS, refusal_text

RULES = sorted(
    {
        rule
        for file in Path(domain.session.__path__[0]).glob("*.py")
        for rule in re.findall(r'Refused\(\s*"([a-z-]+)"', file.read_text())
    }
)


@pytest.mark.parametrize("rule", RULES)
def test_a_refusal_has_a_text(rule: str) -> None:
    assert len(RULES) > 50
    assert rule in TEXTS


def test_facts_are_filled_in_with_names() -> None:
    text = refusal_text("not-a-contributor", {"seat": "p1", "k": 5}, {"p1": "Ana"})
    assert text.line == (
        "Draw 5 does not wait for seat Ana. Contribute only to draws that name your seat."
    )
    assert text.facts == [("seat", "Ana"), ("k", "5")]
