"""The one setting that scales every count: FAIRLOG_TESTS=short (make test) or long (make long)."""

from __future__ import annotations

import os

LONG = os.environ.get("FAIRLOG_TESTS", "short") == "long"


def scale(short: int, long: int) -> int:
    """How many: the gate's count, or the issues'."""
    return long if LONG else short
