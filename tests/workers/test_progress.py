"""Progress: said through the queue while a job runs, not too often, and never its undoing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import rq
from rq.job import Job as Stored, _job_stack
from rq.serializers import JSONSerializer

from service.jobs.embedded_server import EmbeddedQueueServer
from tests.support.queue_server import queue_of, serving
from tests.support.queue_servers import QUEUES
from workers import progress
from workers.progress import FIRST_REPORT_SECONDS, REPORT_INTERVAL_SECONDS, progress_reporter

HEARD: list[object] = []
TICKS = 200


class Heard:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.said: list[tuple[float, str]] = []

    def __call__(self, done: float, what: str) -> None:
        self.said.append((done, what))


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture(params=QUEUES)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EmbeddedQueueServer]:
    with serving(tmp_path, request.param) as server:
        yield server


def long_job() -> None:
    """Twenty seconds of work in two hundred steps, and what the queue held of it after each."""
    job = rq.get_current_job()
    assert job is not None
    clock = Clock()
    say = progress_reporter(clock)
    for step in range(TICKS):
        clock.time += 0.1
        say(step / TICKS, f"step {step}")
        HEARD.append(job.get_meta())


def run(server: EmbeddedQueueServer) -> list[dict[str, object]]:
    HEARD.clear()
    with queue_of(server) as queue:
        queue.enqueue("tests.workers.test_progress.long_job", job_id="long")
        worker = rq.SimpleWorker([queue], connection=queue.connection, serializer=JSONSerializer)
        worker.log_job_description = False
        worker.work(burst=True, logging_level="CRITICAL")
    return [each for each in HEARD if isinstance(each, dict)]


def test_it_is_said_after_a_second_and_then_now_and_then(server: EmbeddedQueueServer) -> None:
    heard = run(server)
    assert len(heard) == TICKS
    silent = round(FIRST_REPORT_SECONDS / 0.1) - 1
    assert heard[:silent] == [{}] * silent
    changes = [later for earlier, later in pairwise(heard) if earlier != later]
    assert all(
        set(each) == {"done", "total", "description"} and each["total"] == progress.STEPS
        for each in changes
    )
    done = [int(str(each["done"])) for each in changes]
    assert done == sorted(done)
    assert 0.8 * 19 / REPORT_INTERVAL_SECONDS <= len(changes) <= 19 / REPORT_INTERVAL_SECONDS + 1
    with queue_of(server) as queue:
        assert Stored.fetch("long", queue.connection, serializer=JSONSerializer).meta == heard[-1]


def test_a_queue_that_goes_away_fails_no_job(server: EmbeddedQueueServer) -> None:
    clock = Clock()
    with queue_of(server) as queue:
        _job_stack.push(queue.enqueue("tests.workers.test_progress.long_job", job_id="long"))
        try:
            say = progress_reporter(clock)
            server.stop()
            for step in range(3):
                clock.time += 2
                say(step / 3, "on")
        finally:
            _job_stack.pop()


def test_outside_of_a_job_nothing_is_said() -> None:
    clock = Clock()
    say = progress_reporter(clock)
    clock.time = 5
    say(0.5, "nothing that anybody waits for")
