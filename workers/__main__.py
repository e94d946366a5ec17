"""Entry point for the worker and the follower: `python -m workers worker|follow`."""

from __future__ import annotations

import gc
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path

import redis
import structlog
from redis.backoff import ExponentialBackoff
from redis.retry import Retry
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from projections.stores.errors import is_of_storage, unusable
from service.jobs.embedded_server import die_with_parent
from service.jobs.queue import (
    QUEUE_NAMES,
    QueueUnavailableError,
    queue_address,
)
from service.ops.migrate import find_missing
from service.platform import log_config
from service.platform.settings import InvalidSettingError, Settings
from workers.rq_worker import (
    MAINTENANCE_INTERVAL_SECONDS,
    MONITORING_INTERVAL_SECONDS,
    WORKER_TTL_SECONDS,
    NamedJob,
    ResilientWorker,
)
from workers.shutdown import Stop
from workers.statistics import missing_library

MIN_RETRY_PAUSE_SECONDS, MAX_RETRY_PAUSE_SECONDS = (
    0.1,
    2.0,
)  # seconds between attempts to reach the database or the queue server
QUEUE_RETRY = Retry(
    ExponentialBackoff(cap=0.4, base=0.05), 5, (redis.ConnectionError,)
)  # enough for a restart, about 1 s

log = structlog.get_logger("fairlog.workers")


def work(settings: Settings, stop: Stop) -> None:
    """Run jobs until `stop` is set.

    If the queue server restarts, reconnect to it, even if its address has changed.
    """
    _load()
    _share_as_nice()
    os.register_at_fork(after_in_child=die_with_parent)  # for the processes that run jobs
    logging.getLogger("rq.worker").addFilter(lambda record: "could not connect" not in record.msg)
    while not stop.is_set():
        client = _found(settings, stop)
        if client is not None:
            with client, suppress(redis.RedisError, StopRequested):
                try:
                    rq_worker(client, stop).work(logging_level="WARNING")
                finally:
                    stop.on_signals()  # RQ leaves its own handlers installed
        stop.wait(MIN_RETRY_PAUSE_SECONDS)


def _load() -> None:
    """Import the libraries that jobs need.

    Each job runs in a fork of this process and shares its memory, so each library is loaded only
    once.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a fork keeps only one thread
    import workers.jobs  # noqa: F401

    gc.collect()
    gc.freeze()


def _share_as_nice() -> None:
    """Give this process's autogroup the same niceness as the process itself.

    If sched_autogroup is enabled, Linux divides CPU time between process sessions. The niceness of
    a process then matters only within its own session.
    """
    if os.getsid(0) == os.getpid():  # otherwise, the session belongs to the process that started us
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(os.nice(0)))


def _is_migrated(settings: Settings, stop: Stop) -> bool:
    """Wait until all keys, files and tables exist, then return True.

    Return False if `stop` is set first.
    """
    for pause in stop.attempts(MIN_RETRY_PAUSE_SECONDS, MAX_RETRY_PAUSE_SECONDS):
        lacks = find_missing(settings)
        if not lacks:
            return True
        if pause == MIN_RETRY_PAUSE_SECONDS:
            log.warning(
                "waiting until `fairlog migrate` has been run",
                data=str(settings.data),
                missing=lacks,
            )
    return False


def rq_worker(client: redis.Redis, stop: Stop) -> ResilientWorker:
    worker = ResilientWorker(
        QUEUE_NAMES,
        connection=client,
        job_class=NamedJob,
        worker_ttl=WORKER_TTL_SECONDS,
        maintenance_interval=MAINTENANCE_INTERVAL_SECONDS,
        job_monitoring_interval=MONITORING_INTERVAL_SECONDS,
        log_job_description=False,
        serializer=JSONSerializer,
    )
    worker.stop = stop
    return worker


def _found(settings: Settings, stop: Stop) -> redis.Redis | None:
    """Wait until the queue server responds, then return a client for it.

    Return None if `stop` is set first.
    """
    for _ in stop.attempts(MIN_RETRY_PAUSE_SECONDS, MAX_RETRY_PAUSE_SECONDS):
        with suppress(redis.RedisError, QueueUnavailableError):
            client = redis.Redis.from_url(queue_address(settings), retry=QUEUE_RETRY)
            client.ping()
            return client
    return None


def main(arguments: list[str]) -> int:
    if arguments == ["worker"] and (lacking := missing_library()):
        print(f"Error: {lacking}", file=sys.stderr)
        return 1
    try:
        settings = Settings.read(os.environ)
    except InvalidSettingError as error:
        print(error, file=sys.stderr)
        return 2
    log_config.configure(settings.log)
    stop = Stop()
    stop.on_signals()
    while True:
        try:
            return _run(arguments, settings, stop)
        except Exception as error:
            if settings.is_on_postgres and is_of_storage(error):  # the server became unreachable
                log.warning(
                    "restarting after a storage error",
                    exception=repr(error),
                    retry_in=MIN_RETRY_PAUSE_SECONDS,
                )
                stop.wait(MIN_RETRY_PAUSE_SECONDS)
            elif place := unusable(error):
                print(f"Error: {place}", file=sys.stderr)
                return 1
            else:
                raise


def _run(arguments: list[str], settings: Settings, stop: Stop) -> int:
    """Run the worker or the follower until `stop` is set, and return the exit status."""
    match arguments:
        case ["worker"] if _is_migrated(settings, stop):
            work(settings, stop)
        case ["follow"] if _is_migrated(settings, stop):
            from workers.follower import follow  # the worker does not need it

            follow(settings, stop)
        case ["worker"] | ["follow"]:
            return 0
        case _:
            print("usage: python -m workers worker|follow", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
