"""The route that lists a timeline's marks: who acted in each turn and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Literal

from flask import Response
from msgspec import UNSET, Meta, UnsetType

from domain.recorded_event import RecordedEvent
from domain.session.annotations import mark
from domain.session.messages import Declared, Drawn, Narrated, Rewound
from domain.session.state import Session
from domain.visibility import Viewer, is_visible
from service.http import auth, models
from service.http.openapi import Blueprint
from service.http.presenters import iso_time
from service.http.responses import json_response, with_next_link

blueprint = Blueprint("Timeline", __name__, tag="Events")

MAX_EVENTS = 2_000
"""The number of events that one request reads. Their marks are small."""

TurnSort = Literal["roll", "action", "narration", "rewind", "other", "sealed"]


class TurnMark(models.ResponseModel, frozen=True):
    """The mark of a turn on a timeline."""

    turn: models.EventTurn
    first: Annotated[int, Meta(description="the version of the turn's first event on this page")]
    last: Annotated[int, Meta(description="the version of its last event on this page")]
    at: Annotated[
        str, Meta(description="the time when the event `first` was recorded (ISO 8601, UTC)")
    ]
    seat: Annotated[
        str, Meta(description="the id of the seat whose turn it is; `house` is the server")
    ]
    sort: Annotated[
        TurnSort,
        Meta(
            description="what the turn is: a command with chance or without (`roll`, `action`), a "
            "narration, a rewind, or something else, such as a new seat; `sealed` if you may not "
            "see any of its events"
        ),
    ]
    to: (
        Annotated[
            int,
            Meta(
                description="the version to which a rewind restored the table; absent for other "
                "turns"
            ),
        ]
        | UnsetType
    ) = UNSET
    highlight: models.EventMark | UnsetType = UNSET


class Timeline(models.ResponseModel, frozen=True):
    """The marks of the turns after a version."""

    version: models.NewestVersion
    marks: Annotated[tuple[TurnMark, ...], Meta(description="the marks, in the order of the log")]
    next: models.NextPosition | UnsetType = UNSET


@blueprint.operation(
    "getTimeline",
    "GET",
    "/v1/sessions/<session:session>/timeline",
    query=models.TimelineQuery,
    returns=Timeline,
    token="optional",
    problems=["refused"],
    sends=["ETag"],
)
def timeline(session: str, query: models.TimelineQuery) -> Response:
    """Read the marks of a timeline.

    The response has a mark for each turn after version `after`: who acted, when, and whether there
    was a roll. One request reads at most 2,000 events. If the response contains `next`, send it as
    `after` to continue. A turn that continues on the next page, or after other turns, has a mark
    for each part. To find the turns that rewinds undid, follow the `to` of their marks.
    """
    app = auth.services().app
    head, viewer = auth.session_for_viewer(session, query.through)
    version = head.session.version
    events = app.log.read_events(session, min(query.after, version), version, MAX_EVENTS)
    marks = tuple(_marks(head.session, viewer, events))
    more = events[-1].version if events and events[-1].version < version else UNSET
    return with_next_link(json_response(Timeline(version, marks, more), version=version), more)


def _marks(session: Session, viewer: Viewer, events: Sequence[RecordedEvent]) -> Iterator[TurnMark]:
    for turn, members in groupby(events, attrgetter("turn")):
        part = list(members)
        seen = [event for event in part if is_visible(session, viewer, event)]
        yield TurnMark(
            turn,
            part[0].version,
            part[-1].version,
            iso_time(part[0].at),
            part[0].seat,
            _sort(seen),
            next((event.body.to for event in seen if isinstance(event.body, Rewound)), UNSET),
            next((found for event in seen if (found := mark(event)) is not None), UNSET),
        )


def _sort(seen: Sequence[RecordedEvent]) -> TurnSort:
    bodies = [event.body for event in seen]
    if not bodies:
        return "sealed"
    if any(isinstance(body, Drawn) or _has_typed_dice(body) for body in bodies):
        return "roll"
    kinds: tuple[tuple[type, TurnSort], ...] = (
        (Declared, "action"),
        (Narrated, "narration"),
        (Rewound, "rewind"),
    )
    return next(
        (sort for kind, sort in kinds if any(isinstance(body, kind) for body in bodies)), "other"
    )


def _has_typed_dice(body: object) -> bool:
    return isinstance(body, Declared) and body.values is not UNSET
