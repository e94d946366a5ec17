"""Hooks that gunicorn calls when the web server or its processes start or end."""

from __future__ import annotations

import gc
import itertools
import os
import shutil
from collections import Counter
from importlib import import_module
from typing import Any

from domain.codec import build_msgspec_types
from service.platform.metrics import METRICS_FOLDER_VARIABLE, use_slot
from service.platform.settings import Settings
from service.store.event_log import storage_settings

APP = "service.wsgi:app"
METRICS_FOLDER_OWNED = "FAIRLOG_METRICS_OURS"
"""An environment variable that tells the web server to delete its metrics folder on exit."""


def on_starting(server: Any) -> None:
    """Import libraries before the web processes are forked, to shorten their startup."""
    if server.app.app_uri == APP:
        storage, _, _ = storage_settings(Settings.read(os.environ))["PERSISTENCE_MODULE"].partition(
            ":"
        )
        for name in ("service.web.app", storage):
            import_module(name)
        build_msgspec_types()
        gc.freeze()


def pre_fork(server: Any, worker: Any) -> None:
    """Assign the new process a CPU core and a slot for its metrics.

    The core is the one that the fewest web processes use, and the slot is the first free one.
    """
    others = server.WORKERS.values()
    taken = Counter(each.core for each in others)
    cores = sorted(os.sched_getaffinity(0))
    first = os.getpid() % len(cores)  # several servers on one machine start at different cores
    worker.core = min(cores[first:] + cores[:first], key=taken.__getitem__)
    slots = {each.slot for each in others}
    worker.slot = next(slot for slot in itertools.count(1) if slot not in slots)


def post_fork(server: Any, worker: Any) -> None:
    """Bind this process to the CPU core and the metrics slot that `pre_fork` assigned to it.

    Threads that share a lock use up to twice as much CPU time if they run on two cores
    (docs/decisions/0030).
    """
    os.sched_setaffinity(0, {worker.core})
    use_slot(worker.slot)


def on_exit(server: Any) -> None:
    if METRICS_FOLDER_OWNED in os.environ:
        shutil.rmtree(os.environ[METRICS_FOLDER_VARIABLE], ignore_errors=True)
