"""`fairlog copy` and `rebuild`: copy the log to PostgreSQL, or rebuild read models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click
from rich.progress import Progress

from domain.recorded_event import LogRow
from projections.runner import EventSource
from service.cli.context import app_of_environment, report_errors, settings_of_environment
from service.cli.progress import progress
from service.platform.text import format_count


@click.command()
def copy() -> None:
    """Copy a SQLite log to PostgreSQL.

    The command copies every event, stored response, token, invitation and secret from FAIRLOG_DATA
    to the empty database at DATABASE_URL. It then reads the copies back and compares them with the
    originals. Events keep their positions. The SQLite file and the keys are not changed. Stop the
    server first.

    Example: `DATABASE_URL=postgresql://... fairlog copy`, and then `fairlog serve` with the same
    DATABASE_URL.
    """
    from service.ops.data_directory import ServeError, lock_data_directory
    from service.ops.migrate import find_missing, prepare
    from service.platform.keys import read_keys
    from service.platform.settings import SQLITE
    from service.store.transfer import TransferError, copy_to_postgres, count_rows

    settings = settings_of_environment()
    here = replace(settings, database=SQLITE)
    if not settings.is_on_postgres:
        raise click.ClickException(
            "DATABASE_URL does not name a PostgreSQL database: set it to the URL of an empty one"
        )
    if not here.log_file.exists():
        raise click.ClickException(
            f"there is no log in {here.data}: set FAIRLOG_DATA to the log's directory"
        )
    with report_errors(TransferError, ServeError), lock_data_directory(settings):
        read_keys(settings.keys)
        if lacks := find_missing(here):
            raise TransferError(
                f"{lacks} is missing from {here.data}:"
                " create it with `DATABASE_URL= fairlog migrate`"
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
    click.echo(f"copied and compared {events} ({all_rows} in total)")


@click.command()
@click.argument("names", metavar="[READ_MODEL]...", nargs=-1)
def rebuild(names: tuple[str, ...]) -> None:
    """Rebuild read models from the log.

    Without arguments, rebuilds all of them. Readers use the old read model until the new one is
    complete.

    Example: `fairlog rebuild timeline`, and then `fairlog doctor`.
    """
    with app_of_environment() as app, progress() as bar:
        known = [model.name for model in app.read_models.followed]
        if unknown := sorted(set(names) - set(known)):
            raise click.UsageError(
                f"no such read model: {', '.join(unknown)}. Choose from {', '.join(known)}"
            )
        for name in names or known:
            applied = app.read_models.rebuild(_WatchedLog(app.log, bar, name), name)
            click.echo(f"{name}: {format_count(applied, 'event')} applied")


class _WatchedLog:
    """An event source that shows on a progress bar how much of it has been read."""

    def __init__(self, log: EventSource, bar: Progress, name: str) -> None:
        self._log, self._bar = log, bar
        self._task = bar.add_task(name, total=log.end())
        self.at, self.end = log.at, log.end

    def rows(self, after: int, limit: int) -> Sequence[LogRow]:
        self._bar.update(self._task, completed=after)
        return self._log.rows(after, limit)
