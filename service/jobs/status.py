"""The status of background work, without error messages or the ids of unlisted sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from projections.registry import ReadModels
from projections.results import ALL_SESSIONS
from projections.runner import EventSource, NotMigratedError, lag
from projections.stores.errors import is_of_storage
from service.jobs import inspection
from service.jobs.definitions import REMEDIES, JobKind
from service.jobs.inspection import FailedJob, WorkerState
from service.jobs.queue import Queue, QueueUnavailableError
from service.platform import clock

SWEEP = "sweep"
"""The name under which the follower stores its latest sweep report."""
SWEEP_TOLERANCE_SECONDS = 15.0
"""If a sweep is overdue by more than this, the follower is reported as not running."""
QUEUE_AWAY = (
    "the queue server is unreachable. Sessions continue, but statistics are not updated. "
    "Start `fairlog serve` or the server at REDIS_URL"
)


class QueueContents(NamedTuple):
    waiting: int
    running: int
    failed: Sequence[FailedJob]
    workers: Sequence[WorkerState]

    @property
    def alive(self) -> list[WorkerState]:
        return [worker for worker in self.workers if worker.state != "stale"]


class SweepReport(msgspec.Struct, frozen=True):
    """The number of missing or outdated statistics and audits found by a sweep.

    `at` is the time of the sweep, in milliseconds since the epoch.
    """

    at: int
    statistics: int
    audits: int


class FailedJobs(msgspec.Struct, frozen=True):
    """The failed jobs of one kind."""

    kind: Annotated[JobKind, Meta(description="the kind of the jobs")]
    count: Annotated[int, Meta(description="the number of jobs that failed on every attempt")]
    action: Annotated[str, Meta(description="what the operator should do")]
    sessions: Annotated[
        tuple[str, ...],
        Meta(description="the ids of the jobs' sessions, but only of listed sessions"),
    ] = ()


class BackgroundStatus(msgspec.Struct, frozen=True):
    """The status of the background work.

    `waiting` and `running` are numbers of jobs. `views` maps each read model to the number of
    events that it still has to process. `actions` tells the operator how to fix each problem.
    """

    queue: Literal["ok", "away"]
    waiting: int
    running: int
    failed: tuple[FailedJobs, ...]
    workers: tuple[WorkerState, ...]
    views: dict[str, int]
    actions: tuple[str, ...]
    sweep: SweepReport | UnsetType = UNSET


def background_status(
    queue: Queue, models: ReadModels, log: EventSource, sweep_seconds: float
) -> BackgroundStatus:
    """Return the status of background work, even if the queue or a read model is unavailable."""
    lags, last, todo = read_lags(models, log), last_sweep(models), list[str]()
    try:
        work = read_queue(queue)
    except QueueUnavailableError:
        work = None
        todo.append(QUEUE_AWAY)
    failed = group_failures(work.failed, models) if work else ()
    if work and not work.alive:
        todo.append("no worker is running: start `fairlog serve` or `fairlog worker`")
    todo += [f"failed {each.kind} jobs ({each.count}): {each.action}" for each in failed]
    todo += describe_unreadable(models, lags)
    if last is UNSET or is_late(last, sweep_seconds):
        todo.append("no follower is running: start `fairlog serve` or `fairlog follow`")
    if work is None:
        return BackgroundStatus("away", 0, 0, (), (), lags, tuple(todo), last)
    workers = tuple(work.workers)
    return BackgroundStatus(
        "ok", work.waiting, work.running, failed, workers, lags, tuple(todo), last
    )


def read_queue(queue: Queue) -> QueueContents:
    """Return the state of the jobs and workers. Raises QueueUnavailableError."""
    running, failed = len(inspection.running_jobs(queue)), inspection.failed_jobs(queue)
    return QueueContents(
        queue.depth(), running, failed, inspection.known_workers(queue, clock.now())
    )


def read_lags(models: ReadModels, log: EventSource) -> dict[str, int]:
    """Return how many events each read model is behind the log.

    Read models that cannot be read are omitted.
    """
    lags = {}
    for model in models.followed:
        try:
            lags[model.name] = max(0, lag(log, model))
        except Exception as error:
            if not isinstance(error, NotMigratedError) and not is_of_storage(error):
                raise
    return lags


def describe_unreadable(models: ReadModels, lags: dict[str, int]) -> list[str]:
    return [
        f"cannot read the read model {model.name}: run `fairlog migrate`"
        for model in models.followed
        if model.name not in lags
    ]


def last_sweep(models: ReadModels) -> SweepReport | UnsetType:
    found = models.results.latest(ALL_SESSIONS, SWEEP)
    return UNSET if found is None else msgspec.json.decode(found.body, type=SweepReport)


def is_late(last: SweepReport, sweep_seconds: float) -> bool:
    """Return True if the last sweep is so old that no follower can be running."""
    return last.at < clock.now_ms() - 1000 * (sweep_seconds + SWEEP_TOLERANCE_SECONDS)


def group_failures(failed: Iterable[FailedJob], models: ReadModels) -> tuple[FailedJobs, ...]:
    """Group the failed jobs by kind. Leave out the ids of unlisted sessions."""
    jobs = sorted((each.job for each in failed), key=lambda job: job.kind)
    listed = models.sessions.listed_among(job.session for job in jobs)
    named = {
        kind: dict.fromkeys(job.session for job in jobs if job.kind is kind) for kind in JobKind
    }
    return tuple(
        FailedJobs(
            kind, count, REMEDIES[kind], tuple(each for each in named[kind] if each in listed)
        )
        for kind, count in Counter(job.kind for job in jobs).items()
    )
