"""Transcripts: the text of a session's log, turn by turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.codec import KINDS
from domain.decider import Role
from domain.log_file import EventLine, Manifest, parse_lines
from domain.recorded_event import RecordedEvent
from domain.session import descriptions
from domain.session.annotations import grade
from domain.session.display_names import escape_forbidden
from domain.session.evolve import evolve
from domain.session.lineage import lineage
from domain.session.messages import Declared, Rewound
from domain.session.state import History, Seat, Session, initial
from domain.verify.bytes_check import EventReader, FileEvent, SealedEvent
from domain.verify.rules_check import group_turns
from domain.verify.sealed_turns import is_wordless

SEALED_TEXT = "(sealed)"
# Control characters can manipulate a terminal, and direction marks can reorder the shown text.
_CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_MARKDOWN_CHARACTERS = re.compile(r"([\\`*_~\[\]<>|#])")


class UnreadableLogError(Exception):
    """The log has no transcript: its ruleset is not installed, or it contains no events."""


class TranscriptTurn(msgspec.Struct, frozen=True):
    """The lines of one turn.

    `note` contains the audience of a secret command and the grade of the draw, or "" if the turn
    has neither. The lines for the command and the draw may be left out.
    """

    turn: int
    undone: bool
    note: str
    lines: tuple[str, ...]


class TranscriptSeat(msgspec.Struct, frozen=True):
    seat: str
    name: str
    role: Role


class Transcript(msgspec.Struct, frozen=True):
    """A session's transcript. `opened` is the time of its first event, in ms since the epoch."""

    session: str
    title: str
    ruleset: str
    edition: str
    opened: int
    seats: tuple[TranscriptSeat, ...]
    turns: tuple[TranscriptTurn, ...]


def read_events(lines: Iterable[bytes]) -> list[FileEvent]:
    """Return the events from an exported log's lines, without verifying the log.

    Raises LogLineError, VerificationError or UnreadableLogError.
    """
    each = parse_lines(lines)
    manifest = next(each)
    assert isinstance(manifest, Manifest)
    reader = EventReader(manifest)
    if reader.ruleset is None:
        raise UnreadableLogError(
            f"the ruleset {manifest.ruleset}, edition {manifest.edition}, is not installed:"
            " use a version of Fairlog that includes it"
        )
    for part in each:
        if isinstance(part, EventLine):
            reader.read(part)
    if not reader.events:
        raise UnreadableLogError("the file contains no events")
    return reader.events


def fold_events(lines: Sequence[FileEvent]) -> list[Session]:
    """Return the state of the session at each version, starting with version 0.

    A sealed event changes only the version and the turn.
    """
    sessions = [initial(next(_open_events(lines)).session)]
    past = History(sessions.__getitem__, lambda after, upto: _open_events(lines[after:upto]))
    for line in lines:
        if isinstance(line, RecordedEvent):
            sessions.append(evolve(sessions[-1], line, past))
        else:
            sessions.append(replace(sessions[-1], version=line.version, turn=line.turn))
    return sessions


def transcript(events: Sequence[FileEvent]) -> Transcript:
    """Return the transcript of a log with at least one event.

    The ruleset describes the events, so a log that breaks its rules can raise one of the errors in
    `domain.verify.rules_check.RULESET_ERRORS`.
    """
    sessions = fold_events(events)
    head = sessions[-1]
    return Transcript(
        head.id,
        _without_controls(head.info.title),
        head.ruleset.title,
        head.ruleset.edition,
        next(_open_events(events)).at,
        tuple(
            TranscriptSeat(seat, _seat_name(seat, held), held.role)
            for seat, held in head.info.seats.items()
        ),
        tuple(_describe_turns(events, sessions)),
    )


def to_text(content: Transcript, day: str) -> Iterator[str]:
    """Yield the lines of a plain text. `day` is the date of the session."""
    yield content.title
    yield _describe_session(content, day)
    yield "Seats: " + ", ".join(f"{each.name} ({each.seat}, {each.role})" for each in content.seats)
    for turn in content.turns:
        yield f"\n{turn.turn}.{' (undone)' * turn.undone}{turn.note}"
        for line in turn.lines:
            yield f"  {line}"


def to_markdown(content: Transcript, day: str) -> Iterator[str]:
    """Yield the lines of a Markdown text. Undone turns are struck through."""
    yield f"# {_escape_markdown(content.title)}\n\n{_describe_session(content, day)}\n"
    yield "| seat | name | role |\n|---|---|---|"
    for each in content.seats:
        yield f"| {each.seat} | {_escape_markdown(each.name)} | {each.role} |"
    for turn in content.turns:
        yield f"\n**Turn {turn.turn}**{turn.note}\n"
        for line in turn.lines:
            text = _escape_markdown(line)
            yield f"- ~~{text}~~" if turn.undone else f"- {text}"


