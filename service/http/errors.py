"""API errors: a table of problem codes (RFC 9457) and handlers for exceptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple

import msgspec
import structlog
from flask import Flask, Response, current_app, g, request
from msgspec import Meta
from werkzeug.exceptions import HTTPException

from domain.decider import Refused
from projections.stores.errors import is_of_storage
from service.jobs.queue import QueueUnavailableError, TooManyJobsError
from service.platform import metrics
from service.sessions.campaigns import CampaignChangedError, NotInCampaignError
from service.sessions.checkpoints import ForeignLogKeyError
from service.sessions.command_handler import DrawTakenError
from service.sessions.idempotency import KeyReusedError
from service.store.errors import SessionBusyError, UnknownSessionError, VersionConflictError

CONTENT_TYPE = "application/problem+json"
RETRY_SECONDS = 2
JOBS_RETRY_SECONDS = 10
Headers = Mapping[str, str]
Handler = Callable[[Any], Response]


class ProblemKind(NamedTuple):
    """A kind of problem: its HTTP status, its title, and advice to the user."""

    status: int
    title: str
    advice: str = "Nothing was changed. Go back and try again."


PROBLEMS: Mapping[str, ProblemKind] = {
    "unreadable": ProblemKind(400, "The request cannot be read"),
    "token-missing": ProblemKind(
        401,
        "A token is required",
        "The session does not exist, or is visible only to people who hold a seat in it. If you "
        "hold a seat, sign in with its token.",
    ),
    "token-invalid": ProblemKind(
        401,
        "The token is unknown, revoked or expired",
        "Taking a seat again revokes its earlier tokens. Sign in with the seat's newest token, or "
        "ask the GM for a new invitation.",
    ),
    "scope-missing": ProblemKind(
        403,
        "The token does not allow this",
        "Use the seat's own token, or create a token with the scope that is missing.",
    ),
    "forbidden": ProblemKind(
        403,
        "The form was sent from another site",
        "Nothing was changed. Open the page on this site and submit the form again.",
    ),
    "opening-key-required": ProblemKind(
        401,
        "Opening a session requires a key",
        "Ask the operator for the key, go back, and enter it.",
    ),
    "not-found": ProblemKind(
        404,
        "Not found, or not visible to you",
        "Check that the address is complete. An unlisted session is visible only to people who "
        "hold a seat in it. If you hold one, sign in with its token.",
    ),
    "method-not-allowed": ProblemKind(
        405,
        "Method not allowed",
        "Nothing was changed. Go back and use a link or a form on the page.",
    ),
    "refused": ProblemKind(
        409,
        "The rules do not allow this",
        "Nothing was changed. Go back and choose something that the rules allow.",
    ),
    "version-unknown": ProblemKind(
        409, "The session has not reached this version", "Choose an earlier version."
    ),
    "version-conflict": ProblemKind(
        412,
        "The session has changed",
        "Your request was not processed. Look at the new events, then decide whether to try again.",
    ),
    "draw-taken": ProblemKind(
        412,
        "Another command has already used this draw",
        "Your request was not processed. Look at the new events, then decide whether to try again.",
    ),
    "host-unknown": ProblemKind(
        421,
        "The server does not serve this host name",
        "Use the server's own address. The operator can set FAIRLOG_URL to the address that you "
        "used.",
    ),
    "too-large": ProblemKind(
        413, "The request body is too large", "Nothing was changed. Go back and send less data."
    ),
    "content-type": ProblemKind(415, "The request body must be JSON"),
    "malformed": ProblemKind(
        422, "Some fields are not valid", "Nothing was changed. Go back and correct the fields."
    ),
    "key-reused": ProblemKind(
        422,
        "The idempotency key was already used for a different request",
        "The earlier request was processed, but this one was not. To send a new request, reload "
        "the form.",
    ),
    "too-many": ProblemKind(
        429, "Too many requests", "Nothing was changed. Wait a moment, then try again."
    ),
    "internal": ProblemKind(
        500,
        "The server encountered an error",
        "Try again in a moment. If the error happens again, send the request id to the operator.",
    ),
    "unavailable": ProblemKind(
        503,
        "The server is temporarily unavailable",
        "No stored events were lost. Try again in a few seconds. The status page shows what is "
        "unavailable.",
    ),
    "queue-away": ProblemKind(
        503,
        "Background jobs are temporarily unavailable",
        "No stored events were lost, and statistics for whole sessions are still available. To get "
        "statistics for a range of versions, wait until the status page shows that the queue is "
        "available again.",
    ),
    "streams-full": ProblemKind(503, "The server has reached its limit for live streams"),
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
    """An error sent to the client as a problem document.

    `detail` explains this occurrence of the problem. `more` contains additional members for the
    problem document.
    """

    def __init__(self, code: str, detail: str, **more: Any) -> None:
        super().__init__(code)
        self.code, self.detail, self.more = code, detail, more


class FieldError(msgspec.Struct, frozen=True, omit_defaults=True):
    """An invalid value in a request, and what is wrong with it."""

    detail: Annotated[str, Meta(description="what is wrong with the value")]
    pointer: (
        Annotated[
            str,
            Meta(
                description="a value in the body, as a JSON Pointer in URI fragment form "
                "(RFC 6901, 6); absent if the value is in the query"
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    parameter: (
        Annotated[
            str,
            Meta(description="the name of a query parameter; absent if the value is in the body"),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET


def body_errors(messages: Mapping[Any, Any], parent: str = "#") -> list[FieldError]:
    """Return an error for each message of marshmallow's, which nests them like the body."""
    errors = list[FieldError]()
    for key, inside in messages.items():
        token = str(key).replace("~", "~0").replace("/", "~1")
        pointer = parent if key == "_schema" else f"{parent}/{token}"
        if isinstance(inside, Mapping):
            errors += body_errors(inside, pointer)
        else:
            errors += [FieldError(str(message), pointer=pointer) for message in inside]
    return errors


