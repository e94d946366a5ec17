"""`fairlog demo` and `fairlog serve --demo` as processes: stopped half-way, and failing to start."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.support.processes import Running, eventually, processes, run

pytestmark = pytest.mark.long


def test_a_stopped_demo_leaves_nothing(tmp_path: Path) -> None:
    running = Running(tmp_path / "never", "demo", TMPDIR=str(tmp_path))
    running.until_said(r"^ +\d+ ")
    running.stop(signal.SIGINT)
    assert running.process.returncode not in (0, None)
    assert eventually(lambda: processes(tmp_path) == set())
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_stopped_while_it_plays_stops(tmp_path: Path) -> None:
    running = Running(tmp_path, "serve", "--demo")
    running.until_said("^playing")
    running.stop()
    assert not any(line.startswith("playing") for line in running.rest()), "no further session"
    assert running.process.returncode == 0
    assert running.children() == set()
    assert not (tmp_path / "demo.json").exists()


def test_a_server_that_cannot_start_names_its_log(tmp_path: Path) -> None:
    said = run(tmp_path, "serve", "--demo", GUNICORN_CMD_ARGS="--nonsense")
    assert said.returncode == 1
    assert "unrecognized arguments: --nonsense\n" in said.stdout
    for text in (said.stdout, said.stderr):
        assert str(tmp_path / "demo.log") in text
