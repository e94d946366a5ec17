"""The `fairlog stats` command, which verifies a log and prints its statistics."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
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
from domain.verify.bytes_check import SealedEvent
from domain.verify.report import Report
from domain.verify.rules_check import RULESET_ERRORS
from projections.statistics_model import DRAWN, SessionReport
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
from workers.statistics.report import Chosen, VersionRange, chosen_seats, compute_report
from workers.voided_draws import reported_voided_results


class CountedSession(NamedTuple):
    """The final state of a session in a valid log, and its tallies.

    `sealed` is the number of sealed events, which are not tallied. `hidden` maps their turns to
    seats.
    """

    session: Session
    tallies: SessionTallies
    sealed: int
    hidden: Mapping[int, str]


def show(file: Path, as_json: bool, first: int | None, last: int | None) -> None:
    """Verify a log file and print its statistics.

    Raises SystemExit if the log is invalid, and UnusableFileError if its statistics cannot be
    computed. Raises VerifyUsageError if the log does not contain the versions from `first` to
    `last`.
    """
    read, report = read_session(file)
    found = compute_report(
        read.tallies,
        is_final=read.session.info.closed,
        versions=_range(read.tallies.version, first, last),
        voided=reported_voided_results(report.voids),
        chosen=chosen_of(read, read.hidden),
        hidden=read.hidden,
    )
    if as_json:
        click.echo(
            json.dumps(msgspec.to_builtins(found))
        )  # ASCII only, so it cannot contain terminal control characters
    else:
        console = Console(highlight=False)
        console.print(_heading(read))
        console.print(draw_statistics(found, names(read.session)))
        console.print(_coverage(read, report, found))


def read_session(file: Path) -> tuple[CountedSession, Report]:
    """Verify a log file, and return the session with its tallies.

    Raises SystemExit if the log is invalid, and UnusableFileError if it cannot be counted.
    """
    with file.open("rb") as opened, ProgressBar() as bar:
        report, lines = verify_lines(read_lines(opened), bar)
    if not report.valid:
        print_report(Console(stderr=True, highlight=False, soft_wrap=True), str(file), report)
        raise SystemExit(INVALID)
    try:
        return count_session(lines), report
    except RULESET_ERRORS as wrong:  # the rules were not checked for sealed events
        raise UnusableFileError(
            f"cannot compute statistics: the ruleset cannot process this log ({wrong!r})"
        ) from None


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
    sealed = [event for event in events if isinstance(event, SealedEvent)]
    return CountedSession(
        sessions[-1],
        tallies._replace(version=len(events)),
        len(sealed),
        {event.turn: event.seat for event in sealed},
    )


def public_view(read: CountedSession) -> CountedSession:
    """Return the session as everyone may see it, without what only the file's owner may see."""
    seats = {turn.turn: turn.seat for turn in read.tallies.turns}
    secret = {turn: seats[turn] for turn in read.session.secrets.seals if turn in seats}
    hidden = secret | dict(read.hidden)
    return read._replace(tallies=read.tallies.open_to(hidden), hidden=hidden)


def chosen_of(read: CountedSession, hidden: Mapping[int, str]) -> frozenset[Chosen]:
    """Return the seats of whose secret values some are hidden.

    `hidden` maps hidden turns to their seats.
    """
    drawn = {turn.turn for turn in read.tallies.turns if turn.dice == DRAWN}
    may_declare = bool(read.session.info.options.get("declared_dice", False))
    return chosen_seats(hidden, drawn, may_declare=may_declare)


def _range(version: int, first: int | None, last: int | None) -> VersionRange | None:
    """Return the range that the options ask for, or None for the whole session."""
    if first is None and last is None:
        return None
    start, end = first or 1, version if last is None else last
    if not start <= end <= version:
        raise VerifyUsageError(
            f"cannot compute statistics for versions {start} to {end}: the log contains"
            f" versions 1 to {version}. Change --from or --to."
        )
    return start, end


def _heading(read: CountedSession) -> Text:
    title = printable(read.session.info.title)
    return Text.assemble((title, "bold"), f": {read.session.ruleset.title}\n")


def _coverage(read: CountedSession, report: Report, found: SessionReport) -> Text:
    """Return a line that says what was counted, and whether the log is valid."""
    ruleset = read.session.ruleset
    sealed = f", {read.sealed:,} sealed events not counted" if read.sealed else ""
    about = f"{ruleset.title}, edition {ruleset.edition}, versions {found.first} to {found.last}. "
    verdict = Text(messages.verdict(report), "green" if report.whole else "yellow")
    return Text.assemble((about, "grey62"), verdict, sealed)
