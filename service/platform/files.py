"""Functions that write private files atomically."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def write_private(path: Path, data: bytes, *, replace: bool = True) -> None:
    """Write a file atomically and durably so that only its owner can read it.

    If the file exists and `replace` is False, raise FileExistsError.
    """
    with open_private(path, replace=replace) as file:
        file.write(data)


@contextmanager
def open_private(path: Path, *, replace: bool = True) -> Iterator[BinaryIO]:
    """Yield a file to write to. Store it as `write_private` does when the block ends.

    If the block raises an exception, store nothing.
    """
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)  # a killed process may have left it
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if replace:
            fresh.replace(path)
        else:
            os.link(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
    flush_names(path.parent)


def flush_names(folder: Path) -> None:
    """Flush the folder's entries to disk to make renames survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
