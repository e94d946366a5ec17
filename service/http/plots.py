"""The figures of a session as plots: which there are, each as a picture that stands alone, each as a table."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from functools import cache
from typing import Literal

import msgspec
from flask import Response

from projections.statistics_model import SessionReport
from service.charts import Plot, plots, svg
from service.http import auth
from service.http.answering import json
from service.http.given import Counting
from service.http.openapi import Blueprint
from service.http.problems import Problem
from service.http.sessions import names_for
from service.http.shown import Pending, Shown
from service.http.statistics import looked_up, pending

SVG, CSV = "image/svg+xml", "text/csv"
PROBLEMS = ("refused", "queue-away")

blueprint = Blueprint("Plots", __name__, description="The statistics as pictures and tables.")


class PlotShown(Shown, frozen=True):
    """`description` says what the chart shows; not every chart has a picture as `svg`."""

    name: str
    title: str
    description: str
    formats: list[Literal["csv", "svg"]]


class Plots(Shown, frozen=True):
    """The plots that have something to show. The figures are as of `version`; `current` where that is the head."""

    session: str
    version: int
    head: int
    current: bool
    plots: list[PlotShown]


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/statistics/plots",
    query=Counting,
    gives=Plots,
    token="optional",
    also={202: Pending},
    problems=PROBLEMS,
)
def list_plots(session: str, query: Counting) -> Response:
    """List the plots

    Of the figures that you may see. Their names change where a die, a pool or a kind of action comes in.
    """
    head, version, found = _drawn(session, query)
    if isinstance(found, Response):
        return found
    listed = [PlotShown(plot.name, plot.title, plot.description, _formats(plot)) for plot in found]
    return json(Plots(session, version, head, version == head, listed))


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/statistics/plots/<plot:plot>.svg",
    query=Counting,
    gives={SVG: None},
    token="optional",
    also={202: Pending},
    problems=PROBLEMS,
)
def plot_as_svg(session: str, plot: str, query: Counting) -> Response:
    """Read a plot as a picture

    With its title and description, in light and dark as the screen is. Nothing is loaded from elsewhere.
    """
    found = _of_name(session, plot, query)
    if isinstance(found, Plot) and found.picture is None:
        raise Problem("not-found", "There is no picture of this table.")
    return found if isinstance(found, Response) else picture(found)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/statistics/plots/<plot:plot>.csv",
    query=Counting,
    gives={CSV: None},
    token="optional",
    also={202: Pending},
    problems=PROBLEMS,
)
def plot_as_csv(session: str, plot: str, query: Counting) -> Response:
    """Read a plot's numbers as a table

    RFC 4180 in UTF-8, its first line the names of the columns. A word that a spreadsheet would take for a formula has a
    `'` before it.
    """
    found = _of_name(session, plot, query)
    return found if isinstance(found, Response) else table(found)


def picture(plot: Plot) -> Response:
    """A file that needs no other."""
    response = Response(svg.file(plot), content_type=f"{SVG}; charset=utf-8")
    response.headers["Content-Security-Policy"] = _policy()
    return response


def table(plot: Plot) -> Response:
    """A file to keep."""
    response = Response(plot.csv(), content_type=f"{CSV}; charset=utf-8; header=present")
    response.headers["Content-Disposition"] = f'attachment; filename="{plot.name}.csv"'
    return response


def _formats(plot: Plot) -> list[Literal["csv", "svg"]]:
    return ["csv"] if plot.picture is None else ["csv", "svg"]


def _drawn(session: str, query: Counting) -> tuple[int, int, tuple[Plot, ...] | Response]:
    """The head, the version of the figures, and the viewer's plots; or the answer while there are no figures."""
    app = auth.edge().app
    head, viewer = auth.viewed(session, query.through)
    now = head.session.version
    found, job = looked_up(app, head.session, viewer, query)
    if found is None:
        return now, 0, pending(Pending(session, now, job.name), job)
    figures = msgspec.json.decode(found.body, type=SessionReport)
    return now, found.version, plots(figures, names_for(app, head.session, viewer))


def _of_name(session: str, name: str, query: Counting) -> Plot | Response:
    """Problem("not-found") where there is none of that name."""
    _, _, found = _drawn(session, query)
    if isinstance(found, Response):
        return found
    for plot in found:
        if plot.name == name:
            return plot
    raise Problem("not-found", "There is no such plot of these statistics.")


@cache
def _policy() -> str:
    """The picture's own style, and nothing else."""
    digest = b64encode(hashlib.sha256(svg.styles().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'"
