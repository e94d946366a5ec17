"""The log beside a table, newest first: so many lines up to its version, or those of all that a filter finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from domain.recorded_event import RecordedEvent
from domain.search import Query
from domain.session.lineage import Span, lineage
from domain.session.state import Session
from domain.visibility import Viewer
from service.http import models
from service.http.presenters import rewinds, visible_events
from service.http.routes.review import SEARCH_BATCH, SEARCH_LIMIT, is_hit
from service.sessions.app import App
from service.web.looking import Looked

ROWS = 60


class Found(NamedTuple):
    """Events, newest first, told as things stand now; behind `older` there are more, 0 where there are none."""

    events: list[models.Event]
    older: int


def found(app: App, session: Session, viewer: Viewer, asked: Looked) -> Found:
    """The lines that the page shows."""
    if asked.filters:
        return _filtered(
            app, session, viewer, asked, min(session.version, asked.upto or session.version)
        )
    upto = min(asked.version(session.version), asked.upto or session.version)
    events = newest(app, session, viewer, upto, ROWS)
    return Found(events, events[-1].version - 1 if events else 0)


def newest(app: App, session: Session, viewer: Viewer, upto: int, most: int) -> list[models.Event]:
    """The last events up to a version, newest first."""
    after = max(0, upto - most)
    return [
        event for _, event in reversed(visible_events(app, session, viewer, after, upto - after))
    ]


def _filtered(app: App, session: Session, viewer: Viewer, asked: Looked, upto: int) -> Found:
    """As far back as one request may look, as the API's search."""
    sought, led = Query(asked.kind, asked.seat, UNSET, UNSET, asked.text), _led(app, session)
    hits, last = list[models.Event](), upto + 1
    for fact, event in _backwards(app, session, viewer, upto):
        last = fact.version
        if is_hit(session, sought, fact, event, led):
            hits.append(event)
        if len(hits) == ROWS:
            break
    return Found(hits, last - 1)


def _led(app: App, session: Session) -> tuple[Span, ...]:
    return lineage(rewinds(app, session), session.version)


def _backwards(
    app: App, session: Session, viewer: Viewer, upto: int
) -> Iterator[tuple[RecordedEvent, models.Event]]:
    for last in range(upto, max(0, upto - SEARCH_LIMIT), -SEARCH_BATCH):
        after = max(0, last - SEARCH_BATCH)
        yield from reversed(visible_events(app, session, viewer, after, last - after))
