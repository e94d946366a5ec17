"""The live event stream, as server-sent events or NDJSON."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec
from flask import Response, request
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from domain.recorded_event import RecordedEvent
from domain.session.lineage import beyond
from domain.session.messages import Rewound, SealOpened
from domain.session.state import HOUSE, Session
from domain.visibility import Viewer
from projections.stores.errors import is_of_storage
from service.http import auth, models
from service.http.auth import ApiServices
from service.http.errors import ProblemError, log
from service.http.openapi import JSON, NDJSON, SSE, Blueprint
from service.http.presenters import (
    described_events,
    iso_time,
    rewinds,
    visible_events,
    with_leaf,
)
from service.http.routes.draws import DrawNotice, to_contributors
from service.http.routes.review import to_spans
from service.http.validation import ref
from service.platform import clock, metrics
from service.sessions.app import App
from service.sessions.feed import newly_visible
from service.sessions.live_streams import EndReason, LiveStream, StreamLimitError, StreamPage
from service.sessions.pending_draws import contributions
from service.sessions.turns import deadline

blueprint = Blueprint("Stream", __name__, tag="Events")


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
            pending.k,
            pending.version,
            iso_time(deadline(now)),
            to_contributors(pending.contributors),
            seats,
        )


STREAM_DATA = ("StreamStart", "StreamEvent", "DrawNotice", "StreamEnd")
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


class StreamStart(models.ResponseModel, frozen=True):
    """The first message of a stream."""

    version: Annotated[
        int, Meta(description="the version after which the stream starts, or 0 for the whole log")
    ]


class StreamEvent(models.Event, frozen=True):
    """An event, with what it reveals or undoes."""

    opens: Annotated[
        tuple[models.Event, ...],
        Meta(
            description="the earlier events that this event opens, in order, if a secret was "
            "opened; a stream that began before then has sent them sealed"
        ),
    ] = ()
    undoes: Annotated[
        tuple[models.VersionSpan, ...],
        Meta(
            description="the versions that a rewind undid, in ascending order; what came back with "
            "it is at `body.to`"
        ),
    ] = ()


class StreamEnd(models.ResponseModel, frozen=True):
    """The last message of a stream that the server ends."""

    code: Annotated[
        EndReason,
        Meta(
            description="the reason; after `rotate`, `stopping` or `unavailable`, connect again; "
            "after `token-revoked`, you need a new token"
        ),
    ]


StreamData = Annotated[
    str,
    Meta(
        description="JSON; depending on `event`, it is a StreamStart (`start`), a DrawNotice "
        "(`draw`), a StreamEnd (`end`) or a StreamEvent (`message`)",
        extra_json_schema={
            "contentMediaType": JSON,
            "contentSchema": {"anyOf": [{"$ref": ref(name)} for name in STREAM_DATA]},
        },
    ),
]


class StreamMessage(models.ResponseModel, frozen=True):
    """A message in a stream."""

    data: StreamData
    id: (
        Annotated[
            str,
            Meta(
                description="the version that the client has reached with this message, to be "
                "sent as `Last-Event-ID`; absent in `draw` and `end` messages"
            ),
        ]
        | UnsetType
    ) = UNSET
    event: Annotated[
        Literal["message", "start", "draw", "end"],
        Meta(description="the type of the message; default: message"),
    ] = "message"


class StreamFormat(NamedTuple):
    """The functions that encode stream messages for a content type.

    `opening` and `still` encode the version that the stream has reached. If `leaves` is True, the
    events contain their leaves and salts.
    """

    kind: str
    opening: Callable[[int], bytes]
    event: Callable[[StreamEvent], bytes]
    draw: Callable[[DrawNotice], bytes]
    still: Callable[[int], bytes]
    end: Callable[[EndReason], bytes]
    leaves: bool = False


# The first message contains an id, so that a client that is cut off before the first event resumes
# at the right version. It also contains data, and a heartbeat is a comment without a blank line,
# because some libraries report each block that a blank line ends as a message.
SSE_FORMAT = StreamFormat(
    SSE,
    lambda version: (
        b"retry: %d\nid: %d\nevent: start\ndata: %b\n\n"
        % (RETRY_MS, version, msgspec.json.encode(StreamStart(version)))
    ),
    lambda event: b"id: %d\ndata: %b\n\n" % (event.version, msgspec.json.encode(event)),
    lambda called: b"event: draw\ndata: %b\n\n" % msgspec.json.encode(called),
    lambda version: b": %d\n" % version,
    lambda why: b"event: end\ndata: %b\n\n" % msgspec.json.encode(StreamEnd(why)),
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
    "streamEvents",
    "GET",
    "/v1/sessions/<session:session>/stream",
    query=models.StreamQuery,
    returns={SSE: StreamMessage, NDJSON: StreamEvent},
    token="optional",
    problems=["refused", "version-unknown", "streams-full"],
    headers=[RESUMED],
)
def stream(session: str, query: models.StreamQuery) -> Response:
    """Stream the events.

    The stream sends every event after version `after`, in order, as soon as it is stored. `id` is
    the version. `data` is the event in the same format as in the list of events. If the event opens
    a secret, it contains the events that were sealed before (`opens`), and if it is a rewind, the
    versions that it undid (`undoes`). The first message is `event: start`. Comments keep the
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
    token = auth.token() if viewer.seat is not UNSET else None
    wire = request.environ.get("gunicorn.socket")
    opened = LiveStream(
        head.session, viewer, token, _after(head.session, query), stream_end(), wire
    )
    words = (
        NDJSON_FORMAT
        if request.accept_mimetypes.best_match((SSE, NDJSON)) == NDJSON
        else SSE_FORMAT
    )._replace(leaves=query.leaves)
    if request.method == "HEAD":
        return _response((), words.kind)
    return live_response(
        _frames(services, opened, words), words.kind, [opened], (session, viewer.seat)
    )


