"""How a turn is answered: one call of `handle`, then its events as they may be seen."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, request, url_for
from msgspec import UNSET, UnsetType

from domain.fact import Fact
from domain.ruleset import Message
from domain.session.state import Session
from domain.view import Viewer
from projections.timeline import lines_of
from service.answers import Answer
from service.bootstrap import App
from service.drawn import shared, turn_since
from service.handle import handle
from service.http import auth
from service.http.asking import asked, expected
from service.http.events import iso, rewinds, shown
from service.http.shown import Turn, Waiting
from service.storage.recording import SideRows
from service.taking import deadline


def write(
    session: str, seat: str, command: Message, status: int = 201, side_rows: SideRows = ()
) -> Response:
    """One command of a seat, with what is written beside its events, and its answer."""
    app = auth.edge().app
    return told(
        app, handle(app, session, command, asked(seat), expected(), side_rows), seat, status
    )


def told(app: App, answer: Answer, seat: str, status: int = 201) -> Response:
    """What a command became, for the one who asked: 202 with the declaration alone while its draw waits for seats.

    A first answer is at the head: nothing of it can be undone.
    """
    session = answer.session
    facts = list(answer.facts) or app.log.facts(session.id, answer.first - 1, answer.last)
    waiting = _waiting(session, facts[-1])
    if waiting is UNSET and shared(facts[-1]):
        facts[-1:] = turn_since(app, session, facts[-1])
    undoing = rewinds(app, session) if answer.repeated else ()
    lines = lines_of(
        session.room, facts, undoing, session.version, app.log.history(session.id).state
    )
    # In front of the command's own turn the house's may stand: the anchor of its next chain.
    events = shown(app, session, Viewer(seat), facts, lines)
    body = Turn(facts[-1].version, facts[-1].turn, events, answer.repeated, waiting)
    if waiting is UNSET:
        return json(body, status, version=session.version)
    response = json(body, 202, version=session.version)
    response.headers["Location"] = url_for("Draws.draw", session=session.id, k=waiting.k)
    return response


def _waiting(session: Session, last: Fact) -> Waiting | UnsetType:
    """The draw that the last fact of an answer waits for."""
    draw = shared(last)
    if draw is None or session.pending is None or session.pending.k != draw.k:
        return UNSET
    return Waiting(draw.k, iso(deadline(session)), [seat for seat, _, _ in draw.contributors])


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
