"""`fairlog export` and `import`: write a session to a file, or import it from one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

import click

from service.cli.context import app_of_environment, report_errors
from service.platform.files import open_private
from service.platform.text import format_count


@click.command()
@click.argument("session")
@click.option(
    "-o",
    "--output",
    default="-",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="The file to write. Default: standard output.",
)
def export(session: str, output: str) -> None:
    """Write a session's log to a .fairlog file.

    The file contains every event with its opening, and a signed checkpoint. Anyone who has the file
    can verify it offline and read every secret of the session, so it is created with mode 0600.
    On the Verify page or over HTTP, players and spectators can export a file that does not contain
    the other seats' secrets.

    Example: `fairlog export 7c0f1d5a3b9e4c6f8a2b4d6e8f0a1c3e -o friday.fairlog`

    Next: `fairlog verify friday.fairlog`
    """
    from service.sessions import log_files

    with app_of_environment() as app, report_errors(log_files.LogExportError):
        lines = log_files.export_log(app, session)
        try:
            if output == "-":
                sys.stdout.buffer.writelines(lines)
            else:
                with open_private(Path(output).resolve()) as file:
                    file.writelines(lines)
        except OSError as error:  # the error's text names the temporary file
            raise click.ClickException(f"cannot write {output}: {error.strerror}") from None
    where = "the output" if output == "-" else output
    click.echo(f"{where} contains every secret of the session", err=True)


@click.command("import")
@click.argument("file", type=click.File("rb"))
def import_(file: BinaryIO) -> None:
    """Verify a .fairlog file and store its session.

    Stores nothing unless the file passes every check of `fairlog verify`. You can then read the
    session, and export it to an identical file. You cannot continue the session, because its hash
    chains and keys are on the server that created it.

    Example: `fairlog import friday.fairlog`, and then `fairlog export SESSION`.
    """
    from service.cli.verify import ProgressBar, read_lines
    from service.sessions.log_files import LogImportError, import_log

    with app_of_environment() as app, report_errors(LogImportError), ProgressBar() as bar:
        report = import_log(app, read_lines(file), bar)
    events = format_count(report.counts.events, "event")
    turns = format_count(report.counts.turns, "turn")
    click.echo(f"imported {report.session}: {events}, {turns}, all verified")
