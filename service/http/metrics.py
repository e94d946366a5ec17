"""What those who run the server measure, in Prometheus' text format: what was counted, and how far each part lags."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping

from flask import Response
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from service import meters
from service.bootstrap import App
from service.http import auth
from service.http.events import without_views
from service.http.openapi import Blueprint
from service.http.problems import Problem
from service.queue import QueueAway
from service.status import read_lags, read_work

TEXT = "text/plain"
TOTALS = {
    "events": ("fairlog_events", "Events in the log.", "ruleset"),
    "turns": ("fairlog_turns", "Commands of the games in the log.", "ruleset"),
    "draws": ("fairlog_draws", "Draws in the log by grade.", "grade"),
    "voids": ("fairlog_voids", "Draws that were given up.", ""),
    "sessions": ("fairlog_sessions", "Sessions that were opened and closed.", "what"),
}
"""Of a count of the view: its name, what it says, and what its labels are."""

blueprint = Blueprint("Metrics", __name__, description="For those who measure it.")


@blueprint.operation(
    "GET",
    "/metrics",
    gives={TEXT: None},
    token="none",
    problems=["unreadable", "token-missing", "token-unknown"],
)
def metrics() -> Response:
    """Measure the server

    In Prometheus' text format. Where the operator has set a key, it is sent as `Authorization: Bearer <key>`.
    """
    app = auth.edge().app
    if app.settings.metrics_key and not _is_key(app.settings.metrics_key):
        raise Problem(
            "token-missing", "Send the key of FAIRLOG_METRICS_KEY as `Authorization: Bearer <key>`."
        )
    response = Response(meters.text([Now(app)]), content_type=CONTENT_TYPE_PLAIN_0_0_4)
    response.headers["Cache-Control"] = "no-store"
    return response


def _is_key(key: str) -> bool:
    sent = auth.token()
    return sent is not None and hmac.compare_digest(sent.encode(), key.encode())


class Now(Collector):
    """What is so at this moment, the same whichever process is asked."""

    def __init__(self, app: App) -> None:
        self._app = app

    def collect(self) -> Iterator[Metric]:
        yield from self._totals()
        yield _gauge(
            "fairlog_log_position",
            "Events that were ever appended to the log.",
            {"": self._app.log.end()},
        )
        yield _gauge(
            "fairlog_view_lag",
            "Events that a view is behind the log.",
            read_lags(self._app.views, self._app.log),
            "view",
        )
        yield from self._queue()

    def _totals(self) -> Iterator[Metric]:
        with without_views():
            counts = self._app.views.totals.all()
            for name, (metric, says, label) in TOTALS.items():
                family = CounterMetricFamily(metric, says, labels=[label] if label else [])
                for (counted, of), value in counts.items():
                    if counted == name:
                        family.add_metric([of] if label else [], value)
                yield family

    def _queue(self) -> Iterator[Metric]:
        try:
            work = read_work(self._app.queue)
        except QueueAway:
            yield _gauge("fairlog_queue_up", "Whether the queue's server answers.", {"": 0})
            return
        yield _gauge("fairlog_queue_up", "Whether the queue's server answers.", {"": 1})
        yield _gauge(
            "fairlog_jobs",
            "Background jobs that wait, run, or have failed for good.",
            {"waiting": work.waiting, "running": work.running, "failed": len(work.failed)},
            "state",
        )
        yield _gauge("fairlog_workers", "Workers that are running.", {"": len(work.alive)})


def _gauge(name: str, says: str, values: Mapping[str, float], label: str = "") -> Metric:
    family = GaugeMetricFamily(name, says, labels=[label] if label else [])
    for of, value in values.items():
        family.add_metric([of] if label else [], value)
    return family
