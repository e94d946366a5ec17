"""The checks of a session's log that this server made and kept, each as its reader's own `fairlog verify` has it."""

from __future__ import annotations

import msgspec
from flask import Response, url_for

from domain.session.state import Session
from domain.view import Viewer
from projections.results import AUDITS, Result
from service import jobs
from service.bootstrap import App
from service.http import auth
from service.http.answering import json
from service.http.events import without_views
from service.http.given import Sight
from service.http.jobs import shown
from service.http.openapi import Blueprint
from service.http.statistics import RETRY_SECONDS, begun
from service.http.worked import Audits, AuditShown, JobShown

blueprint = Blueprint(
    "Audits", __name__, description="The log, checked here; trust the check that you run yourself."
)


class Checked(msgspec.Struct, frozen=True):
    """The body of a result."""

    valid: bool
    whole: bool
    report: msgspec.Raw


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/audits",
    gives=JobShown,
    status=202,
    problems=["queue-away"],
)
def audit(session: str) -> Response:
    """Have the log checked

    In the background, as of now; `Location` is the job. A session that closes is checked anyway.
    """
    auth.seated(session)
    app, job = auth.edge().app, ask(session)
    response = json(shown(app, job), 202)
    response.headers["Location"] = url_for("Jobs.job", job=job.name)
    response.headers["Retry-After"] = RETRY_SECONDS
    return response


def ask(session: str) -> jobs.Job:
    """Asks the queue for a check of the session as it is now. Raises Unknown, QueueAway."""
    job = jobs.audit(session, auth.brought(session).session.version)
    auth.edge().app.queue.enqueue(job)
    return job


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/audits",
    query=Sight,
    gives=Audits,
    token="optional",
    problems=["refused"],
)
def audits(session: str, query: Sight) -> Response:
    """Read the audits

    The newest reports that are kept, each as `fairlog verify` gives it for the log that you can take home.
    """
    head, viewer = auth.viewed(session, query.through)
    return json(audits_of(auth.edge().app, head.session, viewer))


def audits_of(app: App, session: Session, viewer: Viewer) -> Audits:
    """The reports that are kept for whoever sees as much as the viewer."""
    found = [_shown(result, session.version) for result in _kept(app, session, viewer)]
    return Audits(session.id, session.version, found)


def _kept(app: App, session: Session, viewer: Viewer) -> list[Result]:
    hidden, kept = begun(session, viewer), list[Result]()
    with without_views():
        for name in app.views.results.names(session.id, AUDITS):
            found = app.views.results.get(session.id, name, session.version, hidden)
            if found is not None:
                kept.append(found)
    return kept


def _shown(result: Result, head: int) -> AuditShown:
    body = msgspec.json.decode(result.body, type=Checked)
    return AuditShown(result.version, result.version == head, body.valid, body.whole, body.report)
