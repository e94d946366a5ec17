"""The transcript of a session as a page for printing, and for readers without JavaScript.

It is one self-contained page: no script, no form, and a style whose hash the page's policy names.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from flask import Blueprint, Response, request
from msgspec import UNSET

from domain.session.descriptions import without_command
from domain.session.display_names import display_names
from domain.session.state import HOUSE, Session
from domain.visibility import Viewer
from service.http import auth, models, validation
from service.http.presenters import visible_events
from service.http.routes.sessions import names_for
from service.sessions.app import App

BATCH_EVENTS = 500
"""The number of events that are in memory at once."""
SEALED = "Secret: only its audience can read it."
STYLE = """
:root {
  color-scheme: light dark;
  --soft: light-dark(#66646c, #a2a1ab);
  --line: light-dark(#e4e1da, #2f323d);
}
body {
  max-width: 44rem; margin: 0 auto; padding: 2rem 1rem 4rem;
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
header { border-bottom: 1px solid var(--line); padding-bottom: 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1rem; margin: 2rem 0 0; border-bottom: 1px solid var(--line); }
article { margin-top: 1rem; break-inside: avoid; }
h3 { font-size: 1rem; margin: 0; }
p { margin: .1rem 0; }
small, .soft { color: var(--soft); font-weight: 400; }
s { color: var(--soft); }
.secret { font-style: italic; }
a { color: inherit; }
@media print { body { max-width: none; padding: 0; font-size: 10.5pt; } nav { display: none; } }
"""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'; style-src"
    f" 'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Vary": "Accept, Authorization, Cookie",
}

blueprint = Blueprint("Transcript page", __name__)


class Turn(NamedTuple):
    """A turn with what a transcript says of it.

    `continues` is True if other turns were recorded while its draw was pending.
    """

    number: int
    seat: str
    at: str
    continues: bool
    grade: str
    events: Sequence[models.Event]


@blueprint.get("/s/<session:session>/transcript")
def transcript(session: str) -> Response:
    """Return the page. It is sent while it is written, because a log can be long."""
    query = validation.read_query(models.ViewerQuery, dict(request.args.lists()))
    head, viewer = auth.session_for_viewer(session, query.through)
    app, state = auth.services().app, head.session
    parts = _page(state, viewer, names_for(app, state, viewer), _turns(app, state, viewer))
    return Response(parts, headers=HEADERS, content_type="text/html; charset=utf-8")


def _turns(app: App, session: Session, viewer: Viewer) -> Iterator[Turn]:
    last = 0
    for number, members in groupby(_events(app, session, viewer), attrgetter("turn")):
        events = list(members)
        grade = next((event.grade for event in events if event.grade is not UNSET), "")
        first = events[0]
        yield Turn(
            number, first.seat, first.at, number <= last, grade, without_command(events, _kind)
        )
        last = max(last, number)


def _events(app: App, session: Session, viewer: Viewer) -> Iterator[models.Event]:
    for after in range(0, session.version, BATCH_EVENTS):
        limit = min(BATCH_EVENTS, session.version - after)
        for _, event in visible_events(app, session, viewer, after, limit):
            yield event


def _kind(event: models.Event) -> str:
    """Return the event's kind, or "" if its line must stay: a sealed one, or a secret command."""
    return "" if event.kind is UNSET or event.highlight == "secret" else event.kind


def _page(
    session: Session, viewer: Viewer, names: dict[str, str], turns: Iterator[Turn]
) -> Iterator[str]:
    title = escape(session.info.title)
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Transcript · {title} · Fairlog</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{title}</h1>\n<p class=soft>{_subtitle(session, viewer, names)}</p>\n"
        f'<nav><a href="/s/{session.id}">Back to the table</a></nav>\n</header>\n<main>\n'
    )
    yield from _people(session)
    day = ""
    for turn in turns:
        if turn.at[:10] != day:
            day = turn.at[:10]
            yield f'<h2><time datetime="{day}">{day}</time></h2>\n'
        yield _article(turn, names)
    yield "</main>\n</body>\n</html>\n"


def _subtitle(session: Session, viewer: Viewer, names: dict[str, str]) -> str:
    seat = viewer.through or viewer.seat
    reader = names.get(f"@{seat}", str(seat)) if seat else "everyone"
    ruleset = session.ruleset
    return escape(
        f"{ruleset.title}, edition {ruleset.edition}. {session.turn:,} turns, as {reader} may see"
        " them. Times are in UTC."
    )


def _people(session: Session) -> Iterator[str]:
    shown = display_names(session.info.seats)
    people = [
        f"{shown.get(seat, seat)} ({held.role.value})"
        for seat, held in session.info.seats.items()
        if seat != HOUSE
    ]
    if people:
        yield f"<p><b>People:</b> {escape(', '.join(people))}</p>\n"


def _article(turn: Turn, names: dict[str, str]) -> str:
    who = "the server" if turn.seat == HOUSE else escape(names.get(f"@{turn.seat}", turn.seat))
    notes = [f'<time datetime="{turn.at}">{turn.at[11:16]}</time>']
    if turn.continues:
        notes.append("continued")
    if turn.grade:
        notes.append(f"grade {turn.grade}")
    lines = "\n".join(map(_line, turn.events))
    heading = f"<h3>Turn {turn.number} <small>{who}, {', '.join(notes)}</small></h3>"
    return f"<article>\n{heading}\n{lines}\n</article>\n"


def _line(event: models.Event) -> str:
    if event.sealed or event.text is UNSET:
        return f'<p class="soft secret">{SEALED}</p>'
    said = f"<bdi>{escape(event.text)}</bdi>"
    return f"<p><s>{said}</s> <small>undone</small></p>" if event.undone else f"<p>{said}</p>"
