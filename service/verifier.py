"""`fairlog verify FILE`: the offline check of an exported evening. Needs the domain alone, no server and no setting."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import BinaryIO

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from domain.bundle import BadLine
from domain.codec import encode
from domain.proof import Broken
from domain.proof.note import Vkey, parse_checkpoint, parse_note, parse_vkey
from domain.verify import Failure, Known, Report, Rung, Views, meanings, read_views
from domain.verify import verify as climb
from domain.verify.meanings import FAILURES, TRUST, WARNINGS
from domain.verify.report import WHOLE_GZIP
from service.ed25519 import verify as ed25519

VALID, WARNED, INVALID, UNUSABLE = range(4)
GZIP = b"\x1f\x8b"
MOST_LINE, MOST_BYTES = 1 << 20, 1 << 29  # no evening comes near; what is larger would only eat memory
PATIENCE = 2.0  # seconds before a progress bar appears
LONGEST = 300  # characters of expected and found on the screen; --json has more
MOST_LISTED = 20  # rolls beside their next, or take-backs, on the screen; --json has all

FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)


class Unusable(click.ClickException):
    """What cannot be judged at all."""

    exit_code = UNUSABLE


class WrongUsage(click.UsageError):
    exit_code = UNUSABLE


class StrictCommand(click.Command):
    """Wrong usage ends with status 3: click's own 2 would read as a log that is invalid."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as wrong:
            raise WrongUsage(wrong.format_message(), wrong.ctx) from None


def _vkey(ctx: click.Context, param: click.Parameter, text: str | None) -> Vkey | None:
    try:
        return None if text is None else parse_vkey(text.strip())
    except Broken as broken:
        raise click.BadParameter(f"not a log's key ({broken.expected})") from None


def _notes(ctx: click.Context, param: click.Parameter, files: tuple[Path, ...]) -> tuple[str, ...]:
    try:
        notes = tuple(_start(file, MOST_LINE).decode() for file in files)
        for text in notes:
            parse_checkpoint(parse_note(text).text)
        return notes
    except (Broken, UnicodeDecodeError):
        raise click.BadParameter("not a signed checkpoint") from None


def _views(ctx: click.Context, param: click.Parameter, file: Path | None) -> Views:
    try:
        return Views(()) if file is None else read_views(_start(file, MOST_BYTES))
    except (ValueError, RecursionError) as wrong:
        raise click.BadParameter(f"not the server's views: {wrong}") from None


def _start(file: Path, most: int) -> bytes:
    with file.open("rb") as opened:
        return opened.read(most)


@click.command("verify", cls=StrictCommand, epilog="What stays trust: " + TRUST)
@click.argument("file", type=FILE)
@click.option("--key", callback=_vkey, help="The log's key that you trust; without it the key is taken from the log.")
@click.option(
    "--checkpoint", "checkpoints", type=FILE, multiple=True, callback=_notes,
    help="A checkpoint that you kept: the log must extend it. May be given more than once.",
)  # fmt: skip
@click.option("--parent", type=FILE, help="The parent's log, of a fork: both must say the same of it.")
@click.option("--strict", is_flag=True, help="Exit with 1 where there are warnings.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole report as JSON.")
@click.option(
    "--views", type=FILE, callback=_views, help="Events as the server's API tells them (JSON or NDJSON), to compare."
)
def verify(
    file: Path, key: Vkey | None, checkpoints: tuple[str, ...], parent: Path | None, strict: bool, as_json: bool,
    views: Views,
) -> None:  # fmt: skip
    """Check an exported evening, offline: that no die was bent, no history rewritten, every outcome by the rules.

    Exit status: 0 valid, 1 valid with warnings under --strict, 2 invalid, 3 the file or the command cannot be used.
    """
    with file.open("rb") as opened, Bar() as bar:
        above = None if parent is None else _lines_of(parent)
        report = climb(read_lines(opened), ed25519, Known(key, checkpoints, views, above), bar)
    if as_json:
        click.echo(encode({"valid": report.valid, "whole": report.whole, "report": report}).decode())
    else:
        _print(Console(highlight=False, soft_wrap=True), str(file), report)
    raise SystemExit(INVALID if report.failure else WARNED if strict and report.warnings else VALID)


def _lines_of(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        yield from read_lines(opened)


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, gzipped or not, each with its line end. Raises Unusable, and BadLine on broken gzip."""
    read = 0
    nth = 0
    try:
        packed = file.peek(2)[:2] == GZIP  # type: ignore[attr-defined]
        lines = gzip.GzipFile(fileobj=file) if packed else file
        while line := lines.readline(MOST_LINE):
            yield line
            nth += 1
            read += len(line)
            if read > MOST_BYTES:
                raise Unusable(f"more than {MOST_BYTES >> 20} MiB: no evening is so long")
    except (gzip.BadGzipFile, EOFError, zlib.error) as wrong:
        raise BadLine(nth, "E_FORMAT", str(wrong), WHOLE_GZIP) from None
    except OSError as wrong:
        raise Unusable(str(wrong)) from None


class Bar:
    """A progress bar on the error stream, for those who have waited two seconds."""

    def __init__(self) -> None:
        columns = (TextColumn("{task.description:<5}"), BarColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("")
        self._since = monotonic()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar.live.is_started:
            self._bar.stop()

    def __call__(self, rung: Rung, done: int, of: int) -> None:
        if monotonic() - self._since > PATIENCE:
            self._bar.start()
        self._bar.update(self._task, description=rung, completed=done, total=of or None)


def _print(console: Console, name: str, report: Report) -> None:
    console.print(_verdict(name, report))
    for nth, rung in enumerate(Rung):
        console.print(_step(report, nth, rung))
    if report.failure:
        _print_failure(console, report.failure)
    if report.counts.events:
        console.print()
        for line in meanings.counted(report, MOST_LISTED):
            console.print(f"  {line}", markup=False)
    for caution in report.warnings:
        _, advice = WARNINGS[caution.code]
        said = f"{meanings.warned(report, caution)}\n    {advice}"
        console.print(Text(f"\n  {caution.code}  ", "yellow").append(said, "default"))


def _verdict(name: str, report: Report) -> Text:
    warned = "" if report.failure else f", {len(report.warnings)} warnings"
    colour = "red" if report.failure else "green" if report.whole else "yellow"
    return Text(meanings.verdict(report), f"bold {colour}").append(f"{warned}: {plain(name)}", "default")


def _step(report: Report, nth: int, rung: Rung) -> Text:
    held = list(Rung).index(report.reached) + 1 if report.reached else 0
    if nth < held:
        in_part = any(part.rung is rung for part in report.partly)
        mark = Text("  ~ ", "yellow") if in_part else Text("  ✓ ", "green")
        return mark.append(f"{rung:<6} {meanings.held(report, rung)}", "default")
    if report.failure and report.failure.rung is rung:
        return Text(f"  ✗ {rung:<6} {report.failure.code}", "bold red")
    return Text(f"  · {rung:<6} not checked", "dim")


def _print_failure(console: Console, failure: Failure) -> None:
    console.print(f"\n  {FAILURES.get(failure.code, '')}", markup=False)
    for label, text in (
        *([("log", "the parent's")] if failure.parent else []),
        ("version", str(failure.version)), ("rung", failure.rung), ("code", failure.code),
        ("expected", failure.expected), ("found", failure.found),
    ):  # fmt: skip
        shown = plain(text)
        console.print(Text(f"  {label:<9}{shown[:LONGEST]}{'…' * (len(shown) > LONGEST)}"))


def plain(text: str) -> str:
    """Text from a file that a stranger made: what could drive a terminal is not printed."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
