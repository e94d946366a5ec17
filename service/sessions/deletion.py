"""Deletion of sessions, either on request or a set number of days after they close.

The checkpoints of deleted sessions stay in the session index.
"""

from __future__ import annotations

from domain.codec import KINDS
from domain.session.messages import Closed
from projections.registry import TABLES
from service.platform import clock
from service.sessions.app import App
from service.sessions.campaigns import campaigns_of, delete_report, session_deletions
from service.store.errors import UnknownSessionError
from service.store.recorder import SideRows

SIDE_TABLES = (
    "answers",
    "secrets",
    "tokens",
    "named_tokens",
    "invitations",
    "offers",
    "roll_links",
    "seat_colours",
    "webhooks",
    "readings",
    "waiting",
    "contributions",
    "connections",
    "cosignatures",
)
EVENT_TABLES = ("stored_events", "stored_snapshots")
DAY_MS = 86_400_000


def delete(app: App, session: str) -> int:
    """Delete the session from the log and the read models.

    Return the number of deleted events. Raises UnknownSessionError.
    """
    events, campaign = app.log.version(session), campaigns_of(app).of_session(session)
    app.recorder.write(
        *((f"DELETE FROM {table} WHERE originator_id=?", [(session,)]) for table in EVENT_TABLES),  # noqa: S608 our own tables
        *side_row_deletions(session),
    )
    with app.read_models.store.writing() as cursor:
        for name, columns in TABLES.items():
            if "session TEXT" in columns:
                cursor.execute(f"DELETE FROM {name} WHERE session=?", (session,))  # noqa: S608 our own tables
    if campaign is not None:
        delete_report(app, campaign)
    if not events:  # an earlier deletion may have been interrupted before the read models
        raise UnknownSessionError(session)
    app.read_models.rebuild(app.log, "totals")
    return events


def side_row_deletions(session: str) -> SideRows:
    """Return the statements that delete everything stored with the session except its events."""
    side_tables = [(f"DELETE FROM {table} WHERE session=?", [(session,)]) for table in SIDE_TABLES]  # noqa: S608 our own tables
    return [*session_deletions(session), *side_tables]


def expire(app: App) -> list[str]:
    """Delete the sessions whose retention period has ended, and return their ids.

    The retention period begins when a session is closed.
    """
    days, now = app.settings.retention, clock.now_ms()
    if not days:
        return []
    due = [
        session
        for session in app.read_models.sessions.closed()
        if _closed_at(app, session) < now - days * DAY_MS
    ]
    for session in due:
        try:
            delete(app, session)
        except UnknownSessionError:  # another process deleted it first
            continue
    return due


def _closed_at(app: App, session: str) -> int:
    return max((event.at for event in app.log.read_kind(session, KINDS[Closed])), default=0)
