"""Whether this process lives, and whether it can serve: without its queue it can, without its log it cannot."""

from __future__ import annotations

from typing import Literal

from flask import Response

from projections.views import lag
from service.bootstrap import App
from service.http import auth
from service.http.answering import json
from service.http.blueprint import Blueprint
from service.http.events import without_views
from service.http.problems import log
from service.http.shown import Alive, Ready
from service.storage.failing import is_of_storage

blueprint = Blueprint("Health", __name__, description="For those who run it.")


@blueprint.operation("GET", "/livez", gives=Alive, token="none")
def livez() -> Response:
    """Say whether the process lives"""
    return json(Alive("ok"))


@blueprint.operation("GET", "/readyz", gives=Ready, token="none", also={503: Ready})
def readyz() -> Response:
    """Say whether it can serve

    Degraded: play goes on, statistics wait. Down: the log cannot be read.
    """
    app = auth.edge().app
    log_, queue = _log(app), _queue(app)
    views = _views(app) if log_ == "ok" else {}
    if log_ == "down":
        return json(Ready("down", log_, queue, views), 503)
    fine = queue == "ok" and len(views) == len(app.views.followed)
    return json(Ready("ok" if fine else "degraded", log_, queue, views))


def _log(app: App) -> Literal["ok", "down"]:
    try:
        app.log.end()
    except Exception as error:
        if not is_of_storage(error):
            raise
        log.error("log away", exception=repr(error))
        return "down"
    return "ok"


def _queue(app: App) -> Literal["ok", "away"]:
    return "ok" if app.queue.ping() else "away"


def _views(app: App) -> dict[str, int]:
    """How far each is behind; those that cannot be read are missing."""
    behind: dict[str, int] = {}
    with without_views():
        for view in app.views.followed:
            behind[view.name] = lag(app.log, view)
    return behind
