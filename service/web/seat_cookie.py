"""The cookies that sign a browser in to a seat of a session, or as a person of a campaign."""

from __future__ import annotations

from flask import Response, request

from service.http import auth
from service.jobs import definitions

MAX_AGE_SECONDS = 180 * 24 * 3600
Paths = tuple[tuple[str, str], ...]
"""Paths with SameSite. A link on another site may open a page that knows its reader, but may not
call the API."""


def store(response: Response, session: str, token: str) -> None:
    """Make the browser send the token with each request about this session."""
    _store(response, _session_paths(session), token)


def delete(response: Response, session: str) -> None:
    """Make the browser delete the cookies of the session."""
    _delete(response, _session_paths(session))


def store_for_campaign(response: Response, campaign: str, token: str) -> None:
    """Make the browser send the personal token with each request about this campaign."""
    _store(response, _campaign_paths(campaign), token)


def delete_for_campaign(response: Response, campaign: str) -> None:
    """Make the browser delete the cookies of the campaign."""
    _delete(response, _campaign_paths(campaign))


def _session_paths(session: str) -> Paths:
    return (f"/s/{session}", "Lax"), (f"/v1/sessions/{session}", "Strict")


def _campaign_paths(campaign: str) -> Paths:
    """Return the paths of the campaign, and of the job that computes its statistics."""
    job = definitions.campaign(campaign).name
    return (
        (f"/c/{campaign}", "Lax"),
        (f"/v1/campaigns/{campaign}", "Strict"),
        (f"/v1/jobs/{job}", "Strict"),
    )


def _store(response: Response, paths: Paths, token: str) -> None:
    for path, site in paths:
        response.set_cookie(
            auth.COOKIE,
            token,
            MAX_AGE_SECONDS,
            path=path,
            secure=_is_secure(),
            httponly=True,
            samesite=site,
        )


def _delete(response: Response, paths: Paths) -> None:
    for path, site in paths:
        response.delete_cookie(
            auth.COOKIE, path=path, secure=_is_secure(), httponly=True, samesite=site
        )


def _is_secure() -> bool:
    """Return True if people reach the server by https, even if a proxy ends it."""
    return request.is_secure or auth.services().app.settings.url.startswith("https:")
