"""The server trusts neither the current directory nor headers that only a proxy may set."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from tests.support.processes import environ

SHADOWED = ("gunicorn", "limits", "workers", "redis", "flask", "prometheus_client")


@contextmanager
def served_from(folder: Path, data: Path) -> Iterator[str]:
    """Run the installed command in that directory, and yield the server's address."""
    with subprocess.Popen(
        [Path(sys.executable).with_name("fairlog"), "serve"],
        cwd=folder,
        env=environ(data),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield next(line.split()[1] for line in process.stdout if re.match("serving ", line))
        finally:
            process.terminate()
            process.communicate(timeout=30)


@pytest.mark.smoke
def test_no_module_comes_from_the_current_directory_and_no_header_moves_a_path(
    tmp_path: Path,
) -> None:
    folder, imported = tmp_path / "current", tmp_path / "imported"
    folder.mkdir()
    for name in SHADOWED:
        source = f"open({os.fspath(imported)!r}, 'a').write({name!r})\nraise SystemExit(7)\n"
        (folder / f"{name}.py").write_text(source)
    with served_from(folder, tmp_path / "data") as url:
        assert requests.get(f"{url}/readyz", timeout=30).status_code == 200
        moved = requests.get(f"{url}/x/metrics", headers={"SCRIPT_NAME": "/x"}, timeout=30)
        assert moved.status_code == 404
    assert not imported.exists()
