"""`fairlog copy`: copies the log of the data directory into a PostgreSQL database."""

from __future__ import annotations

from dataclasses import replace

import click

from service.progress import progress
from service.using import could_not, settings_of_environment
from service.words import counted


@click.command()
def copy() -> None:
    """Copy a SQLite log to PostgreSQL.

    Copies every event with its position, every answer, token, invitation and secret of FAIRLOG_DATA into the empty
    database at DATABASE_URL, then reads them back and compares. The file is not changed. The keys stay where they are.

    Example: stop everything, `DATABASE_URL=postgresql://... fairlog copy`, and then `fairlog serve` with the same.
    """
    from service.bootstrap import missing, prepare
    from service.owning import NotServing, owned
    from service.settings import SQLITE
    from service.signing import read_keys
    from service.storage.transfer import NotTransferred, copy_to_postgres, count_rows

    settings = settings_of_environment()
    here = replace(settings, database=SQLITE)
    if not settings.is_on_postgres:
        raise click.ClickException("DATABASE_URL names no PostgreSQL database to copy to")
    if not here.log_file.exists():
        raise click.ClickException(
            f"there is no log in {here.data} to copy: set FAIRLOG_DATA to another directory"
        )
    with could_not(NotTransferred, NotServing), owned(settings):
        read_keys(settings.keys)
        if lacks := missing(here):
            raise NotTransferred(
                f"the log lacks {lacks}: create it with `DATABASE_URL= fairlog migrate`"
            )
        prepare(settings)
        with progress() as bar:
            sizes = count_rows(settings.log_file)
            tasks = {table: bar.add_task(table, total=size) for table, size in sizes.items()}
            rows = copy_to_postgres(
                settings.log_file,
                settings.database,
                lambda table, done: bar.update(tasks[table], completed=done),
            )
    events, all_rows = counted(rows["stored_events"], "event"), counted(sum(rows.values()), "row")
    click.echo(f"copied and compared: {events}, {all_rows} in all")
