"""Every way that an answer can be a no, in one table (RFC 9457), and how exceptions become them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
import structlog
from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from domain.decider import Refused
from service import meters
from service.answers import KeyReused
from service.gamelog import Conflict, SessionBusy, Unknown
from service.notary import NotSigned
from service.queue import QueueAway
from service.refusing import in_words
from service.storage.failing import is_of_storage

CONTENT_TYPE = "application/problem+json"
RETRY_SECONDS = 2
Headers = Mapping[str, str]
Handler = Callable[[Any], Response]


class Kind(NamedTuple):
    status: int
    title: str


PROBLEMS: Mapping[str, Kind] = {
    "unreadable": Kind(400, "The request cannot be read"),
    "token-missing": Kind(401, "A bearer token is needed"),
    "token-unknown": Kind(401, "The bearer token is not known, or was revoked"),
    "forbidden": Kind(403, "The form was sent from another site"),
    "opening-key": Kind(403, "Opening a session here needs a key"),
    "not-found": Kind(404, "There is no such thing, or not for you"),
    "method-not-allowed": Kind(405, "The method is not allowed here"),
    "refused": Kind(409, "The rules do not allow it"),
    "version-ahead": Kind(409, "The session has not come that far"),
    "conflict": Kind(412, "The session has moved on"),
    "too-large": Kind(413, "The body is too large"),
    "content-type": Kind(415, "The body must be JSON"),
    "malformed": Kind(422, "Some fields cannot be accepted"),
    "key-reused": Kind(422, "The idempotency key came with another request before"),
    "too-many": Kind(429, "This was asked for too often"),
    "internal": Kind(500, "The server failed"),
    "unavailable": Kind(503, "The server cannot answer at the moment"),
    "queue-away": Kind(503, "Background work cannot be asked for at the moment"),
    "streams-full": Kind(503, "There is no room for another stream at the moment"),
}

_BY_STATUS = {
    400: "unreadable",
    401: "token-missing",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "content-type",
    422: "malformed",
    503: "unavailable",
}

log = structlog.get_logger("fairlog.http")


class Problem(Exception):
    """A no with its code, a sentence about this case, and further members."""

    def __init__(self, code: str, detail: str, **more: Any) -> None:
        super().__init__(code)
        self.code, self.detail, self.more = code, detail, more


class ProblemDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """What every problem document says (RFC 9457)."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    rule: str | msgspec.UnsetType = msgspec.UNSET
    facts: dict[str, bool | int | str | list[str]] | msgspec.UnsetType = msgspec.UNSET
    version: int | msgspec.UnsetType = msgspec.UNSET
    errors: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    retry_after: int | msgspec.UnsetType = msgspec.UNSET


def answer(problem: Problem, headers: Headers | None = None) -> Response:
    """The problem document."""
    kind = PROBLEMS[problem.code]
    meters.PROBLEMS.labels(problem.code).inc()
    members = {
        "type": f"urn:fairlog:problem:{problem.code}",
        "title": kind.title,
        "status": kind.status,
        "code": problem.code,
        "detail": problem.detail,
        **problem.more,
    }
    response = Response(
        msgspec.json.encode(members), kind.status, headers, content_type=CONTENT_TYPE
    )
    if kind.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if kind.status in (429, 503):
        response.headers["Retry-After"] = str(problem.more.get("retry_after", RETRY_SECONDS))
    return response


def register(app: Flask, how: Callable[[Problem, Headers], Response] = answer) -> None:
    """From now on every exception of a view is answered as a problem."""

    def by(
        problem_of: Callable[[Any], Problem], headers_of: Callable[[Any], Headers] = _plainly
    ) -> Handler:
        return lambda error: how(problem_of(error), headers_of(error))

    app.register_error_handler(Problem, by(lambda problem: problem))
    app.register_error_handler(Refused, by(_refused))
    app.register_error_handler(
        Conflict, by(_conflict, lambda conflict: {"ETag": f'"{conflict.version}"'})
    )
    app.register_error_handler(SessionBusy, by(_busy))
    app.register_error_handler(KeyReused, by(_key_reused))
    app.register_error_handler(Unknown, by(_unknown))
    app.register_error_handler(NotSigned, by(_not_signed))
    app.register_error_handler(QueueAway, by(_queue_away))
    app.register_error_handler(HTTPException, by(_http, _allowed))
    app.register_error_handler(Exception, by(_failed))


def _plainly(_: Exception) -> Headers:
    return {}


def _refused(refused: Refused) -> Problem:
    detail = in_words(refused.rule, refused.facts, {}).line
    return Problem("refused", detail, rule=refused.rule, facts=refused.facts)


def _conflict(conflict: Conflict) -> Problem:
    detail = f"The session is at version {conflict.version}: read it and decide anew."
    return Problem("conflict", detail, version=conflict.version)


def _busy(busy: SessionBusy) -> Problem:
    detail = (
        "Other clients write to this session all the time, so the command was not stored."
        " Send it again after Retry-After seconds, with the same Idempotency-Key."
    )
    return Problem("unavailable", detail, version=busy.version)


def _key_reused(_: KeyReused) -> Problem:
    return Problem("key-reused", "This Idempotency-Key belongs to another request: take a new one.")


def _unknown(_: Unknown) -> Problem:
    return Problem("not-found", "No such session or version, or not for you.")


def _not_signed(foreign: NotSigned) -> Problem:
    detail = f"This session came from a file, or its key is not here: checkpoints of other sizes need {foreign}."
    return Problem("not-found", detail)


def _queue_away(_: QueueAway) -> Problem:
    return Problem(
        "queue-away", "The queue does not answer: play goes on, and what is computed can be read."
    )


def _http(error: HTTPException) -> Problem:
    code = _BY_STATUS.get(
        error.code or 500, "unreadable" if 400 <= (error.code or 500) < 500 else "internal"
    )
    return Problem(code, error.description or PROBLEMS[code].title)


def _allowed(error: HTTPException) -> Headers:
    return {name: value for name, value in error.get_headers() if name == "Allow"}


def _failed(error: Exception) -> Problem:
    """500, or 503 where the log's database cannot be used now. What happened is for the operator alone."""
    if is_of_storage(error):
        log.error("unavailable", exception=repr(error))
        return Problem("unavailable", "The log cannot be read or written at the moment.")
    log.error("failed", exc_info=error)
    return Problem("internal", "This was not meant to happen; the server has noted it.")
