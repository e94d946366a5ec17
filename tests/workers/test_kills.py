"""kill -9 of everything that computes statistics, one after the other: they always end where the log says."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
import rq
from rq.serializers import JSONSerializer

from bench.sessions import lengthen, open_bench_session
from domain.visibility import PUBLIC_VIEWER
from projections.results import STATISTICS
from service.jobs import definitions
from service.jobs.embedded_server import EmbeddedQueueServer
from service.jobs.queue import QUEUE_NAME
from service.ops.migrate import prepare
from service.platform.settings import Settings
from service.sessions.app import build
from tests.support.processes import Running, environ, eventually, processes
from tests.support.scale import LONG, scale
from tests.workers.worker_processes import (
    Recomputed,
    Served,
    Worker,
    alike,
    family,
    is_alive,
    kill,
)

ROUNDS = scale(1, 4)
STEPS = scale(6, 25)  # of each evening between two kills
LIMIT = 120.0  # seconds until an abandoned job has certainly been given up
SEEN, TRIES = 10.0, 5  # seconds in which a job must have begun, and how often we wait for one
LATE = 0.08  # seconds of a job's process before it is killed, at most
COPIES = 4
KILLS = ["work-horse", "work-horse and the worker", "worker"]

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("served"))
    yield served
    served.running.process.send_signal(signal.SIGCONT)
    served.close()
    assert eventually(lambda: processes(served.running.data) == set())


def said(what: str, took: list[float]) -> None:
    """The recovery times."""
    middle, longest = statistics.median(took), max(took)
    print(
        f"{what}, {len(took)} times: statistics at the head again {middle:.1f} s later, {longest:.1f} s at most"
    )


def at_work(served: Served, late: float, writing: bool) -> Worker:
    """A worker over a job whose process is stopped, `late` seconds after it was seen or, if wished, at its write."""
    for _ in range(TRIES):
        served.play(STEPS)
        worker, until = served.worker().worker, time.monotonic() + SEEN
        while time.monotonic() < until:
            found = family(worker)
            if found.horse is not None and stopped(served, found.horse, late, writing):
                return found
    raise AssertionError("no job was done")


def stopped(served: Served, horse: int, late: float, writing: bool) -> bool:
    """False where the process has ended before."""
    until = time.monotonic() + (SEEN if writing else late)
    while is_alive(horse) and time.monotonic() < until:
        if writing and served.is_writing(horse):
            break
    with suppress(ProcessLookupError):
        os.kill(horse, signal.SIGSTOP)
    return is_alive(horse)


@pytest.mark.parametrize("which", KILLS)
def test_a_kill_over_a_job(served: Served, which: str) -> None:
    dice, took, writing = random.Random(which), [], 0
    for nth in range(ROUNDS):
        found = at_work(served, dice.uniform(0, LATE), writing=nth % 2 == 1)
        assert found.horse is not None
        writing += served.is_writing(found.horse)
        kill(*killed(found, which))
        took.append(served.until_counted(LIMIT))
        assert eventually(lambda horse=found.horse: not is_alive(horse))  # type: ignore[misc]
    said(f"kill of the {which}, {writing} of a job with the views' lock in hand", took)
    if LONG:  # else once, when all of it has happened
        served.check()


def killed(found: Worker, which: str) -> list[int | None]:
    """The processes; the horse of a killed worker goes with it."""
    match which:
        case "work-horse":
            return [found.horse]
        case "worker":
            return [found.worker]
    return [found.horse, found.worker]


def with_its_file(folder: Path, kept: Path) -> None:
    """As its disk has it."""


def without_its_file(folder: Path, kept: Path) -> None:
    shutil.rmtree(folder)


def with_an_older_file(folder: Path, kept: Path) -> None:
    """Jobs that are done are there again, newer ones are not."""
    shutil.rmtree(folder)
    shutil.copytree(kept, folder)


LEFT = [with_its_file, without_its_file, with_an_older_file]


@pytest.mark.parametrize("leave", LEFT)
def test_a_killed_queue(
    served: Served, tmp_path: Path, leave: Callable[[Path, Path], None]
) -> None:
    folder, took = served.running.settings.queue_folder / "appendonlydir", []
    for nth in range(ROUNDS):
        served.play(STEPS)
        shutil.copytree(folder, tmp_path / str(nth))
        served.play(STEPS)
        served.running.process.send_signal(
            signal.SIGSTOP
        )  # so that nobody starts it again meanwhile
        (server,) = served.running.children("queue.sock")
        kill(server)
        leave(folder, tmp_path / str(nth))
        served.running.process.send_signal(signal.SIGCONT)
        took.append(served.until_counted(LIMIT))
    said(f"kill of the queue's server, {leave.__name__.replace('_', ' ')}", took)
    assert eventually(lambda: served.waiting() == 0, LIMIT)
    if LONG:  # else once, when all of it has happened
        served.check()


def test_the_same_job_twice_at_once(served: Served) -> None:
    known = served.runs().keys()
    second, took = Running(served.running.data, "worker"), []
    try:
        assert eventually(lambda: served.runs().keys() > known, LIMIT)
        before, runs = served.runs(), [0]
        for nth in range(10 * ROUNDS):  # one of them may be too busy for one round
            if nth >= ROUNDS and sum(ran > 0 for ran in runs) > 1:
                break
            served.play(STEPS)
            with served.client() as client:
                queue = rq.Queue(QUEUE_NAME, connection=client, serializer=JSONSerializer)
                for session in [session for session in served.heads() for _ in range(COPIES)]:
                    queue.enqueue("none", job_id=definitions.statistics(session).name, result_ttl=0)
                took.append(served.until_counted(LIMIT))
                assert eventually(queue.is_empty, LIMIT)
            runs = [now - before.get(worker, 0) for worker, now in served.runs().items()]
        assert sum(ran > 0 for ran in runs) > 1
        said(
            f"each job {COPIES} times, two workers with {max(runs)} and {sum(runs) - max(runs)} runs",
            took,
        )
    finally:
        second.stop()
    served.check()


def test_a_worker_and_a_follower_that_start_before_the_database(tmp_path: Path) -> None:
    """They wait and say so, and are the same processes afterwards."""
    with ExitStack() as held:
        data, queue = (
            tmp_path / "data",
            EmbeddedQueueServer(Settings.read({"FAIRLOG_DATA": str(tmp_path / "queue")})),
        )
        held.callback(queue.stop)
        queue.start()
        settings = Settings.read(environ(data, REDIS_URL=queue.address))
        early = [
            Running(data, command, REDIS_URL=queue.address) for command in ("worker", "follow")
        ]
        for each in early:
            held.callback(each.stop)
        for each in early:
            each.until_said("waiting until .fairlog migrate. has been run")
        assert list(data.iterdir()) == []
        prepare(settings)
        app = held.enter_context(closing(build(settings)))
        sessions = [open_bench_session(app) for _ in range(3)]
        for session in sessions:
            lengthen(app, session, 60)
        began = time.monotonic()
        assert eventually(
            lambda: app.read_models.results.versions(STATISTICS).keys() == set(sessions), LIMIT
        )
        said("start before the database", [time.monotonic() - began])
        assert [each.process.poll() for each in early] == [None, None]
        for session in sessions:
            wanted = Recomputed(app, session)
            stored = app.read_models.results.get(session, STATISTICS, wanted.version, {})
            assert stored is not None
            assert stored.version == wanted.version
            assert alike(json.loads(stored.body), wanted.figures(PUBLIC_VIEWER))
