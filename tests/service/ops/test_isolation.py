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

from tests.support.example import FIRST
from tests.support.processes import environ

SHADOWED = ("gunicorn", "limits", "workers", "redis", "flask", "prometheus_client")


@contextmanager
def served_from(folder: Path, data: Path, *only: str) -> Iterator[str]:
    """Run the installed command in that directory, and yield the server's address."""
    with subprocess.Popen(
        [Path(sys.executable).with_name("fairlog"), "serve", *only],
        cwd=folder,
        env=environ(data),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield next(
                line.split()[-1] for line in process.stdout if re.match("serving |web on ", line)
            )
        finally:
            process.terminate()
            process.communicate(timeout=30)


@pytest.mark.long
@pytest.mark.parametrize("only", [(), ("--only", "web")], ids=["all", "web"])
def test_no_module_comes_from_the_current_directory_and_no_header_is_trusted(
    tmp_path: Path, only: tuple[str, ...]
) -> None:
    folder, imported = tmp_path / "current", tmp_path / "imported"
    folder.mkdir()
    for name in SHADOWED:
        source = f"open({os.fspath(imported)!r}, 'a').write({name!r})\nraise SystemExit(7)\n"
        (folder / f"{name}.py").write_text(source)
    with served_from(folder, tmp_path / "data", *only) as url:
        assert requests.get(f"{url}/readyz", timeout=30).status_code == 200
        moved = requests.get(f"{url}/x/metrics", headers={"SCRIPT_NAME": "/x"}, timeout=30)
        assert moved.status_code == 404
        opened = requests.post(
            f"{url}/new",
            {
                "ruleset": FIRST.name,
                "edition": FIRST.edition,
                "title": "T",
                "key": "a-form-of-some-length",
            },
            headers={"X-Forwarded-Proto": "https", "Origin": url},
            allow_redirects=False,
            timeout=30,
        )
        assert opened.status_code == 303
        assert "Secure" not in opened.headers["Set-Cookie"]
    assert not imported.exists()
