"""Which versions led to a state, found by walking down through the rewinds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

Span = tuple[int, int]
"""Versions first..last, both included."""


def lineage(rewinds: Sequence[tuple[int, int]], head: int) -> tuple[Span, ...]:
    """The spans that led to `head`, lowest first. `rewinds` are (version, to) by rising version."""
    versions = [version for version, _ in rewinds]
    spans: list[Span] = []
    while head > 0:
        nth = bisect_right(versions, head) - 1
        first = versions[nth] if nth >= 0 else 1
        spans.append((first, head))
        # Never upwards: a bent log may say so, and is read to its end all the same.
        head = min(rewinds[nth][1], first - 1) if nth >= 0 else 0
    return tuple(reversed(spans))


def within(spans: Sequence[Span], version: int) -> bool:
    """Whether the version lies in one of the spans."""
    return any(first <= version <= last for first, last in spans)
