"""Turns of one process that wait for the database are written together: one transaction and one flush for all of them.

Nobody waits for company: who finds nobody writing writes at once, and what has come meanwhile is written next, together
(docs/decisions/0025).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class _Place(Generic[T]):
    """One who waits: woken when its turn is written, when it is not, or to write the next ones; or it leads."""

    def __init__(self, turn: T, *, leads: bool) -> None:
        self.turn = turn
        self.woken = None if leads else threading.Event()
        self.is_written: bool | None = None

    def wake(self) -> None:
        if self.woken is not None:
            self.woken.set()


class Together(Generic[T]):
    """`write` stores all of some turns, or raises and stores none."""

    def __init__(self, write: Callable[[Sequence[T]], None]) -> None:
        self._write = write
        self._lock = threading.Lock()  # of the two below
        self._waiting: list[_Place[T]] = []
        self._is_led = False

    def add(self, turn: T) -> None:
        """Returns when the turn is stored. Raises what `write` raises over it alone."""
        with self._lock:
            mine = _Place(turn, leads=not self._is_led)
            self._waiting.append(mine)
            self._is_led = True
        if mine.woken is not None:
            mine.woken.wait()
        if mine.is_written is None:
            self._lead()
        if not mine.is_written:
            self._write([turn])

    def _lead(self) -> None:
        with self._lock:
            some, self._waiting = self._waiting, []
        is_written = False
        try:
            self._write([place.turn for place in some])
            is_written = True
        except Exception:
            if len(some) == 1:
                raise
            # One that lost to another process takes the others with it: each is tried alone, and has its own error.
        finally:
            self._hand_over(some, is_written)

    def _hand_over(self, some: Sequence[_Place[T]], is_written: bool) -> None:
        for place in some:
            place.is_written = is_written
            place.wake()
        with self._lock:
            if self._waiting:
                self._waiting[0].wake()
            else:
                self._is_led = False
