"""The live event stream, as server-sent events or NDJSON."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import msgspec
from flask import Response, request
from msgspec import UNSET, UnsetType

from domain.session.state import HOUSE, Session
from projections.stores.errors import is_of_storage
from service.http import auth, models
from service.http.auth import ApiServices
from service.http.errors import ProblemError, log
from service.http.openapi import Blueprint
from service.http.presenters import events_page, iso_time
from service.http.routes.draws import DrawNotice
from service.http.routes.queries import NDJSON
from service.platform import clock, metrics
from service.sessions.app import App
from service.sessions.live_streams import EndReason, LiveStream, StreamLimitError, StreamPage
from service.sessions.pending_draws import contributions
from service.sessions.turns import deadline

blueprint = Blueprint(
    "Stream", __name__, description="Live events, as server-sent events or NDJSON."
)


class DrawNotices:
    """The notices that ask a stream's seat to contribute to draws."""

    def __init__(self, app: App, stream: LiveStream) -> None:
        self._app, self._stream = app, stream
        self._called = -1

    def due(self, now: Session) -> Iterator[DrawNotice]:
        """Yield a notice if the pending draw needs a contribution from the stream's seat.

        There is at most one notice for each draw. It follows the event that declares the draw.
        """
        pending, seat = now.pending, self._stream.viewer.seat
        if pending is None or pending.k <= self._called or self._stream.version < pending.version:
            return
        self._called = pending.k
        if (
            seat is UNSET
            or seat == HOUSE
            or all(seat != each for each, _, _ in pending.contributors)
        ):
            return
        seats = [each.seat for each in contributions(self._app, now)]
        yield DrawNotice(
            pending.k, pending.version, iso_time(deadline(now)), pending.contributors, seats
        )


SSE = "text/event-stream"
RETRY_MS = 1000
MAX_EARLY_END = 0.2
"""Streams may end early by up to this fraction of their lifetime.

The amount is random, so clients do not all reconnect at once.
"""
RESUMED = {
    "in": "header",
    "name": "Last-Event-ID",
    "schema": {"type": "string", "pattern": "^(0|[1-9][0-9]{0,14})?$"},
    "description": "The last version that the client received. It takes precedence over `after`.",
}
_VERSION = re.compile(r"0|[1-9][0-9]{0,14}")


class StreamMessage(models.ResponseModel, frozen=True):
    """A message in a stream.

    `data` is JSON. It is a DrawNotice if `event` is `draw`, an object with a `code` if `event` is
    `end`, and an Event otherwise.
    """

    data: str
    id: str | UnsetType = UNSET
    event: Literal["message", "draw", "end"] = "message"


class StreamFormat(NamedTuple):
    """The functions that encode stream messages for a content type.

    `opening` and `still` encode the version that the stream has reached. If `leaves` is True, the
    events contain their leaves and salts.
    """

    kind: str
    opening: Callable[[int], bytes]
    event: Callable[[models.Event], bytes]
    draw: Callable[[DrawNotice], bytes]
    still: Callable[[int], bytes]
    end: Callable[[EndReason], bytes]
    leaves: bool = False


# A browser fires no event for an id without data, but sends the id when it reconnects.
SSE_FORMAT = StreamFormat(
    SSE,
    lambda version: b"retry: %d\nid: %d\n: from here on\n\n" % (RETRY_MS, version),
    lambda event: b"id: %d\ndata: %b\n\n" % (event.version, msgspec.json.encode(event)),
    lambda called: b"event: draw\ndata: %b\n\n" % msgspec.json.encode(called),
    lambda version: b": %d\n\n" % version,
    lambda why: b"event: end\ndata: %b\n\n" % msgspec.json.encode({"code": why}),
)
NDJSON_FORMAT = StreamFormat(
    NDJSON,
    lambda version: b'{"after":%d}\n' % version,
    lambda event: msgspec.json.encode(event) + b"\n",
    lambda called: msgspec.json.encode({"draw": called}) + b"\n",
    lambda version: b'{"after":%d}\n' % version,
    lambda why: msgspec.json.encode({"end": {"code": why}}) + b"\n",
)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/stream",
    query=models.StreamQuery,
    returns={SSE: StreamMessage, NDJSON: models.Event},
    token="optional",
    problems=["refused", "version-ahead", "streams-full"],
    headers=[RESUMED],
)
def stream(session: str, query: models.StreamQuery) -> Response:
    """Stream the events.

    The stream sends every event after version `after`, in order, as soon as it is stored. `id` is
    the version. `data` is the event in the same format as in the list of events. Comments keep the
    connection open.

    If a draw needs a contribution from your seat, the stream sends one `event: draw` without an id,
    after the event that declares the draw. Its `data` contains the draw's number, its deadline and
    the seats that have contributed.

    A stream ends with `event: end` and a `code`. After `rotate`, `stopping` or `unavailable`,
    reconnect with the last version that you received. After `token-revoked`, do not reconnect.

    With `Accept: application/x-ndjson`, each message is a line: an event, `{"draw": {...}}`,
    `{"after": version}` with the last version that was sent, or `{"end": {"code": ...}}` at the
    end.
    """
    services = auth.services()
    head, viewer = auth.session_for_viewer(session, query.through)
    lives = services.app.settings.stream_seconds * (
        1 - MAX_EARLY_END * clock.random_bytes()[0] / 256
    )
    token = auth.token() if viewer.seat is not UNSET else None
    wire = request.environ.get("gunicorn.socket")
    opened = LiveStream(
        head.session, viewer, token, _after(head.session, query), time.monotonic() + lives, wire
    )
    words = (
        NDJSON_FORMAT
        if request.accept_mimetypes.best_match((SSE, NDJSON)) == NDJSON
        else SSE_FORMAT
    )._replace(leaves=query.leaves)
    if request.method == "HEAD":
        return _response((), words)
    left = auth.count_stream(session, viewer.seat)
    try:
        services.streams.join(opened)
    except StreamLimitError:
        left()
        raise ProblemError(
            "streams-full",
            "The server has too many live streams. Try again later, or read the list of events.",
        ) from None
    metrics.STREAMS.inc()
    response = _response(_frames(services, opened, words), words)
    response.call_on_close(lambda: _close(services, opened, left))
    return response


