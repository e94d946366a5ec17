"""The first page: sessions that everybody may see, the ways into another and into a new one, and the way to the API."""

from __future__ import annotations

from typing import Annotated

from flask import Blueprint, Response, request
from msgspec import UNSET, Meta, UnsetType

from domain.rulesets import RULESETS
from service.http import auth, models
from service.http.routes.rulesets import newest_edition
from service.http.routes.sessions import session_lines
from service.web.drawing import page
from service.web.looking import queried
from service.web.opening import Form, form_of

ROOT = '{"name":"Fairlog","docs":"/docs","openapi":"/openapi.json","ready":"/readyz"}\n'

blueprint = Blueprint("Home", __name__)


class Begun(models.PageQuery, frozen=True):
    """A page of the list, and the game of the form for a new evening."""

    ruleset: Annotated[str, Meta(description="the game", extra={"of": "ruleset"})] | UnsetType = (
        UNSET
    )
    edition: (
        Annotated[str, Meta(description="absent: the newest", extra={"of": "edition"})] | UnsetType
    ) = UNSET


@blueprint.get("/", strict_slashes=False)  # no redirects
def home() -> Response:
    """The list for people; for programs where to look."""
    accepted = request.accept_mimetypes
    if accepted["text/html"] <= accepted["application/json"]:
        return Response(ROOT, content_type="application/json", headers={"Vary": "Accept"})
    query = queried(Begun)
    app = auth.services().app
    found = session_lines(app, auth.holder(), query.after, min(query.limit, app.settings.page))
    titles = {ruleset.name: ruleset.title for ruleset in RULESETS}
    return page(
        "home.html",
        found=found,
        first=query.after == 0,
        titles=titles,
        games=RULESETS,
        form=_form(query),
        closed=bool(app.settings.opening_key),
    )


def _form(query: Begun) -> Form | None:
    """The form for a new evening, where a game is chosen."""
    if query.ruleset is UNSET:
        return None
    return form_of(
        query.ruleset,
        newest_edition(query.ruleset).edition if query.edition is UNSET else query.edition,
    )
