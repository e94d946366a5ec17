"""Prometheus metrics of the web processes, such as requests and refused commands."""

from __future__ import annotations

import os
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

METRICS_FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable with the path of the folder for the web processes' metrics."""
BUCKET_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

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
    "fairlog_conflicts", "Commands that conflicted with another writer.", registry=_own
)
PROBLEMS = Counter("fairlog_problems", "Error responses by code.", ["code"], registry=_own)
STREAMS = Gauge("fairlog_streams", "Open live streams.", multiprocess_mode="livesum", registry=_own)


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
