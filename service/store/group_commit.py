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


class _WaitingTurn(Generic[T]):
    """One who waits: woken when its turn is written, when it is not, or to write the next ones."""

    def __init__(self, turn: T) -> None:
        self.turn = turn
        self.woken = threading.Event()
        self.is_written: bool | None = None


class GroupCommit(Generic[T]):
    """`write` stores all of batch turns, or raises and stores none."""

    def __init__(self, write: Callable[[Sequence[T]], None]) -> None:
        self._write = write
        self._lock = threading.Lock()  # of the two below
        self._waiting: list[_WaitingTurn[T]] = []
        self._has_leader = False

    def add(self, turn: T) -> None:
        """Returns when the turn is stored. Raises what `write` raises over it alone."""
        mine = _WaitingTurn(turn)
        with self._lock:
            self._waiting.append(mine)
            leads, self._has_leader = not self._has_leader, True
        if not leads:
            mine.woken.wait()
        if mine.is_written is None:
            self._commit_batch()
        if not mine.is_written:
            self._write([turn])

    def _commit_batch(self) -> None:
        with self._lock:
            batch, self._waiting = self._waiting, []
        is_written = False
        try:
            self._write([waiting.turn for waiting in batch])
            is_written = True
        except Exception:
            if len(batch) == 1:
                raise
            # One that lost to another process takes the others with it: each is tried alone, and
            # has its own error.
        finally:
            self._finish_batch(batch, is_written)

    def _finish_batch(self, batch: Sequence[_WaitingTurn[T]], is_written: bool) -> None:
        for waiting in batch:
            waiting.is_written = is_written
            waiting.woken.set()
        with self._lock:
            if self._waiting:
                self._waiting[0].woken.set()
            else:
                self._has_leader = False
