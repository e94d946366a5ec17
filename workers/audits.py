"""Audits: background jobs that verify a session's log as each kind of viewer sees it."""

from __future__ import annotations

from domain.codec import encode
from domain.session.turns import Head
from domain.verify import verify
from domain.verify.report import Failure, Level, Report
from domain.visibility import Viewer
from projections.results import JobResult, audit_name
from service.platform.ed25519 import verify as ed25519
from service.sessions.app import App
from service.sessions.checkpoints import ForeignLogKeyError, export_lines
from service.store.errors import UnknownSessionError
from workers.progress import ReportProgress, ignore_progress
from workers.viewpoints import viewers_by_hidden_turns

LEVELS = tuple(Level)


def compute_audit(app: App, session: str, say: ReportProgress = ignore_progress) -> None:
    """Verify a session's log for each kind of viewer and store the reports.

    If the session has been deleted, do nothing.
    """
    try:
        head = app.log.read(session)
    except UnknownSessionError:
        return
    ways, version = viewers_by_hidden_turns(head.session), head.session.version
    results = []
    for nth, (turns, viewer) in enumerate(ways.items()):
        report = audit_report(app, head, viewer, part_progress(say, nth, len(ways)))
        body = encode({"valid": report.valid, "whole": report.whole, "report": report}).decode()
        results.append(JobResult(session, audit_name(version), version, body, tuple(sorted(turns))))
    app.read_models.results.put(*results)


def audit_report(
    app: App, head: Head, viewer: Viewer, say: ReportProgress = ignore_progress
) -> Report:
    """Return the `fairlog verify` report on the log as the viewer can export it."""

    def report_level(level: Level, done: int, of: int) -> None:
        say((LEVELS.index(level) + (done / of if of else 0.5)) / len(LEVELS), f"verifying {level}")

    try:
        return verify(export_lines(app, head, viewer), ed25519, progress=report_level)
    except ForeignLogKeyError as foreign:  # imported without a checkpoint of this size
        size = head.session.version
        failure = Failure(
            size,
            Level.TREE,
            "E_UNSIGNED",
            f"a checkpoint of {size} events",
            "none on this server",
        )
        return Report(head.session.id, str(foreign), Level.BYTES, failure)


def part_progress(say: ReportProgress, nth: int, of: int) -> ReportProgress:
    """Return a function that reports progress on one of several equal parts of a job.

    `nth` is the index of the part, starting at 0, and `of` is the number of parts.
    """
    return lambda done, what: say((nth + done) / of, what)
