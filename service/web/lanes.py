"""The branches of a session as a picture: the way to the newest version, and below it what each rewind left behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from service.http.models import VersionSpan
from service.http.routes.review import BranchView

WIDTH, EDGE, TOP, ROW = 960, 12, 24, 26
"""Units of the picture: its width, free at each side, where the way to the newest version runs, a lane's height."""
APART = 14  # between two branches in one lane


class Line(NamedTuple):
    """A run of versions, as a line from x1 to x2 at y."""

    x1: float
    x2: float
    y: int


class Lane(NamedTuple):
    """What a rewind left, and what of it counts again; the path down to it and up to the rewind, which stands at x."""

    branch: BranchView
    runs: list[Line]
    back: list[Line]
    leads: str
    x: float
    y: int


class Picture(NamedTuple):
    height: int
    way: list[Line]
    lanes: list[Lane]


def picture(
    version: int, lineage: Sequence[VersionSpan], branches: Sequence[BranchView]
) -> Picture:
    """Every branch in the first lane that is free from where it begins to its rewind."""
    ends: list[float] = []
    lanes = [_lane(version, branch, _row(ends, *_reach(version, branch))) for branch in branches]
    way = [_line(version, span, TOP) for span in lineage]
    return Picture(TOP + ROW * (len(ends) + 1), way, lanes)


def x(version: int, head: int) -> float:
    """Where a version stands."""
    return round(EDGE + (WIDTH - 2 * EDGE) * version / max(1, head), 1)


def _row(ends: list[float], begin: float, end: float) -> int:
    nth = next((nth for nth, taken in enumerate(ends) if taken + APART <= begin), len(ends))
    ends[nth : nth + 1] = [end]
    return nth


def _reach(head: int, branch: BranchView) -> tuple[float, float]:
    return x(min([branch.to, *(span.first for span in branch.undone_spans)]), head), x(
        branch.version, head
    )


def _lane(head: int, branch: BranchView, row: int) -> Lane:
    y = TOP + ROW * (row + 1)
    begin, end = x(branch.to, head), x(branch.version, head)
    left, back = (
        [_line(head, span, y) for span in spans]
        for spans in (branch.undone_spans, branch.restored_spans)
    )
    return Lane(branch, left, back, f"M{begin} {TOP}V{y}H{end}V{TOP}", end, y)


def _line(head: int, span: VersionSpan, y: int) -> Line:
    """From behind the version before the first to the last."""
    return Line(x(span.first - 1, head), x(span.last, head), y)
