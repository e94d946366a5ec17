"""The route decorator, the OpenAPI 3.1 document, and its documentation page."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal, NamedTuple

import flask
import flask_swagger_ui
import msgspec
from flask import Flask, Response, current_app, g, request, send_from_directory

from domain.verify.report import Report
from projections.campaign_model import CampaignReport
from projections.statistics_model import SessionReport
from service.http import models, validation
from service.http.conditional import TAGS_PATTERN
from service.http.errors import CONTENT_TYPE, PROBLEMS, ProblemDetails, ProblemError
from service.http.json_schemas import event_schemas, struct_schemas
from service.http.openapi_examples import add_examples, load_examples
from service.http.request_headers import request_body as read_body
from service.sessions.access import Scope

DOCUMENT = "fairlog-api"
JSON, NDJSON, SSE = "application/json", "application/x-ndjson", "text/event-stream"
STREAMS = (NDJSON, SSE)
"""Content types of responses that consist of several messages."""
RESPONSES = "#/components/responses/"
DIST = Path(flask_swagger_ui.__file__).parent / "dist"
Json = dict[str, Any]
View = Callable[..., Response]
Method = Literal["GET", "POST", "PUT", "DELETE"]
Token = Literal["needed", "optional", "personal", "none"]
"""Which token a route takes: a seat's, or the personal token of a person of a campaign."""
Tag = Literal[
    "Sessions",
    "Commands",
    "Draws",
    "Seats",
    "Tokens",
    "Events",
    "Proofs",
    "Statistics",
    "Campaigns",
    "Rulesets",
    "Server",
]
ReturnTypes = Mapping[str, type[msgspec.Struct] | None]
"""The response struct for each content type, or None if the response is plain text."""

ABOUT = """The game log that a tabletop group can trust.

A session's version is the number of its events, so its first event has version 1. The `ETag` of a
response contains the session's version. A request that cannot be parsed gets status 400,
and a request with invalid values gets 422. If the rules refuse a request, the status is 409, and
the problem contains `rule` and `facts`. If another client changed the session first, the status is
412, and the problem contains the current `version`. The status is also 412 if another command has
taken the draw for which the request supplied `entropy`. Every problem is sent as
`application/problem+json` and has a stable `code`. Times are in ISO 8601 format, in UTC.

Send a seat's token as `Authorization: Bearer <token>`. After a browser signs in on a page, it sends
the token in the cookie `fairlog-seat`. A request with the cookie may always read. It may write only
if it was sent by a page of this server: its `Sec-Fetch-Site` header must be `same-origin` or, if
that header is absent, its `Origin` must be this server's.

The operations on campaigns take the personal token of a member in the same way, but no seat's
token. Everyone else gets the same response as for a campaign that does not exist."""
TAGS: Mapping[Tag, str] = {
    "Sessions": "Open, read, fork and close sessions. Each session has its own log.",
    "Commands": "Play: find the possible commands and their odds, send them, narrate and rewind.",
    "Draws": "Contribute to draws, read or void them, and export the proof of a roll.",
    "Seats": "Invite people, and take, name, hand over and leave seats.",
    "Tokens": "List, renew and revoke the tokens of seats.",
    "Events": "Read, follow, search and compare a session's events, send them to webhooks, and "
    "open or redact them.",
    "Proofs": "Checkpoints, exports, proofs, cosignatures, audits, and the index of all sessions.",
    "Statistics": "Statistics about a session, as JSON, charts and CSV tables.",
    "Campaigns": "Sessions of one group in a row: their people, with personal tokens, the next "
    "session, and statistics of all sessions together.",
    "Rulesets": "The available rulesets, with their commands, options and rules.",
    "Server": "The state of the server and of its background jobs, for the operator.",
}
"""The description of each tag, in the order of the documentation."""
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
START = (
    'SwaggerUIBundle({url: "/openapi.json", dom_id: "#swagger-ui", '
    "deepLinking: true, validatorUrl: null});\n"
)

KEY_HEADER = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "minLength": 16, "maxLength": 128, "pattern": r"^[!-~]{16,128}$"},
    "description": "A key of 16 to 128 visible ASCII characters, preferably a random UUID. A "
    "repeated request with the same key and body is not processed again, and its response contains "
    "the original result, as long as the session exists. A refused request does not use up its "
    "key. If the header is absent, the server generates a key. The response returns the key in the "
    "same header.",
}
MATCH_HEADER = {
    "in": "header",
    "name": "If-Match",
    "schema": {"type": "string", "pattern": rf"^(\*|{TAGS_PATTERN})$"},
    "description": "The session versions on which the request can be based, each in double quotes, "
    "or `*` for any version. Weak tags and other tags match no version. If the session is at a "
    "different version, the response is 412.",
}


