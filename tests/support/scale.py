"""The one setting that scales every count: FAIRLOG_TESTS=short (make test) or long (make long)."""

from __future__ import annotations

import os

from domain.rulesets import RULESETS

LONG = os.environ.get("FAIRLOG_TESTS", "short") == "long"

SCALED_RULESETS = tuple(
    ruleset for ruleset in RULESETS if LONG or ruleset.name in {"deckahedron", "fansys", "open"}
)
"""The rulesets that tests of everything but rulesets play: in the gate, one with hidden cards, the
largest one and the open table. The laws of rulesets run over all six."""


def scale(short: int, long: int) -> int:
    """How many: the gate's count, or the issues'."""
    return long if LONG else short
