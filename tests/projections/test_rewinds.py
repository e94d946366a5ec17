"""Spans that rewinds turn over, against walking the versions one by one."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given, settings, strategies as st

from domain.recorded_event import LogRow, RecordedEvent
from domain.session.messages import Narrated, Rewound
from projections.rewinds import UndoneChange, undone_changes
from tests.projections.contract import led
from tests.support.scale import scale


class Log(NamedTuple):
    events: list[RecordedEvent]
    cut: int


@st.composite
def logs(draw: st.DrawFn) -> Log:
    """Any rewinds at all, and where the second batch begins."""
    size = draw(st.integers(2, 30))
    bodies = [
        Rewound("", draw(st.integers(1, version - 1)))
        if version > 1 and draw(st.booleans())
        else Narrated("")
        for version in range(1, size + 1)
    ]
    facts = [
        RecordedEvent("s", version, version, 0, "gm", b"", body, b"")
        for version, body in enumerate(bodies, 1)
    ]
    return Log(facts, draw(st.integers(0, size - 1)))


@settings(max_examples=scale(10, 2_000))
@given(log=logs())
def test_what_flips_is_what_changes_sides(log: Log) -> None:
    shown = led(log.events[: log.cut]) | {fact.version for fact in log.events[log.cut :]}
    rows = [LogRow(fact.version, fact) for fact in log.events[log.cut :]]
    known = [
        (fact.version, fact.body.to)
        for fact in log.events[: log.cut]
        if isinstance(fact.body, Rewound)
    ]
    for flip in undone_changes(rows, lambda _: known):
        shown = turned(shown, flip)
    assert shown == led(log.events)


def turned(shown: set[int], flip: UndoneChange) -> set[int]:
    undone, _, first, last = flip
    span = set(range(first, last + 1))
    assert span <= shown if undone else not span & shown, "only what changes is touched"
    return shown - span if undone else shown | span
