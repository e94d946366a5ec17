"""Cross-origin requests: which pages of other origins may call the API.

Any page may call the API with a bearer token, because a browser never adds that token by itself. A
page of another origin can never use the cookie: see `auth.token`.
"""

from __future__ import annotations

from flask import Response, request

PREFIXES = ("/v1/", "/openapi.json", "/problems/")
"""The beginnings of paths that pages of other origins may request."""
METHODS = "GET, HEAD, POST, PUT, DELETE"
REQUEST_HEADERS = (
    "Accept, Authorization, Content-Type, Fairlog-Tokens, Idempotency-Key, If-Match, "
    "If-None-Match, Last-Event-ID, X-Request-Id"
)
RESPONSE_HEADERS = (
    "ETag, Idempotency-Key, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, "
    "Retry-After, WWW-Authenticate, X-Request-Id"
)
"""The response headers that a script may read, besides those that every script may read."""
PREFLIGHT_SECONDS = 7200
"""The number of seconds for which a browser may keep a preflight response. Chromium's maximum."""


def preflight() -> Response | None:
    """Return the response to a preflight request, or None if this request is not one."""
    asked = request.headers.get("Access-Control-Request-Method")
    if request.method != "OPTIONS" or asked is None or not is_open():
        return None
    return Response(
        status=204,
        headers={
            "Access-Control-Allow-Methods": METHODS,
            "Access-Control-Allow-Headers": REQUEST_HEADERS,
            "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
        },
    )


def add_headers(response: Response) -> None:
    """Allow pages of other origins to read the response, if the path is part of the API."""
    if is_open():
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = RESPONSE_HEADERS


def is_open() -> bool:
    return request.path.startswith(PREFIXES)
