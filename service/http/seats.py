"""Seats: taking one with an invitation's code, naming it, handing over, leaving; the tokens that go with them."""

from __future__ import annotations

from flask import Response
from msgspec import UNSET

from domain.decider import Refused
from domain.session.messages import HandOver, LeaveSeat, NameSeat, TakeSeat
from domain.session.state import Session
from service import answers
from service.access import Invitation
from service.answers import Answer, Asked
from service.handle import handle
from service.http import auth
from service.http.answering import json, write
from service.http.asking import key, request_digest, sent_key
from service.http.blueprint import Blueprint
from service.http.given import Naming, Taking
from service.http.invitations import SPENT
from service.http.problems import Problem
from service.http.shown import Ticket, Turn
from service.notary import origin_of

blueprint = Blueprint("Seats", __name__, description="Who sits where, and by which token.")


@blueprint.operation(
    "POST", "/v1/seats", body=Taking, gives=Ticket, status=201, token="none", keyed=True, problems=["not-found"]
)
def take(body: Taking) -> Response:
    """Take a seat

    With an invitation's code; the answer holds the token, this once. A seat that is held changes hands: its old tokens
    die.
    """
    app, access = auth.edge().app, auth.edge().access
    found = access.issued(body.code)
    if found is None:
        raise Problem("not-found", SPENT)
    session = app.log.read(found.session).session
    seat = _seat(session, found, body)
    request = Asked(seat, key(), request_digest())
    token = access.token(found.session, seat, sent_key())
    if answers.told(app.recorder, session, request) is None:
        session = _take(session, found, body, request)
        access.write(access.revoke_seat(found.session, seat, but=token))
    access.write(access.grant(found.session, seat, token))
    frame = session.frame
    return json(
        Ticket(found.session, seat, found.role, token, session.version, frame.log_key, origin_of(frame)), 201,
        version=session.version,
    )  # fmt: skip


@blueprint.operation("DELETE", "/v1/sessions/<session:session>/seats/<seat:seat>", gives=Turn, keyed=True, matched=True)
def leave(session: str, seat: str) -> Response:
    """Leave a seat, or remove it

    Everyone their own, the GM any but their own. All tokens of the seat die.
    """
    access, mine = auth.edge().access, _leaving(session)
    response = write(session, mine, LeaveSeat(seat), 200)
    access.write(access.revoke_seat(session, seat))
    return response


@blueprint.operation(
    "POST", "/v1/sessions/<session:session>/seats/<seat:seat>/name", body=Naming, gives=Turn, status=201,
    keyed=True, matched=True,
)  # fmt: skip
def name(session: str, seat: str, body: Naming) -> Response:
    """Name a seat

    Everyone their own, the GM any.
    """
    return write(session, auth.seated(session), NameSeat(seat, body.name))


@blueprint.operation(
    "POST", "/v1/sessions/<session:session>/hand-over", body=HandOver, gives=Turn, status=201, keyed=True, matched=True
)
def hand_over(session: str, body: HandOver) -> Response:
    """Hand over the GM's role

    To a player who is there; the old GM plays on.
    """
    return write(session, auth.seated(session), body)


@blueprint.operation("DELETE", "/v1/sessions/<session:session>/tokens/current", gives=None, status=204)
def revoke(session: str) -> Response:
    """Revoke this token

    The seat stays held; the GM can invite to it anew.
    """
    auth.seated(session)
    access, token = auth.edge().access, auth.token()
    assert token is not None  # it has just opened the door
    access.write(access.revoke(token))
    return Response(status=204)


def _seat(session: Session, invitation: Invitation, body: Taking) -> str:
    """The seat to take: the invitation's, the taker's choice, the one answered before, or the next free one."""
    if invitation.seat is not UNSET:
        if body.seat not in (UNSET, invitation.seat):
            raise Refused("not-your-seat", seat=str(body.seat), by=invitation.seat)
        return invitation.seat
    if body.seat is not UNSET:
        return body.seat
    before = auth.edge().access.seat_answered(session.id, sent_key(), request_digest()) if sent_key() else None
    numbers = (f"{invitation.role.value}-{number}" for number in range(1, len(session.frame.seats) + 2))
    return before or next(seat for seat in numbers if seat not in session.frame.seats)


def _take(session: Session, invitation: Invitation, body: Taking, request: Asked) -> Session:
    """The session after one use of the invitation; a use that took no seat is given back."""
    access = auth.edge().access
    if not access.use(invitation.id):
        raise Problem("not-found", SPENT)
    try:
        answer = _sit(session, invitation, body, request)
    except BaseException:
        access.give_back(invitation.id)
        raise
    if answer.repeated:  # the same request came twice at once
        access.give_back(invitation.id)
    return answer.session


def _sit(session: Session, invitation: Invitation, body: Taking, request: Asked) -> Answer:
    """The seat taken, or, where it is held and the invitation names it, handed to a new holder."""
    app, held = auth.edge().app, session.frame.seats.get(request.seat)
    if held is None or not held.present or invitation.seat is UNSET:
        return handle(app, session.id, TakeSeat(request.seat, invitation.role, body.name), request)
    if held.role is not invitation.role:
        raise Refused("role-differs", seat=request.seat, held=held.role.value, asked=invitation.role.value)
    if body.name is not UNSET:
        return handle(app, session.id, NameSeat(request.seat, body.name), request)
    auth.edge().access.write(answers.row(session.id, request, session.version, session.version))
    return Answer(session, session.version, session.version, repeated=False)


def _leaving(session: str) -> str:
    """The seat that asks; a token that died by this very request may repeat it."""
    sent, access = auth.token(), auth.edge().access
    found = access.holder(sent) if sent and sent_key() else None
    if found is None or not found.revoked or found.session != session:
        return auth.seated(session)
    if access.seat_answered(session, sent_key(), request_digest()) == found.seat:
        return found.seat
    return auth.seated(session)
