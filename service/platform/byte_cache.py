"""A cache that is limited by the size of its values."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")
OVERHEAD_BYTES = 1000
"""The size that each entry has in addition to its value."""


class ByteCache(Generic[V]):
    """A thread-safe cache with a limit on the total size of its values.

    When it is full, it evicts the least recently used values. A limit on their number would not
    limit memory, because clients decide how large a value becomes. A value that would take more
    than half of the cache is not stored.
    """

    def __init__(self, max_bytes: int = 32 << 20) -> None:
        self._max_bytes, self._bytes = max_bytes, 0
        self._entries: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._lock, self._making = threading.Lock(), threading.Lock()

    def get(self, key: Hashable) -> V | None:
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def get_or_make(self, key: Hashable, make: Callable[[], V], size: Callable[[V], int]) -> V:
        """Return the value for `key`. If there is none, call `make` and store its result.

        `size` returns the number of bytes of a value. Only one thread calls `make` at a time, and
        other threads wait for it. Otherwise, many requests for one large value would fill the
        memory before the first of them has stored it.
        """
        if (found := self.get(key)) is not None:
            return found
        with self._making:
            if (found := self.get(key)) is not None:
                return found
            made = make()
            self.store(key, made, size(made))
            return made

    def store(self, key: Hashable, value: V, size: int) -> None:
        """Store a value of `size` bytes, and evict others if there are too many bytes."""
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
