"""Invitations: a code that lets its holder take a seat, or take over one that is held. For the GM to give."""

from __future__ import annotations

from flask import Response
from msgspec import UNSET

from domain.decider import Refused, Role
from domain.session.state import Session
from service import answers, sources
from service.access import Invitation
from service.http import auth
from service.http.answering import json
from service.http.asking import asked, key
from service.http.events import iso
from service.http.given import Inviting
from service.http.invited import Invitations, InvitationShown, Offer
from service.http.openapi import Blueprint
from service.http.problems import Problem

HOUR_MS = 3_600_000
SPENT = "No such invitation; or it is used up, expired or withdrawn."

blueprint = Blueprint("Invitations", __name__, description="How others come to the table.")


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/invitations",
    body=Inviting,
    gives=InvitationShown,
    status=201,
    keyed=True,
)
def invite(session: str, body: Inviting) -> Response:
    """Invite someone

    For the GM. The answer holds the code, this once.
    """
    return json(invited(session, body), 201)


def invited(session: str, body: Inviting) -> InvitationShown:
    """The invitation, made now or by this very request before, with its code. Raises Refused, KeyReused, Problem."""
    app, access = auth.edge().app, auth.edge().access
    seat, now = _gm(session)
    request = asked(seat)
    id, code = access.code(session, seat, key())
    if answers.stored_response(app.recorder, now, request) is None:
        _inviting(now, body)
        expires = sources.now_ms() + body.hours * HOUR_MS
        made = Invitation(id, session, Role(body.role), body.seat, body.uses, expires)
        if not access.invite(request, session, now.version, made, code):
            answers.stored_response(
                app.recorder, now, request
            )  # the key came twice at once: with another request it is no repeat
    found = access.issued(code)
    if found is None:
        raise Problem("not-found", SPENT)
    return _shown(found, code)


@blueprint.operation(
    "GET", "/v1/sessions/<session:session>/invitations", gives=Invitations, problems=["refused"]
)
def invitations(session: str) -> Response:
    """List invitations

    For the GM: those that can still be used. Codes are shown once only, when they are made.
    """
    _gm(session)
    return json(Invitations([_shown(found) for found in auth.edge().access.invitations(session)]))


@blueprint.operation(
    "DELETE",
    "/v1/sessions/<session:session>/invitations/<invitation:invitation>",
    gives=None,
    status=204,
    problems=["refused"],
)
def withdraw(session: str, invitation: str) -> Response:
    """Withdraw an invitation

    For the GM. Seats that were taken with it stay taken.
    """
    _gm(session)
    if not auth.edge().access.withdraw(session, invitation):
        raise Problem("not-found", SPENT)
    return Response(status=204)


@blueprint.operation("GET", "/v1/invitations/<code:code>", gives=Offer, token="none")
def offer(code: str) -> Response:
    """Read an invitation

    What a code is for. Reading does not use it.
    """
    found = auth.edge().access.invitation(code)
    if found is None:
        raise Problem("not-found", SPENT)
    frame = auth.edge().app.log.read(found.session).session.frame
    return json(Offer(found.session, frame.title, frame.ruleset, found.role, found.seat))


def _gm(session: str) -> tuple[str, Session]:
    """The token's seat and the session, where that seat is its GM's."""
    seat = auth.seated(session)
    now = auth.brought(session).session
    by = now.by(seat)
    if not by.is_gm:
        raise Refused("gm-only", role=by.role.value)
    return seat, now


def _inviting(session: Session, body: Inviting) -> None:
    """An invitation that nobody could ever take is refused at once."""
    if session.frame.closed:
        raise Refused("session-closed")
    held = session.frame.seats.get(body.seat) if body.seat is not UNSET else None
    if held is not None and held.role.value != body.role:
        raise Refused("role-differs", seat=str(body.seat), held=held.role.value, asked=body.role)


def _shown(found: Invitation, code: str | None = None) -> InvitationShown:
    return InvitationShown(
        found.id, found.role, found.uses, iso(found.expires), found.seat, code or UNSET
    )
