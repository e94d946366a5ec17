"""`python -m workers worker` runs the queue's jobs; `python -m workers follow` keeps the views at the log's head."""

from __future__ import annotations

import logging
import os
import select
import signal
import sys
import threading
from contextlib import suppress

import redis
from redis.backoff import ExponentialBackoff
from redis.client import Pipeline
from redis.retry import Retry
from rq import Worker
from rq.exceptions import StopRequested
from rq.scheduler import RQScheduler
from rq.scripts import acquire_or_refresh_lock
from rq.serializers import JSONSerializer

from service.embedded import die_with_parent
from service.queue import NAME, QueueAway, address
from service.settings import BadSetting, Settings

FIRST, LAST = 0.1, 2.0  # seconds between two looks for the queue's server
TTL, MAINTENANCE, MONITORING = 30, 10, 5  # seconds; with RQ's own an abandoned job stays STARTED for 405
LOCK = 5  # seconds that a killed scheduler holds up the next; RQ's own are 61
PATIENCE = Retry(ExponentialBackoff(cap=0.4, base=0.05), 5, (redis.ConnectionError,))  # a restart, about 1 s


class Stop(threading.Event):
    """Set by SIGTERM and SIGINT. A pipe: a handler may interrupt an Event's own `wait`, which holds its lock."""

    def __init__(self) -> None:
        super().__init__()
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)

    def on_signals(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.set())

    def set(self) -> None:
        with suppress(BlockingIOError):
            os.write(self._writer, b".")

    def is_set(self) -> bool:
        return self.wait(0)

    def wait(self, timeout: float | None = None) -> bool:
        return bool(select.select([self._reader], [], [], timeout)[0])


class PatientScheduler(RQScheduler):
    """Moves jobs to the queue when their time has come. Outlives the queue's server, and soon follows a killed one."""

    @property
    def should_reacquire_locks(self) -> bool:
        return bool(self._queue_names != self.acquired_locks)

    def acquire_locks(self, auto_start: bool = False) -> set[str]:
        """Take or keep them for LOCK seconds, each in one step: at no moment would a kill leave RQ's own 61."""
        self._acquired_locks = {name for name in self._queue_names if self._holds(name)}
        self._scheduled_job_registries = []
        if auto_start and self._acquired_locks:
            self.start()  # type: ignore[no-untyped-call]
        return self._acquired_locks

    def heartbeat(self) -> None:
        self.register_birth()
        self.acquire_locks()

    def _holds(self, name: str) -> bool:
        key = RQScheduler.get_locking_key(name)
        return acquire_or_refresh_lock(self.connection, key, self.name, LOCK) != "taken"

    def work(self) -> None:
        while not self._stop_requested:
            with suppress(redis.ConnectionError):
                super().work()  # type: ignore[no-untyped-call]


class PatientWorker(Worker):
    """Leaves its loop when the server is gone, so that `work` finds the next one, perhaps at another address."""

    stop: Stop

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        try:
            super().heartbeat(timeout, pipeline)
        except redis.ConnectionError:
            raise StopRequested from None

    def request_stop(self, signum: int, frame: object) -> None:
        self.stop.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def teardown(self) -> None:
        try:
            super().teardown()  # type: ignore[no-untyped-call]
        except redis.RedisError:
            if self.pubsub_thread is not None:
                self.pubsub_thread.stop()

    def _start_scheduler(self, *_: object) -> None:
        self.scheduler = PatientScheduler(
            self.queues, connection=self.connection, logging_level=logging.WARNING, serializer=JSONSerializer
        )
        self.scheduler.start()  # type: ignore[no-untyped-call]


def work(settings: Settings, stop: Stop) -> None:
    """Run jobs until stopped, whatever becomes of the queue's server."""
    os.register_at_fork(after_in_child=die_with_parent)  # the scheduler's and the jobs' processes
    for name in ("rq.worker", "rq.scheduler"):
        logging.getLogger(name).addFilter(lambda record: "could not connect" not in record.msg)
    while not stop.is_set():
        stop.on_signals()  # RQ leaves its own behind
        client = _found(settings, stop)
        if client is not None:
            with client, suppress(redis.RedisError, StopRequested):
                _worker(client, stop).work(logging_level="WARNING", with_scheduler=True)
        stop.wait(FIRST)


def _worker(client: redis.Redis, stop: Stop) -> PatientWorker:
    worker = PatientWorker(
        [NAME],
        connection=client,
        worker_ttl=TTL,
        maintenance_interval=MAINTENANCE,
        job_monitoring_interval=MONITORING,
        log_job_description=False,
        serializer=JSONSerializer,
    )
    worker.stop = stop
    return worker


def _found(settings: Settings, stop: Stop) -> redis.Redis | None:
    """A client whose server answers; None once stopped."""
    delay = FIRST
    while not stop.is_set():
        with suppress(redis.RedisError, QueueAway):
            client = redis.Redis.from_url(address(settings), retry=PATIENCE)
            client.ping()
            return client
        stop.wait(delay)
        delay = min(2 * delay, LAST)
    return None


def main(arguments: list[str]) -> int:
    try:
        settings = Settings.read(os.environ)
    except BadSetting as error:
        print(error, file=sys.stderr)
        return 2
    stop = Stop()
    stop.on_signals()
    match arguments:
        case ["worker"]:
            work(settings, stop)
        case ["follow"]:
            from workers.follower import follow  # the worker needs none of it

            follow(settings, stop)
        case _:
            print("usage: python -m workers worker|follow", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
