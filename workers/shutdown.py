"""The event that tells a worker or follower to stop."""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress


class Stop(threading.Event):
    """An event that is set by SIGTERM and SIGINT.

    It is implemented with a pipe. A signal handler that called `Event.set` could deadlock, because
    it may have interrupted `Event.wait` while that method was holding the event's lock.
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
        """Yield before each attempt and pause after it, until the event is set.

        The yielded value is the length of the next pause in seconds. It starts at `first` and
        doubles each time, up to `last`.
        """
        pause = first
        while not self.is_set():
            yield pause
            self.wait(pause)
            pause = min(2 * pause, last)

    def wait(self, timeout: float | None = None) -> bool:
        return bool(select.select([self._reader], [], [], timeout)[0])
