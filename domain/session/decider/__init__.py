"""The rules of the frame (RULES.md beside this folder): who sits where, and which past the table shows."""

from __future__ import annotations

from domain.decider import By, Refused, Role
from domain.ruleset import Message
from domain.session.decider.evolving import evolve, turn_of
from domain.session.decider.opening import all_options, open_, room_options
from domain.session.decider.review import check_audience, close, fork, hides, narrate, open_seal, rewind
from domain.session.decider.seats import hand_over, house_only, leave_seat, name_seat, take_seat
from domain.session.messages import (
    AnchorChain,
    ChainAnchored,
    Close,
    Fork,
    HandOver,
    LeaveSeat,
    NameSeat,
    Narrate,
    Open,
    OpenSeal,
    Rewind,
    SeatTaken,
    TakeHouse,
    TakeSeat,
)
from domain.session.state import (
    HOUSE,
    Past,
    Session,
)

__all__ = ["all_options", "check_audience", "decide", "evolve", "hides", "room_options", "turn_of"]

AFTER_CLOSING = (Narrate, OpenSeal, Fork)


def decide(session: Session, command: Message, by: By, past: Past) -> tuple[Message, ...]:
    """The events of a frame command (a room's wish: draws.py). Raises Refused."""
    if session.frame.closed and not isinstance(command, AFTER_CLOSING):
        raise Refused("session-closed")
    match command:
        case Open():
            return open_(session, command)
        case TakeHouse():
            house_only(by)
            return (
                SeatTaken(Role.HOUSE, HOUSE, command.anchor, 0, command.length, command.public_key, command.signature),
            )
        case AnchorChain():
            house_only(by)
            chain = session.chain.number + 1
            return (ChainAnchored(command.anchor, chain, command.length, HOUSE, command.signature),)
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
        case OpenSeal():
            return open_seal(session, command, by)
        case Fork():
            return fork(session, command, by, past)
        case Close():
            return close(session, command, by)
    raise TypeError(command)
