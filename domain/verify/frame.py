"""The frame's turns again: each command rebuilt from the events that answered it, and decided anew."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from domain.codec import check_bounds, encode
from domain.decider import By, Refused, Role
from domain.fact import Fact
from domain.ruleset import Message, Option
from domain.session.decider import decide, turn_of
from domain.session.messages import (
    AnchorChain,
    Anchored,
    BringChain,
    ChainAnchored,
    Close,
    Closed,
    Declared,
    Fork,
    Forked,
    HandOver,
    Inherited,
    Kept,
    LeaveSeat,
    NameSeat,
    Narrate,
    Narrated,
    Open,
    Opened,
    OpenSeal,
    PresenceSet,
    Redact,
    Redacted,
    Rewind,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatNamed,
    SeatTaken,
    SetPresence,
    TakeHouse,
    TakeSeat,
)
from domain.session.sights import FRAME_EVENT_TYPES
from domain.session.state import HOUSE, History, Session
from domain.verify.leaves import Line
from domain.verify.report import Fault

OF_THE_TABLE = {"take-back-settled", "fork-of-a-secret"}
"""Refusals that ask what the table holds, when all else was allowed."""

Written = tuple[tuple[str, Message], ...]
"""What a turn must have left behind: seat and event, in order."""


def is_frame(first: Line) -> bool:
    """Whether a turn that begins so is the frame's own."""
    return (
        isinstance(first, Fact)
        and type(first.body) in FRAME_EVENT_TYPES
        and type(first.body) is not Declared
    )


def decided(session: Session, turn: Sequence[Line], past: History, behind: bool) -> Written:
    """The whole of a frame's turn, as it had to be written. Raises Refused.

    `behind`: the table that it looks at is not known, so that what the turn says of it is taken as said.
    """
    first = turn[0]
    assert isinstance(first, Fact)
    then = turn[1].body if len(turn) > 1 and isinstance(turn[1], Fact) else None
    if isinstance(first.body, Opened) and (first.body.parent is UNSET) is not (len(turn) == 1):
        raise Fault(
            2, "E_OUTCOME", f"{len(turn)} events", "session.Inherited where there is a parent"
        )
    by = _by(session, first, then)
    command = _command(session, first, then)
    _check_bounds(first, command)
    if isinstance(command, Close) and behind:
        (closed,) = decide(session, Close(carry=False), by, past)
        assert isinstance(closed, Closed)
        return ((by.seat, replace(closed, carry=_carried(first))),)
    try:
        return tuple((by.seat, event) for event in decide(session, command, by, past))
    except Refused as refused:
        if behind and refused.rule in OF_THE_TABLE:
            return ((by.seat, first.body),)
        raise


def _carried(first: Fact) -> dict[str, Option]:
    assert isinstance(first.body, Closed)
    return first.body.carry


def _by(session: Session, first: Fact, then: Message | None) -> By:
    """Who must have asked: the house for itself, a newcomer in the role it takes, else a seat that is held."""
    match first.body:
        case Opened():
            return _house(first)
        case Redacted() if first.seat == HOUSE:
            return _house(first)
        case ChainAnchored(seat=seat) | SeatTaken(seat=seat) | PresenceSet(seat=seat) if HOUSE in (
            seat,
            first.seat,
        ):
            return _house(first)
        case SeatTaken(role=role) if not (
            isinstance(then, SeatTaken) or _sits(session, first.seat)
        ):
            return By(first.seat, role)
    return session.by(first.seat)


def _house(first: Fact) -> By:
    if first.seat != HOUSE:
        raise Fault(first.version, "E_ROLE", first.seat, HOUSE)
    return By(HOUSE, Role.HOUSE)


def _sits(session: Session, seat: str) -> bool:
    held = session.frame.seats.get(seat)
    return held is not None and held.present


def _command(session: Session, first: Fact, then: Message | None) -> Message:
    match first.body:
        case Opened(
            ruleset=ruleset,
            edition=edition,
            title=title,
            options=options,
            log_key=log_key,
            parent=parent,
            draws=draws,
        ):
            table, audience = (
                (then.table, then.audience) if isinstance(then, Inherited) else (UNSET, UNSET)
            )
            return Open(ruleset, edition, title, options, log_key, parent, table, audience, draws)
        case SeatTaken():
            return _taking(session, first.body, then)
        case SeatLeft(seat=seat, signature=signed):
            return LeaveSeat(seat, signed)
        case PresenceSet(seat=seat, present=present, signature=signed):
            return SetPresence(seat, present, signed)
        case SeatNamed(seat=seat, name=name):
            return NameSeat(seat, name)
        case ChainAnchored(
            length=length, anchor=anchor, signature=signature, previous_link=previous
        ):
            return AnchorChain(length, anchor, signature, previous)
        case Rewound(to=to, reason=reason):
            return Rewind(to, reason)
        case Narrated(text=text, about=about, audience=audience):
            return Narrate(text, about, audience)
        case Redacted(of=of, reason=reason):
            return Redact(of, reason)
        case SealOpened():
            return _opening(session, first.body)
        case Forked(child=child, version=version):
            return Fork(child, version)
        case Closed(carry=carry):
            return Close(carry=bool(carry))
    raise Fault(first.version, "E_OUTCOME", type(first.body).__name__, "the first event of a turn")


def _taking(session: Session, taken: SeatTaken, then: Message | None) -> Message:
    """What a seat's event answered: the house's, a hand-over, a chain brought to a held seat, or a newcomer's."""
    chain: Anchored | UnsetType = UNSET
    match taken:
        case SeatTaken(
            public_key=str(key), length=int(length), anchor=str(anchor), signature=str(signature)
        ):
            if taken.seat == HOUSE:
                return TakeHouse(key, length, anchor, signature)
            chain = Anchored(key, length, anchor, signature)
    if chain is UNSET and isinstance(then, SeatTaken):
        return HandOver(taken.seat)
    if chain is not UNSET and _sits(session, taken.seat):
        return BringChain(chain)
    return TakeSeat(
        taken.seat, taken.role, then.name if isinstance(then, SeatNamed) else UNSET, chain
    )


def _opening(session: Session, opened: SealOpened) -> Message:
    """The turn that is opened, with what rung 3 has held against its commitments."""
    turn = turn_of(session.secrets, opened) or 0
    if opened.k is UNSET:
        return OpenSeal(turn)
    return OpenSeal(
        turn,
        Kept(str(opened.blind), Raw(opened.command or b""), str(opened.salt), opened.values or ()),
    )


def _check_bounds(first: Fact, command: Message) -> None:
    """The command is one that could have been asked: an event's own shape has no bounds."""
    try:
        check_bounds(command)
    except msgspec.ValidationError as wrong:
        found = f"{wrong}: {encode(command).decode()}"
        raise Fault(
            first.version, "E_FORMAT", found, "canonical JSON of an event within its bounds"
        ) from None
