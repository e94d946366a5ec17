"""A no as a page: what happened in words, and what to do next. Under /v1, and for programs, it stays a problem."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, current_app, request

from service.http import errors
from service.http.auth import COOKIE
from service.http.errors import PROBLEMS, Headers, ProblemError
from service.web import console, error_pages, seat_cookie
from service.web.drawing import page
from service.web.forms import wrong

PAGES = error_pages.PAGES
DETAILS: Mapping[str, str] = {
    "token-missing": "This session is visible to its seats only.",
    "token-invalid": "This browser has removed it.",
    "malformed": "These parts are not valid:",
}
"""The detail on a page, for codes whose own detail is for programs."""


def answer(problem: ProblemError, headers: Headers | None = None) -> Response:
    """The page for whoever reads pages, the problem document for everyone else."""
    if request.blueprint == console.blueprint.name:
        return error_pages.answer(problem, headers)
    document = errors.problem_response(problem, headers)
    if not _is_for_people():
        return document
    kind = PROBLEMS[problem.code]
    response = page(
        "no.html",
        kind.status,
        title=kind.title,
        detail=DETAILS.get(problem.code, problem.detail),
        next=kind.advice,
        errors=wrong(problem),
        session=_session(),
        code=problem.code,
    )
    for name in ("Allow", "Retry-After", "WWW-Authenticate"):
        if name in document.headers:
            response.headers[name] = document.headers[name]
    if problem.code == "token-invalid" and COOKIE in request.cookies and _session():
        seat_cookie.delete(response, _session())
    return response


def _is_for_people() -> bool:
    if request.path.startswith("/v1/"):
        return False
    accepted = request.accept_mimetypes
    return (
        request.blueprint in current_app.extensions[PAGES]
        or accepted["text/html"] > accepted["application/json"]
    )


def _session() -> str:
    """The session that the address names, "" where it names none."""
    return str((request.view_args or {}).get("session", ""))
