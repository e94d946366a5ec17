"""The seats of a session in words: who sits there, how far they take part in draws, what the viewer may do to each."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from flask import url_for
from markupsafe import Markup
from msgspec import UNSET

from domain.decider import Refused, Role
from domain.ruleset import Message
from domain.session.contributions import takes_part
from domain.session.decider import decide
from domain.session.display_names import display_names, escape_forbidden
from domain.session.messages import LeaveSeat, NameSeat, SetPresence
from domain.session.state import HOUSE, Seat, Session
from service.http import auth
from service.web.saying import No, said

UNSIGNED = (
    "0" * 128
)  # stands for the signature that the browser makes, where only the rest is asked for


class May(NamedTuple):
    """Something that can be done to a seat: why not, where it cannot; whether the seat's key has to sign it."""

    no: No | None = None
    signed: bool = False


class Shown(NamedTuple):
    """A seat as the page shows it; `given` is its name without the seat's id, to be changed in a form."""

    seat: str
    name: str
    given: str
    role: str
    is_mine: bool
    is_there: bool
    is_away: bool
    stands: str
    part: str
    chain: str
    may: dict[str, May]


def seats(session: Session, mine: str) -> list[Shown]:
    """All of them, the viewer's own first, the house last."""
    shown = names(session)
    held = sorted(
        session.info.seats.items(),
        key=lambda row: (row[0] != mine, row[0] == HOUSE, not row[1].present),
    )
    return [_seat(session, seat, each, mine, shown[seat]) for seat, each in held]


def heirs(session: Session) -> dict[str, str]:
    """Who can be handed the GM's role, by seat, with names."""
    shown = names(session)
    return {
        seat: shown[seat]
        for seat, held in session.info.seats.items()
        if held.present and held.role is Role.PLAYER
    }


def names(session: Session) -> dict[str, str]:
    """What every seat is called: its name, or its id where it has none."""
    return {seat: seat for seat in session.info.seats} | display_names(session.info.seats)


def data(session: Session, mine: str) -> Markup:
    """The page's data block, as page.js has one: what the viewer's own seat needs in the browser."""
    info = session.info
    told = {
        "session": session.id,
        "path": url_for("Sessions.session", session=session.id),
        "version": session.version,
        "page": url_for("Session.session", session=session.id),
        "seat": mine or None,
        "role": info.seats[mine].role if mine else None,
        "draws": info.draws,
        "closed": info.closed,
        "names": {f"@{seat}": name for seat, name in names(session).items()},
    }
    return Markup(msgspec.json.encode(told).decode().replace("<", "\\u003c"))  # noqa: S704 JSON without "<"


def _seat(session: Session, seat: str, held: Seat, mine: str, name: str) -> Shown:
    return Shown(
        seat,
        name,
        seat if held.name is UNSET else escape_forbidden(held.name),
        held.role.value,
        seat == mine,
        held.present,
        held.away,
        _stands(seat, held),
        _part(session, seat, held),
        _chain(session, seat),
        _may(session, seat, held, mine),
    )


def _stands(seat: str, held: Seat) -> str:
    if seat == HOUSE:
        return "this server"
    if not held.present:
        return "free again: whoever sat here has left"
    return "away" if held.away else "here"


def _part(session: Session, seat: str, held: Seat) -> str:
    """How far the seat takes part in draws."""
    if session.info.draws != "table":
        return "draws every roll alone" if seat == HOUSE else "the house draws alone here"
    if seat == HOUSE:
        return "gives a link to every draw"
    if not held.present:
        return "gives nothing"
    if held.public_key is UNSET or seat not in session.chains:
        return "has no chain: it trusts the house with its part"
    if held.missed:
        return "was missed: a draw was given up for it"
    return "gives a link to every draw" if takes_part(held) else "draws go on without it"


def _chain(session: Session, seat: str) -> str:
    chain = session.chains.get(seat)
    if chain is None:
        return "none"
    return f"number {chain.number}, {chain.position} of {chain.length} links used"


def _may(session: Session, seat: str, held: Seat, mine: str) -> dict[str, May]:
    """What the viewer may do to the seat, by the rules themselves, a draw that waits apart: it is over in seconds."""
    if not mine or seat == HOUSE:
        return {}
    signs = seat == mine and held.public_key is not UNSET
    signature = UNSIGNED if signs else UNSET
    still = msgspec.structs.replace(session, pending=None)
    acts: dict[str, Message] = {
        "name": NameSeat(seat, "x"),
        "away": SetPresence(seat, False, signature),
        "back": SetPresence(seat, True, signature),
        "leave": LeaveSeat(seat, signature),
    }
    return {
        what: May(_no(still, act, mine), signs and what != "name") for what, act in acts.items()
    }


def _no(session: Session, act: Message, mine: str) -> No | None:
    try:
        decide(session, act, session.by(mine), auth.services().app.log.history(session.id))
    except Refused as no:
        return said(no)
    return None
