"""The machine of a measurement: hardware, programs, disk, commit and time."""

from __future__ import annotations

import os
import platform
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from service.jobs.embedded_server import find_server
from tests.support.databases.finding import version

ROOT = Path(__file__).resolve().parents[1]
WRITES, BYTES = 100, 4096


def describe_machine() -> Iterator[str]:
    """Yield a line for each property."""
    yield f"- when: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, commit {_commit()}"
    hardware = f"{os.cpu_count()} cores ({_processor()}), {_memory():.0f} GB of memory"
    yield f"- machine: {hardware}, {_system()}"
    yield f"- a file's flush takes {_flush() * 1e3:.2f} ms, {BYTES} bytes appended"
    yield f"- programs: Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, " + (
        f"PostgreSQL {version('wheel')}, {find_server()[1]}"
    )


def _commit() -> str:
    """Return the short commit id, with a + if files have changed, or "unknown" without git."""
    try:
        name = _git("rev-parse", "--short", "HEAD")
        return name + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _processor() -> str:
    """Return the name of the processor, or its architecture."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.machine()


def _memory() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def _system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        name = platform.system()
    return f"{name}, kernel {platform.release().partition('-')[0]}"


def _flush() -> float:
    """Return the median seconds of a flush."""
    taken = []
    with tempfile.TemporaryFile() as file:
        for _ in range(WRITES):
            file.write(bytes(BYTES))
            file.flush()
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            taken.append(time.perf_counter() - began)
    return statistics.median(taken)
