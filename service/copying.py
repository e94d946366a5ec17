"""`fairlog copy`: the log of the data directory into the PostgreSQL database at DATABASE_URL, where it goes on."""

from __future__ import annotations

from dataclasses import replace

import click

from service.using import could_not, settings_of_environment
from service.words import counted


@click.command()
def copy() -> None:
    """Copy a SQLite log to PostgreSQL.

    Every event with its position, every answer, token, invitation and secret of FAIRLOG_DATA, byte for byte, into an
    empty database; read back and compared before it counts. The file is left as it is. The keys stay where they are.

    Example: stop everything, `DATABASE_URL=postgresql://... fairlog copy`, and then `fairlog serve` with the same.
    """
    from rich.console import Console
    from rich.progress import Progress

    from service.bootstrap import missing, prepare
    from service.owning import NotServing, owned
    from service.settings import SQLITE
    from service.signing import read_keys
    from service.storage.copying import NotCopied, copied, sizes

    settings = settings_of_environment()
    here = replace(settings, database=SQLITE)
    if not settings.is_on_postgres:
        raise click.ClickException("DATABASE_URL names no PostgreSQL database to copy to")
    if not here.log_file.exists():
        raise click.ClickException(
            f"there is no log in {here.data} to copy: FAIRLOG_DATA names another directory"
        )
    with could_not(NotCopied, NotServing), owned(settings):
        read_keys(settings.keys)
        if lacks := missing(here):
            raise NotCopied(f"the log here lacks {lacks}: `DATABASE_URL= fairlog migrate` makes it")
        prepare(settings)
        console = Console(stderr=True)
        with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
            bars = {
                table: progress.add_task(table, total=size or None)
                for table, size in sizes(settings.log_file).items()
            }
            rows = copied(
                settings.log_file,
                settings.database,
                lambda table, done: progress.update(bars[table], completed=done),
            )
    events, all_rows = counted(rows["stored_events"], "event"), counted(sum(rows.values()), "row")
    click.echo(f"copied and compared: {events}, {all_rows} in all")
