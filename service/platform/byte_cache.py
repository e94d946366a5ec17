"""A cache that is limited by the size of its values."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

V = TypeVar("V")
OVERHEAD_BYTES = 1000
"""The size that each entry has in addition to its value."""
MAX_MAKERS = 4
"""The maximum number of threads that make values for `get_or_make` at the same time."""


class BorrowLimitError(Exception):
    """The values that are borrowed from a cache take up too many bytes."""


class _Loan(Generic[V]):
    """A borrowed value and the number of its borrowers."""

    def __init__(self, value: V, size: int) -> None:
        self.value, self.size, self.borrowers = value, size, 1


class ByteCache(Generic[V]):
    """A thread-safe cache with a limit on the total size of its values.

    When it is full, it evicts the least recently used values. A limit on their number would not
    limit memory, because clients decide how large a value becomes. A value that would take up
    more than half of the cache is not stored.

    A value that a client reads slowly stays in memory after it is evicted. `borrow` limits the
    total size of these values too.
    """

    def __init__(self, max_bytes: int = 32 << 20, max_borrowed_bytes: int = 64 << 20) -> None:
        self._max_bytes, self._bytes = max_bytes, 0
        self._max_borrowed_bytes, self._borrowed_bytes = max_borrowed_bytes, 0
        self._entries: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._loans: dict[Hashable, _Loan[V]] = {}
        self._key_locks: dict[Hashable, tuple[threading.Lock, int]] = {}
        # An RLock, because the garbage collector may return a loan while this thread holds it.
        self._lock = threading.RLock()
        self._makers = threading.Semaphore(MAX_MAKERS)

    def get(self, key: Hashable) -> V | None:
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def get_or_make(self, key: Hashable, make: Callable[[], V], size: Callable[[V], int]) -> V:
        """Return the value for `key`. If there is none, call `make` and store its result.

        `size` returns the number of bytes of a value. Only one thread calls `make` for a key at a
        time, and other threads wait for it. Otherwise, many requests for one large value could fill
        the memory before the first of them had stored it. For the same reason, at most MAX_MAKERS
        threads make values at a time. `make` must not call this method, because two threads could
        then wait for each other.
        """
        if (found := self.get(key)) is not None:
            return found
        with self._key_lock(key):
            if (found := self.get(key)) is not None:
                return found
            with self._makers:
                made = make()
            self.store(key, made, size(made))
            return made

    @contextmanager
    def borrow(self, key: Hashable, make: Callable[[Callable[[int], None]], V]) -> Iterator[V]:
        """Yield the value for `key`, and count its bytes until the context ends.

        All borrowers of a key share one value, which counts once. If the value is neither borrowed
        nor cached, call `make` and store its result. `make` receives a function. While it creates
        the value, it must call this function with the size of each new batch of bytes, so that
        unfinished values count too. As in `get_or_make`, only one thread calls `make` for a key at
        a time.

        Raises BorrowLimitError if all borrowed values would take up more than `max_borrowed_bytes`.
        A single value may be larger, because otherwise no client could ever read it.
        """
        with self._key_lock(key):
            loan = self._join(key) or self._lend(key, make)
        try:
            yield loan.value
        finally:
            with self._lock:
                loan.borrowers -= 1
                if not loan.borrowers:
                    del self._loans[key]
                    self._borrowed_bytes -= loan.size

    def _join(self, key: Hashable) -> _Loan[V] | None:
        with self._lock:
            if key not in self._loans:
                return None
            loan = self._loans[key]
            loan.borrowers += 1
            self.get(key)  # keeps it among the recently used values
            return loan

    def _lend(self, key: Hashable, make: Callable[[Callable[[int], None]], V]) -> _Loan[V]:
        size = 0

        def count(more: int) -> None:
            nonlocal size
            with self._lock:
                others = self._borrowed_bytes - size
                if others and self._borrowed_bytes + more > self._max_borrowed_bytes:
                    raise BorrowLimitError
                self._borrowed_bytes += more
                size += more

        try:
            with self._lock:
                value = self.get(key)
                if value is not None:
                    count(self._entries[key][1] - OVERHEAD_BYTES)
            if value is None:
                value = make(count)
                self.store(key, value, size)
            with self._lock:
                loan = self._loans[key] = _Loan(value, size)
        except BaseException:
            with self._lock:
                self._borrowed_bytes -= size
            raise
        return loan

    @contextmanager
    def _key_lock(self, key: Hashable) -> Iterator[None]:
        """Hold the lock of `key`, which exists only while threads hold it or wait for it."""
        with self._lock:
            lock, users = self._key_locks.get(key) or (threading.Lock(), 0)
            self._key_locks[key] = lock, users + 1
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, users = self._key_locks.pop(key)
                if users > 1:
                    self._key_locks[key] = lock, users - 1

    def store(self, key: Hashable, value: V, size: int) -> None:
        """Store a value of `size` bytes, and evict other values if the cache is over its limit."""
        size += OVERHEAD_BYTES
        if size > self._max_bytes // 2:
            return
        with self._lock:
            self._bytes += size - self._entries.pop(key, (value, 0))[1]
            self._entries[key] = value, size
            while self._bytes > self._max_bytes:
                self._bytes -= self._entries.popitem(last=False)[1][1]

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._bytes = 0