def query_errors(messages: Mapping[str, Sequence[str]]) -> list[FieldError]:
    return [
        FieldError(message, parameter=name)
        for name, inside in messages.items()
        for message in inside
    ]


class ProblemDetails(msgspec.Struct, frozen=True, omit_defaults=True):
    """A problem document (RFC 9457)."""

    type: Annotated[str, Meta(description="the URL of the description of the problem's code")]
    title: Annotated[str, Meta(description="what the code means, the same for each occurrence")]
    status: Annotated[int, Meta(description="the HTTP status of the response")]
    code: Annotated[str, Meta(description="the problem's stable code, such as not-found")]
    detail: Annotated[str, Meta(description="an explanation of this occurrence of the problem")]
    instance: Annotated[
        str, Meta(description="the id of the request, as `urn:fairlog:request:<id>`")
    ]
    rule: (
        Annotated[
            str,
            Meta(
                description="the slug of the rule that does not allow the request; "
                "present if the code is `refused`"
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    facts: (
        Annotated[
            dict[str, bool | int | str | list[str]],
            Meta(
                description="the details of the problem, keyed by name; "
                "present if the code is `refused` or `draw-taken`"
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    version: (
        Annotated[
            int,
            Meta(
                description="the session's newest version; present if the code is "
                "`version-conflict` or `version-unknown`, or `unavailable` because other clients "
                "were writing"
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    errors: (
        Annotated[
            list[FieldError],
            Meta(
                description="the invalid values; present if the code is `malformed`, "
                "unless the query string is not UTF-8"
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    retry_after: (
        Annotated[
            int,
            Meta(
                description="the number of seconds to wait before the next attempt; "
                "present if the code is `too-many`"
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET


def problem_response(problem: ProblemError, headers: Headers | None = None) -> Response:
    kind = PROBLEMS[problem.code]
    metrics.PROBLEMS.labels(problem.code).inc()
    members = {
        "type": f"{current_app.config['PUBLIC_URL']}/problems/{problem.code}",
        "title": kind.title,
        "status": kind.status,
        "code": problem.code,
        "detail": problem.detail,
        "instance": f"urn:fairlog:request:{g.request_id}",
        **problem.more,
    }
    response = Response(
        msgspec.json.encode(members), kind.status, headers, content_type=CONTENT_TYPE
    )
    if kind.status == 401:
        is_wrong = problem.code == "token-invalid"
        response.headers["WWW-Authenticate"] = 'Bearer error="invalid_token"' * is_wrong or "Bearer"
    if problem.code == "scope-missing":
        response.headers["WWW-Authenticate"] = 'Bearer error="insufficient_scope"'
    if kind.status in (429, 503):
        response.headers["Retry-After"] = str(problem.more.get("retry_after", RETRY_SECONDS))
    return response


def register_error_handlers(
    app: Flask,
    refusal: Callable[[Refused], ProblemError],
    how: Callable[[ProblemError, Headers], Response] = problem_response,
) -> None:
    """Register handlers that turn every exception from a view into a problem response.

    `refusal` returns the problem for a refusal, and `how` creates the response from a problem and
    its headers.
    """

    def by(
        problem_of: Callable[[Any], ProblemError],
        headers_of: Callable[[Any], Headers] = lambda _: {},
    ) -> Handler:
        def handle(error: Any) -> Response:
            try:
                return how(problem_of(error), headers_of(error))
            except Exception as failed:  # a refusal reads names, and the database can be gone
                return how(_internal_error(failed), {})

        return handle

    app.register_error_handler(ProblemError, by(lambda problem: problem))
    app.register_error_handler(Refused, by(refusal))
    app.register_error_handler(
        VersionConflictError, by(_conflict, lambda conflict: {"ETag": f'"{conflict.version}"'})
    )
    app.register_error_handler(DrawTakenError, by(_draw_taken))
    app.register_error_handler(SessionBusyError, by(_session_busy))
    app.register_error_handler(KeyReusedError, by(_key_reused))
    app.register_error_handler(UnknownSessionError, by(_unknown))
    app.register_error_handler(NotInCampaignError, by(_not_in_campaign))
    app.register_error_handler(CampaignChangedError, by(_campaign_changed))
    app.register_error_handler(ForeignLogKeyError, by(_not_signed))
    app.register_error_handler(QueueUnavailableError, by(_queue_away))
    app.register_error_handler(TooManyJobsError, by(_too_many_jobs))
    app.register_error_handler(HTTPException, by(_http_error, _allow_header))
    app.register_error_handler(Exception, by(_internal_error))


def _conflict(conflict: VersionConflictError) -> ProblemError:
    detail = (
        f"The session has changed and is now at version {conflict.version}, so the request was not"
        " processed. Read the new events, then decide whether to send the request again."
    )
    if request.if_match.is_weak(str(conflict.version)):
        detail = (
            f'If-Match contains the weak tag W/"{conflict.version}". Weak tags never match, so the'
            " request was not processed. A proxy that compresses responses may have weakened the"
            f' tag. Send the version as "{conflict.version}".'
        )
    return ProblemError("version-conflict", detail, version=conflict.version)


def _draw_taken(taken: DrawTakenError) -> ProblemError:
    detail = (
        f"Draw {taken.k}, for which this request supplied entropy, was already used by the event at"
        f" version {taken.by}. The request was not processed. Send it again with new entropy and"
        f" the number of the next draw, {taken.next_k}."
    )
    facts = {"draw": taken.k, "next": taken.next_k, "taken_by": taken.by}
    return ProblemError("draw-taken", detail, facts=facts)


def _session_busy(busy: SessionBusyError) -> ProblemError:
    detail = (
        "Too many other clients are writing to this session, so the command was not stored."
        " Wait for the number of seconds in the Retry-After header, then send the command"
        " again with the same Idempotency-Key."
    )
    return ProblemError("unavailable", detail, version=busy.version)


def _key_reused(_: KeyReusedError) -> ProblemError:
    return ProblemError(
        "key-reused",
        "This Idempotency-Key was already used for a different request. Use a new key.",
    )


def _unknown(_: UnknownSessionError) -> ProblemError:
    return ProblemError(
        "not-found", "The session or version does not exist, or is not visible to you."
    )


def _not_in_campaign(missing: NotInCampaignError) -> ProblemError:
    return ProblemError(
        "not-found",
        f"The campaign has no {missing.what}. Read the campaign to see what it contains.",
    )


def _campaign_changed(_: CampaignChangedError) -> ProblemError:
    return ProblemError(
        "unavailable",
        "Other requests changed the campaign at the same time, so this one was not processed."
        " Send it again with the same Idempotency-Key.",
    )


def _not_signed(foreign: ForeignLogKeyError) -> ProblemError:
    detail = (
        "This server does not have the key that signs this session's log."
        f" Only the server with the key {foreign} can sign a checkpoint of this size."
    )
    return ProblemError("not-found", detail)


def _queue_away(_: QueueUnavailableError) -> ProblemError:
    return ProblemError(
        "queue-away",
        "The job queue cannot be reached, so no new job can start. Play continues, and stored"
        " results are still available. Try again later.",
    )


def _too_many_jobs(_: TooManyJobsError) -> ProblemError:
    return ProblemError(
        "too-many",
        "Too many jobs are waiting, for this session or in total."
        f" Try again in {JOBS_RETRY_SECONDS} s.",
        retry_after=JOBS_RETRY_SECONDS,
    )


def _http_error(error: HTTPException) -> ProblemError:
    code = _BY_STATUS.get(
        error.code or 500, "unreadable" if 400 <= (error.code or 500) < 500 else "internal"
    )
    # werkzeug's text for 404 advises to check the spelling, which helps no program.
    said = error.description if error.code != HTTPStatus.NOT_FOUND else None
    return ProblemError(code, said or PROBLEMS[code].advice)


def _allow_header(error: HTTPException) -> Headers:
    return {name: value for name, value in error.get_headers() if name == "Allow"}


def _internal_error(error: Exception) -> ProblemError:
    """Log the error. Return a 503 problem for a storage error, and a 500 otherwise."""
    if is_of_storage(error):
        log.error("unavailable", exception=repr(error))
        return ProblemError(
            "unavailable", "The server cannot use its database at the moment. Try again later."
        )
    log.error("failed", exc_info=error)
    return ProblemError("internal", "The server has logged the error. Try again later.")
