"""The server in process that some parsers need, and the folder of their files."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from tests.support.server import TestServer, settings_in


@cache
def folder() -> Path:
    made = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, made)
    return made


@cache
def house() -> TestServer:
    """Return a server in process."""
    made = TestServer(
        settings_in(folder() / "house", FAIRLOG_STREAM_SECONDS="0.05", FAIRLOG_STREAMS="4")
    )
    atexit.register(made.close)
    return made
