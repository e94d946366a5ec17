"""The API's Flask application: routes, path converters and request hooks."""

from __future__ import annotations

import ipaddress
import re
from contextlib import suppress
from urllib.parse import urlsplit

import structlog
from flask import Flask, Response, g, request
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.routing import BaseConverter

from domain.codec import build_msgspec_types
from service.charts import SLUG
from service.http import auth, compression, conditional, cors, errors, openapi, refusals
from service.http.auth import ApiServices
from service.http.errors import ProblemError
from service.http.rate_limits import Limits
from service.http.routes import (
    audits,
    background,
    campaigns,
    commands,
    draws,
    events,
    feed,
    holder_stream,
    invitations,
    ops,
    proofs,
    queries,
    review,
    roll_links,
    rulesets,
    seats,
    secrets,
    sessions,
    statistics,
    stream,
    timeline,
    tokens,
    transcript,
    turns,
    webhooks,
)
from service.platform import clock, metrics
from service.platform.settings import Settings
from service.sessions.access import Access
from service.sessions.app import App
from service.sessions.connections import Connections
from service.sessions.live_streams import LiveStreams

VERSION = "1"
ROUTES = (
    sessions,
    commands,
    draws,
    roll_links,
    queries,
    events,
    turns,
    timeline,
    review,
    feed,
    stream,
    holder_stream,
    transcript,
    invitations,
    seats,
    tokens,
    secrets,
    proofs,
    audits,
    statistics,
    campaigns,
    webhooks,
    background,
    rulesets,
    ops,
)
CONVERTERS = {
    "session": r"[0-9a-f]{32}",
    "campaign": r"[0-9a-f]{32}",
    "seat": r"[a-z][a-z0-9-]{0,31}",
    "person": r"[a-z][a-z0-9-]{0,31}",
    "ruleset": r"[a-z][a-z0-9-]{0,31}",
    "version": r"[1-9][0-9]{0,14}",
    "invitation": r"[0-9a-f]{16}",
    "token": r"[0-9a-f]{16}",
    "webhook": r"[0-9a-f]{16}",
    "code": r"[A-Za-z0-9_-]{1,80}",
    "segment": r"(?:0|[1-9][0-9]{0,11})",
    "draw": r"(?:0|[1-9][0-9]{0,11})",
    "moment": r"(?:newest|[0-9]{1,15})",
    "job": r"[a-z0-9-]{1,160}",
    "plot": SLUG,
}
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'"
PAGE_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")

log = structlog.get_logger("fairlog.http")


def create_app(app: App) -> Flask:
    flask = Flask("fairlog", static_folder=None)
    flask.url_map.merge_slashes = False  # do not redirect `//` to `/`
    set_up(flask, app)
    errors.register_error_handlers(flask, refusals.problem_of)
    flask.before_request(_before_request)
    flask.before_request(cors.preflight)
    auth.register_limits(flask, app.settings.proxies)
    flask.after_request(_after_request)
    for name, regex in CONVERTERS.items():
        flask.url_map.converters[name] = type(name, (BaseConverter,), {"regex": regex})
    for routes in ROUTES:
        flask.register_blueprint(routes.blueprint)
    openapi.publish(flask, document())
    build_msgspec_types()
    return flask


def document() -> openapi.Json:
    return openapi.document_of((routes.blueprint for routes in ROUTES), CONVERTERS, VERSION)


def set_up(flask: Flask, app: App) -> None:
    """Configure the Flask application and attach the services that its views use."""
    flask.config["MAX_CONTENT_LENGTH"] = app.settings.max_body
    flask.config["PUBLIC_URL"] = app.settings.public_url
    access = Access(app.recorder, app.keys.secret, clock.now_ms, app.settings.token_days)
    limits = Limits(app.settings, app.queue.address, clock.now)
    streams = LiveStreams(app.log, access.invalid_tokens, app.settings.streams)
    connections = Connections(app.recorder, streams.seats)
    flask.extensions["fairlog"] = ApiServices(app, access, streams, connections, limits)


def _before_request() -> None:
    """Set the request id and log context, and reject invalid or oversized requests.

    Raises ProblemError if the host is unknown or the query is not UTF-8, and RequestEntityTooLarge
    if the body is too large.
    """
    sent = request.headers.get("X-Request-Id", "")
    g.request_id = sent if _REQUEST_ID.fullmatch(sent) else clock.random_session_id()
    g.began = clock.now()
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(
        request_id=g.request_id, session=(request.view_args or {}).get("session", "")
    )
    _require_own_host(auth.services().app.settings)
    try:
        request.query_string.decode()
    except UnicodeDecodeError:
        raise ProblemError(
            "malformed", "The query string is not valid UTF-8. Encode it as UTF-8."
        ) from None
    limit = request.max_content_length
    if limit is not None and (request.content_length or 0) > limit:
        raise RequestEntityTooLarge


def _require_own_host(settings: Settings) -> None:
    """Raise ProblemError("host-unknown") if the Host header names another server.

    Otherwise, another site could point its own name at this server's address, and its scripts could
    then read this server's responses (DNS rebinding). An IP address is always allowed.
    """
    sent = request.headers.get("Host", "")
    if not sent:  # only HTTP/1.0 clients may omit it
        return
    known = {"localhost", settings.host.lower(), urlsplit(settings.url).hostname}
    host = ""
    with suppress(ValueError):  # `request.host` may be "" or an invalid host name
        host = urlsplit(f"//{request.host}").hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        if host not in known:
            raise ProblemError(
                "host-unknown",
                f"This server does not serve the host {sent}. Use the server's own address, or ask"
                " the operator to set FAIRLOG_URL to the address that you used.",
            ) from None


def _after_request(response: Response) -> Response:
    """Add the common headers, and record the request in the metrics and the log.

    The log entry contains neither the body nor the query.
    """
    rule = request.url_rule.rule if request.url_rule else ""
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault(
        "Content-Security-Policy", PAGE_POLICY if rule.startswith("/docs") else NO_CONTENT_POLICY
    )
    response.headers["X-Request-Id"] = g.request_id
    if rule.startswith("/v1/") and not rule.startswith("/v1/rulesets"):
        response.headers.setdefault("Cache-Control", "no-store")
    if "idempotency_key" in g:
        response.headers["Idempotency-Key"] = g.idempotency_key
        if g.get("is_replayed"):
            response.headers["Idempotency-Replayed"] = "true"
    if rule.startswith("/v1/"):
        response.vary.update(("Authorization", "Cookie"))
    auth.add_limit_headers(response)
    cors.add_headers(response)
    conditional.answer_unchanged(response)
    compression.compress(response)
    took, session = clock.now() - g.began, (request.view_args or {}).get("session", "")
    metrics.observe_request(request.method, rule, response.status_code, took)
    log.info(
        "request",
        id=g.request_id,
        method=request.method,
        rule=rule or "(none)",
        status=response.status_code,
        ms=round(1000 * took, 1),
        session=session,
    )
    return response
