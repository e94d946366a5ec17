"""Nudges: few jobs for many of them, next to no cost without a server, and never an exception."""

import os
import signal
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis
import rq
from rq.serializers import JSONSerializer

from service import backlog, jobs
from service.embedded import Embedded
from service.queue import BREAK, NAME, STATISTICS, Queue, QueueAway
from service.settings import Settings
from tests.queueing import fail, server_of
from tests.queues.finding import QUEUES

SESSIONS = [f"{number:032x}" for number in range(3)]
NOON = 1_800_000_000.0  # the start of a bucket of 2 s


class Clock:
    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.read({"FAIRLOG_DATA": str(tmp_path)})


@pytest.fixture(params=QUEUES)
def server(request: pytest.FixtureRequest, settings: Settings) -> Iterator[Embedded]:
    server = server_of(settings, request.param)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def scheduled(server: Embedded) -> list[rq.job.Job]:
    with redis.Redis.from_url(server.address) as client:
        queue = rq.Queue(NAME, connection=client, serializer=JSONSerializer)
        ids = sorted(queue.scheduled_job_registry.get_job_ids())
        return [rq.job.Job.fetch(job, client, serializer=JSONSerializer) for job in ids]


def commands(server: Embedded) -> int:
    with redis.Redis.from_url(server.address) as client:
        return int(client.info("stats")["total_commands_processed"])


def kill(server: Embedded) -> None:
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    while server.is_alive():
        time.sleep(0.001)


def test_500_nudges_of_three_sessions_are_three_jobs(
    server: Embedded, settings: Settings, clock: Clock
) -> None:
    queues = [Queue(settings, clock) for _ in range(4)]  # four processes
    for nth in range(500):
        clock.time = NOON + nth * 0.0039
        queues[nth % 4].nudge(SESSIONS[nth % 3])
    assert len(scheduled(server)) == 3
    assert [queue.depth() for queue in queues] == [3] * 4
    assert sum(queue.lost for queue in queues) == 0


def test_a_job_carries_the_id_alone_and_runs_after_its_bucket(
    server: Embedded, settings: Settings, clock: Clock
) -> None:
    clock.time = NOON + 1.99
    Queue(settings, clock).nudge(SESSIONS[0])
    (job,) = scheduled(server)
    assert (job.func_name, job.args, job.kwargs) == (STATISTICS, [SESSIONS[0]], {})
    assert job.id == f"statistics-{SESSIONS[0]}-{int(NOON) // 2}"
    assert (job.timeout, job.result_ttl, job.retries_left, job.retry_intervals) == (
        120,
        0,
        3,
        [1, 10, 60],
    )
    with redis.Redis.from_url(server.address) as client:
        assert client.zscore(f"rq:scheduled:{NAME}", job.id) == NOON + 2


def test_a_bucket_of_half_a_second_ends_no_job_early(
    server: Embedded, tmp_path: Path, clock: Clock
) -> None:
    settings = Settings.read({"FAIRLOG_DATA": str(tmp_path), "FAIRLOG_STATISTICS_BUCKET": "0.5"})
    Queue(settings, clock).nudge(SESSIONS[0])
    with redis.Redis.from_url(server.address) as client:
        ((_, due),) = client.zrange(f"rq:scheduled:{NAME}", 0, -1, withscores=True)
    assert due >= NOON + 0.5


def test_each_bucket_has_its_job(server: Embedded, settings: Settings, clock: Clock) -> None:
    queue = Queue(settings, clock)
    for _ in range(5):
        queue.nudge(SESSIONS[0])
        clock.time += 2
    assert len(scheduled(server)) == 5


def test_a_second_nudge_of_a_bucket_costs_no_round_trip(
    server: Embedded, settings: Settings, clock: Clock
) -> None:
    queue = Queue(settings, clock)
    queue.nudge(SESSIONS[0])
    before = commands(server)
    for _ in range(100):
        queue.nudge(SESSIONS[0])
    assert commands(server) - before < 10  # the counting itself