def _header(description: str, **schema: Any) -> Json:
    return {"description": description, "schema": {"type": "string", **schema}}


HEADERS: Mapping[str, Json] = {
    "ETag": _header(
        "The session's version, in double quotes. Send it as If-Match with a command that is based "
        "on this version, or as If-None-Match to read only what is newer.",
        examples=['"41"'],
    ),
    "Idempotency-Key": _header(
        "The idempotency key of the request, or the one that was generated."
    ),
    "Idempotency-Replayed": _header(
        "Present if an earlier request with the same key was processed, and this response contains "
        "its result.",
        const="true",
    ),
    "Link": _header("The address of the next page, if there is one, with `rel=next` (RFC 8288)."),
    "Location": _header("The address of what was created, or of the work that has begun."),
    "RateLimit": _header(
        "For each rate limit, how many requests are left (`r`), and in how many seconds the "
        "window ends (`t`).",
        examples=['"address";r=1199;t=42, "seat";r=599;t=42'],
    ),
    "RateLimit-Policy": _header(
        "For each rate limit, how many requests a window allows (`q`), and its length in seconds "
        "(`w`).",
        examples=['"address";q=1200;w=60, "seat";q=600;w=60'],
    ),
    "Retry-After": {
        "description": "The number of seconds to wait before the request is sent again.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "WWW-Authenticate": _header("The scheme to authenticate with: a bearer token (RFC 6750)."),
    "X-Request-Id": _header(
        "The id of the request. Tell it to the operator if you report a problem. You can choose it "
        "with a request header of the same name.",
        pattern="^[A-Za-z0-9-]{8,64}$",
    ),
}
"""The response headers, besides those that HTTP itself defines for every response."""

PROBLEM_HEADERS: Mapping[int, Sequence[str]] = {
    401: ["WWW-Authenticate"],
    403: ["WWW-Authenticate"],
    412: ["ETag"],
    429: ["Retry-After"],
    503: ["Retry-After"],
}

pages = flask.Blueprint("Documents", __name__)


class Operation(NamedTuple):
    """A route and its entry in the OpenAPI document.

    `description` is the entry without path parameters and tag. `document_of` adds these.
    """

    method: Method
    rule: str
    bodies: tuple[type[msgspec.Struct], ...]
    description: Json


class Blueprint(flask.Blueprint):
    """A module's routes, which share a tag in the OpenAPI document.

    Requests are validated and documented with the same schemas.
    """

    def __init__(self, name: str, import_name: str, *, tag: Tag) -> None:
        super().__init__(name, import_name)
        self.tag = tag
        self.operations: list[Operation] = []

    def operation(  # noqa: PLR0913 most parameters are keyword-only and optional
        self,
        operation_id: str,
        method: Method,
        rule: str,
        *,
        returns: ReturnTypes | type[msgspec.Struct] | None,
        status: int = 200,
        body: type[msgspec.Struct] | None = None,
        query: type[msgspec.Struct] | None = None,
        token: Token = "needed",
        scope: Scope | None = None,
        keyed: bool = False,
        matched: bool = False,
        problems: Collection[str] = (),
        also: Mapping[int, type[msgspec.Struct] | None] | None = None,
        headers: Sequence[Json] = (),
        sends: Collection[str] = (),
    ) -> Callable[[View], View]:
        """Return a decorator that registers a view as a route and documents it.

        `operation_id` is a verb, because client generators use it as the name of a function.
        `scope` is what a token must allow. By default, a token must allow to read for GET, and to
        manage the seat otherwise.

        Set `keyed` if the view reads the Idempotency-Key header, and `matched` if it reads
        If-Match. `problems` lists problem codes in addition to the usual ones. `also` maps other
        response statuses to their structs. `headers` contains the OpenAPI entries for additional
        request headers. `sends` lists response headers in addition to the usual ones.
        """
        content = returns if isinstance(returns, Mapping) else {JSON: returns} if returns else {}
        responses = {status: content} | {
            other: {JSON: struct} if struct else {} for other, struct in (also or {}).items()
        }
        codes = _problem_codes(rule, body, token, keyed, matched) | set(problems)
        needed: Scope = scope or ("read" if method == "GET" else "manage")
        sent = _sent_headers(rule, query, keyed, matched) | set(sends)

        def decorate(view: View) -> View:
            summary, _, more = (inspect.getdoc(view) or "").partition("\n")
            description: Json = {
                "operationId": operation_id,
                "summary": summary.removesuffix("."),
                "parameters": [*headers, *_parameters(query, keyed, matched)],
                "responses": _responses(responses, codes, sent),
            }
            # OpenAPI knows scopes only for OAuth.
            is_of_seat = token in ("needed", "optional")
            scoped = f"A named token needs the scope `{needed}`." if is_of_seat else ""
            if about := "\n\n".join(filter(None, (more.strip(), scoped))):
                description["description"] = about
            if body is not None:
                schema = {"$ref": validation.ref(validation.name_of(body))}
                description["requestBody"] = {
                    "required": True,
                    "content": {JSON: {"schema": schema}},
                }
            if token != "none":
                security: list[Json] = [{"token": []}]
                description["security"] = [*security, {}] if token == "optional" else security
            self.operations.append(Operation(method, rule, (body,) if body else (), description))
            self.add_url_rule(
                rule, view.__name__, _parsing(view, body, query, needed), methods=[method]
            )
            return view

        return decorate


def document_of(
    blueprints: Iterable[Blueprint], converters: Mapping[str, str], version: str
) -> Json:
    """Return the OpenAPI document for the routes in `blueprints`.

    `converters` maps the names of path converters to their regular expressions.
    """
    paths, bodies = dict[str, Json](), list[type[msgspec.Struct]]()
    for blueprint in blueprints:
        for operation in blueprint.operations:
            placed = _Path.of(operation.rule, converters)
            methods = paths.setdefault(placed.path, {})
            if placed.parameters:
                methods["parameters"] = placed.parameters
            methods[operation.method.lower()] = {
                **operation.description,
                "tags": [blueprint.tag],
            }
            bodies += operation.bodies
    add_examples(paths, load_examples())
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Fairlog",
            "version": version,
            "description": ABOUT,
            "contact": {"name": "The server's operator"},
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [],
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": validation.components(bodies) | _response_schemas(),
            "headers": dict(HEADERS),
            "responses": {name: _problem_response(name) for name in sorted(_referred(paths))},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def publish(app: Flask, document: Json) -> None:
    """Register the routes that serve the OpenAPI document and its documentation page."""
    app.extensions[DOCUMENT] = msgspec.json.encode(document, order="deterministic")
    app.register_blueprint(pages)


@pages.get("/openapi.json")
def openapi() -> Response:
    return Response(current_app.extensions[DOCUMENT], content_type=JSON)


@pages.get("/docs")
def docs() -> Response:
    return Response(PAGE, content_type="text/html; charset=utf-8")


@pages.get("/docs/start.js")
def start() -> Response:
    return Response(START, content_type="text/javascript; charset=utf-8")


@pages.get("/problems/<code>")
def problem(code: str) -> Response:
    """Return the description of a problem code, the target of `type` in each problem document."""
    kind = PROBLEMS.get(code)
    if kind is None:
        raise ProblemError("not-found", f"There is no problem with the code {code}.")
    text = f"{code}: {kind.title}\n\nHTTP status: {kind.status}\n\n{kind.advice}\n"
    return Response(text, content_type="text/plain; charset=utf-8")


@pages.get("/docs/<path:file>")
def dist(file: str) -> Response:
    return send_from_directory(DIST, file)


class _Path(NamedTuple):
    path: str
    parameters: list[Json]

    @classmethod
    def of(cls, rule: str, converters: Mapping[str, str]) -> _Path:
        """Convert a Flask rule to an OpenAPI path, with a schema for each path parameter."""
        parameters = [
            {
                "in": "path",
                "name": name,
                "required": True,
                "schema": {"type": "string", "pattern": f"^{converters[converter]}$"},
            }
            for converter, name in re.findall(r"<(\w+):(\w+)>", rule)
        ]
        return cls(re.sub(r"<\w+:(\w+)>", r"{\1}", rule), parameters)


def _parsing(
    view: View,
    body: type[msgspec.Struct] | None,
    query: type[msgspec.Struct] | None,
    scope: Scope,
) -> View:
    """Wrap the view so that it receives the request's body and query as structs.

    The wrapper notes the scope that a token needs, which `auth` checks.
    """

    def parsing(**path: str) -> Response:
        g.scope = scope
        given: dict[str, object] = {}
        if body is not None:
            given["body"] = validation.read_body(body, _json_body())
        if query is not None or request.args:
            asked = validation.read_query(query or models.RequestModel, dict(request.args.lists()))
            given |= {"query": asked} if query is not None else {}
        return view(**path, **given)

    return parsing


def _json_body() -> bytes:
    if request.mimetype != JSON:
        raise ProblemError(
            "content-type",
            f"The Content-Type is not {JSON}. Send the body as JSON, with that Content-Type.",
        )
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise ProblemError(
            "content-type",
            "Encoded bodies are not supported. Send the body without a Content-Encoding header.",
        )
    raw, limit = read_body(), request.max_content_length
    # werkzeug silently truncates a chunked body that is too large.
    if request.content_length is None and limit is not None and len(raw) >= limit:
        raise ProblemError(
            "too-large", f"The request body is too large. Send at most {limit} bytes."
        )
    return raw


def _parameters(query: type[msgspec.Struct] | None, keyed: bool, matched: bool) -> list[Json]:
    headers = [KEY_HEADER] * keyed + [MATCH_HEADER] * matched
    return headers + (validation.query_parameters(query) if query else [])


def _problem_codes(
    rule: str, body: type[msgspec.Struct] | None, token: Token, keyed: bool, matched: bool
) -> set[str]:
    # Almost every route has a rate limit.
    codes = {"malformed", "unavailable", "too-many", "host-unknown"}
    codes |= {"unreadable", "too-large", "content-type"} if body else set()
    known = {"unreadable", "token-missing", "token-invalid", "scope-missing"}
    codes |= known if token in ("needed", "optional") else set()
    codes |= {"unreadable", "token-invalid"} if token == "personal" else set()
    codes |= {"unreadable", "key-reused", "refused", "version-conflict"} if keyed else set()
    codes |= {"draw-taken"} if keyed and body is models.CommandRequest else set()
    codes |= {"version-conflict"} if matched else set()
    return codes | ({"not-found"} if "<" in rule else set())


def _sent_headers(
    rule: str, query: type[msgspec.Struct] | None, keyed: bool, matched: bool
) -> set[str]:
    names = {"X-Request-Id"}
    names |= {"RateLimit", "RateLimit-Policy"} if rule.startswith("/v1/") else set()
    names |= {"Idempotency-Key", "Idempotency-Replayed"} if keyed else set()
    names |= {"ETag"} if matched else set()
    return names | ({"Link"} if query and issubclass(query, models.PageQuery) else set())


def _responses(responses: Mapping[int, ReturnTypes], codes: set[str], sent: set[str]) -> Json:
    by_status: dict[str, list[str]] = {}
    for code, kind in PROBLEMS.items():
        if code in codes:
            by_status.setdefault(str(kind.status), []).append(code)
    problems = {
        status: {"$ref": RESPONSES + ".".join(found)} for status, found in by_status.items()
    }
    return problems | {
        str(status): _response(status, each) | {"headers": _header_refs(sent)}
        for status, each in responses.items()
    }


def _header_refs(names: Collection[str]) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in sorted(names)}


