"""A worker that is asked to stop while it starts stops, whatever it is at, and its scheduler with it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import pytest
import redis
import rq

from service.queue import NAME
from service.settings import Settings
from tests.queueing import serving
from workers import __main__ as workers
from workers.patience import AGAIN, PatientScheduler, PatientWorker
from workers.stopping import Stop

SPAWNED = get_context("forkserver")  # this process has threads
STEPS = [
    "__init__", "register_birth", "subscribe", "_start_scheduler", "_install_signal_handlers", "check_for_suspension",
]  # fmt: skip
"""RQ's own way into its loop, in order."""
SECONDS = 60.0


def behind(owner: type, step: str, then: Callable[[], None]) -> None:
    """From now on `then` follows each such step."""
    before = getattr(owner, step)

    def both(*arguments: Any, **named: Any) -> Any:
        result = before(*arguments, **named)
        then()
        return result

    setattr(owner, step, both)


def ask() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def asked_behind(step: str, settings: Settings) -> None:
    """A worker in this process that is asked to stop there; the status is how many processes it left."""
    behind(PatientWorker, step, ask)
    _end(settings)


def with_a_deaf_scheduler(step: str, settings: Settings) -> None:
    """Asked once its scheduler runs, which has not heard of it when it begins to listen."""
    behind(PatientWorker, step, lambda: time.sleep(AGAIN / 8))
    behind(PatientWorker, step, ask)
    behind(PatientScheduler, "_install_signal_handlers", lambda: _sleep_deaf(AGAIN / 2))
    _end(settings)


def at_a_restart_of_its_scheduler(step: str, settings: Settings) -> None:
    """Asked while the next one's process forks, where Python drops what a handler raises."""

    def again() -> None:
        for scheduler in active_children():
            scheduler.kill()
            scheduler.join()
        os.register_at_fork(before=ask)

    behind(PatientWorker, step, again)
    _end(settings)


def _sleep_deaf(seconds: float) -> None:
    heard = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(seconds)
    signal.signal(signal.SIGTERM, heard)


def _end(settings: Settings) -> None:
    stop = Stop()
    stop.on_signals()
    workers.work(settings, stop)
    sys.exit(len(active_children()))


WAYS = [
    *((asked_behind, step) for step in STEPS),
    (with_a_deaf_scheduler, "_start_scheduler"), (at_a_restart_of_its_scheduler, "check_for_suspension"),
]  # fmt: skip


@pytest.mark.parametrize(("way", "step"), WAYS)
def test_asked_while_it_starts_it_stops(
    way: Callable[[str, Settings], None], step: str, tmp_path: Path
) -> None:
    with serving(tmp_path) as server:
        settings = Settings.read({"FAIRLOG_DATA": str(tmp_path)})
        worker = SPAWNED.Process(target=way, args=(step, settings))
        worker.start()
        worker.join(SECONDS)
        ended = worker.exitcode
        worker.kill()
        worker.join()
        assert ended == 0
        with redis.Redis.from_url(server.address) as client:
            assert rq.Worker.all(client) == []
            assert not client.exists(f"rq:scheduler-lock:{NAME}")
