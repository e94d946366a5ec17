"""The live stream: every event of a session as it is stored, as SSE or a line each, resumed by its version."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import msgspec
from flask import Response, request
from msgspec import UNSET, UnsetType

from domain.session.state import Session
from service import meters, sources
from service.http import auth, guard
from service.http.auth import Edge
from service.http.awaited import DrawCalled
from service.http.calls import Calls
from service.http.events import page
from service.http.given import Following
from service.http.openapi import Blueprint
from service.http.problems import Problem, log
from service.http.queries import NDJSON
from service.http.shown import Event, Shown
from service.live import End, Full, Page, Stream
from service.storage.failing import is_of_storage

SSE = "text/event-stream"
RETRY_MS = 1000
EARLIER = 0.2
"""By how much of its life a stream may end before: streams that began together are not to come back together."""
RESUMED = {
    "in": "header",
    "name": "Last-Event-ID",
    "schema": {"type": "string", "pattern": "^(0|[1-9][0-9]{0,14})?$"},
    "description": "The last version that was received; goes before `after`.",
}
_VERSION = re.compile(r"0|[1-9][0-9]{0,14}")

blueprint = Blueprint("Live", __name__, description="What happens, as it happens.")


class Streamed(Shown, frozen=True):
    """A message of a stream: `data` is JSON, of an Event or as `event` says.

    Of `draw` it is a DrawCalled, of `end` an object with its `code`.
    """

    data: str
    id: str | UnsetType = UNSET
    event: Literal["message", "draw", "end"] = "message"


class Words(NamedTuple):
    """How a stream speaks in one content type. `opening` and `still` say up to which version all has been sent."""

    kind: str
    opening: Callable[[int], bytes]
    event: Callable[[Event], bytes]
    draw: Callable[[DrawCalled], bytes]
    still: Callable[[int], bytes]
    end: Callable[[End], bytes]


# An id without data is no event for a browser, but what it sends as Last-Event-ID when it comes back.
MESSAGES = Words(
    SSE,
    lambda version: b"retry: %d\nid: %d\n: from here on\n\n" % (RETRY_MS, version),
    lambda event: b"id: %d\ndata: %b\n\n" % (event.version, msgspec.json.encode(event)),
    lambda called: b"event: draw\ndata: %b\n\n" % msgspec.json.encode(called),
    lambda version: b": %d\n\n" % version,
    lambda why: b"event: end\ndata: %b\n\n" % msgspec.json.encode({"code": why}),
)
LINES = Words(
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
    query=Following,
    gives={SSE: Streamed, NDJSON: Event},
    token="optional",
    problems=["refused", "version-ahead", "streams-full"],
    headers=[RESUMED],
)
def stream(session: str, query: Following) -> Response:
    """Follow the events

    Every version behind the one you name, in order, as it is stored: `id` is the version, `data` the event as the page
    of events gives it. Comments keep the line open. While a draw waits for your seat, `event: draw` says so once,
    without an id, behind the events up to its declaration: which draw, until when, whose links, and whose have come.
    A stream ends by `event: end` with a `code`: `rotate`, `stopping` or `unavailable`, then resume behind the last
    version, or `token-revoked`. As `application/x-ndjson` an event is a line, a draw is `{"draw": {...}}`,
    `{"after": version}` says up to where all has been sent, and `{"end": {"code": ...}}` ends it.
    """
    edge = auth.edge()
    head, viewer = auth.viewed(session, query.through)
    lives = edge.app.settings.stream_seconds * (1 - EARLIER * sources.fresh()[0] / 256)
    token = auth.token() if viewer.seat is not UNSET else None
    wire = request.environ.get("gunicorn.socket")
    opened = Stream(
        head.session, viewer, token, _after(head.session, query), time.monotonic() + lives, wire
    )
    words = LINES if request.accept_mimetypes.best_match((SSE, NDJSON)) == NDJSON else MESSAGES
    if request.method == "HEAD":
        return _response((), words)
    left = guard.one_more_stream(token or guard.sent())
    try:
        edge.streams.join(opened)
    except Full:
        left()
        raise Problem(
            "streams-full", "Come back a little later, or read the events page by page."
        ) from None
    meters.STREAMS.inc()
    response = _response(_sent(edge, opened, words), words)
    response.call_on_close(lambda: _closed(edge, opened, left))
    return response


def _closed(edge: Edge, opened: Stream, left: Callable[[], None]) -> None:
    left()
    meters.STREAMS.dec()
    edge.streams.leave(opened)


def _response(sent: Iterator[bytes] | tuple[()], words: Words) -> Response:
    response = Response(sent, content_type=words.kind)
    response.headers["X-Accel-Buffering"] = "no"  # nginx would keep it until it is worth a packet
    return response


def _after(session: Session, query: Following) -> int:
    """The version that the stream goes on behind. Problem("version-ahead")."""
    sent = request.headers.get("Last-Event-ID", "")
    if sent and not _VERSION.fullmatch(sent):
        raise Problem("unreadable", "Last-Event-ID: a version, as the stream gave it.")
    after = int(sent) if sent else session.version if query.after is UNSET else query.after
    if after > session.version:
        raise Problem(
            "version-ahead",
            f"The session is at version {session.version}.",
            version=session.version,
        )
    return after


def _sent(edge: Edge, opened: Stream, words: Words) -> Iterator[bytes]:
    """What goes out, up to the stream's end. It holds nothing while it waits."""
    silence = edge.app.settings.stream_heartbeat
    due = time.monotonic() + silence
    calls = Calls(edge.app, opened)
    sent = words.opening(opened.version)
    try:
        while True:
            if sent:
                yield sent
                due = time.monotonic() + silence
            now, head = opened.now, opened.next()
            if (end := opened.over()) is not None:
                yield words.end(end)
                return
            sent = _next(edge, opened, head, now, words) + b"".join(map(words.draw, calls.due(now)))
            if not sent:
                opened.wait(due)
                sent = words.still(opened.version) if time.monotonic() >= due else b""
    except Exception as error:
        if not is_of_storage(error):
            raise
        log.error("stream ended", exception=repr(error))
        yield words.end("unavailable")
    finally:
        edge.streams.leave(opened)


def _next(edge: Edge, opened: Stream, head: Session, now: Session, words: Words) -> bytes:
    """The next page of events up to the head, nothing where there is none."""
    if opened.version >= head.version:
        return b""
    outlook = edge.streams.outlook(now, opened.viewer)
    if edge.streams.outlook(head, opened.viewer) != outlook:  # what it may see now is what counts
        head = now
    key = (head.id, head.version, opened.version, words.kind, outlook)
    found = edge.streams.shared(key, lambda: _page(edge, opened, head, words))
    opened.version = found.version
    return found.sent


def _page(edge: Edge, opened: Stream, head: Session, words: Words) -> Page:
    most = edge.app.settings.page
    limit = most - opened.version % most  # who is far behind meets others at the same versions
    events = page(edge.app, head, opened.viewer, opened.version, limit)
    return Page(b"".join(map(words.event, events)), events[-1].version)
