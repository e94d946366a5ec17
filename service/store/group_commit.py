"""Group commit: all turns waiting in a process are written in one transaction.

If no write is running, a turn is written at once, without waiting for other turns. Turns that
arrive during a write form the next batch (see docs/decisions/0025).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class _WaitingTurn(Generic[T]):
    """A turn that is waiting to be written.

    Its thread sleeps until the turn has been written, the batch has failed, or the thread itself
    must write the next batch.
    """

    def __init__(self, turn: T) -> None:
        self.turn = turn
        self.woken = threading.Event()
        self.is_written: bool | None = None


class GroupCommit(Generic[T]):
    """Writes turns in batches.

    `write` must either store all turns in a batch, or raise an error and store none.
    """

    def __init__(self, write: Callable[[Sequence[T]], None]) -> None:
        self._write = write
        self._lock = threading.Lock()  # guards the two fields below
        self._waiting: list[_WaitingTurn[T]] = []
        self._has_leader = False

    def add(self, turn: T) -> None:
        """Store the turn, and block until it is stored.

        If the batch fails, the turn is retried alone, so an error in another turn is never raised
        here.
        """
        own = _WaitingTurn(turn)
        with self._lock:
            self._waiting.append(own)
            leads, self._has_leader = not self._has_leader, True
        if not leads:
            own.woken.wait()
        if own.is_written is None:
            self._commit_batch()
        if not own.is_written:
            self._write([turn])  # the batch failed

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
            # One turn that lost a race makes the whole batch fail. Each thread then writes its turn
            # alone, so that only the thread whose turn is at fault gets an error.
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
