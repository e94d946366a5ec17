"""Tokens: create, list, renew and revoke the tokens of a session's seats."""

from __future__ import annotations

from typing import Annotated, Literal

from flask import Response
from msgspec import UNSET, Meta, UnsetType

from service.http import auth, models
from service.http.errors import ProblemError
from service.http.openapi import Blueprint
from service.http.presenters import iso_time
from service.http.request_headers import idempotency_key, note_replay, request_identity
from service.http.responses import json_response
from service.http.routes.invitations import HOUR_MS
from service.platform import clock
from service.sessions import idempotency
from service.sessions.access import NEVER, IssuedToken, Scope

NamedScope = Literal["read", "play", "contribute"]

blueprint = Blueprint("Tokens", __name__, tag="Tokens")


class TokenRequest(models.RequestModel, frozen=True):
    """A request to create a named token for your seat, for example for a bot."""

    name: Annotated[
        models.SeatName,
        Meta(
            description="the token's name; the conditions for the names of seats apply to it, too"
        ),
    ]
    scopes: Annotated[
        tuple[NamedScope, ...],
        Meta(
            min_length=1,
            max_length=3,
            description="what the token allows: `read` what the seat may see, `play` (send "
            "commands, narrate, rewind), and `contribute` to draws",
        ),
    ]
    expires_in_hours: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=24 * 366,
                description="the number of hours until the token expires; default: the server's "
                "setting for all tokens",
            ),
        ]
        | UnsetType
    ) = UNSET


TokenScopes = Annotated[
    list[Scope],
    Meta(
        description="what the token allows, in alphabetical order: `contribute` to draws, `manage` "
        "the seat, `play` (send commands, narrate, rewind), and `read` what the seat may see"
    ),
]


class TokenView(models.ResponseModel, frozen=True):
    """A token issued for a seat."""

    id: Annotated[
        str,
        Meta(description="the token's id, 8 bytes in hex, with which the token can be revoked"),
    ]
    seat: Annotated[str, Meta(description="the id of the seat that the token belongs to")]
    created_at: Annotated[
        str, Meta(description="the time when the token was created (ISO 8601, UTC)")
    ]
    scopes: TokenScopes
    name: (
        Annotated[str, Meta(description="the token's name; absent for the seat's own token")]
        | UnsetType
    ) = UNSET
    expires_at: (
        Annotated[
            str,
            Meta(
                description="the time when the token expires (ISO 8601, UTC); "
                "absent if it never expires"
            ),
        ]
        | UnsetType
    ) = UNSET
    current: Annotated[
        bool, Meta(description="true for the token that you sent with this request")
    ] = False


class NewToken(models.ResponseModel, frozen=True):
    """A new token. Store `token`, because it is shown only once."""

    token: models.SeatToken
    seat: models.OwnSeatId
    name: Annotated[str, Meta(description="the token's name")]
    scopes: TokenScopes


class Me(models.ResponseModel, frozen=True):
    """The seat that your token belongs to."""

    session: models.SessionId
    seat: models.OwnSeatId
    role: models.SeatRole
    token: Annotated[
        TokenView, Meta(description="the description of your token, without its secret text")
    ]


class TokenList(models.ResponseModel, frozen=True):
    tokens: Annotated[
        list[TokenView], Meta(description="the valid tokens that you may see, oldest first")
    ]


class RenewedToken(models.ResponseModel, frozen=True):
    """The seat's new token."""

    token: models.SeatToken
    seat: models.OwnSeatId


@blueprint.operation(
    "listTokens", "GET", "/v1/sessions/<session:session>/tokens", returns=TokenList
)
def tokens(session: str) -> Response:
    """List the tokens.

    The GM can see the valid tokens of all seats, and other seats can see only their own. To revoke
    a token, use its `id`.
    """
    mine, sent = _visible_tokens(session), auth.token()
    return json_response(TokenList([_token_view(each, sent) for each in mine]))


@blueprint.operation("getMe", "GET", "/v1/me", returns=Me)
def me() -> Response:
    """Read what your token belongs to.

    The response names the session, the seat and its role, and describes the token.
    """
    found, sent = auth.require_holder(), auth.token()
    access = auth.services().access
    [own] = [
        each
        for each in access.issued_tokens(found.session)
        if sent is not None and access.matches_token(each, sent)
    ]
    role = auth.current_head(found.session, found.newest).session.info.seats[found.seat].role
    return json_response(Me(found.session, found.seat, role, _token_view(own, sent)))


@blueprint.operation(
    "createToken",
    "POST",
    "/v1/sessions/<session:session>/tokens",
    body=TokenRequest,
    returns=NewToken,
    status=201,
    keyed=True,
    problems=["refused"],
)
def create(session: str, body: TokenRequest) -> Response:
    """Create a named token.

    The token is for your seat, and stays valid until it expires or is revoked, or until someone
    else takes the seat. Give a bot such a token instead of the seat's own. The response contains
    the token, which is not shown again. If you repeat the request with the same Idempotency-Key,
    you get the same token.
    """
    seat = auth.require_seat(session)
    app, access = auth.services().app, auth.services().access
    token = access.token(session, f"named:{seat}", idempotency_key())
    request, now = request_identity(seat), app.log.read(session).session
    now.by(seat)  # refuses a seat that has left
    hours = 0 if body.expires_in_hours is UNSET else body.expires_in_hours
    expires = clock.now_ms() + hours * HOUR_MS if hours else 0
    sent = auth.token()
    assert sent is not None  # `require_seat` has just accepted it
    if not access.write(
        idempotency.answer_row(session, request, now.version, now.version),
        access.unrevoked(sent),
        *access.named_grant(
            session, seat, token, name=body.name, scopes=body.scopes, expires=expires
        ),
    ):
        if idempotency.stored_response(app.recorder, now, request) is None:
            raise auth.invalid_token()
        note_replay()
    return json_response(NewToken(token, seat, body.name, sorted(set(body.scopes))), 201)


@blueprint.operation(
    "renewToken",
    "POST",
    "/v1/sessions/<session:session>/tokens/current/renew",
    returns=RenewedToken,
    status=201,
    keyed=True,
    problems=["refused"],
)
def renew(session: str) -> Response:
    """Renew your token.

    The response contains a new token for your seat, which is not shown again. The seat's older
    tokens are revoked, except for named ones. If you repeat the request with the same
    Idempotency-Key and your old token, you get the same new token.
    """
    return json_response(renew_token(session), 201)


def renew_token(session: str) -> RenewedToken:
    """Renew the request's token, and revoke the seat's earlier ones.

    Raises Refused, KeyReusedError or ProblemError.
    """
    seat, sent = auth.require_seat_or_repeat(session), auth.token()
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
    if not access.write(
        idempotency.answer_row(session, request, now.version, now.version),
        *access.renewal(session, seat, sent, token),
    ):
        if idempotency.stored_response(app.recorder, now, request) is None:
            raise auth.invalid_token()
        note_replay()
    return RenewedToken(token, seat)


@blueprint.operation(
    "revokeToken",
    "DELETE",
    "/v1/sessions/<session:session>/tokens/<token:token>",
    returns=None,
    status=204,
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


@blueprint.operation(
    "revokeCurrentToken",
    "DELETE",
    "/v1/sessions/<session:session>/tokens/current",
    returns=None,
    status=204,
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
        sorted(given.scopes),
        given.name or UNSET,
        iso_time(given.expires) if given.expires != NEVER else UNSET,
        current,
    )
