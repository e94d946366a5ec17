"""`fairlog tell FILE`: print the transcript of an exported session, turn by turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.codec import KINDS
from domain.log_file import EventLine, LogLineError, Manifest, parse_lines
from domain.recorded_event import RecordedEvent
from domain.session import descriptions
from domain.session.annotations import grade
from domain.session.display_names import escape_forbidden
from domain.session.evolve import evolve
from domain.session.lineage import lineage
from domain.session.messages import Declared, Rewound
from domain.session.state import History, Session, initial
from domain.verify.bytes_check import EventReader, FileEvent, SealedEvent
from domain.verify.report import VerificationError
from domain.verify.rules_check import RULESET_ERRORS, group_turns
from domain.verify.sealed_turns import is_wordless
from service.cli.verify import FILE, StrictCommand, UnusableFileError, read_lines
from service.platform.clock import MAX_TIME_MS

SEALED_TEXT = "(sealed)"
# Control characters can manipulate a terminal, and direction marks can reorder the shown text.
_CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_MARKDOWN_CHARACTERS = re.compile(r"([\\`*_~\[\]<>|#])")


class TranscriptTurn(msgspec.Struct, frozen=True):
    """The lines of one turn.

    `note` contains the audience of a secret command and the grade of the draw, or "" if the turn
    has neither. The lines for the command and the draw may be left out.
    """

    turn: int
    undone: bool
    note: str
    lines: tuple[str, ...]


@click.command("tell", cls=StrictCommand)
@click.argument("file", type=FILE)
@click.option("--markdown", is_flag=True, help="Print Markdown, with undone turns struck through.")
def tell(file: Path, markdown: bool) -> None:
    """Print the transcript of an exported session, turn by turn.

    This does not prove that the log is valid. To check that, use `fairlog verify`.
    """
    write = _to_markdown if markdown else _to_text
    try:
        with file.open("rb") as opened:
            lines = read_events(read_lines(opened))
        sessions = fold_events(lines)
        turns = list(_describe_turns(lines, sessions))
    except (LogLineError, VerificationError) as bad:
        raise UnusableFileError(
            f"invalid log: {bad.code} at version {bad.version}. Run `fairlog verify` for details."
        ) from None
    except RULESET_ERRORS as wrong:
        raise UnusableFileError(
            f"cannot describe the events ({wrong!r}). Run `fairlog verify` for details."
        ) from None
    for line in write(sessions[-1], next(_open_events(lines)), turns):
        click.echo(line)


def read_events(lines: Iterable[bytes]) -> list[FileEvent]:
    """Return the events from an exported log's lines, without verifying the log.

    Raises LogLineError, VerificationError or UnusableFileError.
    """
    each = parse_lines(lines)
    manifest = next(each)
    assert isinstance(manifest, Manifest)
    reader = EventReader(manifest)
    if reader.ruleset is None:
        raise UnusableFileError(
            f"the ruleset {manifest.ruleset}, edition {manifest.edition}, is not installed:"
            " use a version of Fairlog that includes it"
        )
    for part in each:
        if isinstance(part, EventLine):
            reader.read(part)
    if not reader.events:
        raise UnusableFileError("the file contains no events")
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


def _to_text(
    head: Session, opened: RecordedEvent, turns: Iterable[TranscriptTurn]
) -> Iterator[str]:
    yield _without_controls(head.info.title)
    yield _describe_session(head, opened)
    yield "Seats: " + ", ".join(f"{name} ({seat}, {role})" for seat, name, role in _seat_rows(head))
    for turn in turns:
        yield f"\n{turn.turn}.{' (undone)' * turn.undone}{turn.note}"
        for line in turn.lines:
            yield f"  {line}"


def _to_markdown(
    head: Session, opened: RecordedEvent, turns: Iterable[TranscriptTurn]
) -> Iterator[str]:
    title = _escape_markdown(_without_controls(head.info.title))
    yield f"# {title}\n\n{_describe_session(head, opened)}\n"
    yield "| seat | name | role |\n|---|---|---|"
    for seat, name, role in _seat_rows(head):
        yield f"| {seat} | {_escape_markdown(name)} | {role} |"
    for turn in turns:
        yield f"\n**Turn {turn.turn}**{turn.note}\n"
        for line in turn.lines:
            yield (
                f"- ~~{_escape_markdown(line)}~~" if turn.undone else f"- {_escape_markdown(line)}"
            )


def _describe_session(head: Session, opened: RecordedEvent) -> str:
    day = datetime.fromtimestamp(min(opened.at, MAX_TIME_MS) / 1000, UTC).date().isoformat()
    ruleset = f"{head.ruleset.title}, edition {head.ruleset.edition}"
    return f"{ruleset}; {day}; {head.turn:,} turns, session {head.id}"


def _seat_rows(head: Session) -> Iterator[tuple[str, str, str]]:
    for seat, held in head.info.seats.items():
        yield seat, seat if held.name is UNSET else escape_forbidden(held.name), held.role


def _without_controls(text: str) -> str:
    return _CONTROL_CHARACTERS.sub(" ", text)


def _escape_markdown(text: str) -> str:
    return _MARKDOWN_CHARACTERS.sub(r"\\\1", text)
