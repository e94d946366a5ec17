"""What gunicorn does for us before it makes web processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from service.ops.migrate import prepare
from service.platform.settings import Settings
from tests.support.databases.places import AT_LENGTH, address
from tests.support.processes import Running, eventually

LOADING = """
import sys
from types import SimpleNamespace
from service.ops import gunicorn_config

gunicorn_config.on_starting(SimpleNamespace(app=SimpleNamespace(app_uri=gunicorn_config.APP)))
before = set(sys.modules)
import service.wsgi
print(*sys.modules.keys() - before)
"""


@pytest.mark.parametrize("database", AT_LENGTH)
def test_a_web_process_loads_no_library_of_its_own(database: str, tmp_path: Path) -> None:
    with address(database) as url:
        chosen = {"FAIRLOG_DATA": str(tmp_path), "DATABASE_URL": url}
        prepare(Settings.read(chosen))
        ran = subprocess.run(
            [sys.executable, "-c", LOADING],
            env=os.environ | chosen,
            capture_output=True,
            text=True,
            check=True,
        )
    late = ran.stdout.split()
    assert "service.wsgi" in late
    assert {name.partition(".")[0] for name in late} <= {"service", "projections"}


@pytest.mark.long
def test_each_web_process_has_a_core_and_no_core_has_two_more_than_another(tmp_path: Path) -> None:
    every = os.sched_getaffinity(0)
    running = Running(tmp_path, "serve", "--only", "web", FAIRLOG_WEB_PROCESSES=str(2 * len(every)))
    try:
        running.url()
        for _ in range(3):
            assert eventually(lambda: cores(running) == sorted([[core] for core in every] * 2))
            killed = min(running.children("gunicorn"))
            os.kill(killed, signal.SIGKILL)
            assert eventually(lambda killed=killed: killed not in running.children("gunicorn"))  # type: ignore[misc]
    finally:
        running.stop()


def cores(running: Running) -> list[list[int]]:
    """Where each web process may run."""
    found = []
    for process in running.children("gunicorn"):
        with suppress(ProcessLookupError):
            found.append(sorted(os.sched_getaffinity(process)))
    return sorted(found)
