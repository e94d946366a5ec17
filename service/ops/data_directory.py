"""The data directory of a running server: its lock and its metrics folder."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.platform.settings import Settings


class ServeError(Exception):
    """The server cannot run, for example because its data directory or port is in use."""


@contextmanager
def lock_data_directory(settings: Settings) -> Iterator[None]:
    """Lock the data directory while the `with` block runs.

    Raises ServeError with the id of the other process if the directory is already locked.
    """
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with settings.lock_file.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise ServeError(
                f"{settings.data} is already being served by process {file.read()}. "
                "Stop that process, or set FAIRLOG_DATA to a different directory"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def recreate_folder(folder: Path) -> Path:
    """Delete and recreate the folder, which may contain files from earlier processes."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder
