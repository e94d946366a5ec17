"""`fairlog serve --demo`: its next turn can be played, and the demo's own checks find what is amiss."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from service.player import Player
from tests.running import Running, run


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path, "serve", "--demo")
    yield running
    running.stop()
    assert running.children() == set()


def curl(running: Running) -> tuple[str, str, object]:
    """The printed command's path, token and body."""
    lines = [running.until_said("curl -X POST")]
    while lines[-1].endswith("\\"):
        lines.append(running.until_said("."))
    words = shlex.split(" ".join(line.rstrip("\\") for line in lines))
    headers = [words[nth + 1] for nth, word in enumerate(words) if word == "-H"]
    token = next(header for header in headers if header.startswith("Authorization")).rpartition(
        " "
    )[2]
    return words[words.index("POST") + 1], token, json.loads(words[words.index("-d") + 1])


def unlisted(data: Path) -> set[str]:
    """The files of a data directory that the operator's page does not name."""
    page = (Path(__file__).parents[2] / "docs" / "operating.md").read_text()
    listed = set(
        re.findall(r"`([^`]+)`", page.partition("## Data directory")[2].partition("Back up")[0])
    )
    files = {f"{file.name}/" if file.is_dir() else file.name for file in data.iterdir()}
    return {file for file in files - listed if not re.fullmatch(r"views.db-(wal|shm)", file)}


def said_of_a_killed_worker(running: Running) -> str:
    for worker in running.children("workers\0worker"):
        os.kill(worker, signal.SIGKILL)
    return running.until_said("worker has ended")


def test_served_with_an_evening_whose_next_turn_is_played(serving: Running, tmp_path: Path) -> None:
    url = serving.url()
    address, token, body = curl(serving)
    with closing(Player(url, token)) as player:
        path = address.removeprefix(url)
        before = player.get(path.removesuffix("/commands")).json
        answer = player.post(path, body)
        assert (answer.status, before["closed"]) == (201, False)
        assert [event["kind"] for event in answer.json["events"]][:2] == [
            "session.Declared",
            "session.Drawn",
        ]
        assert player.get("/docs").status == 200
    assert os.stat(tmp_path / "demo.json").st_mode & 0o077 == 0
    assert unlisted(tmp_path) == set()
    assert str(tmp_path / "demo.log") in said_of_a_killed_worker(serving)
    serving.stop()
    again = Running(tmp_path, "serve", "--demo")
    try:
        address, token, body = curl(again)
        with closing(Player(again.heard[1].rsplit(" ", 1)[1], token)) as player:
            assert (
                player.get(path.removesuffix("/commands")).json["version"] == answer.json["version"]
            )
            assert not any(line.startswith("playing") for line in again.heard)
    finally:
        again.stop()


def test_what_keeps_it_from_serving_is_found(tmp_path: Path) -> None:
    said = run(tmp_path, "serve", "--demo", GUNICORN_CMD_ARGS="--nonsense")
    assert said.returncode == 1
    assert "unrecognized arguments: --nonsense\n" in said.stdout
    for text in (said.stdout, said.stderr):
        assert str(tmp_path / "demo.log") in text


def test_stopped_while_it_plays_it_stops(tmp_path: Path) -> None:
    running = Running(tmp_path, "serve", "--demo")
    running.until_said("^playing")
    running.stop()
    assert [line for line in running.rest() if line.startswith("playing")] == [], (
        "no further evening"
    )
    assert running.process.returncode == 0
    assert running.children() == set()
    assert not (tmp_path / "demo.json").exists()
