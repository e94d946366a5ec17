"""The OpenAPI 3.1 document, finished from what flask-smorest gathered, and its page, from our own files alone."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import flask_smorest
import flask_swagger_ui
import msgspec
from flask import Blueprint, Flask, Response, current_app, send_from_directory

from service.http import links, schemas
from service.http.blueprint import RESPONSES, problem_response
from service.http.problems import ProblemDetails
from service.http.shown import Shown

API = "fairlog-api"
DIST = Path(flask_swagger_ui.__file__).parent / "dist"
ABOUT = """The game log that a tabletop group can trust.

Versions count the events of a session; an answer's `ETag` is its version. There are three kinds of no: unreadable or
malformed (400, 422), refused by the rules (409, with `rule` and `facts`), and conflict (412, with the current
`version`). A seat's token comes as `Authorization: Bearer <token>`; a browser that sat down by the pages sends it
in the cookie `fairlog-seat`, by which it may read, and change something only where a page of ours asks
(`Sec-Fetch-Site: same-origin` or, without it, this host's `Origin`). Every problem is `application/problem+json` with a
stable `code`. Times are ISO 8601 in UTC. Links of an answer name the operations that take what it holds."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fairlog API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<main id="swagger-ui"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
START = 'SwaggerUIBundle({url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true, validatorUrl: null});\n'

pages = Blueprint("Documents", __name__)


class Api(flask_smorest.Api):  # type: ignore[misc]  # the library has no types
    """Gathers the document; errors are ours (problems.py)."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_error_handlers(self) -> None:
        """None of the library's."""


def gather(app: Flask, version: str) -> Api:
    """The API that blueprints are registered on."""
    app.config.update(API_TITLE="Fairlog", API_VERSION=version, OPENAPI_VERSION="3.1.0")
    api = Api(app, spec_kwargs={"info": {"description": ABOUT}})
    api.spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for name, schema in schemas.components().items():
        api.spec.components.schema(name, schema=schema)
    for name, answer in _answers().items():
        api.spec.components.schema(name, answer)
    return api


def finish(app: Flask, api: Api) -> None:
    """Every operation is registered: keep the document."""
    document = api.spec.to_dict()
    found = document["components"]["schemas"]
    for name in ("Commanding", "Asking"):
        _discriminate(found[name]["properties"]["command"], "kind")
    links.add(document)
    document["components"]["responses"] = {
        name: problem_response(name) for name in sorted(_referred(document))
    }
    app.extensions[API] = msgspec.json.encode(document, order="deterministic")


def document(app: Flask) -> bytes:
    """The finished document, as JSON."""
    held: bytes = app.extensions[API]
    return held


@pages.get("/openapi.json")
def openapi() -> Response:
    return Response(document(current_app), content_type="application/json")


@pages.get("/docs")
def docs() -> Response:
    return Response(PAGE, content_type="text/html; charset=utf-8")


@pages.get("/docs/start.js")
def start() -> Response:
    return Response(START, content_type="text/javascript; charset=utf-8")


@pages.get("/docs/<path:file>")
def dist(file: str) -> Response:
    return send_from_directory(DIST, file)


def _referred(document: dict[str, Any]) -> set[str]:
    """The names of all problems' responses that operations refer to."""
    said = [
        said
        for methods in document["paths"].values()
        for said in methods.values()
        if isinstance(said, dict)
    ]
    responses = [response for operation in said for response in operation["responses"].values()]
    return {
        response["$ref"].removeprefix(RESPONSES) for response in responses if "$ref" in response
    }


def _discriminate(field: dict[str, Any], tag: str) -> None:
    """apispec leaves the discriminator out."""
    mapping = {one["$ref"].rpartition("/")[2]: one["$ref"] for one in field["oneOf"]}
    field["discriminator"] = {"propertyName": tag, "mapping": mapping}


@lru_cache
def _answers() -> dict[str, Any]:
    """The schemas of everything that is answered."""
    return msgspec.json.schema_components(
        (*Shown.__subclasses__(), ProblemDetails), ref_template=schemas.ref("{name}")
    )[1]
