"""What gunicorn does for us before it makes web processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.bootstrap import prepare
from service.settings import Settings
from tests.databases.places import DATABASES, address

LOADING = """
import sys
from types import SimpleNamespace
from service import hooks

hooks.on_starting(SimpleNamespace(app=SimpleNamespace(app_uri=hooks.APP)))
before = set(sys.modules)
import service.wsgi
print(*sys.modules.keys() - before)
"""


@pytest.mark.parametrize("database", DATABASES)
def test_a_web_process_loads_no_library_of_its_own(database: str, tmp_path: Path) -> None:
    with address(database) as url:
        chosen = {"FAIRLOG_DATA": str(tmp_path), "DATABASE_URL": url}
        prepare(Settings.read(chosen))
        ran = subprocess.run(
            [sys.executable, "-c", LOADING], env=os.environ | chosen, capture_output=True, text=True, check=True
        )
    late = ran.stdout.split()
    assert "service.wsgi" in late
    assert {name.partition(".")[0] for name in late} <= {"service", "projections"}
