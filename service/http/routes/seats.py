"""Seat routes: take, name and leave seats, and manage their chains."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Response
from msgspec import UNSET, Meta

from domain.decider import Refused
from domain.session.messages import (
    AnchorChain,
    Anchored,
    BringChain,
    HandOver,
    LeaveSeat,
    NameSeat,
    SetPresence,
    TakeSeat,
)
from domain.session.state import Session
from service.http import auth, models
from service.http.errors import ProblemError
from service.http.openapi import Blueprint
from service.http.request_headers import idempotency_key, note_replay, request_identity
from service.http.responses import json_response, run_command
from service.http.routes.invitations import SPENT
from service.sessions import idempotency, seat_colours
from service.sessions.access import Invitation
from service.sessions.app import App
from service.sessions.checkpoints import log_origin
from service.sessions.command_handler import handle
from service.sessions.connections import connected_seats
from service.sessions.idempotency import CommandResult, RequestIdentity
from service.sessions.turns import session_lock
from service.store.errors import SessionBusyError, VersionConflictError
from service.store.recorder import SideRows

blueprint = Blueprint("Seats", __name__, tag="Seats")


@blueprint.operation(
    "takeSeat",
    "POST",
    "/v1/seats",
    body=models.TakeSeatRequest,
    returns=models.Ticket,
    status=201,
    token="none",
    keyed=True,
    problems=["not-found"],
    sends=["ETag"],
)
def take(body: models.TakeSeatRequest) -> Response:
    """Take a seat.

    Send the code of an invitation. The response contains your token, which is not shown again. If
    the seat is already taken, you replace its current holder, whose tokens are revoked. If the seat
    has a key and its holder has left, you must also send the seat's next chain. If it has no key
    and its holder has left, the invitation must name the seat.
    """
    ticket, head = take_seat(body)
    return json_response(ticket, 201, version=head)


def take_seat(body: models.TakeSeatRequest) -> tuple[models.Ticket, int]:
    """Take a seat with an invitation. Return the ticket and the session's version.

    Raises Refused, KeyReusedError or ProblemError.
    """
    app, access = auth.services().app, auth.services().access
    found = access.find_invitation(body.code)
    if found is None:
        raise ProblemError("not-found", SPENT)
    answer = _answer_taking(found, body)
    if answer.repeated:
        note_replay()
    session, info = answer.session, answer.session.info
    token = access.token(session.id, _taking_scope(found), idempotency_key())
    ticket = models.Ticket(
        session.id,
        _taken_seat(app, found, answer),
        found.role,
        token,
        answer.last,
        info.log_key,
        log_origin(info),
    )
    return ticket, session.version


class ConnectedSeats(models.ResponseModel, frozen=True):
    """The seats whose holders are connected now."""

    seats: Annotated[
        list[str],
        Meta(
            description="the ids of the seats that have an open event stream, or had one a few "
            "seconds ago, sorted"
        ),
    ]


@blueprint.operation(
    "listConnectedSeats",
    "GET",
    "/v1/sessions/<session:session>/connections",
    returns=ConnectedSeats,
    token="optional",
)
def connections(session: str) -> Response:
    """List the connected seats.

    A seat is connected while it has an open event stream. If a connection breaks without notice,
    its seat can stay in the list for up to half a minute.
    """
    auth.session_for_viewer(session)
    seats = connected_seats(auth.services().app.recorder, session)
    return json_response(ConnectedSeats(seats))


@blueprint.operation(
    "leaveSeat",
    "DELETE",
    "/v1/sessions/<session:session>/seats/<seat:seat>",
    query=models.LeaveQuery,
    returns=models.TurnResponse,
    keyed=True,
    matched=True,
)
def leave(session: str, seat: str, query: models.LeaveQuery) -> Response:
    """Leave your seat, or remove another seat.

    Any seat except the GM's may leave. A seat with a chain must send `signature` to leave. The GM
    may remove another seat. If that seat has a chain, the GM may do this only after a voided draw
    has named the seat as missing. All tokens for the seat are revoked.
    """
    mine, sent = auth.require_seat_or_repeat(session), auth.token()
    assert sent is not None  # `require_seat_or_repeat` has just accepted it
    access = auth.services().access
    command = LeaveSeat(seat, query.signature, query.seen_root, query.seen_size)
    rows = [access.unrevoked(sent), access.revoke_seat(session, seat)]
    try:
        return run_command(session, mine, command, 200, rows)
    except SessionBusyError:
        auth.require_seat(session)  # fails if the seat was taken over meanwhile
        raise


@blueprint.operation(
    "nameSeat",
    "POST",
    "/v1/sessions/<session:session>/seats/<seat:seat>/name",
    body=models.NameRequest,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
)
def name(session: str, seat: str, body: models.NameRequest) -> Response:
    """Name a seat.

    A seat may name itself, and the GM may name any seat.
    """
    return run_command(session, auth.require_seat(session), NameSeat(seat, body.name))


@blueprint.operation(
    "chooseColour",
    "PUT",
    "/v1/sessions/<session:session>/seats/<seat:seat>/colour",
    body=models.ColourRequest,
    returns=None,
    status=204,
    problems=["refused"],
)
def choose_colour(session: str, seat: str, body: models.ColourRequest) -> Response:
    """Choose a seat's colour.

    A seat may choose its own colour, and the GM that of any seat. The log does not contain it, so
    the session's version stays the same.
    """
    by, app = auth.require_seat(session), auth.services().app
    now = app.log.read(session).session
    if seat != by and not now.by(by).is_gm:
        raise Refused("not-your-seat", seat=seat, by=by)
    if seat not in now.info.seats:
        raise Refused("seat-unknown", seat=seat)
    app.recorder.write(seat_colours.choice(session, seat, body.colour))
    return Response(status=204)


@blueprint.operation(
    "handOverSession",
    "POST",
    "/v1/sessions/<session:session>/hand-over",
    body=HandOver,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
)
def hand_over(session: str, body: HandOver) -> Response:
    """Hand over the GM's role.

    The new GM must be a player who has not left. The old GM becomes a player.
    """
    return run_command(session, auth.require_seat(session), body)


def _taking_scope(invitation: Invitation) -> str:
    """Return the scope of the idempotency key for taking a seat.

    The scope cannot be the seat, because the client may choose the seat in the request body.
    """
    return f"take:{invitation.id}"


def _answer_taking(invitation: Invitation, body: models.TakeSeatRequest) -> CommandResult:
    """Take the seat, or return the stored result if the request is a repeat.

    Raises ProblemError("not-found") if the invitation is used up.
    """
    app, request = auth.services().app, request_identity("", _taking_scope(invitation))
    with session_lock(invitation.session):  # no other request may take the chosen seat meanwhile
        session = app.log.read(invitation.session).session
        if answer := idempotency.stored_response(app.recorder, session, request):
            return answer
        try:
            return _take_or_hand_over(session, invitation, body, request)
        except (Refused, VersionConflictError):
            if auth.services().access.invitation(body.code) is None:
                raise ProblemError("not-found", SPENT) from None
            raise


def _take_or_hand_over(
    session: Session, invitation: Invitation, body: models.TakeSeatRequest, request: RequestIdentity
) -> CommandResult:
    """Take a free seat, or replace the holder of the seat that the invitation names."""
    access, seat = auth.services().access, _chosen_seat(session, invitation, body)
    token = access.token(session.id, request.under, idempotency_key())
    side_rows = access.seating(invitation, seat, token)
    if body.colour is not UNSET:
        side_rows = (*side_rows, seat_colours.choice(session.id, seat, body.colour))
    taking = TakeSeat(seat, invitation.role, body.name, body.chain)
    return occupy_seat(session, taking, request, side_rows, replaces=invitation.seat is not UNSET)


def occupy_seat(
    session: Session,
    taking: TakeSeat,
    request: RequestIdentity,
    side_rows: SideRows,
    *,
    replaces: bool,
) -> CommandResult:
    """Take a seat, and store the side rows, which contain the token, in the same transaction.

    If the seat has a holder and `replaces` is True, replace the holder. The chain and the name in
    `taking` then become those of the seat. Raises the same exceptions as `handle`.
    """
    app, access, seat = auth.services().app, auth.services().access, taking.seat
    request, held = msgspec.structs.replace(request, seat=seat), session.info.seats.get(seat)
    if held is None or not held.present or not replaces:
        return handle(app, session.id, taking, request, side_rows=side_rows)
    if held.role is not taking.role:
        raise Refused("role-differs", seat=seat, held=held.role.value, asked=taking.role.value)
    if taking.chain is not UNSET:
        return handle(app, session.id, _next_chain(taking), request, side_rows=side_rows)
    if taking.name is not UNSET:
        return handle(app, session.id, NameSeat(seat, taking.name), request, side_rows=side_rows)
    if access.write(
        idempotency.answer_row(session.id, request, session.version, session.version), *side_rows
    ):
        return CommandResult(session, session.version, session.version, repeated=False)
    answer = idempotency.stored_response(app.recorder, session, request)
    if answer is None:
        raise VersionConflictError(session.version)
    return answer


def _next_chain(taking: TakeSeat) -> BringChain:
    """Return the command that adds the new holder's chain to a seat.

    Raises Refused if the request also contains a name.
    """
    assert taking.chain is not UNSET
    if taking.name is not UNSET:
        raise Refused("named-afterwards", seat=taking.seat)
    return BringChain(taking.chain)


def _chosen_seat(session: Session, invitation: Invitation, body: models.TakeSeatRequest) -> str:
    """Return the invitation's seat, the seat that the request chooses, or the next free seat."""
    if invitation.seat is not UNSET:
        if body.seat not in (UNSET, invitation.seat):
            raise Refused("not-your-seat", seat=str(body.seat), by=invitation.seat)
        return invitation.seat
    if body.seat is not UNSET:
        held = session.info.seats.get(body.seat)
        if held is not None and not held.present and held.public_key is UNSET:
            # Its next holder will read its secrets, and no key shows whose seat it was.
            raise Refused("seat-held", seat=body.seat)
        return body.seat
    numbers = (
        f"{invitation.role.value}-{number}" for number in range(1, len(session.info.seats) + 2)
    )
    return next(seat for seat in numbers if seat not in session.info.seats)


