"""Seat routes: take, name and leave seats, and manage their chains and tokens."""

from __future__ import annotations

import msgspec
from flask import Response
from msgspec import UNSET, UnsetType

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
from service.http.presenters import iso_time
from service.http.request_headers import idempotency_key, request_identity
from service.http.responses import json_response, run_command
from service.http.routes.invitations import SPENT
from service.sessions import idempotency
from service.sessions.access import Invitation, IssuedToken
from service.sessions.app import App
from service.sessions.checkpoints import log_origin
from service.sessions.command_handler import handle
from service.sessions.idempotency import CommandResult, RequestIdentity
from service.sessions.turns import session_lock
from service.store.errors import SessionBusyError, VersionConflictError

blueprint = Blueprint(
    "Seats",
    __name__,
    description="Take, name and leave seats, and manage their tokens and hash chains.",
)


@blueprint.operation(
    "POST",
    "/v1/seats",
    body=models.TakeSeatRequest,
    returns=models.Ticket,
    status=201,
    token="none",
    keyed=True,
    problems=["not-found"],
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


@blueprint.operation(
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
    mine, sent = require_seat_or_repeat(session), auth.token()
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


@blueprint.operation(
    "DELETE", "/v1/sessions/<session:session>/tokens/current", returns=None, status=204
)
def revoke(session: str) -> Response:
    """Revoke your token.

    This revokes the token that you send with the request. The seat stays taken, and the GM can
    create a new invitation for it.
    """
    auth.require_seat(session)
    access, token = auth.services().access, auth.token()
    assert token is not None  # `require_seat` has just accepted it
    access.write(access.revoke(token))
    return Response(status=204)


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
    app, access, seat = (
        auth.services().app,
        auth.services().access,
        _chosen_seat(session, invitation, body),
    )
    side_rows = access.seating(
        invitation, seat, access.token(session.id, request.under, idempotency_key())
    )
    request, held = msgspec.structs.replace(request, seat=seat), session.info.seats.get(seat)
    if held is None or not held.present or invitation.seat is UNSET:
        taking = TakeSeat(seat, invitation.role, body.name, body.chain)
        return handle(app, session.id, taking, request, side_rows=side_rows)
    if held.role is not invitation.role:
        raise Refused("role-differs", seat=seat, held=held.role.value, asked=invitation.role.value)
    if body.chain is not UNSET:
        return handle(app, session.id, _next_chain(seat, body), request, side_rows=side_rows)
    if body.name is not UNSET:
        return handle(app, session.id, NameSeat(seat, body.name), request, side_rows=side_rows)
    if access.write(
        idempotency.answer_row(session.id, request, session.version, session.version), *side_rows
    ):
        return CommandResult(session, session.version, session.version, repeated=False)
    answer = idempotency.stored_response(app.recorder, session, request)
    if answer is None:
        raise VersionConflictError(session.version)
    return answer


def _next_chain(seat: str, body: models.TakeSeatRequest) -> BringChain:
    """Return the command that adds the new holder's chain to a seat.

    Raises Refused if the request also contains a name.
    """
    assert body.chain is not UNSET
    if body.name is not UNSET:
        raise Refused("named-afterwards", seat=seat)
    return BringChain(body.chain)


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


def require_seat_or_repeat(session: str) -> str:
    """Return the seat that the token belongs to.

    A revoked token is accepted only if the request repeats the one that revoked it.
    """
    try:
        return auth.require_seat(session)
    except ProblemError as problem:
        if problem.code != "token-unknown":
            raise
        sent, services = auth.token(), auth.services()
        found = services.access.holder(sent) if sent is not None else None
        if found is None or found.session != session:
            raise
        if not idempotency.is_repeat(services.app.recorder, session, request_identity(found.seat)):
            raise
        auth.note_reading(found)
        return found.seat


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/seats/<seat:seat>/chain",
    body=models.ChainRequest,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
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
    "POST",
    "/v1/sessions/<session:session>/seats/<seat:seat>/presence",
    body=models.PresenceRequest,
    returns=models.TurnResponse,
    status=201,
    keyed=True,
    matched=True,
)
def presence(session: str, seat: str, body: models.PresenceRequest) -> Response:
    """Set whether a seat takes part in draws.

    A seat with a chain must sign any change to its own presence. The GM may mark another seat as
    away if that seat has no chain, or if a voided draw has named it as missing.
    """
    command = SetPresence(seat, body.present, body.signature, body.seen_root, body.seen_size)
    return run_command(session, auth.require_seat(session), command)


class TokenView(models.ResponseModel, frozen=True):
    """A token issued for a seat.

    `current` is true for the token that you sent with this request. A token's secret text is shown
    only when the token is issued.
    """

    id: str
    seat: str
    given: str
    expires: str | UnsetType = UNSET
    current: bool = False


class TokenList(models.ResponseModel, frozen=True):
    tokens: list[TokenView]


class RenewedToken(models.ResponseModel, frozen=True):
    """The seat's new token."""

    token: str
    seat: str


@blueprint.operation("GET", "/v1/sessions/<session:session>/tokens", returns=TokenList)
def tokens(session: str) -> Response:
    """List the tokens.

    The GM can see the valid tokens of all seats, and other seats can see only their own. To revoke
    a token, use its `id`.
    """
    mine, sent = _visible_tokens(session), auth.token()
    return json_response(TokenList([_token_view(each, sent) for each in mine]))


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/tokens",
    returns=RenewedToken,
    status=201,
    keyed=True,
    problems=["refused"],
)
def renew(session: str) -> Response:
    """Renew your token.

    The response contains a new token for your seat, which is not shown again. All older tokens for
    the seat are revoked. If you repeat the request with the same Idempotency-Key and your old
    token, you get the same new token.
    """
    seat, sent = require_seat_or_repeat(session), auth.token()
    assert sent is not None  # `require_seat_or_repeat` has just accepted it
    app, access = auth.services().app, auth.services().access
    token, request = (
        access.token(session, f"renew:{seat}", idempotency_key()),
        request_identity(seat),
    )
    now = app.log.read(session).session
    now.by(seat)  # refuses a seat that has left
    # If nothing was stored, either the key was used before or the token was revoked meanwhile.
    # `stored_response` raises KeyReusedError if the key was used for a different request.
    if (
        not access.write(
            idempotency.answer_row(session, request, now.version, now.version),
            *access.renewal(session, seat, sent, token),
        )
        and idempotency.stored_response(app.recorder, now, request) is None
    ):
        raise auth.invalid_token()
    return json_response(RenewedToken(token, seat), 201)


