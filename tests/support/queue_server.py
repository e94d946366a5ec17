"""A real queue for tests: its server, and a worker that does in this process what lies in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
import rq
from rq.serializers import JSONSerializer

from service.jobs.embedded_server import EmbeddedQueueServer
from service.jobs.queue import QUEUE_NAME, QUEUE_NAMES
from service.platform.settings import Settings
from tests.support.queue_servers import VALKEY, program


def server_of(settings: Settings, queue: str = VALKEY) -> EmbeddedQueueServer:
    """A server for those settings, not started, by the program that is named: the lock's Valkey or Debian's Redis."""
    server = EmbeddedQueueServer(settings)
    server.binary = program(queue)
    return server


@contextmanager
def serving(folder: Path, queue: str = VALKEY) -> Iterator[EmbeddedQueueServer]:
    """The queue's server of a data directory; to be used from the thread that starts it."""
    server = server_of(Settings.read({"FAIRLOG_DATA": str(folder)}), queue)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def beside(folder: Path, queue: str) -> Iterator[dict[str, str]]:
    """What `fairlog serve` is told of it: nothing of the one that it starts itself, the address of any other."""
    if queue == VALKEY:
        yield {}
    else:
        with serving(folder, queue) as server:
            yield {"REDIS_URL": server.address}


@contextmanager
def queue_of(server: EmbeddedQueueServer, name: str = QUEUE_NAME) -> Iterator[rq.Queue]:
    with redis.Redis.from_url(server.address) as client:
        yield rq.Queue(name, connection=client, serializer=JSONSerializer)


def work(server: EmbeddedQueueServer) -> int:
    """Run all jobs of all queues, and return how many they were."""
    with redis.Redis.from_url(server.address) as client:
        queues = [
            rq.Queue(name, connection=client, serializer=JSONSerializer) for name in QUEUE_NAMES
        ]
        jobs = int(sum(queue.count for queue in queues))
        worker = rq.SimpleWorker(queues, connection=client, serializer=JSONSerializer)
        worker.log_job_description = False
        worker.work(burst=True, logging_level="ERROR")
    return jobs


def fail(server: EmbeddedQueueServer, *names: str) -> None:
    """Has these jobs tried until they have failed for good; they are of sessions or data that nobody has."""
    with queue_of(server) as queue:
        for name in names:
            job = rq.job.Job.fetch(name, queue.connection, serializer=JSONSerializer)
            job.retries_left = 0
            job.func_name = "workers.jobs.nothing_of_the_kind"  # type: ignore[misc]
            job.save()
    work(server)
