"""Operator routes: liveness, readiness and metrics.

A process can serve requests without the queue, but not without the log.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from typing import Literal

from flask import Response
from msgspec import UNSET, UnsetType
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from projections.stores.errors import is_of_storage
from service.http import auth, models
from service.http.errors import ProblemError, log
from service.http.openapi import Blueprint
from service.http.presenters import read_models_optional
from service.http.responses import json_response
from service.jobs.queue import QueueUnavailableError
from service.jobs.status import QUEUE_AWAY, describe_unreadable, read_lags, read_queue
from service.platform import metrics as meters
from service.sessions.app import App

blueprint = Blueprint("Operation", __name__, tag="Server")


@blueprint.operation("checkLiveness", "GET", "/livez", returns=models.Alive, token="none")
def livez() -> Response:
    """Check that the process is alive.

    The response is always the same. Use `/readyz` to find out whether the process can serve
    requests.
    """
    return json_response(models.Alive("ok"))


@blueprint.operation(
    "checkReadiness", "GET", "/readyz", returns=models.Ready, token="none", also={503: models.Ready}
)
def readyz() -> Response:
    """Check that the process is ready to serve requests.

    The status `degraded` means that play continues but statistics are delayed. The status `down`,
    with a 503 response, means that the log cannot be read or the process is shutting down.
    """
    app, why = auth.services().app, list[str]()
    is_down = auth.services().streams.is_stopping
    if is_down:
        why.append("this process is shutting down: send the request to another process")
    log_: Literal["ok", "down"] = "ok" if _is_readable(app) else "down"
    if log_ == "down":
        is_down = True
        why.append("cannot read the event log: check the database and the server's error messages")
    waiting: int | UnsetType = UNSET
    try:
        waiting = app.queue.depth()
    except QueueUnavailableError:
        why.append(QUEUE_AWAY)
    views = read_lags(app.read_models, app.log) if log_ == "ok" else {}
    if log_ == "ok":
        why += describe_unreadable(app.read_models, views)
    queue: Literal["ok", "away"] = "away" if waiting is UNSET else "ok"
    if is_down:
        return json_response(models.Ready("down", log_, queue, views, why, waiting), 503)
    return json_response(
        models.Ready("degraded" if why else "ok", log_, queue, views, why, waiting)
    )


def _is_readable(app: App) -> bool:
    try:
        app.log.end()
    except Exception as error:
        if not is_of_storage(error):
            raise
        log.error("cannot read the event log", exception=repr(error))
        return False
    return True


METRICS_TEXT = "text/plain"
TOTALS = {
    "events": ("fairlog_events", "Number of events in the log, by ruleset.", "ruleset"),
    "turns": ("fairlog_turns", "Number of game commands in the log, by ruleset.", "ruleset"),
    "draws": ("fairlog_draws", "Number of draws in the log, by fairness grade.", "grade"),
    "voids": ("fairlog_voids", "Number of voided draws in the log.", ""),
    "sessions": (
        "fairlog_sessions",
        "Number of sessions opened and closed, by event.",
        "what",
    ),
}
"""For each count in the read model, the metric's name, help text and label."""


@blueprint.operation(
    "getMetrics",
    "GET",
    "/metrics",
    returns={METRICS_TEXT: None},
    token="none",
    problems=["unreadable", "token-missing", "token-invalid"],
)
def metrics() -> Response:
    """Read the metrics.

    The response is in the Prometheus text format. If the operator has set a metrics key, send the
    key as `Authorization: Bearer <key>`.
    """
    app = auth.services().app
    if app.settings.metrics_key and not _is_key(app.settings.metrics_key):
        raise ProblemError(
            "token-missing",
            "The metrics require a key. Send the value of the setting FAIRLOG_METRICS_KEY as "
            "`Authorization: Bearer <key>`.",
        )
    response = Response(
        meters.metrics_text([CurrentState(app)]), content_type=CONTENT_TYPE_PLAIN_0_0_4
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def _is_key(key: str) -> bool:
    sent = auth.token()
    return sent is not None and hmac.compare_digest(sent.encode(), key.encode())


class CurrentState(Collector):
    """Metrics about the log, the read models and the queue, which are the same in every process."""

    def __init__(self, app: App) -> None:
        self._app = app

    def collect(self) -> Iterator[Metric]:
        yield from self._totals()
        yield _gauge(
            "fairlog_log_position",
            "Position of the newest event in the log.",
            {"": self._app.log.end()},
        )
        yield _gauge(
            "fairlog_view_lag",
            "Number of events by which a read model lags behind the log.",
            read_lags(self._app.read_models, self._app.log),
            "view",
        )
        yield from self._queue()

    def _totals(self) -> Iterator[Metric]:
        with read_models_optional():
            counts = self._app.read_models.totals.all()
            for name, (metric, says, label) in TOTALS.items():
                family = CounterMetricFamily(metric, says, labels=[label] if label else [])
                for (counted, of), value in counts.items():
                    if counted == name:
                        family.add_metric([of] if label else [], value)
                yield family

    def _queue(self) -> Iterator[Metric]:
        try:
            work = read_queue(self._app.queue)
        except QueueUnavailableError:
            yield _gauge(
                "fairlog_queue_up", "1 if the queue server responds, otherwise 0.", {"": 0}
            )
            return
        yield _gauge("fairlog_queue_up", "1 if the queue server responds, otherwise 0.", {"": 1})
        yield _gauge(
            "fairlog_jobs",
            "Number of background jobs, by state. A failed job has no attempts left.",
            {"waiting": work.waiting, "running": work.running, "failed": len(work.failed)},
            "state",
        )
        yield _gauge("fairlog_workers", "Number of running workers.", {"": len(work.alive)})


def _gauge(name: str, says: str, values: Mapping[str, float], label: str = "") -> Metric:
    family = GaugeMetricFamily(name, says, labels=[label] if label else [])
    for of, value in values.items():
        family.add_metric([of] if label else [], value)
    return family
