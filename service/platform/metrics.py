"""Prometheus metrics of the web processes, such as requests and refused commands."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client.exposition import generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

METRICS_FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable with the path of the folder for the web processes' metrics."""
FILE_SIZES = {"counter": 1 << 18, "histogram": 6 << 20, "gauge_sum": 1 << 16}
"""The size in bytes of a web process's file for each type of metric, with space for all labels."""
UNLABELED_SIZE = 1 << 16
"""The size in bytes of each file of gunicorn's own process, which records no metrics."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The HTTP methods that get their own label.

All others count as `other`, so that made-up methods cannot add labels.
"""
BUCKET_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

_slot = 0
if METRICS_FOLDER_VARIABLE in os.environ:
    values.ValueClass = values.MultiProcessValue(lambda: _slot)  # type: ignore[no-untyped-call]
_own = CollectorRegistry()
REQUESTS = Histogram(
    "fairlog_request_seconds",
    "Duration of requests by route and status class. Streams are timed until their first byte.",
    ["method", "rule", "status"],
    buckets=BUCKET_SECONDS,
    registry=_own,
)
TURNS = Histogram(
    "fairlog_turn_seconds",
    "Duration of accepted commands, from reading the session to storing the events.",
    buckets=BUCKET_SECONDS,
    registry=_own,
)
REFUSALS = Counter("fairlog_refusals", "Commands refused by a rule.", ["rule"], registry=_own)
CONFLICTS = Counter(
    "fairlog_conflicts", "Commands that conflicted with a concurrent write.", registry=_own
)
PROBLEMS = Counter("fairlog_problems", "Error responses by code.", ["code"], registry=_own)
STREAMS = Gauge("fairlog_streams", "Open live streams.", multiprocess_mode="sum", registry=_own)


def allocate_files(folder: Path, processes: int) -> None:
    """Create the files for the web processes' metrics, and allocate all their disk space.

    The files are mapped into memory. If the disk were full when a process first wrote to a page,
    the kernel would kill the process. If there is not enough space, delete the folder and raise
    OSError.
    """
    try:
        for slot in range(processes + 1):  # slot 0 is gunicorn's own process
            for kind, size in FILE_SIZES.items():
                with (folder / f"{kind}_{slot}.db").open("wb") as file:
                    os.posix_fallocate(file.fileno(), 0, size if slot else UNLABELED_SIZE)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def use_slot(slot: int) -> None:
    """Continue the counters of an earlier process that had the same slot."""
    global _slot
    _slot = slot
    STREAMS.set(0)


def observe_request(method: str, rule: str, status: int, seconds: float) -> None:
    REQUESTS.labels(method if method in METHODS else "other", rule, status // 100).observe(seconds)


def metrics_text(now: Iterable[Collector]) -> bytes:
    """Return the metrics of all web processes in the Prometheus text format.

    Metrics from the collectors in `now` are included.
    """
    registry = CollectorRegistry()
    if METRICS_FOLDER_VARIABLE in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(_SingleProcess())
    for each in now:
        registry.register(each)
    return generate_latest(registry)


class _SingleProcess(Collector):
    """Collects the metrics of a server that has only one process."""

    def collect(self) -> Iterable[object]:  # type: ignore[override]
        return _own.collect()
