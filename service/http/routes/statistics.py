"""Session statistics, which workers compute in the background, and their charts."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from functools import cache
from typing import Annotated, Literal

import msgspec
from flask import Response, url_for
from msgspec import UNSET, Meta, Raw

from domain.session.state import Session
from domain.visibility import Viewer, turns_hidden_from
from projections.results import STATISTICS, JobResult, range_name
from projections.statistics_model import SessionReport
from service.charts import Plot, plots, svg
from service.http import auth, models
from service.http.errors import ProblemError, query_errors
from service.http.openapi import Blueprint
from service.http.presenters import read_models_optional
from service.http.responses import json_response
from service.http.routes.sessions import names_for
from service.jobs import definitions
from service.jobs.definitions import Job
from service.jobs.queue import TooManyJobsError
from service.sessions.app import App

blueprint = Blueprint("Statistics", __name__, tag="Statistics")


RETRY_SECONDS = "2"


@blueprint.operation(
    "getStatistics",
    "GET",
    "/v1/sessions/<session:session>/statistics",
    query=models.StatisticsQuery,
    returns=models.Statistics,
    token="optional",
    also={202: models.StatisticsPending},
    problems=["refused", "queue-away"],
    sends=["Location", "Retry-After"],
)
def statistics(session: str, query: models.StatisticsQuery) -> Response:
    """Read the statistics.

    The statistics cover the events up to `version` that you may see. `current` is true if this is
    the session's newest version. `from` and `to` select a range of versions. If the statistics have
    not been computed yet, the response is 202, and `Location` is the address of the job that
    computes them.
    """
    app = auth.services().app
    head, viewer = auth.session_for_viewer(session, query.through)
    version = head.session.version
    found, job = require_statistics(app, head.session, viewer, query)
    if found is None:
        return pending_response(models.StatisticsPending(session, version, job.name), job)
    figures = Raw(found.body.encode())
    return json_response(
        models.Statistics(session, found.version, version, found.version == version, figures)
    )


def find_statistics(
    app: App, session: Session, viewer: Viewer, query: models.StatisticsQuery
) -> JobResult | None:
    """Return the viewer's stored statistics, or None if there are none.

    If the statistics for a selected range are missing or outdated, enqueue the job that computes
    them.
    """
    return require_statistics(app, session, viewer, query)[0]


def pending_response(body: models.ResponseModel, job: Job) -> Response:
    response = json_response(body, 202)
    response.headers["Location"] = url_for("Background.job", job=job.name)
    response.headers["Retry-After"] = RETRY_SECONDS
    return response


def require_statistics(
    app: App, session: Session, viewer: Viewer, query: models.StatisticsQuery
) -> tuple[JobResult | None, Job]:
    """Return the stored statistics (or None) and the job that computes newer ones.

    If the statistics for a selected range are missing or outdated, enqueue the job. Raises
    ProblemError("malformed"), or the errors of `auth.request_job`.
    """
    first, last = _version_range(query, session.version)
    if first == 1 and last is None:
        found = _stored(app, session, viewer, STATISTICS)
        return found, definitions.statistics(session.id)  # the follower enqueues it
    found = _stored(app, session, viewer, range_name(first, last))
    job = definitions.statistics_of_range(session.id, session.version, first, last)
    if found is None or found.version < session.version:
        try:
            auth.request_job(job)
        except (TooManyJobsError, ProblemError):  # older statistics are better than an error
            if found is None:
                raise
    return found, job


def _version_range(query: models.StatisticsQuery, head: int) -> tuple[int, int | None]:
    """Return the first and last versions of the range that the query selects.

    The last version is None if the range has no end. Raises ProblemError("malformed").
    """
    first = 1 if query.first is UNSET else query.first
    last = None if query.last is UNSET else query.last
    if max(first, last or 0) > head:
        wrong = "to" if last is not None and last > head else "from"
        raise ProblemError(
            "malformed",
            f"The session is only at version {head}. Choose an earlier version.",
            errors=query_errors({wrong: [f"Must be at most {head}."]}),
        )
    if last is not None and first > last:
        raise ProblemError(
            "malformed",
            f"The range is empty, because `to` ({last}) is before `from` ({first}).",
            errors=query_errors({"to": [f"Must be at least {first}, the value of `from`."]}),
        )
    return first, last


def _stored(app: App, session: Session, viewer: Viewer, name: str) -> JobResult | None:
    """Return the stored result, or None if there is no result that the viewer may see.

    The viewer may not see a result that includes events now hidden from them.
    """
    with read_models_optional():
        return app.read_models.results.get(
            session.id, name, session.version, hidden_turns(session, viewer)
        )
    return None


def hidden_turns(session: Session, viewer: Viewer) -> dict[int, int]:
    """Map each turn hidden from the viewer to its first version."""
    seals = session.secrets.seals
    return {turn: seals[turn].version for turn in turns_hidden_from(session, viewer)}


SVG, CSV = "image/svg+xml", "text/csv"
PROBLEMS = ("refused", "queue-away")


class PlotView(models.ResponseModel, frozen=True):
    """A chart."""

    name: Annotated[str, Meta(description="the chart's name, which is part of its address")]
    title: Annotated[str, Meta(description="the chart's title")]
    description: Annotated[str, Meta(description="a description of the chart in words")]
    formats: Annotated[
        list[Literal["csv", "svg"]],
        Meta(description="the formats of the chart: `csv` and, for some charts, `svg`"),
    ]


class Plots(models.ResponseModel, frozen=True):
    """The charts of a session's statistics."""

    session: models.SessionId
    version: models.StatisticsVersion
    head: models.NewestVersion
    current: models.IsCurrent
    plots: Annotated[list[PlotView], Meta(description="the charts that contain data")]


