"""The law for whatever parses: a value or its own no with a code, soon, and nothing is left behind."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from tests.support.long_sessions import Held, grown, held_by

SECONDS = 10
"""That one example may take, on a machine that is busy with others."""
MOST = Held(memory=96, threads=0, files=2, databases=0)
WARM = 5
"""Runs of hypothesis after which nothing may grow any more; the gate has fewer, and does not look."""
AT_ONCE = 100
"""Examples of one run of hypothesis."""


class Parser(NamedTuple):
    """`made`: what it is given; `noes`: what it may raise; `code`: the stable code of such a no, one of `codes`."""

    name: str
    made: Callable[[], SearchStrategy[Any]]
    parse: Callable[[Any], object]
    noes: tuple[type[Exception], ...] = ()
    code: Callable[[Any], str] = lambda no: type(no).__name__
    codes: frozenset[str] = frozenset()


class Hangs(AssertionError):
    """An example has taken too long."""


def holds(parser: Parser, seconds: float, examples: int) -> Counter[str]:
    """What came of so many examples, or of as many as so many seconds have room for, by code. Prints the count."""
    told, made, at_once = Counter[str](), parser.made(), min(AT_ONCE, examples)
    until, runs, before = time.monotonic() + seconds, 0, None
    while told.total() < examples or time.monotonic() < until:
        _run(parser, made, runs, at_once, told)
        runs += 1
        if runs == WARM:
            before = held_now()
    print(f"\n{parser.name}: {told.total()} examples, {dict(sorted(told.items()))}")
    if before is not None:
        after = held_now()
        print(f"{before.memory} to {after.memory} MiB")
        assert not grown(before, after, MOST), (before, after)
    return told


def held_now() -> Held:
    """What this process holds, without memory that is free but not yet returned to the system."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return held_by(os.getpid())


def _run(
    parser: Parser, made: SearchStrategy[Any], nth: int, examples: int, told: Counter[str]
) -> None:
    @seed(nth)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(made)
    def each(one: Any) -> None:
        told[_outcome(parser, one)] += 1

    each()


def _outcome(parser: Parser, made: Any) -> str:
    with watched(SECONDS):
        try:
            parser.parse(made)
        except parser.noes as no:
            code = parser.code(no)
        except Exception as wrong:
            wrong.add_note(f"{parser.name} was given {made!r:.2000}")
            raise
        else:
            return "value"
    assert not parser.codes or code in parser.codes, code
    return code


@contextmanager
def watched(seconds: float) -> Iterator[None]:
    """Raises Hangs inside where it takes longer."""

    def hangs(*_: object) -> None:
        raise Hangs(f"more than {seconds} s")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
