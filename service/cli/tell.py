"""`fairlog tell FILE`: an exported evening as text or Markdown, turn by turn, with what was undone marked as such."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.log_file import EventLine, LogLineError, Manifest, parse_lines
from domain.recorded_event import RecordedEvent
from domain.session import descriptions
from domain.session.evolve import evolve
from domain.session.lineage import lineage
from domain.session.messages import Declared, Rewound
from domain.session.state import History, Session, initial
from domain.verify.bytes_check import Line, Reader, Sealed
from domain.verify.report import Fault
from domain.verify.rules_check import UNFORESEEN, turns_of
from domain.verify.sealed_turns import is_wordless
from service.cli.verify import FILE, StrictCommand, Unusable, read_lines

SEALED = "(sealed)"
# Controls drive a terminal; the marks that turn the direction of writing would let words show up where they are not.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_MARKUP = re.compile(r"([\\`*_~\[\]<>|#])")


class Told(msgspec.Struct, frozen=True):
    """One turn as it is told."""

    turn: int
    undone: bool
    lines: tuple[str, ...]


@click.command("tell", cls=StrictCommand)
@click.argument("file", type=FILE)
@click.option("--markdown", is_flag=True, help="Write Markdown: what was undone is struck through.")
def tell(file: Path, markdown: bool) -> None:
    """Tell an exported evening, turn by turn. Nothing is proven here: for that there is `fairlog verify`."""
    write = _markdown if markdown else _text
    try:
        with file.open("rb") as opened:
            lines = read_open(read_lines(opened))
        sessions = fold_open(lines)
        told = list(_told(lines, sessions))
    except (LogLineError, Fault) as bad:
        raise Unusable(f"version {bad.version}: {bad.code}. `fairlog verify` says more.") from None
    except UNFORESEEN as wrong:
        raise Unusable(f"cannot be told ({wrong!r}). `fairlog verify` says more.") from None
    for line in write(sessions[-1], next(_facts(lines)), told):
        click.echo(line)


def read_open(lines: Iterable[bytes]) -> list[Line]:
    """The events of a file's lines, as far as their bytes are good. Raises BadLine, Fault or Unusable."""
    each = parse_lines(lines)
    manifest = next(each)
    assert isinstance(manifest, Manifest)
    reader = Reader(manifest)
    if reader.ruleset is None:
        raise Unusable(
            f"the rules of {manifest.ruleset}, edition {manifest.edition}, are not installed"
        )
    for part in each:
        if isinstance(part, EventLine):
            reader.read(part)
    if not reader.facts:
        raise Unusable("no events")
    return reader.facts


def fold_open(lines: Sequence[Line]) -> list[Session]:
    """The session after every version, from 0; what is sealed changes nothing."""
    sessions = [initial(next(_facts(lines)).session)]
    past = History(sessions.__getitem__, lambda after, upto: _facts(lines[after:upto]))
    for line in lines:
        if isinstance(line, RecordedEvent):
            sessions.append(evolve(sessions[-1], line, past))
        else:
            sessions.append(replace(sessions[-1], version=line.version, turn=line.turn))
    return sessions


def _told(lines: Iterable[Line], sessions: Sequence[Session]) -> Iterator[Told]:
    """Each turn with the names that were known behind it: what was undone has left the table at the end."""
    head = sessions[-1]
    rewinds = [
        (line.version, line.body.to) for line in _facts(lines) if isinstance(line.body, Rewound)
    ]
    kept = {
        version
        for first, last in lineage(rewinds, head.version)
        for version in range(first, last + 1)
    }
    at = sessions.__getitem__
    for turn in turns_of(lines):
        undone = _of_the_table(turn) and turn[0].version not in kept
        known = descriptions.names(sessions[turn[-1].version - 1])
        yield Told(turn[0].turn, undone, tuple(_line(head, line, known, at) for line in turn))


def _facts(lines: Iterable[Line]) -> Iterator[RecordedEvent]:
    return (line for line in lines if isinstance(line, RecordedEvent))


def _of_the_table(turn: Sequence[Line]) -> bool:
    """Whether a rewind undoes the turn: seats, names and words stay, also those that nobody may read."""
    first = turn[0]
    return not is_wordless(turn) and (
        isinstance(first, Sealed) or isinstance(first.body, Declared | Rewound)
    )


def _line(head: Session, line: Line, known: Mapping[str, str], at: Callable[[int], Session]) -> str:
    told = (
        descriptions.fill(descriptions.describe(head.ruleset, line, at), known)
        if isinstance(line, RecordedEvent)
        else SEALED
    )
    return _safe(told)


def _text(head: Session, opened: RecordedEvent, told: Iterable[Told]) -> Iterator[str]:
    yield _safe(head.info.title)
    yield _about(head, opened)
    yield "Seats: " + ", ".join(f"{name} ({seat}, {role})" for seat, name, role in _seats(head))
    for turn in told:
        yield f"\n{turn.turn}.{' (undone)' * turn.undone}"
        for line in turn.lines:
            yield f"  {line}"


def _markdown(head: Session, opened: RecordedEvent, told: Iterable[Told]) -> Iterator[str]:
    yield f"# {_escaped(_safe(head.info.title))}\n\n{_about(head, opened)}\n"
    yield "| seat | name | role |\n|---|---|---|"
    for seat, name, role in _seats(head):
        yield f"| {seat} | {_escaped(name)} | {role} |"
    for turn in told:
        yield f"\n**Turn {turn.turn}**\n"
        for line in turn.lines:
            yield f"- ~~{_escaped(line)}~~" if turn.undone else f"- {_escaped(line)}"


def _about(head: Session, opened: RecordedEvent) -> str:
    day = datetime.fromtimestamp(opened.at / 1000, UTC).date().isoformat()
    return f"{head.ruleset.title}, edition {head.ruleset.edition}; {day}; {head.turn:,} turns, session {head.id}"


def _seats(head: Session) -> Iterator[tuple[str, str, str]]:
    for seat, held in head.info.seats.items():
        yield seat, seat if held.name is UNSET else _safe(held.name), held.role


def _safe(text: str) -> str:
    return _UNSAFE.sub(" ", text)


def _escaped(text: str) -> str:
    """Text that is nothing but text in Markdown."""
    return _MARKUP.sub(r"\\\1", text)
