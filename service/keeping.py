"""`fairlog backup` and `fairlog restore`."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from service.using import could_not, settings_of_environment, with_log

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("backup")
@click.argument("file", type=FILE)
def backup(file: Path) -> None:
    """Back up log and keys while all runs.

    One file, of one moment: the log, what is stored beside it, and the keys. Whoever has it can act as this server:
    keep it as you keep keys. The views are not in it, for they are made from the log.

    \b
    Example:  fairlog backup friday.tar
    Next:     FAIRLOG_DATA=/tmp/try fairlog restore friday.tar
    """
    from service.backup import NotBackedUp, back_up

    with could_not(NotBackedUp):
        about = back_up(with_log(settings_of_environment()), file)
    click.echo(f"{file}: {about.sessions:,} sessions, {about.events:,} events, and the keys")


@click.command("restore")
@click.argument("file", type=FILE)
def restore(file: Path) -> None:
    """Make a data directory from a backup.

    FAIRLOG_DATA must name an empty directory. Every session is verified on the way; where one does not hold, nothing is
    restored. What came after the backup is lost: fork a session that had gone on, for its seats have seen more of it.

    Example: `FAIRLOG_DATA=/srv/fairlog fairlog restore friday.tar`, and then `fairlog serve`.
    """
    from service.backup import NotRestored
    from service.backup import restore as bring_back

    settings = settings_of_environment()
    columns = (TextColumn("verifying"), BarColumn(), MofNCompleteColumn())
    with could_not(NotRestored), Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("")
        restored = bring_back(settings, file, lambda done, of: bar.update(task, completed=done, total=of))
    about = restored.about
    click.echo(f"{settings.data}: {about.sessions:,} sessions, {about.events:,} events, all verified")
    if restored.still_open:
        click.echo(
            f"{restored.still_open:,} are open: fork those that had gone on after the backup (docs/operating.md)"
        )
