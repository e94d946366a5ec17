"""Event annotations: marks, and fairness grades from A to D (docs/fairness.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import UNSET

from domain.codec import ALL_EVENTS
from domain.decider import Role
from domain.recorded_event import RecordedEvent
from domain.session.contributions import takes_part
from domain.session.messages import Closed, Declared, Drawn, Forked, Rewound, SealOpened, SeatTaken
from domain.session.secrets import is_secret
from domain.session.state import HOUSE, Seat, Session, SessionInfo

Grade = Literal["A", "B", "C", "D"]


def grade(recorded: RecordedEvent, at: Callable[[int], Session]) -> Grade | None:
    """Return the event's fairness grade, or None if the event has no grade.

    Only draws and rolls of physical dice have a grade. `at` returns the session at a given version.
    """
    if isinstance(recorded.body, Declared):
        return None if recorded.body.values is UNSET else "D"
    if not isinstance(recorded.body, Drawn):
        return None
    if len(recorded.body.contributions) == 1:
        return _house_grade(recorded.body)
    pending = at(recorded.version - 1).pending
    if pending is None:
        return "C"
    return grade_of(recorded.body, pending.seat, at(pending.version).info)


def _house_grade(drawn: Drawn) -> Grade:
    """Return the grade of a draw to which only the house contributed a link.

    If the draw is secret and the house had not committed to the blind beforehand, the grade is C,
    because the house could have chosen the blind after it saw the entropy.
    """
    is_secret_draw = not drawn.values
    if drawn.entropy is UNSET or (is_secret_draw and drawn.next_blind is UNSET):
        return "C"
    return "B"


def grade_of(drawn: Drawn, asker: str, info: SessionInfo) -> Grade:
    """Return the fairness grade of a draw.

    `asker` is the seat whose command needed the draw. `info` describes the session as it was when
    the draw was declared. The grades are:

    - A: all players and GMs contributed, except those who had left or were absent, and at least one
      contributor is a player who did not ask for the draw. In format 2, every player or GM with a
      key who had left or was absent must also have signed the event that recorded this.
    - B: at least one seat other than the house contributed, or the asker supplied entropy
      after the house had committed to everything that it adds to the draw.
    - C: any other draw.
    """
    contributed = {each.seat for each in drawn.contributions} - {HOUSE}
    if not contributed:
        return _house_grade(drawn)
    seats = info.seats
    silent = any(
        held.role in (Role.PLAYER, Role.GM)
        and seat not in contributed
        and (takes_part(held) or (info.log_format > 1 and _is_excluded(held)))
        for seat, held in seats.items()
    )
    has_witness = any(
        held.role is Role.PLAYER and seat in contributed - {asker} for seat, held in seats.items()
    )
    return "A" if has_witness and not silent else "B"


def _is_excluded(held: Seat) -> bool:
    """Return True if the seat has a key but did not sign its own absence or departure."""
    return held.public_key is not UNSET and held.unsigned


Mark = Literal["rewind", "override", "secret", "opened", "fork", "handed-over", "close"]

# Events with which a GM overrides the rules. They contain the old value, the new value and the
# reason (docs/log-format.md).
OVERRIDES = frozenset(
    event for event in ALL_EVENTS if {"old", "new", "reason"} <= set(event.__annotations__)
)


def mark(recorded: RecordedEvent) -> Mark | None:
    """Return the mark that highlights the event, or None.

    In a secret turn, only the first event is marked as secret.
    """
    match recorded.body:
        case Rewound():
            return "rewind"
        case SealOpened():
            return "opened"
        case Forked():
            return "fork"
        # A GM who takes or changes their own seat does not hand it over.
        case SeatTaken(role=Role.GM, seat=seat) if seat != recorded.seat:
            return "handed-over"
        case Closed():
            return "close"
    if is_secret(recorded.body):
        return "secret"
    return "override" if type(recorded.body) in OVERRIDES else None
