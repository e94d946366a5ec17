"""The rules of the frame (RULES.md beside this file): who sits where, and which past the table shows."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import By, Refused, Role
from domain.ruleset import Message, Option, Room
from domain.rulesets import ROOMS
from domain.session.messages import EVENTS as FRAME_EVENTS
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
)
from domain.session.state import HOUSE, Chain, Frame, FrameOptions, Past, Seat, Session

MOST_SEATS = 64
FRAME_EVENT_TYPES = frozenset(FRAME_EVENTS)
_FRAME_NAMES = frozenset(FrameOptions.__struct_fields__)


def all_options(room: Room, given: Mapping[str, Option]) -> dict[str, Option]:
    """The flat map with every option said. Raises msgspec.ValidationError on what neither room nor frame knows."""
    frame = msgspec.convert({name: value for name, value in given.items() if name in _FRAME_NAMES}, FrameOptions)
    return {**msgspec.to_builtins(frame), **msgspec.to_builtins(room_options(room, given))}


def room_options(room: Room, options: Mapping[str, Option]) -> object:
    """The room's own part of the flat map."""
    return msgspec.convert({name: value for name, value in options.items() if name not in _FRAME_NAMES}, room.options)


def decide(session: Session, command: Message, by: By, past: Past) -> tuple[Message, ...]:
    """The events of a frame command (a room's wish: draws.py). Raises Refused."""
    if session.frame.closed and not isinstance(command, Narrate):
        raise Refused("session-closed")
    match command:
        case Open():
            return _open(session, command)
        case TakeHouse():
            _house_only(by)
            return (
                SeatTaken(Role.HOUSE, HOUSE, command.anchor, 0, command.length, command.public_key, command.signature),
            )
        case AnchorChain():
            _house_only(by)
            chain = session.chain.number + 1
            return (ChainAnchored(command.anchor, chain, command.length, HOUSE, command.signature),)
        case TakeSeat():
            return _take_seat(session, command, by)
        case LeaveSeat():
            return _leave_seat(session, command, by)
        case NameSeat():
            return _name_seat(session, command, by)
        case HandOver():
            return _hand_over(session, command, by)
        case Rewind():
            return _rewind(session, command, by, past)
        case Narrate():
            return _narrate(session, command, by)
        case Close():
            return _close(session, command, by)
    raise TypeError(command)


def _open(session: Session, command: Open) -> tuple[Message, ...]:
    if session.version:
        raise Refused("already-open")
    room = ROOMS.get((command.ruleset, command.edition))
    if room is None:
        raise Refused("ruleset-unknown", ruleset=command.ruleset, edition=command.edition)
    options = all_options(room, command.options)
    return (Opened("house", command.edition, command.log_key, options, command.ruleset, command.title),)


def _take_seat(session: Session, command: TakeSeat, by: By) -> tuple[Message, ...]:
    seats = session.frame.seats
    held = seats.get(command.seat)
    if command.seat == HOUSE or command.role is Role.HOUSE:
        raise Refused("seat-reserved", seat=command.seat)
    if by.seat != command.seat:
        raise Refused("not-your-seat", seat=command.seat, by=by.seat)
    if held is not None and held.present:
        raise Refused("seat-held", seat=command.seat)
    if held is not None and held.role is not command.role:
        raise Refused("role-differs", seat=command.seat, held=held.role.value, asked=command.role.value)
    if held is None and len(seats) >= MOST_SEATS:
        raise Refused("too-many-seats", most=MOST_SEATS)
    if command.role is Role.GM and any(seat.role is Role.GM for seat in seats.values()):
        raise Refused("one-gm")
    taken = SeatTaken(command.role, command.seat)
    return (taken,) if command.name is UNSET else (taken, SeatNamed(command.name, command.seat))


def _leave_seat(session: Session, command: LeaveSeat, by: By) -> tuple[Message, ...]:
    held = session.frame.seats.get(command.seat)
    if held is None or not held.present:
        raise Refused("seat-unknown", seat=command.seat)
    if by.seat != command.seat and not by.is_gm:
        raise Refused("not-your-seat", seat=command.seat, by=by.seat)
    if held.role is Role.GM:
        raise Refused("gm-stays", seat=command.seat)
    if held.role is Role.HOUSE:
        raise Refused("seat-reserved", seat=command.seat)
    return (SeatLeft(held.nth + 1, command.seat),)


