"""Marks: the facts that a reader looks for in a log, such as rewinds, overrides, secrets and forks."""

from __future__ import annotations

from typing import Literal

from domain.codec import ALL_EVENTS
from domain.decider import Role
from domain.fact import Fact
from domain.session.messages import Closed, Forked, Rewound, SealOpened, SeatTaken
from domain.session.sights import is_secret

Mark = Literal["rewind", "override", "secret", "opened", "fork", "handed-over", "close"]

# Events by which a GM overrides the rules: they hold the old value, the new one and the reason
# (log.md).
OVERRIDES = frozenset(
    event for event in ALL_EVENTS if {"old", "new", "reason"} <= set(event.__annotations__)
)


def mark(fact: Fact) -> Mark | None:
    """Return the fact's mark, or None. A secret turn has its mark at its first fact."""
    match fact.body:
        case Rewound():
            return "rewind"
        case SealOpened():
            return "opened"
        case Forked():
            return "fork"
        case SeatTaken(role=Role.GM, seat=seat) if (
            seat != fact.seat
        ):  # a seat that is taken by its own holder is no hand-over
            return "handed-over"
        case Closed():
            return "close"
    if is_secret(fact.body):
        return "secret"
    return "override" if type(fact.body) in OVERRIDES else None
