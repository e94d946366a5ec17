"""The event feed of a session: events and table changes as one viewer saw them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from domain.merge_patch import Document, diff
from domain.recorded_event import RecordedEvent
from domain.session.state import PUBLIC, History, Seal, Session
from domain.visibility import Viewer, is_visible, turns_hidden_from, visible_session
from service.store.event_log import LogStep

SEGMENT_VERSIONS = 1000
"""The number of versions in a segment. Segment n starts at version n * SEGMENT_VERSIONS + 1.

Browsers cache segments forever, because a segment changes only if text in it is redacted.
"""
WINDOW_EVENTS = 50

SegmentKey = tuple[str, int, tuple[str, ...], int]


class FeedEntry(NamedTuple):
    """An event as the viewer saw it when the event was stored.

    `is_open` is True if the viewer may see the event's content. `opened` lists earlier sealed
    events that became visible to the viewer with this event. `patch` is the JSON merge patch for
    the part of the table that the viewer may see. `before` and `after` are that part of the table
    before and after the event.
    """

    event: RecordedEvent
    is_open: bool
    opened: tuple[RecordedEvent, ...]
    patch: Document
    before: Document
    after: Document


class PackedSegment(NamedTuple):
    """A gzipped segment (`content`) and the hash of the uncompressed segment (`tag`)."""

    content: bytes
    tag: str


def segment_key(head: Session, viewer: Viewer, upto: int) -> SegmentKey:
    """Return the cache key for the segment that ends at version `upto`.

    If the segment ends before the session's first secret, the key is the same for all viewers.
    """
    hides = 0 < head.secrets.since <= upto
    return head.id, upto, viewer.seats if hides else (PUBLIC,), head.info.redacted


def feed_entries(steps: Iterable[LogStep], viewer: Viewer, past: History) -> Iterator[FeedEntry]:
    """Yield a feed entry for each step.

    Whether an event is visible depends on the seats, roles and seals at the step's version, not on
    the current ones.
    """
    table, shown = None, Document()
    for before, event, after in steps:
        if table is None:
            table, shown = _table_object(before, viewer, past), visible_table(before, viewer, past)
        patch, then = Document(), shown
        if (now := _table_object(after, viewer, past)) is not table:
            table, shown = now, visible_table(after, viewer, past)
            patch = diff(then, shown)
        yield FeedEntry(
            event,
            is_visible(after, viewer, event),
            tuple(newly_visible(before, after, viewer, past)),
            patch,
            then,
            shown,
        )


def visible_table(session: Session, viewer: Viewer, past: History) -> Document:
    """Return the parts of the session's table that the viewer may see, as JSON data.

    Return {} if the session has no events yet.
    """
    if not session.version:
        return {}
    table = session.ruleset.show(_table_object(session, viewer, past))
    shown: Document = msgspec.json.decode(msgspec.json.encode(table))
    return shown


def _table_object(session: Session, viewer: Viewer, past: History) -> object:
    return visible_session(session, viewer, past).table


def newly_visible(
    before: Session, after: Session, viewer: Viewer, past: History
) -> Iterator[RecordedEvent]:
    """Yield the earlier events that became visible between the two states.

    Events become visible to the viewer when a seal is opened or a seat's role changes.
    """
    if before.secrets is after.secrets and before.info is after.info:
        return
    for turn in sorted(turns_hidden_from(before, viewer) - turns_hidden_from(after, viewer)):
        yield from _sealed_events(turn, before.secrets.seals[turn], past, before.version)


def _sealed_events(turn: int, seal: Seal, past: History, upto: int) -> Iterator[RecordedEvent]:
    """Yield the sealed events from the turn.

    If the turn waited for a pending draw, the log may have events of other turns between them.
    """
    for start in range(seal.version - 1, upto, WINDOW_EVENTS):
        for event in past.events(start, min(start + WINDOW_EVENTS, upto)):
            if event.turn == turn and event.sealed:
                yield event
            elif event.turn > turn and past.state(event.version - 1).pending is None:
                return
