"""Authentication, rate limits and visibility checks for requests.

If a viewer may not see a session, the response is the same as if the session did not exist.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar

import msgspec
from flask import Flask, Response, after_this_request, current_app, g, request
from msgspec import UNSET, UnsetType
from werkzeug.middleware.proxy_fix import ProxyFix

from domain.decider import Refused, Role
from domain.session.state import Session
from domain.session.turns import Head
from domain.visibility import PUBLIC_VIEWER, Viewer, can_see_session, view_as
from service.http.errors import ProblemError, log
from service.http.rate_limits import LimitExceededError, Limits, Quota
from service.http.request_headers import request_identity
from service.jobs import inspection
from service.jobs.definitions import Job
from service.platform.byte_cache import ByteCache
from service.sessions import idempotency
from service.sessions.access import Access, Holder, Scope
from service.sessions.app import App
from service.sessions.campaigns import TOKEN_PREFIX, Campaigns, Member, campaigns_of
from service.sessions.connections import Connections
from service.sessions.feed import PackedSegment
from service.sessions.live_streams import LiveStreams
from service.sessions.pending_draws import settled_head
from service.store.errors import UnknownSessionError

COOKIE = "fairlog-seat"
READING = ("GET", "HEAD")
NEEDS_TOKEN = "This request needs a token. Send `Authorization: Bearer <token>`."
NO_CAMPAIGN = (
    "The campaign does not exist, or is not visible to you. Send the personal token of one of its"
    " members as `Authorization: Bearer <token>`."
)
_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/=-]{1,200})", re.IGNORECASE)


class ApiServices(msgspec.Struct, frozen=True):
    """The services that all HTTP views in a process share."""

    app: App
    access: Access
    streams: LiveStreams
    connections: Connections
    limits: Limits
    segments: ByteCache[PackedSegment] = msgspec.field(default_factory=ByteCache)

    def close(self) -> None:
        """Close the streams first, then the database, because open streams read from it."""
        self.streams.close()
        self.connections.close()
        self.app.close()


def services() -> ApiServices:
    held: ApiServices = current_app.extensions["fairlog"]
    return held


def token() -> str | None:
    """Return the token from the Authorization header or, failing that, the cookie.

    Return None if the request has no token. Raises ProblemError("token-invalid") if the header is
    malformed.
    """
    header = request.headers.get("Authorization")
    if header is None:
        return _cookie_token()
    found = _BEARER.fullmatch(header)
    if not found:
        raise ProblemError(
            "token-invalid",
            "The Authorization header is malformed. Send `Authorization: Bearer <token>`.",
        )
    return found[1]


def _cookie_token() -> str | None:
    """Return the cookie's token if the request may use it, otherwise None.

    A request may use it if it comes from a page of this server, or if it reads and no script of
    another origin sent it. Other sites can make a browser send the cookie: with a form or a link,
    which must not write, and with a script, which must not read either.
    """
    is_by_script = "Origin" in request.headers or request.headers.get("Sec-Fetch-Mode") == "cors"
    may_read = request.method in READING and not is_by_script
    return request.cookies.get(COOKIE) if may_read or is_own_page() else None


def is_own_page() -> bool:
    """Return True if the request was sent by a page of this server.

    Check the Sec-Fetch-Site header or, if it is absent, the Origin header. Browsers do not send
    Sec-Fetch-Site over plain HTTP.
    """
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        return site == "same-origin"
    return origin in (f"http://{request.host}", f"https://{request.host}")


def holder(session: str | None = None) -> Holder | None:
    """Return the holder of the request's token, or None if the request has no token.

    See `holder_of` for the meaning of `session`, the rate limit, and how auditors' requests are
    recorded.
    """
    sent = token()
    return None if sent is None else holder_of(sent, session)


def holder_of(sent: str, session: str | None = None) -> Holder:
    """Return the holder of the token `sent`, and count the request against the seat's rate limit.

    If the seat is an auditor, record the request. `session` is the session that the request is
    about, if any; a request about a different session is not recorded. Requests are recorded here
    so that no route can forget to do it.

    Raises ProblemError("token-invalid") if the token is unknown, revoked or expired,
    ProblemError("scope-missing") if it does not allow the request, and ProblemError("too-many") if
    the seat has sent too many requests.
    """
    found = services().access.holder(sent)
    if found is None or found.revoked:
        raise invalid_token()
    _count_request_of(found.session, found.seat)
    if session in (None, found.session):
        _require_scope(found)
        note_reading(found)
    return found


def _count_request_of(place: str, name: str) -> None:
    """Count the request once against the limit for a seat of a session or a person of a campaign.

    Raises ProblemError("too-many").
    """
    if not g.get("seat_counted"):
        g.seat_counted = True
        _note_quota(_within_limits(lambda: services().limits.seat(place, name)))


def campaigns() -> Campaigns:
    return campaigns_of(services().app)


def require_member(campaign: str) -> Member:
    """Return the member that the request's personal token belongs to.

    For all others, the response is the same as if the campaign did not exist. This is so even if
    the request has no token.

    Raises ProblemError("token-invalid") if the token is malformed, unknown or expired,
    ProblemError("too-many"), or ProblemError("not-found").
    """
    return member_of(token(), campaign)


def member_of(sent: str | None, campaign: str) -> Member:
    """Return the member that the personal token `sent` belongs to, as `require_member` does."""
    found = None
    if sent is not None and sent.startswith(TOKEN_PREFIX):
        found = campaigns().member(sent)
        if found is None:
            raise invalid_token()
        _count_request_of(found.campaign, found.id)
    elif sent is not None:
        holder_of(sent, campaign)  # raises if the token is unknown
    if found is None or found.campaign != campaign or found.person.ended:
        raise ProblemError("not-found", NO_CAMPAIGN)
    return found


def require_campaign_gm(campaign: str) -> Member:
    """Return the member, who is the campaign's GM. Raises Refused, or as `require_member` does."""
    found = require_member(campaign)
    found.require_gm()
    return found


