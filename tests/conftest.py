"""What every test run has: the scale in its header, and `--golden` to write the golden logs anew."""

from __future__ import annotations

import platform
import sqlite3

import pytest

from tests.scale import LONG


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="write the golden logs anew instead of comparing")


def pytest_report_header() -> list[str]:
    return [
        f"fairlog: {'long' if LONG else 'short'} counts, Python {platform.python_version()},"
        f" SQLite {sqlite3.sqlite_version}"
    ]
