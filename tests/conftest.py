"""What every test run has: the scale in its header, and `--golden` to write the golden logs anew."""

from __future__ import annotations

import platform
import re
import signal
import sqlite3

import pytest
from hypothesis import settings

from tests.databases import finding
from tests.queues import finding as queues
from tests.scale import LONG, scale

AT_LENGTH = (
    "service/http/test_contract_served.py",
    "service/http/test_stateful.py",
    "service/soak/test_soak.py",
    "service/storage/test_tailing.py",
    "service/test_demo_processes.py",
    "service/test_evenings_everywhere.py",
    "service/test_postgres_at_length.py",
    "workers/test_burst.py",
    "workers/test_kills.py",
    "workers/test_starting.py",
)
"""What starts many processes, or servers to kill: `make long` runs it, not the gate."""
collect_ignore = [] if LONG else list(AT_LENGTH)

LOGGED = re.compile(r"[\d: .-]+\[\w+ *\]")
"""A line of the log, as it is where nobody sets it up."""

# A run in the background may have been started with interrupts ignored, which every server it starts would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Machines are shared and noisy: an example that takes long is no failure.
settings.register_profile("house", deadline=None, max_examples=scale(25, 100))
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden", action="store_true", help="write the golden logs anew instead of comparing"
    )


def pytest_report_header() -> list[str]:
    return [
        f"fairlog: {'long' if LONG else 'short'} counts, Python {platform.python_version()},"
        f" SQLite {sqlite3.sqlite_version}, queue servers {queues.versions()},"
        f" PostgreSQL {', '.join(f'{finding.version(leg)} ({leg})' for leg in finding.LEGS)}",
        *([] if LONG else [f"not in the gate, but in `make long`: {', '.join(AT_LENGTH)}"]),
    ]


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
