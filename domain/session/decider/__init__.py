"""The decider of session-level commands: seats, rewinds, secrets, forks, the close (RULES.md)."""

from __future__ import annotations

from domain.decider import By, Refused
from domain.ruleset import Message
from domain.session.decider.evolving import evolve, seated, turn_of
from domain.session.decider.opening import all_options, open_, room_options
from domain.session.decider.review import (
    check_audience,
    close,
    fork,
    hides,
    narrate,
    open_seal,
    redact,
    rewind,
)
from domain.session.decider.seats import (
    anchor_chain,
    bring_chain,
    hand_over,
    leave_seat,
    name_seat,
    set_presence,
    take_house,
    take_seat,
)
from domain.session.messages import (
    AnchorChain,
    BringChain,
    Close,
    Fork,
    HandOver,
    LeaveSeat,
    NameSeat,
    Narrate,
    Open,
    OpenSeal,
    Redact,
    Rewind,
    SetPresence,
    TakeHouse,
    TakeSeat,
)
from domain.session.state import (
    History,
    Session,
)

__all__ = [
    "all_options",
    "check_audience",
    "decide",
    "evolve",
    "hides",
    "room_options",
    "seated",
    "turn_of",
]

AFTER_CLOSING = (Narrate, Redact, OpenSeal, Fork)
WHILE_A_DRAW_WAITS = (TakeSeat, BringChain, NameSeat, Narrate, Redact)


def decide(session: Session, command: Message, by: By, past: History) -> tuple[Message, ...]:
    """Return the events of a session-level command; draws.py decides those of the ruleset.

    Raises Refused.
    """
    if session.frame.closed and not isinstance(command, AFTER_CLOSING):
        raise Refused("session-closed")
    if session.pending is not None and not isinstance(command, WHILE_A_DRAW_WAITS):
        raise Refused("draw-waits", k=session.pending.k)
    match command:
        case Open():
            return open_(session, command)
        case TakeHouse():
            return take_house(command, by)
        case AnchorChain():
            return anchor_chain(session, command, by)
        case BringChain():
            return bring_chain(session, command, by)
        case SetPresence():
            return set_presence(session, command, by)
        case TakeSeat():
            return take_seat(session, command, by)
        case LeaveSeat():
            return leave_seat(session, command, by)
        case NameSeat():
            return name_seat(session, command, by)
        case HandOver():
            return hand_over(session, command, by)
        case Rewind():
            return rewind(session, command, by, past)
        case Narrate():
            return narrate(session, command, by)
        case Redact():
            return redact(session, command, by, past)
        case OpenSeal():
            return open_seal(session, command, by)
        case Fork():
            return fork(session, command, by, past)
        case Close():
            return close(session, command, by)
    raise TypeError(command)
