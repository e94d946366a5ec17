"""What every test run has: the scale in its header, and `--golden` to write the golden logs anew."""

from __future__ import annotations

import gc
import os
import platform
import re
import shutil
import signal
import sqlite3
import tempfile
from pathlib import Path

import pytest
import structlog
from hypothesis import settings

from tests.support import queue_servers as queues
from tests.support.databases import finding
from tests.support.scale import LONG

DOMAIN, SOAKS = Path(__file__).parent / "domain", Path(__file__).parent / "service" / "soak"
PLAYED = Path(__file__).parent / "browser" / "test_played_session.py"
LOGGED = re.compile(r"[\d: .-]+\[\w+ *\]")
"""A line of the log, as it is where nobody sets it up."""

MEMORY = Path("/dev/shm")
HAS_ROOM = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 4 << 30
if not LONG and HAS_ROOM and "TMPDIR" not in os.environ:
    # The gate flushes thousands of files, and each waits for the disk. In memory none does.
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

# A run in the background may have been started with interrupts ignored, which every server it starts would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tracebacks in a test's log are plain: drawing one with the local variables of every frame takes up to a second.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        ),
    ]
)

# Machines are shared and noisy: an example that takes long is no failure.
settings.register_profile("gate", deadline=None, max_examples=10)
settings.register_profile("long", deadline=None, max_examples=100)
settings.load_profile("long" if LONG else "gate")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden", action="store_true", help="write the golden logs anew instead of comparing"
    )


def pytest_report_header() -> list[str]:
    return [
        f"fairlog: {'long' if LONG else 'short'} counts, Python {platform.python_version()},"
        f" SQLite {sqlite3.sqlite_version}, queue servers {queues.versions()},"
        f" PostgreSQL {', '.join(f'{finding.version(leg)} ({leg})' for leg in finding.LEGS)}",
    ]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what is marked `long` and not `smoke`, unless its file was named on the command line."""
    named = {Path(arg.partition("::")[0]).resolve() for arg in config.args}
    left_out = [
        item
        for item in items
        if item.get_closest_marker("long") and not item.get_closest_marker("smoke")
        if not LONG and item.path not in named
    ]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]
    if (
        LONG
    ):  # The soaks take both cores: run them beside the domain's tests, which measure no time.
        # The longest of the browser's tests begins first, so that it has ended when they begin.
        items.sort(
            key=lambda item: (
                item.path != PLAYED,
                DOMAIN if item.path.is_relative_to(SOAKS) else item.path,
            )
        )
    else:  # The slowest files first: otherwise one process works on them after the others have finished.
        items.sort(
            key=lambda item: (
                item.get_closest_marker("smoke") is None,
                item.path.is_relative_to(DOMAIN),
            )
        )


def pytest_collection_finish() -> None:
    """Leave the collected tests out of later garbage collections, which they make several times as slow."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """In the long run, what passing tests have said: counts, versions of servers, times."""
    if LONG:
        terminalreporter.section("what ran")
        for report in terminalreporter.getreports("passed"):
            said = [
                line for line in report.capstdout.splitlines() if line and not LOGGED.match(line)
            ]
            if report.when == "call" and said:
                terminalreporter.write_line("\n    ".join([report.nodeid, *said]))