def _taken_seat(app: App, invitation: Invitation, answer: CommandResult) -> str:
    if invitation.seat is not UNSET:
        return invitation.seat
    return app.log.read_events(answer.session.id, answer.last - 1, answer.last)[0].seat


@blueprint.operation(
    "addChain",
    "POST",
    "/v1/sessions/<session:session>/seats/<seat:seat>/chain",
    body=models.ChainRequest,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
    scope="contribute",
)
def chain(session: str, seat: str, body: models.ChainRequest) -> Response:
    """Add a hash chain.

    A seat can add a chain only for itself. Send `public_key` with the seat's first chain, which has
    number 0. A later chain replaces the current chain, starting with the next draw.
    """
    mine = auth.require_seat(session)
    if mine != seat:
        raise Refused("not-your-seat", seat=seat, by=mine)
    if body.public_key is UNSET:
        return run_command(
            session, mine, AnchorChain(body.length, body.anchor, body.signature, body.previous_link)
        )
    if body.previous_link is not UNSET:
        raise Refused("first-chain", seat=mine)
    return run_command(
        session,
        mine,
        BringChain(Anchored(body.public_key, body.length, body.anchor, body.signature)),
    )


@blueprint.operation(
    "setPresence",
    "POST",
    "/v1/sessions/<session:session>/seats/<seat:seat>/presence",
    body=models.PresenceRequest,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
    scope="contribute",
)
def presence(session: str, seat: str, body: models.PresenceRequest) -> Response:
    """Set whether a seat takes part in draws.

    A seat with a chain must sign any change to its own presence. The GM may mark another seat as
    away if that seat has no chain, or if a voided draw has named it as missing.
    """
    command = SetPresence(seat, body.present, body.signature, body.seen_root, body.seen_size)
    return run_command(session, auth.require_seat(session), command)
