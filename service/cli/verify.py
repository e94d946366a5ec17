"""`fairlog verify FILE`: check an exported session offline.

If a key, checkpoint, receipts file or views file is malformed, the log is not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

import click
from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from domain.codec import MAX_LINE_BYTES, encode
from domain.proof import ProofError
from domain.proof.signed_note import COSIGNATURE, Vkey, parse_checkpoint, parse_note, parse_vkey
from domain.verify import Evidence, messages, verify as verify_log
from domain.verify.index_check import IndexProof, read_index_proof
from domain.verify.messages import FAILURES, TRUST, WARNINGS, describe_roll, roll_verdict
from domain.verify.receipts import ReceiptFile, read_receipts
from domain.verify.report import Failure, Level, Report, ReportWarning
from domain.verify.single_draw import MAX_ROLL_BYTES as MOST_ROLL, RollReport, verify_roll
from domain.verify.views_check import ServerViews, read_views
from service.cli.progress import progress
from service.platform import log_reader
from service.platform.ed25519 import verify as ed25519
from service.platform.log_reader import MAX_FILE_BYTES, UnreadableFileError
from service.platform.text import format_count, printable


def parse_log_key(ctx: click.Context, param: click.Parameter, text: str | None) -> Vkey | None:
    try:
        return None if text is None else parse_vkey(text.strip())
    except ProofError as broken:
        raise click.BadParameter(
            f"this is not a valid log key (expected: {broken.expected})"
        ) from None


def parse_witnesses(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[Vkey, ...]:
    return tuple(map(read_witness, texts))


def read_witness(text: str) -> Vkey:
    """Parse a witness's public key. Raises click.BadParameter."""
    try:
        key = parse_vkey(text.strip())
    except ProofError as broken:
        raise click.BadParameter(
            f"this is not a valid witness key (expected: {broken.expected})"
        ) from None
    if key.kind != COSIGNATURE:
        raise click.BadParameter("this is a log key, but a witness key (type 4) is required")
    return key


def read_checkpoints(
    ctx: click.Context, param: click.Parameter, files: tuple[Path, ...]
) -> tuple[str, ...]:
    try:
        found = tuple(read_start(file, MAX_LINE_BYTES).decode() for file in files)
        for text in found:
            parse_checkpoint(parse_note(text).text)
        return found
    except (ProofError, UnicodeDecodeError):
        raise click.BadParameter("the file does not contain a signed checkpoint") from None


def read_views_file(ctx: click.Context, param: click.Parameter, file: Path | None) -> ServerViews:
    try:
        return ServerViews(()) if file is None else read_views(read_start(file, MAX_FILE_BYTES))
    except (ValueError, RecursionError) as wrong:
        raise click.BadParameter(
            f"the file does not contain events from the server's API: {wrong}"
        ) from None


def read_receipts_file(
    ctx: click.Context, param: click.Parameter, file: Path | None
) -> ReceiptFile:
    try:
        return ReceiptFile(()) if file is None else read_receipts(read_start(file, MAX_FILE_BYTES))
    except (ValueError, RecursionError) as wrong:
        raise click.BadParameter(f"the file does not contain a seat's receipts: {wrong}") from None


def read_index_file(
    ctx: click.Context, param: click.Parameter, file: Path | None
) -> IndexProof | None:
    try:
        return None if file is None else read_index_proof(read_start(file, MAX_FILE_BYTES))
    except (ValueError, RecursionError) as wrong:
        raise click.BadParameter(f"the file does not contain an index proof: {wrong}") from None


def read_start(file: Path, most: int) -> bytes:
    with file.open("rb") as opened:
        return opened.read(most)


VALID, VALID_WITH_WARNINGS, INVALID, UNUSABLE = range(4)
PROGRESS_DELAY_SECONDS = 2.0  # before the progress bar appears
MAX_SHOWN_CHARACTERS = 300  # limit for `expected` and `found` on the screen; --json prints all
MAX_LISTED = 20  # limit for a list on the screen; --json prints all

FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


class UnusableFileError(click.ClickException):
    """Raised if a command cannot give a verdict, for example because a file is unreadable.

    The exit status is 3.
    """

    exit_code = UNUSABLE


