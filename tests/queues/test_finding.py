"""The server that is missing is brought by root, and anyone else is told the line that does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.queues import finding
from tests.queues.finding import LINE, QUEUES, REDIS, VALKEY, NoRedis, main, program, version


def test_each_is_what_it_is_called_and_says_its_version() -> None:
    for queue in QUEUES:
        assert Path(program(queue)).name == f"{queue}-server"
        assert int(version(queue).split(".")[0]) >= 7


@pytest.fixture
def nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH that is empty."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_who_is_not_root_is_told_the_line(
    nothing: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(NoRedis, match=LINE):
        program(REDIS)
    monkeypatch.setattr(finding, "QUEUES", (VALKEY, REDIS))
    assert main() == 1
    assert LINE in capsys.readouterr().err


def test_root_has_it_brought(nothing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, apt, server = nothing / "asked", nothing / "apt-get", nothing / "redis-server"
    apt.write_text(
        f'#!/bin/sh\necho "$*" >> {asked}\n'
        f'[ "$1" = install ] || exit 0\necho "#!/bin/sh" > {server}\n/bin/chmod +x {server}\n'
    )
    apt.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert program(REDIS) == str(server)
    assert asked.read_text().splitlines() == [
        "update",
        LINE.replace("apt-get install", "install --yes"),
    ]
