"""A person's words taken out of the log: one row loses its salt and them, its leaf stands, and the log says so."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from domain.codec import encode
from domain.fact import Fact, commitment
from domain.session.messages import Narrated, Redact, SeatNamed
from service.answers import Answer, Asked
from service.bootstrap import App
from service.handle import handle
from service.storage.recording import SideRow
from service.storage.rows import stored

# The only UPDATE of an event that there is.
EMPTY = "UPDATE stored_events SET state=? WHERE originator_id=? AND originator_version=?"
SNAPSHOTS = "DELETE FROM stored_snapshots WHERE originator_id=? AND originator_version>=?"
REQUEST = "UPDATE answers SET request=? WHERE session=? AND first<=? AND last>=?"
"""What a request is compared by is a hash of the words: few words can be guessed from it."""


def redact(
    app: App, session: str, command: Redact, asked: Asked, expected: int | None = None
) -> Answer:
    """The row and the event that says so, in one transaction. Raises as `handle`."""
    answer = handle(app, session, command, asked, expected, _rows(app, session, command.of))
    return replace(answer, session=app.log.read(session).session)


def _rows(app: App, session: str, of: int) -> list[SideRow]:
    """None where there are no words: then the rules refuse it."""
    for fact in app.log.facts(session, of - 1, of):
        if isinstance(fact.body, Narrated | SeatNamed) and not fact.committed:
            return [
                (EMPTY, [(stored(without_words(fact)).state, session, of)]),
                (SNAPSHOTS, [(session, of)]),
                (REQUEST, [(b"", session, of, of)]),
            ]
    return []


def without_words(fact: Fact) -> Fact:
    """The fact as it is kept from now on: its leaf, and of its body what the rules ask for."""
    assert isinstance(fact.body, Narrated | SeatNamed)
    wordless = {"text": ""} if isinstance(fact.body, Narrated) else {"name": ""}
    body = msgspec.structs.replace(fact.body, **wordless)
    return replace(
        fact, salt=b"", body=body, raw=encode(body), committed=commitment(fact.salt, fact.raw)
    )
