"""gunicorn's own words with us: what is to be done when one of its processes ends, and when it does itself."""

from __future__ import annotations

import os
import shutil
from typing import Any

from prometheus_client.multiprocess import mark_process_dead

from service.meters import FOLDER

OURS = "FAIRLOG_METRICS_OURS"
"""Set where the folder of the numbers is this server's own, and goes with it."""


def child_exit(server: Any, worker: Any) -> None:
    """What a process had open is open no more; what it had counted stays."""
    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    if OURS in os.environ:
        shutil.rmtree(os.environ[FOLDER], ignore_errors=True)
