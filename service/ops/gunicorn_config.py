"""gunicorn's own words with us: what is to be done at its start and end, and at those of its processes."""

from __future__ import annotations

import gc
import os
import shutil
from collections import Counter
from importlib import import_module
from typing import Any

from prometheus_client.multiprocess import mark_process_dead

from domain.codec import build_msgspec_types
from service.platform.metrics import METRICS_FOLDER_VARIABLE
from service.platform.settings import Settings
from service.store.event_log import storage_settings

APP = "service.wsgi:app"
METRICS_FOLDER_OWNED = "FAIRLOG_METRICS_OURS"
"""Set where the folder of the numbers is this server's own, and goes with it."""


def on_starting(server: Any) -> None:
    """What every web process needs is loaded once, before they are made: one that was killed is soon back."""
    if server.app.app_uri == APP:
        storage, _, _ = storage_settings(Settings.read(os.environ))["PERSISTENCE_MODULE"].partition(
            ":"
        )
        for name in ("service.web.app", storage):
            import_module(name)
        build_msgspec_types()
        gc.freeze()


def pre_fork(server: Any, worker: Any) -> None:
    """The core that the fewest web processes have."""
    taken = Counter(each.core for each in server.WORKERS.values())
    cores = sorted(os.sched_getaffinity(0))
    first = os.getpid() % len(cores)  # several servers on one machine do not all begin at the same
    worker.core = min(cores[first:] + cores[:first], key=taken.__getitem__)


def post_fork(server: Any, worker: Any) -> None:
    """One core for each: threads that take turns at one lock cost twice as much on two (docs/decisions/0030)."""
    os.sched_setaffinity(0, {worker.core})


def child_exit(server: Any, worker: Any) -> None:
    """What a process had open is open no more; what it had counted stays."""
    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    if METRICS_FOLDER_OWNED in os.environ:
        shutil.rmtree(os.environ[METRICS_FOLDER_VARIABLE], ignore_errors=True)
