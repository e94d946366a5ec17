"""The offline check of a log: five rungs, each standing on the one below; needs no server and trusts none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

import msgspec

from domain.log_file import CheckpointLine, EventLine, LogLineError, Manifest, parse_lines
from domain.proof.signed_note import Verify, Vkey, is_succeeded_by, vkey_text
from domain.session.rerolls import Reroll
from domain.verify import bytes_check, fork_check, receipts, tree_check
from domain.verify.draws_check import Draws, sizes_seen
from domain.verify.findings import Findings
from domain.verify.receipts import Receipt, read_receipts
from domain.verify.report import (
    Caution,
    Counts,
    Failure,
    Fault,
    Graded,
    Level,
    Origin,
    Partly,
    Report,
    Voided,
    Witnessed,
    failure,
)
from domain.verify.rules_check import Turns, turns_of
from domain.verify.views_check import Tallied, Told, Views, ViewsCheck, read_views
from domain.verify.voided_draws import voided

__all__ = [
    "Caution",
    "Counts",
    "Failure",
    "Graded",
    "Known",
    "Origin",
    "Partly",
    "Receipt",
    "Report",
    "Reroll",
    "Rung",
    "Tallied",
    "Told",
    "Views",
    "Voided",
    "Witnessed",
    "read_receipts",
    "read_views",
    "verify",
]

T = TypeVar("T")
Progress = Callable[[Level, int, int], None]
"""Told now and then: the rung, how much of it is done, of how much (0: not known)."""

PACE = 500
LEVELS = tuple(Level)


class Known(msgspec.Struct, frozen=True):
    """What the reader brings from outside: the log's key, checkpoints that were kept, the server's views.

    And of a fork the lines of its parent's file, each with its line end; the receipts that a seat's client kept;
    and the keys of witnesses that are trusted.
    """

    key: Vkey | None = None
    checkpoints: tuple[str, ...] = ()
    views: Views = Views(())
    parent: Iterable[bytes] | None = None
    receipts: tuple[Receipt, ...] = ()
    witnesses: tuple[Vkey, ...] = ()


NOTHING = Known()


def unseen(rung: Level, done: int, of: int) -> None:
    """Nobody looks at the progress."""


class Held:
    """What has come out so far, of use in a report whatever comes next."""

    def __init__(self) -> None:
        self.rungs = 0
        self.session = self.log_key = ""
        self.lines: list[bytes_check.Line] = []
        self.hashes: list[bytes] = []
        self.turns: Turns | None = None
        self.rules = True
        self.origin: Origin | None = None
        self.draws: Draws | None = None
        self.waits: int | None = None  # the declaration that the log ends on
        self.witnesses: tuple[Witnessed, ...] = ()


def verify(
    lines: Iterable[bytes], ed25519: Verify, known: Known = NOTHING, progress: Progress = unseen
) -> Report:
    """The report on the lines of a .fairlog file, each with its line end. Nothing in them makes it raise."""
    held, above = Held(), None
    if known.parent is not None:
        above = Held()
        if failed := _climbed(
            _climb(known.parent, ed25519, NOTHING, progress, above), above, parent=True
        ):
            return Report(held.session, held.log_key, None, failed)
    return _report(
        held, _climbed(_climb(lines, ed25519, known, progress, held, above), held), known
    )


def _climbed(rungs: Iterator[None], held: Held, *, parent: bool = False) -> Failure | None:
    try:
        for _ in rungs:
            held.rungs += 1
    except (LogLineError, Fault) as fault:
        return failure(fault, LEVELS[held.rungs], parent)
    return None


def _report(held: Held, failed: Failure | None, known: Known) -> Report:
    reached = LEVELS[held.rungs - 1] if held.rungs else None
    if not held.rungs:  # then not even what the events say is known
        return Report(held.session, held.log_key, reached, failed)
    findings = Findings(held.lines)
    unchecked = held.turns.unchecked if held.turns else 0
    partly = findings.partly(unchecked) if reached in (Level.RULES, Level.VIEWS) else ()
    return Report(
        held.session,
        held.log_key,
        reached,
        failed,
        findings.counts(unchecked),
        findings.cautions(known.key is not None, held.rules, held.waits, held.witnesses),
        findings.grades,
        findings.rerolls,
        tuple(each for each in partly if each.rung in LEVELS[: held.rungs]),
        findings.take_backs,
        findings.seats(),
        held.origin,
        voided(held.draws, held.turns, held.lines),
        findings.missed(),
        findings.letters(),
        held.witnesses,
    )


def _climb(
    lines: Iterable[bytes],
    ed25519: Verify,
    known: Known,
    progress: Progress,
    held: Held,
    above: Held | None = None,
) -> Iterator[None]:
    """Yields after each rung that held. Raises BadLine or Fault on the first that does not."""
    reader, notes = _read(lines, held, progress)
    yield
    own = tree_check.roots_at(
        _paced(Level.TREE, reader.hashes, progress),
        sizes_seen(reader.facts)
        | tree_check.sizes_of(chain(notes, known.checkpoints))
        | receipts.sizes_of(known.receipts),
    )
    tree_check.check(
        notes,
        known.checkpoints,
        len(reader.facts),
        own,
        _trusted(reader, notes, known, held, ed25519),
        ed25519,
    )
    held.witnesses = tree_check.witnessed(chain(notes, known.checkpoints), known.witnesses, ed25519)
    if above:
        held.origin = fork_check.check_origin(held.origin, _parent(above))
    yield
    draws = held.draws = Draws(held.session, reader.hashes, own, ed25519)
    for line in _paced(Level.DRAWS, reader.facts, progress):
        draws.read(line)
    held.waits = draws.end()
    receipts.check(known.receipts, held.session, reader.facts, reader.hashes, own, draws)
    yield
    if not held.rules:
        return
    held.turns = Turns(held.session, reader.facts)
    for turn in _paced(Level.RULES, tuple(turns_of(reader.facts)), progress):
        held.turns.read(turn)
    if above and held.origin:
        held.origin = fork_check.check_table(
            held.origin, held.session, reader.facts, _parent(above)
        )
    yield
    tables_by_seat = ViewsCheck(held.turns.sessions, known.views)
    for line in _paced(Level.VIEWS, reader.facts, progress):
        tables_by_seat.read(line)
    yield


def _parent(above: Held) -> fork_check.ParentLog:
    turns = above.turns
    known = (turns.sessions, turns.sealed) if turns else ((), ())
    return fork_check.ParentLog(above.session, above.lines, above.hashes, *known)


def _read(
    lines: Iterable[bytes], held: Held, progress: Progress
) -> tuple[bytes_check.Reader, list[str]]:
    """The events, and the notes below them."""
    each = parse_lines(lines)
    manifest = next(each)
    assert isinstance(manifest, Manifest)
    held.session, held.log_key = manifest.session, manifest.log_key
    reader, notes = bytes_check.Reader(manifest), []
    held.lines, held.hashes, held.rules = reader.facts, reader.hashes, reader.ruleset is not None
    for done, part in enumerate(each):
        if isinstance(part, EventLine):
            reader.read(part)
        elif isinstance(part, CheckpointLine):
            notes.append(part.checkpoint)
        if done % PACE == 0:
            progress(Level.BYTES, done, 0)
    if not reader.facts:
        raise Fault(1, "E_FORMAT", "no events", "session.Opened")
    held.origin = fork_check.origin_of(reader.facts)
    return reader, notes


def _trusted(
    reader: bytes_check.Reader, notes: Sequence[str], known: Known, held: Held, ed25519: Verify
) -> Vkey:
    """The log's own key, where it is the one that was brought along, or is followed by that in the last checkpoint."""
    if known.key is None:
        return reader.key
    held.log_key = vkey_text(known.key)
    if known.key != reader.key and not (
        notes and is_succeeded_by(notes[-1], reader.key, known.key, ed25519)
    ):
        raise Fault(1, "E_UNTRUSTED_LOG", reader.manifest.log_key, held.log_key)
    return reader.key


def _paced(rung: Level, items: Sequence[T], progress: Progress) -> Iterator[T]:
    for done, item in enumerate(items):
        if done % PACE == 0:
            progress(rung, done, len(items))
        yield item
    progress(rung, len(items), len(items))
