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
    body = msgspec.json.encode({"token": auth.token()})
    return Response(body, content_type="application/json", headers={"Cache-Control": "no-store"})


def _require_own_page() -> None:
    """Raise ProblemError("forbidden") if another site's page sent the request."""
    is_browser = "Sec-Fetch-Site" in request.headers or "Origin" in request.headers
    if is_browser and not auth.is_own_page():
        raise ProblemError("forbidden", "Another site sent this request. Open the page here.")
