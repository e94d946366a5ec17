"""What every test run has: the scale in its header, and `--golden` to write the golden logs anew."""

from __future__ import annotations

import platform
import signal
import sqlite3
from pathlib import Path

import pytest
from hypothesis import settings

from service.embedded import find_server
from tests.databases import finding
from tests.scale import LONG, scale

AT_LENGTH = (
    "databases/test_serving.py", "service/http/test_stateful.py", "service/test_postgres_at_length.py",
    "service/storage/test_tailing.py",
)  # fmt: skip
"""What starts many processes, or servers to kill: `make long` runs it, not the gate."""
collect_ignore = [] if LONG else list(AT_LENGTH)

# A run in the background may have been started with interrupts ignored, which every server it starts would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Machines are shared and noisy: an example that takes long is no failure.
settings.register_profile("house", deadline=None, max_examples=scale(25, 100))
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="write the golden logs anew instead of comparing")


def pytest_report_header() -> list[str]:
    binary, version = find_server()
    return [
        f"fairlog: {'long' if LONG else 'short'} counts, Python {platform.python_version()},"
        f" SQLite {sqlite3.sqlite_version}, queue server {Path(binary).name} {version},"
        f" PostgreSQL {', '.join(f'{finding.version(leg)} ({leg})' for leg in finding.LEGS)}",
        *([] if LONG else [f"not in the gate, but in `make long`: {', '.join(AT_LENGTH)}"]),
    ]