class VerifyUsageError(click.UsageError):
    exit_code = UNUSABLE


class StrictCommand(click.Command):
    """A command that exits with status 3 on a usage error.

    For these commands, status 2 means an invalid log.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as wrong:
            raise VerifyUsageError(wrong.format_message(), wrong.ctx) from None


@click.command("verify", cls=StrictCommand, epilog="Limits of verification: " + TRUST)
@click.argument("file", type=FILE, required=False)
@click.option(
    "--key",
    callback=parse_log_key,
    help="The public key that you trust for this log. Default: the key in the log itself.",
)
@click.option(
    "--checkpoint",
    "checkpoints",
    type=FILE,
    multiple=True,
    callback=read_checkpoints,
    help="A file with a checkpoint that the log must extend. Can be repeated.",
)
@click.option(
    "--witness",
    "witnesses",
    multiple=True,
    callback=parse_witnesses,
    help="The public key of a witness, to check its cosignatures. Can be repeated.",
)
@click.option(
    "--quorum",
    type=click.IntRange(min=1),
    help="How many of the witnesses must have cosigned. Default: all of them.",
)
@click.option(
    "--index",
    type=FILE,
    callback=read_index_file,
    help="The proof that the session is in the server's index"
    " (GET /v1/sessions/SESSION/proofs/index), to check the witnesses' cosignatures of the index.",
)
@click.option(
    "--receipts",
    type=FILE,
    callback=read_receipts_file,
    help="A seat file, or a file with a seat's receipts. For each draw that has ended, the log"
    " must contain the contributions that the receipts confirm. Contributions without a receipt are"
    " compared with the voided draws.",
)
@click.option(
    "--draw", type=FILE, help="A file with the proof of a single roll, to check instead of a log."
)
@click.option(
    "--parent",
    type=FILE,
    help="The parent session's log. The log of a fork is checked against it.",
)
@click.option("--strict", is_flag=True, help="Exit with status 1 if there are warnings.")
@click.option("--json", "as_json", is_flag=True, help="Print the full report as JSON.")
@click.option(
    "--views",
    type=FILE,
    callback=read_views_file,
    help="A file with events from the server's API (JSON or NDJSON), to compare with the log.",
)
def verify(
    file: Path | None,
    draw: Path | None,
    parent: Path | None,
    strict: bool,
    as_json: bool,
    receipts: ReceiptFile,
    quorum: int | None,
    **options: Any,
) -> None:
    """Check an exported session offline: history, draws and compliance with the rules.

    Exit status: 0 valid, 1 valid with warnings (only with --strict), 2 invalid, 3 unusable file or
    usage error.
    """
    if (quorum or 0) > len(options["witnesses"]):
        raise VerifyUsageError("--quorum is larger than the number of witnesses: add --witness")
    evidence = Evidence(
        receipts=receipts.receipts,
        complaints=receipts.complaints,
        quorum=quorum or 0,
        **options,
    )
    if draw is not None:
        if file or parent or evidence != Evidence(key=evidence.key):
            raise VerifyUsageError(
                "--draw checks a single roll: combine it only with --key, --strict or --json"
            )
        raise SystemExit(_verify_roll_file(draw, evidence.key, strict, as_json))
    if file is None:
        raise VerifyUsageError("Missing argument 'FILE'.")
    with file.open("rb") as opened, ProgressBar() as bar:
        if parent is not None:
            evidence = replace(evidence, parent=_open_lines(parent))
        report = verify_log(read_lines(opened), ed25519, evidence, bar)
    if as_json:
        click.echo(
            encode({"valid": report.valid, "whole": report.whole, "report": report}).decode()
        )
    else:
        print_report(_console(), str(file), report)
    raise SystemExit(_exit_status(report, strict))


def _verify_roll_file(file: Path, key: Vkey | None, strict: bool, as_json: bool) -> int:
    """Check the proof of a single roll, print the result and return the exit status."""
    roll = verify_roll(read_start(file, MOST_ROLL + 1), ed25519, key)
    if as_json:
        click.echo(encode({"valid": roll.failure is None, "roll": roll}).decode())
        return _exit_status(roll, strict)
    console, colour = _console(), "bold red" if roll.failure else "bold green"
    console.print(Text(roll_verdict(roll), colour).append(f": {printable(str(file))}", "default"))
    for line in describe_roll(roll):
        console.print(f"  {printable(line)}", markup=False)
    if roll.failure:
        _print_failure(console, roll.failure)
    _print_warnings(console, [(each, WARNINGS[each.code][0]) for each in roll.warnings])
    return _exit_status(roll, strict)


def _exit_status(checked: Report | RollReport, strict: bool) -> int:
    return (
        INVALID
        if checked.failure
        else VALID_WITH_WARNINGS
        if strict and checked.warnings
        else VALID
    )


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True)


def _open_lines(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        yield from read_lines(opened)


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a plain or gzipped file, including their line endings.

    Raises LogLineError if the gzip data is corrupt, and UnusableFileError if the file is too large
    or unreadable.
    """
    try:
        yield from log_reader.read_lines(file)
    except UnreadableFileError as wrong:
        raise UnusableFileError(str(wrong)) from None


