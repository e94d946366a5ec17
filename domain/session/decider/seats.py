"""Who sits where."""

from __future__ import annotations

from msgspec import UNSET

from domain.decider import By, Refused, Role
from domain.ruleset import Message
from domain.session.messages import (
    HandOver,
    LeaveSeat,
    NameSeat,
    SeatLeft,
    SeatNamed,
    SeatTaken,
    TakeSeat,
)
from domain.session.state import (
    HOUSE,
    Session,
)

MOST_SEATS = 64


def take_seat(session: Session, command: TakeSeat, by: By) -> tuple[Message, ...]:
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


def leave_seat(session: Session, command: LeaveSeat, by: By) -> tuple[Message, ...]:
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


def name_seat(session: Session, command: NameSeat, by: By) -> tuple[Message, ...]:
    if by.seat != command.seat and not by.is_gm:
        raise Refused("not-your-seat", seat=command.seat, by=by.seat)
    if command.seat == HOUSE:
        raise Refused("seat-reserved", seat=command.seat)
    if command.seat not in session.frame.seats:
        raise Refused("seat-unknown", seat=command.seat)
    return (SeatNamed(command.name, command.seat),)


def hand_over(session: Session, command: HandOver, by: By) -> tuple[Message, ...]:
    gm_only(by)
    heir = session.by(command.to)
    if heir.role is not Role.PLAYER:
        raise Refused("not-a-player", seat=command.to, role=heir.role.value)
    return (SeatTaken(Role.GM, command.to), SeatTaken(Role.PLAYER, by.seat))


def house_only(by: By) -> None:
    if by.role is not Role.HOUSE:
        raise Refused("seat-reserved", seat=HOUSE)


def gm_only(by: By) -> None:
    if not by.is_gm:
        raise Refused("gm-only", role=by.role.value)
