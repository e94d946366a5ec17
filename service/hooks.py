"""gunicorn's own words with us: what is to be done before it starts, when one of its processes ends, and at its end."""

from __future__ import annotations

import gc
import os
import shutil
from importlib import import_module
from typing import Any

from prometheus_client.multiprocess import mark_process_dead

from service.meters import FOLDER
from service.settings import Settings
from service.storage.choosing import storage_of

APP = "service.wsgi:app"
OURS = "FAIRLOG_METRICS_OURS"
"""Set where the folder of the numbers is this server's own, and goes with it."""


def on_starting(server: Any) -> None:
    """What every web process needs is loaded once, before they are made: one that was killed is soon back."""
    if server.app.app_uri == APP:
        storage, _, _ = storage_of(Settings.read(os.environ))["PERSISTENCE_MODULE"].partition(":")
        for name in ("service.console", storage):
            import_module(name)
        gc.freeze()


def child_exit(server: Any, worker: Any) -> None:
    """What a process had open is open no more; what it had counted stays."""
    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    if OURS in os.environ:
        shutil.rmtree(os.environ[FOLDER], ignore_errors=True)
