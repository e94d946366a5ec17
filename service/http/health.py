"""Whether this process lives, and whether it can serve: without its queue it can, without its log it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from flask import Response
from msgspec import UNSET, UnsetType

from projections.views import lag
from service.bootstrap import App
from service.http import auth
from service.http.answering import json
from service.http.events import without_views
from service.http.openapi import Blueprint
from service.http.problems import log
from service.http.shown import Alive, Ready
from service.queue import QueueAway
from service.status import AWAY
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
    app, is_stopping = auth.edge().app, auth.edge().streams.is_stopping
    log_, waiting = _log(app), _waiting(app)
    views = _views(app) if log_ == "ok" else {}
    why = list(_why(app, log_, waiting, views, is_stopping))
    queue: Literal["ok", "away"] = "away" if waiting is UNSET else "ok"
    if log_ == "down" or is_stopping:
        return json(Ready("down", log_, queue, views, why, waiting), 503)
    return json(Ready("degraded" if why else "ok", log_, queue, views, why, waiting))


def _why(
    app: App, log_: str, waiting: int | UnsetType, views: dict[str, int], is_stopping: bool
) -> Iterator[str]:
    if is_stopping:
        yield "the process is about to end: ask another"
    if log_ == "down":
        yield "the log cannot be read: look at its database, and at what the server has logged"
    if waiting is UNSET:
        yield AWAY
    for view in app.views.followed if log_ == "ok" else ():
        if view.name not in views:
            yield f"the view {view.name} cannot be read: `fairlog migrate`"


def _log(app: App) -> Literal["ok", "down"]:
    try:
        app.log.end()
    except Exception as error:
        if not is_of_storage(error):
            raise
        log.error("log away", exception=repr(error))
        return "down"
    return "ok"


def _waiting(app: App) -> int | UnsetType:
    """Jobs in the queue; UNSET where it is away."""
    try:
        return app.queue.depth()
    except QueueAway:
        return UNSET


def _views(app: App) -> dict[str, int]:
    """How far each is behind; those that cannot be read are missing."""
    behind: dict[str, int] = {}
    with without_views():
        for view in app.views.followed:
            behind[view.name] = lag(app.log, view)
    return behind