@blueprint.operation(
    "DELETE", "/v1/sessions/<session:session>/tokens/<token:token>", returns=None, status=204
)
def end(session: str, token: str) -> Response:
    """Revoke a token.

    The GM may revoke any token, and other seats may revoke only their own. The seat stays taken.
    """
    found = next((each for each in _visible_tokens(session) if each.id == token), None)
    if found is None:
        raise ProblemError(
            "not-found",
            f"There is no token {token} that you can revoke. Use an id from the list of tokens.",
        )
    if not auth.services().access.revoke_now(found.hash):
        raise ProblemError(
            "not-found",
            f"The token {token} has just been revoked or renewed. Read the list of tokens again.",
        )
    return Response(status=204)


def _visible_tokens(session: str) -> list[IssuedToken]:
    """Return the valid tokens that the requesting seat may see, oldest first."""
    seat = auth.require_seat(session)
    given = auth.services().access.issued_tokens(session)
    is_gm = auth.current_head(session).session.by(seat).is_gm
    return [each for each in given if is_gm or each.seat == seat]


def _token_view(given: IssuedToken, sent: str | None) -> TokenView:
    current = sent is not None and auth.services().access.matches_token(given, sent)
    return TokenView(
        given.id,
        given.seat,
        iso_time(given.at),
        iso_time(given.expires) if given.expires else UNSET,
        current,
    )
