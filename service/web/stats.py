"""The page of a session's statistics: who was lucky, the verdict, and all plots with their numbers.

Each plot can also be read as files.
"""

from __future__ import annotations

import http
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, request, url_for
from markupsafe import Markup

from domain.session.state import Session
from domain.session.turns import Head
from domain.visibility import Viewer
from projections.statistics_model import SessionReport
from service.charts import Plot, plots, svg
from service.charts.labels import EXPLANATION, LEGEND, NO_VERDICT_ON_RANGE, Names
from service.charts.people import is_range, people_tables
from service.charts.plot import Row
from service.http import auth, models
from service.http.routes.sessions import names_for
from service.http.routes.statistics import RETRY_SECONDS, find_statistics, picture, table
from service.store.errors import UnknownSessionError
from service.web.drawing import page
from service.web.looking import named, onlooker, queried, watched

PLACES = 4

blueprint = Blueprint("Stats", __name__)


@blueprint.get("/s/<session:session>/stats")
def stats(session: str) -> Response:
    """The page, as of the newest figures that there are."""
    head, viewer, asked = _asked(session)
    shown = _around(head.session, viewer, asked)
    found = find_statistics(auth.services().app, head.session, viewer, asked)
    if found is None:
        response = page("pending.html", http.HTTPStatus.ACCEPTED, version=0, **shown)
        response.headers["Retry-After"] = RETRY_SECONDS
        return response
    figures, names = (
        msgspec.json.decode(found.body, type=SessionReport),
        _names(head.session, viewer),
    )
    drawn = plots(figures, names)
    return page(
        "counted.html",
        version=found.version,
        figures=figures,
        names=names,
        is_range=is_range(figures),
        no_verdict=NO_VERDICT_ON_RANGE,
        people=people_tables(figures, Names(names)),
        looking={name: value for name, value in shown["asked"].items() if name == "as" and value},
        legend=LEGEND,
        explanation=EXPLANATION,
        plots=drawn,
        pictures={plot.name: Markup(svg.element(plot)) for plot in drawn},  # noqa: S704 svg escapes all text
        files=_files(session, drawn),
        written=written,
        **shown,
    )


def written(rows: Sequence[Row]) -> Iterator[list[tuple[str, bool]]]:
    """The cells of a plot's table, and whether each is a number.

    A fraction has as many places as any of its column needs, so that their points stand in a line; the files have all.
    """
    places = [max(map(_places, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield [
            (
                f"{cell:z.{most}f}" if isinstance(cell, float) else str(cell),
                not isinstance(cell, str),
            )
            for cell, most in zip(row, places, strict=True)
        ]


def _places(cell: object) -> int:
    """How many places it needs, of four: 0.25 needs two, 3.0 none."""
    return len(f"{cell:.{PLACES}f}".rstrip("0").partition(".")[2]) if isinstance(cell, float) else 0


@blueprint.get("/s/<session:session>/stats/<plot:plot>.csv")
def numbers(session: str, plot: str) -> Response:
    """The numbers of one plot."""
    return _kept_by_nobody(table(_plot(session, plot)))


@blueprint.get("/s/<session:session>/stats/<plot:plot>.svg")
def drawing(session: str, plot: str) -> Response:
    """One plot as a picture by itself."""
    found = _plot(session, plot)
    if found.picture is None:
        raise UnknownSessionError(session)
    return _kept_by_nobody(picture(found))


def _kept_by_nobody(response: Response) -> Response:
    """What a cookie opens stays in no cache."""
    response.headers.update({"Cache-Control": "no-store", "Vary": "Authorization, Cookie"})
    return response


def _asked(session: str) -> tuple[Head, Viewer, models.StatisticsQuery]:
    """The session, its viewer, and what the address asks for."""
    asked = queried(models.StatisticsQuery)
    return *auth.session_for_viewer(session, asked.through), asked


def _plot(session: str, name: str) -> Plot:
    """One of the plots that the page shows. Raises Unknown."""
    head, viewer, asked = _asked(session)
    found = find_statistics(auth.services().app, head.session, viewer, asked)
    if found is not None:
        figures = msgspec.json.decode(found.body, type=SessionReport)
        for plot in plots(figures, _names(head.session, viewer)):
            if plot.name == name:
                return plot
    raise UnknownSessionError(session)


def _names(session: Session, viewer: Viewer) -> Mapping[str, str]:
    return names_for(auth.services().app, session, viewer)


def _around(
    session: Session, viewer: Viewer, asked: models.StatisticsQuery
) -> dict[str, Any]:  # what the template shows
    """What stands around the figures."""
    return {
        "session": session.id,
        "title": session.info.title,
        "game": session.ruleset.title,
        "head": session.version,
        "reader": onlooker(session, viewer),
        "seated": named(session, viewer.seat) if viewer.seat else "",
        "seats": watched(session, viewer),
        "asked": {name: request.args.get(name, "") for name in ("from", "to", "as")},
        "here": url_for("Stats.stats", session=session.id),
        "again": _address("Stats.stats", session=session.id),
    }


def _files(session: str, drawn: tuple[Plot, ...]) -> dict[str, dict[str, str]]:
    """The addresses of each plot's files, with the same query."""
    return {
        plot.name: {
            "csv": _address("Stats.numbers", session=session, plot=plot.name),
            "svg": _address("Stats.drawing", session=session, plot=plot.name),
        }
        for plot in drawn
    }


def _address(endpoint: str, session: str, plot: str | None = None) -> str:
    """The address with the query that this page was asked with."""
    query = urlencode([(name, value) for name, value in request.args.items() if value])
    return url_for(endpoint, session=session, plot=plot) + (f"?{query}" if query else "")
