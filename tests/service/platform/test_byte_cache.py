"""What is cached for clients takes so many bytes and no more, however many and large the values are."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from threading import Event, Thread

import pytest

from service.platform.byte_cache import (
    MAX_MAKERS,
    OVERHEAD_BYTES,
    BorrowLimitError,
    ByteCache,
)

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
    cache, made, busy = ByteCache[str](), list[int](), [0, 0]

    def make(key: int) -> str:
        busy[key] += 1
        assert busy[key] == 1
        time.sleep(0.02)
        busy[key] -= 1
        made.append(key)
        return f"value {key}"

    found: list[str] = []
    together(
        *(
            lambda key=n % 2: found.append(cache.get_or_make(key, lambda: make(key), len))
            for n in range(10)
        )
    )
    assert (len(found), sorted(made)) == (10, [0, 1])
    assert not cache._key_locks


def together(*calls: Callable[[], object]) -> None:
    threads = [Thread(target=call, daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("is_lent", [False, True])
def test_a_slow_value_delays_no_other_key(is_lent: bool) -> None:
    cache, begun, done = ByteCache[str](), Event(), Event()

    def slow() -> str:
        begun.set()
        assert done.wait(10)
        return "slow"

    def get(key: str, make: Callable[[], str]) -> str:
        if not is_lent:
            return cache.get_or_make(key, make, len)
        with cache.borrow(key, lambda _: make()) as value:
            return value

    def other() -> None:
        assert begun.wait(10)
        assert get("other", lambda: "quick") == "quick"
        done.set()

    together(lambda: get("slow", slow), other)
    assert done.is_set()
    assert cache.get("slow") == "slow"


def test_few_values_are_made_at_a_time() -> None:
    cache, busy, most = ByteCache[int](), list[int](), list[int]()

    def make(key: int) -> int:
        busy.append(key)
        most.append(len(busy))
        time.sleep(0.02)
        busy.remove(key)
        return key

    together(
        *(
            lambda key=key: cache.get_or_make(key, lambda: make(key), lambda _: 1)
            for key in range(4 * MAX_MAKERS)
        )
    )
    assert max(most) <= MAX_MAKERS


def test_what_cannot_be_made_leaves_nothing_behind() -> None:
    cache = ByteCache[str](max_borrowed_bytes=10)

    def fails(count: Callable[[int], None]) -> str:
        count(8)
        raise MemoryError

    for _ in range(3):
        with pytest.raises(MemoryError), cache.borrow("key", fails):
            pass
        with pytest.raises(ZeroDivisionError):
            cache.get_or_make("key", lambda: str(1 // 0), len)
    with cache.borrow("key", of_size(10)) as value:
        assert value == 10 * "x"
    is_empty(cache)


def of_size(size: int) -> Callable[[Callable[[int], None]], str]:
    def make(count: Callable[[int], None]) -> str:
        for _ in range(size):
            count(1)
        return size * "x"

    return make


def is_empty(cache: ByteCache[str]) -> None:
    assert (cache._borrowed_bytes, cache._loans, cache._key_locks) == (0, {}, {})


def test_readers_of_one_value_share_it_even_if_it_is_evicted() -> None:
    cache = ByteCache[str](max_bytes=40 * OVERHEAD_BYTES, max_borrowed_bytes=100)
    with ExitStack() as readers:
        values = []
        for _ in range(5):
            values.append(readers.enter_context(cache.borrow("key", of_size(60))))
            cache.clear()
        assert all(value is values[0] for value in values)
        assert cache._borrowed_bytes == 60
    is_empty(cache)


def test_what_is_borrowed_takes_so_many_bytes_and_no_more() -> None:
    cache = ByteCache[str](max_borrowed_bytes=100)
    cache.store("stored", "a value", 50)
    with cache.borrow(0, of_size(40)), cache.borrow(1, of_size(60)), cache.borrow(1, of_size(60)):
        for key in (2, "stored"):
            with pytest.raises(BorrowLimitError), cache.borrow(key, of_size(1)):
                pass
    with cache.borrow(0, of_size(40)), cache.borrow(2, of_size(60)):
        pass
    is_empty(cache)


def test_values_that_are_being_made_count() -> None:
    cache, held, refused = ByteCache[str](max_borrowed_bytes=100), list[int](), list[int]()

    def read(key: int) -> None:
        def make(count: Callable[[int], None]) -> str:
            for _ in range(10):
                count(5)
                time.sleep(0.002)
            return 50 * "x"

        try:
            with cache.borrow(key, make):
                held.append(key)
                assert cache._borrowed_bytes <= 100
                time.sleep(0.01)
        except BorrowLimitError:
            refused.append(key)

    together(*(lambda key=key: read(key) for key in range(20)))
    assert len(held) + len(refused) == 20
    assert held
    assert refused
    is_empty(cache)


def test_one_value_may_be_larger_than_all_that_may_be_borrowed() -> None:
    cache = ByteCache[str](max_borrowed_bytes=10)
    for first, second in ((30, 1), (1, 30)):
        with (
            cache.borrow(f"{first} first", of_size(first)),
            pytest.raises(BorrowLimitError),
            cache.borrow(f"{second} second", of_size(second)),
        ):
            pass
    is_empty(cache)
