"""The sweep, which enqueues a job for every result that is missing or out of date."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import msgspec

from projections.results import ALL_SESSIONS, AUDITS, CAMPAIGN, STATISTICS, JobResult
from service.jobs import definitions, inspection
from service.jobs.definitions import Job, JobKind
from service.jobs.queue import QueueUnavailableError, TooManyJobsError
from service.jobs.status import SWEEP, SweepReport
from service.platform import clock
from service.sessions.app import App
from service.sessions.campaigns import campaigns_of

RETRY_PAUSE_SECONDS = 120.0
"""How long the sweep waits before it re-enqueues a job after all attempts have failed."""


def sweep(app: App) -> SweepReport:
    """Enqueue a job for each result that is missing or out of date.

    Store and return a report with the number of outdated statistics and missing audits. Jobs that
    are already in the queue are not enqueued a second time. If the queue is unavailable, only the
    report is stored, and the next sweep enqueues the jobs.
    """
    behind = [*_statistics(app), *_audits(app), *_campaigns(app)]
    count = Counter(job.kind for job in behind)
    swept = SweepReport(clock.now_ms(), count[JobKind.STATISTICS], count[JobKind.AUDIT])
    app.read_models.results.put(
        JobResult(ALL_SESSIONS, SWEEP, swept.at, msgspec.json.encode(swept).decode())
    )
    with suppress(QueueUnavailableError):
        for job in _missing(app, behind):
            with suppress(TooManyJobsError):  # the next sweep tries again
                app.queue.enqueue(job)
    return swept


def _statistics(app: App) -> list[Job]:
    done = app.read_models.results.versions(STATISTICS)
    heads = app.read_models.sessions.heads()
    return [
        definitions.statistics(each) for each, head in heads.items() if done.get(each, 0) < head
    ]


def _audits(app: App) -> list[Job]:
    """Return an audit job for each closed session not yet audited at its last version."""
    done = app.read_models.results.newest(AUDITS)
    closed = app.read_models.sessions.closed()
    return [
        definitions.audit(each, head) for each, head in closed.items() if done.get(each, 0) < head
    ]


def _campaigns(app: App) -> list[Job]:
    """Return a job for each campaign whose people, sessions or seats have changed."""
    done = app.read_models.results.newest(CAMPAIGN)
    revisions = campaigns_of(app).revisions()
    return [
        definitions.campaign(each)
        for each, revision in revisions.items()
        if done.get(each, 0) < revision
    ]


def _missing(app: App, wanted: list[Job]) -> list[Job]:
    """Return the `wanted` jobs that are not in the queue and did not fail recently.

    Raises QueueUnavailableError if the queue cannot be used.
    """
    if not wanted:
        return []
    limit = clock.now() - RETRY_PAUSE_SECONDS
    failed = [each.job for each in inspection.failed_jobs(app.queue) if each.at > limit]
    there = {*inspection.waiting_jobs(app.queue), *inspection.running_jobs(app.queue), *failed}
    return [job for job in wanted if job not in there]
