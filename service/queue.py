"""The queue as the write side sees it: "this session has more", said after the commit, never failing a write."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from datetime import UTC, datetime

import redis
import rq
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq.serializers import JSONSerializer

from service.settings import Settings

NAME = "fairlog"
STATISTICS = "workers.jobs.statistics"  # by name: nothing is imported upwards
TIMEOUT = 0.2  # seconds that a hung server may cost a write
BREAK = 1.0  # seconds that a lost server costs no write anything
JOB_TIMEOUT = 60
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
        raise QueueAway(f"no address in {settings.queue_address_file}: is `fairlog serve` running?") from error


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

    def nudge(self, session_id: str) -> None:
        """Have the statistics of a session computed soon: one job for all nudges of a session in a bucket."""
        now = self._now()
        bucket = int(now // self._settings.statistics_bucket)
        job_id = f"statistics-{session_id}-{bucket}"
        if self._is_told(bucket, job_id):
            return
        if self._is_broken(now):
            self._lose()
            return
        try:
            self._enqueue(job_id, session_id, (bucket + 1) * self._settings.statistics_bucket)
        except (redis.RedisError, QueueAway):
            self._down_since, self._queue = now, None  # its next address may be another
            self._lose()
        else:
            self._down_since = None
            self._told.add(job_id)

    def ping(self) -> bool:
        try:
            return bool(self._connected().connection.ping())
        except (redis.RedisError, QueueAway):
            self._queue = None
            return False

    def depth(self) -> int:
        """Jobs that wait for a worker or for their time. Raises QueueAway."""
        try:
            queue = self._connected()
            return queue.count + int(queue.scheduled_job_registry.get_job_count(cleanup=False))
        except redis.RedisError as error:
            self._queue = None
            raise QueueAway(str(error)) from error

    def _is_told(self, bucket: int, job_id: str) -> bool:
        if bucket != self._bucket:
            self._bucket, self._told = bucket, set()
        return job_id in self._told

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

    def _enqueue(self, job_id: str, session_id: str, end: float) -> None:
        # At the end of the bucket the job sees all that was committed in it. RQ cuts to whole seconds, so round up.
        self._connected().enqueue_at(
            datetime.fromtimestamp(math.ceil(end), UTC),
            STATISTICS,
            session_id,
            job_id=job_id,
            job_timeout=JOB_TIMEOUT,
            result_ttl=0,
            failure_ttl=DAY,
            retry=rq.Retry(max=3, interval=[1, 10, 60]),
        )

    def _connected(self) -> rq.Queue:
        queue = self._queue
        if queue is None:
            client = redis.Redis.from_url(
                self.address(),
                socket_connect_timeout=TIMEOUT,
                socket_timeout=TIMEOUT,
                retry=Retry(NoBackoff(), 1, (redis.ConnectionError,)),  # a kept connection outlived its server
            )
            queue = self._queue = rq.Queue(NAME, connection=client, serializer=JSONSerializer)
        return queue
