"""`fairlog doctor worker` and `fairlog doctor follower`: whether one part is at work, as a health check asks."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Literal

from service import backlog, sources
from service.bootstrap import build, missing
from service.database import Finding
from service.doctor import sweep, views
from service.queue import Queue, QueueAway
from service.settings import Settings

Part = Literal["worker", "follower"]


def pulse(settings: Settings, part: Part) -> Iterator[Finding]:
    """Of this machine's workers, or of whichever follower follows this log. Looks and changes nothing."""
    if part == "worker":
        yield _workers_here(Queue(settings))
    elif lacks := missing(settings):
        yield Finding("log", f"missing: {lacks}", "`fairlog migrate` makes it, or says what to do")
    else:
        with closing(build(settings)) as app:
            yield from views(app)
            yield sweep(app)


def _workers_here(queue: Queue) -> Finding:
    """A worker tells of itself every few seconds, also while a job runs."""
    try:
        heard = [
            worker.heard for worker in backlog.workers(queue, sources.now(), socket.gethostname())
        ]
    except QueueAway as away:
        return Finding("worker", str(away), "start the queue's server, or mend REDIS_URL")
    if not heard:
        return Finding(
            "worker", "none on this machine is known to the queue", "start `fairlog worker`"
        )
    if min(heard) > backlog.LOST:
        return Finding(
            "worker", f"last heard of {min(heard):.0f} s ago", "restart it, and see its log"
        )
    return Finding("worker", f"last heard of {min(heard):.0f} s ago")
