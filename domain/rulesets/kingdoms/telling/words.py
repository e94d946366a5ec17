"""Words that what is shown, told and counted have in common."""

from __future__ import annotations

from collections.abc import Sequence

from domain.rulesets.kingdoms.messages.events import Source
from domain.rulesets.kingdoms.rules import Kind

D12 = "d12"
PASSED, NOT_PASSED = "passed", "not passed"


def a_test(kind: Kind) -> str:
    return "an extended test" if kind is Kind.EXTENDED else "a basic test"


def shown_faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces)) or "no dice"


def listed(sources: Sequence[Source]) -> str:
    return ", ".join(f"{source.name} {source.dice}" for source in sources)


def verdict(passed: bool) -> str:
    return PASSED if passed else NOT_PASSED