def test_without_a_server_a_nudge_costs_nothing_and_it_comes_back(
    server: Embedded, settings: Settings, clock: Clock
) -> None:
    queue = Queue(settings, clock)
    queue.nudge(SESSIONS[0])
    kill(server)
    queue.nudge(SESSIONS[1])
    costs = []
    for nth in range(100):
        began = time.perf_counter()
        queue.nudge(f"{nth:032x}")
        costs.append(time.perf_counter() - began)
    assert statistics.median(costs) < 0.005
    assert queue.lost == 100  # the nudge of SESSIONS[0] is told already
    assert not queue.ping()
    with pytest.raises(QueueAway):
        queue.depth()
    server.start()
    clock.time += BREAK
    queue.nudge(SESSIONS[2])
    assert queue.ping()
    assert queue.lost == 100
    assert len(scheduled(server)) == 2  # nothing but nudges was lost


def test_a_hung_server_costs_one_write_a_second(
    server: Embedded, settings: Settings, clock: Clock
) -> None:
    queue = Queue(settings, clock)
    queue.nudge(SESSIONS[0])
    assert server.pid is not None
    os.kill(server.pid, signal.SIGSTOP)
    began = time.perf_counter()
    for nth in range(100):
        queue.nudge(f"{nth:032x}")
    os.kill(server.pid, signal.SIGCONT)
    assert time.perf_counter() - began < 1
    assert queue.lost == 99


def test_without_an_address_nothing_fails(settings: Settings, clock: Clock) -> None:
    queue = Queue(settings, clock)
    queue.nudge(SESSIONS[0])
    queue.nudge(SESSIONS[1])
    assert queue.lost == 2
    assert not queue.ping()
    with pytest.raises(QueueAway, match=r"queue\.address"):
        queue.address()


def test_a_server_that_comes_back_elsewhere_is_found(settings: Settings, clock: Clock) -> None:
    queue = Queue(settings, clock)
    for nth in range(3):
        server = Embedded(settings)
        server.start()
        clock.time += BREAK
        queue.nudge(SESSIONS[nth])
        assert len(scheduled(server)) == nth + 1
        server.stop()
        queue.nudge("0" * 31 + "f")  # notices
    assert queue.lost == 3


def test_a_clock_set_back_does_not_keep_the_queue_away(
    server: Embedded, settings: Settings, clock: Clock
) -> None:
    queue = Queue(settings, clock)
    kill(server)
    queue.nudge(SESSIONS[0])
    server.start()
    clock.time -= 3600
    queue.nudge(SESSIONS[0])
    assert queue.lost == 1


def test_redis_url_goes_before_the_file(
    server: Embedded, settings: Settings, tmp_path: Path, clock: Clock
) -> None:
    settings.queue_address_file.write_text("unix:///nowhere")
    elsewhere = Settings.read({"FAIRLOG_DATA": str(tmp_path), "REDIS_URL": server.address})
    assert Queue(elsewhere, clock).ping()
    assert not Queue(settings, clock).ping()


def test_threads_share_a_queue(server: Embedded, settings: Settings, clock: Clock) -> None:
    queue = Queue(settings, clock)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(queue.nudge, SESSIONS * 100))
    assert len(scheduled(server)) == 3
    assert queue.lost == 0


def ask_at_once(settings: Settings, job: jobs.Job) -> Queue:
    """By the threads of four processes."""
    queues = [Queue(settings, lambda: NOON) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda nth: queues[nth % 4].ask(job), range(32)))
    return queues[0]


def test_a_job_that_is_asked_for_many_times_at_once_is_in_the_queue_once(
    server: Embedded, settings: Settings
) -> None:
    job = jobs.audit(SESSIONS[0], 3)
    queue = ask_at_once(settings, job)
    assert backlog.waiting(queue) == [job]


def test_so_is_one_that_has_failed(server: Embedded, settings: Settings) -> None:
    job = jobs.audit(SESSIONS[0], 3)
    for _ in range(10):
        Queue(settings, lambda: NOON).ask(job)
        fail(server, job.name)
        queue = ask_at_once(settings, job)
        assert (backlog.waiting(queue), backlog.failed(queue)) == ([job], [])
