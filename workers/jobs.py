"""What the queue asks for, by dotted name and id alone: each job idempotent, each result as of a version."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, suppress

import msgspec

from domain.decider import Role
from domain.session.state import Session
from domain.view import NOBODY, Viewer, hidden
from projections.results import STATISTICS, STATISTICS_WITH_UNDONE, Result
from projections.tallies import Evening
from projections.views import catch_up
from service.bootstrap import App, build
from service.queue import QueueAway
from service.settings import Settings
from workers.statistics import figures


def statistics(session: str) -> None:
    """The figures of a session at its head."""
    with closing(build(Settings.read(os.environ))) as app:
        compute_statistics(app, session)


def compute_statistics(app: App, session: str) -> None:
    """The same in a process that has its App."""
    catch_up(app.log, app.views.tallies)
    evening = app.views.tallies.of(session)
    if evening.version:  # else the log was set back to before the session
        state = app.log.at(session, evening.version)
        app.views.results.put(*(result for turns in hidings(state) for result in _results(session, evening, turns)))


def hidings(session: Session) -> list[frozenset[int]]:
    """The turns that are hidden from a viewer, once for every way of seeing the session that there is."""
    seats = session.frame.seats
    gms = [seat for seat, held in seats.items() if held.role is Role.GM]
    looking = [Viewer(gm, seat) for gm in gms for seat in seats]  # an auditor who looks as a seat sees what that sees
    return list(dict.fromkeys(hidden(session, viewer) for viewer in (NOBODY, *map(Viewer, seats), *looking)))


def _results(session: str, evening: Evening, turns: frozenset[int]) -> Iterator[Result]:
    """The figures for those from whom the turns are hidden."""
    shown = evening.open_to(turns)
    for name, undone in ((STATISTICS, False), (STATISTICS_WITH_UNDONE, True)):
        body = msgspec.json.encode(figures(shown, undone=undone)).decode()
        yield Result(session, name, evening.version, body, tuple(sorted(turns)))


def sweep(app: App) -> int:
    """Nudges the sessions whose statistics lag their head, as a lost queue leaves them; the number that lag."""
    heads, done = app.views.sessions.heads(), app.views.results.versions(STATISTICS)
    behind = [session for session, head in heads.items() if done.get(session, 0) < head]
    with suppress(QueueAway):  # the next sweep finds them again
        if app.queue.depth() < len(behind):  # else each has its job, and only a worker is missing
            for session in behind:
                app.queue.nudge(session)
    return len(behind)
