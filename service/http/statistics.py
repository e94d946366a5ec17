"""The figures of a session, as the workers computed them for those who see what the viewer sees, and as of when."""

from __future__ import annotations

from flask import Response
from msgspec import Raw

from domain.session.state import Session
from domain.view import Viewer, hidden
from projections.results import STATISTICS, STATISTICS_WITH_UNDONE, Result
from service.bootstrap import App
from service.http import auth
from service.http.answering import json
from service.http.blueprint import Blueprint
from service.http.events import without_views
from service.http.given import Counting
from service.http.shown import Pending, Statistics

RETRY_SECONDS = "2"

blueprint = Blueprint("Statistics", __name__, description="What the evening's dice and points came to.")


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/statistics",
    query=Counting,
    gives=Statistics,
    token="optional",
    also={202: Pending},
    problems=["refused"],
)
def statistics(session: str, query: Counting) -> Response:
    """Read the statistics

    Of what you may see, as of `version`; `current` says whether that is the newest. While there are none yet, ask
    again.
    """
    app = auth.edge().app
    head, viewer = auth.viewed(session, query.through)
    found = _found(app, head.session, viewer, STATISTICS_WITH_UNDONE if query.undone else STATISTICS)
    version = head.session.version
    if found is None:
        app.queue.nudge(session)  # whatever became of the nudge that its events had
        response = json(Pending(session, version), 202)
        response.headers["Retry-After"] = RETRY_SECONDS
        return response
    figures = Raw(found.body.encode())
    return json(Statistics(session, found.version, version, found.version == version, figures))


def _found(app: App, session: Session, viewer: Viewer, name: str) -> Result | None:
    """The viewer's, as things stand now and not as they stood when it was computed."""
    seals = session.secrets.seals
    begun = {turn: seals[turn].version for turn in hidden(session, viewer)}
    with without_views():
        return app.views.results.get(session.id, name, session.version, begun)
    return None
