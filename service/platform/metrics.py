"""What a web process counts while it serves, for Prometheus: requests, turns, refusals, conflicts, streams."""

from __future__ import annotations

import os
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

METRICS_FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Where the processes of one web server keep their numbers, so that any of them can tell those of all."""
BUCKET_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

_own = CollectorRegistry()
REQUESTS = Histogram(
    "fairlog_request_seconds",
    "Requests by address and how they were answered (2: well, 4, 5), a stream's first byte.",
    ["method", "rule", "status"],
    buckets=BUCKET_SECONDS,
    registry=_own,
)
TURNS = Histogram(
    "fairlog_turn_seconds",
    "Commands that were accepted: read, decided, stored.",
    buckets=BUCKET_SECONDS,
    registry=_own,
)
REFUSALS = Counter(
    "fairlog_refusals", "Commands that the rules did not allow.", ["rule"], registry=_own
)
CONFLICTS = Counter("fairlog_conflicts", "Commands that lost to another writer.", registry=_own)
PROBLEMS = Counter("fairlog_problems", "Answers that were a no, by code.", ["code"], registry=_own)
STREAMS = Gauge(
    "fairlog_streams", "Live streams that are open.", multiprocess_mode="livesum", registry=_own
)


def metrics_text(now: Iterable[Collector]) -> bytes:
    """What all processes of this server have counted, and what is so `now`, in Prometheus' text format."""
    registry = CollectorRegistry()
    if METRICS_FOLDER_VARIABLE in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(_Whole())
    for each in now:
        registry.register(each)
    return generate_latest(registry)


class _Whole(Collector):
    """The counts of a process that is alone."""

    def collect(self) -> Iterable[object]:  # type: ignore[override]
        return _own.collect()
