"""Rate limits by seat and by address, shared by all processes through the queue's server.

If that server cannot be reached, each process counts its own requests, and tries the server again
after a second.
"""

from __future__ import annotations

import ipaddress
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from urllib.parse import urlsplit

import redis
import structlog
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import FixedWindowRateLimiter
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.jobs.queue import TIMEOUT_SECONDS, QueueUnavailableError
from service.platform.settings import Settings

PREFIX = "fairlog:limits"
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""Addresses that contain an IPv4 address in their last 32 bits (RFC 6052)."""
BREAK = 1.0
"""After a failed attempt to reach the queue server, the seconds until the next attempt."""
FIRST = 1
"""Seconds after which a client with too many streams may try again."""

log = structlog.get_logger("fairlog.limiting")


class LimitExceededError(Exception):
    """A rate limit was exceeded.

    `what` names what there were too many of, such as "requests". The client may try again after
    `seconds`.
    """

    def __init__(self, what: str, seconds: int) -> None:
        super().__init__(what)
        self.what, self.seconds = what, seconds


class Limits:
    """The rate limits. A limit of 0 means no limit."""

    def __init__(
        self, settings: Settings, address: Callable[[], str], now: Callable[[], float]
    ) -> None:
        """Store the settings and two functions.

        `address` returns the queue server's address or raises QueueUnavailableError. `now` returns
        seconds since 1970.
        """
        self._settings, self._address, self._now = settings, address, now
        self._alone = FixedWindowRateLimiter(MemoryStorage())
        self._shared: FixedWindowRateLimiter | None = None
        self._away_since: float | None = None
        self._streams: Counter[str] = Counter()
        self._lock = threading.Lock()

    def request(self, address: str) -> None:
        """Count a request. Raises LimitExceededError if there are too many from the address."""
        limit = self._settings.rate_address
        self._count("requests", RateLimitItemPerMinute, limit, network(address))

    def seat(self, session: str, seat: str) -> None:
        """Count a request with one of the seat's tokens.

        Raises LimitExceededError if there are too many from the seat. A new token does not reset
        the count, and invented tokens are not counted.
        """
        limit = self._settings.rate_token
        self._count("requests", RateLimitItemPerMinute, limit, f"{session}.{seat}")

    def opening(self, address: str) -> None:
        """Count a new session. Raises LimitExceededError if there are too many."""
        self._count("sessions", RateLimitItemPerHour, self._settings.openings, network(address))

    def stream(self, address: str, seat: str) -> Callable[[], None]:
        """Count a live stream in this process. Return a function to call when it ends.

        `seat` names a session and a seat, or is "" for a client without a token. Call the function
        only once. Raises LimitExceededError if there are too many streams from the address or the
        seat.
        """
        clients = [network(address), seat] if seat else [network(address)]
        most = self._settings.streams_each
        with self._lock:
            if most and any(self._streams[client] >= most for client in clients):
                raise LimitExceededError("streams", FIRST)
            self._streams.update(clients)
        return partial(self._left, clients)

    def _left(self, clients: Sequence[str]) -> None:
        with self._lock:
            self._streams.subtract(clients)
            for client in clients:
                if self._streams[client] <= 0:
                    del self._streams[client]

    def _count(self, what: str, kind: type[RateLimitItem], most: int, who: str) -> None:
        if not most:
            return
        item = kind(most, namespace=PREFIX)
        limiter, counted = self._limiter(), None
        try:
            counted = limiter and _hit(limiter, item, what, who)
        except StorageError as error:
            log.warning("limits are counted by each process alone", exception=repr(error))
            self._shared, self._away_since = None, self._now()
        fits, until = counted or self._hit_alone(item, what, who)
        if not fits:
            raise LimitExceededError(what, max(1, ceil(until - self._now())))

    def _hit_alone(self, item: RateLimitItem, what: str, who: str) -> tuple[bool, float]:
        """Do the same as `_hit`, but count in this process only.

        The lock is needed because the memory storage is not thread-safe.
        """
        with self._lock:
            return _hit(self._alone, item, what, who)

    def _limiter(self) -> FixedWindowRateLimiter | None:
        """Return the limiter that all processes share, or None if its server is unavailable."""
        since, shared = (
            self._away_since,
            self._shared,
        )  # read once: another thread may set them meanwhile
        if since is not None and 0 <= self._now() - since < BREAK:
            return None
        if shared is None:
            try:
                shared = self._shared = _shared(self._address())
            except QueueUnavailableError:
                self._away_since = self._now()
        return shared


def _hit(
    limiter: FixedWindowRateLimiter, item: RateLimitItem, what: str, who: str
) -> tuple[bool, float]:
    """Count a use. Return whether the limit allows it and, if not, when the window ends.

    That time is in Unix seconds. If the limit allows the use, it is 0.
    """
    fits = limiter.hit(item, what, who)
    return fits, 0.0 if fits else limiter.get_window_stats(item, what, who).reset_time


def _shared(address: str) -> FixedWindowRateLimiter:
    pool = redis.ConnectionPool.from_url(
        address,
        socket_connect_timeout=TIMEOUT_SECONDS,
        socket_timeout=TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 1, (redis.ConnectionError,)),
    )
    return FixedWindowRateLimiter(
        RedisStorage("redis://", connection_pool=pool, wrap_exceptions=True)
    )


def network(address: str) -> str:
    """Return the IPv4 address or the IPv6 /64 network in which the client is.

    A household usually has a whole /64 network, so all addresses in it share one limit. A port is
    ignored, because every connection has another one. If a proxy sent something else than an
    address, return "".
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        host = _host_of(address)
        return network(host) if host != address else ""
    if found.version == 4:
        return str(found)
    embedded = found.ipv4_mapped
    if embedded is None and found in NAT64:
        embedded = ipaddress.IPv4Address(int(found) & 0xFFFF_FFFF)
    return str(embedded or ipaddress.ip_network((found, 64), strict=False))


def _host_of(address: str) -> str:
    """Return the host of `host:port` or `[host]:port`, or "" if the text has no such form."""
    try:
        return urlsplit(f"//{address}").hostname or ""
    except ValueError:
        return ""
