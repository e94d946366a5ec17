"""What is cached for clients takes so many bytes and no more, however many and large the values are."""

from __future__ import annotations

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


def test_a_value_of_more_than_a_quarter_is_not_kept() -> None:
    cache = ByteCache[str](max_bytes=40 * OVERHEAD_BYTES)
    cache.store("small", "kept", EACH)
    cache.store("large", "not kept", EACH + 1)
    assert (cache.get("small"), cache.get("large")) == ("kept", None)


def test_small_values_are_limited_too() -> None:
    cache = ByteCache[int](max_bytes=40 * OVERHEAD_BYTES)
    for key in range(1000):
        cache.store(key, key, 0)
    assert sum(cache.get(key) is not None for key in range(1000)) == 40
    cache.clear()
    assert cache.get(999) is None