def to_html(content: Transcript, day: str) -> Iterator[str]:
    """Yield the lines of an HTML page without scripts or styles.

    Undone turns are struck through.
    """
    title = escape(content.title)
    yield f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>'
    yield f"<h1>{title}</h1>\n<p>{escape(_describe_session(content, day))}</p>"
    yield "<table>\n<tr><th>seat</th><th>name</th><th>role</th></tr>"
    for each in content.seats:
        yield f"<tr><td>{each.seat}</td><td>{escape(each.name)}</td><td>{each.role}</td></tr>"
    yield "</table>"
    for turn in content.turns:
        yield f"<h2>Turn {turn.turn}{escape(turn.note)}</h2>\n<ul>"
        for line in turn.lines:
            text = escape(line)
            yield f"<li><s>{text}</s></li>" if turn.undone else f"<li>{text}</li>"
        yield "</ul>"
    yield "</html>"


def _describe_turns(
    lines: Iterable[FileEvent], sessions: Sequence[Session]
) -> Iterator[TranscriptTurn]:
    """Yield the transcript of each turn.

    Seats and entities have their newest names, as in the API. An entity that no longer exists has
    the name that it had at the end of the turn. If the turn has an outcome in the game, the lines
    for its command and its draw are left out.

    A turn is marked as undone if a rewind can undo it and the lineage of the last version does not
    contain the turn.
    """
    head = sessions[-1]
    rewinds = [
        (line.version, line.body.to)
        for line in _open_events(lines)
        if isinstance(line.body, Rewound)
    ]
    kept = {
        version
        for first, last in lineage(rewinds, head.version)
        for version in range(first, last + 1)
    }
    at, newest = sessions.__getitem__, descriptions.names(head)
    for turn in group_turns(lines):
        undone = _is_undoable(turn) and turn[0].version not in kept
        known = descriptions.names(sessions[turn[-1].version]) | newest
        shown = descriptions.without_command(turn, _kind)
        lines_of_turn = tuple(_describe_line(head, line, known, at) for line in shown)
        yield TranscriptTurn(turn[0].turn, undone, _note(turn, at), lines_of_turn)


def _kind(line: FileEvent) -> str:
    return "" if isinstance(line, SealedEvent) else KINDS[type(line.body)]


def _note(turn: Sequence[FileEvent], at: Callable[[int], Session]) -> str:
    events = list(_open_events(turn))
    grades = [f"grade {found}" for line in events if (found := grade(line, at)) is not None]
    secret = [
        f"secret{descriptions.audience_suffix(line.body.audience)}"
        for line in events
        if isinstance(line.body, Declared) and line.body.audience is not UNSET
    ]
    return f" ({'; '.join([*secret, *grades[:1]])})" if secret or grades else ""


def _open_events(lines: Iterable[FileEvent]) -> Iterator[RecordedEvent]:
    return (line for line in lines if isinstance(line, RecordedEvent))


def _is_undoable(turn: Sequence[FileEvent]) -> bool:
    """Return True if a rewind can undo the turn.

    A rewind does not undo a turn that adds a seat, a name or a narration, even if the turn is
    sealed.
    """
    first = turn[0]
    return not is_wordless(turn) and (
        isinstance(first, SealedEvent) or isinstance(first.body, Declared | Rewound)
    )


def _describe_line(
    head: Session, line: FileEvent, known: Mapping[str, str], at: Callable[[int], Session]
) -> str:
    text = (
        descriptions.fill(descriptions.describe(head.ruleset, line, at), known)
        if isinstance(line, RecordedEvent)
        else SEALED_TEXT
    )
    return _without_controls(text)


def _seat_name(seat: str, held: Seat) -> str:
    return seat if held.name is UNSET else escape_forbidden(held.name)


def _describe_session(content: Transcript, day: str) -> str:
    ruleset = f"{content.ruleset}, edition {content.edition}"
    turns = content.turns[-1].turn
    return f"{ruleset}; {day}; {turns:,} turns, session {content.session}"


def _without_controls(text: str) -> str:
    return _CONTROL_CHARACTERS.sub(" ", text)


def _escape_markdown(text: str) -> str:
    return _MARKDOWN_CHARACTERS.sub(r"\\\1", text)
