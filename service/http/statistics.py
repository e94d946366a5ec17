"""The figures of a session, as the workers computed them for those who see what the viewer sees, and as of when."""

from __future__ import annotations

from flask import Response, url_for
from msgspec import UNSET, Raw

from domain.session.state import Session
from domain.view import Viewer, hidden
from projections.results import (
    STATISTICS,
    STATISTICS_WITH_UNDONE,
    Result,
    name_of_range,
)
from service import jobs
from service.bootstrap import App
from service.http import auth
from service.http.answering import json
from service.http.events import without_views
from service.http.given import Counting
from service.http.openapi import Blueprint
from service.http.problems import Problem
from service.http.shown import Pending, Statistics
from service.jobs import Job

RETRY_SECONDS = "2"

blueprint = Blueprint(
    "Statistics", __name__, description="What the evening's dice and points came to."
)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/statistics",
    query=Counting,
    gives=Statistics,
    token="optional",
    also={202: Pending},
    problems=["refused", "queue-away"],
)
def statistics(session: str, query: Counting) -> Response:
    """Read the statistics

    Of what you may see, as of `version`; `current` says whether that is the newest. Of some versions alone with `from`
    and `to`. While there are none yet, `Location` is the job that computes them.
    """
    app = auth.edge().app
    head, viewer = auth.viewed(session, query.through)
    version = head.session.version
    found, job = looked_up(app, head.session, viewer, query)
    if found is None:
        return pending(Pending(session, version, job.name), job)
    figures = Raw(found.body.encode())
    return json(Statistics(session, found.version, version, found.version == version, figures))


def look_up(app: App, session: Session, viewer: Viewer, query: Counting) -> Result | None:
    """The viewer's figures; those that are missing, or of a range and not of the head, are asked for."""
    return looked_up(app, session, viewer, query)[0]


def pending(body: Pending, job: Job) -> Response:
    """What is computed now, and where to look for it."""
    response = json(body, 202)
    response.headers["Location"] = url_for("Jobs.job", job=job.name)
    response.headers["Retry-After"] = RETRY_SECONDS
    return response


def looked_up(
    app: App, session: Session, viewer: Viewer, query: Counting
) -> tuple[Result | None, Job]:
    """With the job that makes them, asked for where there is need. Problem("malformed"), Problem("queue-away")."""
    first, last = _range(query, session.version)
    if first == 1 and last is None:
        found = _stored(
            app, session, viewer, STATISTICS_WITH_UNDONE if query.undone else STATISTICS
        )
        return found, jobs.statistics(session.id)  # the follower enqueues it
    found = _stored(app, session, viewer, name_of_range(first, last, undone=query.undone))
    job = jobs.statistics_of_range(session.id, session.version, first, last)
    if found is None or found.version < session.version:
        app.queue.enqueue(job)
    return found, job


def _range(query: Counting, head: int) -> tuple[int, int | None]:
    """The versions that are asked for, None for the head."""
    first = 1 if query.first is UNSET else query.first
    last = None if query.last is UNSET else query.last
    if max(first, last or 0) > head:
        wrong = "to" if last is not None and last > head else "from"
        raise Problem(
            "malformed", "The session has not come so far.", errors={wrong: [f"At most {head}."]}
        )
    if last is not None and first > last:
        raise Problem(
            "malformed", "That is no range.", errors={"to": [f"At least {first}, as `from`."]}
        )
    return first, last


def _stored(app: App, session: Session, viewer: Viewer, name: str) -> Result | None:
    """The viewer's, as things stand now and not as they stood when it was computed."""
    with without_views():
        return app.views.results.get(session.id, name, session.version, begun(session, viewer))
    return None


def begun(session: Session, viewer: Viewer) -> dict[int, int]:
    """The turns that are hidden from the viewer, with the version that each began at."""
    seals = session.secrets.seals
    return {turn: seals[turn].version for turn in hidden(session, viewer)}
