"""A no as a page: what happened in words, and what to do next. Under /v1, and for programs, it stays a problem."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, current_app, request

from service.console.door import forget
from service.console.drawing import page
from service.console.forms import wrong
from service.http import problems
from service.http.auth import COOKIE
from service.http.problems import PROBLEMS, Headers, Problem

PAGES = (
    "fairlog-pages"  # the names of the blueprints that hold pages, as the application keeps them
)
WORDS: Mapping[str, tuple[str, str]] = {
    "token-missing": (
        "This session is not open to everybody",
        "Its pages are for those who have a seat in it.",
    ),
    "token-unknown": ("This token is not known, or was revoked", "This browser has forgotten it."),
    "not-found": (
        "There is nothing here",
        "There is no such page or session, or it is not for you.",
    ),
    "malformed": ("The address asks for something strange", "These parts of it cannot be used:"),
    "key-reused": ("This form was sent before, with other words in it", "The first time counts."),
    "gm-only": (
        "This is not for your seat",
        "Only the GM and auditors look at what another seat sees.",
    ),
    "seat-unknown": ("There is no such seat", "The session has no seat of this name."),
}
"""Of a code or a rule: title and sentence, where the problem's own speak to programs."""
NEXT: Mapping[str, str] = {
    "token-missing": "It may be that there is no such session, or that it is open to its seats alone. "
    "If you have a seat, enter with its token.",
    "token-unknown": "Tokens end when a seat is taken anew, or when they are revoked. Enter with the seat's newest "
    "token, or ask the GM for a new invitation.",
    "not-found": "Look whether the address is complete. A session that is not listed is shown to its seats alone: "
    "where you have one, enter with its token.",
    "refused": "Nothing was changed. Go back and ask for something that the rules allow.",
    "malformed": "Nothing was changed. Go back and mend what is named here.",
    "key-reused": "What it began stands. To begin another, open the page of the form anew.",
    "method-not-allowed": "This address is read in another way: follow a link instead.",
    "forbidden": "Open the page itself and send its form from there.",
    "conflict": "Nothing was changed. Look at what came in between, and ask again if you mean it still.",
    "too-large": "Nothing was changed. Go back and send less.",
    "opening-key": "Who runs this server gives the key to those who may begin an evening. Go back, and type it in.",
    "too-many": "Nothing was changed. Wait a little, then try again.",
    "version-ahead": "Ask for a version that the session has reached.",
    "internal": "Try again in a moment. If it happens again, tell the operator the number of the request.",
    "queue-away": "Nothing is lost. The statistics of all versions are there; for others ask again when the "
    "page of the server's state says that the queue answers.",
    "unavailable": "Nothing is lost. Try again in a few seconds; the page of the server's state says what is away.",
}
OTHERWISE = "Nothing was changed. Go back, and try again."


def answer(problem: Problem, headers: Headers | None = None) -> Response:
    """The page for whoever reads pages, the problem document for everyone else."""
    document = problems.answer(problem, headers)
    if not _is_for_people():
        return document
    status, title = PROBLEMS[problem.code]
    title, detail = WORDS.get(str(problem.more.get("rule", problem.code)), (title, problem.detail))
    response = page(
        "no.html",
        status,
        title=title,
        detail=detail,
        next=NEXT.get(problem.code, OTHERWISE),
        errors=wrong(problem),
        session=_session(),
        code=problem.code,
    )
    for name in ("Allow", "Retry-After", "WWW-Authenticate"):
        if name in document.headers:
            response.headers[name] = document.headers[name]
    if problem.code == "token-unknown" and COOKIE in request.cookies and _session():
        forget(response, _session())
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
