"""A data directory for one `fairlog serve` alone, and what it begins with."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.settings import Settings


class NotServing(Exception):
    """What keeps us from serving: another one on the same data, a taken port, a web server that does not come up."""


@contextmanager
def owned(settings: Settings) -> Iterator[None]:
    """The data directory for us alone, until we end. Raises NotServing with the holder's pid."""
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with settings.lock_file.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise NotServing(f"{settings.data} is served already, by process {file.read()}") from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def emptied(folder: Path) -> Path:
    """The folder, with nothing in it of processes that are no more."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder
