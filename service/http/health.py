"""Whether this process lives, and whether it can serve: without its queue it can, without its log it cannot."""

from __future__ import annotations

from typing import Literal

from flask import Response
from msgspec import UNSET, UnsetType

from service.bootstrap import App
from service.http import auth
from service.http.answering import json
from service.http.openapi import Blueprint
from service.http.problems import log
from service.http.shown import Alive, Ready
from service.queue import QueueAway
from service.status import AWAY, missing_views, read_lags
from service.storage.failing import is_of_storage

blueprint = Blueprint("Health", __name__, description="For those who run it.")


@blueprint.operation("GET", "/livez", gives=Alive, token="none")
def livez() -> Response:
    """Say whether the process lives"""
    return json(Alive("ok"))


@blueprint.operation("GET", "/readyz", gives=Ready, token="none", also={503: Ready})
def readyz() -> Response:
    """Say whether it can serve

    Degraded: play goes on, statistics wait. Down, with 503: the log cannot be read, or the process is about to end.
    """
    app, why = auth.edge().app, list[str]()
    is_down = auth.edge().streams.is_stopping
    if is_down:
        why.append("this process is about to end: send the request to another")
    log_: Literal["ok", "down"] = "ok" if _is_readable(app) else "down"
    if log_ == "down":
        is_down = True
        why.append("cannot read the log: see the server's log, and check its database")
    waiting: int | UnsetType = UNSET
    try:
        waiting = app.queue.depth()
    except QueueAway:
        why.append(AWAY)
    views = read_lags(app.views, app.log) if log_ == "ok" else {}
    if log_ == "ok":
        why += missing_views(app.views, views)
    queue: Literal["ok", "away"] = "away" if waiting is UNSET else "ok"
    if is_down:
        return json(Ready("down", log_, queue, views, why, waiting), 503)
    return json(Ready("degraded" if why else "ok", log_, queue, views, why, waiting))


def _is_readable(app: App) -> bool:
    try:
        app.log.end()
    except Exception as error:
        if not is_of_storage(error):
            raise
        log.error("log away", exception=repr(error))
        return False
    return True
