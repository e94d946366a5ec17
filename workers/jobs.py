"""What the queue asks for, by dotted name and ids alone: each job idempotent, each result as of a version."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from functools import partial

import msgspec

from domain.session.state import Session
from domain.view import NOBODY, hidden
from projections.results import (
    ALL,
    STATISTICS,
    STATISTICS_WITH_UNDONE,
    SUMS,
    Result,
    name_of_merged,
    name_of_range,
)
from projections.tallies import Evening
from projections.views import catch_up
from service.bootstrap import App, build
from service.settings import Settings
from workers.audits import compute_audit, part
from workers.progress import Say, saying, unheard
from workers.shadows import shadows_of
from workers.sights import viewers
from workers.statistics import Sums, figures, merged, sums_of
from workers.statistics.draws import Behind

Figure = Callable[[Evening, Mapping[int, Behind]], msgspec.Struct]
"""Made of a session's counts and of what stands behind the draws that were given up."""
Part = tuple[str, Figure]
"""The name of a result, and what is computed for it."""


def statistics(session: str) -> None:
    """The figures of a session at its head."""
    with _app() as app:
        compute_statistics(app, session, saying())


def statistics_of_range(session: str, first: int, last: int | None) -> None:
    """The figures of some of its versions; `last` is None for the head."""
    with _app() as app:
        compute_range(app, session, first, last, saying())


def merge(ruleset: str, edition: str) -> None:
    """The figures of all listed sessions of a game."""
    with _app() as app:
        compute_merged(app, ruleset, edition)


def audit(session: str) -> None:
    """What `fairlog verify` says of the log of a session."""
    with _app() as app:
        compute_audit(app, session, saying())


def compute_statistics(app: App, session: str, say: Say = unheard) -> None:
    """As the job, in a process that has its App. What many sessions come to is asked for where this one counts."""
    parts = [(STATISTICS, _figures(False)), (STATISTICS_WITH_UNDONE, _figures(True))]
    state = _compute(app, session, parts, [(SUMS, lambda evening, _: sums_of(evening))], say)
    if state is not None and state.frame.options.get("listed") is True:
        app.queue.nudge_merge(state.frame.ruleset, state.frame.edition)


def compute_range(app: App, session: str, first: int, last: int | None, say: Say = unheard) -> None:
    """As the job."""
    parts = [
        (name_of_range(first, last, undone=undone), _figures(undone, first, last))
        for undone in (False, True)
    ]
    _compute(app, session, parts, [], say)


def compute_merged(app: App, ruleset: str, edition: str) -> None:
    """As the job. Its version is the number of events of all sessions in it."""
    sessions = app.views.sessions.games().get((ruleset, edition), [])
    found = app.views.results.bodies(SUMS, sessions)
    body = msgspec.json.encode(
        merged(ruleset, edition, [_sums(body) for _, body in found])
    ).decode()
    events = sum(version for version, _ in found)
    app.views.results.put(Result(ALL, name_of_merged(ruleset, edition), events, body))


def _figures(undone: bool, first: int = 1, last: int | None = None) -> Figure:
    return lambda evening, behind: figures(
        evening, undone=undone, first=first, last=last, shadows=behind
    )


def _compute(
    app: App, session: str, parts: list[Part], for_all: list[Part], say: Say
) -> Session | None:
    """Stores the parts for every way of seeing the session, and those for all as nobody in particular sees it.

    The session as of the version that they are of; None where the log was set back to before it.
    """
    catch_up(app.log, app.views.tallies)
    evening = app.views.tallies.of(session)
    if not evening.version:
        return None
    state = app.log.at(session, evening.version)
    ways, results = list(viewers(state)), list[Result]()
    for nth, turns in enumerate(ways):
        results += _results(app, session, evening, turns, parts, part(say, nth, len(ways)))
    results += _results(app, session, evening, hidden(state, NOBODY), for_all, unheard)
    app.views.results.put(*results)
    return state


def _results(
    app: App, session: str, evening: Evening, turns: frozenset[int], parts: list[Part], say: Say
) -> Iterator[Result]:
    """The parts for those from whom the turns are hidden."""
    shown = evening.open_to(turns)
    behind = shadows_of(
        shown,
        lambda: app.log.facts(session, 0, evening.version),
        partial(app.log.at, session),
        turns,
    )
    for nth, (name, figure) in enumerate(parts):
        say(nth / len(parts), "the figures")
        body = msgspec.json.encode(figure(shown, behind)).decode()
        yield Result(session, name, evening.version, body, tuple(sorted(turns)))


def _app() -> AbstractContextManager[App]:
    return closing(build(Settings.read(os.environ)))


_sums = msgspec.json.Decoder(Sums).decode
