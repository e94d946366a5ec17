"""What a reader brings along to `fairlog verify`: keys, checkpoints, receipts, views, each read strictly."""

from __future__ import annotations

from pathlib import Path

import click

from domain.plain import MOST_LINE
from domain.proof import Broken
from domain.proof.note import COSIGNATURE, Vkey, parse_checkpoint, parse_note, parse_vkey
from domain.verify import Receipt, Views, read_receipts, read_views

MOST_BYTES = 1 << 29  # no evening comes near; what is larger would only eat memory


def vkey(ctx: click.Context, param: click.Parameter, text: str | None) -> Vkey | None:
    try:
        return None if text is None else parse_vkey(text.strip())
    except Broken as broken:
        raise click.BadParameter(f"not a log's key ({broken.expected})") from None


def witnesses_of(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[Vkey, ...]:
    return tuple(map(read_witness, texts))


def read_witness(text: str) -> Vkey:
    """The key of a witness. Raises click.BadParameter."""
    try:
        key = parse_vkey(text.strip())
    except Broken as broken:
        raise click.BadParameter(f"not a witness's key ({broken.expected})") from None
    if key.kind != COSIGNATURE:
        raise click.BadParameter("this is a log's key, not a witness's (type 4)")
    return key


def notes(ctx: click.Context, param: click.Parameter, files: tuple[Path, ...]) -> tuple[str, ...]:
    try:
        found = tuple(start_of(file, MOST_LINE).decode() for file in files)
        for text in found:
            parse_checkpoint(parse_note(text).text)
        return found
    except (Broken, UnicodeDecodeError):
        raise click.BadParameter("not a signed checkpoint") from None


def views_of(ctx: click.Context, param: click.Parameter, file: Path | None) -> Views:
    try:
        return Views(()) if file is None else read_views(start_of(file, MOST_BYTES))
    except (ValueError, RecursionError) as wrong:
        raise click.BadParameter(f"not the server's views: {wrong}") from None


def receipts_of(
    ctx: click.Context, param: click.Parameter, file: Path | None
) -> tuple[Receipt, ...]:
    try:
        return () if file is None else read_receipts(start_of(file, MOST_BYTES))
    except (ValueError, RecursionError) as wrong:
        raise click.BadParameter(f"not the receipts of a seat: {wrong}") from None


def start_of(file: Path, most: int) -> bytes:
    """The file, or so many bytes of it."""
    with file.open("rb") as opened:
        return opened.read(most)