def _response(status: int, content: ReturnTypes) -> Json:
    response: Json = {"description": f"{HTTPStatus(status).phrase}."}
    if content:
        response["content"] = {
            kind: {"schema": _content_schema(kind, struct)} for kind, struct in content.items()
        }
    return response


def _content_schema(kind: str, struct: type[msgspec.Struct] | None) -> Json:
    if struct is None:
        return {"type": "string"}
    schema: Json = {"$ref": validation.ref(struct.__name__)}
    if kind not in STREAMS:
        return schema
    # A generated client would try to read the whole stream as one object.
    return {"type": "string", "contentMediaType": kind, "contentSchema": schema}


def _problem_response(name: str) -> Json:
    """Return the OpenAPI response for one or more problem codes with the same status.

    `name` contains the codes, joined by dots.
    """
    description = " ".join(f"`{code}`: {PROBLEMS[code].title}." for code in name.split("."))
    schema = {"$ref": validation.ref(ProblemDetails.__name__)}
    status = PROBLEMS[name.split(".")[0]].status
    sent = ["X-Request-Id", *PROBLEM_HEADERS.get(status, ())]
    return {
        "description": description,
        "headers": _header_refs(sent),
        "content": {CONTENT_TYPE: {"schema": schema}},
    }


def _referred(paths: Mapping[str, Json]) -> set[str]:
    """Return the names of all problem responses that the operations refer to."""
    return {
        response["$ref"].removeprefix(RESPONSES)
        for methods in paths.values()
        for name, operation in methods.items()
        if name != "parameters"
        for response in operation["responses"].values()
        if "$ref" in response
    }


def _response_schemas() -> Json:
    structs = (
        *_subclasses(models.ResponseModel),
        ProblemDetails,
        SessionReport,
        CampaignReport,
        Report,
    )
    schemas = struct_schemas(structs, validation.ref("{name}")) | event_schemas()
    _complete(schemas)
    return schemas


def _subclasses(struct: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in struct.__subclasses__():
        yield each
        yield from _subclasses(each)


def _complete(part: Any) -> None:
    """Describe tuples, open objects and enumerations in place, as client generators need it.

    Many generators reject `prefixItems`. Some take an object without properties for an empty one,
    and an enumeration without a type for one of any type.
    """
    if isinstance(part, dict):
        if part.get("type") == "object" and not {"properties", "additionalProperties"} & set(part):
            part["additionalProperties"] = True
        if "type" not in part and all(isinstance(each, str) for each in part.get("enum", [None])):
            part["type"] = "string"
        if items := part.pop("prefixItems", []):
            distinct = [item for nth, item in enumerate(items) if item not in items[:nth]]
            part["items"] = distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            _complete(each)
