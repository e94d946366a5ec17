"""What a screen follows a session by: the feed in segments that never change, and what differs between two versions."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from typing import Any

import msgspec
from flask import Response, request
from msgspec import UNSET, UnsetType

from domain import codec
from domain.patch import changes, diff
from domain.ruleset import Room
from domain.session.draws import Head
from domain.session.marks import Mark, mark
from domain.session.messages import Rewound
from domain.session.state import Session
from domain.session.telling import tell
from domain.view import Viewer
from service.bootstrap import App
from service.feed import SIZE, Entry, Packed, entries, key_of, plain
from service.gamelog import Unknown
from service.http import auth
from service.http.answering import json
from service.http.events import iso
from service.http.given import Compared, Sight
from service.http.openapi import Blueprint
from service.http.sessions import past
from service.http.shown import Shown

COMPLETE = "private, max-age=31536000, immutable"
OPEN = "private, no-cache"

blueprint = Blueprint(
    "Feed", __name__, description="What a screen keeps: the table at every version, patch by patch."
)


class FeedShown(Shown, frozen=True):
    """`segments` of `size` versions each; `last` is the number of the last one, which still grows until it is full."""

    version: int
    size: int
    segments: int
    last: int


class EventOpened(Shown, frozen=True):
    """An event of an earlier turn that has come to light."""

    version: int
    kind: str
    told: str


class EventFed(Shown, frozen=True):
    """An event as it was seen at its version, and the RFC 7396 patch of the table from the version before.

    In `told` ids stand in braces, {ana} and the seat {@gm}, for the session's `names`; a doubled brace is somebody's
    own. `to` is where a rewind went; `opens` are the events that may be seen from here on.
    """

    version: int
    turn: int
    at: str
    seat: str
    kind: str | UnsetType = UNSET
    told: str | UnsetType = UNSET
    mark: Mark | UnsetType = UNSET
    to: int | UnsetType = UNSET
    sealed: bool = False
    opens: tuple[EventOpened, ...] = ()
    patch: dict[str, Any] | UnsetType = UNSET


class Segment(Shown, frozen=True):
    """The events behind version `after`; `complete` where no more come."""

    session: str
    segment: int
    after: int
    complete: bool
    events: list[EventFed]


class ChangeShown(Shown, frozen=True):
    """A field of the table by the names that lead to it; without `before` it is new, without `after` it is gone."""

    path: list[str]
    before: Any | UnsetType = UNSET
    after: Any | UnsetType = UNSET


class Comparison(Shown, frozen=True, rename={"older": "from", "newer": "to"}):
    """What differs between the tables of two versions: field by field, and as an RFC 7396 patch."""

    older: int
    newer: int
    changes: list[ChangeShown]
    patch: dict[str, Any]


@blueprint.operation(
    "GET", "/v1/sessions/<session:session>/feed", gives=FeedShown, token="optional"
)
def feed(session: str) -> Response:
    """Find the feed's segments

    Patches folded from an empty object at version 0 give the table of every version. Who joins late needs none of
    them: the session and the last page of its events are enough.
    """
    head, _ = auth.viewed(session)
    version = head.session.version
    last = (version - 1) // SIZE
    return json(FeedShown(version, SIZE, last + 1, last), version=version)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/feed/<segment:segment>",
    query=Sight,
    gives=Segment,
    token="optional",
    also={304: None},
    problems=["refused"],
)
def segment(session: str, segment: str, query: Sight) -> Response:
    """Read a segment of the feed

    Every event as it was seen at its version, for ever: what was sealed for you then stays sealed here, and comes to
    light in the entry that opened it. A complete segment never changes; with its ETag as If-None-Match the answer is
    304.
    """
    app, head, viewer = auth.edge().app, *auth.viewed(session, query.through)
    after, version = int(segment) * SIZE, head.session.version
    if after >= version:
        raise Unknown(session, after + 1)
    upto = min(after + SIZE, version)
    packed = _kept(app, head, viewer, after, upto)
    return _answered(packed, COMPLETE if upto == after + SIZE else OPEN)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/compare",
    query=Compared,
    gives=Comparison,
    token="optional",
    problems=["refused"],
)
def compare(session: str, query: Compared) -> Response:
    """Compare two versions

    What differs in the table between any two versions, of one branch or of two, as it was seen at each.
    """
    head, viewer = auth.viewed(session, query.through)
    newer = head.session.version if query.newer is UNSET else query.newer
    before, after = (
        table_at(auth.edge().app, head, viewer, version) for version in (query.older, newer)
    )
    found = [ChangeShown(list(path), old, new) for path, old, new in changes(before, after)]
    return json(
        Comparison(query.older, newer, found, diff(before, after)), version=head.session.version
    )


def table_at(app: App, head: Head, viewer: Viewer, version: int) -> dict[str, Any]:
    """The table as the viewer saw it at a version: parts by kind and id, none at 0. Raises Unknown."""
    return (
        plain(past(app, head, version), viewer, app.log.history(head.session.id)) if version else {}
    )


def _kept(app: App, head: Head, viewer: Viewer, after: int, upto: int) -> Packed:
    """The segment as this process packed it before, or packed now."""
    segments, key = auth.edge().segments, key_of(head.session, viewer, upto)
    packed = segments.get(key)
    if packed is None:
        packed = _packed(app, head, viewer, after, upto)
        segments.keep(key, packed)
    return packed


def _packed(app: App, head: Head, viewer: Viewer, after: int, upto: int) -> Packed:
    session, room = head.session.id, head.session.room
    steps = app.log.steps(session, after, upto)
    past = app.log.history(session)
    events = [_fed(room, entry, past.state) for entry in entries(steps, viewer, past)]
    raw = msgspec.json.encode(Segment(session, after // SIZE, after, upto == after + SIZE, events))
    return Packed(gzip.compress(raw, mtime=0), hashlib.sha256(raw).hexdigest()[:32])


def _fed(room: Room, entry: Entry, at: Callable[[int], Session]) -> EventFed:
    fact, patch = entry.fact, entry.patch or UNSET
    who = fact.version, fact.turn, iso(fact.at), fact.seat
    if not entry.is_open:
        return EventFed(*who, sealed=True, patch=patch)
    to = fact.body.to if isinstance(fact.body, Rewound) else UNSET
    opened = tuple(
        EventOpened(old.version, codec.kind(old.body), tell(room, old, at)) for old in entry.opened
    )
    return EventFed(
        *who,
        codec.kind(fact.body),
        tell(room, fact, at),
        mark(fact) or UNSET,
        to,
        False,
        opened,
        patch,
    )


def _answered(packed: Packed, caching: str) -> Response:
    """The segment as the client takes it, or that it has it already. Two encodings have two tags (RFC 9110, 8.8.3)."""
    zipped = request.accept_encodings.quality("gzip") > 0
    tag = f"{packed.tag}-gzip" if zipped else packed.tag
    response = Response(content_type="application/json")
    if request.if_none_match.contains_weak(tag):
        response.status_code = 304
    else:
        response.data = packed.content if zipped else gzip.decompress(packed.content)
        if zipped:
            response.headers["Content-Encoding"] = "gzip"
    response.headers["ETag"] = f'"{tag}"'
    response.headers["Cache-Control"] = caching
    response.headers["Vary"] = "Authorization, Cookie, Accept-Encoding"
    return response
