"""A data directory for one `fairlog serve` alone, and what it begins with."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from service.settings import Settings

NUMBERS = "fairlog-metrics-"
"""How the folders begin in which web servers that share a data directory keep their numbers."""


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
            raise NotServing(
                f"{settings.data} is served already, by process {file.read()}"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def emptied(folder: Path) -> Path:
    """The folder, with nothing in it of processes that are no more."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    return folder


def of_our_own() -> Path:
    """A folder among the system's for numbers of this process alone, also of what it becomes; those of the dead go.

    It is locked for as long as the process lives: what can be locked was left by one that was killed.
    """
    for left in Path(tempfile.gettempdir()).glob(f"{NUMBERS}*"):
        with _locked(left) as held:
            if held is not None:
                shutil.rmtree(left, ignore_errors=True)
    while True:
        made = Path(tempfile.mkdtemp(prefix=NUMBERS))
        held = _lock(made)
        if held is not None and made.exists():  # nobody took it for one that was left
            os.set_inheritable(held, True)
            return made


@contextmanager
def _locked(folder: Path) -> Iterator[int | None]:
    held = _lock(folder)
    try:
        yield held
    finally:
        if held is not None:
            os.close(held)


def _lock(folder: Path) -> int | None:
    """What holds the lock; None where another process does, or the folder is not ours or gone."""
    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    if os.fstat(held).st_uid == os.getuid():
        with suppress(BlockingIOError):
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return held
    os.close(held)
    return None
