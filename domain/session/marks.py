"""What people jump to in a log: rewinds, overrides, secrets and their opening, forks, the GM's role, the close."""

from __future__ import annotations

from typing import Literal

from domain.codec import ALL_EVENTS
from domain.decider import Role
from domain.fact import Fact
from domain.session.messages import Closed, Forked, Rewound, SealOpened, SeatTaken
from domain.session.sights import is_secret

Mark = Literal["rewind", "override", "secret", "opened", "fork", "handed-over", "close"]

# A GM's word instead of the rules', in any room: it keeps the old value, the new one and the reason (log.md).
OVERRIDES = frozenset(
    event for event in ALL_EVENTS if {"old", "new", "reason"} <= set(event.__annotations__)
)


def mark(fact: Fact) -> Mark | None:
    """What the fact stands out by; a secret turn is marked where it begins."""
    match fact.body:
        case Rewound():
            return "rewind"
        case SealOpened():
            return "opened"
        case Forked():
            return "fork"
        case SeatTaken(role=Role.GM, seat=seat) if (
            seat != fact.seat
        ):  # who sits down is the one who asks
            return "handed-over"
        case Closed():
            return "close"
    if is_secret(fact.body):
        return "secret"
    return "override" if type(fact.body) in OVERRIDES else None
