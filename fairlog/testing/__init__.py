"""Checks for authors of rulesets: random sessions, and the laws that hold in them.

from fairlog.testing import check_ruleset

def test_the_laws() -> None:
    assert check_ruleset(my_ruleset) == []
"""

from __future__ import annotations

from fairlog.testing.laws import LAWS, Violation, check_ruleset
from fairlog.testing.script import RandomScript

__all__ = ["LAWS", "RandomScript", "Violation", "check_ruleset"]
