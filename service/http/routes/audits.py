"""Audits: verifications of a session's log by a background job."""

from __future__ import annotations

import msgspec
from flask import Response, url_for

from domain.session.state import Session
from domain.visibility import Viewer
from projections.results import AUDITS, JobResult
from service.http import auth, models
from service.http.openapi import Blueprint
from service.http.presenters import read_models_optional
from service.http.responses import json_response
from service.http.routes.background import job_response
from service.http.routes.statistics import RETRY_SECONDS, hidden_turns
from service.jobs import definitions
from service.sessions.app import App

blueprint = Blueprint("Audits", __name__, tag="Proofs")


class StoredAudit(msgspec.Struct, frozen=True):
    valid: bool
    whole: bool
    report: msgspec.Raw


@blueprint.operation(
    "requestAudit",
    "POST",
    "/v1/sessions/<session:session>/audits",
    returns=models.JobView,
    status=202,
    problems=["queue-away", "refused"],
    sends=["Location", "Retry-After"],
    scope="play",
)
def audit(session: str) -> Response:
    """Audit the log.

    A worker verifies all events that are in the log now. `Location` is the job's address. The
    server also audits a session automatically when it closes.
    """
    seat = auth.require_seat(session)
    auth.current_head(session).session.by(seat)  # refuses a seat that has left
    app, job = auth.services().app, request_audit(session)
    response = json_response(job_response(app, job), 202)
    response.headers["Location"] = url_for("Background.job", job=job.name)
    response.headers["Retry-After"] = RETRY_SECONDS
    return response


def request_audit(session: str) -> definitions.Job:
    """Enqueue an audit of the session's log up to its current version.

    Raises UnknownSessionError, or the errors of `auth.request_job`.
    """
    job = definitions.audit(session, auth.current_head(session).session.version)
    auth.request_job(job)
    return job


@blueprint.operation(
    "listAudits",
    "GET",
    "/v1/sessions/<session:session>/audits",
    query=models.ViewerQuery,
    returns=models.Audits,
    token="optional",
    problems=["refused"],
)
def audits(session: str, query: models.ViewerQuery) -> Response:
    """List the audits.

    The response contains the stored reports, newest first. Each report covers the log that you
    could have exported at the report's version. It has the format of `fairlog verify --json`.
    """
    head, viewer = auth.session_for_viewer(session, query.through)
    return json_response(list_audits(auth.services().app, head.session, viewer))


def list_audits(app: App, session: Session, viewer: Viewer) -> models.Audits:
    """Return the stored audit reports that reveal nothing hidden from the viewer."""
    found = [
        _audit_view(result, session.version) for result in _stored_audits(app, session, viewer)
    ]
    return models.Audits(session.id, session.version, found)


def _stored_audits(app: App, session: Session, viewer: Viewer) -> list[JobResult]:
    hidden, kept = hidden_turns(session, viewer), list[JobResult]()
    with read_models_optional():
        for name in app.read_models.results.names(session.id, AUDITS):
            found = app.read_models.results.get(session.id, name, session.version, hidden)
            if found is not None:
                kept.append(found)
    return kept


def _audit_view(result: JobResult, head: int) -> models.AuditView:
    body = msgspec.json.decode(result.body, type=StoredAudit)
    return models.AuditView(
        result.version, result.version == head, body.valid, body.whole, body.report
    )
