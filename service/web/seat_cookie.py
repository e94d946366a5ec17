"""The cookie that signs a browser in to a seat of one session."""

from __future__ import annotations

from flask import Response, request

from service.http import auth

MAX_AGE_SECONDS = 180 * 24 * 3600


def store(
    response: Response, session: str, token: str, seconds: int | None = MAX_AGE_SECONDS
) -> None:
    """Make the browser send the token with each request about this session.

    If `seconds` is None, the browser deletes the cookie when it is closed.
    """
    for path, site in _paths(session):
        response.set_cookie(
            auth.COOKIE, token, seconds, None, path, None, _is_secure(), True, samesite=site
        )


def delete(response: Response, session: str) -> None:
    """Make the browser delete the cookie."""
    for path, site in _paths(session):
        response.delete_cookie(
            auth.COOKIE, path=path, secure=_is_secure(), httponly=True, samesite=site
        )


def _paths(session: str) -> tuple[tuple[str, str], ...]:
    """Return path and SameSite of the two cookies.

    A link on another site may open a page that knows its reader, but may not call the API.
    """
    return (f"/s/{session}", "Lax"), (f"/v1/sessions/{session}", "Strict")


def _is_secure() -> bool:
    """Return True if people reach the server by https, even if a proxy ends it."""
    return request.is_secure or auth.services().app.settings.url.startswith("https:")
