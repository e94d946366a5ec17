"""What the queue asks for, by dotted name and id alone: each job idempotent, each result as of a version."""

from __future__ import annotations

import os
from contextlib import closing, suppress

import msgspec

from projections.results import STATISTICS, Result
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
    body = msgspec.json.encode(figures(evening)).decode()
    app.views.results.put(Result(session, STATISTICS, evening.version, body))


def sweep(app: App) -> int:
    """Nudges the sessions whose statistics lag their head, as a lost queue leaves them; the number that lag."""
    heads, done = app.views.sessions.heads(), app.views.results.versions(STATISTICS)
    behind = [session for session, head in heads.items() if done.get(session, 0) < head]
    with suppress(QueueAway):  # the next sweep finds them again
        if app.queue.depth() < len(behind):  # else each has its job, and only a worker is missing
            for session in behind:
                app.queue.nudge(session)
    return len(behind)
