"""The errors of the API: a table of problem codes (RFC 9457), and a handler for each exception."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
import structlog
from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from domain.decider import Refused
from projections.stores.errors import is_of_storage
from service.jobs.queue import QueueUnavailableError, TooManyJobsError
from service.platform import metrics
from service.sessions.checkpoints import ForeignLogKeyError
from service.sessions.idempotency import KeyReusedError
from service.sessions.refusal_texts import refusal_text
from service.store.errors import SessionBusyError, UnknownSessionError, VersionConflictError

CONTENT_TYPE = "application/problem+json"
RETRY_SECONDS = 2
JOBS_RETRY_SECONDS = 10
Headers = Mapping[str, str]
Handler = Callable[[Any], Response]


class Kind(NamedTuple):
    """A kind of problem: its HTTP status, its title, and advice for the user."""

    status: int
    title: str
    advice: str = "Nothing was changed. Go back and try again."


PROBLEMS: Mapping[str, Kind] = {
    "unreadable": Kind(400, "The request cannot be read"),
    "token-missing": Kind(
        401,
        "A token is required",
        "The session does not exist, or is visible only to its seats. If you have a seat, sign "
        "in with its token.",
    ),
    "token-unknown": Kind(
        401,
        "The token is unknown or revoked",
        "A token ends when its seat is taken again or when it is revoked. Sign in with the seat's "
        "newest token, or ask the GM for a new invitation.",
    ),
    "forbidden": Kind(
        403, "The form was sent from another site", "Open the page here and send its form again."
    ),
    "opening-key": Kind(
        403,
        "Opening a session requires a key",
        "Ask the operator for the key, go back, and enter it.",
    ),
    "not-found": Kind(
        404,
        "Not found, or not visible to you",
        "Check that the address is complete. An unlisted session is visible only to its seats: if "
        "you have a seat, sign in with its token.",
    ),
    "method-not-allowed": Kind(
        405,
        "The method is not allowed",
        "This address does not accept this method: follow a link instead.",
    ),
    "refused": Kind(
        409,
        "The rules do not allow it",
        "Nothing was changed. Go back and choose something that the rules allow.",
    ),
    "version-ahead": Kind(
        409, "The session has not reached this version", "Use an earlier version."
    ),
    "conflict": Kind(
        412,
        "The session has changed",
        "Nothing was changed. Look at the new events, and try again if you still want to.",
    ),
    "host-unknown": Kind(
        421,
        "The server does not serve this host name",
        "Use the server's own address. The operator can set FAIRLOG_URL to the address that you "
        "used.",
    ),
    "too-large": Kind(413, "The body is too large", "Nothing was changed. Go back and send less."),
    "content-type": Kind(415, "The body must be JSON"),
    "malformed": Kind(
        422, "Some fields are not valid", "Nothing was changed. Go back and correct these fields."
    ),
    "key-reused": Kind(
        422,
        "The idempotency key was used for another request",
        "The first request was processed. To send another one, reload the form.",
    ),
    "too-many": Kind(
        429, "Too many requests", "Nothing was changed. Wait a little, then try again."
    ),
    "internal": Kind(
        500,
        "The server failed",
        "Try again in a moment. If it happens again, send the request id to the operator.",
    ),
    "unavailable": Kind(
        503,
        "The server is unavailable at the moment",
        "Nothing is lost. Try again in a few seconds. The status page shows what is unavailable.",
    ),
    "queue-away": Kind(
        503,
        "Background work is unavailable at the moment",
        "Nothing is lost. Statistics of the whole session are still available. For a range of "
        "versions, try again when the status page shows that the queue answers.",
    ),
    "streams-full": Kind(503, "The server has too many live streams"),
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


class ProblemError(Exception):
    """An error that the client receives as a problem document.

    `detail` is a sentence about this particular case. `more` contains additional members for the
    problem document.
    """

    def __init__(self, code: str, detail: str, **more: Any) -> None:
        super().__init__(code)
        self.code, self.detail, self.more = code, detail, more


class ProblemDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """A problem document (RFC 9457)."""

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


def problem_response(problem: ProblemError, headers: Headers | None = None) -> Response:
    kind = PROBLEMS[problem.code]
    metrics.PROBLEMS.labels(problem.code).inc()
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


def register_error_handlers(
    app: Flask, how: Callable[[ProblemError, Headers], Response] = problem_response
) -> None:
    """Turn every exception from a view into a problem response, which `how` creates."""

    def by(
        problem_of: Callable[[Any], ProblemError],
        headers_of: Callable[[Any], Headers] = lambda _: {},
    ) -> Handler:
        return lambda error: how(problem_of(error), headers_of(error))

    app.register_error_handler(ProblemError, by(lambda problem: problem))
    app.register_error_handler(Refused, by(_refused))
    app.register_error_handler(
        VersionConflictError, by(_conflict, lambda conflict: {"ETag": f'"{conflict.version}"'})
    )
    app.register_error_handler(SessionBusyError, by(_session_busy))
    app.register_error_handler(KeyReusedError, by(_key_reused))
    app.register_error_handler(UnknownSessionError, by(_unknown))
    app.register_error_handler(ForeignLogKeyError, by(_not_signed))
    app.register_error_handler(QueueUnavailableError, by(_queue_away))
    app.register_error_handler(TooManyJobsError, by(_too_many_jobs))
    app.register_error_handler(HTTPException, by(_http_error, _allow_header))
    app.register_error_handler(Exception, by(_internal_error))


def _refused(refused: Refused) -> ProblemError:
    detail = refusal_text(refused.rule, refused.facts, {}).line
    return ProblemError("refused", detail, rule=refused.rule, facts=refused.facts)


def _conflict(conflict: VersionConflictError) -> ProblemError:
    detail = f"The session is now at version {conflict.version}: read it, then decide again."
    return ProblemError("conflict", detail, version=conflict.version)


def _session_busy(busy: SessionBusyError) -> ProblemError:
    detail = (
        "Too many other clients are writing to this session, so the command was not stored."
        " Send it again after Retry-After seconds, with the same Idempotency-Key."
    )
    return ProblemError("unavailable", detail, version=busy.version)


def _key_reused(_: KeyReusedError) -> ProblemError:
    return ProblemError(
        "key-reused", "This Idempotency-Key was used for another request. Use a new one."
    )


def _unknown(_: UnknownSessionError) -> ProblemError:
    return ProblemError(
        "not-found", "The session or version does not exist, or is not visible to you."
    )


def _not_signed(foreign: ForeignLogKeyError) -> ProblemError:
    detail = (
        "This session was imported, or its key is missing here."
        f" Only the server with the key {foreign} can sign a checkpoint of this size."
    )
    return ProblemError("not-found", detail)


def _queue_away(_: QueueUnavailableError) -> ProblemError:
    return ProblemError(
        "queue-away",
        "The queue does not answer. Play continues, and stored results are still available.",
    )


def _too_many_jobs(_: TooManyJobsError) -> ProblemError:
    return ProblemError(
        "too-many",
        f"Too many jobs for this session are waiting. Try again after {JOBS_RETRY_SECONDS} s.",
        retry_after=JOBS_RETRY_SECONDS,
    )


def _http_error(error: HTTPException) -> ProblemError:
    code = _BY_STATUS.get(
        error.code or 500, "unreadable" if 400 <= (error.code or 500) < 500 else "internal"
    )
    return ProblemError(code, error.description or PROBLEMS[code].title)


def _allow_header(error: HTTPException) -> Headers:
    return {name: value for name, value in error.get_headers() if name == "Allow"}


def _internal_error(error: Exception) -> ProblemError:
    """Return a 503 problem if the database cannot be used, otherwise a 500 problem.

    The details are logged.
    """
    if is_of_storage(error):
        log.error("unavailable", exception=repr(error))
        return ProblemError("unavailable", "The log cannot be read or written at the moment.")
    log.error("failed", exc_info=error)
    return ProblemError("internal", "The server has logged this error.")
