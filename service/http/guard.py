"""What stands in front of every view: how often one may ask, and who may open a session here."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from typing import TypeVar

from flask import Flask, request
from werkzeug.middleware.proxy_fix import ProxyFix

from service.http import auth
from service.http.problems import Problem
from service.limiting import TooMany

T = TypeVar("T")

FREE = frozenset({"Health.livez", "Health.readyz", "Metrics.metrics", "Assets.static"})
"""What those who run the server ask for all the time, and what every page needs."""
FIELD = "opening_key"
"""Of the form for a new evening."""
_BEARER = re.compile(r"bearer +(\S{1,200})", re.IGNORECASE)


def register(flask: Flask, proxies: int) -> None:
    """Every request is counted before its view. `proxies`: so many stand in front of us, and are trusted."""
    if proxies:
        flask.wsgi_app = ProxyFix(flask.wsgi_app, x_for=proxies, x_proto=proxies)  # type: ignore[method-assign]
    flask.before_request(_count)


def _count() -> None:
    if request.endpoint not in FREE:
        _within(lambda: auth.edge().limits.request(_address(), sent()))


def may_open() -> None:
    """Whether whoever asks may open a session. Problem("opening-key"), Problem("too-many")."""
    key = auth.edge().app.settings.opening_key
    if key and not hmac.compare_digest(_key().encode(), key.encode()):
        raise Problem(
            "opening-key", "Ask who runs this server for the key, and send it as a bearer token."
        )
    one_more_session()


def one_more_session() -> None:
    """Counts a session that is opened or forked. Problem("too-many")."""
    _within(lambda: auth.edge().limits.opening(_address()))


def one_more_stream(token: str | None) -> Callable[[], None]:
    """Counts a live stream; what is to be called once at its end. Problem("too-many")."""
    return _within(lambda: auth.edge().limits.stream(_address(), token))


def sent() -> str | None:
    """Some text that the request brings as a token, whatever it is good for."""
    found = _BEARER.fullmatch(request.headers.get("Authorization", ""))
    return found[1] if found else request.cookies.get(auth.COOKIE)


def _key() -> str:
    return request.form.get(FIELD, "") if request.mimetype != "application/json" else sent() or ""


def _address() -> str:
    return request.remote_addr or ""


def _within(count: Callable[[], T]) -> T:
    try:
        return count()
    except TooMany as many:
        detail = f"Too many {many.what} from here: wait {many.seconds} s."
        raise Problem("too-many", detail, retry_after=many.seconds) from None
