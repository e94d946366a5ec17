"""The check of a session's log in the background: what `fairlog verify` says of its export to each way of seeing it."""

from __future__ import annotations

from domain.codec import encode
from domain.session.turns import Head
from domain.verify import verify
from domain.verify.report import Failure, Level, Report
from domain.visibility import Viewer
from projections.results import Result, audit_name
from service.platform.ed25519 import verify as ed25519
from service.sessions.app import App
from service.sessions.checkpoints import ForeignLogKeyError, export_lines
from service.store.errors import UnknownSessionError
from workers.progress import ReportProgress, ignore_progress
from workers.viewpoints import viewers_by_hidden_turns

LEVELS = tuple(Level)


def compute_audit(app: App, session: str, say: ReportProgress = ignore_progress) -> None:
    """Stores the reports of a session's log as it stands; nothing of a session that the log has lost."""
    try:
        head = app.log.read(session)
    except UnknownSessionError:
        return
    ways, version = viewers_by_hidden_turns(head.session), head.session.version
    results = []
    for nth, (turns, viewer) in enumerate(ways.items()):
        report = audit_report(app, head, viewer, part_progress(say, nth, len(ways)))
        body = encode({"valid": report.valid, "whole": report.whole, "report": report}).decode()
        results.append(Result(session, audit_name(version), version, body, tuple(sorted(turns))))
    app.read_models.results.put(*results)


def audit_report(
    app: App, head: Head, viewer: Viewer, say: ReportProgress = ignore_progress
) -> Report:
    """What the viewer's own `fairlog verify` says of the log that they can take home."""

    def tell(level: Level, done: int, of: int) -> None:
        say(
            (LEVELS.index(level) + (done / of if of else 0.5)) / len(LEVELS), f"the rung of {level}"
        )

    try:
        return verify(export_lines(app, head, viewer), ed25519, progress=tell)
    except ForeignLogKeyError as foreign:  # by the server that it came from, and not at this size
        size = head.session.version
        failure = Failure(
            size,
            Level.TREE,
            "E_UNSIGNED",
            f"a checkpoint of {size} events",
            "none that this server has",
        )
        return Report(head.session.id, str(foreign), Level.BYTES, failure)


def part_progress(say: ReportProgress, nth: int, of: int) -> ReportProgress:
    """The progress of the `nth` of so many parts, from 0, as that of the whole."""
    return lambda done, what: say((nth + done) / of, what)
