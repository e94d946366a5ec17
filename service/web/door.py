"""The door of a session: a seat's token, typed into a form once, stays in a cookie of this session alone."""

from __future__ import annotations

import re

from flask import Blueprint, Response, request, url_for

from service.http import auth
from service.http.errors import ProblemError
from service.store.errors import UnknownSessionError
from service.web import seat_cookie
from service.web.drawing import go_to, page

_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{1,200}")

blueprint = Blueprint("Door", __name__)


@blueprint.get("/s/<session:session>/enter")
def entrance(session: str) -> Response:
    """The form."""
    return page("enter.html", session=session, wrong="")


@blueprint.post("/s/<session:session>/enter")
def enter(session: str) -> Response:
    """Takes the token of a seat of this session, and leads to what the seat may see."""
    require_own_page()
    sent = request.form.get("token", "").strip()
    if not _is_of(sent, session):
        wrong = "This is no token of a seat of this session, or it was revoked. A token begins with flt_."
        return page("enter.html", 422, session=session, wrong=wrong)
    response = go_to(url_for("Session.session", session=session))
    seat_cookie.store(response, session, sent, None)
    return response


@blueprint.post("/s/<session:session>/leave")
def leave(session: str) -> Response:
    """Forgets the token."""
    require_own_page()
    response = go_to(url_for("Door.entrance", session=session))
    seat_cookie.delete(response, session)
    return response


def require_own_page() -> None:
    """Refuses a form that another site's page has sent. Problem("forbidden").

    What is no browser says in no header from where it comes, and has no cookie of anybody's.
    """
    is_browser = "Sec-Fetch-Site" in request.headers or "Origin" in request.headers
    if is_browser and not auth.is_own_page():
        raise ProblemError("forbidden", "It may not hold what you meant to send.")


def _is_of(token: str, session: str) -> bool:
    """Whether the token speaks for a seat of the session."""
    if not _TOKEN.fullmatch(token):
        return False
    try:
        holder = auth.holder_of(token, session)
        auth.session_for_holder(holder, session)
    except UnknownSessionError:
        return False
    except ProblemError as problem:
        if problem.code == "too-many":
            raise
        return False
    return holder.session == session