def live_response(
    sent: Iterator[bytes],
    kind: str,
    opened: Sequence[LiveStream],
    client: tuple[str, str | UnsetType],
) -> Response:
    """Return the response that sends the messages, and join the streams until it is closed.

    `client` is the session and the seat whose streams are counted. Raises ProblemError("too-many")
    or ProblemError("streams-full").
    """
    streams = auth.services().streams
    left = auth.count_stream(*client)

    def leave() -> None:
        left()
        for each in opened:
            streams.leave(each)

    try:
        for each in opened:
            streams.join(each)
    except StreamLimitError:
        leave()
        raise ProblemError(
            "streams-full",
            "The server has too many live streams. Try again later, or read the list of events.",
        ) from None
    auth.services().connections.start()
    metrics.STREAMS.inc()
    response = _response(sent, kind)
    response.call_on_close(leave)
    response.call_on_close(metrics.STREAMS.dec)
    return response


def _response(sent: Iterator[bytes] | tuple[()], kind: str) -> Response:
    response = Response(sent, content_type=kind)
    response.headers["X-Accel-Buffering"] = "no"  # nginx would buffer the messages
    return response


def stream_end() -> float:
    """Return the monotonic time at which a stream that starts now ends."""
    early = MAX_EARLY_END * clock.random_bytes()[0] / 256
    return time.monotonic() + auth.services().app.settings.stream_seconds * (1 - early)


def _after(session: Session, query: models.StreamQuery) -> int:
    """Return the version that the stream starts after.

    Raises ProblemError("unreadable") or ProblemError("version-unknown").
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
            "version-unknown",
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
    app, viewer = services.app, opened.viewer
    events = [
        _stream_event(app, head, viewer, fact, with_leaf(fact, event) if words.leaves else event)
        for fact, event in visible_events(app, head, viewer, opened.version, limit)
    ]
    return StreamPage(b"".join(map(words.event, events)), events[-1].version)


def _stream_event(
    app: App, head: Session, viewer: Viewer, fact: RecordedEvent, event: models.Event
) -> StreamEvent:
    """Add to the event what it reveals to the viewer, or what it undoes."""
    opens: tuple[models.Event, ...] = ()
    undoes: tuple[models.VersionSpan, ...] = ()
    past = app.log.history(head.id)
    match fact.body:
        case SealOpened():
            before, after = past.state(fact.version - 1), past.state(fact.version)
            old = list(newly_visible(before, after, viewer, past))
            opens = tuple(described_events(app, head, viewer, old)) if old else ()
        case Rewound(to=to):
            undoes = to_spans(beyond(rewinds(app, head), fact.version - 1, to))
    return StreamEvent(**asdict(event), opens=opens, undoes=undoes)
