"""Presenters that convert recorded events to API events, with texts for one viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache

from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain.codec import KINDS
from domain.recorded_event import RecordedEvent, leaf_of
from domain.session.annotations import grade, mark
from domain.session.descriptions import describe, fill, names
from domain.session.messages import Rewound, SeatNamed
from domain.session.state import History, Session
from domain.visibility import Viewer, is_visible, visible_session
from projections.stores.errors import is_of_storage
from projections.timeline import TimelineLine, timeline_lines
from service.http import models
from service.http.errors import log
from service.platform import clock
from service.sessions.app import App


def iso_time(ms: int) -> str:
    """Return the time in ISO 8601.

    For a time after the year 9999, return the last millisecond of the year 9999.
    """
    second, rest = divmod(min(ms, clock.MAX_TIME_MS), 1000)
    return f"{_second(second)}.{rest:03}Z"


@lru_cache(maxsize=1024)  # many events share a second
def _second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).replace(tzinfo=None).isoformat()


def events_page(
    app: App,
    session: Session,
    viewer: Viewer,
    after: int,
    limit: int,
    then: Session | None = None,
    *,
    leaves: bool = False,
) -> list[models.Event]:
    """Return up to `limit` events after version `after`, filtered for the viewer.

    Their texts come from the timeline or, if it lags, from the log. If `then` (the session at an
    earlier version) is given, the page ends at that version, and the texts are the ones that the
    events had then. If `leaves` is True, the events contain their leaves and salts.
    """
    found = visible_events(app, session, viewer, after, limit, then)
    return [with_leaf(fact, event) if leaves else event for fact, event in found]


def visible_events(
    app: App,
    session: Session,
    viewer: Viewer,
    after: int,
    limit: int,
    then: Session | None = None,
) -> list[tuple[RecordedEvent, models.Event]]:
    """Return the same events as `events_page`, each paired with its recorded event."""
    upto = session.version if then is None else then.version
    facts = app.log.read_events(session.id, after, upto, limit)
    past = app.log.history(session.id)
    lines = _page_lines(app, session, facts, upto, past)
    shown = to_responses(past, session, viewer, facts, lines, then)
    return list(zip(facts, shown, strict=True))


def consecutive_events(
    app: App,
    session: Session,
    viewer: Viewer,
    facts: Sequence[RecordedEvent],
    past: History,
    older_names: Mapping[str, str],
) -> list[models.Event]:
    """Return consecutive events of the log as API events, filtered for the viewer.

    `older_names` has the names of entities that may not exist any more.
    """
    lines = _page_lines(app, session, facts, session.version, past)
    return to_responses(past, session, viewer, facts, lines, older_names=older_names)


def _page_lines(
    app: App, session: Session, facts: Sequence[RecordedEvent], upto: int, past: History
) -> Sequence[TimelineLine]:
    """Return the lines of consecutive events, as they were when the session ended at `upto`."""
    if not facts:
        return []
    lines = None
    if upto == session.version:
        lines = _lines(app, session, facts[0].version - 1, len(facts))
    if lines is None:
        undoing = _undoing(app, session, facts, upto)
        lines = timeline_lines(session.ruleset, facts, undoing, upto, past.state)
    return lines


def _undoing(
    app: App, session: Session, facts: Sequence[RecordedEvent], upto: int
) -> list[tuple[int, int]]:
    """Return a `(version, to)` pair for each rewind that may have undone any of `facts`.

    Only rewinds after the first of these events can have undone any of them.
    """
    if facts[-1].version == upto:
        return [(fact.version, fact.body.to) for fact in facts if isinstance(fact.body, Rewound)]
    return rewinds(app, session, facts[0].version)


def _lines(app: App, session: Session, after: int, limit: int) -> list[TimelineLine] | None:
    """Return the timeline's lines, or None if the timeline is lagging or cannot be read."""
    with read_models_optional():
        if app.read_models.timeline.version(session.id) >= session.version:
            return app.read_models.timeline.page(session.id, after, limit)
    return None


