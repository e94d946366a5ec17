"""What lies in the queue: what waits, runs and how far it is, has failed for good; and to retry or discard that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

import msgspec
import rq
from msgspec import UNSET, UnsetType
from rq.exceptions import NoSuchJobError
from rq.job import Job as Stored
from rq.job import JobStatus
from rq.serializers import JSONSerializer
from rq.worker import BaseWorker

from service import jobs
from service.jobs import Job
from service.queue import DAY, Queue

Stage = Literal["waiting", "queued", "running", "finished", "failed"]
"""`waiting`: for its time, that of its next try too; `queued`: for a worker."""
STAGES: dict[JobStatus, Stage] = {
    JobStatus.SCHEDULED: "waiting",
    JobStatus.DEFERRED: "waiting",
    JobStatus.CREATED: "waiting",
    JobStatus.QUEUED: "queued",
    JobStatus.STARTED: "running",
    JobStatus.FINISHED: "finished",
}
QUIET = 60.0
"""Seconds without a heartbeat after which a worker is taken for dead."""

LOST = 15.0
"""Seconds without a heartbeat after which what a worker did is taken for lost; RQ's own look comes later."""


class Progress(msgspec.Struct, frozen=True):
    """How far a job is: `done` `of` so many, and what it is at."""

    done: int
    of: int
    what: str


class State(NamedTuple):
    stage: Stage
    progress: Progress | UnsetType = UNSET


class Failed(NamedTuple):
    """A job without a try left, and when it failed, seconds since 1970."""

    job: Job
    at: float


class Working(msgspec.Struct, frozen=True):
    """A worker: what it does, and how many seconds ago it was heard of."""

    state: Literal["idle", "busy", "quiet"]
    heard: float


def state(queue: Queue, job: Job) -> State | None:
    """Where the job is; None where the queue does not hold it, as one that is finished. Raises QueueAway."""
    with queue.reading() as held:
        try:
            stored = Stored.fetch(job.name, held.connection, serializer=JSONSerializer)
        except NoSuchJobError:
            return None
        return State(STAGES.get(stored.get_status(refresh=False), "failed"), _progress(stored))


def instead(queue: Queue, job: Job) -> Job | None:
    """The job that does the same for the one that was dropped beside it, or has failed at it. Raises QueueAway."""
    there = [*running(queue), *waiting(queue), *(each.job for each in failed(queue))]
    return next(
        (other for other in there if (other.kind, other.about) == (job.kind, job.about)), None
    )


def waiting(queue: Queue) -> list[Job]:
    """The jobs that wait for their time, then those that wait for a worker. Raises QueueAway."""
    with queue.reading() as held:
        return _named(
            [*held.scheduled_job_registry.get_job_ids(cleanup=False), *held.get_job_ids()]
        )


def running(queue: Queue) -> list[Job]:
    """Raises QueueAway."""
    with queue.reading() as held:
        return _named(held.started_job_registry.get_job_ids(cleanup=False))


def alive(queue: Queue, now: float) -> list[Job]:
    """Those that run and whose worker was heard of since, at a time in seconds since 1970. Raises QueueAway."""
    with queue.reading() as held:
        names = held.started_job_registry.get_job_ids(cleanup=False)
        stored = Stored.fetch_many(names, held.connection, serializer=JSONSerializer)
    heard = [(each.id, each.last_heartbeat) for each in stored if each is not None]
    return _named(
        [name for name, beat in heard if beat is not None and now - _aware(beat).timestamp() < LOST]
    )


def failed(queue: Queue) -> list[Failed]:
    """The jobs that have failed for good, the oldest first. Raises QueueAway."""
    with queue.reading() as held:
        registry = held.failed_job_registry
        rows: Any = held.connection.zrange(
            registry.key, 0, -1, withscores=True
        )  # the score is when it is forgotten
    found = [(jobs.named(registry.parse_job_id(name)), score - DAY) for name, score in rows]
    return [Failed(job, at) for job, at in found if job is not None]


def why(queue: Queue, job: Job) -> str:
    """The last line of what went wrong, for those who run the server alone: it may name anything. Raises QueueAway."""
    with queue.reading() as held:
        try:
            result = Stored.fetch(
                job.name, held.connection, serializer=JSONSerializer
            ).latest_result()
        except NoSuchJobError:
            return ""
    lines = (result.exc_string or "").strip().splitlines() if result else []
    return lines[-1] if lines else ""


def workers(queue: Queue, now: float, host: str = "") -> list[Working]:
    """Those that the queue's server knows, at a time in seconds since 1970; of `host` alone. Raises QueueAway."""
    with queue.reading() as held:
        known = [
            each
            for each in rq.Worker.all(connection=held.connection)
            if host in ("", each.hostname)
        ]
    beats = [
        (each, now - _aware(each.last_heartbeat).timestamp())
        for each in known
        if each.last_heartbeat
    ]
    return [Working(_doing(each, age), round(max(0.0, age), 1)) for each, age in beats]


def retry(queue: Queue, chosen: Sequence[Job]) -> None:
    """Puts failed jobs into the queue anew, with all their tries. Raises QueueAway."""
    for job in chosen:
        queue.ask(job)


def discard(queue: Queue, chosen: Sequence[Job]) -> None:
    """Forgets failed jobs. Raises QueueAway."""
    with queue.reading() as held:
        for job in chosen:
            try:
                held.failed_job_registry.remove(job.name, delete_job=True)
            except NoSuchJobError:  # forgotten already
                continue


def _named(names: Sequence[str]) -> list[Job]:
    return [job for job in map(jobs.named, names) if job is not None]


def _progress(stored: Stored) -> Progress | UnsetType:
    try:
        return msgspec.convert(stored.meta, Progress)
    except msgspec.ValidationError:  # nothing was said yet
        return UNSET


def _doing(worker: BaseWorker, age: float) -> Literal["idle", "busy", "quiet"]:
    if age > QUIET:
        return "quiet"
    return "busy" if worker.get_state() == "busy" else "idle"


def _aware(beat: datetime) -> datetime:
    return beat if beat.tzinfo else beat.replace(tzinfo=UTC)
