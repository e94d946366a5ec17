"""The queue as the write side sees it: "this session has more", said after the commit, never failing a write."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any

import redis
import rq
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.serializers import JSONSerializer

from service import jobs
from service.jobs import FUNCTIONS, Job, Kind
from service.settings import Settings

NAME = "fairlog"
STATISTICS = FUNCTIONS[Kind.STATISTICS]
TIMEOUT = 0.2  # seconds that a hung server may cost a write
BREAK = 1.0  # seconds that a lost server costs no write anything
DAY = 86_400


class QueueAway(Exception):
    """The queue's server has no address yet, or does not answer."""


def address(settings: Settings) -> str:
    """REDIS_URL, or where `fairlog serve` says that its own server is. Raises QueueAway."""
    if settings.redis_url:
        return settings.redis_url
    try:
        return settings.queue_address_file.read_text()
    except OSError as error:
        raise QueueAway(
            f"no address in {settings.queue_address_file}: is `fairlog serve` running?"
        ) from error


class Queue:
    """Nudges for the workers. One per process; safe between threads."""

    def __init__(self, settings: Settings, now: Callable[[], float]) -> None:
        """`now`: seconds since 1970, from service/sources.py."""
        self.lost = 0  # nudges that no server took; the sweep finds what they meant
        self._settings = settings
        self._now = now
        self._lock = threading.Lock()
        self._queue: rq.Queue | None = None
        self._down_since: float | None = None
        self._bucket = 0
        self._told: set[str] = set()

    def address(self) -> str:
        return address(self._settings)

    def nudge(self, session: str) -> Job:
        """Have the statistics of a session computed soon: one job for all nudges of a session in a bucket."""
        bucket, end = self._bucket_of(self._settings.statistics_bucket)
        return self._soon(jobs.statistics(session, bucket), end)

    def nudge_audit(self, session: str, head: int) -> Job:
        """Have a session's log checked soon, once for each version."""
        _, end = self._bucket_of(self._settings.statistics_bucket)
        return self._soon(jobs.audit(session, head), end)

    def ask(self, job: Job) -> None:
        """Have it done as soon as a worker can, once where it is asked for again meanwhile. Raises QueueAway."""
        with self.reading() as queue:
            try:
                self._put(queue, job)
            except DuplicateJobError:
                self._again(queue, job)

    def ping(self) -> bool:
        try:
            with self.reading() as queue:
                return bool(queue.connection.ping())
        except QueueAway:
            return False

    def depth(self) -> int:
        """Jobs that wait for a worker or for their time. Raises QueueAway."""
        with self.reading() as queue:
            return queue.count + int(queue.scheduled_job_registry.get_job_count(cleanup=False))

    @contextmanager
    def reading(self) -> Iterator[rq.Queue]:
        """The queue itself. Raises QueueAway."""
        try:
            yield self._connected()
        except redis.RedisError as error:
            self._queue = None  # its next address may be another
            raise QueueAway(str(error)) from error

    def _bucket_of(self, seconds: float) -> tuple[int, float]:
        """The bucket of time that it is now, and its end."""
        bucket = int(self._now() // seconds)
        return bucket, (bucket + 1) * seconds

    def _soon(self, job: Job, end: float) -> Job:
        """Once in a statistics bucket of this process, and never failing."""
        now = self._now()
        if self._is_told(int(now // self._settings.statistics_bucket), job.name):
            return job
        if self._is_broken(now):
            self._lose()
            return job
        try:
            self._enqueue(job, end)
        except (redis.RedisError, QueueAway):
            self._down_since, self._queue = now, None
            self._lose()
        else:
            self._down_since = None
            self._told.add(job.name)
        return job

    def _is_told(self, bucket: int, name: str) -> bool:
        if bucket != self._bucket:
            self._bucket, self._told = bucket, set()
        return name in self._told

    def _is_broken(self, now: float) -> bool:
        """True for a second after each failure; then one thread tries while the others pass by."""
        with self._lock:
            since = self._down_since
            if since is None:
                return False
            if 0 <= now - since < BREAK:  # a clock set back must not keep it broken
                return True
            self._down_since = now
            return False

    def _lose(self) -> None:
        with self._lock:
            self.lost += 1

    def _enqueue(self, job: Job, end: float) -> None:
        # At the end of the bucket the job sees all that was committed in it. RQ cuts to whole seconds, so round up.
        due = datetime.fromtimestamp(math.ceil(end), UTC)
        self._connected().enqueue_at(due, FUNCTIONS[job.kind], *job.about, **self._ways(job))

    def _again(self, queue: rq.Queue, job: Job) -> None:
        """A job of that name is there: where it has failed it is put in anew, with all its tries."""
        registry = queue.failed_job_registry
        if not queue.connection.zrem(
            registry.key, job.name
        ):  # it waits or runs, or another puts it in just now
            return
        with suppress(NoSuchJobError):
            registry.remove(job.name, delete_job=True)
        with suppress(DuplicateJobError):
            self._put(queue, job)

    def _put(self, queue: rq.Queue, job: Job) -> None:
        queue.enqueue(FUNCTIONS[job.kind], *job.about, unique=True, **self._ways(job))

    def _ways(self, job: Job) -> dict[str, Any]:
        settings = self._settings
        seconds = settings.audit_timeout if job.kind is Kind.AUDIT else settings.job_timeout
        return {
            "job_id": job.name,
            "job_timeout": math.ceil(seconds),
            "result_ttl": 0,
            "failure_ttl": DAY,
            "retry": rq.Retry(max=3, interval=[1, 10, 60]),
        }

    def _connected(self) -> rq.Queue:
        queue = self._queue
        if queue is None:
            client = redis.Redis.from_url(
                self.address(),
                socket_connect_timeout=TIMEOUT,
                socket_timeout=TIMEOUT,
                retry=Retry(
                    NoBackoff(), 1, (redis.ConnectionError,)
                ),  # a kept connection outlived its server
            )
            queue = self._queue = rq.Queue(NAME, connection=client, serializer=JSONSerializer)
        return queue