def to_responses(
    past: History,
    session: Session,
    viewer: Viewer,
    facts: Sequence[RecordedEvent],
    lines: Sequence[TimelineLine],
    then: Session | None = None,
    older_names: Mapping[str, str] = {},
) -> list[models.Event]:
    """Return the events as API events, filtered for the viewer.

    Their texts use the seat and entity names in `then` or, if it is None, the current names. An
    entity that does not exist there has its name in `older_names`.
    """
    named = {**older_names, **names(visible_session(then or session, viewer, past))}
    return [
        _event(fact, line, fill(_event_text(session, fact, line), named), past.state)
        if is_visible(session, viewer, fact)
        else _sealed(fact)
        for fact, line in zip(facts, lines, strict=True)
    ]


def described_events(
    app: App, session: Session, viewer: Viewer, facts: Sequence[RecordedEvent]
) -> list[models.Event]:
    """Return any events of the log as API events, filtered for the viewer."""
    past = app.log.history(session.id)
    lines = timeline_lines(
        session.ruleset, facts, rewinds(app, session), session.version, past.state
    )
    return to_responses(past, session, viewer, facts, lines)


def _event_text(session: Session, fact: RecordedEvent, line: TimelineLine) -> str:
    """Return the event's text, from the timeline if possible.

    The text of a redacted event or of a SeatNamed event is always generated from the event, because
    the timeline may lag and still contain a redacted text, or a seat's name with characters that
    are no longer displayed.
    """
    is_generated = fact.committed or isinstance(fact.body, SeatNamed)
    return describe(session.ruleset, fact, _unasked) if is_generated else line.told


def _unasked(version: int) -> Session:
    raise LookupError(version)


def rewinds(app: App, session: Session, after: int = 0) -> list[tuple[int, int]]:
    """Return a `(version, to)` pair for each rewind after version `after`, in order.

    The list may also contain earlier rewinds. If the timeline lags, the newest rewinds are read
    from the log.
    """
    told, known = 0, list[tuple[int, int]]()
    with read_models_optional():
        told, known = (
            app.read_models.timeline.version(session.id),
            app.read_models.timeline.rewinds(session.id),
        )
    tail = app.log.read_kind(session.id, KINDS[Rewound], max(told, after))
    later = [(fact.version, fact.body.to) for fact in tail if isinstance(fact.body, Rewound)]
    # A rewind can be in both lists, because the timeline may gain rewinds between the two reads.
    return sorted({rewound for rewound in (*known, *later) if rewound[0] <= session.version})


@contextmanager
def read_models_optional() -> Iterator[None]:
    """Log storage errors from the read models instead of raising them.

    The caller can continue, because the event log contains the same data.
    """
    try:
        yield
    except Exception as error:
        if not is_of_storage(error):
            raise
        log.warning("read models unavailable", exception=repr(error))


def with_leaf(fact: RecordedEvent, event: models.Event) -> models.Event:
    """Return the event with its leaf and, if the viewer may see its body, the salt."""
    salt = UNSET if event.body is UNSET else fact.salt.hex()
    return replace(event, leaf=leaf_of(fact).decode(), salt=salt)


def _sealed(fact: RecordedEvent) -> models.Event:
    return models.Event(fact.version, fact.turn, iso_time(fact.at), fact.seat, sealed=True)


def _event(
    fact: RecordedEvent, line: TimelineLine, told: str, at: Callable[[int], Session]
) -> models.Event:
    return models.Event(
        fact.version,
        fact.turn,
        iso_time(fact.at),
        fact.seat,
        line.kind,
        told,
        UNSET if fact.committed else Raw(fact.raw),
        line.undone,
        False,
        grade(fact, at) or UNSET,
        mark(fact) or UNSET,
        bool(fact.committed),
    )
