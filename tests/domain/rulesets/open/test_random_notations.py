"""Any text is rolled, or refused with a position and a reason, fast and in little memory."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from time import process_time

import pytest

from domain.rulesets.open.dice import roll
from domain.rulesets.open.notation import Expression, NotationError, parse
from domain.rulesets.open.roll_text import describe_roll
from domain.rulesets.open.rules import MAX_TOTAL
from tests.domain.rulesets.open.random_notations import random_text
from tests.support.scale import scale
from tests.support.simulation import Fair

TEXTS = scale(500, 100_000)
MAX_SECONDS = 0.05
MAX_BYTES = 10_000_000
DEEP = [
    "(" * 99 + "d6" + ")" * 99,
    "(" * 200,
    "-" * 199 + "1",
    "1+" * 99 + "1",
    "1-(" * 49 + "d2" + ")" * 49,
    "+".join(["d6"] * 66),
    "200d2!",
    "200d100!kh100>=50",
    "1" * 200,
    "d" * 200,
    "1d6[" + "x" * 196,
]


@pytest.fixture
def traced() -> Iterator[None]:
    """Trace memory, after the parser has been built: it is built on first use, and stays."""
    parse("1d20")
    tracemalloc.start()
    yield
    tracemalloc.stop()


def parsed(text: str) -> Expression | NotationError:
    try:
        return parse.__wrapped__(text)  # without its cache
    except NotationError as refused:
        return refused


def is_rolled(text: str, dice: Fair) -> bool:
    """Return True if the text is rolled and described, or False if it is refused."""
    expression = parsed(text)
    if isinstance(expression, NotationError):
        assert 1 <= expression.position <= len(text) + 1, text
        assert expression.reason, text
        return False
    result = roll(expression, dice)
    assert abs(result.total) <= MAX_TOTAL, text
    assert describe_roll(expression, result.dice, result.total), text
    return True


def seconds_of(text: str) -> float:
    """Return the time that the text takes without other work, as the best of three."""
    dice, times = Fair(random.Random(21)), list[float]()
    for _ in range(3):
        began = process_time()
        is_rolled(text, dice)
        times.append(process_time() - began)
    return min(times)


@pytest.mark.timeout(scale(120, 900))
def test_any_text_is_rolled_or_refused_fast_and_in_little_memory(traced: None) -> None:
    """Measure slow texts again without tracing, which makes everything slower."""
    source = random.Random(21)
    dice, rolled, slow = Fair(source), 0, list[str]()
    for text in (*DEEP, *(random_text(source) for _ in range(TEXTS))):
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        began = process_time()
        rolled += is_rolled(text, dice)
        if process_time() - began > MAX_SECONDS:
            slow.append(text)
        _, peak = tracemalloc.get_traced_memory()
        assert peak - before < MAX_BYTES, text
    tracemalloc.stop()
    assert [text for text in slow if seconds_of(text) > MAX_SECONDS] == []
    assert TEXTS / 10 < rolled < TEXTS * 9 / 10
