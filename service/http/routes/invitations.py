"""Invitation routes: create, list, read and withdraw invitations to take a seat."""

from __future__ import annotations

from typing import Annotated

from flask import Response
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain.decider import Refused, Role
from domain.session.messages import Draws, Opened
from domain.session.state import Session
from domain.visibility import PUBLIC_VIEWER, visible_session
from service.http import auth, models
from service.http.errors import ProblemError
from service.http.openapi import Blueprint
from service.http.presenters import iso_time
from service.http.request_headers import idempotency_key, note_replay, request_identity
from service.http.responses import json_response
from service.http.routes.sessions import seats_of
from service.platform import clock
from service.sessions import idempotency, seat_colours
from service.sessions.access import Invitation
from service.sessions.app import App
from service.store.errors import UnknownSessionError

blueprint = Blueprint("Invitations", __name__, tag="Seats")


OfferedRole = Annotated[Role, Meta(description="the role of the seat that the invitation offers")]
OfferedSeat = Annotated[
    str,
    Meta(
        description="the id of the seat that the invitation is for; "
        "absent if it is for no particular seat"
    ),
]


class InvitationView(models.ResponseModel, frozen=True):
    """An invitation to take a seat."""

    id: Annotated[str, Meta(description="the invitation's id, 8 bytes in hex")]
    role: OfferedRole
    remaining_uses: Annotated[
        int, Meta(description="the number of seats that can still be taken with the invitation")
    ]
    expires_at: Annotated[
        str, Meta(description="the time when the invitation expires (ISO 8601, UTC)")
    ]
    seat: OfferedSeat | UnsetType = UNSET
    code: (
        Annotated[
            str,
            Meta(
                description="the secret code with which a seat is taken; "
                "present only when the invitation is created"
            ),
        ]
        | UnsetType
    ) = UNSET
    url: (
        Annotated[
            str,
            Meta(
                description="the URL of the page where a person can use the invitation; "
                "present only when the invitation is created"
            ),
        ]
        | UnsetType
    ) = UNSET


class InvitationList(models.ResponseModel, frozen=True):
    invitations: Annotated[
        list[InvitationView],
        Meta(description="the invitations that can still be used, oldest first"),
    ]


class Offer(models.ResponseModel, frozen=True):
    """The session, role and optional seat that an invitation offers."""

    session: models.SessionId
    title: models.SessionTitle
    ruleset: models.RulesetName
    role: OfferedRole
    closed: models.IsClosed
    draws: Draws
    seats: models.SeatsById
    expires_at: Annotated[
        str, Meta(description="the time when the invitation expires (ISO 8601, UTC)")
    ]
    seat: OfferedSeat | UnsetType = UNSET
    name: (
        Annotated[
            str,
            Meta(
                description="the newest name of that seat, in this session or in the one that it "
                "was forked from; absent if it has none"
            ),
        ]
        | UnsetType
    ) = UNSET
    characters: Annotated[
        tuple[str, ...],
        Meta(description="the names of the entities that belong to that seat"),
    ] = ()


HOUR_MS = 3_600_000
SPENT = (
    "The invitation is not valid: it does not exist, or it has expired, been used up or been"
    " withdrawn."
)


@blueprint.operation(
    "createInvitation",
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
    seat, now = auth.require_gm(session)
    request = request_identity(seat)
    number, code = access.code(session, seat, idempotency_key())
    if idempotency.stored_response(app.recorder, now, request) is None:
        _check_invitation(now, body)
        expires = clock.now_ms() + body.expires_in_hours * HOUR_MS
        made = Invitation(number, session, Role(body.role), body.seat, body.max_uses, expires)
        offer = (_parent_of(app, now, body), idempotency_key()) if body.notify else None
        if not access.invite(request, session, now.version, made, code, offer):
            # A concurrent request used the key. This raises an error if that request was different.
            idempotency.stored_response(app.recorder, now, request)
            note_replay()
    else:
        note_replay()
    found = access.find_invitation(code)
    if found is None:
        raise ProblemError("not-found", SPENT)
    return _with_code(found, code)


@blueprint.operation(
    "listInvitations",
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
    auth.require_gm(session)
    return json_response(
        InvitationList(
            [_to_response(found) for found in auth.services().access.invitations(session)]
        )
    )


@blueprint.operation(
    "withdrawInvitation",
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
    auth.require_gm(session)
    if not auth.services().access.withdraw(session, invitation):
        raise ProblemError("not-found", SPENT)
    return Response(status=204)


@blueprint.operation(
    "getInvitation", "GET", "/v1/invitations/<code:code>", returns=Offer, token="none"
)
def offer(code: str) -> Response:
    """Read an invitation.

    The response shows the session, the role and the seat that the invitation is for. Reading an
    invitation does not use it up.
    """
    found = auth.services().access.invitation(code)
    if found is None:
        raise ProblemError("not-found", SPENT)
    app = auth.services().app
    session = app.log.read(found.session).session
    info, colours = session.info, seat_colours.chosen(app.recorder, [found.session])
    return json_response(
        Offer(
            found.session,
            info.title,
            info.ruleset,
            found.role,
            info.closed,
            info.draws,
            seats_of(session, colours[found.session]),
            iso_time(found.expires),
            found.seat,
            UNSET if found.seat is UNSET else _name_of(app, session, found.seat),
            () if found.seat is UNSET else _characters_of(app, session, found.seat),
        )
    )


def _name_of(app: App, now: Session, seat: str) -> str | UnsetType:
    """Return the seat's newest name, also if it was given in a session that this one continues."""
    held = now.info.seats.get(seat)
    if held is not None and held.name is not UNSET:
        return held.name
    parent = _parent(app, now)
    return UNSET if parent is None else _name_of(app, parent, seat)


def _characters_of(app: App, now: Session, seat: str) -> tuple[str, ...]:
    """Return the names of the seat's entities that everyone knows."""
    public = visible_session(now, PUBLIC_VIEWER, app.log.history(now.id))
    entities = public.ruleset.show(public.table).entities
    return tuple(entity.name for entity in entities.values() if entity.seat == seat)


def _parent(app: App, now: Session) -> Session | None:
    """Return the session that this one was forked from, if there is one."""
    opened = app.log.read_events(now.id, 0, 1)[0].body
    if not isinstance(opened, Opened) or opened.parent is UNSET:
        return None
    try:
        return app.log.read(opened.parent.session).session
    except UnknownSessionError:  # it has been deleted
        return None


def _check_invitation(session: Session, body: models.InviteRequest) -> None:
    """Raise Refused if the invitation could never be used."""
    if session.info.closed:
        raise Refused("session-closed")
    held = session.info.seats.get(body.seat) if body.seat is not UNSET else None
    if held is not None and held.role.value != body.role:
        raise Refused("role-differs", seat=str(body.seat), held=held.role.value, asked=body.role)


def _parent_of(app: App, now: Session, body: models.InviteRequest) -> str:
    """Return the session that this one continues, whose seat is told about the invitation.

    Raises Refused if there is no such seat.
    """
    parent = _parent(app, now)
    if parent is not None and body.seat is not UNSET and body.seat in parent.info.seats:
        return parent.id
    raise Refused("no-parent-seat")


def _to_response(found: Invitation) -> InvitationView:
    return InvitationView(found.id, found.role, found.uses, iso_time(found.expires), found.seat)


def _with_code(found: Invitation, code: str) -> InvitationView:
    url = f"{auth.services().app.settings.public_url}/join/{code}"
    return replace(_to_response(found), code=code, url=url)
