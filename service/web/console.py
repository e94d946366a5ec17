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
from service.web import built_files
from service.web.plain_page import plain_page
from service.web.previews import Preview, head_tags, picture_card, preview_of, roll_preview
from service.web.roll_picture import PictureCard, draw_picture

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

TABLE = "table/Table"
TABLE_READS = ("", "/turns?limit=60")
"""What the table reads first, below the address of its session in the API."""
ADDRESSES = {
    "/c/<campaign:campaign>": "campaign/Campaign",
    "/games": "home/Games",
    "/join": "join/JoinByCode",
    "/join/<code:code>": "join/Join",
    "/rulesets/<ruleset:ruleset>": "rules/Rules",
    "/s/<session:session>": TABLE,
    "/s/<session:session>/at/<moment:moment>": "review/Review",
    "/s/<session:session>/character": "join/Character",
    "/s/<session:session>/draws/<draw:draw>": "proof/DrawPage",
    "/s/<session:session>/luck": "luck/Luck",
    "/s/<session:session>/proof": "proof/ProofPage",
    "/s/<session:session>/seat": "join/Seat",
    "/start": "home/Start",
    "/status": "status/Status",
}
"""Every page of the application except home and shared rolls, with its component in `web/src`."""
OPEN = ("/seat",)
"""The ends of the addresses of a session's pages that anyone may open."""

blueprint = Blueprint("Console", __name__)


@blueprint.get("/", strict_slashes=False)  # no redirects
def home() -> Response:
    """Return the home page for people, and for programs where to look."""
    accepted = request.accept_mimetypes
    if accepted["text/html"] > accepted["application/json"]:
        return application("home/Home")
    return Response(ROOT, content_type="application/json", headers={"Vary": "Accept"})


def page(session: str = "", draw: str = "", ruleset: str = "", **_: str) -> Response:
    """Return the application, if there is something at the address that the reader may see."""
    if ruleset:
        newest_edition(ruleset)
    component = ADDRESSES[str(request.url_rule)]
    if not session or request.path.endswith(OPEN):
        return application(component)
    head = auth.session_for_viewer(session)[0]
    preview = preview_of(auth.services().app, head, draw, request.path)
    return application(component, preview, session)


for address in ADDRESSES:
    blueprint.add_url_rule(address, view_func=page)


def application(component: str, preview: Preview | None = None, session: str = "") -> Response:
    """Return the application's page, with the tags of a link preview if there is one.

    The page tells browsers to load the files of the component at once. If the page is one of a
    session, readers without JavaScript find a link to its transcript.
    """
    try:
        text = built_files.shell()
    except FileNotFoundError:
        return Response(
            plain_page("The console is missing", NOT_BUILT),
            HTTPStatus.SERVICE_UNAVAILABLE,
            HEADERS,
            content_type="text/html; charset=utf-8",
        )
    reads = _first_reads(component, session)
    text = text.replace("</head>", f"{built_files.hint_tags(component, reads)}</head>", 1)
    if preview is not None:
        text = text.replace("<title>Fairlog</title>", head_tags(preview), 1)
    if session:
        link = f'<a href="/s/{session}/transcript">Read the transcript without it.</a>'
        text = text.replace("</noscript>", f" {link}</noscript>", 1)
    return Response(text, headers=HEADERS, content_type="text/html; charset=utf-8")


def _first_reads(component: str, session: str) -> list[str]:
    """Return what the page reads from the API first."""
    if component != TABLE or request.args:  # with arguments, it reads another seat's view
        return []
    return [f"/v1/sessions/{session}{rest}" for rest in TABLE_READS]


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
    return application("proof/SharedPage", card and roll_preview(card, picture))


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
    return _unversioned(built_files.DIST, "service-worker.js")


@blueprint.get("/console/shell/<path:file>")
def shell_file(file: str) -> Response:
    """Return the manifest, an icon, or a part of the page that is shown without a connection."""
    return _unversioned(built_files.DIST / "shell", file)


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
    response = send_from_directory(built_files.DIST / "assets", file)
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
    return gzip.compress((built_files.DIST / "assets" / file).read_bytes(), mtime=0)
