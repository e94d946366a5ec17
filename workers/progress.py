"""Progress of a running job, stored in the queue for `GET /v1/jobs`."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import redis
from rq import get_current_job

FIRST_REPORT_SECONDS, REPORT_INTERVAL_SECONDS = 1.0, 0.5
"""Seconds before the first report, and between reports.

Most jobs finish before the first report.
"""
STEPS = 100

ReportProgress = Callable[[float, str], None]
"""Receives the completed share of a job (0 to 1) and the name of its current step.

The name must not contain secrets.
"""


def ignore_progress(done: float, what: str) -> None:
    """Do nothing, for callers that do not report progress."""


def progress_reporter(now: Callable[[], float] = time.monotonic) -> ReportProgress:
    """Return a function that stores the progress of the current job.

    The function does nothing if there is no current job or if the queue is unavailable.
    """
    job, due = get_current_job(), now() + FIRST_REPORT_SECONDS

    def say(done: float, what: str) -> None:
        nonlocal due
        if job is None or now() < due:
            return
        job.meta = {"done": int(STEPS * done), "total": STEPS, "description": what}
        with suppress(redis.RedisError):
            job.save_meta()  # type: ignore[no-untyped-call]
        due = now() + REPORT_INTERVAL_SECONDS

    return say
