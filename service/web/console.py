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

from domain.visibility import PUBLIC_VIEWER, can_see_session
from service.http import auth
from service.http.errors import ProblemError
from service.http.routes import roll_links
from service.http.routes.rulesets import newest_edition
from service.web.assets import YEAR
from service.web.drawing import HEADERS
from service.web.plain_page import plain_page
from service.web.previews import Preview, head_tags, picture_card, preview_of, roll_preview
from service.web.roll_picture import PictureCard, draw_picture

DIST = Path(__file__).parent / "dist"
NOT_BUILT = (
    "This installation lacks the built console. Run `make install`, then start the server again."
)
NO_PICTURE = "There is no picture of this roll, because not everyone may see it."
PICTURE_SECONDS = 300
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
    head, _ = auth.session_for_viewer(session)
    return application(preview_of(auth.services().app, head, draw, request.path))


@blueprint.get("/s/<session:session>/draws/<draw:draw>.png")
def roll_picture(session: str, draw: str) -> Response:
    """Return the picture of a roll for link previews, if everyone may see the roll."""
    head, _ = auth.session_for_viewer(session)
    card = None
    if can_see_session(head.session, PUBLIC_VIEWER):
        card = picture_card(auth.services().app, head, int(draw))
    if card is None:
        raise ProblemError("not-found", NO_PICTURE)
    return picture_response(card)


@blueprint.get("/r/<code:code>")
def shared_roll(code: str) -> Response:
    """Return the application, if the link shows a roll."""
    app = auth.services().app
    head, k, _ = roll_links.shared_roll(app, code)
    card = picture_card(app, head, k)
    picture = f"{app.settings.public_url}{request.path}.png"
    return application(card and roll_preview(card, picture))


@blueprint.get("/r/<code:code>.png")
def shared_picture(code: str) -> Response:
    """Return the picture of the roll that a link shows."""
    app = auth.services().app
    head, k, _ = roll_links.shared_roll(app, code)
    card = picture_card(app, head, k)
    assert card is not None
    return picture_response(card)


def picture_response(card: PictureCard) -> Response:
    """Return the picture. Names can change, and a secret can be redacted, so it is not kept long."""
    response = Response(draw_picture(card), content_type="image/png")
    response.headers["Cache-Control"] = f"public, max-age={PICTURE_SECONDS}"
    response.add_etag()
    response.make_conditional(request)
    return response


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


def application(preview: Preview | None = None) -> Response:
    """Return the application's page, with the tags of a link preview if there is one."""
    index = DIST / "index.html"
    if not index.is_file():
        return Response(
            plain_page("The console is missing", NOT_BUILT),
            HTTPStatus.SERVICE_UNAVAILABLE,
            HEADERS,
            content_type="text/html; charset=utf-8",
        )
    page = index.read_text(encoding="utf-8")
    if preview is not None:
        page = page.replace("<title>Fairlog</title>", head_tags(preview), 1)
    return Response(page, headers=HEADERS, content_type="text/html; charset=utf-8")


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