class ProgressBar:
    """A progress bar on standard error that appears after two seconds."""

    def __init__(self) -> None:
        self._bar = progress()
        self._task = self._bar.add_task("")
        self._since = monotonic()

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar.live.is_started:
            self._bar.stop()

    def __call__(self, level: Level, done: int, of: int) -> None:
        if monotonic() - self._since > PROGRESS_DELAY_SECONDS:
            self._bar.start()
        self._bar.update(self._task, description=level, completed=done, total=of or None)


def print_report(console: Console, name: str, report: Report) -> None:
    console.print(describe_verdict(name, report))
    for nth, level in enumerate(Level):
        console.print(_format_level(report, nth, level))
    if report.failure:
        _print_failure(console, report.failure)
    if report.counts.events:
        console.print()
        for line in messages.describe_counts(report, MAX_LISTED):
            console.print(f"  {printable(line)}", markup=False)
    _print_warnings(
        console,
        [(caution, messages.describe_warning(report, caution)) for caution in report.warnings],
    )


def _print_warnings(console: Console, warnings: Sequence[tuple[ReportWarning, str]]) -> None:
    for caution, said in warnings:
        _, advice = WARNINGS[caution.code]
        console.print(
            Text(f"\n  {caution.code}  ", "yellow").append(f"{said}\n    {advice}", "default")
        )


def describe_verdict(name: str, report: Report) -> Text:
    """Return a coloured line with the verdict on a log, the number of warnings, and `name`."""
    warned = "" if report.failure else f", {format_count(len(report.warnings), 'warning')}"
    colour = "red" if report.failure else "green" if report.whole else "yellow"
    return Text(messages.verdict(report), f"bold {colour}").append(
        f"{warned}: {printable(name)}", "default"
    )


def _format_level(report: Report, nth: int, level: Level) -> Text:
    held = list(Level).index(report.reached) + 1 if report.reached else 0
    if nth < held:
        in_part = any(part.level is level for part in report.partly)
        mark = Text("  ~ ", "yellow") if in_part else Text("  ✓ ", "green")
        return mark.append(f"{level:<6} {messages.describe_level(report, level)}", "default")
    if report.failure and report.failure.level is level:
        return Text(f"  ✗ {level:<6} {report.failure.code}", "bold red")
    return Text(f"  · {level:<6} not checked", "dim")


def _print_failure(console: Console, failure: Failure) -> None:
    console.print(f"\n  {FAILURES.get(failure.code, '')}", markup=False)
    for label, text in (
        *([("log", "the parent session's")] if failure.parent else []),
        ("version", str(failure.version)),
        ("level", failure.level),
        ("code", failure.code),
        ("expected", failure.expected),
        ("found", failure.found),
    ):
        shown = printable(text)
        cut = "…" if len(shown) > MAX_SHOWN_CHARACTERS else ""
        console.print(Text(f"  {label:<9}{shown[:MAX_SHOWN_CHARACTERS]}{cut}"))
