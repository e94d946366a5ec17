"""The transcript of a session as a page for printing, and for readers without JavaScript.

It has no script and no form, and the page's policy names its style's hash. It needs no other file:
without the console's font, the browser uses one of its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from html import escape
from itertools import groupby
from typing import NamedTuple

from flask import Blueprint, Response, request
from msgspec import UNSET

from domain.decider import Role
from domain.recorded_event import RecordedEvent
from domain.roll_card import RollCard
from domain.ruleset import Message
from domain.session.descriptions import audience_suffix, without_command
from domain.session.display_names import display_names
from domain.session.messages import Declared, Narrated
from domain.session.reader_texts import ReaderTexts
from domain.session.state import HOUSE, Session
from domain.visibility import Viewer
from service.http import auth, models, validation
from service.http.presenters import rewinds, visible_events
from service.http.routes.sessions import names_for
from service.sessions import seat_colours
from service.sessions.app import App
from service.web import built_files
from service.web.previews import FAIRNESS

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
PROVED = ("A", "B")
"""The grades of rolls that no one could choose alone."""
HIDDEN_TURN = "did something in secret."
HIDDEN_ROLL = "rolled in secret."
UNDONE = "<span class=tag>undone</span>"
NO_BREAK = "\N{NO-BREAK SPACE}"
SEPARATOR = f"{NO_BREAK}\N{MIDDLE DOT} "
SILENT_TURN = "The server takes its own seat."
"""What a turn says of which readers need nothing, so that no number is missing."""
HELD_ENTRIES = 50
"""The number of entries that a later turn can continue: those that have not been sent yet."""
COLOURS = {
    "pink": ("#b0307f", "#ff8fd0"),
    "blue": ("#0b6aa8", "#69c0ff"),
    "gold": ("#8a6100", "#f2c14e"),
    "teal": ("#0f766e", "#5eead4"),
    "violet": ("#7c3aed", "#c4b5fd"),
    "orange": ("#9f3a1c", "#ffa98f"),
    "green": ("#2e6b1f", "#8fdc7a"),
    "red": ("#b3261e", "#ff8a80"),
    "slate": ("#4b4a55", "#c9c7d4"),
}
"""The colours of seats in a light and in a dark scheme, as in web/src/styles/tokens.css."""
COLOURS_IN_TURN = list(COLOURS)[:6]
"""The colours of players who have chosen none."""
STYLE = """
:root {
  color-scheme: light dark;
  --panel: light-dark(#ffffff, #1c1e25);
  --soft: light-dark(#66646c, #a2a1ab);
  --accent: light-dark(#5b3fd6, #a594ff);
  --line: light-dark(#e4e1da, #2f323d);
  --fair: light-dark(#0f7a4d, #4cd493);
}
body {
  margin: 0; font: 1rem/1.5 "Inter Variable", system-ui, sans-serif; overflow-wrap: anywhere;
  background: light-dark(#f6f5f2, #14151a); color: light-dark(#1d1d22, #ecebe7);
}
a { color: var(--accent); }
.top {
  display: flex; gap: .5rem 1rem; align-items: center; justify-content: space-between;
  padding: .75rem 1.25rem; background: var(--panel); border-bottom: 1px solid var(--line);
}
.top a { font-weight: 600; text-decoration: none; }
.top .brand { display: flex; gap: .5rem; align-items: center; font-weight: 680; color: inherit; }
.brand svg {
  width: 1.6rem; fill: none; stroke: var(--accent); stroke-width: 1.8;
  stroke-linecap: round; stroke-linejoin: round;
}
main { max-width: 44rem; margin: 0 auto; padding: 1.75rem 1rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .4rem; }
h2 { font-size: 1rem; margin: 2rem 0 1rem; border-bottom: 1px solid var(--line); }
p { margin: 0; }
.people { margin-top: .75rem; }
article { margin: .45rem 0; break-inside: avoid; }
article > p + p { margin-top: .2rem; }
small, .soft, .note, .more { color: var(--soft); font-weight: 400; }
small { font-size: .8rem; }
.who { color: var(--c); font-weight: 650; }
.roll, .say { margin: .9rem 0; }
.roll {
  padding: .6rem .9rem; border: 1px solid var(--line); border-radius: .75rem;
  background: var(--panel);
}
.note { padding-left: .9rem; font-size: .92rem; }
article > .more {
  margin: 0; padding: .1rem 0 .1rem .9rem; border-left: 2px solid var(--line);
}
.words { white-space: pre-line; }
.roll > p:first-child small { display: block; }
.fair { color: var(--fair); }
s, .undone .who { color: var(--soft); }
.tag { border: 1px solid var(--line); border-radius: 99px; padding: 0 .5em; }
@media print {
  body { background: none; font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  .top { display: none; }
  .roll { padding: .3rem .6rem; }
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


class Line(NamedTuple):
    """What a transcript says of an event."""

    text: str
    undone: bool


class Turn(NamedTuple):
    """A turn with what a transcript says of it.

    `grade` is "" if nothing was drawn, `secret` if everyone may see the turn, and `about` if it
    comments on no turn. `actors` are the entities that its rolls belong to. `continues` is True if
    the first of these rolls continues an earlier one, and `continued` if other turns were recorded
    while its draw was pending. `said` is True if a person said the turn's words.
    """

    number: int
    seat: str
    at: str
    lines: Sequence[Line]
    grade: str = ""
    secret: str = ""
    about: str = ""
    actors: Sequence[str] = ()
    continues: bool = False
    continued: bool = False
    said: bool = False
    sealed: bool = False

    @property
    def undone(self) -> bool:
        """True if a rewind undid all that the turn says."""
        return all(line.undone for line in self.lines)


class Reader(NamedTuple):
    """Who reads the transcript, and the names and colours that this reader sees."""

    viewer: Viewer
    names: Mapping[str, str]
    colours: Mapping[str, str]


@blueprint.get("/s/<session:session>/transcript")
def transcript(session: str) -> Response:
    """Return the page. It is sent while it is written, because a log can be long."""
    query = validation.read_query(models.ViewerQuery, dict(request.args.lists()))
    head, viewer = auth.session_for_viewer(session, query.through)
    app, state = auth.services().app, head.session
    names, style = names_for(app, state, viewer), _style()
    colours = seat_colours.chosen(app.recorder, [session])[session]
    reader = Reader(viewer, names, _colours(state, colours))
    parts = _page(state, reader, style, _turns(app, state, reader))
    headers = HEADERS | {"Content-Security-Policy": _policy(style)}
    return Response(parts, headers=headers, content_type="text/html; charset=utf-8")


def _colours(session: Session, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the colour of each seat: as chosen, or else in turn, as the console does."""
    held = session.info.seats
    players = [seat for seat, each in held.items() if each.role is Role.PLAYER]
    in_turn = {
        seat: COLOURS_IN_TURN[nth % len(COLOURS_IN_TURN)] for nth, seat in enumerate(players)
    }
    return {seat: chosen.get(seat, in_turn.get(seat, "slate")) for seat in held}


def _style() -> str:
    font = built_files.font_address()
    colours = "".join(
        f".c-{name} {{ --c: light-dark({light}, {dark}); }}\n"
        for name, (light, dark) in COLOURS.items()
    )
    return (FONT.format(font) if font else "") + STYLE + colours


def _policy(style: str) -> str:
    """Return the page's Content-Security-Policy, which allows its style and the console's font."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
        f" font-src 'self'; style-src 'sha256-{digest}'"
    )


def _turns(app: App, session: Session, reader: Reader) -> Iterator[Turn]:
    past, last = app.log.history(session.id), 0
    readers = ReaderTexts(session, reader.names, past, rewinds(app, session))
    for number, members in groupby(_events(app, session, reader.viewer), _turn_of):
        turn = _turn(session, readers, list(members))
        yield turn._replace(continued=number <= last)
        last = max(last, number)


def _turn(session: Session, readers: ReaderTexts, events: Sequence[RecordedAndVisible]) -> Turn:
    first, visible = events[0]
    asker = readers.asker(visible)
    turn = Turn(first.turn, asker, visible.at, ())
    seen = [line for line in events if not line[1].sealed]
    bodies = [recorded.body for recorded, _ in seen if not recorded.committed]
    declared = next((body for body in bodies if isinstance(body, Declared)), None)
    if len(seen) < len(events):
        is_roll = declared is not None and declared.draw is not UNSET
        undone = any(event.undone is True for _, event in events)
        text = f"{readers.names.get(f'@{asker}', asker)} {HIDDEN_ROLL if is_roll else HIDDEN_TURN}"
        lines = [Line(text, undone)]
        return turn._replace(lines=lines, sealed=True)
    spoken = next((body for body in bodies if isinstance(body, Narrated)), None)
    cards = [card for body in bodies if (card := _card(session, body)) is not None]
    whole = spoken or declared
    is_secret = first.turn in session.secrets.seals and whole is not None
    turn = turn._replace(
        grade=next((event.grade for _, event in seen if event.grade is not UNSET), ""),
        secret=f"secret{audience_suffix(whole.audience)}" if is_secret and whole else "",
        actors=list(dict.fromkeys(card.entity for card in cards)),
        continues=bool(cards) and cards[0].continues,
    )
    if spoken is not None:
        about = "" if spoken.about is UNSET else f"on turn {readers.turn(spoken.about)}"
        lines = [Line(spoken.text, visible.undone is True)]
        return turn._replace(lines=lines, about=about, said=True)
    lines = list(_lines(seen, readers, asker))
    return turn._replace(lines=lines or [Line(SILENT_TURN, undone=False)])


def _card(session: Session, body: Message) -> RollCard | None:
    return session.ruleset.card(body) if type(body) in session.ruleset.events else None


def _lines(seen: Sequence[RecordedAndVisible], readers: ReaderTexts, asker: str) -> Iterator[Line]:
    """Yield what the events say, without those that say nothing to readers."""
    for recorded, event in without_command(seen, _kind):
        text = "" if event.text is UNSET else readers.text(recorded, event.text, asker)
        if text:
            yield Line(text, event.undone is True)


def _events(app: App, session: Session, viewer: Viewer) -> Iterator[RecordedAndVisible]:
    for after in range(0, session.version, BATCH_EVENTS):
        limit = min(BATCH_EVENTS, session.version - after)
        yield from visible_events(app, session, viewer, after, limit)


def _turn_of(event: RecordedAndVisible) -> int:
    return event[0].turn


def _kind(line: RecordedAndVisible) -> str:
    return "" if line[1].kind is UNSET else line[1].kind


def _page(session: Session, reader: Reader, style: str, turns: Iterator[Turn]) -> Iterator[str]:
    title = escape(session.info.title)
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Transcript · {title} · Fairlog</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<header class=top><a class=brand href="/">{LOGO}Fairlog</a>'
        f'<nav><a href="/s/{session.id}">Back to the table</a></nav></header>\n<main>\n'
        f"<h1>{title}</h1>\n<p class=soft>{_subtitle(session, reader)}</p>\n"
    )
    yield from _people(session)
    day = ""
    for entry in _entries(turns):
        first = entry[0]
        if first.at[:10] != day:
            day = first.at[:10]
            yield f'<h2><time datetime="{day}">{_day_in_words(day)}</time></h2>\n'
        yield _article(entry, reader)
    yield "</main>\n</body>\n</html>\n"


def _entries(turns: Iterator[Turn]) -> Iterator[list[Turn]]:
    """Yield turns in groups: those that continue a roll, such as settling it, follow its turn.

    The console's cards have the same parts. The newest entries are held back, because a later turn
    can continue them.
    """
    held: deque[list[Turn]] = deque()
    for turn in turns:
        begun = next((entry for entry in reversed(held) if _is_part(entry, turn)), None)
        if begun is not None:
            begun.append(turn)
            continue
        held.append([turn])
        if len(held) > HELD_ENTRIES:
            yield held.popleft()
    yield from held


def _is_part(entry: Sequence[Turn], turn: Turn) -> bool:
    """Return True if the turn is a part of the entry."""
    first = entry[0]
    if any(part.number == turn.number for part in entry):
        return True
    if first.sealed:
        # To those who may not see it, a secret roll is one line with what settles it.
        is_next = turn.number == first.number + 1 and turn.seat == first.seat and turn.sealed
        return is_next and HIDDEN_ROLL in first.lines[0].text and HIDDEN_TURN in turn.lines[0].text
    return (
        turn.continues
        and turn.actors[0] in first.actors
        and (turn.undone or not first.undone)
        and turn.secret == first.secret
    )


def _day_in_words(day: str) -> str:
    """Return a day such as 2026-11-29 as "29 November 2026"."""
    at = date.fromisoformat(day)
    return f"{at.day} {MONTHS[at.month - 1]} {at.year}"


def _subtitle(session: Session, reader: Reader) -> str:
    seat = reader.viewer.through or reader.viewer.seat
    name = reader.names.get(f"@{seat}", str(seat)) if seat else "everyone"
    ruleset = session.ruleset
    return escape(
        f"{ruleset.title}, edition {ruleset.edition}. {session.turn:,} turns, as {name} may see"
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
        yield f"<p class=people><b>People:</b> {escape('; '.join(people))}</p>\n"


def _article(entry: Sequence[Turn], reader: Reader) -> str:
    """Return an entry: what someone said, a roll with what continues it, or a note."""
    first = entry[0]
    kind = "say" if first.said else "roll" if first.actors else "note"
    is_undone = all(turn.undone for turn in entry)
    colour = reader.colours.get(first.seat, "slate")
    classes = f"{kind} c-{colour}{' undone' * is_undone}"
    # What settles a secret roll says nothing more to those who may not see it.
    parts = entry[:1] if first.sealed else entry
    grade = next((turn.grade for turn in parts if turn.grade), "")
    lines = list(_first_part(first, reader, grade))
    for turn in parts[1:]:
        lines += _later_part(turn, is_tagged=not is_undone)
    return f'<article class="{classes}">\n' + "\n".join(lines) + "\n</article>\n"


def _first_part(turn: Turn, reader: Reader, grade: str) -> Iterator[str]:
    who = "the server" if turn.seat == HOUSE else reader.names.get(f"@{turn.seat}", turn.seat)
    notes = _notes(turn)
    if grade:
        fair = FAIRNESS[grade]
        notes.append(f"<span class=fair>{fair}</span>" if grade in PROVED else fair)
    tag = f"{NO_BREAK}{UNDONE}" if any(line.undone for line in turn.lines) else ""
    first, *rest = turn.lines
    if turn.said:
        yield f"<p><b class=who>{escape(who)}</b> <small>{SEPARATOR.join(notes)}{tag}</small></p>"
        yield f"<p class=words>{_struck(first, escape(first.text))}</p>"
        return
    if not turn.sealed:
        notes.insert(0, escape(who))
    said = _with_actor(first.text, [reader.names.get(actor, "") for actor in turn.actors])
    yield f"<p>{_struck(first, said)} <small>{SEPARATOR.join(notes)}{tag}</small></p>"
    for line in rest:
        yield f"<p>{_struck(line, escape(line.text))}</p>"


def _later_part(turn: Turn, *, is_tagged: bool) -> Iterator[str]:
    *rest, last = turn.lines
    for line in rest:
        yield f"<p class=more>{_struck(line, escape(line.text))}</p>"
    tag = f"{NO_BREAK}{UNDONE}" if is_tagged and any(line.undone for line in turn.lines) else ""
    small = f"<small>{SEPARATOR.join(_notes(turn))}{tag}</small>"
    yield f"<p class=more>{_struck(last, escape(last.text))} {small}</p>"


def _notes(turn: Turn) -> list[str]:
    """Return the turn's time and number, and what is special about it."""
    time = f'<time datetime="{turn.at}">{turn.at[11:16]}</time>'
    continued = "continued" if turn.continued else ""
    notes = [time, f"turn{NO_BREAK}{turn.number}", turn.about, continued, turn.secret]
    return [note for note in notes if note]


def _with_actor(text: str, actors: Sequence[str]) -> str:
    """Return the text with the name of the one who acts in bold, if a sentence begins with it."""
    for name in filter(None, actors):
        # What a roll is for comes before the name.
        before, found, after = text.partition(name)
        if found and (not before or before.endswith(": ")):
            return f"{escape(before)}<b class=who>{escape(name)}</b>{escape(after)}"
    return escape(text)


def _struck(line: Line, said: str) -> str:
    """Return what a line says, isolated from its notes and struck through if it was undone."""
    return f"<s><bdi>{said}</bdi></s>" if line.undone else f"<bdi>{said}</bdi>"
