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
from domain.verify.draws_check import DrawsCheck, seen_sizes
from domain.verify.findings import LogFindings
from domain.verify.receipts import Receipt, read_receipts
from domain.verify.report import (
    DrawGrade,
    Failure,
    ForkOrigin,
    Level,
    LogCounts,
    PartialLevel,
    Report,
    ReportWarning,
    VerificationError,
    VoidReport,
    WitnessStatus,
    to_failure,
)
from domain.verify.rules_check import RulesCheck, group_turns
from domain.verify.views_check import (
    DescribedEvent,
    ServerViews,
    TalliedEvent,
    ViewsCheck,
    read_views,
)
from domain.verify.voided_draws import report_voids

__all__ = [
    "DescribedEvent",
    "DrawGrade",
    "Evidence",
    "Failure",
    "ForkOrigin",
    "Level",
    "LogCounts",
    "PartialLevel",
    "Receipt",
    "Report",
    "ReportWarning",
    "Reroll",
    "ServerViews",
    "TalliedEvent",
    "VoidReport",
    "WitnessStatus",
    "read_receipts",
    "read_views",
    "verify",
]

T = TypeVar("T")
Progress = Callable[[Level, int, int], None]
"""Told now and then: the rung, how much of it is done, of how much (0: not known)."""

PROGRESS_INTERVAL = 500
LEVELS = tuple(Level)


class Evidence(msgspec.Struct, frozen=True):
    """What the reader brings from outside: the log's key, checkpoints that were kept, the server's views.

    And of a fork the lines of its parent's file, each with its line end; the receipts that a seat's client kept;
    and the keys of witnesses that are trusted.
    """

    key: Vkey | None = None
    checkpoints: tuple[str, ...] = ()
    views: ServerViews = ServerViews(())
    parent: Iterable[bytes] | None = None
    receipts: tuple[Receipt, ...] = ()
    witnesses: tuple[Vkey, ...] = ()


NO_EVIDENCE = Evidence()


def ignore_progress(level: Level, done: int, of: int) -> None:
    """Nobody looks at the progress."""


class CheckProgress:
    """What has come out so far, of use in a report whatever comes next."""

    def __init__(self) -> None:
        self.levels = 0
        self.session = self.log_key = ""
        self.lines: list[bytes_check.FileEvent] = []
        self.hashes: list[bytes] = []
        self.turns: RulesCheck | None = None
        self.rules = True
        self.origin: ForkOrigin | None = None
        self.draws: DrawsCheck | None = None
        self.waits: int | None = None  # the declaration that the log ends on
        self.witnesses: tuple[WitnessStatus, ...] = ()


def verify(
    lines: Iterable[bytes],
    ed25519: Verify,
    known: Evidence = NO_EVIDENCE,
    progress: Progress = ignore_progress,
) -> Report:
    """The report on the lines of a .fairlog file, each with its line end. Nothing in them makes it raise."""
    held, above = CheckProgress(), None
    if known.parent is not None:
        above = CheckProgress()
        if failed := _run_levels(
            _check_levels(known.parent, ed25519, NO_EVIDENCE, progress, above), above, parent=True
        ):
            return Report(held.session, held.log_key, None, failed)
    return _build_report(
        held, _run_levels(_check_levels(lines, ed25519, known, progress, held, above), held), known
    )


def _run_levels(
    levels: Iterator[None], held: CheckProgress, *, parent: bool = False
) -> Failure | None:
    try:
        for _ in levels:
            held.levels += 1
    except (LogLineError, VerificationError) as fault:
        return to_failure(fault, LEVELS[held.levels], parent)
    return None


def _build_report(held: CheckProgress, failed: Failure | None, known: Evidence) -> Report:
    reached = LEVELS[held.levels - 1] if held.levels else None
    if not held.levels:  # then not even what the events say is known
        return Report(held.session, held.log_key, reached, failed)
    findings = LogFindings(held.lines)
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
        tuple(each for each in partly if each.level in LEVELS[: held.levels]),
        findings.take_backs,
        findings.seats(),
        held.origin,
        report_voids(held.draws, held.turns, held.lines),
        findings.missed(),
        findings.letters(),
        held.witnesses,
    )


