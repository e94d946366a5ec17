"""The figures of a session, as the workers computed them, and as of which version."""

from __future__ import annotations

from flask import Response
from msgspec import Raw

from projections.results import STATISTICS, Result
from service.bootstrap import App
from service.http import auth
from service.http.answering import json
from service.http.blueprint import Blueprint
from service.http.events import without_views
from service.http.shown import Pending, Statistics

RETRY_SECONDS = "2"

blueprint = Blueprint("Statistics", __name__, description="What the evening's dice and points came to.")


@blueprint.operation(
    "GET", "/v1/sessions/<session:session>/statistics", gives=Statistics, token="optional", also={202: Pending}
)
def statistics(session: str) -> Response:
    """Read the statistics

    As of `version`; `current` says whether that is the newest. While there are none yet, ask again.
    """
    app = auth.edge().app
    head = auth.viewed(session)[0].session.version
    found = _found(app, session)
    if found is None:
        app.queue.nudge(session)  # whatever became of the nudge that its events had
        response = json(Pending(session, head), 202)
        response.headers["Retry-After"] = RETRY_SECONDS
        return response
    figures = Raw(found.body.encode())
    return json(Statistics(session, found.version, head, found.version == head, figures))


def _found(app: App, session: str) -> Result | None:
    with without_views():
        return app.views.results.get(session, STATISTICS)
    return None
