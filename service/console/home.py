"""The first page: sessions that everybody may see, and the way to the API."""

from __future__ import annotations

from flask import Blueprint, Response, request

from domain.rulesets import RULESETS
from service.console.door import reader
from service.console.drawing import page
from service.http import auth, schemas
from service.http.given import Page
from service.http.sessions import lines

ROOT = '{"name":"Fairlog","docs":"/docs","openapi":"/openapi.json","ready":"/readyz"}\n'

blueprint = Blueprint("Home", __name__)


@blueprint.get("/", strict_slashes=False)  # no redirects
def home() -> Response:
    """The list for people; for programs where to look."""
    accepted = request.accept_mimetypes
    if accepted["text/html"] <= accepted["application/json"]:
        return Response(ROOT, content_type="application/json", headers={"Vary": "Accept"})
    query = schemas.read_query(Page, dict(request.args.lists()))
    app = auth.edge().app
    found = lines(app, reader(), query.after, min(query.limit, app.settings.page))
    titles = {room.name: room.title for room in RULESETS}
    return page("home.html", found=found, first=query.after == 0, titles=titles)
