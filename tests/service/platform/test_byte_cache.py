"""What is cached for clients takes so many bytes and no more, however many and large the values are."""

from __future__ import annotations

import time
from threading import Thread

from service.platform.byte_cache import OVERHEAD_BYTES, ByteCache

EACH = 9 * OVERHEAD_BYTES  # ten times that with what an entry takes besides


def test_what_was_asked_for_lately_is_kept() -> None:
    cache = ByteCache[str](max_bytes=40 * OVERHEAD_BYTES)
    for key in range(4):
        cache.store(key, f"value {key}", EACH)
    assert cache.get(0) == "value 0"
    cache.store(4, "value 4", EACH)
    assert [cache.get(key) for key in range(5)] == [
        "value 0",
        None,
        "value 2",
        "value 3",
        "value 4",
    ]


def test_a_value_that_is_stored_again_counts_once() -> None:
    cache = ByteCache[int](max_bytes=40 * OVERHEAD_BYTES)
    cache.store("other", 0, EACH)
    for value in range(100):
        cache.store("key", value, EACH)
    assert (cache.get("other"), cache.get("key")) == (0, 99)


def test_a_value_of_more_than_half_is_not_kept() -> None:
    cache = ByteCache[str](max_bytes=40 * OVERHEAD_BYTES)
    cache.store("small", "kept", EACH)
    cache.store("large", "not kept", 19 * OVERHEAD_BYTES + 1)
    assert (cache.get("small"), cache.get("large")) == ("kept", None)


def test_small_values_are_limited_too() -> None:
    cache = ByteCache[int](max_bytes=40 * OVERHEAD_BYTES)
    for key in range(1000):
        cache.store(key, key, 0)
    assert sum(cache.get(key) is not None for key in range(1000)) == 40
    cache.clear()
    assert cache.get(999) is None


def test_one_request_at_a_time_makes_a_value() -> None:
    """Else each of many requests for one large value would hold its own copy of it."""
    cache, made, busy = ByteCache[str](), list[str](), list[int]()

    def make() -> str:
        busy.append(1)
        assert sum(busy) == 1
        time.sleep(0.02)
        busy.append(-1)
        made.append("value")
        return made[-1]

    found: list[str] = []
    readers = [
        Thread(target=lambda key=n % 2: found.append(cache.get_or_make(key, make, len)))
        for n in range(10)
    ]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert (len(found), len(made)) == (10, 2)
