"""The queue of background jobs, stored on a Redis or Valkey server."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import redis
import rq
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.serializers import JSONSerializer

from service.jobs.definitions import FUNCTIONS, Job, JobKind
from service.platform.settings import Settings

QUEUE_NAME = "fairlog"
TIMEOUT_SECONDS = 0.2
"""The maximum number of seconds that a request waits for the queue server."""
MAX_RETRIES = 3
FAILED_JOB_TTL_SECONDS = 86_400


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


class Queue:
    """A thread-safe connection from this process to the job queue."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._queue: rq.Queue | None = None

    def address(self) -> str:
        return queue_address(self._settings)

    def enqueue(self, job: Job) -> None:
        """Enqueue the job unless it is already waiting or running.

        A failed job is put back into the queue with its full number of attempts. Raises
        QueueUnavailableError.
        """
        with self.reading() as queue:
            try:
                self._put(queue, job)
            except DuplicateJobError:
                registry = queue.failed_job_registry
                # If several processes retry a failed job, the one that removes it enqueues it.
                if not queue.connection.zrem(registry.key, job.name):
                    return
                with suppress(NoSuchJobError):
                    registry.remove(job.name, delete_job=True)
                with suppress(DuplicateJobError):
                    self._put(queue, job)

    def ping(self) -> bool:
        try:
            with self.reading() as queue:
                return bool(queue.connection.ping())
        except QueueUnavailableError:
            return False

    def depth(self) -> int:
        """Return the number of jobs waiting for a worker.

        Raises QueueUnavailableError.
        """
        with self.reading() as queue:
            return int(queue.count)

    @contextmanager
    def reading(self) -> Iterator[rq.Queue]:
        """Yield the RQ queue, and convert Redis errors to QueueUnavailableError."""
        try:
            yield self._connected()
        except redis.RedisError as error:
            self._queue = None  # the server may have a different address next time
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

    def _connected(self) -> rq.Queue:
        queue = self._queue
        if queue is None:
            client = redis.Redis.from_url(
                self.address(),
                socket_connect_timeout=TIMEOUT_SECONDS,
                socket_timeout=TIMEOUT_SECONDS,
                # Retry once without a pause, because the server may have been restarted.
                retry=Retry(NoBackoff(), 1, (redis.ConnectionError,)),
            )
            queue = self._queue = rq.Queue(QUEUE_NAME, connection=client, serializer=JSONSerializer)
        return queue
