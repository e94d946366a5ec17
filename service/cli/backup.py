"""`fairlog backup` and `restore`: back up and restore a server's log and keys."""

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
    """Back up the log and the keys of a running server.

    The file contains the keys and a consistent snapshot of the log and its related tables. It does
    not contain the read models, because they can be rebuilt from the log. Anyone who has the file
    can act as this server, so protect it as carefully as the keys. If DATABASE_URL is set, the log
    is read from that database; the file format is the same.

    Example: `fairlog backup friday.tar`

    Next: `FAIRLOG_DATA=/tmp/try fairlog restore friday.tar`
    """
    from service.ops.backup import BackupError, back_up

    settings = require_log(settings_of_environment())
    with report_errors(BackupError):
        about = back_up(settings, file)
    # Checked after the copy, because the keys may be replaced while it runs.
    if problem := _find_key_problem(settings):
        raise click.ClickException(
            f"{file} was written, but it may be unusable: {problem.rstrip('.')}."
            " Correct this, then back up again."
        )
    click.echo(f"backed up {_describe_contents(about)} and the keys to {file}")


def _find_key_problem(settings: Settings) -> str:
    """Return the reason why the log cannot be continued with these keys, and what to do about it.

    Return "" if the log can be continued.
    """
    from projections.stores.errors import unusable
    from service.ops.health import check_signatures
    from service.sessions.app import build

    try:
        with closing(build(settings)) as app:
            found = check_signatures(app)
    except Exception as error:
        if problem := unusable(error):
            return problem
        raise
    return f"{found.found}: {found.todo}" if found.todo else ""


@click.command("restore")
@click.argument("file", type=FILE)
@click.option(
    "--complete",
    is_flag=True,
    help="Let open sessions continue. Use this only if nothing was played after the backup.",
)
@click.option(
    "--end-tokens",
    is_flag=True,
    help="Revoke all tokens and invitations. Use this if someone else may have had access to the"
    " backup.",
)
def restore(file: Path, complete: bool, end_tokens: bool) -> None:
    """Create a data directory from a backup.

    FAIRLOG_DATA must name an empty or new directory. If DATABASE_URL is set, it must name an empty
    database. Every session is verified. If any session is invalid, nothing is restored.

    Everything that was played after the backup is lost, including rolls that players may have seen.
    Each open session must therefore be forked before its next draw. With --complete, open sessions
    can continue without a fork. With --end-tokens, no seat can act in the restored sessions; they
    can still be read and exported.

    Example: `FAIRLOG_DATA=/srv/fairlog fairlog restore friday.tar`, and then `fairlog serve`.
    """
    from service.ops.backup import RestoreError, restore as bring_back
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
            end_tokens=end_tokens,
        )
    about = restored.manifest
    database = " and the database" if settings.is_on_postgres else ""
    click.echo(f"restored {settings.data}{database}: {_describe_contents(about)}, all verified")
    if end_tokens:
        click.echo("all tokens and invitations are revoked: open new sessions to continue playing")
    elif restored.still_open and complete:
        click.echo(f"open sessions: {restored.still_open:,}. They can continue without a fork.")
    elif restored.still_open:
        click.echo(
            f"open sessions: {restored.still_open:,}. Fork each of them before its next draw"
            " (see Restore in docs/operating.md)."
        )
    with closing(build(settings)) as app:
        for found in check_keys(app):
            if found.todo:
                click.echo(f"{found.part}: {found.found}: {found.todo}")


def _describe_contents(about: BackupManifest) -> str:
    return f"{format_count(about.sessions, 'session')}, {format_count(about.events, 'event')}"
