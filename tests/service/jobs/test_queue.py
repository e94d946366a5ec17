"""The job queue: one job for many requests, and a QueueUnavailableError that comes soon if there is no server."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import rq
from rq.serializers import JSONSerializer

from service.jobs import definitions, inspection
from service.jobs.embedded_server import EmbeddedQueueServer
from service.jobs.queue import (
    MAX_REQUESTED_PER_SESSION,
    Queue,
    QueueUnavailableError,
    TooManyJobsError,
)
from service.platform.settings import Settings
from tests.support.queue_server import fail, queue_of, server_of
from tests.support.queue_servers import QUEUES
from tests.support.scale import scale

SESSION = f"{7:032x}"
AUDIT = definitions.audit(SESSION, 3)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.read({"FAIRLOG_DATA": str(tmp_path)})


@pytest.fixture(params=QUEUES)
def server(request: pytest.FixtureRequest, settings: Settings) -> Iterator[EmbeddedQueueServer]:
    server = server_of(settings, request.param)
    server.start()
    yield server
    server.stop()


def test_a_job_carries_the_id_alone(server: EmbeddedQueueServer, settings: Settings) -> None:
    Queue(settings).enqueue(definitions.statistics(SESSION))
    with queue_of(server) as queue:
        [name] = queue.get_job_ids()
        job = rq.job.Job.fetch(name, queue.connection, serializer=JSONSerializer)
    assert (job.func_name, job.args, job.kwargs) == ("workers.jobs.statistics", [SESSION], {})
    assert (job.id, job.timeout, job.result_ttl) == (f"statistics-{SESSION}", 120, 0)
    assert (job.retries_left, job.retry_intervals) == (3, [0])


def test_the_jobs_that_readers_can_request_are_few_and_come_last(
    server: EmbeddedQueueServer, settings: Settings
) -> None:
    queue = Queue(settings)
    for last in range(1, MAX_REQUESTED_PER_SESSION + 1):
        queue.enqueue(definitions.statistics_of_range(SESSION, 99, 1, last))
    with pytest.raises(TooManyJobsError):
        queue.enqueue(definitions.statistics_of_range(SESSION, 99, 1, 50))
    queue.enqueue(definitions.statistics_of_range(SESSION, 99, 1, 1))  # it is waiting already
    for version in range(1, MAX_REQUESTED_PER_SESSION + 1):  # only seats can request audits
        queue.enqueue(definitions.audit(SESSION, version))
    with pytest.raises(TooManyJobsError):
        queue.enqueue(definitions.audit(SESSION, 99))
    queue.enqueue(definitions.audit(f"{8:032x}", 3))
    queue.enqueue(definitions.statistics(SESSION))
    waiting = inspection.waiting_jobs(queue)
    assert waiting[0] == definitions.statistics(SESSION)
    assert len(waiting) == queue.depth() == 2 * MAX_REQUESTED_PER_SESSION + 2


def test_all_sessions_together_have_so_many_requested_jobs(
    server: EmbeddedQueueServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.jobs.queue.MAX_REQUESTED", 2)
    queue = Queue(settings)
    for session in range(2):
        queue.enqueue(definitions.audit(f"{session:032x}", 1))
    with pytest.raises(TooManyJobsError):
        queue.enqueue(AUDIT)


@pytest.mark.parametrize("job", [AUDIT, definitions.statistics(SESSION)], ids=["audit", "figures"])
def test_a_job_whose_worker_died_before_its_start_is_queued_again(
    server: EmbeddedQueueServer, settings: Settings, job: definitions.Job
) -> None:
    queue = Queue(settings)
    queue.enqueue(job)
    with queue.reading() as queues:
        of_job, key = queues.for_job(job), f"rq:job:{job.name}"
        connection = of_job.connection
        assert connection.lpop(of_job.key) == job.name.encode()  # as a worker takes it
        queue.enqueue(job)
        assert queue.depth() == 0  # it was enqueued just now, so the worker may be starting it
        connection.hset(key, "enqueued_at", "2026-01-01T00:00:00.000000Z")
        queue.enqueue(job)
        queue.enqueue(job)
        assert of_job.get_job_ids() == [job.name]
        connection.lpop(of_job.key)
        connection.hset(key, "status", "started")
        queue.enqueue(job)
        assert queue.depth() == 0


def test_a_hung_server_costs_a_moment(server: EmbeddedQueueServer, settings: Settings) -> None:
    queue = Queue(settings)
    queue.enqueue(AUDIT)
    assert server.pid is not None
    os.kill(server.pid, signal.SIGSTOP)
    began = time.perf_counter()
    with pytest.raises(QueueUnavailableError):
        queue.enqueue(definitions.audit(SESSION, 4))
    os.kill(server.pid, signal.SIGCONT)
    assert time.perf_counter() - began < 2


def test_without_an_address_it_is_away(settings: Settings) -> None:
    queue = Queue(settings)
    assert not queue.ping()
    for ask in (queue.address, queue.depth, lambda: queue.enqueue(AUDIT)):
        with pytest.raises(QueueUnavailableError, match=r"queue\.address"):
            ask()


def test_a_server_that_comes_back_elsewhere_is_found(settings: Settings) -> None:
    queue = Queue(settings)
    for _ in range(2):
        server = EmbeddedQueueServer(settings)
        server.start()
        queue.enqueue(AUDIT)
        assert queue.depth() == 1
        server.stop()
        assert not queue.ping()


def test_redis_url_goes_before_the_file(
    server: EmbeddedQueueServer, settings: Settings, tmp_path: Path
) -> None:
    settings.queue_address_file.write_text("unix:///nowhere")
    elsewhere = Settings.read({"FAIRLOG_DATA": str(tmp_path), "REDIS_URL": server.address})
    assert Queue(elsewhere).ping()
    assert not Queue(settings).ping()


def enqueue_at_once(settings: Settings) -> Queue:
    """Enqueue the job 32 times, from the threads of four processes."""
    queues = [Queue(settings) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda nth: queues[nth % 4].enqueue(AUDIT), range(32)))
    return queues[0]


def test_a_job_that_is_enqueued_many_times_at_once_is_in_the_queue_once(
    server: EmbeddedQueueServer, settings: Settings
) -> None:
    assert inspection.waiting_jobs(enqueue_at_once(settings)) == [AUDIT]


def test_so_is_one_that_has_failed(server: EmbeddedQueueServer, settings: Settings) -> None:
    for _ in range(scale(2, 5)):
        Queue(settings).enqueue(AUDIT)
        fail(server, AUDIT.name)
        queue = enqueue_at_once(settings)
        assert (inspection.waiting_jobs(queue), inspection.failed_jobs(queue)) == ([AUDIT], [])
