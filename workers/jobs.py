"""Background jobs.

Each job is idempotent and stores results for one session version.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, closing
from functools import partial

import msgspec

from domain.visibility import PUBLIC_VIEWER, turns_hidden_from
from projections.results import STATISTICS, JobResult, range_name
from projections.runner import catch_up
from service.platform.settings import Settings
from service.sessions.app import App, build
from workers import campaign_statistics, session_statistics
from workers.audits import compute_audit
from workers.progress import ReportProgress, ignore_progress, progress_reporter
from workers.statistics.report import compute_report
from workers.viewpoints import viewers_by_hidden_turns
from workers.voided_draws import voided_results
from workers.webhooks import send_events


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


def campaign(campaign: str) -> None:
    """Bring a campaign's statistics up to date with its people, sessions and links of seats."""
    with _app() as app:
        campaign_statistics.compute_campaign(app, campaign)


def webhook(session: str, webhook: str) -> None:
    """Send a webhook's next events to its receiver."""
    with _app() as app:
        send_events(app, session, webhook)


def compute_statistics(app: App, session: str, say: ReportProgress = ignore_progress) -> None:
    """Compute and store the statistics for each viewpoint.

    If the session has been deleted, do nothing.
    """
    catch_up(app.log, app.read_models.tallies)
    version = app.read_models.tallies.version(session)
    if not version:
        return
    state = app.log.at(session, version)
    hidden = list(viewers_by_hidden_turns(state))
    views = [session_statistics.view_of(app.read_models.tallies, state, each) for each in hidden]
    results = list[JobResult]()
    for nth, (turns, view) in enumerate(zip(hidden, views, strict=True)):
        say(nth / len(views), "computing statistics")
        running, report = session_statistics.update(app, state, view)
        if turns == turns_hidden_from(state, PUBLIC_VIEWER):
            campaign_statistics.update_session(app, session, running)
        body = msgspec.json.encode(report).decode()
        results.append(JobResult(session, STATISTICS, version, body, tuple(sorted(view.hidden))))
    app.read_models.results.put(*results)
    session_statistics.prune(app, state, views)


def compute_range(
    app: App, session: str, first: int, last: int | None, say: ReportProgress = ignore_progress
) -> None:
    """Compute and store the statistics for a range of versions, for each viewpoint."""
    catch_up(app.log, app.read_models.tallies)
    tallies = app.read_models.tallies.of(session)
    if not tallies.version:
        return
    state = app.log.at(session, tallies.version)
    hidden, results = list(viewers_by_hidden_turns(state)), list[JobResult]()
    for nth, turns in enumerate(hidden):
        say(nth / len(hidden), "computing statistics")
        view = session_statistics.view_of(app.read_models.tallies, state, turns)
        report = compute_report(
            tallies.open_to(turns),
            versions=(first, last),
            chosen=view.chosen,
            hidden=turns,
            voided=voided_results(
                app.log.read_events(session, 0, tallies.version),
                partial(app.log.at, session),
                turns,
            ),
        )
        body = msgspec.json.encode(report).decode()
        name, shown = range_name(first, last), tuple(sorted(turns))
        results.append(JobResult(session, name, tallies.version, body, shown))
    app.read_models.results.put(*results)


def _app() -> AbstractContextManager[App]:
    return closing(build(Settings.read(os.environ)))
