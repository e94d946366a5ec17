"""Change notifications, which tell readers in this process about new events.

Readers also poll the log, so a lost notification only delays them.
"""

from __future__ import annotations

import threading
import time

import psycopg

from projections.stores.postgres_pool import Connection, ConnectionPool

CHANNEL = "fairlog"
STOP_CHECK_SECONDS = 0.5
MIN_WAIT_SECONDS = 0.005
"""The minimum wait. A busy log sends notifications more often than readers need to poll."""
RECONNECT_SECONDS = 1.0


class ChangeNotifications:
    """Receives change notifications from PostgreSQL for this process.

    The first call to `wait` starts the listener thread, which opens the connection.
    """

    def __init__(self, connections: ConnectionPool) -> None:
        self._connections = connections
        self._notifications = 0
        self._thread = threading.local()
        # The lock of this condition guards _notifications, _listener and _is_closed.
        self._condition = threading.Condition()
        self._listener: threading.Thread | None = None
        self._is_closed = False

    def wait(self, seconds: float, least: float) -> None:
        """Wait up to `seconds` for a notification that this thread has not received yet.

        Wait at least `least` seconds, even if a notification is already available.
        """
        until = time.monotonic() + seconds
        # Limits how often a reader polls a busy log.
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
            except psycopg.Error:  # readers still poll, so they miss nothing
                with self._condition:
                    self._condition.wait_for(lambda: self._is_closed, RECONNECT_SECONDS)

    def _count_notifications(self, connection: Connection) -> None:
        while not self._is_closed:
            for _ in connection.notifies(timeout=STOP_CHECK_SECONDS, stop_after=1):
                with self._condition:
                    self._notifications += 1
                    self._condition.notify_all()