def _name_seat(session: Session, command: NameSeat, by: By) -> tuple[Message, ...]:
    if by.seat != command.seat and not by.is_gm:
        raise Refused("not-your-seat", seat=command.seat, by=by.seat)
    if command.seat == HOUSE:
        raise Refused("seat-reserved", seat=command.seat)
    if command.seat not in session.frame.seats:
        raise Refused("seat-unknown", seat=command.seat)
    return (SeatNamed(command.name, command.seat),)


def _hand_over(session: Session, command: HandOver, by: By) -> tuple[Message, ...]:
    _gm_only(by)
    heir = session.by(command.to)
    if heir.role is not Role.PLAYER:
        raise Refused("not-a-player", seat=command.to, role=heir.role.value)
    return (SeatTaken(Role.GM, command.to), SeatTaken(Role.PLAYER, by.seat))


def _rewind(session: Session, command: Rewind, by: By, past: Past) -> tuple[Message, ...]:
    _gm_only(by)
    if command.to == session.version:
        raise Refused("rewind-to-present", to=command.to)
    if command.to > session.version:
        raise Refused("rewind-beyond-end", to=command.to, version=session.version)
    if past(command.to).turn == past(command.to + 1).turn:
        raise Refused("rewind-inside-turn", to=command.to, turn=past(command.to).turn)
    return (Rewound(command.reason, command.to),)


def _narrate(session: Session, command: Narrate, by: By) -> tuple[Message, ...]:
    if by.role is Role.AUDITOR:
        raise Refused("role-may-not", role=by.role.value)
    if command.about is not UNSET and command.about > session.version:
        raise Refused("about-nowhere", about=command.about, version=session.version)
    return (Narrated(command.text, command.about),)


def _close(session: Session, command: Close, by: By) -> tuple[Message, ...]:
    _gm_only(by)
    return (Closed(dict(session.room.carry(session.table)) if command.carry else {}, {}),)


def _house_only(by: By) -> None:
    if by.role is not Role.HOUSE:
        raise Refused("seat-reserved", seat=HOUSE)


def _gm_only(by: By) -> None:
    if not by.is_gm:
        raise Refused("gm-only", role=by.role.value)


def evolve(session: Session, turn: int, event: Message, past: Past) -> Session:
    """The session after one more event of that turn. A rewind takes its table from `past`."""
    if type(event) not in FRAME_EVENT_TYPES:
        table = session.room.decider.evolve(session.table, event)
        return _next(session, turn, table=table)
    match event:
        case Declared(draw=draw) if draw is not UNSET:
            position = next(position for seat, _, position in draw.contributors if seat == HOUSE)
            return _next(session, turn, k=draw.k + 1, chain=replace(session.chain, position=position))
        case Rewound(to=to):
            return _next(session, turn, table=past(to).table)
        case Opened():
            room = ROOMS[event.ruleset, event.edition]
            frame = Frame(event.ruleset, event.edition, event.title, event.options, event.log_key, {}, closed=False)
            return _next(session, turn, frame=frame, table=room.decider.initial(room_options(room, event.options)))
        case ChainAnchored(chain=number, length=length):
            return _next(session, turn, chain=Chain(number, length, 0))
        case SeatTaken(chain=number, length=length) if number is not UNSET and length is not UNSET:
            return _next(session, turn, chain=Chain(number, length, 0), frame=_frame(session.frame, event))
    return _next(session, turn, frame=_frame(session.frame, event))


def _frame(frame: Frame, event: Message) -> Frame:
    match event:
        case SeatTaken(seat=seat, role=role):
            held = frame.seats.get(seat, Seat(role, present=True))
            return _seat(frame, seat, replace(held, role=role, present=True, public_key=event.public_key))
        case SeatLeft(seat=seat, nth=nth):
            return _seat(frame, seat, replace(frame.seats[seat], present=False, nth=nth))
        case SeatNamed(seat=seat, name=name):
            return _seat(frame, seat, replace(frame.seats[seat], name=name))
        case Closed():
            return replace(frame, closed=True)
    return frame


def _seat(frame: Frame, seat: str, held: Seat) -> Frame:
    return replace(frame, seats=frame.seats | {seat: held})


def _next(
    session: Session, turn: int, *, k: int | None = None, chain: Chain | None = None,
    frame: Frame | None = None, table: object = None,
) -> Session:  # fmt: skip
    return Session(
        session.id,
        session.version + 1,
        max(turn, session.turn),
        session.k if k is None else k,
        chain or session.chain,
        frame or session.frame,
        session.table if table is None else table,
    )
