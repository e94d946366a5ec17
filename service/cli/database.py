"""`fairlog copy`: copies the log of the data directory into a PostgreSQL database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import click
from rich.progress import Progress

from domain.recorded_event import LogRow
from projections.runner import EventSource
from service.cli.context import report_errors, settings_of_environment
from service.cli.progress import progress
from service.platform.text import format_count
from service.sessions.app import App


@click.command()
def copy() -> None:
    """Copy a SQLite log to PostgreSQL.

    Copies every event with its position, every answer, token, invitation and secret of FAIRLOG_DATA into the empty
    database at DATABASE_URL, then reads them back and compares. The file is not changed. The keys stay where they are.

    Example: stop everything, `DATABASE_URL=postgresql://... fairlog copy`, and then `fairlog serve` with the same.
    """
    from service.ops.data_directory import ServeError, lock_data_directory
    from service.ops.migrate import find_missing, prepare
    from service.platform.keys import read_keys
    from service.platform.settings import SQLITE
    from service.store.transfer import TransferError, copy_to_postgres, count_rows

    settings = settings_of_environment()
    here = replace(settings, database=SQLITE)
    if not settings.is_on_postgres:
        raise click.ClickException("DATABASE_URL names no PostgreSQL database to copy to")
    if not here.log_file.exists():
        raise click.ClickException(
            f"there is no log in {here.data} to copy: set FAIRLOG_DATA to another directory"
        )
    with report_errors(TransferError, ServeError), lock_data_directory(settings):
        read_keys(settings.keys)
        if lacks := find_missing(here):
            raise TransferError(
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
    events, all_rows = (
        format_count(rows["stored_events"], "event"),
        format_count(sum(rows.values()), "row"),
    )
    click.echo(f"copied and compared: {events}, {all_rows} in all")


def rebuild(app: App, names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Rebuild each view; yield its name and the number of events applied."""
    with progress() as bar:
        for name in names:
            yield name, app.read_models.rebuild(_WatchedLog(app.log, bar, name), name)


class _WatchedLog:
    """The log, which moves a progress bar as its rows are read."""

    def __init__(self, log: EventSource, bar: Progress, name: str) -> None:
        self._log, self._bar = log, bar
        self._task = bar.add_task(name, total=log.end())
        self.at, self.end = log.at, log.end

    def rows(self, after: int, limit: int) -> Sequence[LogRow]:
        self._bar.update(self._task, completed=after)
        return self._log.rows(after, limit)
