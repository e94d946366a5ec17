"""Helpers for commands: read settings, open the app, print one-line errors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import click

from service.platform.settings import InvalidSettingError, Settings

if TYPE_CHECKING:
    from service.sessions.app import App


def settings_of_environment() -> Settings:
    """Read the settings from the environment.

    If a setting is invalid, print a one-line error and exit with status 2.
    """
    try:
        return Settings.read(os.environ)
    except InvalidSettingError as bad:
        click.echo(f"Error: {bad}", err=True)
        raise click.exceptions.Exit(2) from None


@contextmanager
def report_errors(*reasons: type[Exception]) -> Iterator[None]:
    """Print a one-line error and exit if the block raises one of `reasons`."""
    try:
        yield
    except reasons as reason:
        raise click.ClickException(str(reason)) from None


@contextmanager
def app_of_environment() -> Iterator[App]:
    """Yield the app for the settings in the environment, and close it afterwards.

    If there is no log, print a one-line error and exit.
    """
    from service.sessions.app import build

    with closing(build(require_log(settings_of_environment()))) as app:
        yield app


def require_log(settings: Settings) -> Settings:
    """Return `settings`. If there is no log, print a one-line error and exit."""
    if settings.is_on_postgres:
        return _require_database_log(settings)
    if not settings.log_file.exists():
        raise click.ClickException(
            f"there is no log in {settings.data}: create one with `fairlog migrate`,"
            " or set FAIRLOG_DATA to the directory that contains the log"
        )
    return settings


def _require_database_log(settings: Settings) -> Settings:
    from service.ops.migrate import find_missing_in_postgres
    from service.store.postgres_admin import inspect_database

    inspect_database(settings.database)  # raises psycopg.Error if the database does not respond
    if lacks := find_missing_in_postgres(settings.database):
        raise click.ClickException(
            f"the database at DATABASE_URL is not ready ({lacks} is missing or outdated):"
            " run `fairlog migrate`"
        )
    return settings
