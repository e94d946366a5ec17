"""The state of the background work, as anyone may read it: no unlisted session, no error text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from projections.registry import ReadModels
from projections.results import ALL
from projections.runner import Log, NotMigratedError, lag
from projections.stores.errors import is_of_storage
from service.jobs import inspection
from service.jobs.definitions import TODO, Kind
from service.jobs.inspection import Failed, Working
from service.jobs.queue import Queue, QueueUnavailable
from service.platform import clock

SWEEP = "sweep"
"""The name of the last sweep's result, which belongs to no session."""
LATE_SECONDS = 15.0
"""How late a sweep may be."""
AWAY = (
    "the queue does not answer: play goes on, statistics wait; "
    "start `fairlog serve`, or the server that REDIS_URL names"
)


class Work(NamedTuple):
    """The jobs and the workers that the queue server knows."""

    waiting: int
    running: int
    failed: Sequence[Failed]
    workers: Sequence[Working]

    @property
    def alive(self) -> list[Working]:
        return [worker for worker in self.workers if worker.state != "quiet"]


class Swept(msgspec.Struct, frozen=True):
    """What the last sweep found behind, at a time in ms since 1970."""

    at: int
    statistics: int
    audits: int


class Failures(msgspec.Struct, frozen=True):
    """The failed jobs of a kind, what to do, and which listed sessions they are of."""

    kind: Kind
    count: int
    todo: str
    sessions: tuple[str, ...] = ()


class Status(msgspec.Struct, frozen=True):
    """The state of the background work.

    `waiting`: jobs that wait for a worker. `views`: the lag of each view in events.
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


def status(queue: Queue, views: ReadModels, log: Log, sweep_seconds: float) -> Status:
    """Return the status, also while the queue or a view is unavailable."""
    lags, last, todo = read_lags(views, log), swept(views), list[str]()
    try:
        work = read_work(queue)
    except QueueUnavailable:
        work = None
        todo.append(AWAY)
    failed = failures(work.failed, views) if work else ()
    if work and not work.alive:
        todo.append("no worker is running: start `fairlog serve` or `fairlog worker`")
    todo += [f"{each.count} failed ({each.kind}): {each.todo}" for each in failed]
    todo += missing_views(views, lags)
    if last is UNSET or is_late(last, sweep_seconds):
        todo.append("no follower is running: start `fairlog serve` or `fairlog follow`")
    if work is None:
        return Status("away", 0, 0, (), (), lags, tuple(todo), last)
    workers = tuple(work.workers)
    return Status("ok", work.waiting, work.running, failed, workers, lags, tuple(todo), last)


def read_work(queue: Queue) -> Work:
    """Raises QueueAway."""
    running, failed = len(inspection.running(queue)), inspection.failed(queue)
    return Work(queue.depth(), running, failed, inspection.workers(queue, clock.now()))


def read_lags(views: ReadModels, log: Log) -> dict[str, int]:
    """Return how many events each view is behind the log. Views that cannot be read are missing."""
    lags = {}
    for view in views.followed:
        try:
            lags[view.name] = max(0, lag(log, view))
        except Exception as error:
            if not isinstance(error, NotMigratedError) and not is_of_storage(error):
                raise
    return lags


def missing_views(views: ReadModels, lags: dict[str, int]) -> list[str]:
    return [
        f"the view {view.name} cannot be read: run `fairlog migrate`"
        for view in views.followed
        if view.name not in lags
    ]


def swept(views: ReadModels) -> Swept | UnsetType:
    """Return what the last sweep found, or UNSET before the first."""
    found = views.results.latest(ALL, SWEEP)
    return UNSET if found is None else msgspec.json.decode(found.body, type=Swept)


def is_late(last: Swept, sweep_seconds: float) -> bool:
    """Return True if a running follower would have swept since."""
    return last.at < clock.now_ms() - 1000 * (sweep_seconds + LATE_SECONDS)


def failures(failed: Iterable[Failed], views: ReadModels) -> tuple[Failures, ...]:
    """Count the failed jobs by kind. Only listed sessions are named."""
    jobs = sorted((each.job for each in failed), key=lambda job: job.kind)
    listed = views.sessions.listed_among(job.session for job in jobs)
    named = {kind: dict.fromkeys(job.session for job in jobs if job.kind is kind) for kind in Kind}
    return tuple(
        Failures(kind, count, TODO[kind], tuple(each for each in named[kind] if each in listed))
        for kind, count in Counter(job.kind for job in jobs).items()
    )
