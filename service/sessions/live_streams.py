"""Live streams of sessions. One thread polls the log for all streams in a process."""

from __future__ import annotations

import socket
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Iterable
from contextlib import suppress
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeVar

import structlog
from msgspec import UNSET

from domain.decider import Role
from domain.session.secrets import ALL_SEEING
from domain.session.state import HOUSE, PUBLIC, Session
from domain.visibility import Viewer, can_see_session
from service.platform.byte_cache import ByteCache
from service.store.errors import UnknownSessionError
from service.store.event_log import EventLog


def is_disconnected(client: socket.socket) -> bool:
    """Return True if the client has closed its end of the connection."""
    try:
        return client.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def limit_silence(client: socket.socket) -> None:
    """Let the system close the connection if the client acknowledges nothing for too long.

    A phone without a network cannot say that it is gone. Its seat would count as connected for
    minutes, until the system stops sending the next heartbeat again and again.
    """
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        with suppress(OSError):  # a proxy on the same machine may use another kind of socket
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, MAX_SILENCE_MS)


T = TypeVar("T")
EndReason = Literal["rotate", "stopping", "token-revoked", "unavailable"]
"""The reason why the server ends a stream."""

POLL_SECONDS, POLL_SECONDS_PER_STREAM = 0.04, 0.0005
"""The log is polled every POLL_SECONDS seconds, or less often if there are many streams.

Between two polls, the reader waits at least POLL_SECONDS_PER_STREAM seconds for each open stream.
Events that are appended between two polls are sent together.
"""
CHECK_SECONDS = 1.0
"""Seconds between checks of tokens and connections. Each append also triggers a token check."""
GRACE_SECONDS = 5.0
"""Seconds after `until` during which a stream may still send events that its client lacks.

If a stream has not ended after twice that time, its client must have stopped reading, so the server
closes the connection.
"""
MAX_SILENCE_MS = 15_000
MAX_HEADS = 64
"""The maximum number of heads cached for each session."""
SEAT_BYTES = 100
"""About the size of a seat's id in a cached set of seats."""
NEVER_READ = -1
Heads = tuple[Session, ...]
"""The heads of one session, ordered by version."""

log = structlog.get_logger("fairlog.live")


class StreamLimitError(Exception):
    """This process is already serving its maximum number of streams."""


class StreamPage(NamedTuple):
    """The next bytes to send, and the client's version after receiving them."""

    sent: bytes
    version: int


class LiveStream:
    """One viewer's stream of a session, served by its own thread.

    `version` is the last version sent. At the monotonic time `until`, the server ends the stream
    with the reason `rotate`. `client` is the client's socket, or None if the web server does not
    expose it. `woken` is set after each update, so that one thread can serve several streams.
    """

    def __init__(
        self,
        head: Session,
        viewer: Viewer,
        token: str | None,
        version: int,
        until: float,
        client: socket.socket | None = None,
        woken: threading.Event | None = None,
    ) -> None:
        self.viewer, self.token, self.version, self.until = viewer, token, version, until
        self.now = head
        self._heads: Heads = ()
        self._client = client
        if client is not None:
            limit_silence(client)
        self._end: EndReason | None = None
        self._woken = woken or threading.Event()

    def update(self, heads: Heads) -> None:
        """Pass the session's newest heads to the stream.

        If there are none, the session was deleted, so end the stream.
        """
        self._heads = heads
        if not heads:
            self.end("token-revoked")
        elif heads[-1].version > self.now.version:
            self.now = heads[-1]
            self._woken.set()

    def next(self) -> Session:
        """Return the head up to which the stream should send events next.

        A slow stream stops at the same heads as the others, so it can reuse their cached pages.
        """
        heads = self._heads
        nth = bisect_right(heads, self.version, key=attrgetter("version"))
        return heads[nth] if nth < len(heads) else self.now

    def end(self, reason: EndReason) -> None:
        self._end = self._end or reason
        self._woken.set()

    def end_reason(self) -> EndReason | None:
        """Return why the stream must end, or None if it may continue.

        Call this method after reading `now` or `next`. When a token is revoked, the reader thread
        ends the stream before giving it newer heads, so a check in this order never misses the
        revocation.
        """
        if self._end is None and not can_see_session(self.now, self.viewer):
            return "token-revoked"
        if self._end is None and time.monotonic() >= self.until + (
            GRACE_SECONDS if self.version < self.now.version else 0
        ):
            return "rotate"
        return self._end

    def wait(self, until: float) -> None:
        """Wait until the stream is updated or ended, or until the monotonic time `until`."""
        self._woken.wait(max(0.0, min(until, self.until) - time.monotonic()))
        self._woken.clear()

    def disconnect_if_lost(self, now: float) -> None:
        """End the stream if its client has disconnected or stopped reading."""
        if self._client is not None and (
            now > self.until + 2 * GRACE_SECONDS or is_disconnected(self._client)
        ):
            self.end("rotate")
            with suppress(OSError):
                self._client.shutdown(socket.SHUT_RDWR)  # its thread may be blocked in send


