"""How far a running job is, said where `GET /v1/jobs` finds it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import redis
from rq import get_current_job

FIRST, EVERY = 1.0, 0.5
"""Seconds before something is said, and between two times: most jobs are over before the first."""
OF = 100

Say = Callable[[float, str], None]
"""Told how much of a job is done, 0 to 1, and what it is at, in words that hold nothing of the session."""


def unheard(done: float, what: str) -> None:
    """Nobody looks at the progress."""


def saying(now: Callable[[], float] = time.monotonic) -> Say:
    """For the job that runs in this process; without one nothing is said. A queue that is away fails no job."""
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
