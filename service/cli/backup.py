"""`fairlog backup` and `fairlog restore`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.cli.context import report_errors, require_log, settings_of_environment
from service.cli.progress import progress
from service.platform.text import format_count

if TYPE_CHECKING:
    from service.ops.backup import BackupManifest
    from service.platform.settings import Settings

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("backup")
@click.argument("file", type=FILE)
def backup(file: Path) -> None:
    """Back up log and keys while all runs.

    One file, of one moment: the log, what is stored beside it, and the keys. Whoever has it can act as this server:
    keep it as you keep keys. The views are not in it, for they are made from the log. With DATABASE_URL set the log is
    read from there, and the file is the same.

    \b
    Example:  fairlog backup friday.tar
    Next:     FAIRLOG_DATA=/tmp/try fairlog restore friday.tar
    """
    from service.ops.backup import BackupError, back_up

    settings = require_log(settings_of_environment())
    with report_errors(BackupError):
        about = back_up(settings, file)
    if wrong := _find_key_problem(settings):  # behind the copy, which has the keys of its own time
        raise click.ClickException(f"{file} is written, but {wrong}; then back up again")
    click.echo(f"{file}: {_describe_contents(about)}, and the keys")


def _find_key_problem(settings: Settings) -> str:
    """Why they cannot go on with the log; "" where they can."""
    from projections.stores.errors import unusable
    from service.ops.health import check_signatures
    from service.sessions.app import build

    try:
        with closing(build(settings)) as app:
            found = check_signatures(app)
    except Exception as wrong:
        if said := unusable(wrong):
            return said
        raise
    return f"{found.found}: {found.todo}" if found.todo else ""


@click.command("restore")
@click.argument("file", type=FILE)
@click.option(
    "--complete",
    is_flag=True,
    help="Nothing was played after the backup: the server was stopped before it.",
)
def restore(file: Path, complete: bool) -> None:
    """Make a data directory from a backup.

    FAIRLOG_DATA must name an empty directory, and DATABASE_URL, where it is set, an empty database. Every session is
    verified on the way; where one does not hold, nothing is restored. What came after the backup is lost: its seats may
    have seen more of it, the next rolls too, so an open session is forked before it draws again; not with --complete.

    Example: `FAIRLOG_DATA=/srv/fairlog fairlog restore friday.tar`, and then `fairlog serve`.
    """
    from service.ops.backup import RestoreError
    from service.ops.backup import restore as bring_back
    from service.ops.health import check_keys
    from service.sessions.app import build

    settings = settings_of_environment()
    with report_errors(RestoreError), progress() as bar:
        task = bar.add_task("verifying")
        restored = bring_back(
            settings,
            file,
            lambda done, total: bar.update(task, completed=done, total=total),
            complete=complete,
        )
    about, there = restored.manifest, " and the database" if settings.is_on_postgres else ""
    click.echo(f"{settings.data}{there}: {_describe_contents(about)}, all verified")
    if restored.still_open and complete:
        click.echo(f"still open: {restored.still_open:,}, which go on")
    elif restored.still_open:
        click.echo(
            f"still open: {restored.still_open:,}; each is forked before it draws again (docs/operating.md, Restore)"
        )
    with closing(build(settings)) as app:
        for found in check_keys(app):
            if found.todo:
                click.echo(f"{found.part}: {found.found}: {found.todo}")


def _describe_contents(about: BackupManifest) -> str:
    return f"{format_count(about.sessions, 'session')}, {format_count(about.events, 'event')}"
