"""Rate limits per seat and per address.

All processes share the counts through the queue server. If the server is unreachable, each process
counts only its own requests and tries to reconnect after one second.
"""

from __future__ import annotations

import ipaddress
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple
from urllib.parse import urlsplit

import redis
import structlog
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.jobs.queue import QueueUnavailableError
from service.platform.settings import Settings

PREFIX = "fairlog:limits"
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""Addresses that contain an IPv4 address in their last 32 bits (RFC 6052)."""
TIMEOUT_SECONDS = 0.2
"""The maximum number of seconds that a request, such as a turn, waits for the shared limits."""
BREAK = 1.0
"""Seconds between a failed attempt to reach the queue server and the next attempt."""
FIRST = 1
"""Seconds that a client with too many streams must wait before it tries again."""

log = structlog.get_logger("fairlog.limiting")


class Quota(NamedTuple):
    """What is left of a rate limit after a request.

    The limit allows `most` uses in each window of `window` seconds. `left` more uses are allowed in
    the current window, which ends after `seconds` seconds.
    """

    name: str
    most: int
    window: int
    left: int
    seconds: int


class LimitExceededError(Exception):
    """A rate limit was exceeded.

    `what` is the plural noun for the message, such as "requests". The client may retry after
    `seconds` seconds.
    """

    def __init__(self, what: str, seconds: int) -> None:
        super().__init__(what)
        self.what, self.seconds = what, seconds


class Limits:
    """The rate limits for requests, requested jobs, new sessions and live streams.

    A limit of 0 means no limit.
    """

    def __init__(
        self, settings: Settings, address: Callable[[], str], now: Callable[[], float]
    ) -> None:
        """Create the limits without connecting to the queue server.

        `address` returns the queue server's address or raises QueueUnavailableError. `now` returns
        the time in seconds since the epoch.
        """
        self._settings, self._address, self._now = settings, address, now
        self._alone = MemoryStorage()
        self._shared: RedisStorage | None = None
        self._away_since: float | None = None
        self._streams: Counter[str] = Counter()
        self._lock = threading.Lock()

    def request(self, address: str) -> Quota | None:
        """Count a request against the limit for its address.

        Return what is left of the limit, or None if there is no limit. Raises LimitExceededError if
        there are too many requests.
        """
        limit = self._settings.rate_address
        return self._count("requests", RateLimitItemPerMinute, limit, network(address), "address")

    def seat(self, session: str, seat: str) -> Quota | None:
        """Count a request against the limit for the seat that sent it.

        A new token does not reset the count, and requests with unknown tokens are not counted.
        Return what is left of the limit, or None if there is no limit. Raises LimitExceededError if
        there are too many requests.
        """
        limit = self._settings.rate_token
        return self._count("requests", RateLimitItemPerMinute, limit, f"{session}.{seat}", "seat")

    def job(self, address: str) -> None:
        """Count a requested job against the limit for its address.

        Without this limit, one address could keep the queue of requested jobs full for everyone.
        Raises LimitExceededError if there are too many requested jobs.
        """
        limit = self._settings.rate_jobs
        self._count("jobs", RateLimitItemPerMinute, limit, network(address))

    def opening(self, address: str) -> None:
        """Count a new session against the hourly limit for its address.

        Raises LimitExceededError if there are too many new sessions.
        """
        self._count("sessions", RateLimitItemPerHour, self._settings.openings, network(address))

    def undo_opening(self, address: str) -> None:
        """Undo the count of a new session that the server could not store."""
        limit = self._settings.openings
        with suppress(LimitExceededError):  # the remaining count may still exceed the limit
            self._count("sessions", RateLimitItemPerHour, limit, network(address), amount=-1)

    def stream(self, address: str, seat: str) -> Callable[[], None]:
        """Count a live stream in this process, and return a function that undoes the count.

        `seat` names a session and a seat, or is "" for a client without a token. The caller must
        call the function once, when the stream ends. Raises LimitExceededError if there are too
        many streams from the address or the seat.
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

    def _count(
        self,
        what: str,
        kind: type[RateLimitItem],
        most: int,
        who: str,
        name: str = "",
        amount: int = 1,
    ) -> Quota | None:
        """Count `amount` uses in the current window, and return what is left.

        Windows begin at whole multiples of their length, so that their end is known without asking
        the storage.
        """
        if not most:
            return None
        item, now = kind(most, namespace=PREFIX), self._now()
        window = item.get_expiry()
        number, passed = divmod(int(now), window)
        key = item.key_for(what, who, str(number))
        storage, used = self._storage(), None
        try:
            if storage is not None:
                used = storage.incr(key, window, amount)
        except StorageError as error:
            log.warning("rate limits are not shared between processes", exception=repr(error))
            self._shared, self._away_since = None, now
        if used is None:
            with self._lock:  # the memory storage is not thread-safe
                used = self._alone.incr(key, window, amount)
        seconds = window - passed
        if used > most:
            raise LimitExceededError(what, seconds)
        return Quota(name, most, window, most - used, seconds)

    def _storage(self) -> RedisStorage | None:
        """Return the storage shared by all processes, or None if the queue server is down."""
        since, shared = (
            self._away_since,
            self._shared,
        )  # read once, because another thread may change them
        if since is not None and 0 <= self._now() - since < BREAK:
            return None
        if shared is None:
            try:
                shared = self._shared = _shared(self._address())
            except QueueUnavailableError:
                self._away_since = self._now()
        return shared


def _shared(address: str) -> RedisStorage:
    pool = redis.ConnectionPool.from_url(
        address,
        socket_connect_timeout=TIMEOUT_SECONDS,
        socket_timeout=TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 1, (redis.ConnectionError,)),
    )
    return RedisStorage("redis://", connection_pool=pool, wrap_exceptions=True)


def network(address: str) -> str:
    """Return the IPv4 address or, for an IPv6 address, its /64 network.

    A household usually has a whole /64 network, so all addresses in it share one limit. The port
    is ignored, because each connection has a different one. Return "" if the text is not an
    address.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        host = _host_of(address)
        return network(host) if host != address else ""
    if found.version == 4:
        return str(found)
    embedded = found.ipv4_mapped or found.sixtofour
    if embedded is None and found in NAT64:
        embedded = ipaddress.IPv4Address(int(found) & 0xFFFF_FFFF)
    return str(embedded or ipaddress.ip_network((found, 64), strict=False))


def _host_of(address: str) -> str:
    """Return the host of `host:port` or `[host]:port`, or "" if the text has neither form."""
    try:
        return urlsplit(f"//{address}").hostname or ""
    except ValueError:
        return ""
