"""The event feed, with patches that update the table, and the comparison of two versions."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Annotated, Any

import msgspec
from flask import Response, request
from msgspec import UNSET, Meta, UnsetType

from domain import codec
from domain.differences import Difference, differences
from domain.merge_patch import changes, diff
from domain.ruleset import AnyRuleset
from domain.session.annotations import mark
from domain.session.descriptions import describe
from domain.session.messages import Rewound
from domain.session.state import Session
from domain.session.turns import Head
from domain.table import Table
from domain.visibility import Viewer
from service.http import auth, models
from service.http.errors import ProblemError
from service.http.openapi import Blueprint
from service.http.presenters import iso_time
from service.http.responses import json_response
from service.http.routes.sessions import head_at, names_for
from service.platform.byte_cache import BorrowLimitError
from service.sessions.app import App
from service.sessions.feed import (
    SEGMENT_VERSIONS,
    FeedEntry,
    PackedSegment,
    feed_entries,
    segment_key,
    visible_table,
)
from service.store.errors import UnknownSessionError

blueprint = Blueprint("Feed", __name__, tag="Events")


COMPLETE = "private, max-age=31536000, immutable"
OPEN = "private, no-cache"
GZIP = 16 + zlib.MAX_WBITS
"""The `wbits` with which zlib reads and writes the gzip format."""
PART_BYTES = 1 << 16
"""The size of a compressed part that is decompressed at once."""


class FeedView(models.ResponseModel, frozen=True):
    """The extent of the feed."""

    version: models.NewestVersion
    size: Annotated[int, Meta(description="the number of versions in each complete segment")]
    segments: Annotated[int, Meta(description="the number of segments")]
    last: Annotated[
        int,
        Meta(
            description="the number of the newest segment, counted from 0, to which versions may "
            "still be added"
        ),
    ]


TextWithIds = Annotated[
    str,
    Meta(
        description="the text that describes the event, with ids in braces, such as {ana}, or "
        "{@gm} for a seat; replace each id with its name in the session's `names`, and a doubled "
        "brace with a single one"
    ),
]


class OpenedEvent(models.ResponseModel, frozen=True):
    """An earlier event that was sealed and has become visible to the viewer."""

    version: models.EventVersion
    kind: models.EventKind
    text: TextWithIds


class FeedEvent(models.ResponseModel, frozen=True):
    """An event as the viewer could see it when it was recorded."""

    version: models.EventVersion
    turn: models.EventTurn
    at: models.EventTime
    seat: models.EventSeat
    kind: models.VisibleEventKind | UnsetType = UNSET
    text: TextWithIds | UnsetType = UNSET
    highlight: models.EventMark | UnsetType = UNSET
    to: (
        Annotated[
            int,
            Meta(
                description="the version to which a rewind restored the table; "
                "absent for other events"
            ),
        ]
        | UnsetType
    ) = UNSET
    sealed: Annotated[
        bool,
        Meta(
            description="true if the event's content was hidden from the viewer when the event was "
            "recorded; `kind`, `text`, `mark`, `to` and `opens` are then absent"
        ),
    ] = False
    opens: Annotated[
        tuple[OpenedEvent, ...],
        Meta(description="the earlier events that became visible with this event, in order"),
    ] = ()
    patch: (
        Annotated[
            dict[str, Any],
            Meta(
                description="the change to the table, as a JSON merge patch (RFC 7396); "
                "absent if nothing changed"
            ),
        ]
        | UnsetType
    ) = UNSET


class Segment(models.ResponseModel, frozen=True):
    """A segment of the feed."""

    session: models.SessionId
    segment: Annotated[int, Meta(description="the number of the segment, from 0")]
    after: Annotated[int, Meta(description="the version before the first event of the segment")]
    complete: Annotated[bool, Meta(description="true if the segment is full")]
    events: Annotated[list[FeedEvent], Meta(description="the segment's events, in order")]


class Comparison(models.ResponseModel, frozen=True, rename={"older": "from", "newer": "to"}):
    """The differences between the tables at two versions."""

    older: Annotated[int, Meta(description="the version with which the comparison starts")]
    newer: Annotated[int, Meta(description="the version with which it is compared")]
    changes: Annotated[
        list[models.ChangeView], Meta(description="the fields that differ, sorted by path")
    ]
    patch: Annotated[
        dict[str, Any],
        Meta(
            description="the change from the table at `from` to the table at `to`, as a JSON merge "
            "patch (RFC 7396)"
        ),
    ]
    sentences: Annotated[
        tuple[Difference, ...],
        Meta(description="what differs, in sentences about each character, the largest first"),
    ]


@blueprint.operation(
    "getFeed",
    "GET",
    "/v1/sessions/<session:session>/feed",
    returns=FeedView,
    token="optional",
    sends=["ETag"],
)
def feed(session: str) -> Response:
    """Read the size of the feed.

    The feed is divided into segments. If you apply their patches in order to an empty object, you
    get the table at every version. A client that needs only the current table can read the session
    and its newest events instead.
    """
    head, _ = auth.session_for_viewer(session)
    version = head.session.version
    last = (version - 1) // SEGMENT_VERSIONS
    return json_response(FeedView(version, SEGMENT_VERSIONS, last + 1, last), version=version)


@blueprint.operation(
    "getFeedSegment",
    "GET",
    "/v1/sessions/<session:session>/feed/<segment:segment>",
    query=models.ViewerQuery,
    returns=Segment,
    token="optional",
    also={304: None},
    problems=["refused"],
    sends=["ETag"],
)
def segment(session: str, segment: str, query: models.ViewerQuery) -> Response:
    """Read a segment of the feed.

    A segment contains each event as you could see it when the event was recorded. An event that was
    sealed at that time stays sealed in the segment. If it was opened later, it is listed in the
    `opens` field of the event that opened it. If you send the segment's ETag as If-None-Match and
    the segment has not changed, the response is 304. A complete segment changes only if text in it
    is redacted.

    If the server is already sending too many large segments to slow clients, the response is 503.
    """
    app, head, viewer = auth.services().app, *auth.session_for_viewer(session, query.through)
    after, version = int(segment) * SEGMENT_VERSIONS, head.session.version
    if after >= version:
        raise UnknownSessionError(session, after + 1)
    upto = min(after + SEGMENT_VERSIONS, version)
    caching = COMPLETE if upto == after + SEGMENT_VERSIONS else OPEN
    with ExitStack() as borrowed:
        try:
            packed = borrowed.enter_context(
                auth.services().segments.borrow(
                    segment_key(head.session, viewer, upto),
                    lambda count: _pack_segment(app, head, viewer, after, upto, count),
                )
            )
        except BorrowLimitError:
            raise ProblemError(
                "unavailable",
                "The server is sending too many large segments. Wait for the number of seconds in"
                " the Retry-After header, then try again.",
            ) from None
        response = _segment_response(packed, caching)
        # The segment stays in memory until the client has read it, however slowly.
        response.call_on_close(borrowed.pop_all().close)
    return response


@blueprint.operation(
    "compareVersions",
    "GET",
    "/v1/sessions/<session:session>/compare",
    query=models.CompareQuery,
    returns=Comparison,
    token="optional",
    problems=["refused"],
    sends=["ETag"],
)
def compare(session: str, query: models.CompareQuery) -> Response:
    """Compare two versions.

    The response contains the differences between the table at version `from` and the table at
    version `to`. Each table is shown as you could see it at that version. The two versions may
    belong to different branches.
    """
    head, viewer = auth.session_for_viewer(session, query.through)
    app = auth.services().app
    newer = head.session.version if query.newer is UNSET else query.newer
    before, after = (table_at(app, head, viewer, version) for version in (query.older, newer))
    found = [models.ChangeView(list(path), old, new) for path, old, new in changes(before, after)]
    said = differences(
        msgspec.convert(before, Table),
        msgspec.convert(after, Table),
        names_for(app, head.session, viewer),
        head.session.ruleset.wording,
    )
    return json_response(
        Comparison(query.older, newer, found, diff(before, after), said),
        version=head.session.version,
    )


def table_at(app: App, head: Head, viewer: Viewer, version: int) -> dict[str, Any]:
    """Return the table at a version, as the viewer could see it then.

    The table is keyed by kind and id. At version 0, it is empty. Raises UnknownSessionError.
    """
    return (
        visible_table(head_at(app, head, version), viewer, app.log.history(head.session.id))
        if version
        else {}
    )


def _pack_segment(
    app: App, head: Head, viewer: Viewer, after: int, upto: int, count: Callable[[int], None]
) -> PackedSegment:
    """Return the segment as gzipped JSON, and report each compressed part's size to `count`.

    A segment can be large, so it is compressed in parts.
    """
    session, ruleset = head.session.id, head.session.ruleset
    steps = app.log.steps(session, after, upto)
    past = app.log.history(session)
    is_complete = upto == after + SEGMENT_VERSIONS
    empty = Segment(session, after // SEGMENT_VERSIONS, after, is_complete, [])
    opening, ending = msgspec.json.encode(empty)[:-2], b"]}"  # `events` is the last field
    packer, content, digest = zlib.compressobj(wbits=GZIP), bytearray(), hashlib.sha256()
    separator = opening
    for entry in feed_entries(steps, viewer, past):
        part = separator + msgspec.json.encode(_feed_event(ruleset, entry, past.state))
        digest.update(part)
        packed = packer.compress(part)
        count(len(packed))
        content += packed
        separator = b","
    digest.update(ending)
    packed = packer.compress(ending) + packer.flush()
    count(len(packed))
    content += packed
    return PackedSegment(bytes(content), digest.hexdigest()[:32])


def _feed_event(ruleset: AnyRuleset, entry: FeedEntry, at: Callable[[int], Session]) -> FeedEvent:
    fact, patch = entry.event, entry.patch or UNSET
    who = fact.version, fact.turn, iso_time(fact.at), fact.seat
    if not entry.is_open:
        return FeedEvent(*who, sealed=True, patch=patch)
    to = fact.body.to if isinstance(fact.body, Rewound) else UNSET
    opened = tuple(
        OpenedEvent(old.version, codec.kind(old.body), describe(ruleset, old, at))
        for old in entry.opened
    )
    return FeedEvent(
        *who,
        codec.kind(fact.body),
        describe(ruleset, fact, at),
        mark(fact) or UNSET,
        to,
        False,
        opened,
        patch,
    )


def _segment_response(packed: PackedSegment, caching: str) -> Response:
    """Return the segment in an encoding that the client accepts, or a 304 response.

    Each of the two encodings has its own ETag (RFC 9110, 8.8.3).
    """
    zipped = request.accept_encodings.quality("gzip") > 0
    tag = f"{packed.tag}-gzip" if zipped else packed.tag
    response = Response(content_type="application/json")
    if request.if_none_match.contains_weak(tag):
        response.status_code = 304
    else:
        response.response = [packed.content] if zipped else _unpacked(packed.content)
        if zipped:
            response.headers["Content-Encoding"] = "gzip"
    response.headers["ETag"] = f'"{tag}"'
    response.headers["Cache-Control"] = caching
    response.headers["Vary"] = "Authorization, Cookie, Accept-Encoding"
    return response


def _unpacked(content: bytes) -> Iterator[bytes]:
    """Yield the decompressed segment in parts, so that only one part at a time is in memory."""
    unpacker = zlib.decompressobj(wbits=GZIP)
    for start in range(0, len(content), PART_BYTES):
        part = content[start : start + PART_BYTES]
        while part:
            yield unpacker.decompress(part, 4 * PART_BYTES)
            part = unpacker.unconsumed_tail
    yield unpacker.flush()
