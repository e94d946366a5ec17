"""Redaction: removes a person's text and its salt from a stored event.

The event's leaf hash does not change, and a separate event records the redaction.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import msgspec
from msgspec.structs import replace

from domain.codec import encode
from domain.recorded_event import RecordedEvent, commitment
from domain.session.messages import Narrated, Redact, SeatNamed
from service.sessions.app import App
from service.sessions.command_handler import handle
from service.sessions.idempotency import CommandResult, RequestIdentity
from service.store.recorder import SideRow
from service.store.serialization import event_to_row

# This is the only statement that updates an event.
STORED_EVENTS_UPDATE = (
    "UPDATE stored_events SET state=? WHERE originator_id=? AND originator_version=?"
)
STORED_SNAPSHOTS_DELETE = (
    "DELETE FROM stored_snapshots WHERE originator_id=? AND originator_version>=?"
)
ANSWERS_UPDATE = "UPDATE answers SET request=? WHERE session=? AND first<=? AND last>=?"
"""Removes the hash of the request, because a short text could be guessed from the hash."""


def redact(
    app: App,
    session: str,
    command: Redact,
    request: RequestIdentity,
    expected: Collection[int] | None = None,
) -> CommandResult:
    """Redact the event's text and record the redaction in one transaction.

    Raises the same errors as `handle`.
    """
    # The event is read only after the decision. If it were read earlier, it might not be stored
    # yet, and the redaction would be recorded although the text stays.
    rows = partial(_redaction_rows, app, session, command.of)
    answer = handle(app, session, command, request, expected, rows)
    return replace(answer, session=app.log.read(session).session)


def _redaction_rows(app: App, session: str, of: int) -> list[SideRow]:
    """Return the side rows that redact the event at version `of`.

    Return [] if that event has no text to redact.
    """
    for event in app.log.read_events(session, of - 1, of):
        if isinstance(event.body, Narrated | SeatNamed) and not event.committed:
            return [
                (STORED_EVENTS_UPDATE, [(event_to_row(without_text(event)).state, session, of)]),
                (STORED_SNAPSHOTS_DELETE, [(session, of)]),
                (ANSWERS_UPDATE, [(b"", session, of, of)]),
            ]
    return []


def without_text(event: RecordedEvent) -> RecordedEvent:
    """Return a copy of the event without its text and salt.

    A commitment replaces them in the copy, so the event's leaf does not change.
    """
    assert isinstance(event.body, Narrated | SeatNamed)
    wordless = {"text": ""} if isinstance(event.body, Narrated) else {"name": ""}
    body = msgspec.structs.replace(event.body, **wordless)
    return replace(
        event, salt=b"", body=body, raw=encode(body), committed=commitment(event.salt, event.raw)
    )
