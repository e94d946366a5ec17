"""Turns of one process that wait for the database are written together: one transaction and one
flush for all of them.

Nobody waits for company: who finds nobody writing writes at once, and what has come meanwhile is
written next, together (docs/decisions/0025).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class _Place(Generic[T]):
    """One who waits: woken when its turn is written, when it is not, or to write the next ones."""

    def __init__(self, turn: T) -> None:
        self.turn = turn
        self.woken = threading.Event()
        self.is_written: bool | None = None


class GroupCommit(Generic[T]):
    """`write` stores all of some turns, or raises and stores none."""

    def __init__(self, write: Callable[[Sequence[T]], None]) -> None:
        self._write = write
        self._lock = threading.Lock()  # of the two below
        self._waiting: list[_Place[T]] = []
        self._is_led = False

    def add(self, turn: T) -> None:
        """Returns when the turn is stored. Raises what `write` raises over it alone."""
        mine = _Place(turn)
        with self._lock:
            self._waiting.append(mine)
            leads, self._is_led = not self._is_led, True
        if not leads:
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
            # One that lost to another process takes the others with it: each is tried alone, and
            # has its own error.
        finally:
            self._hand_over(some, is_written)

    def _hand_over(self, some: Sequence[_Place[T]], is_written: bool) -> None:
        for place in some:
            place.is_written = is_written
            place.woken.set()
        with self._lock:
            if self._waiting:
                self._waiting[0].woken.set()
            else:
                self._is_led = False
