"""A process's App with a log in memory and a queue that only notes what it was told."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, NamedTuple

from projections.catalogue import Views
from service.queue import QueueAway
from service.settings import Settings
from tests.evenings import MemoryLog


class NotingQueue:
    """Notes nudges; `away` as when its server is gone, `waiting` jobs that no worker has taken."""

    def __init__(self) -> None:
        self.nudged: list[str] = []
        self.away = False
        self.waiting = 0

    def nudge(self, session: str) -> None:
        self.nudged.append(session)

    def depth(self) -> int:
        if self.away:
            raise QueueAway
        return self.waiting


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
    views: Views
    queue: NotingQueue
    recorder: NothingBeside = NothingBeside()


def stand_in(folder: Path) -> StandIn:
    """With short intervals."""
    names = {"FAIRLOG_DATA": str(folder), "FAIRLOG_SWEEP": "0.05", "FAIRLOG_FOLLOW_INTERVAL": "0.02"}
    settings = Settings.read(names)
    return StandIn(settings, WakingLog(), Views(settings.views_file, create=True), NotingQueue())
