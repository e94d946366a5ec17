"""Verify a log offline, without contacting or trusting a server.

The checks have five levels. Each level relies on the levels before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

import msgspec
from msgspec import UNSET

from domain.log_file import CheckpointLine, EventLine, LogLineError, Manifest, parse_lines
from domain.proof.signed_note import Verify, Vkey, is_succeeded_by, vkey_text
from domain.session.rerolls import Reroll
from domain.verify import bytes_check, fork_check, index_check, receipts, tree_check
from domain.verify.draws_check import DrawsCheck, seen_sizes
from domain.verify.findings import LogFindings
from domain.verify.index_check import IndexProof
from domain.verify.receipts import Complaint, Receipt, read_receipts
from domain.verify.report import (
    ComplaintReport,
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
from domain.verify.void_bias import KnownVoid, significant, void_biases
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
"""Called with the level, the number of items checked so far, and the total (0 if unknown)."""

PROGRESS_INTERVAL = 500
LEVELS = tuple(Level)


class Evidence(msgspec.Struct, frozen=True):
    """Evidence from outside the log, against which the log is checked.

    `key` is the trusted log key, and `witnesses` are the trusted witness keys, of which
    `quorum` must have cosigned (0 means all). `index` proves that the session is in the server's
    index. `checkpoints` were
    stored by the reader, and `receipts` and `complaints` by a seat's client. `views` are the texts
    and tallies that the server shows. For a fork, `parent` contains the lines of the parent's log
    file, each with its line ending.
    """

    key: Vkey | None = None
    checkpoints: tuple[str, ...] = ()
    views: ServerViews = ServerViews(())
    parent: Iterable[bytes] | None = None
    receipts: tuple[Receipt, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    witnesses: tuple[Vkey, ...] = ()
    quorum: int = 0
    index: IndexProof | None = None


NO_EVIDENCE = Evidence()


def ignore_progress(level: Level, done: int, of: int) -> None:
    pass


class CheckProgress:
    """Partial results of a verification.

    The report is built from them even if a level fails.
    """

    def __init__(self) -> None:
        self.levels = 0
        self.session = self.log_key = ""
        self.lines: list[bytes_check.FileEvent] = []
        self.hashes: list[bytes] = []
        self.turns: RulesCheck | None = None
        self.rules = True
        self.extensions: tuple[str, ...] = ()
        self.origin: ForkOrigin | None = None
        self.draws: DrawsCheck | None = None
        self.complaints: tuple[ComplaintReport, ...] = ()
        self.waits: int | None = None  # version of a declaration whose draw has not ended
        self.witnesses: tuple[WitnessStatus, ...] = ()


def verify(
    lines: Iterable[bytes],
    ed25519: Verify,
    evidence: Evidence = NO_EVIDENCE,
    progress: Progress = ignore_progress,
) -> Report:
    """Verify the lines of a .fairlog file and return the report.

    Each line includes its line ending. Invalid content does not raise an exception. The report
    contains the first failure instead.
    """
    found, parent = CheckProgress(), None
    if evidence.parent is not None:
        parent = CheckProgress()
        if failed := _run_levels(
            _check_levels(evidence.parent, ed25519, NO_EVIDENCE, progress, parent),
            parent,
            parent=True,
        ):
            return Report(found.session, found.log_key, None, failed)
    return _build_report(
        found,
        _run_levels(_check_levels(lines, ed25519, evidence, progress, found, parent), found),
        evidence,
    )


def _run_levels(
    levels: Iterator[None], found: CheckProgress, *, parent: bool = False
) -> Failure | None:
    try:
        for _ in levels:
            found.levels += 1
    except (LogLineError, VerificationError) as fault:
        return to_failure(fault, LEVELS[found.levels], parent)
    return None


def _build_report(found: CheckProgress, failed: Failure | None, evidence: Evidence) -> Report:
    reached = LEVELS[found.levels - 1] if found.levels else None
    if not found.levels:  # the events could not be read
        return Report(found.session, found.log_key, reached, failed)
    findings = LogFindings(found.lines)
    voids = report_voids(found.draws, found.turns, found.lines)
    known = [
        KnownVoid(void.version, void.missing, void.values)
        for void in voids
        if void.values is not UNSET
    ]
    biases = void_biases(known)
    witnessed = _witnessed_size(found.witnesses, evidence.quorum)
    unchecked = found.turns.unchecked if found.turns else 0
    partly = findings.partly(unchecked) if reached in (Level.RULES, Level.VIEWS) else ()
    return Report(
        found.session,
        found.log_key,
        reached,
        failed,
        findings.counts(unchecked),
        findings.warnings(
            evidence.key is not None,
            found.rules,
            found.waits,
            witnessed > 0,
            found.extensions,
            sorted({version for each in significant(biases) for version in each.versions}),
            [each.version for each in found.complaints],
        ),
        findings.grades,
        findings.rerolls,
        tuple(each for each in partly if each.level in LEVELS[: found.levels]),
        findings.take_backs,
        findings.unopened_by_seat(),
        found.origin,
        voids,
        findings.missed_by_seat(),
        findings.grade_counts(),
        found.witnesses,
        witnessed,
        biases,
        found.complaints,
    )


def _witnessed_size(witnesses: Sequence[WitnessStatus], quorum: int) -> int:
    """Return the largest size up to which at least `quorum` witnesses cosigned the log.

    A quorum of 0 means all witnesses.
    """
    sizes = sorted((witness.size for witness in witnesses), reverse=True)
    needed = quorum or len(sizes)
    return sizes[needed - 1] if 0 < needed <= len(sizes) else 0


def _check_levels(
    lines: Iterable[bytes],
    ed25519: Verify,
    evidence: Evidence,
    progress: Progress,
    found: CheckProgress,
    parent: CheckProgress | None = None,
) -> Iterator[None]:
    """Run the five levels in order, yielding after each level that passes.

    Raises LogLineError or VerificationError when a check fails.
    """
    reader, notes = _read_file(lines, found, progress)
    yield
    stored = evidence.checkpoints
    if evidence.index is not None:
        stored += tuple(entry.note for entry in evidence.index.entries)
    own = tree_check.compute_roots(
        _with_progress(Level.TREE, reader.hashes, progress),
        seen_sizes(reader.events)
        | tree_check.checkpoint_sizes(chain(notes, stored))
        | receipts.receipt_sizes(evidence.receipts),
    )
    tree_check.check_checkpoints(
        notes,
        stored,
        len(reader.events),
        own,
        _trusted_key(reader, notes, evidence, found, ed25519),
        ed25519,
    )
    found.witnesses = tree_check.check_witnesses(
        chain(notes, evidence.checkpoints), evidence.witnesses, ed25519
    )
    if evidence.index is not None:
        by_index = index_check.check_index(evidence.index, reader.key, evidence.witnesses, ed25519)
        both = zip(found.witnesses, by_index, strict=True)
        found.witnesses = tuple(max(pair, key=lambda each: (each.size, each.at)) for pair in both)
    if parent:
        found.origin = fork_check.check_origin(found.origin, _parent_log(parent))
    yield
    if found.extensions:
        return
    draws = found.draws = DrawsCheck(found.session, reader.hashes, own, ed25519)
    for line in _with_progress(Level.DRAWS, reader.events, progress):
        draws.read(line)
    found.waits = draws.end()
    receipts.check_receipts(
        evidence.receipts, found.session, reader.events, reader.hashes, own, draws
    )
    found.complaints = tuple(
        receipts.report_complaints(
            evidence.complaints, found.session, reader.events, reader.hashes, draws
        )
    )
    yield
    if not found.rules:
        return
    found.turns = RulesCheck(found.session, reader.events)
    for turn in _with_progress(Level.RULES, tuple(group_turns(reader.events)), progress):
        found.turns.read(turn)
    if parent and found.origin and not parent.extensions:
        found.origin = fork_check.check_table(
            found.origin, found.session, reader.events, _parent_log(parent)
        )
    yield
    views = ViewsCheck(found.turns.sessions, evidence.views)
    for line in _with_progress(Level.VIEWS, reader.events, progress):
        views.read(line)
    yield


def _parent_log(parent: CheckProgress) -> fork_check.ParentLog:
    turns = parent.turns
    rules = (turns.sessions, turns.sealed) if turns else ((), ())
    return fork_check.ParentLog(parent.session, parent.lines, parent.hashes, *rules)


def _read_file(
    lines: Iterable[bytes], found: CheckProgress, progress: Progress
) -> tuple[bytes_check.EventReader, list[str]]:
    each = parse_lines(lines)
    manifest = next(each)
    assert isinstance(manifest, Manifest)
    found.session, found.log_key = manifest.session, manifest.log_key
    reader, notes = bytes_check.EventReader(manifest), []
    found.lines, found.hashes, found.rules = (
        reader.events,
        reader.hashes,
        reader.ruleset is not None,
    )
    for done, part in enumerate(each):
        if isinstance(part, EventLine):
            reader.read(part)
        elif isinstance(part, CheckpointLine):
            notes.append(part.checkpoint)
        if done % PROGRESS_INTERVAL == 0:
            progress(Level.BYTES, done, 0)
    if not reader.events:
        raise VerificationError(1, "E_FORMAT", "no events", "session.Opened as the first event")
    found.extensions = reader.extensions
    found.origin = fork_check.origin_of(reader.events)
    return reader, notes


def _trusted_key(
    reader: bytes_check.EventReader,
    notes: Sequence[str],
    evidence: Evidence,
    found: CheckProgress,
    ed25519: Verify,
) -> Vkey:
    """Return the log's own key if the reader trusts it.

    The key is trusted if the reader named this key or no key at all, or if the last checkpoint
    names the reader's key as this key's successor. Raises VerificationError otherwise.
    """
    if evidence.key is None:
        return reader.key
    found.log_key = vkey_text(evidence.key)
    if evidence.key != reader.key and not (
        notes and is_succeeded_by(notes[-1], reader.key, evidence.key, ed25519)
    ):
        raise VerificationError(1, "E_UNTRUSTED_LOG", reader.manifest.log_key, found.log_key)
    return reader.key


def _with_progress(level: Level, items: Sequence[T], progress: Progress) -> Iterator[T]:
    for done, item in enumerate(items):
        if done % PROGRESS_INTERVAL == 0:
            progress(level, done, len(items))
        yield item
    progress(level, len(items), len(items))
