"""The transcript of a session as a page for printing, and for readers without JavaScript.

It has no script and no form, and the page's policy names its style's hash. It needs no other file:
without the console's font, the browser uses one of its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from datetime import date
from html import escape
from itertools import groupby
from typing import NamedTuple

from flask import Blueprint, Response, request
from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import Role
from domain.recorded_event import RecordedEvent
from domain.session.descriptions import without_command
from domain.session.display_names import display_names
from domain.session.reader_texts import ReaderTexts
from domain.session.state import HOUSE, Session
from domain.visibility import Viewer
from service.http import auth, models, validation
from service.http.presenters import rewinds, visible_events
from service.http.routes.sessions import names_for
from service.sessions.app import App
from service.web import built_files

BATCH_EVENTS = 500
"""The number of events that are in memory at once."""
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
"""The names of the months, whichever language the server's locale has."""
LOGO = (
    '<svg viewBox="0 0 24 24" aria-hidden="true">'
    '<path d="M12 2.5l8.3 4.8v9.4L12 21.5l-8.3-4.8V7.3z"/><path d="M8.2 12.3l2.7 2.7 5-5.5"/></svg>'
)
GRADES = (
    "Grades of rolls: A, everyone at the table and the server made it; B, players and the server"
    " made it; C, the server made it alone; D, a real die, typed in."
)
SEALED = "Secret: only its audience can read it."
STYLE = """
:root {
  color-scheme: light dark;
  --soft: light-dark(#66646c, #a2a1ab);
  --accent: light-dark(#5b3fd6, #a594ff);
  --line: light-dark(#e4e1da, #2f323d);
}
body {
  max-width: 44rem; margin: 0 auto; padding: 2rem 1rem 4rem;
  font: 1rem/1.5 "Inter Variable", system-ui, sans-serif; overflow-wrap: anywhere;
  background: light-dark(#f6f5f2, #14151a); color: light-dark(#1d1d22, #ecebe7);
}
.brand { display: flex; gap: .5rem; align-items: center; margin-bottom: 1.5rem; font-weight: 680; }
.brand a { text-decoration: none; }
.brand svg {
  width: 1.6rem; fill: none; stroke: var(--accent); stroke-width: 1.8;
  stroke-linecap: round; stroke-linejoin: round;
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
@media print {
  body { max-width: none; padding: 0; background: none; font-size: 10.5pt; }
  nav { display: none; }
}
"""
FONT = (
    '@font-face {{ font-family: "Inter Variable"; font-weight: 100 900; font-display: swap;'
    ' src: url("{}") format("woff2"); }}'
)
HEADERS = {
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Vary": "Accept, Authorization, Cookie",
}

RecordedAndVisible = tuple[RecordedEvent, models.Event]
"""An event of the log, and what the reader sees of it."""

blueprint = Blueprint("Transcript page", __name__)


class Turn(NamedTuple):
    """A turn with what a transcript says of it.

    `continues` is True if other turns were recorded while its draw was pending. `is_secret` is True
    if the reader sees what is hidden from others.
    """

    number: int
    seat: str
    at: str
    continues: bool
    grade: str
    is_secret: bool
    events: Sequence[models.Event]


@blueprint.get("/s/<session:session>/transcript")
def transcript(session: str) -> Response:
    """Return the page. It is sent while it is written, because a log can be long."""
    query = validation.read_query(models.ViewerQuery, dict(request.args.lists()))
    head, viewer = auth.session_for_viewer(session, query.through)
    app, state = auth.services().app, head.session
    names, style = names_for(app, state, viewer), _style()
    parts = _page(state, viewer, names, style, _turns(app, state, viewer, names))
    headers = HEADERS | {"Content-Security-Policy": _policy(style)}
    return Response(parts, headers=headers, content_type="text/html; charset=utf-8")


def _style() -> str:
    font = built_files.font_address()
    return (FONT.format(font) if font else "") + STYLE


