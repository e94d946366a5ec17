"""Error pages: a failed request of a browser gets the console, which says what happened.

Programs, and everything under /v1, get a problem document. If the console is not built, or its
files cannot be read, a browser gets a small page that needs nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from flask import Response, current_app, g, request

from service.http import errors
from service.http.auth import COOKIE
from service.http.errors import PROBLEMS, Headers, ProblemError
from service.web import built_files, console, seat_cookie
from service.web.plain_page import plain_page

PAGES = "fairlog-pages"
"""The key of the names of the blueprints whose responses are pages, in the application."""
KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate")


def answer(problem: ProblemError, headers: Headers | None = None) -> Response:
    """Return a page to a browser, and the problem document to everyone else."""
    document = errors.problem_response(problem, headers)
    if not _is_for_people():
        return document
    response = error_page(problem)
    for name in KEPT_HEADERS:
        if name in document.headers:
            response.headers[name] = document.headers[name]
    if problem.code == "token-invalid" and COOKIE in request.cookies and _session():
        seat_cookie.delete(response, _session())
    return response


def error_page(problem: ProblemError) -> Response:
    """Return the console's page about the problem, or the plain page without the console."""
    kind = PROBLEMS[problem.code]
    facts = {
        "title": kind.title,
        "detail": problem.detail,
        "advice": kind.advice,
        "code": problem.code,
        "request": str(g.request_id),
    }
    body = _console_page(facts | {"session": _session()}) or plain_page(
        kind.title,
        problem.detail,
        kind.advice,
        f"Code {problem.code}, request {g.request_id}.",
    )
    return Response(body, kind.status, console.HEADERS, content_type="text/html; charset=utf-8")


def _console_page(facts: Mapping[str, str]) -> str:
    """Return the console with the facts in it, or "" if it cannot be read."""
    try:
        page = built_files.shell()
    except OSError:
        return ""
    told = msgspec.json.encode(facts).decode().replace("<", "\\u003c")
    block = f'<script type="application/json" id="problem">{told}</script>'
    return page.replace("</body>", f"{block}</body>")


def _is_for_people() -> bool:
    if request.path.startswith("/v1/"):
        return False
    accepted = request.accept_mimetypes
    return (
        request.blueprint in current_app.extensions[PAGES]
        or accepted["text/html"] > accepted["application/json"]
    )


def _session() -> str:
    """Return the session that the address names, or ""."""
    return str((request.view_args or {}).get("session", ""))