def _close(services: ApiServices, opened: LiveStream, left: Callable[[], None]) -> None:
    left()
    metrics.STREAMS.dec()
    services.streams.leave(opened)


def _response(sent: Iterator[bytes] | tuple[()], words: StreamFormat) -> Response:
    response = Response(sent, content_type=words.kind)
    response.headers["X-Accel-Buffering"] = "no"  # nginx would buffer the messages
    return response


def _after(session: Session, query: models.StreamQuery) -> int:
    """Return the version that the stream starts after.

    Raises ProblemError("unreadable") or ProblemError("version-ahead").
    """
    sent = request.headers.get("Last-Event-ID", "")
    if sent and not _VERSION.fullmatch(sent):
        raise ProblemError(
            "unreadable",
            "The Last-Event-ID header is not a version number. Send the last id that you received.",
        )
    after = int(sent) if sent else session.version if query.after is UNSET else query.after
    if after > session.version:
        raise ProblemError(
            "version-ahead",
            f"The stream cannot start after version {after}: the session is only at version "
            f"{session.version}. Start after an earlier version.",
            version=session.version,
        )
    return after


def _frames(services: ApiServices, opened: LiveStream, words: StreamFormat) -> Iterator[bytes]:
    """Yield the encoded messages until the stream ends.

    The generator holds no lock or database connection while it waits.
    """
    silence = services.app.settings.stream_heartbeat
    due = time.monotonic() + silence
    calls = DrawNotices(services.app, opened)
    sent = words.opening(opened.version)
    try:
        while True:
            if sent:
                yield sent
                due = time.monotonic() + silence
            now, head = opened.now, opened.next()
            if (end := opened.end_reason()) is not None:
                yield words.end(end)
                return
            sent = _next_page(services, opened, head, now, words) + b"".join(
                map(words.draw, calls.due(now))
            )
            if not sent:
                opened.wait(due)
                sent = words.still(opened.version) if time.monotonic() >= due else b""
    except Exception as error:
        if not is_of_storage(error):
            raise
        log.error("stream ended", exception=repr(error))
        yield words.end("unavailable")
    finally:
        services.streams.leave(opened)


def _next_page(
    services: ApiServices, opened: LiveStream, head: Session, now: Session, words: StreamFormat
) -> bytes:
    """Return the next page of encoded events up to `head`, or b"" if there are none."""
    if opened.version >= head.version:
        return b""
    outlook = services.streams.audience_key(now, opened.viewer)
    if (
        services.streams.audience_key(head, opened.viewer) != outlook
    ):  # visibility has changed: use the newest head
        head = now
    key = (head.id, head.version, opened.version, words.kind, words.leaves, outlook)
    found = services.streams.shared(
        key, lambda: _page(services, opened, head, words), lambda page: len(page.sent)
    )
    opened.version = found.version
    return found.sent


def _page(
    services: ApiServices, opened: LiveStream, head: Session, words: StreamFormat
) -> StreamPage:
    most = services.app.settings.page
    limit = (
        most - opened.version % most
    )  # all streams use the same page bounds, so that lagging streams can share pages
    events = events_page(
        services.app, head, opened.viewer, opened.version, limit, leaves=words.leaves
    )
    return StreamPage(b"".join(map(words.event, events)), events[-1].version)
