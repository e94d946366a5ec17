"""Inspection of the job queue: lists jobs and workers, and handles failed jobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import redis
import rq
from msgspec import UNSET, Meta, UnsetType
from rq.exceptions import NoSuchJobError
from rq.job import Job as Stored, JobStatus
from rq.serializers import JSONSerializer
from rq.worker import BaseWorker

from service.jobs import definitions
from service.jobs.definitions import Job
from service.jobs.queue import FAILED_JOB_TTL_SECONDS, Queue

Stage = Literal["waiting", "queued", "running", "finished", "failed"]
"""The next sweep will enqueue a `waiting` job. A `queued` job is waiting for a worker."""
STAGES: dict[JobStatus, Stage] = {
    JobStatus.QUEUED: "queued",
    JobStatus.STARTED: "running",
    JobStatus.FINISHED: "finished",
}
STALE_SECONDS = 60.0
"""A worker that has sent no heartbeat for this many seconds no longer counts as running."""

LOST_SECONDS = 15.0
"""`fairlog doctor worker` fails if the last heartbeat was more than this many seconds ago."""


class JobProgress(msgspec.Struct, frozen=True):
    """The progress of a job."""

    done: Annotated[int, Meta(description="the number of steps completed so far")]
    total: Annotated[int, Meta(description="the total number of steps")]
    description: Annotated[str, Meta(description="a description of the current step in words")]


class JobState(NamedTuple):
    stage: Stage
    progress: JobProgress | UnsetType = UNSET


class FailedJob(NamedTuple):
    """A job that failed on every attempt.

    `at` is the time of the last failure, in seconds since the epoch.
    """

    job: Job
    at: float


class WorkerState(msgspec.Struct, frozen=True):
    """A worker's state."""

    state: Annotated[
        Literal["idle", "busy", "stale"],
        Meta(
            description="whether the worker is idle, runs a job (`busy`), or has sent no heartbeat "
            "for more than 60 seconds (`stale`)"
        ),
    ]
    last_seen_seconds: Annotated[
        float,
        Meta(
            description="the number of seconds since the worker's last heartbeat, rounded to one "
            "decimal place"
        ),
    ]


def job_state(queue: Queue, job: Job) -> JobState | None:
    """Return the job's state, or None if the job is not in a queue.

    Raises QueueUnavailableError.
    """
    with queue.reading() as queues:
        try:
            stored = Stored.fetch(job.name, queues.play.connection, serializer=JSONSerializer)
            status = stored.get_status(refresh=False)
        except (NoSuchJobError, ValueError):  # ValueError: Fairlog did not write this entry
            return None
        return JobState(STAGES.get(status, "failed"), _progress(stored))


def waiting_jobs(queue: Queue) -> list[Job]:
    """Return the jobs that are waiting for a worker, in queue order.

    Raises QueueUnavailableError.
    """
    with queue.reading() as queues:
        return [job for each in queues for job in _parse_names(each.get_job_ids())]


def running_jobs(queue: Queue) -> list[Job]:
    """Return the jobs that workers are running. Raises QueueUnavailableError."""
    with queue.reading() as queues:
        started = [each.started_job_registry.get_job_ids(cleanup=False) for each in queues]
    return [job for names in started for job in _parse_names(names)]


def failed_jobs(queue: Queue) -> list[FailedJob]:
    """Return the jobs that failed on every attempt, oldest failure first.

    Raises QueueUnavailableError.
    """
    found = []
    with queue.reading() as queues:
        for registry in (each.failed_job_registry for each in queues):
            # A job's score is the time at which the queue server deletes it.
            rows: Any = registry.connection.zrange(registry.key, 0, -1, withscores=True)
            found += [(score, registry.parse_job_id(name)) for name, score in rows]
    named = [(definitions.parse_job_name(name), score) for score, name in sorted(found)]
    return [FailedJob(job, score - FAILED_JOB_TTL_SECONDS) for job, score in named if job]


def last_error(queue: Queue, job: Job) -> str:
    """Return the last line of the job's error message, or "" if there is none.

    Only the operator may see the line, because it may contain secrets from a session. Raises
    QueueUnavailableError.
    """
    with queue.reading() as queues:
        try:
            result = Stored.fetch(
                job.name, queues.play.connection, serializer=JSONSerializer
            ).latest_result()
        except NoSuchJobError:
            return ""
    lines = (result.exc_string or "").strip().splitlines() if result else []
    return lines[-1] if lines else ""


def known_workers(queue: Queue, now: float, host: str = "") -> list[WorkerState]:
    """Return the state of every worker, or only of the workers on the machine `host`.

    `now` is in seconds since the epoch. Raises QueueUnavailableError.
    """
    with queue.reading() as queues:
        known = [each for each in _workers(queues.play.connection) if host in ("", each.hostname)]
    beats = [
        (each, now - _with_timezone(each.last_heartbeat).timestamp())
        for each in known
        if each.last_heartbeat
    ]
    return [WorkerState(_worker_state(each, age), round(max(0.0, age), 1)) for each, age in beats]


def retry(queue: Queue, chosen: Sequence[Job]) -> None:
    """Put failed jobs back into the queue, each with its full number of attempts.

    Raises QueueUnavailableError.
    """
    for job in chosen:
        queue.enqueue(job)


def discard(queue: Queue, chosen: Sequence[Job]) -> None:
    """Delete failed jobs from the queue. Raises QueueUnavailableError."""
    with queue.reading() as queues:
        for job in chosen:
            with suppress(NoSuchJobError):  # another process discarded it
                queues.for_job(job).failed_job_registry.remove(job.name, delete_job=True)


def _parse_names(names: Sequence[str]) -> list[Job]:
    return [job for job in map(definitions.parse_job_name, names) if job is not None]


def _progress(stored: Stored) -> JobProgress | UnsetType:
    try:
        return msgspec.convert(stored.meta, JobProgress)
    except msgspec.ValidationError:  # the job has not reported its progress yet
        return UNSET


def _workers(connection: redis.Redis) -> Iterator[BaseWorker]:
    for key in rq.Worker.all_keys(connection):
        with suppress(ValueError):  # Fairlog did not write this entry
            if worker := rq.Worker.find_by_key(key, connection):
                yield worker


def _worker_state(worker: BaseWorker, age: float) -> Literal["idle", "busy", "stale"]:
    if age > STALE_SECONDS:
        return "stale"
    return "busy" if worker.get_state() == "busy" else "idle"


def _with_timezone(beat: datetime) -> datetime:
    return beat if beat.tzinfo else beat.replace(tzinfo=UTC)
