"""How a turn is answered: one call of `handle`, then its events as they may be seen."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, request, url_for
from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.view import Viewer
from projections.timeline import lines_of
from service.answers import Answer
from service.bootstrap import App
from service.handle import handle
from service.http import auth
from service.http.asking import asked, expected
from service.http.events import rewinds, shown
from service.http.shown import Turn
from service.storage.sqlite import Beside


def write(session: str, seat: str, command: Message, status: int = 201, beside: Beside = ()) -> Response:
    """One command of a seat, with what is written beside its events, and its answer."""
    app = auth.edge().app
    return told(app, handle(app, session, command, asked(seat), expected(), beside), seat, status)


def told(app: App, answer: Answer, seat: str, status: int = 201) -> Response:
    """What a command became, for the one who asked. A first answer is at the head: nothing of it can be undone."""
    session = answer.session
    facts = app.log.facts(session.id, answer.first - 1, answer.last)
    undoing = rewinds(app, session) if answer.repeated else ()
    lines = lines_of(session.room, facts, undoing, session.version, app.log.past(session.id).state)
    # In front of the command's own turn the house's may stand: the anchor of its next chain.
    body = Turn(answer.last, facts[-1].turn, shown(app, session, Viewer(seat), facts, lines), answer.repeated)
    return json(body, status, version=session.version)


def with_next(response: Response, after: int | UnsetType) -> Response:
    """The answer with the address of the page behind it: the request's own, after the last that it holds."""
    if after is not UNSET and request.endpoint is not None:
        query: dict[str, Any] = {**(request.view_args or {}), **request.args, "after": after}
        address = url_for(request.endpoint, **query)
        response.headers["Link"] = f'<{address}>; rel="next"'
    return response


def json(body: msgspec.Struct, status: int = 200, *, version: int | None = None) -> Response:
    """The struct as a JSON answer, with the session's version as its ETag."""
    response = Response(msgspec.json.encode(body), status, content_type="application/json")
    if version is not None:
        response.headers["ETag"] = f'"{version}"'
    return response