def require_member_or_repeat(campaign: str) -> Member:
    """Return the member that the request's personal token belongs to.

    A token that the member has replaced is accepted only if the request repeats the one that
    replaced it.
    """
    try:
        return require_member(campaign)
    except ProblemError as problem:
        sent = token()
        if problem.code != "token-invalid" or sent is None:
            raise
        found = campaigns().renewed_by(sent)
        if found is None or found.campaign != campaign:
            raise
        request_of_member = request_identity(found.id)
        if not idempotency.is_repeat(services().app.recorder, campaign, request_of_member):
            raise
        _count_request_of(campaign, found.id)
        return found


def _require_scope(found: Holder) -> None:
    """Raise ProblemError("scope-missing") unless the token has the scope that the route needs."""
    needed: Scope = g.get("scope") or ("read" if request.method in READING else "manage")
    if needed not in found.scopes:
        raise ProblemError(
            "scope-missing",
            f"This request needs a token with the scope `{needed}`, and the token has only"
            f" {', '.join(sorted(found.scopes))}. Use the seat's own token, or create one with this"
            " scope.",
        )


def invalid_token() -> ProblemError:
    """Return the error for a request whose token is unknown, revoked or expired."""
    return ProblemError(
        "token-invalid",
        "The token is unknown, revoked or expired. Send the seat's newest token.",
    )


def note_reading(found: Holder) -> None:
    """If the holder is an auditor, record the request so that the GM can see it.

    The request is recorded once, before it is answered.
    """
    if g.get("reading_noted"):
        return
    events, seat = services().app.log, found.seat
    # An outdated head is good enough: a seat never becomes an auditor or stops being one.
    head = events.known(found.session)
    if head is None or seat not in head.session.info.seats:
        head = events.read(found.session, found.newest)
    if head.session.info.seats[seat].role is Role.AUDITOR:
        services().access.record_reading(found.session, seat, request.full_path.rstrip("?"))
    g.reading_noted = True


def require_holder() -> Holder:
    """Return the holder of the request's token, whatever its session.

    Raises ProblemError if there is no valid token.
    """
    found = holder()
    if found is None:
        raise ProblemError("token-missing", NEEDS_TOKEN)
    return found


def require_seat(session: str) -> str:
    """Return the seat in this session that the request's token belongs to.

    Raises ProblemError if there is no valid token, or UnknownSessionError if the token belongs to a
    different session.
    """
    found = holder(session)
    if found is None:
        raise ProblemError("token-missing", NEEDS_TOKEN)
    if found.session != session:
        raise UnknownSessionError(session)
    g.newest = found.newest
    return found.seat


def require_seat_or_repeat(session: str) -> str:
    """Return the seat that the token belongs to.

    A revoked token is accepted only if the request repeats the one that revoked it.
    """
    try:
        return require_seat(session)
    except ProblemError as problem:
        if problem.code != "token-invalid":
            raise
        sent, held = token(), services()
        found = held.access.holder(sent) if sent is not None else None
        if found is None or found.session != session:
            raise
        if not idempotency.is_repeat(held.app.recorder, session, request_identity(found.seat)):
            raise
        note_reading(found)
        return found.seat


def require_gm(session: str) -> tuple[str, Session]:
    """Return the token's seat and the session. Raises Refused if the seat is not the GM's."""
    seat = require_seat(session)
    now = current_head(session).session
    by = now.by(seat)
    if not by.is_gm:
        raise Refused("gm-only", role=by.role.value)
    return seat, now


def current_head(session: str, newest: int = 0) -> Head:
    """End the pending draw if all links have arrived or its deadline has passed; return the head.

    If ending the draw fails, log the error and return the head with the draw still pending. Raises
    UnknownSessionError.
    """
    app = services().app
    try:
        return settled_head(app, session, newest)
    except UnknownSessionError:
        raise
    except Exception as error:  # such as a full disk: the session can still be read
        head = app.log.read(session)
        log.error("cannot end a draw", session=session, exc_info=error)
        return head


