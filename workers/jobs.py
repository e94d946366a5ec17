"""Background jobs.

Each job is idempotent and stores results for one session version.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from functools import partial

import msgspec

from projections.results import STATISTICS, STATISTICS_WITH_UNDONE, JobResult, range_name
from projections.runner import catch_up
from projections.tallies import SessionTallies
from service.platform.settings import Settings
from service.sessions.app import App, build
from workers.audits import compute_audit, part_progress
from workers.progress import ReportProgress, ignore_progress, progress_reporter
from workers.statistics.report import compute_report
from workers.statistics.rewinds import VoidedResult
from workers.viewpoints import viewers_by_hidden_turns
from workers.voided_draws import voided_results_of_session
from workers.webhooks import send_events

Compute = Callable[[SessionTallies, Mapping[int, VoidedResult]], msgspec.Struct]
"""Computes a result from a session's tallies and its voided draws, keyed by draw number."""
ResultPart = tuple[str, Compute]
"""The name of a result, and the function that computes it."""


def statistics(session: str) -> None:
    """Compute a session's statistics up to its last version."""
    with _app() as app:
        compute_statistics(app, session, progress_reporter())


def statistics_of_range(session: str, first: int, last: int | None) -> None:
    """Compute a session's statistics for versions `first` to `last`.

    If `last` is None, the range ends at the newest version.
    """
    with _app() as app:
        compute_range(app, session, first, last, progress_reporter())


def audit(session: str) -> None:
    """Verify a session's log as `fairlog verify` does, and store the reports."""
    with _app() as app:
        compute_audit(app, session, progress_reporter())


def webhook(session: str, webhook: str) -> None:
    """Send a webhook's next events to its receiver."""
    with _app() as app:
        send_events(app, session, webhook)


def compute_statistics(app: App, session: str, say: ReportProgress = ignore_progress) -> None:
    parts = [(STATISTICS, _report(False)), (STATISTICS_WITH_UNDONE, _report(True))]
    _compute(app, session, parts, say)


def compute_range(
    app: App, session: str, first: int, last: int | None, say: ReportProgress = ignore_progress
) -> None:
    parts = [
        (range_name(first, last, undone=undone), _report(undone, first, last))
        for undone in (False, True)
    ]
    _compute(app, session, parts, say)


def _report(undone: bool, first: int = 1, last: int | None = None) -> Compute:
    return lambda tallies, voided: compute_report(
        tallies, undone=undone, first=first, last=last, voided=voided
    )


def _compute(app: App, session: str, parts: list[ResultPart], say: ReportProgress) -> None:
    """Compute and store the results for each viewpoint.

    If the session has been deleted, do nothing.
    """
    catch_up(app.log, app.read_models.tallies)
    tallies = app.read_models.tallies.of(session)
    if not tallies.version:
        return
    state = app.log.at(session, tallies.version)
    ways, results = list(viewers_by_hidden_turns(state)), list[JobResult]()
    for nth, turns in enumerate(ways):
        results += _results(app, session, tallies, turns, parts, part_progress(say, nth, len(ways)))
    app.read_models.results.put(*results)


def _results(
    app: App,
    session: str,
    tallies: SessionTallies,
    turns: frozenset[int],
    parts: list[ResultPart],
    say: ReportProgress,
) -> Iterator[JobResult]:
    """Yield the results for viewers who may not see `turns`."""
    shown = tallies.open_to(turns)
    voided = voided_results_of_session(
        shown,
        lambda: app.log.read_events(session, 0, tallies.version),
        partial(app.log.at, session),
        turns,
    )
    for nth, (name, compute) in enumerate(parts):
        say(nth / len(parts), "computing statistics")
        body = msgspec.json.encode(compute(shown, voided)).decode()
        yield JobResult(session, name, tallies.version, body, tuple(sorted(turns)))


def _app() -> AbstractContextManager[App]:
    return closing(build(Settings.read(os.environ)))
