"""Events as a reader gets them: stored JSON written through, told lines with names filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache

from msgspec import UNSET, Raw

from domain.codec import KINDS
from domain.fact import Fact
from domain.session.grading import grade
from domain.session.marks import mark
from domain.session.messages import Rewound
from domain.session.state import Session
from domain.session.telling import fill, names, tell
from domain.view import Viewer, opens, seen
from projections.timeline import Line, lines_of
from service.bootstrap import App
from service.http.problems import log
from service.http.shown import Event
from service.storage.failing import is_of_storage


def iso(ms: int) -> str:
    """The time, ms since 1970, as ISO 8601 in UTC."""
    second, rest = divmod(ms, 1000)
    return f"{_second(second)}.{rest:03}Z"


@lru_cache(maxsize=1024)  # events come by the second
def _second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).replace(tzinfo=None).isoformat()


def page(
    app: App, session: Session, viewer: Viewer, after: int, limit: int, then: Session | None = None
) -> list[Event]:
    """The events after a version, told by the timeline or, where it is behind the head, from the log.

    `then`: the session at an earlier version, for the events up to there as they were told there.
    """
    return [event for _, event in told(app, session, viewer, after, limit, then)]


def told(
    app: App, session: Session, viewer: Viewer, after: int, limit: int, then: Session | None = None
) -> list[tuple[Fact, Event]]:
    """As `page`, each event with its fact."""
    upto = session.version if then is None else then.version
    facts = app.log.facts(session.id, after, upto, limit)
    lines = _lines(app, session, after, len(facts)) if upto == session.version else None
    if lines is None:
        lines = lines_of(
            session.room,
            facts,
            _undoing(app, session, facts, upto),
            upto,
            app.log.history(session.id).state,
        )
    return list(zip(facts, shown(app, session, viewer, facts, lines, then), strict=True))


def _undoing(app: App, session: Session, facts: Sequence[Fact], upto: int) -> list[tuple[int, int]]:
    """The rewinds that can have undone any of the facts: those behind the first of them, up to a version."""
    if facts and facts[-1].version == upto:
        return [(fact.version, fact.body.to) for fact in facts if isinstance(fact.body, Rewound)]
    return rewinds(app, session, facts[0].version) if facts else []


def _lines(app: App, session: Session, after: int, limit: int) -> list[Line] | None:
    """The timeline's lines, None where it is behind or away."""
    with without_views():
        if app.views.timeline.version(session.id) >= session.version:
            return app.views.timeline.page(session.id, after, limit)
    return None


def shown(
    app: App,
    session: Session,
    viewer: Viewer,
    facts: Sequence[Fact],
    lines: Sequence[Line],
    then: Session | None = None,
) -> list[Event]:
    """Facts with their lines, one to one, as far as they are open to the viewer, with the names of `then` or of now."""
    past = app.log.history(session.id)
    named = names(seen(then or session, viewer, past))
    return [
        _event(fact, line, fill(_line(session, fact, line), named), past.state)
        if opens(session, viewer, fact)
        else _sealed(fact)
        for fact, line in zip(facts, lines, strict=True)
    ]


def _line(session: Session, fact: Fact, line: Line) -> str:
    """What is told of the fact: of a redacted one not what a timeline says that has not heard of it yet."""
    return tell(session.room, fact, _unasked) if fact.committed else line.told


def _unasked(version: int) -> Session:
    raise LookupError(version)


def rewinds(app: App, session: Session, after: int = 0) -> list[tuple[int, int]]:
    """(version, to) of every rewind behind a version, or of more, in order: what the timeline knows, and the rest."""
    told, known = 0, list[tuple[int, int]]()
    with without_views():
        told, known = app.views.timeline.version(session.id), app.views.timeline.rewinds(session.id)
    tail = app.log.of_kind(session.id, KINDS[Rewound], max(told, after))
    later = [(fact.version, fact.body.to) for fact in tail if isinstance(fact.body, Rewound)]
    # The view is read in two moments: it may know some of the later ones too, or of a newer version.
    return sorted({rewound for rewound in (*known, *later) if rewound[0] <= session.version})


@contextmanager
def without_views() -> Iterator[None]:
    """Lost views cost time, never an answer: the log knows it all."""
    try:
        yield
    except Exception as error:
        if not is_of_storage(error):
            raise
        log.warning("views away", exception=repr(error))


def _sealed(fact: Fact) -> Event:
    return Event(fact.version, fact.turn, iso(fact.at), fact.seat, sealed=True)


def _event(fact: Fact, line: Line, told: str, at: Callable[[int], Session]) -> Event:
    return Event(
        fact.version,
        fact.turn,
        iso(fact.at),
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