def session_for_viewer(session: str, through: str | UnsetType = UNSET) -> tuple[Head, Viewer]:
    """Return the session's head and the viewer who sent the request.

    `through` is the seat whose view a GM or auditor requests.

    If the viewer may not see the session, raises ProblemError("token-missing") if the request has
    no token, and UnknownSessionError otherwise.
    """
    return session_for_holder(holder(session), session, through)


def session_for_holder(
    found: Holder | None, session: str, through: str | UnsetType = UNSET
) -> tuple[Head, Viewer]:
    """Return the session's head and the viewer, for a token that was already looked up.

    `found` is the holder of the request's token, or None if the request has no token. See
    `session_for_viewer` for `through` and the errors.
    """
    viewer, newest = PUBLIC_VIEWER, 0
    if found is not None and found.session == session:
        viewer, newest = Viewer(found.seat), found.newest
    try:
        head = current_head(session, newest)
        if can_see_session(head.session, viewer):
            return head, view_as(head.session, viewer, through)
    except UnknownSessionError:
        pass
    if found is None:  # the response must not reveal whether the session exists
        raise ProblemError(
            "token-missing",
            "The session does not exist, or you need a token to see it."
            " Send `Authorization: Bearer <token>`.",
        )
    raise UnknownSessionError(session)


T = TypeVar("T")

UNLIMITED = frozenset({"Operation.livez", "Operation.readyz", "Operation.metrics", "Console.asset"})
"""Endpoints without a rate limit, because the operator polls them or every page needs them."""
_ANY_BEARER = re.compile(r"bearer +(\S{1,200})", re.IGNORECASE)


def register_limits(flask: Flask, proxies: int) -> None:
    """Register a rate limit check that runs before every request is handled.

    `proxies` is the number of trusted proxies in front of the server.
    """
    if proxies:
        flask.wsgi_app = ProxyFix(flask.wsgi_app, x_for=proxies, x_proto=proxies)  # type: ignore[method-assign]
    flask.before_request(_count_request)


def _count_request() -> None:
    if request.endpoint not in UNLIMITED:
        _note_quota(_within_limits(lambda: services().limits.request(_address())))


def add_limit_headers(response: Response) -> None:
    """Tell the client how many more requests the rate limits allow.

    The headers are RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10).
    """
    if quotas := g.get("quotas"):
        response.headers["RateLimit-Policy"] = ", ".join(
            f'"{quota.name}";q={quota.most};w={quota.window}' for quota in quotas
        )
        response.headers["RateLimit"] = ", ".join(
            f'"{quota.name}";r={quota.left};t={quota.seconds}' for quota in quotas
        )


def _note_quota(quota: Quota | None) -> None:
    if quota is not None:
        g.setdefault("quotas", []).append(quota)


def require_opening_key() -> None:
    """Check the request's opening key, and count a new session against the limit.

    Raises ProblemError("opening-key-required") if the key is missing or wrong, or
    ProblemError("too-many") if the rate limit is exceeded.
    """
    key = services().app.settings.opening_key
    if key and not hmac.compare_digest((sent_token() or "").encode(), key.encode()):
        raise ProblemError(
            "opening-key-required",
            "The key for opening sessions is missing or wrong. Ask the operator for the key and"
            " send it as a bearer token.",
        )
    count_session()


def count_session() -> None:
    """Count a new session or fork against the rate limit.

    If the server then fails to store it, the count is undone. Otherwise, a client that repeats the
    request while the disk is full would be refused for an hour.

    Raises ProblemError("too-many") if the limit is exceeded.
    """
    _within_limits(lambda: services().limits.opening(_address()))
    after_this_request(_undo_failed_opening)


def _undo_failed_opening(response: Response) -> Response:
    if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        services().limits.undo_opening(_address())
    return response


def count_stream(session: str, seat: str | UnsetType) -> Callable[[], None]:
    """Count a live stream against the limits, and return a function that undoes the count.

    The caller must call the function once, when the stream ends. Raises ProblemError("too-many") if
    the limit is exceeded.
    """
    client = "" if seat is UNSET else f"{session}.{seat}"
    return _within_limits(lambda: services().limits.stream(_address(), client))


def request_job(job: Job) -> None:
    """Enqueue the job, and count it against the limit if it is not already waiting or running.

    Raises ProblemError("too-many") if the address has requested too many jobs, and
    QueueUnavailableError or TooManyJobsError as `Queue.enqueue` does.
    """
    queue = services().app.queue
    state = inspection.job_state(queue, job)
    if state is None or state.stage == "failed":
        _within_limits(lambda: services().limits.job(_address()))
    queue.enqueue(job)


def sent_token() -> str | None:
    """Return the token from the header or the cookie, even if it is invalid."""
    found = _ANY_BEARER.fullmatch(request.headers.get("Authorization", ""))
    return found[1] if found else request.cookies.get(COOKIE)


def _address() -> str:
    return request.remote_addr or ""


def _within_limits(count: Callable[[], T]) -> T:
    try:
        return count()
    except LimitExceededError as many:
        detail = f"Too many {many.what} from this address or seat. Try again in {many.seconds} s."
        raise ProblemError("too-many", detail, retry_after=many.seconds) from None
