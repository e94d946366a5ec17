"""What a command works with: the environment's settings, an App on the log that is there, one line for a no."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NoReturn

import click

from service.settings import BadSetting, Settings

if TYPE_CHECKING:
    from service.bootstrap import App


def settings_of_environment() -> Settings:
    """Ends with status 2 and one line where a setting does not fit."""
    try:
        return Settings.read(os.environ)
    except BadSetting as bad:
        click.echo(f"Error: {bad}", err=True)
        raise click.exceptions.Exit(2) from None


@contextmanager
def could_not(*reasons: type[Exception]) -> Iterator[None]:
    """One line for what can be expected to go wrong."""
    try:
        yield
    except reasons as reason:
        raise click.ClickException(str(reason)) from None


@contextmanager
def app_of_environment() -> Iterator[App]:
    """Closed at the end. Ends with one line where there is no log."""
    from service.bootstrap import build

    with closing(build(with_log(settings_of_environment()))) as app:
        yield app


def with_log(settings: Settings) -> Settings:
    """The settings, where their log is there."""
    if settings.is_on_postgres:
        return _with_database(settings)
    if not settings.log_file.exists():
        raise click.ClickException(
            f"there is no log in {settings.data}: `fairlog migrate` makes one, FAIRLOG_DATA names another"
        )
    return settings


def _with_database(settings: Settings) -> Settings:
    from service.bootstrap import missing_there
    from service.storage.server import look

    look(settings.database)  # one that is away is told of as everywhere
    if lacks := missing_there(settings.database):
        raise click.ClickException(
            f"no log at DATABASE_URL, missing is {lacks}: `fairlog migrate` makes one"
        )
    return settings


def become(*arguments: str) -> NoReturn:
    """The workers' own program in our place: nothing here imports upwards. No folder where we stand is taken for it."""
    os.execv(sys.executable, [sys.executable, "-P", "-m", "workers", *arguments])
