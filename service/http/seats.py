"""Seats: taking one with an invitation's code, naming it, handing over, leaving; the tokens that go with them."""

from __future__ import annotations

import msgspec
from flask import Response
from msgspec import UNSET

from domain.decider import Refused
from domain.session.messages import BringChain, HandOver, LeaveSeat, NameSeat, TakeSeat
from domain.session.state import Session
from service import answers
from service.access import Invitation
from service.answers import Answer, Asked
from service.bootstrap import App
from service.gamelog import Conflict
from service.handle import handle
from service.http import auth
from service.http.answering import json, write
from service.http.asking import asked, key
from service.http.given import Leaving, Naming, Taking
from service.http.invitations import SPENT
from service.http.openapi import Blueprint
from service.http.problems import Problem
from service.http.shown import Ticket, Turn
from service.notary import origin_of
from service.taking import session_lock

blueprint = Blueprint("Seats", __name__, description="Who sits where, and by which token.")


@blueprint.operation(
    "POST",
    "/v1/seats",
    body=Taking,
    gives=Ticket,
    status=201,
    token="none",
    keyed=True,
    problems=["not-found"],
)
def take(body: Taking) -> Response:
    """Take a seat

    With an invitation's code; the answer holds the token, this once. A seat that is held changes hands: its old tokens
    die. A seat that has a key comes back with its next chain.
    """
    ticket, head = taken(body)
    return json(ticket, 201, version=head)


def taken(body: Taking) -> tuple[Ticket, int]:
    """The seat that an invitation gives, and the session's version now. Raises Refused, KeyReused, Problem."""
    app, access = auth.edge().app, auth.edge().access
    found = access.issued(body.code)
    if found is None:
        raise Problem("not-found", SPENT)
    answer = _answered(found, body)
    session, frame = answer.session, answer.session.frame
    token = access.token(session.id, _under(found), key())
    ticket = Ticket(
        session.id,
        _seat_of(app, found, answer),
        found.role,
        token,
        answer.last,
        frame.log_key,
        origin_of(frame),
    )
    return ticket, session.version


@blueprint.operation(
    "DELETE",
    "/v1/sessions/<session:session>/seats/<seat:seat>",
    query=Leaving,
    gives=Turn,
    keyed=True,
    matched=True,
)
def leave(session: str, seat: str, query: Leaving) -> Response:
    """Leave a seat, or remove it

    Everyone their own, one with a chain by its signature; the GM any but their own, one with a chain once a void has
    named it. All tokens of the seat die.
    """
    mine = still_seated(session)
    return write(
        session,
        mine,
        LeaveSeat(seat, query.signature),
        200,
        [auth.edge().access.revoke_seat(session, seat)],
    )


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/seats/<seat:seat>/name",
    body=Naming,
    gives=Turn,
    status=201,
    keyed=True,
    matched=True,
)
def name(session: str, seat: str, body: Naming) -> Response:
    """Name a seat

    Everyone their own, the GM any.
    """
    return write(session, auth.seated(session), NameSeat(seat, body.name))


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/hand-over",
    body=HandOver,
    gives=Turn,
    status=201,
    keyed=True,
    matched=True,
)
def hand_over(session: str, body: HandOver) -> Response:
    """Hand over the GM's role

    To a player who is there; the old GM plays on.
    """
    return write(session, auth.seated(session), body)


@blueprint.operation(
    "DELETE", "/v1/sessions/<session:session>/tokens/current", gives=None, status=204
)
def revoke(session: str) -> Response:
    """Revoke this token

    The seat stays held; the GM can invite to it anew.
    """
    auth.seated(session)
    access, token = auth.edge().access, auth.token()
    assert token is not None  # it has just opened the door
    access.write(access.revoke(token))
    return Response(status=204)


def _under(invitation: Invitation) -> str:
    """Whom the answer to a taking is kept under: no seat, which the body may choose."""
    return f"take:{invitation.id}"


def _answered(invitation: Invitation, body: Taking) -> Answer:
    """The seat taken, now or by this very request before. What an invitation is spent for is not there."""
    app, request = auth.edge().app, asked("", _under(invitation))
    with session_lock(invitation.session):  # so that nobody takes the seat that is chosen meanwhile
        session = app.log.read(invitation.session).session
        if answer := answers.stored_response(app.recorder, session, request):
            return answer
        try:
            return _sit(session, invitation, body, request)
        except (Refused, Conflict):
            if auth.edge().access.invitation(body.code) is None:
                raise Problem("not-found", SPENT) from None
            raise


def _sit(session: Session, invitation: Invitation, body: Taking, request: Asked) -> Answer:
    """The seat taken, or, where it is held and the invitation names it, handed to a new holder."""
    app, access, seat = auth.edge().app, auth.edge().access, _seat(session, invitation, body)
    side_rows = access.seating(invitation, seat, access.token(session.id, request.under, key()))
    request, held = msgspec.structs.replace(request, seat=seat), session.frame.seats.get(seat)
    if held is None or not held.present or invitation.seat is UNSET:
        taking = TakeSeat(seat, invitation.role, body.name, body.chain)
        return handle(app, session.id, taking, request, side_rows=side_rows)
    if held.role is not invitation.role:
        raise Refused("role-differs", seat=seat, held=held.role.value, asked=invitation.role.value)
    if body.chain is not UNSET:
        return handle(app, session.id, _bringing(seat, body), request, side_rows=side_rows)
    if body.name is not UNSET:
        return handle(app, session.id, NameSeat(seat, body.name), request, side_rows=side_rows)
    if access.write(answers.row(session.id, request, session.version, session.version), *side_rows):
        return Answer(session, session.version, session.version, repeated=False)
    answer = answers.stored_response(app.recorder, session, request)
    if answer is None:
        raise Conflict(session.version)
    return answer


def _bringing(seat: str, body: Taking) -> BringChain:
    """The chain that the new holder of a held seat brings. Raises Refused."""
    assert body.chain is not UNSET
    if body.name is not UNSET:
        raise Refused("named-afterwards", seat=seat)
    return BringChain(body.chain)


def _seat(session: Session, invitation: Invitation, body: Taking) -> str:
    """The seat to take: the invitation's, the taker's choice, or the next free one."""
    if invitation.seat is not UNSET:
        if body.seat not in (UNSET, invitation.seat):
            raise Refused("not-your-seat", seat=str(body.seat), by=invitation.seat)
        return invitation.seat
    if body.seat is not UNSET:
        return body.seat
    numbers = (
        f"{invitation.role.value}-{number}" for number in range(1, len(session.frame.seats) + 2)
    )
    return next(seat for seat in numbers if seat not in session.frame.seats)


def _seat_of(app: App, invitation: Invitation, answer: Answer) -> str:
    """The seat that was taken: the invitation's, or that of the event."""
    if invitation.seat is not UNSET:
        return invitation.seat
    return app.log.facts(answer.session.id, answer.last - 1, answer.last)[0].seat


def still_seated(session: str) -> str:
    """The seat that asks; a token that died by this very request may repeat it."""
    try:
        return auth.seated(session)
    except Problem:
        sent, edge = auth.token(), auth.edge()
        found = edge.access.holder(sent) if sent is not None else None
        if found is None or found.session != session:
            raise
        if not answers.repeats(edge.app.recorder, session, asked(found.seat)):
            raise
        return found.seat