def _check_levels(
    lines: Iterable[bytes],
    ed25519: Verify,
    known: Evidence,
    progress: Progress,
    held: CheckProgress,
    above: CheckProgress | None = None,
) -> Iterator[None]:
    """Yields after each rung that held. Raises BadLine or Fault on the first that does not."""
    reader, notes = _read_file(lines, held, progress)
    yield
    own = tree_check.compute_roots(
        _with_progress(Level.TREE, reader.hashes, progress),
        seen_sizes(reader.facts)
        | tree_check.checkpoint_sizes(chain(notes, known.checkpoints))
        | receipts.receipt_sizes(known.receipts),
    )
    tree_check.check_checkpoints(
        notes,
        known.checkpoints,
        len(reader.facts),
        own,
        _trusted_key(reader, notes, known, held, ed25519),
        ed25519,
    )
    held.witnesses = tree_check.check_witnesses(
        chain(notes, known.checkpoints), known.witnesses, ed25519
    )
    if above:
        held.origin = fork_check.check_origin(held.origin, _parent_log(above))
    yield
    draws = held.draws = DrawsCheck(held.session, reader.hashes, own, ed25519)
    for line in _with_progress(Level.DRAWS, reader.facts, progress):
        draws.read(line)
    held.waits = draws.end()
    receipts.check_receipts(known.receipts, held.session, reader.facts, reader.hashes, own, draws)
    yield
    if not held.rules:
        return
    held.turns = RulesCheck(held.session, reader.facts)
    for turn in _with_progress(Level.RULES, tuple(group_turns(reader.facts)), progress):
        held.turns.read(turn)
    if above and held.origin:
        held.origin = fork_check.check_table(
            held.origin, held.session, reader.facts, _parent_log(above)
        )
    yield
    tables_by_seat = ViewsCheck(held.turns.sessions, known.views)
    for line in _with_progress(Level.VIEWS, reader.facts, progress):
        tables_by_seat.read(line)
    yield


def _parent_log(above: CheckProgress) -> fork_check.ParentLog:
    turns = above.turns
    known = (turns.sessions, turns.sealed) if turns else ((), ())
    return fork_check.ParentLog(above.session, above.lines, above.hashes, *known)


def _read_file(
    lines: Iterable[bytes], held: CheckProgress, progress: Progress
) -> tuple[bytes_check.EventReader, list[str]]:
    """The events, and the notes below them."""
    each = parse_lines(lines)
    manifest = next(each)
    assert isinstance(manifest, Manifest)
    held.session, held.log_key = manifest.session, manifest.log_key
    reader, notes = bytes_check.EventReader(manifest), []
    held.lines, held.hashes, held.rules = reader.facts, reader.hashes, reader.ruleset is not None
    for done, part in enumerate(each):
        if isinstance(part, EventLine):
            reader.read(part)
        elif isinstance(part, CheckpointLine):
            notes.append(part.checkpoint)
        if done % PROGRESS_INTERVAL == 0:
            progress(Level.BYTES, done, 0)
    if not reader.facts:
        raise VerificationError(1, "E_FORMAT", "no events", "session.Opened")
    held.origin = fork_check.origin_of(reader.facts)
    return reader, notes


def _trusted_key(
    reader: bytes_check.EventReader,
    notes: Sequence[str],
    known: Evidence,
    held: CheckProgress,
    ed25519: Verify,
) -> Vkey:
    """The log's own key, where it is the one that was brought along, or is followed by that in the last checkpoint."""
    if known.key is None:
        return reader.key
    held.log_key = vkey_text(known.key)
    if known.key != reader.key and not (
        notes and is_succeeded_by(notes[-1], reader.key, known.key, ed25519)
    ):
        raise VerificationError(1, "E_UNTRUSTED_LOG", reader.manifest.log_key, held.log_key)
    return reader.key


def _with_progress(level: Level, items: Sequence[T], progress: Progress) -> Iterator[T]:
    for done, item in enumerate(items):
        if done % PROGRESS_INTERVAL == 0:
            progress(level, done, len(items))
        yield item
    progress(level, len(items), len(items))
