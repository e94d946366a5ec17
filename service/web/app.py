"""The web console: pages that are drawn here and read without JavaScript, beside the API in one application."""

from __future__ import annotations

from flask import Flask
from werkzeug.routing import BaseConverter

from service.http import errors, refusals
from service.http.app import create_app as create_api
from service.sessions.app import App
from service.web import (
    acting,
    assets,
    branches,
    chronicle,
    console,
    door,
    drawing,
    home,
    join,
    noes,
    opening,
    people,
    rulesets,
    session,
    sign_in,
    stats,
    status,
    transcript,
    undoing,
    verify,
)

PAGES = (
    assets,
    console,
    home,
    status,
    session,
    stats,
    door,
    join,
    people,
    opening,
    rulesets,
    verify,
    branches,
    chronicle,
    transcript,
    acting,
    undoing,
)


class Release(BaseConverter):
    """What stands for the static files of one release in their addresses."""

    regex = "[0-9a-f]{12}"


def create_app(app: App) -> Flask:
    """The WSGI application of one process: the API, and the pages outside /v1."""
    flask = create_api(app)
    flask.url_map.converters["release"] = Release
    drawing.prepare(flask)
    errors.register_error_handlers(flask, refusals.problem_of, noes.answer)
    flask.extensions[noes.PAGES] = frozenset(part.blueprint.name for part in PAGES)
    for part in (*PAGES, sign_in):
        flask.register_blueprint(part.blueprint)
    return flask
