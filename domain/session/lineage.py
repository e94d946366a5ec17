"""Lineage: the versions that led to a state, and those that rewinds abandoned."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import Literal, NamedTuple

Span = tuple[int, int]
"""The first and last version in a run of consecutive versions."""
Rewinds = Sequence[tuple[int, int]]
"""A (version, to) pair for each rewind, sorted by version. The rewind returns to `to`."""
Fate = Literal["undone", "partly", "redone"]

_first = itemgetter(0)


class Branch(NamedTuple):
    """The versions that a rewind abandoned.

    `version` is the version of the rewind, and `to` is the version it returned to. `left` contains
    the abandoned versions. `back` is the part of `left` that later rewinds restored to the head's
    lineage.
    """

    version: int
    to: int
    left: tuple[Span, ...]
    back: tuple[Span, ...]

    @property
    def events(self) -> int:
        return _size(self.left)

    @property
    def fate(self) -> Fate:
        if not self.back:
            return "undone"
        return "redone" if _size(self.back) == self.events else "partly"


def lineage(rewinds: Rewinds, head: int) -> tuple[Span, ...]:
    """Return the spans of versions that led to `head`, in ascending order."""
    spans: list[Span] = []
    while head > 0:
        first, below = _step(rewinds, head)
        spans.append((first, head))
        head = below
    return tuple(reversed(spans))


def branches(rewinds: Rewinds, head: int, after: int = 0, limit: int | None = None) -> list[Branch]:
    """Return the branches abandoned by rewinds that came after version `after`.

    `head` determines which of the abandoned versions have been restored. The cost depends on the
    number of rewinds, not on the number of events.
    """
    led = lineage(rewinds, head)
    start = bisect_right(rewinds, after, key=_first)
    chosen = rewinds[start : None if limit is None else start + limit]
    found = []
    for version, to in chosen:
        left = beyond(rewinds, version - 1, to)
        found.append(Branch(version, to, left, _shared(left, led)))
    return found


def beyond(rewinds: Rewinds, tip: int, to: int) -> tuple[Span, ...]:
    """Return the versions that led to `tip` but not to `to`.

    Both lineages are followed back until they meet. Each step goes back along the lineage whose
    current span starts later.
    """
    spans: list[Span] = []
    while True:
        first, below = _step(rewinds, tip)
        other, other_below = _step(rewinds, to)
        if first == other:
            break
        if first > other:
            spans.append((first, tip))
            tip = below
        else:
            to = other_below
    if tip > to:
        spans.append((to + 1, tip))
    return tuple(reversed(spans))


def within(spans: Sequence[Span], version: int) -> bool:
    nth = bisect_right(spans, version, key=_first) - 1
    return nth >= 0 and version <= spans[nth][1]


def _step(rewinds: Rewinds, version: int) -> Span:
    """Return the first version in the span of `version`, and its predecessor.

    If a rewind began the span, the predecessor is the version that the rewind returned to.
    """
    nth = bisect_right(rewinds, version, key=_first) - 1
    if nth < 0:
        return 1, 0
    first, to = rewinds[nth]
    # An invalid log may rewind to a later version. It still has to be read to its end.
    return first, min(to, first - 1)


def _shared(spans: Sequence[Span], others: Sequence[Span]) -> tuple[Span, ...]:
    """Return the versions that are in both lists of spans.

    Both lists must be in ascending order.
    """
    found: list[Span] = []
    for first, last in spans:
        nth = max(0, bisect_right(others, first, key=_first) - 1)
        while nth < len(others) and others[nth][0] <= last:
            start, end = max(first, others[nth][0]), min(last, others[nth][1])
            if start <= end:
                found.append((start, end))
            nth += 1
    return tuple(found)


def _size(spans: Sequence[Span]) -> int:
    return sum(last - first + 1 for first, last in spans)
