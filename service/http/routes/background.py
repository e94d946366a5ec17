"""Background work: jobs, and the status of the server."""

from __future__ import annotations

from typing import Any

from flask import Response, url_for
from msgspec import UNSET

from projections.results import CAMPAIGN, STATISTICS, audit_name, range_name
from service.http import auth, models
from service.http.openapi import Blueprint
from service.http.presenters import iso_time, read_models_optional
from service.http.responses import json_response
from service.jobs import definitions, inspection
from service.jobs.definitions import REMEDIES, Job, JobKind
from service.jobs.inspection import JobState
from service.jobs.queue import QueueUnavailableError
from service.jobs.status import background_status
from service.sessions.app import App
from service.store.errors import UnknownSessionError

blueprint = Blueprint("Background", __name__, tag="Server")


@blueprint.operation(
    "getJob",
    "GET",
    "/v1/jobs/<job:job>",
    returns=models.JobView,
    token="optional",
    problems=["queue-away"],
)
def job(job: str) -> Response:
    """Read a job.

    Anyone who may read the job's session may read the job, and members may read that of their
    campaign with their personal token. When the job is finished, its result is
    at the URL in `result`.
    """
    found = definitions.parse_job_name(job)
    if found is None:
        raise UnknownSessionError(job)
    if found.kind is JobKind.CAMPAIGN:
        auth.require_member(found.session)
    else:
        auth.session_for_viewer(found.session)
    return json_response(job_response(auth.services().app, found))


@blueprint.operation("getStatus", "GET", "/v1/status", returns=models.StatusView, token="none")
def background() -> Response:
    """Read the status of background work.

    The response describes the queue, the jobs, the workers and the read models. `actions` tells the
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
        now.actions,
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
    if job.kind not in (JobKind.STATISTICS, JobKind.CAMPAIGN):
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
            case JobKind.CAMPAIGN, (str(campaign),):
                return app.read_models.results.version(campaign, CAMPAIGN) > 0
            case JobKind.RANGE, (str(session), int(first), int() | None as last):
                made = app.read_models.results.version(session, range_name(first, last))
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
            return url_for("Audits.audits", session=session)
        case JobKind.WEBHOOK, (session, webhook):
            return url_for("Webhooks.webhook", session=session, webhook=webhook)
        case JobKind.CAMPAIGN, (campaign,):
            return url_for("Campaigns.statistics", campaign=campaign)
    return url_for("Statistics.statistics", session=job.session)
