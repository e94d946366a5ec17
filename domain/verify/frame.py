"""The frame's turns again: each command rebuilt from the events that answered it, and decided anew."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from domain.codec import encode
from domain.decider import By, Role
from domain.fact import Fact
from domain.ruleset import Message
from domain.session.decider import FRAME_EVENT_TYPES, decide
from domain.session.messages import (
    AnchorChain,
    ChainAnchored,
    Close,
    Closed,
    Declared,
    HandOver,
    LeaveSeat,
    NameSeat,
    Narrate,
    Narrated,
    Open,
    Opened,
    Rewind,
    Rewound,
    SeatLeft,
    SeatNamed,
    SeatTaken,
    TakeHouse,
    TakeSeat,
)  # fmt: skip
from domain.session.state import HOUSE, Past, Session
from domain.verify.leaves import Line
from domain.verify.report import Fault

Written = tuple[tuple[str, Message], ...]
"""What a turn must have left behind: seat and event, in order."""


def is_frame(first: Line) -> bool:
    """Whether a turn that begins so is the frame's own."""
    return isinstance(first, Fact) and type(first.body) in FRAME_EVENT_TYPES and type(first.body) is not Declared


def decided(session: Session, turn: Sequence[Line], past: Past, sealed: bool) -> Written:
    """The whole of a frame's turn, as it had to be written; `sealed`: not all of the table is known. Raises Refused."""
    first = turn[0]
    assert isinstance(first, Fact)
    then = turn[1].body if len(turn) > 1 and isinstance(turn[1], Fact) else None
    by = _by(session, first, then)
    command = _command(first, then)
    _check_bounds(first, command)
    if isinstance(command, Close) and sealed:  # what is carried over lies behind the seal
        decide(session, Close(carry=False), by, past)
        return ((by.seat, first.body),)
    return tuple((by.seat, event) for event in decide(session, command, by, past))


def _by(session: Session, first: Fact, then: Message | None) -> By:
    """Who must have asked: the house for itself, a newcomer in the role it takes, else a seat that is held."""
    match first.body:
        case Opened() | ChainAnchored():
            return _house(first)
        case SeatTaken(anchor=anchor) if anchor is not UNSET:
            return _house(first)
        case SeatTaken(role=role) if not isinstance(then, SeatTaken):
            return By(first.seat, role)
    return session.by(first.seat)


def _house(first: Fact) -> By:
    if first.seat != HOUSE:
        raise Fault(first.version, "E_ROLE", first.seat, HOUSE)
    return By(HOUSE, Role.HOUSE)


def _command(first: Fact, then: Message | None) -> Message:
    match first.body:
        case Opened(ruleset=ruleset, edition=edition, title=title, options=options, log_key=log_key):
            return Open(ruleset, edition, title, options, log_key)
        case SeatTaken(public_key=str(key), length=int(length), anchor=str(anchor), signature=str(signature)):
            return TakeHouse(key, length, anchor, signature)
        case SeatTaken(seat=heir) if isinstance(then, SeatTaken):
            return HandOver(heir)
        case SeatTaken(seat=seat, role=role):
            return TakeSeat(seat, role, then.name if isinstance(then, SeatNamed) else UNSET)
        case SeatLeft(seat=seat):
            return LeaveSeat(seat)
        case SeatNamed(seat=seat, name=name):
            return NameSeat(seat, name)
        case ChainAnchored(length=length, anchor=anchor, signature=signature):
            return AnchorChain(length, anchor, signature)
        case Rewound(to=to, reason=reason):
            return Rewind(to, reason)
        case Narrated(text=text, about=about):
            return Narrate(text, about)
        case Closed(carry=carry):
            return Close(carry=bool(carry))
    raise Fault(first.version, "E_OUTCOME", type(first.body).__name__, "the first event of a turn")


def _check_bounds(first: Fact, command: Message) -> None:
    """The command is one that could have been asked: an event's own shape has no bounds."""
    try:
        msgspec.convert(msgspec.to_builtins(command), type(command))
    except msgspec.ValidationError as wrong:
        found = f"{wrong}: {encode(command).decode()}"
        raise Fault(first.version, "E_FORMAT", found, "canonical JSON of an event within its bounds") from None
