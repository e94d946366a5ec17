"""The progress of a running job, stored in the queue for `GET /v1/jobs`."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import redis
from rq import get_current_job

FIRST, EVERY = 1.0, 0.5
"""Seconds before the first report, and between two: most jobs end before the first."""
OF = 100

Say = Callable[[float, str], None]
"""Takes the part of a job that is done, 0 to 1, and what it does now, which names nothing secret."""


def unheard(done: float, what: str) -> None:
    """Report nothing."""


def saying(now: Callable[[], float] = time.monotonic) -> Say:
    """Return a function that stores the progress of the job that runs in this process, if any.

    It ignores an unavailable queue.
    """
    job, due = get_current_job(), now() + FIRST

    def say(done: float, what: str) -> None:
        nonlocal due
        if job is None or now() < due:
            return
        job.meta = {"done": int(OF * done), "of": OF, "what": what}
        with suppress(redis.RedisError):
            job.save_meta()  # type: ignore[no-untyped-call]
        due = now() + EVERY

    return say
