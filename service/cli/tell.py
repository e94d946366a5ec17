"""`fairlog tell FILE`: print the transcript of an exported session, turn by turn."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from domain.log_file import LogLineError
from domain.transcript import UnreadableLogError, read_events, to_markdown, to_text, transcript
from domain.verify.report import VerificationError
from domain.verify.rules_check import RULESET_ERRORS
from service.cli.verify import FILE, StrictCommand, UnusableFileError, read_lines
from service.platform.clock import MAX_TIME_MS


@click.command("tell", cls=StrictCommand)
@click.argument("file", type=FILE)
@click.option("--markdown", is_flag=True, help="Print Markdown, with undone turns struck through.")
def tell(file: Path, markdown: bool) -> None:
    """Print the transcript of an exported session, turn by turn.

    This does not prove that the log is valid. To check that, use `fairlog verify`.
    """
    write = to_markdown if markdown else to_text
    try:
        with file.open("rb") as opened:
            found = transcript(read_events(read_lines(opened)))
    except UnreadableLogError as missing:
        raise UnusableFileError(str(missing)) from None
    except (LogLineError, VerificationError) as bad:
        raise UnusableFileError(
            f"invalid log: {bad.code} at version {bad.version}. Run `fairlog verify` for details."
        ) from None
    except RULESET_ERRORS as wrong:
        raise UnusableFileError(
            f"cannot describe the events ({wrong!r}). Run `fairlog verify` for details."
        ) from None
    day = datetime.fromtimestamp(min(found.opened, MAX_TIME_MS) / 1000, UTC).date().isoformat()
    for line in write(found, day):
        click.echo(line)
