"""A process's App with a log in memory."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from projections.registry import ReadModels
from service.jobs.queue import Queue
from service.platform.settings import Settings
from tests.support.sessions import MemoryLog


class WakingLog(MemoryLog):
    """Wakes who waits when something is appended, and every `timeout`."""

    def __init__(self) -> None:
        super().__init__()
        self._more = threading.Condition()

    def append(self, facts: Any) -> None:
        with self._more:
            super().append(facts)
            self._more.notify_all()

    def wait(self, after: int, timeout: float) -> None:
        with self._more:
            self._more.wait_for(lambda: self.end() > after, timeout)


class NothingBeside:
    """The tables beside the log, with nothing in them."""

    def query(self, *_: Any) -> list[Any]:
        return []


class StandIn(NamedTuple):
    settings: Settings
    log: WakingLog
    read_models: ReadModels
    queue: Queue
    recorder: NothingBeside = NothingBeside()
    keys: SimpleNamespace = SimpleNamespace(secret=bytes(32))


def stand_in(folder: Path, queue: str = "unix:///nonexistent/fairlog/queue.sock") -> StandIn:
    """With short intervals, and the address of a queue's server."""
    names = {
        "FAIRLOG_DATA": str(folder),
        "FAIRLOG_SWEEP": "0.05",
        "FAIRLOG_FOLLOW_INTERVAL": "0.02",
    }
    settings = Settings.read(names | {"REDIS_URL": queue})
    return StandIn(
        settings, WakingLog(), ReadModels(settings.views_file, create=True), Queue(settings)
    )
