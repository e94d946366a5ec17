"""The work of `fairlog stats`: verify an exported log, and show its statistics or print them as JSON."""

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
from domain.verify import messages
from domain.verify import verify as climb
from domain.verify.report import Report
from domain.verify.rules_check import RULESET_ERRORS
from projections.statistics_model import SessionReport
from projections.tallies import SessionTallies, session_tallies
from service.charts.terminal.statistics import draw_statistics
from service.cli.tell import fold_events, read_events
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
    """What is open of a valid log: the session behind it, and its counts; so many events are `sealed`."""

    session: Session
    evening: SessionTallies
    sealed: int


def show(file: Path, as_json: bool, first: int, last: int | None, undone: bool) -> None:
    """Print the statistics of a log file. Raises SystemExit, Unusable or WrongUsage."""
    with file.open("rb") as opened, ProgressBar() as bar:
        report, lines = verify_lines(read_lines(opened), bar)
    if not report.valid:
        print_report(Console(stderr=True, highlight=False, soft_wrap=True), str(file), report)
        raise SystemExit(INVALID)
    try:
        read = count_session(lines)
        _check_range(read.evening.version, first, last)
        shadows = reported_voided_results(report.voids)
        found = compute_report(read.evening, undone=undone, first=first, last=last, voided=shadows)
    except RULESET_ERRORS as wrong:  # behind a seal, where nothing was decided again
        raise UnusableFileError(f"cannot be counted: {wrong!r}") from None
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(found)))  # in ASCII: a terminal may be looking
    else:
        console = Console(highlight=False)
        console.print(_about(read, report, found))
        console.print(draw_statistics(found, names(read.session)))


def verify_lines(lines: Iterable[bytes], bar: ProgressBar) -> tuple[Report, list[bytes]]:
    """What `fairlog verify` says of a file's lines, and these lines. Raises Unusable."""
    kept: list[bytes] = []

    def keeping() -> Iterator[bytes]:
        for line in lines:
            kept.append(line)
            yield line

    return climb(keeping(), ed25519, progress=bar), kept


def count_session(lines: Iterable[bytes]) -> CountedSession:
    """The counts of a valid log, as of its last event, also where that is sealed. Raises Unusable."""
    events = read_events(lines)
    sessions = fold_events(events)
    facts = [event for event in events if isinstance(event, RecordedEvent)]
    evening = session_tallies(sessions[-1].ruleset, facts, sessions.__getitem__)
    return CountedSession(
        sessions[-1], evening._replace(version=len(events)), len(events) - len(facts)
    )


def _check_range(version: int, first: int, last: int | None) -> None:
    until = version if last is None else last
    if not first <= until <= version:
        raise VerifyUsageError(
            f"the log has versions 1 to {version}: {first} to {until} is no part of it"
        )


def _about(read: CountedSession, report: Report, found: SessionReport) -> Text:
    """What was counted of what, and how far it can be trusted."""
    ruleset, info = read.session.ruleset, read.session.info
    undone = "with what was undone" if found.undone else "without what was undone"
    sealed = f", {read.sealed:,} sealed events not counted" if read.sealed else ""
    about = f": {ruleset.title}, edition {ruleset.edition}, versions {found.first} to {found.last}, {undone}. "
    verdict = Text(messages.verdict(report), "green" if report.whole else "yellow")
    return Text.assemble((printable(info.title), "bold"), about, verdict, sealed, "\n")