class LiveStreams:
    """All live streams in this process. Create this object after the process forks.

    The reader thread starts with the first stream and waits while there are no streams.
    """

    def __init__(
        self,
        log: EventLog,
        invalid_tokens: Callable[[Collection[str]], Collection[str]],
        max_streams: int,
    ) -> None:
        """Create the object without starting the reader thread.

        `max_streams` is the maximum number of concurrent streams. `invalid_tokens` returns the
        invalid tokens among those passed to it.
        """
        self._log, self._invalid_tokens, self._max_streams = log, invalid_tokens, max_streams
        self._open: set[LiveStream] = set()
        # The lock of this condition guards _open, _last_position and the start of the reader.
        self._changed = threading.Condition()
        self._reader: threading.Thread | None = None
        self._last_position, self._checked = NEVER_READ, 0.0
        self._known_heads: dict[str, Heads] = {}
        self.is_stopping = self._is_closed = False
        self._shared: ByteCache[Any] = ByteCache()

    def join(self, stream: LiveStream) -> None:
        """Add the stream and update it until `leave` is called.

        Raises StreamLimitError if this process already serves the maximum number of streams.
        """
        with self._changed:
            if len(self._open) >= self._max_streams:
                raise StreamLimitError
            self._open.add(stream)
            self._last_position = NEVER_READ  # the stream's head may be older than the last poll
            stream.update(self._known(stream.now) or (stream.now,))
            if self._reader is None:
                self._reader = threading.Thread(target=self._read, name="streams", daemon=True)
                self._reader.start()
            self._changed.notify()

    def leave(self, stream: LiveStream) -> None:
        with self._changed:
            self._open.discard(stream)

    def seats(self) -> set[tuple[str, str]]:
        """Return the sessions and seats of the open streams."""
        with self._changed:
            return {
                (stream.now.id, stream.viewer.seat)
                for stream in self._open
                if stream.viewer.seat is not UNSET
            }

    def stop(self) -> None:
        """Make the next poll end all streams.

        This method takes no lock, so signal handlers can call it.
        """
        self.is_stopping = True

    def close(self) -> None:
        """End all streams and the reader thread.

        The log must stay open until this method returns.
        """
        with self._changed:
            self.is_stopping = self._is_closed = True
            self._changed.notify()
        if self._reader is not None:
            self._reader.join()
        self._end_all("stopping")

    def shared(self, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """Return the value for `key` from the cache that all streams share (`ByteCache`)."""
        made: T = self._shared.get_or_make(key, make, size)
        return made

    def audience_key(self, session: Session, viewer: Viewer) -> Hashable:
        """Return a key that is equal for viewers who see the same data.

        Viewers with equal keys receive the same bytes for a version.
        """
        roles = {seat: held.role for seat, held in session.info.seats.items()}
        if viewer.through is not UNSET:
            return tuple((seat, roles.get(seat)) for seat in viewer.seats)
        *_, seat = viewer.seats
        role = roles.get(seat)
        if role in ALL_SEEING:
            return HOUSE
        is_apart = (
            role is Role.GM
            or seat in session.tables_by_seat
            or seat in self._secret_requesters(session)
        )
        return (seat, role) if is_apart else PUBLIC

    def _secret_requesters(self, session: Session) -> frozenset[str]:
        seals = session.secrets.seals
        key = (session.id, session.version)
        if not seals:
            return frozenset()
        return self.shared(
            key,
            lambda: frozenset(seal.seat for seal in seals.values()),
            lambda seats: SEAT_BYTES * len(seats),
        )

    def _read(self) -> None:
        while not self._is_closed:
            with self._changed:
                self._changed.wait_for(lambda: self._open or self._is_closed)
            try:
                self._poll()
            except (
                Exception
            ) as error:  # any error, because without a reader no stream would be updated
                log.error("streams ended", exc_info=error)
                self._end_all("unavailable")
                time.sleep(CHECK_SECONDS)
            self._log.wait_for_change(POLL_SECONDS, POLL_SECONDS_PER_STREAM * len(self._open))

    def _poll(self) -> None:
        if self.is_stopping:
            return self._end_all("stopping")
        now, end = time.monotonic(), self._log.end()
        with self._changed:
            has_moved, self._last_position = end != self._last_position, end
            streams = list(self._open)
        is_due = now - self._checked >= CHECK_SECONDS
        heads_by_session = (
            {session: self._heads(session) for session in {stream.now.id for stream in streams}}
            if has_moved
            else {}
        )
        # Tokens are checked after the heads are read, so that a stream with a revoked token never
        # gets a head that was appended after the revocation.
        if has_moved or is_due:
            self._end_invalid(streams)
        if has_moved:
            self._known_heads = heads_by_session
            for stream in streams:
                stream.update(heads_by_session[stream.now.id])
        if is_due:
            self._disconnect_lost(now)
        return None

    def _heads(self, session: str) -> Heads:
        """Return the session's cached heads and its newest head, ordered by version.

        Return () if the session was deleted.
        """
        try:
            head = self._log.read(session).session
        except UnknownSessionError:  # deleted
            return ()
        known = self._known(head)
        return (
            known
            if known and known[-1].version == head.version
            else (*known[1 - MAX_HEADS :], head)
        )

    def _known(self, head: Session) -> Heads:
        """Return the session's cached heads, or () if a redaction has made them outdated."""
        known = self._known_heads.get(head.id, ())
        if known and known[-1].info.redacted != head.info.redacted:
            self._shared.clear()
            return ()
        return known

    def _end_invalid(self, streams: Iterable[LiveStream]) -> None:
        by_token = [(stream, stream.token) for stream in streams if stream.token is not None]
        dead = self._invalid_tokens({token for _, token in by_token})
        for stream, token in by_token:
            if token in dead:
                stream.end("token-revoked")

    def _disconnect_lost(self, now: float) -> None:
        self._checked = now
        with self._changed:  # the connection of a stream that leaves may be reused
            for stream in self._open:
                stream.disconnect_if_lost(now)

    def _end_all(self, reason: EndReason) -> None:
        with self._changed:
            for stream in self._open:
                stream.end(reason)
