"""The stop signal of a worker or follower."""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress


class Stop(threading.Event):
    """An event that SIGTERM and SIGINT set.

    It is a pipe: a signal handler may interrupt an Event's own `wait`, which holds its lock.
    """

    def __init__(self) -> None:
        super().__init__()
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._writer, False)

    def on_signals(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.set())

    def set(self) -> None:
        with suppress(BlockingIOError):
            os.write(self._writer, b".")

    def is_set(self) -> bool:
        return self.wait(0)

    def attempts(self, first: float, last: float) -> Iterator[float]:
        """Yield the pause after each attempt, doubled from `first` to `last` seconds, until set."""
        pause = first
        while not self.is_set():
            yield pause
            self.wait(pause)
            pause = min(2 * pause, last)

    def wait(self, timeout: float | None = None) -> bool:
        return bool(select.select([self._reader], [], [], timeout)[0])
