"""Background work: jobs, log audits, and the status of the server."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response, url_for
from msgspec import UNSET

from domain.session.state import Session
from domain.visibility import Viewer
from projections.results import AUDITS, STATISTICS, JobResult, audit_name, range_name
from service.http import auth, models
from service.http.openapi import Blueprint
from service.http.presenters import iso_time, read_models_optional
from service.http.responses import json_response
from service.http.routes.statistics import RETRY_SECONDS, hidden_turns
from service.jobs import definitions, inspection
from service.jobs.definitions import REMEDIES, Job, JobKind
from service.jobs.inspection import JobState
from service.jobs.queue import QueueUnavailableError
from service.jobs.status import background_status
from service.sessions.app import App
from service.store.errors import UnknownSessionError

blueprint = Blueprint(
    "Background",
    __name__,
    description="Background jobs, log audits, and the status of the server.",
)


@blueprint.operation(
    "GET", "/v1/jobs/<job:job>", returns=models.JobView, token="optional", problems=["queue-away"]
)
def job(job: str) -> Response:
    """Read a job.

    Anyone who may read the job's session may read the job. When the job is finished, its result is
    at the URL in `result`.
    """
    found = definitions.parse_job_name(job)
    if found is None:
        raise UnknownSessionError(job)
    auth.session_for_viewer(found.session)
    return json_response(job_response(auth.services().app, found))


@blueprint.operation("GET", "/v1/status", returns=models.StatusView, token="none")
def background() -> Response:
    """Read the status of background work.

    The response describes the queue, the jobs, the workers and the read models. `todo` tells the
    operator how to fix problems.
    """
    app = auth.services().app
    now = background_status(app.queue, app.read_models, app.log, app.settings.sweep)
    sweep = now.sweep
    swept = (
        UNSET
        if sweep is UNSET
        else models.SweepView(iso_time(sweep.at), sweep.statistics, sweep.audits)
    )
    shown = models.StatusView(
        now.queue,
        now.waiting,
        now.running,
        now.failed,
        now.workers,
        now.views,
        now.todo,
        swept,
    )
    return json_response(shown)


def job_response(app: App, job: Job) -> models.JobView:
    """Return the state of a job. Raises UnknownSessionError or QueueUnavailableError."""
    try:
        state = inspection.job_state(app.queue, job)
    except QueueUnavailableError:
        if not _is_stored(app, job):
            raise
        state = None
    state = state or _state_outside_queue(app, job)
    todo = REMEDIES[job.kind] if state.stage == "failed" else UNSET
    return models.JobView(job.name, job.kind, state.stage, _result(job), state.progress, todo)


def _state_outside_queue(app: App, job: Job) -> JobState:
    """Return the state of a job that is not in the queue.

    If its result is stored, the job is finished. Otherwise, the next sweep enqueues it. Raises
    UnknownSessionError for a job that no sweep enqueues.
    """
    if _is_stored(app, job):
        return JobState("finished")
    if job.kind is not JobKind.STATISTICS:
        raise UnknownSessionError(job.name)
    return JobState("waiting")


def _is_stored(app: App, job: Job) -> bool:
    """Return True if the job's result is stored.

    A result for a newer version than requested also counts.
    """
    with read_models_optional():
        match job.kind, job.about:
            case JobKind.STATISTICS, (str(session),):
                return app.read_models.results.version(session, STATISTICS) > 0
            case JobKind.RANGE, (str(session), int(first), int() | None as last):
                made = app.read_models.results.version(
                    session, range_name(first, last, undone=False)
                )
                return made >= int(job.name.split("-")[2])
            case JobKind.AUDIT, (str(session),):
                return (
                    app.read_models.results.version(
                        session, audit_name(int(job.name.split("-")[2]))
                    )
                    > 0
                )
    return False


def _result(job: Job) -> str:
    """Return the address of the job's result."""
    match job.kind, job.about:
        case JobKind.RANGE, (session, first, last):
            query: dict[str, Any] = {"from": first} if last is None else {"from": first, "to": last}
            return url_for("Statistics.statistics", session=session, **query)
        case JobKind.AUDIT, (session,):
            return url_for("Background.audits", session=session)
    return url_for("Statistics.statistics", session=job.session)


class StoredAudit(msgspec.Struct, frozen=True):
    valid: bool
    whole: bool
    report: msgspec.Raw


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/audits",
    returns=models.JobView,
    status=202,
    problems=["queue-away", "refused"],
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
