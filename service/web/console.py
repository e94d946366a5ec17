"""The console: the pages of a session that are an application in the browser.

Its source is in `web/`, and `make install` builds it into `service/web/dist`. It is a client of the
HTTP API.
"""

from __future__ import annotations

import gzip
from functools import cache
from http import HTTPStatus
from pathlib import Path

from flask import Blueprint, Response, request, send_from_directory

from service.http import auth
from service.http.routes.rulesets import newest_edition
from service.web.assets import YEAR
from service.web.drawing import HEADERS

DIST = Path(__file__).parent / "dist"
NOT_BUILT = (
    "This installation lacks the built console. Run `make install`, then start the server again."
)
COMPRESSED = (".js", ".css", ".svg")

blueprint = Blueprint("Console", __name__)


@blueprint.get("/s/<session:session>/character")
@blueprint.get("/s/<session:session>/table")
@blueprint.get("/s/<session:session>/luck")
@blueprint.get("/s/<session:session>/proof")
@blueprint.get("/s/<session:session>/draws/<draw:draw>")
@blueprint.get("/s/<session:session>/at/<moment>")
def session_page(session: str, moment: str = "", draw: str = "") -> Response:
    """Return the application, if the reader may see the session."""
    auth.session_for_viewer(session)
    return application()


@blueprint.get("/home")
@blueprint.get("/start")
@blueprint.get("/games")
@blueprint.get("/sit")
@blueprint.get("/sit/<code:code>")
def public_page(code: str = "") -> Response:
    """Return the application to anyone. The page reads what the address names from the API."""
    return application()


@blueprint.get("/s/<session:session>/seat")
def seat(session: str) -> Response:
    """Return the application to a reader who wants to sign in."""
    return application()


@blueprint.get("/c/<campaign:campaign>")
def campaign_page(campaign: str) -> Response:
    """Return the application. A browser that is not signed in may have a personal link."""
    return application()


@blueprint.get("/games/<ruleset:ruleset>")
def game(ruleset: str) -> Response:
    """Return the application, if there is such a ruleset."""
    newest_edition(ruleset)
    return application()


@blueprint.get("/console/status")
def status() -> Response:
    """Return the application, which shows the status of the server."""
    return application()


def application() -> Response:
    """Return the application's page. It shows what its address says."""
    index = DIST / "index.html"
    if not index.is_file():
        return Response(NOT_BUILT, 503, content_type="text/plain; charset=utf-8")
    return Response(index.read_bytes(), headers=HEADERS, content_type="text/html; charset=utf-8")


@blueprint.get("/console/assets/<path:file>")
def asset(file: str) -> Response:
    """Return a script, a style or a font. Its name changes with its content."""
    response = send_from_directory(DIST / "assets", file)
    response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    if file.endswith(COMPRESSED):
        response.vary.add("Accept-Encoding")
        is_whole = request.method == "GET" and response.status_code == HTTPStatus.OK
        if is_whole and request.accept_encodings["gzip"]:
            response.close()
            response = Response(
                _compress(file), headers=response.headers, content_type=response.content_type
            )
            response.headers["Content-Encoding"] = "gzip"
    return response


@cache
def _compress(file: str) -> bytes:
    """Return the compressed file. The files do not change while the server runs."""
    return gzip.compress((DIST / "assets" / file).read_bytes(), mtime=0)
