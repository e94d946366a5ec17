"""Programs of Debian's that a test needs, brought once by whichever process asks first, where root runs the tests."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def alone(name: str) -> Iterator[None]:
    """One of several test processes at a time."""
    with Path(tempfile.gettempdir(), f"fairlog-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def bring(line: str, why: str) -> str | None:
    """Runs the line of apt-get, saying why. None where it went well, otherwise what was said."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return ""
    print(f"{why}, once: {line}", file=sys.stderr, flush=True)
    for command in ("apt-get update", line.replace("install", "install --yes", 1)):
        ran = subprocess.run(
            command.split(),
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if ran.returncode:
            return f"\n{command} said: {ran.stdout[-2000:]}"
    return None


def brought(
    look: Callable[[], T | None], line: str, why: str, missing: Callable[[str], Exception]
) -> T:
    """What `look` finds once the line has run. Raises `missing` of what was said."""
    said = bring(line, why)
    if said is None and (found := look()):
        return found
    raise missing(said or "")
