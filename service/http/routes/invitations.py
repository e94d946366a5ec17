"""Invitation routes: create, list, read and withdraw invitations to take a seat."""

from __future__ import annotations

from flask import Response
from msgspec import UNSET, UnsetType

from domain.decider import Refused, Role
from domain.session.state import Session
from service.http import auth, models
from service.http.errors import ProblemError
from service.http.openapi import Blueprint
from service.http.presenters import iso_time
from service.http.request_headers import idempotency_key, request_identity
from service.http.responses import json_response
from service.platform import clock
from service.sessions import idempotency
from service.sessions.access import Invitation

blueprint = Blueprint(
    "Invitations",
    __name__,
    description="Create, read and withdraw invitations to take a seat.",
)


class InvitationView(models.ResponseModel, frozen=True):
    id: str
    role: Role
    uses: int
    expires: str
    seat: str | UnsetType = UNSET
    code: str | UnsetType = UNSET


class InvitationList(models.ResponseModel, frozen=True):
    invitations: list[InvitationView]


class Offer(models.ResponseModel, frozen=True):
    """The session, role and optional seat that an invitation offers."""

    session: str
    title: str
    ruleset: str
    role: Role
    seat: str | UnsetType = UNSET


HOUR_MS = 3_600_000
SPENT = (
    "The invitation is not valid: it does not exist, or it has expired, been used up or been"
    " withdrawn."
)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/invitations",
    body=models.InviteRequest,
    returns=InvitationView,
    status=201,
    keyed=True,
)
def invite(session: str, body: models.InviteRequest) -> Response:
    """Create an invitation.

    Only the GM may do this. The response contains the code, which is not shown again.
    """
    return json_response(create_invitation(session, body), 201)


def create_invitation(session: str, body: models.InviteRequest) -> InvitationView:
    """Create an invitation and return it with its code.

    A repeated request gets the invitation that the first request created. Raises Refused,
    KeyReusedError or ProblemError.
    """
    app, access = auth.services().app, auth.services().access
    seat, now = _require_gm(session)
    request = request_identity(seat)
    number, code = access.code(session, seat, idempotency_key())
    if idempotency.stored_response(app.recorder, now, request) is None:
        _check_invitation(now, body)
        expires = clock.now_ms() + body.hours * HOUR_MS
        made = Invitation(number, session, Role(body.role), body.seat, body.uses, expires)
        if not access.invite(request, session, now.version, made, code):
            # A concurrent request used the key. This raises an error if that request was different.
            idempotency.stored_response(app.recorder, now, request)
    found = access.find_invitation(code)
    if found is None:
        raise ProblemError("not-found", SPENT)
    return _to_response(found, code)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/invitations",
    returns=InvitationList,
    problems=["refused"],
)
def invitations(session: str) -> Response:
    """List the invitations.

    Only the GM may read this list. It contains the invitations that can still be used, without
    their codes.
    """
    _require_gm(session)
    return json_response(
        InvitationList(
            [_to_response(found) for found in auth.services().access.invitations(session)]
        )
    )


@blueprint.operation(
    "DELETE",
    "/v1/sessions/<session:session>/invitations/<invitation:invitation>",
    returns=None,
    status=204,
    problems=["refused"],
)
def withdraw(session: str, invitation: str) -> Response:
    """Withdraw an invitation.

    Only the GM may do this. Seats that were already taken with the invitation stay taken.
    """
    _require_gm(session)
    if not auth.services().access.withdraw(session, invitation):
        raise ProblemError("not-found", SPENT)
    return Response(status=204)


@blueprint.operation("GET", "/v1/invitations/<code:code>", returns=Offer, token="none")
def offer(code: str) -> Response:
    """Read an invitation.

    The response shows the session, the role and the seat that the invitation is for. Reading an
    invitation does not use it up.
    """
    found = auth.services().access.invitation(code)
    if found is None:
        raise ProblemError("not-found", SPENT)
    info = auth.services().app.log.read(found.session).session.info
    return json_response(Offer(found.session, info.title, info.ruleset, found.role, found.seat))


def _require_gm(session: str) -> tuple[str, Session]:
    """Return the token's seat and the session.

    Raises Refused if the seat is not the GM's.
    """
    seat = auth.require_seat(session)
    now = auth.current_head(session).session
    by = now.by(seat)
    if not by.is_gm:
        raise Refused("gm-only", role=by.role.value)
    return seat, now


def _check_invitation(session: Session, body: models.InviteRequest) -> None:
    """Raise Refused if the invitation could never be used."""
    if session.info.closed:
        raise Refused("session-closed")
    held = session.info.seats.get(body.seat) if body.seat is not UNSET else None
    if held is not None and held.role.value != body.role:
        raise Refused("role-differs", seat=str(body.seat), held=held.role.value, asked=body.role)


def _to_response(found: Invitation, code: str | None = None) -> InvitationView:
    return InvitationView(
        found.id, found.role, found.uses, iso_time(found.expires), found.seat, code or UNSET
    )
