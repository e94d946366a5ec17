"""The page of the server's state: what waits, what runs, what failed and what to do, and how far the views are."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response

from service.http import auth
from service.http.presenters import iso_time
from service.jobs.definitions import JobKind
from service.jobs.status import background_status as status_of
from service.web.drawing import page

WORK: Mapping[JobKind, str] = {
    JobKind.STATISTICS: "Statistics of a session",
    JobKind.RANGE: "Statistics of some versions",
    JobKind.AUDIT: "Check of a session's log",
    JobKind.WEBHOOK: "Webhooks",
    JobKind.CAMPAIGN: "Statistics of a campaign",
}

blueprint = Blueprint("Status", __name__)


@blueprint.get("/status")
def status() -> Response:
    """As anybody may know it."""
    app = auth.services().app
    now = status_of(app.queue, app.read_models, app.log, app.settings.sweep)
    return page("status.html", now=now, work=WORK, iso=iso_time)
