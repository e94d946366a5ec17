"""The WSGI application of one process: the HTTP API, and the console beside it."""

from __future__ import annotations

from flask import Flask

from service.http import errors, refusals
from service.http.app import create_app as create_api
from service.sessions.app import App
from service.web import console, error_pages, sign_in, transcript

PAGES = (console, transcript)


def create_app(app: App) -> Flask:
    flask = create_api(app)
    errors.register_error_handlers(flask, refusals.problem_of, error_pages.answer)
    flask.extensions[error_pages.PAGES] = frozenset(part.blueprint.name for part in PAGES)
    for part in (*PAGES, sign_in):
        flask.register_blueprint(part.blueprint)
    return flask
