"""Connections: the seats whose holders have an open stream, in all web processes.

They are not part of the log. Each process stores its own in the database, so that every process can
answer who is connected. A process that ends without notice stops renewing its rows, and the others
ignore them soon after.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

import structlog

from service.platform import clock
from service.store.recorder import Recorder

SeatKey = tuple[str, str]
"""A session and a seat."""

LOOK_SECONDS = 1.0
GRACE_SECONDS = 4.0
"""Seconds after its last stream for which a seat still counts as connected.

A browser that reloads its page, or changes to another page, has no stream for a moment.
"""
RENEW_SECONDS = 10.0
EXPIRE_MS = 25_000
DELETE = "DELETE FROM connections WHERE process=?"
INSERT = "INSERT INTO connections (session, seat, process, seen) VALUES (?,?,?,?)"
SELECT = "SELECT DISTINCT seat FROM connections WHERE session=? AND seen>?"

log = structlog.get_logger("fairlog.connections")


def connected_seats(store: Recorder, session: str) -> list[str]:
    """Return the seats of the session that are connected now, in order."""
    rows = store.query(SELECT, (session, clock.now_ms() - EXPIRE_MS))
    return sorted(seat for (seat,) in rows)


class Connections:
    """The connected seats of this process, stored by a thread of its own.

    A thread of its own, because a slow database must not delay the streams.
    """

    def __init__(self, store: Recorder, streaming: Callable[[], Iterable[SeatKey]]) -> None:
        """Create the object. `streaming` returns the seats that have a stream in this process."""
        self._store, self._streaming = store, streaming
        self._process = clock.random_bytes().hex()[:16]
        self._last_seen: dict[SeatKey, float] = {}
        self._stored: frozenset[SeatKey] = frozenset()
        self._renewed = 0.0
        self._lock, self._closing = threading.Lock(), threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread with the first stream."""
        with self._lock:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._run, name="connections", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Delete the rows of this process."""
        with self._lock:
            self._closing.set()
        if self._thread is not None:
            self._thread.join()
            self._store_seats(frozenset(), time.monotonic())

    def _run(self) -> None:
        while not self._closing.wait(LOOK_SECONDS):
            self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Store the connected seats if they have changed, or if their rows must be renewed."""
        self._last_seen |= dict.fromkeys(self._streaming(), now)
        self._last_seen = {
            seat: seen for seat, seen in self._last_seen.items() if now - seen < GRACE_SECONDS
        }
        seats = frozenset(self._last_seen)
        if seats != self._stored or (seats and now - self._renewed >= RENEW_SECONDS):
            self._store_seats(seats, now)

    def _store_seats(self, seats: frozenset[SeatKey], now: float) -> None:
        rows = [(*seat, self._process, clock.now_ms()) for seat in sorted(seats)]
        try:
            self._store.write((DELETE, [(self._process,)]), *([(INSERT, rows)] if rows else []))
        except Exception as error:  # the next look tries again, and nothing depends on it
            log.warning("connections were not stored", exception=repr(error))
        else:
            self._stored, self._renewed = seats, now
