"""The `fairlog stats` command, which verifies a log and prints its statistics."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import click
import msgspec
from rich.console import Console
from rich.text import Text

from domain.recorded_event import RecordedEvent
from domain.session.descriptions import names
from domain.session.state import Session
from domain.transcript import UnreadableLogError, fold_events, read_events
from domain.verify import messages, verify as climb
from domain.verify.report import Report
from domain.verify.rules_check import RULESET_ERRORS
from projections.statistics_model import SessionReport
from projections.tallies import SessionTallies, session_tallies
from service.charts.terminal.statistics import draw_statistics
from service.cli.verify import (
    INVALID,
    ProgressBar,
    UnusableFileError,
    VerifyUsageError,
    print_report,
    read_lines,
)
from service.platform.ed25519 import verify as ed25519
from service.platform.text import printable
from workers.statistics.report import compute_report
from workers.voided_draws import reported_voided_results


class CountedSession(NamedTuple):
    """The final state of a session in a valid log, and its tallies.

    `sealed` is the number of sealed events, which are not tallied.
    """

    session: Session
    tallies: SessionTallies
    sealed: int


def show(file: Path, as_json: bool, first: int, last: int | None, undone: bool) -> None:
    """Verify a log file and print its statistics.

    Raises SystemExit if the log is invalid, and UnusableFileError if its statistics cannot be
    computed. Raises VerifyUsageError if the log does not contain the versions from `first` to
    `last`.
    """
    with file.open("rb") as opened, ProgressBar() as bar:
        report, lines = verify_lines(read_lines(opened), bar)
    if not report.valid:
        print_report(Console(stderr=True, highlight=False, soft_wrap=True), str(file), report)
        raise SystemExit(INVALID)
    try:
        read = count_session(lines)
        _check_range(read.tallies.version, first, last)
        voided = reported_voided_results(report.voids)
        found = compute_report(read.tallies, undone=undone, first=first, last=last, voided=voided)
    except RULESET_ERRORS as wrong:  # the rules were not checked for sealed events
        raise UnusableFileError(
            f"cannot compute statistics: the ruleset cannot process this log ({wrong!r})"
        ) from None
    if as_json:
        click.echo(
            json.dumps(msgspec.to_builtins(found))
        )  # ASCII only, so it cannot contain terminal control characters
    else:
        console = Console(highlight=False)
        console.print(_heading(read, report, found))
        console.print(draw_statistics(found, names(read.session)))


def verify_lines(lines: Iterable[bytes], bar: ProgressBar) -> tuple[Report, list[bytes]]:
    kept: list[bytes] = []

    def collect() -> Iterator[bytes]:
        for line in lines:
            kept.append(line)
            yield line

    return climb(collect(), ed25519, progress=bar), kept


def count_session(lines: Iterable[bytes]) -> CountedSession:
    """Compute the tallies for a valid log.

    The `version` of the tallies is the version of the last event, even if that event is sealed.
    """
    try:
        events = read_events(lines)
    except UnreadableLogError as missing:
        raise UnusableFileError(str(missing)) from None
    sessions = fold_events(events)
    facts = [event for event in events if isinstance(event, RecordedEvent)]
    tallies = session_tallies(sessions[-1].ruleset, facts, sessions.__getitem__)
    return CountedSession(
        sessions[-1], tallies._replace(version=len(events)), len(events) - len(facts)
    )


def _check_range(version: int, first: int, last: int | None) -> None:
    until = version if last is None else last
    if not first <= until <= version:
        raise VerifyUsageError(
            f"cannot compute statistics for versions {first} to {until}: the log contains"
            f" versions 1 to {version}. Change --from or --to."
        )


def _heading(read: CountedSession, report: Report, found: SessionReport) -> Text:
    ruleset, info = read.session.ruleset, read.session.info
    undone = "with undone branches" if found.undone else "without undone branches"
    sealed = f", {read.sealed:,} sealed events not counted" if read.sealed else ""
    about = (
        f": {ruleset.title}, edition {ruleset.edition},"
        f" versions {found.first} to {found.last}, {undone}. "
    )
    verdict = Text(messages.verdict(report), "green" if report.whole else "yellow")
    return Text.assemble((printable(info.title), "bold"), about, verdict, sealed, "\n")
