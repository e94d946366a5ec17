"""The sweep: enqueues a job for every result that is behind the log. The log decides, not the queue."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import msgspec

from projections.results import ALL, AUDITS, STATISTICS, Result
from service import backlog, jobs, sources
from service.bootstrap import App
from service.jobs import Job, Kind
from service.queue import QueueAway
from service.status import SWEEP, Swept

RETRY_PAUSE_SECONDS = 120.0
"""How long a job that failed on all its attempts rests before the sweep enqueues it again."""


def sweep(app: App) -> Swept:
    """Enqueue what is behind and is not in the queue yet; store and return what is behind.

    If the queue is away, only store it: the next sweep finds the same and more.
    """
    behind = [*_statistics(app), *_audits(app)]
    count = Counter(job.kind for job in behind)
    swept = Swept(sources.now_ms(), count[Kind.STATISTICS], count[Kind.AUDIT])
    app.views.results.put(Result(ALL, SWEEP, swept.at, msgspec.json.encode(swept).decode()))
    with suppress(QueueAway):
        for job in _missing(app, behind):
            app.queue.enqueue(job)
    return swept


def _statistics(app: App) -> list[Job]:
    done = app.views.results.versions(STATISTICS)
    heads = app.views.sessions.heads()
    return [jobs.statistics(each) for each, head in heads.items() if done.get(each, 0) < head]


def _audits(app: App) -> list[Job]:
    """Return the audits of closed sessions that have no report of their last version."""
    done = app.views.results.newest(AUDITS)
    closed = app.views.sessions.closed()
    return [jobs.audit(each, head) for each, head in closed.items() if done.get(each, 0) < head]


def _missing(app: App, wanted: list[Job]) -> list[Job]:
    """Leave out the jobs that wait, run, or have failed a moment ago. Raises QueueAway."""
    if not wanted:
        return []
    limit = sources.now() - RETRY_PAUSE_SECONDS
    failed = [each.job for each in backlog.failed(app.queue) if each.at > limit]
    there = {*backlog.waiting(app.queue), *backlog.running(app.queue), *failed}
    return [job for job in wanted if job not in there]
