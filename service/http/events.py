"""Events as a reader gets them: stored JSON written through, told lines with names filled in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from msgspec import UNSET, Raw

from domain.fact import Fact
from domain.session.messages import Declared, Rewound
from domain.session.state import Session
from domain.session.telling import fill, grade, names
from projections.timeline import Line, lines_of
from service.bootstrap import App
from service.http.problems import is_of_storage, log
from service.http.shown import Event


def iso(ms: int) -> str:
    """The time, ms since 1970, as ISO 8601 in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def page(app: App, session: Session, after: int, limit: int) -> list[Event]:
    """The events after a version, told by the timeline or, where it is behind the head, from the log."""
    facts = app.log.facts(session.id, after, session.version, limit)
    lines = _lines(app, session, after, len(facts))
    if lines is None:
        lines = lines_of(session.room, facts, rewinds(app, session), session.version)
    return shown(session, facts, lines)


def _lines(app: App, session: Session, after: int, limit: int) -> list[Line] | None:
    """The timeline's lines, None where it is behind or away."""
    with without_views():
        if app.views.timeline.version(session.id) >= session.version:
            return app.views.timeline.page(session.id, after, limit)
    return None


def shown(session: Session, facts: Sequence[Fact], lines: Sequence[Line]) -> list[Event]:
    """Facts with their lines, one to one."""
    named = names(session)
    return [_event(fact, line, fill(line.told, named)) for fact, line in zip(facts, lines, strict=True)]


def rewinds(app: App, session: Session) -> list[tuple[int, int]]:
    """(version, to) of every rewind: those that the timeline knows, and those after it."""
    told, known = 0, list[tuple[int, int]]()
    with without_views():
        told, known = app.views.timeline.version(session.id), app.views.timeline.rewinds(session.id)
    tail = app.log.facts(session.id, told, session.version)
    return known + [(fact.version, fact.body.to) for fact in tail if isinstance(fact.body, Rewound)]


@contextmanager
def without_views() -> Iterator[None]:
    """Lost views cost time, never an answer: the log knows it all."""
    try:
        yield
    except Exception as error:
        if not is_of_storage(error):
            raise
        log.warning("views away", exception=repr(error))


def _event(fact: Fact, line: Line, told: str) -> Event:
    graded = grade(fact.body) if isinstance(fact.body, Declared) else None
    return Event(
        fact.version, fact.turn, iso(fact.at), fact.seat, line.kind, told, Raw(fact.raw), line.undone,
        "C" if graded == "C" else "D" if graded == "D" else UNSET,
    )  # fmt: skip
