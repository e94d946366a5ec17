"""Rings when any process has appended, so that who looks at the log looks at once.

What rings nothing is still seen.
"""

from __future__ import annotations

import threading
import time

import psycopg

from projections.stores.postgres_pool import Connection, ConnectionPool

CHANNEL = "fairlog"
STOP_CHECK_SECONDS = 0.5  # seconds that the listener waits before it looks whether it is to end
MIN_WAIT_SECONDS = 0.005
"""Seconds of every wait: a busy log rings more often than anyone need look."""
RECONNECT_SECONDS = 1.0  # seconds before a lost connection is made anew


class ChangeNotifications:
    """Its connection and its thread come with the first who waits."""

    def __init__(self, connections: ConnectionPool) -> None:
        self._connections = connections
        self._notifications = 0
        self._thread = threading.local()
        self._condition = (
            threading.Condition()
        )  # its lock is that of _notifications, _listener and _is_closed
        self._listener: threading.Thread | None = None
        self._is_closed = False

    def wait(self, seconds: float, least: float) -> None:
        """Wait until it has rung since this thread's last wait, at most `seconds`."""
        until = time.monotonic() + seconds
        time.sleep(max(least, min(MIN_WAIT_SECONDS, seconds)))
        with self._condition:
            self._start()
            seen = getattr(self._thread, "seen", 0)
            self._condition.wait_for(
                lambda: self._notifications != seen or self._is_closed,
                max(0.0, until - time.monotonic()),
            )
            self._thread.seen = self._notifications

    def close(self) -> None:
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()
        if self._listener is not None:
            self._listener.join()

    def _start(self) -> None:
        if self._listener is None and not self._is_closed:
            self._listener = threading.Thread(
                target=self._listen, name="notifications", daemon=True
            )
            self._listener.start()

    def _listen(self) -> None:
        while not self._is_closed:
            try:
                with self._connections.connect() as connection:
                    connection.execute(f"LISTEN {CHANNEL}".encode())
                    self._count_notifications(connection)
            except (
                psycopg.Error
            ):  # without it everyone looks as often as they would: nothing is missed
                with self._condition:
                    self._condition.wait_for(lambda: self._is_closed, RECONNECT_SECONDS)

    def _count_notifications(self, connection: Connection) -> None:
        while not self._is_closed:
            for _ in connection.notifies(timeout=STOP_CHECK_SECONDS, stop_after=1):
                with self._condition:
                    self._notifications += 1
                    self._condition.notify_all()
