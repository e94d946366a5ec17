"""A worker that is asked to stop while it starts stops, whatever it is at."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import pytest
import redis
import rq

from service.platform.settings import Settings
from tests.support.queue_server import serving
from workers import __main__ as workers
from workers.rq_worker import ResilientWorker
from workers.shutdown import Stop

pytestmark = pytest.mark.long

SPAWNED = get_context("forkserver")  # this process has threads
STEPS = [
    "__init__", "register_birth", "subscribe", "_install_signal_handlers", "check_for_suspension",
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
    behind(ResilientWorker, step, ask)
    _end(settings)


def _end(settings: Settings) -> None:
    stop = Stop()
    stop.on_signals()
    workers.work(settings, stop)
    sys.exit(len(active_children()))


@pytest.mark.parametrize("step", STEPS)
def test_asked_while_it_starts_it_stops(step: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        settings = Settings.read({"FAIRLOG_DATA": str(tmp_path)})
        worker = SPAWNED.Process(target=asked_behind, args=(step, settings))
        worker.start()
        worker.join(SECONDS)
        ended = worker.exitcode
        worker.kill()
        worker.join()
        assert ended == 0
        with redis.Redis.from_url(server.address) as client:
            assert rq.Worker.all(client) == []
