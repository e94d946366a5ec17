"""The route that lists a session's events."""

from __future__ import annotations

import msgspec
from flask import Response, request
from msgspec import UNSET

from service.http import auth, models
from service.http.openapi import JSON, NDJSON, Blueprint
from service.http.presenters import events_page
from service.http.responses import json_response, with_next_link
from service.http.routes.sessions import head_at

blueprint = Blueprint("Events", __name__, tag="Events")


@blueprint.operation(
    "listEvents",
    "GET",
    "/v1/sessions/<session:session>/events",
    query=models.EventsQuery,
    returns={JSON: models.Events, NDJSON: models.Event},
    token="optional",
    problems=["refused"],
    sends=["ETag"],
)
def events(session: str, query: models.EventsQuery) -> Response:
    """Read the events.

    The response contains the events after version `after`, in order. With `last`, it contains the
    newest events instead. With `at`, it contains only events up to that version, with the texts
    that they had then. With `Accept: application/x-ndjson`, each line of the response is an event.
    """
    app = auth.services().app
    found, viewer = auth.session_for_viewer(session, query.through)
    head = found.session
    then = head if query.version is UNSET else head_at(app, found, query.version)
    limit = min(query.limit if query.last is UNSET else query.last, app.settings.page)
    after = query.after if query.last is UNSET else max(query.after, then.version - limit)
    shown = events_page(app, head, viewer, after, limit, then, leaves=query.leaves)
    last = shown[-1].version if shown else after
    more = last if last < then.version and shown else UNSET
    if request.accept_mimetypes.best_match((JSON, NDJSON)) == NDJSON:
        lines = b"".join(msgspec.json.encode(event) + b"\n" for event in shown)
        response = Response(lines, content_type=NDJSON)
    else:
        response = json_response(models.Events(then.version, shown, more))
    response.headers["ETag"] = f'"{then.version}"'
    return with_next_link(response, more)
