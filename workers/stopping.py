"""What a worker or follower is asked: to stop."""

from __future__ import annotations

import os
import select
import signal
import threading
from contextlib import suppress


class Stop(threading.Event):
    """Set by SIGTERM and SIGINT. A pipe: a handler may interrupt an Event's own `wait`, which holds its lock."""

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

    def wait(self, timeout: float | None = None) -> bool:
        return bool(select.select([self._reader], [], [], timeout)[0])
