"""The console: its addresses, and the files of the application that shows a page at each of them.

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
from service.web.plain_page import plain_page
from service.web.previews import Preview, head_tags, picture_card, preview_of, roll_preview
from service.web.roll_picture import PictureCard, draw_picture

DIST = Path(__file__).parent / "dist"
NOT_BUILT = (
    "This installation lacks the built console. Run `make install`, then start the server again."
)
NO_PICTURE = "There is no picture of this roll, because not everyone may see it."
PICTURE_SECONDS = 300
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Vary": "Accept, Authorization, Cookie",
}
ROOT = '{"name":"Fairlog","docs":"/docs","openapi":"/openapi.json","ready":"/readyz"}\n'
"""What programs read at /."""
YEAR = 31_536_000  # seconds
COMPRESSED = (".js", ".css", ".svg")

ADDRESSES = (
    "/c/<campaign:campaign>",
    "/games",
    "/join",
    "/join/<code:code>",
    "/rulesets/<ruleset:ruleset>",
    "/s/<session:session>",
    "/s/<session:session>/at/<moment>",
    "/s/<session:session>/character",
    "/s/<session:session>/draws/<draw:draw>",
    "/s/<session:session>/luck",
    "/s/<session:session>/proof",
    "/s/<session:session>/seat",
    "/start",
    "/status",
)
"""Every page of the application except the home page."""
OPEN = ("/seat",)
"""The ends of the addresses of a session's pages that anyone may open."""

blueprint = Blueprint("Console", __name__)


@blueprint.get("/", strict_slashes=False)  # no redirects
def home() -> Response:
    """Return the home page for people, and for programs where to look."""
    accepted = request.accept_mimetypes
    if accepted["text/html"] > accepted["application/json"]:
        return application()
    return Response(ROOT, content_type="application/json", headers={"Vary": "Accept"})


def page(session: str = "", draw: str = "", ruleset: str = "", **_: str) -> Response:
    """Return the application, if there is something at the address that the reader may see."""
    if ruleset:
        newest_edition(ruleset)
    if not session or request.path.endswith(OPEN):
        return application()
    head = auth.session_for_viewer(session)[0]
    return application(preview_of(auth.services().app, head, draw, request.path), session)


for address in ADDRESSES:
    blueprint.add_url_rule(address, view_func=page)


def application(preview: Preview | None = None, session: str = "") -> Response:
    """Return the application's page, with the tags of a link preview if there is one.

    If the page is one of a session, readers without JavaScript find a link to its transcript.
    """
    index = DIST / "index.html"
    if not index.is_file():
        return Response(
            plain_page("The console is missing", NOT_BUILT),
            HTTPStatus.SERVICE_UNAVAILABLE,
            HEADERS,
            content_type="text/html; charset=utf-8",
        )
    text = index.read_text(encoding="utf-8")
    if preview is not None:
        text = text.replace("<title>Fairlog</title>", head_tags(preview), 1)
    if session:
        link = f'<a href="/s/{session}/transcript">Read the transcript without it.</a>'
        text = text.replace("</noscript>", f" {link}</noscript>", 1)
    return Response(text, headers=HEADERS, content_type="text/html; charset=utf-8")


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
    return picture_response(card, "no-cache")  # a revoked link must show nothing


def picture_response(
    card: PictureCard, caching: str = f"public, max-age={PICTURE_SECONDS}"
) -> Response:
    """Return the picture. It is not stored long: names change, and secrets can be redacted."""
    response = Response(draw_picture(card), content_type="image/png")
    response.headers["Cache-Control"] = caching
    response.add_etag()
    response.make_conditional(request)
    return response


@blueprint.get("/service-worker.js")
def service_worker() -> Response:
    """Return the service worker. Its address lets it work for all pages."""
    return _unversioned(DIST, "service-worker.js")


@blueprint.get("/console/shell/<path:file>")
def shell_file(file: str) -> Response:
    """Return the manifest, an icon, or a part of the page that is shown without a connection."""
    return _unversioned(DIST / "shell", file)


def _unversioned(folder: Path, file: str) -> Response:
    """Return a file whose address does not change with its content: browsers ask for it again."""
    response = send_from_directory(folder, file)
    if file.endswith(".webmanifest"):
        response.content_type = "application/manifest+json"
    response.headers.update(HEADERS)
    response.headers["Cache-Control"] = "no-cache"
    return response


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