@blueprint.operation(
    "listPlots",
    "GET",
    "/v1/sessions/<session:session>/statistics/plots",
    query=models.StatisticsQuery,
    returns=Plots,
    token="optional",
    also={202: models.StatisticsPending},
    problems=PROBLEMS,
)
def list_plots(session: str, query: models.StatisticsQuery) -> Response:
    """List the charts.

    The charts show the statistics that you may see. Which charts are available depends on the dice,
    pools and kinds of actions in the session.
    """
    head, version, found = _chart(session, query)
    if isinstance(found, Response):
        return found
    listed = [PlotView(plot.name, plot.title, plot.description, _formats(plot)) for plot in found]
    return json_response(Plots(session, version, head, version == head, listed))


@blueprint.operation(
    "getPlot",
    "GET",
    "/v1/sessions/<session:session>/statistics/plots/<plot:plot>.svg",
    query=models.StatisticsQuery,
    returns={SVG: None},
    token="optional",
    also={202: models.StatisticsPending},
    problems=PROBLEMS,
)
def plot_as_svg(session: str, plot: str, query: models.StatisticsQuery) -> Response:
    """Read a chart as SVG.

    The file contains a title and a description, adapts to light and dark mode, and loads no other
    files.
    """
    found = _plot_named(session, plot, query)
    if isinstance(found, Plot) and found.picture is None:
        raise ProblemError(
            "not-found", f"The chart {plot} is not available as SVG. Request {plot}.csv instead."
        )
    return found if isinstance(found, Response) else picture(found)


@blueprint.operation(
    "getPlotTable",
    "GET",
    "/v1/sessions/<session:session>/statistics/plots/<plot:plot>.csv",
    query=models.StatisticsQuery,
    returns={CSV: None},
    token="optional",
    also={202: models.StatisticsPending},
    problems=PROBLEMS,
)
def plot_as_csv(session: str, plot: str, query: models.StatisticsQuery) -> Response:
    """Read a chart's numbers as CSV.

    The file is in UTF-8, follows RFC 4180 and has a header line. Text that a spreadsheet would
    interpret as a formula is prefixed with `'`.
    """
    found = _plot_named(session, plot, query)
    return found if isinstance(found, Response) else table(found)


def picture(plot: Plot) -> Response:
    """Return the chart as a self-contained SVG file."""
    response = Response(svg.file(plot), content_type=f"{SVG}; charset=utf-8")
    response.headers["Content-Security-Policy"] = _policy()
    return response


def table(plot: Plot) -> Response:
    """Return the chart's numbers as a CSV file."""
    response = Response(plot.csv(), content_type=f"{CSV}; charset=utf-8; header=present")
    response.headers["Content-Disposition"] = f'attachment; filename="{plot.name}.csv"'
    return response


def _formats(plot: Plot) -> list[Literal["csv", "svg"]]:
    return ["csv"] if plot.picture is None else ["csv", "svg"]


def _chart(
    session: str, query: models.StatisticsQuery
) -> tuple[int, int, tuple[Plot, ...] | Response]:
    """Return the session's version, the version of its statistics, and the charts.

    If there are no statistics yet, return a 202 response instead of the charts.
    """
    app = auth.services().app
    head, viewer = auth.session_for_viewer(session, query.through)
    now = head.session.version
    found, job = require_statistics(app, head.session, viewer, query)
    if found is None:
        return now, 0, pending_response(models.StatisticsPending(session, now, job.name), job)
    figures = msgspec.json.decode(found.body, type=SessionReport)
    return now, found.version, plots(figures, names_for(app, head.session, viewer))


def _plot_named(session: str, name: str, query: models.StatisticsQuery) -> Plot | Response:
    """Return the chart named `name`, or a 202 response if there are no statistics yet.

    Raises ProblemError("not-found").
    """
    _, _, found = _chart(session, query)
    if isinstance(found, Response):
        return found
    for plot in found:
        if plot.name == name:
            return plot
    raise ProblemError(
        "not-found",
        f"These statistics have no chart named {name}. Choose one from the list of charts.",
    )


@cache
def _policy() -> str:
    """Return a content security policy that allows only the charts' own styles."""
    digest = b64encode(hashlib.sha256(svg.styles().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'"
