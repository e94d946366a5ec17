"""Decisions about seats: who holds one, with which chain, and whether it takes part in draws."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused, Role
from domain.ruleset import Message
from domain.session.messages import (
    AnchorChain,
    Anchored,
    BringChain,
    ChainAnchored,
    HandOver,
    LeaveSeat,
    NameSeat,
    PresenceSet,
    SeatLeft,
    SeatNamed,
    SeatTaken,
    SetPresence,
    TakeHouse,
    TakeSeat,
)
from domain.session.state import (
    HOUSE,
    Seat,
    Session,
)

MOST_SEATS = 64


def take_house(command: TakeHouse, by: By) -> tuple[Message, ...]:
    house_only(by)
    return (
        SeatTaken(
            Role.HOUSE,
            HOUSE,
            command.anchor,
            0,
            command.length,
            command.public_key,
            command.signature,
        ),
    )


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
        raise Refused(
            "role-differs", seat=command.seat, held=held.role.value, asked=command.role.value
        )
    if held is None and len(seats) >= MOST_SEATS:
        raise Refused("too-many-seats", most=MOST_SEATS)
    if command.role is Role.GM and any(seat.role is Role.GM for seat in seats.values()):
        raise Refused("one-gm")
    if held is not None and held.public_key is not UNSET and command.chain is UNSET:
        raise Refused("chain-needed", seat=command.seat)
    taken = _taken(session, command.seat, command.role, command.chain)
    return (taken,) if command.name is UNSET else (taken, SeatNamed(command.name, command.seat))


def bring_chain(session: Session, command: BringChain, by: By) -> tuple[Message, ...]:
    if by.role is Role.HOUSE:
        raise Refused("seat-reserved", seat=by.seat)
    if session.frame.seats[by.seat].public_key is not UNSET:
        raise Refused("chain-there", seat=by.seat)
    return (_taken(session, by.seat, by.role, command.chain),)


def anchor_chain(session: Session, command: AnchorChain, by: By) -> tuple[Message, ...]:
    held = session.chains.get(by.seat)
    if held is None:
        raise Refused("no-chain", seat=by.seat)
    _check_new(session, command.anchor)
    return (
        ChainAnchored(
            command.anchor,
            held.number + 1,
            command.length,
            by.seat,
            command.signature,
            command.previous_link,
        ),
    )


def leave_seat(session: Session, command: LeaveSeat, by: By) -> tuple[Message, ...]:
    held = _sitting(session, command.seat)
    if by.seat != command.seat and not by.is_gm:
        raise Refused("not-your-seat", seat=command.seat, by=by.seat)
    if held.role is Role.GM:
        raise Refused("gm-stays", seat=command.seat)
    _check_word(held, command.seat, by, command.signature)
    return (SeatLeft(held.nth + 1, command.seat, command.signature),)


def set_presence(session: Session, command: SetPresence, by: By) -> tuple[Message, ...]:
    held = _sitting(session, command.seat)
    if by.seat != command.seat and (command.present or by.role not in (Role.GM, Role.HOUSE)):
        raise Refused("not-your-seat", seat=command.seat, by=by.seat)
    if held.away is not command.present:
        raise Refused("presence-unchanged", seat=command.seat, present=command.present)
    _check_word(held, command.seat, by, command.signature)
    return (PresenceSet(held.nth + 1, command.present, command.seat, command.signature),)


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


def _taken(session: Session, seat: str, role: Role, chain: Anchored | UnsetType) -> SeatTaken:
    """The seat's event, with the next number of its chains where it brings one.

    A seat's key never changes.
    """
    if chain is UNSET:
        return SeatTaken(role, seat)
    seats, old = session.frame.seats, session.chains.get(seat)
    key = seats[seat].public_key if seat in seats else UNSET
    others = (held.public_key for other, held in seats.items() if other != seat)
    if chain.public_key in others or key not in (UNSET, chain.public_key):
        raise Refused("key-differs" if key is not UNSET else "key-taken", seat=seat)
    _check_new(session, chain.anchor)
    number = 0 if old is None else old.number + 1
    return SeatTaken(
        role, seat, chain.anchor, number, chain.length, chain.public_key, chain.signature
    )


def _check_new(session: Session, anchor: str) -> None:
    if anchor in session.frame.anchors:
        raise Refused("anchor-used", anchor=anchor)


def _sitting(session: Session, seat: str) -> Seat:
    held = session.frame.seats.get(seat)
    if held is None or not held.present:
        raise Refused("seat-unknown", seat=seat)
    if held.role is Role.HOUSE:
        raise Refused("seat-reserved", seat=seat)
    return held


def _check_word(held: Seat, seat: str, by: By, signature: str | UnsetType) -> None:
    """A seat with a chain goes by its own signature, or at another's word once a void has named it."""
    if by.seat == seat:
        if (held.public_key is UNSET) is not (signature is UNSET):
            raise Refused("signature-needed" if signature is UNSET else "no-chain", seat=seat)
    elif signature is not UNSET:
        raise Refused("not-your-seat", seat=seat, by=by.seat)
    elif held.public_key is not UNSET and not held.missed:
        raise Refused("not-missed", seat=seat)
