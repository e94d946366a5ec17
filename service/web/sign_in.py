"""Sign-in of a browser: the console sends a seat's token, and the browser stores it in a cookie.

The page gets the token back only to show it to the person who holds the seat, as a personal link.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

import msgspec
from flask import Blueprint, Response, request
from msgspec import Meta, Struct

from service.http import auth, validation
from service.http.errors import ProblemError
from service.http.routes.tokens import renew_token
from service.store.errors import UnknownSessionError
from service.web import seat_cookie

blueprint = Blueprint("SignIn", __name__)


class SignInRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The token of a seat, as the console sends it."""

    token: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=80,
            pattern=r"^[A-Za-z0-9_-]+$(?!\n)",
            description="the seat's token",
        ),
    ]


@blueprint.post("/s/<session:session>/sign-in")
def sign_in(session: str) -> Response:
    """Store a seat's token in a cookie.

    Raises ProblemError("forbidden") if another site sent the request, ProblemError("malformed") if
    the body is malformed, and ProblemError("token-invalid") if the token is not that of a seat of
    the session.
    """
    _require_own_page()
    sent = validation.read_body(SignInRequest, request.get_data())
    holder = auth.holder_of(sent.token, session)
    try:
        auth.session_for_holder(holder, session)
    except UnknownSessionError:
        raise auth.invalid_token() from None
    if holder.session != session:
        raise auth.invalid_token()
    response = Response(status=HTTPStatus.NO_CONTENT)
    seat_cookie.store(response, session, sent.token)
    return response


@blueprint.post("/s/<session:session>/sign-out")
def sign_out(session: str) -> Response:
    """Delete the cookie. The token stays valid."""
    _require_own_page()
    response = Response(status=HTTPStatus.NO_CONTENT)
    seat_cookie.delete(response, session)
    return response


@blueprint.post("/s/<session:session>/token")
def own_token(session: str) -> Response:
    """Return the token that signs this browser in, for the seat's personal link or file.

    Raises ProblemError("forbidden") if another site sent the request, and the same exceptions as
    `auth.require_seat`.
    """
    _require_own_page()
    auth.require_seat(session)
    return _unstored({"token": auth.token()})


@blueprint.get("/s/<session:session>/signed-in")
def signed_in(session: str) -> Response:
    """Return the seat that this browser is signed in to, or null. It is never an error."""
    seat = None
    try:
        found = auth.holder(session)
    except ProblemError as problem:
        if problem.code != "token-invalid":
            raise
    else:
        seat = found.seat if found is not None and found.session == session else None
    return _unstored({"seat": seat})


@blueprint.post("/c/<campaign:campaign>/sign-in")
def sign_in_to_campaign(campaign: str) -> Response:
    """Store a personal token in a cookie.

    Raises ProblemError("forbidden") if another site sent the request, ProblemError("malformed") if
    the body is malformed, and the same exceptions as `auth.member_of`.
    """
    _require_own_page()
    sent = validation.read_body(SignInRequest, request.get_data())
    auth.member_of(sent.token, campaign)
    response = Response(status=HTTPStatus.NO_CONTENT)
    seat_cookie.store_for_campaign(response, campaign, sent.token)
    return response


@blueprint.post("/c/<campaign:campaign>/sign-out")
def sign_out_of_campaign(campaign: str) -> Response:
    """Delete the cookie. The personal token stays valid."""
    _require_own_page()
    response = Response(status=HTTPStatus.NO_CONTENT)
    seat_cookie.delete_for_campaign(response, campaign)
    return response


@blueprint.post("/c/<campaign:campaign>/token")
def personal_token(campaign: str) -> Response:
    """Return the personal token that signs this browser in, for the person's link.

    Raises ProblemError("forbidden") if another site sent the request, and the same exceptions as
    `auth.require_member`.
    """
    _require_own_page()
    auth.require_member(campaign)
    return _unstored({"token": auth.token()})


@blueprint.get("/c/<campaign:campaign>/signed-in")
def signed_in_to_campaign(campaign: str) -> Response:
    """Return the person whom this browser is signed in as, or null. It is never an error."""
    person = None
    try:
        person = auth.require_member(campaign).id
    except ProblemError as problem:
        if problem.code not in ("token-invalid", "not-found"):
            raise
    return _unstored({"person": person})


@blueprint.post("/s/<session:session>/token/renew")
def renew_own_token(session: str) -> Response:
    """Renew the token that signs this browser in, and store the new one in the cookie.

    Both happen in one response, so that the browser does not send the old token meanwhile. Raises
    the same exceptions as `own_token`.
    """
    _require_own_page()
    renewed = renew_token(session)
    response = _unstored({"token": renewed.token})
    seat_cookie.store(response, session, renewed.token)
    return response


def _unstored(body: object) -> Response:
    """Return a JSON response that no cache stores."""
    return Response(
        msgspec.json.encode(body),
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def _require_own_page() -> None:
    """Raise ProblemError("forbidden") if another site's page sent the request."""
    is_browser = "Sec-Fetch-Site" in request.headers or "Origin" in request.headers
    if is_browser and not auth.is_own_page():
        raise ProblemError("forbidden", "Another site sent this request. Open the page here.")
