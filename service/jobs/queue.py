"""The queue of background jobs, stored on a Redis or Valkey server."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

import redis
import rq
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job as StoredJob, JobStatus
from rq.serializers import JSONSerializer

from service.jobs.definitions import FUNCTIONS, Job, JobKind
from service.platform import clock
from service.platform.settings import Settings

QUEUE_NAME, REQUESTED_QUEUE_NAME = "fairlog", "fairlog-requested"
QUEUE_NAMES = QUEUE_NAME, "fairlog-webhooks", REQUESTED_QUEUE_NAME
"""The names of the RQ queues, in the order in which workers serve them."""
MAX_REQUESTED, MAX_REQUESTED_PER_SESSION = 1000, 8
"""The maximum number of requested jobs that may wait, in total and per session and kind."""
TIMEOUT_SECONDS = 1.0
"""The maximum number of seconds that a request for a job waits for the queue server.

A busy disk can stop the server for some tenths of a second.
"""
MAX_RETRIES = 3
FAILED_JOB_TTL_SECONDS = 86_400
START_SECONDS = 10.0
"""A job that is in no queue is lost if it was enqueued earlier than this and has not started."""


class QueueUnavailableError(Exception):
    """The queue server's address is unknown, or the server does not respond."""


def queue_address(settings: Settings) -> str:
    """Return REDIS_URL or, if it is unset, the address of the embedded queue server.

    Raises QueueUnavailableError if the file with that address cannot be read.
    """
    if settings.redis_url:
        return settings.redis_url
    try:
        return settings.queue_address_file.read_text()
    except OSError as error:
        raise QueueUnavailableError(
            f"cannot read the queue server's address from {settings.queue_address_file}."
            " Start `fairlog serve` or set REDIS_URL."
        ) from error


class TooManyJobsError(Exception):
    """Too many requested jobs are waiting for workers, for this session or in total."""


class RankedQueues(NamedTuple):
    """The RQ queues, in the order in which workers serve them.

    `play` contains the jobs that compute the statistics of sessions and campaigns, and `webhooks`
    those that send events to webhooks. `requested` contains the jobs that readers ask for:
    statistics for a range of versions, and audits. Workers serve it last, so that requests do not
    delay the other jobs.
    """

    play: rq.Queue
    webhooks: rq.Queue
    requested: rq.Queue

    def for_job(self, job: Job) -> rq.Queue:
        match job.kind:
            case JobKind.STATISTICS | JobKind.CAMPAIGN:
                return self.play
            case JobKind.WEBHOOK:
                return self.webhooks
            case JobKind.RANGE | JobKind.AUDIT:
                return self.requested


class Queue:
    """A thread-safe connection from this process to the job queues."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._queues: RankedQueues | None = None

    def address(self) -> str:
        return queue_address(self._settings)

    def enqueue(self, job: Job) -> None:
        """Enqueue the job unless it is already waiting or running.

        A failed job is put back into the queue with its full number of attempts. Raises
        QueueUnavailableError, or TooManyJobsError if too many requested jobs are waiting.
        """
        with self.reading() as queues:
            queue = queues.for_job(job)
            if queue is queues.requested:
                running = queue.started_job_registry.get_job_ids(cleanup=False)
                if job.name not in running:
                    _expect_space(queue.get_job_ids(), job)
            try:
                self._put(queue, job)
            except DuplicateJobError:
                self._retry_failed(queues, job)
                _requeue_lost(queue, job)

    def _retry_failed(self, queues: RankedQueues, job: Job) -> None:
        queue = queues.for_job(job)
        # Version 0.1.0 had only the queue `play`, so the job may have failed there.
        for registry in (each.failed_job_registry for each in queues):
            # If several processes retry a failed job, the one that removes it enqueues it.
            if queue.connection.zrem(registry.key, job.name):
                with suppress(NoSuchJobError):
                    registry.remove(job.name, delete_job=True)
                with suppress(DuplicateJobError):
                    self._put(queue, job)
                return

    def ping(self) -> bool:
        try:
            with self.reading() as queues:
                return bool(queues.play.connection.ping())
        except QueueUnavailableError:
            return False

    def depth(self) -> int:
        """Return the number of jobs waiting for a worker.

        Raises QueueUnavailableError.
        """
        with self.reading() as queues:
            return sum(queue.count for queue in queues)

    @contextmanager
    def reading(self) -> Iterator[RankedQueues]:
        """Yield the RQ queues, and convert Redis errors to QueueUnavailableError."""
        try:
            yield self._connected()
        except redis.RedisError as error:
            self._queues = None  # the server may have a different address next time
            raise QueueUnavailableError(str(error)) from error

    def _put(self, queue: rq.Queue, job: Job) -> None:
        """Enqueue the job.

        Raises DuplicateJobError if the queue already contains a job with the same name.
        """
        settings = self._settings
        seconds = settings.audit_timeout if job.kind is JobKind.AUDIT else settings.job_timeout
        queue.enqueue(
            FUNCTIONS[job.kind],
            *job.about,
            job_id=job.name,
            unique=True,
            job_timeout=math.ceil(seconds),
            result_ttl=0,
            failure_ttl=FAILED_JOB_TTL_SECONDS,
            # There are no pauses between attempts, because they would need RQ's scheduler.
            retry=rq.Retry(max=MAX_RETRIES),
        )

    def _connected(self) -> RankedQueues:
        queues = self._queues
        if queues is None:
            client = redis.Redis.from_url(
                self.address(),
                socket_connect_timeout=TIMEOUT_SECONDS,
                socket_timeout=TIMEOUT_SECONDS,
                # Retry once without a pause, because the server may have been restarted.
                retry=Retry(NoBackoff(), 1, (redis.ConnectionError,)),
            )
            queues = self._queues = RankedQueues(
                *(
                    rq.Queue(name, connection=client, serializer=JSONSerializer)
                    for name in QUEUE_NAMES
                )
            )
        return queues


def _requeue_lost(queue: rq.Queue, job: Job) -> None:
    """Put the job back into the queue if a worker took it but was killed before starting it.

    RQ cannot take a job from one of several queues and record the worker in a single step. If a
    worker takes the job at this moment, the job runs twice, which is harmless.
    """
    try:
        stored = StoredJob.fetch(job.name, queue.connection, serializer=JSONSerializer)
    except (NoSuchJobError, ValueError):  # finished meanwhile, or not written by Fairlog
        return
    since = stored.enqueued_at
    is_overdue = since is not None and since.timestamp() < clock.now() - START_SECONDS
    is_queued = stored.get_status(refresh=False) == JobStatus.QUEUED
    if is_queued and is_overdue and queue.get_job_position(job.name) is None:
        queue.push_job_id(job.name)


def _expect_space(waiting: Sequence[str], job: Job) -> None:
    """Raise TooManyJobsError if too many requested jobs are waiting, unless `job` is one of them.

    The limit per session applies to each kind of job separately. Otherwise, anyone could block the
    audits of a listed session by requesting its statistics for many ranges.
    """
    of_session = sum(name.startswith(f"{job.kind}-{job.session}") for name in waiting)
    is_full = len(waiting) >= MAX_REQUESTED or of_session >= MAX_REQUESTED_PER_SESSION
    if is_full and job.name not in waiting:
        raise TooManyJobsError
