"""How the background work does, as anybody may know it: no session that is not listed, no exception's words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from projections.results import ALL
from projections.views import NotMigrated, lag
from service import backlog, sources
from service.backlog import Failed, Working
from service.bootstrap import App
from service.jobs import TODO, Kind
from service.queue import QueueAway

SWEEP = "sweep"
"""The name of what the last sweep found, among the results of no session."""
LATE = 15.0
"""Seconds, beside the settings' own, that a sweep or a statistics job may be late."""

AWAY = "the queue is away: play goes on, statistics wait; start `fairlog serve`, or the server that REDIS_URL names"


class Swept(msgspec.Struct, frozen=True):
    """What the last sweep found behind, at a time in ms since 1970."""

    at: int
    statistics: int
    audits: int


class Failures(msgspec.Struct, frozen=True):
    """The failed jobs of a kind, what to do, and of the sessions that they are of the listed ones."""

    kind: Kind
    count: int
    todo: str
    sessions: tuple[str, ...] = ()


class Status(msgspec.Struct, frozen=True):
    """`waiting`: jobs for a worker or for their time. `views`: how far each is behind the log, in events.

    `todo`: what the operator can do about what is wrong.
    """

    queue: Literal["ok", "away"]
    waiting: int
    running: int
    failed: tuple[Failures, ...]
    workers: tuple[Working, ...]
    views: dict[str, int]
    todo: tuple[str, ...]
    sweep: Swept | UnsetType = UNSET


def status(app: App) -> Status:
    """Raises nothing for a queue that is away, nor for views that are not made."""
    views, last = _views(app), swept(app)
    try:
        waiting, running = app.queue.depth(), len(backlog.running(app.queue))
        failed, workers = _failed(app), tuple(backlog.workers(app.queue, sources.now()))
    except QueueAway:
        away = (AWAY, *_of_views(app, views, last))
        return Status("away", 0, 0, (), (), views, away, last)
    todo = (*_of_queue(failed, workers), *_of_views(app, views, last))
    return Status("ok", waiting, running, failed, workers, views, todo, last)


def failures(failed: Iterable[Failed], listed: frozenset[str]) -> tuple[Failures, ...]:
    """By kind, with no session but the listed ones."""
    by_kind = groupby(
        sorted(failed, key=lambda each: each.job.kind), key=lambda each: each.job.kind
    )
    found = []
    for kind, alike in by_kind:
        jobs = [each.job for each in alike]
        sessions = dict.fromkeys(job.session for job in jobs if job.session in listed)
        found.append(Failures(kind, len(jobs), TODO[kind], tuple(filter(None, sessions))))
    return tuple(found)


def _failed(app: App) -> tuple[Failures, ...]:
    failed = backlog.failed(app.queue)
    return failures(
        failed, app.views.sessions.listed_among(each.job.session or ALL for each in failed)
    )


def _views(app: App) -> dict[str, int]:
    """Those that can be read."""
    behind = {}
    for view in app.views.followed:
        try:
            behind[view.name] = max(0, lag(app.log, view))
        except NotMigrated:
            continue
    return behind


def swept(app: App) -> Swept | UnsetType:
    """What the last sweep found; absent where there was none."""
    found = app.views.results.latest(ALL, SWEEP)
    return UNSET if found is None else msgspec.json.decode(found.body, type=Swept)


def _of_queue(failed: Sequence[Failures], workers: Sequence[Working]) -> Iterable[str]:
    if all(worker.state == "quiet" for worker in workers):
        yield "no worker is heard of: start `fairlog serve`, or `fairlog worker`"
    for each in failed:
        yield f"{each.count} failed ({each.kind}): {each.todo}"


def is_late(app: App, last: Swept | UnsetType) -> bool:
    """Whether a follower at work would have swept since."""
    return last is UNSET or last.at < sources.now_ms() - 1000 * (app.settings.sweep + LATE)


def _of_views(app: App, views: dict[str, int], last: Swept | UnsetType) -> Iterable[str]:
    for view in app.views.followed:
        if view.name not in views:
            yield f"the view {view.name} is not made: `fairlog migrate`"
    if is_late(app, last):
        yield "no follower has swept lately: start `fairlog serve`, or `fairlog follow`"
