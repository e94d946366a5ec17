"""Finds what a lost queue or a failed job left undone, and asks for it again: statistics and audits."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import NamedTuple

import msgspec

from projections.results import ALL, AUDITS, STATISTICS, Result, name_of_audit
from service import backlog, sources
from service.backlog import Failed
from service.bootstrap import App
from service.jobs import Job, Kind
from service.queue import QueueAway
from service.status import SWEEP, Swept

REST = 600.0
"""Seconds before what has failed for good is asked for once more."""


About = tuple[str | int | None, ...]


class Want(NamedTuple):
    """Work that is missing for a session whose newest version is `head`."""

    kind: Kind
    about: About
    head: int = 0


def sweep(app: App) -> Swept:
    """What lags, having asked for all of it that nothing in the queue is about. Needs no queue to look."""
    wants = [*_statistics(app), *_audits(app)]
    count = {kind: sum(want.kind is kind for want in wants) for kind in Kind}
    swept = Swept(sources.now_ms(), count[Kind.STATISTICS], count[Kind.AUDIT])
    app.views.results.put(Result(ALL, SWEEP, swept.at, msgspec.json.encode(swept).decode()))
    with suppress(QueueAway):  # the next sweep finds them again
        for want in _unasked(app, wants):
            _ask(app, want)
    return swept


def _statistics(app: App) -> list[Want]:
    done = app.views.results.versions(STATISTICS)
    heads = app.views.sessions.heads()
    return [
        Want(Kind.STATISTICS, (session,), head)
        for session, head in heads.items()
        if done.get(session, 0) < head
    ]


def _audits(app: App) -> list[Want]:
    """Of closed sessions whose newest report is not of their head."""
    done = app.views.results.newest(AUDITS)
    closed = app.views.sessions.closed()
    return [
        Want(Kind.AUDIT, (session,), head)
        for session, head in closed.items()
        if done.get(session, 0) < head
    ]


def _unasked(app: App, wants: list[Want]) -> list[Want]:
    """Those that no job in the queue is about, nor one that failed lately; failures made good are forgotten."""
    failed = backlog.failed(app.queue)
    wanted = {(want.kind, want.about) for want in wants}
    rested = [
        each for each in failed if each.job[::2] in wanted and sources.now() - each.at >= REST
    ]
    done = [each for each in failed if _is_done(app, each, wanted)]
    backlog.discard(app.queue, [each.job for each in {*rested, *done}])
    there = [*backlog.waiting(app.queue), *backlog.alive(app.queue, sources.now())]
    there += [each.job for each in failed if each not in rested]
    busy = {(job.kind, job.about) for job in there}
    return [want for want in wants if (want.kind, want.about) not in busy]


def _is_done(app: App, failed: Failed, wanted: Collection[tuple[Kind, About]]) -> bool:
    """Whether what it was to make is there by now."""
    match failed.job:
        case Job(Kind.AUDIT, name, (str(session),)):
            return (
                app.views.results.version(session, name_of_audit(int(name.rpartition("-")[2]))) > 0
            )
        case Job(Kind.RANGE):
            return False
        case Job(kind, _, about):
            return (kind, about) not in wanted


def _ask(app: App, want: Want) -> None:
    match want:
        case Want(Kind.AUDIT, (str(session),), head):
            app.queue.nudge_audit(session, head)
        case Want(Kind.STATISTICS, (str(session),)):
            app.queue.nudge(session)