def _policy(style: str) -> str:
    """Return the page's Content-Security-Policy, which allows its style and the console's font."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
        f" font-src 'self'; style-src 'sha256-{digest}'"
    )


def _turns(app: App, session: Session, viewer: Viewer, names: dict[str, str]) -> Iterator[Turn]:
    past, last = app.log.history(session.id), 0
    readers = ReaderTexts(session, names, past, rewinds(app, session))
    for number, members in groupby(_events(app, session, viewer), _turn_of):
        events = list(members)
        grade = next((event.grade for _, event in events if event.grade is not UNSET), "")
        _, first = events[0]
        shown = _for_readers(without_command(events, _kind), readers, readers.asker(first))
        if shown:
            is_secret = number in session.secrets.seals and not first.sealed
            yield Turn(number, first.seat, first.at, number <= last, grade, is_secret, shown)
        last = max(last, number)


def _for_readers(
    turn: Sequence[RecordedAndVisible], readers: ReaderTexts, asker: str
) -> Sequence[models.Event]:
    """Return the events with their texts for readers, without those that say nothing to them."""
    texts = (
        (event, UNSET if event.text is UNSET else readers.text(recorded, event.text, asker))
        for recorded, event in turn
    )
    return [replace(event, text=text) for event, text in texts if text != ""]


def _events(app: App, session: Session, viewer: Viewer) -> Iterator[RecordedAndVisible]:
    for after in range(0, session.version, BATCH_EVENTS):
        limit = min(BATCH_EVENTS, session.version - after)
        yield from visible_events(app, session, viewer, after, limit)


def _turn_of(event: RecordedAndVisible) -> int:
    return event[0].turn


def _kind(line: RecordedAndVisible) -> str:
    """Return the event's kind, or "" if its line must stay: a sealed one, or a secret command."""
    _, event = line
    return "" if event.kind is UNSET or event.highlight == "secret" else event.kind


def _page(
    session: Session, viewer: Viewer, names: dict[str, str], style: str, turns: Iterator[Turn]
) -> Iterator[str]:
    title = escape(session.info.title)
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Transcript · {title} · Fairlog</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<header>\n<p class=brand>{LOGO}<a href="/">Fairlog</a></p>\n'
        f"<h1>{title}</h1>\n<p class=soft>{_subtitle(session, viewer, names)}</p>\n"
        f'<nav><a href="/s/{session.id}">Back to the table</a></nav>\n</header>\n<main>\n'
    )
    yield from _people(session)
    yield f"<p class=soft>{GRADES}</p>\n"
    day = ""
    for turn in turns:
        if turn.at[:10] != day:
            day = turn.at[:10]
            yield f'<h2><time datetime="{day}">{_day_in_words(day)}</time></h2>\n'
        yield _article(turn, names)
    yield "</main>\n</body>\n</html>\n"


def _day_in_words(day: str) -> str:
    """Return a day such as 2026-11-29 as "29 November 2026"."""
    at = date.fromisoformat(day)
    return f"{at.day} {MONTHS[at.month - 1]} {at.year}"


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
        f"{shown.get(seat, seat)}, {'GM' if held.role is Role.GM else held.role.value}"
        for seat, held in session.info.seats.items()
        if seat != HOUSE
    ]
    if people:
        yield f"<p><b>People:</b> {escape('; '.join(people))}</p>\n"


def _article(turn: Turn, names: dict[str, str]) -> str:
    who = "the server" if turn.seat == HOUSE else escape(names.get(f"@{turn.seat}", turn.seat))
    notes = [f'<time datetime="{turn.at}">{turn.at[11:16]}</time>']
    if turn.continues:
        notes.append("continued")
    if turn.grade:
        notes.append(f"grade {turn.grade}")
    if turn.is_secret:
        notes.append("secret")
    lines = "\n".join(map(_line, turn.events))
    heading = f"<h3>Turn {turn.number} <small>{who}, {', '.join(notes)}</small></h3>"
    return f"<article>\n{heading}\n{lines}\n</article>\n"


def _line(event: models.Event) -> str:
    if event.sealed or event.text is UNSET:
        return f'<p class="soft secret">{SEALED}</p>'
    said = f"<bdi>{escape(event.text)}</bdi>"
    return f"<p><s>{said}</s> <small>undone</small></p>" if event.undone else f"<p>{said}</p>"
