"""HTTP responses: command results, JSON bodies and Link headers."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
from flask import Response, request, url_for
from msgspec import UNSET, UnsetType

from domain.recorded_event import RecordedEvent
from domain.ruleset import Message
from domain.session.state import Session
from domain.visibility import Viewer
from projections.timeline import timeline_lines
from service.http import auth, models
from service.http.conditional import expected_versions
from service.http.presenters import iso_time, rewinds, to_responses
from service.http.request_headers import note_replay, request_identity
from service.sessions.app import App
from service.sessions.command_handler import handle
from service.sessions.idempotency import CommandResult
from service.sessions.pending_draws import shared_draw, turn_events
from service.sessions.turns import deadline
from service.store.recorder import SideRows


def run_command(
    session: str, seat: str, command: Message, status: int = 201, side_rows: SideRows = ()
) -> Response:
    """Run the command for the seat and return the HTTP response.

    `side_rows` are stored in the same transaction as the command's events.
    """
    app = auth.services().app
    return command_response(
        app,
        handle(app, session, command, request_identity(seat), expected_versions(), side_rows),
        seat,
        status,
    )


def command_response(app: App, answer: CommandResult, seat: str, status: int = 201) -> Response:
    """Return a response with the command's events.

    The status is 202 if the command's draw is pending, that is, if seats must still contribute.
    Rewinds are looked up only for a repeated request, because the events of a new request cannot
    have been undone yet.
    """
    session = answer.session
    facts = list(answer.events) or app.log.read_events(session.id, answer.first - 1, answer.last)
    waiting = _waiting_draw(session, facts[-1])
    if waiting is UNSET and shared_draw(facts[-1]):
        facts[-1:] = turn_events(app, session, facts[-1])
    undoing = rewinds(app, session) if answer.repeated else ()
    if answer.repeated:
        note_replay()
    past = app.log.history(session.id)
    lines = timeline_lines(session.ruleset, facts, undoing, session.version, past.state)
    # The events may begin with a turn in which the house anchors its next chain.
    events = to_responses(past, session, Viewer(seat), facts, lines)
    body = models.TurnResponse(facts[-1].version, facts[-1].turn, events, answer.repeated, waiting)
    if waiting is UNSET:
        return json_response(body, status, version=session.version)
    response = json_response(body, 202, version=session.version)
    response.headers["Location"] = url_for("Draws.draw", session=session.id, draw=waiting.number)
    return response


def _waiting_draw(session: Session, last: RecordedEvent) -> models.Waiting | UnsetType:
    draw = shared_draw(last)
    if draw is None or session.pending is None or session.pending.k != draw.k:
        return UNSET
    return models.Waiting(
        draw.k, iso_time(deadline(session)), [seat for seat, _, _ in draw.contributors]
    )


def with_next_link(response: Response, after: int | UnsetType) -> Response:
    """Add a Link header for the next page, unless `after` is UNSET.

    The link is this request's URL with the new value of `after`.
    """
    if after is not UNSET and request.endpoint is not None:
        query: dict[str, Any] = {**(request.view_args or {}), **request.args, "after": after}
        address = url_for(request.endpoint, **query)
        response.headers["Link"] = f'<{address}>; rel="next"'
    return response


def json_response(
    body: msgspec.Struct, status: int = 200, *, version: int | None = None, variant: str = ""
) -> Response:
    """Return a JSON response with the body, and with `version`, if given, as the ETag.

    `variant` is what the body depends on besides the version. The ETag then ends in its hash.
    """
    response = Response(msgspec.json.encode(body), status, content_type="application/json")
    if version is not None:
        suffix = f".{sha256(variant.encode()).hexdigest()[:8]}" if variant else ""
        response.headers["ETag"] = f'"{version}{suffix}"'
    return response
