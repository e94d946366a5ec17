"""What became of background work that was asked for, and how all of it does."""

from __future__ import annotations

from typing import Any

from flask import Response, url_for
from msgspec import UNSET

from projections.results import STATISTICS, name_of_audit, name_of_range
from service import backlog, jobs
from service.backlog import State
from service.bootstrap import App
from service.gamelog import Unknown
from service.http import auth
from service.http.answering import json
from service.http.events import iso, without_views
from service.http.openapi import Blueprint
from service.http.worked import JobShown, StatusShown, SweepShown
from service.jobs import TODO, Job, Kind
from service.queue import QueueAway
from service.status import status

blueprint = Blueprint("Jobs", __name__, description="Background work, and how it does.")


@blueprint.operation(
    "GET", "/v1/jobs/<job:job>", gives=JobShown, token="optional", problems=["queue-away"]
)
def job(job: str) -> Response:
    """Look at a job

    Everyone who may read its session may look at a job. When it is finished, read what it made at `result`.
    """
    found = jobs.named(job)
    if found is None:
        raise Unknown(job)
    auth.viewed(found.session)
    return json(shown(auth.edge().app, found))


@blueprint.operation("GET", "/v1/status", gives=StatusShown, token="none")
def background() -> Response:
    """Say how the background work does

    Whether the queue answers, what waits, runs and has failed, who works, how far the views are behind, and what to do
    about it.
    """
    app = auth.edge().app
    now = status(app.queue, app.views, app.log, app.settings.sweep)
    sweep = now.sweep
    swept = UNSET if sweep is UNSET else SweepShown(iso(sweep.at), sweep.statistics, sweep.audits)
    shown = StatusShown(
        now.queue,
        now.waiting,
        now.running,
        now.failed,
        now.workers,
        now.views,
        now.todo,
        swept,
    )
    return json(shown)


def shown(app: App, job: Job) -> JobShown:
    """Where the job is. Raises Unknown, QueueAway."""
    try:
        state = backlog.state(app.queue, job)
    except QueueAway:
        if not _is_made(app, job):
            raise
        state = None
    state = state or _past(app, job)
    todo = TODO[job.kind] if state.stage == "failed" else UNSET
    return JobShown(job.name, job.kind, state.stage, _result(job), state.progress, todo)


def _past(app: App, job: Job) -> State:
    """Return the state of a job that is not in the queue: finished if its result is stored.

    Otherwise the next sweep enqueues it. Raises Unknown.
    """
    if _is_made(app, job):
        return State("finished")
    if job.kind is not Kind.STATISTICS:
        raise Unknown(job.name)
    return State("waiting")


def _is_made(app: App, job: Job) -> bool:
    """Whether what the job makes is there, of the version that it was asked for at or a newer one."""
    with without_views():
        match job.kind, job.about:
            case Kind.STATISTICS, (str(session),):
                return app.views.results.version(session, STATISTICS) > 0
            case Kind.RANGE, (str(session), int(first), int() | None as last):
                made = app.views.results.version(session, name_of_range(first, last, undone=False))
                return made >= int(job.name.split("-")[2])
            case Kind.AUDIT, (str(session),):
                return (
                    app.views.results.version(session, name_of_audit(int(job.name.split("-")[2])))
                    > 0
                )
    return False


def _result(job: Job) -> str:
    """The address of what it makes."""
    match job.kind, job.about:
        case Kind.RANGE, (session, first, last):
            query: dict[str, Any] = {"from": first} if last is None else {"from": first, "to": last}
            return url_for("Statistics.statistics", session=session, **query)
        case Kind.AUDIT, (session,):
            return url_for("Audits.audits", session=session)
    return url_for("Statistics.statistics", session=job.session)
