"""Small file systems that tests mount and fill, in a mount namespace of the process that does so."""

from __future__ import annotations

import ctypes
import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAMESPACE = [
    "unshare",
    "--mount",
    # Whoever is not root may mount in a user namespace.
    *([] if os.geteuid() == 0 else ["--user", "--map-current-user", "--keep-caps"]),
]
FILLED = ".filled"
MS_PRIVATE_AND_BELOW = 1 << 18 | 1 << 14
MNT_DETACH = 2


def run_in_namespace(
    module: str, *arguments: str, seconds: float
) -> subprocess.CompletedProcess[str]:
    """Run a module in a mount namespace: what it mounts is gone with it."""
    return subprocess.run(
        [*NAMESPACE, sys.executable, "-u", "-m", module, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )


@contextmanager
def mounted(folder: Path, size: int) -> Iterator[None]:
    """A file system of that many bytes, empty at first. To be called in such a namespace only."""
    _mount(b"none", b"/", b"", MS_PRIVATE_AND_BELOW, b"")
    _mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, f"size={size},mode=755".encode())
    try:
        yield
    finally:
        ctypes.CDLL(None).umount2(os.fsencode(folder), MNT_DETACH)


def fill(folder: Path) -> int:
    """Write until not one byte more has room. Return the bytes that were written this time."""
    written = 0
    with (folder / FILLED).open("ab", buffering=0) as file:
        for block in (1 << 20, 1 << 12, 1):
            try:
                while count := file.write(b"\0" * block):
                    written += count
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
    return written


def empty(folder: Path) -> None:
    (folder / FILLED).unlink()


def _mount(source: bytes, target: bytes, kind: bytes, flags: int, options: bytes) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(source, target, kind, flags, options) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"cannot mount on {target!r}: {os.strerror(number)}")
