"""`fairlog demo` from start to end, once; what stops it half-way; and `serve --demo`, whose next turn can be played."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from domain.rulesets import RULESETS
from domain.verify import Report, verify
from service.player import Player, Script, script_of
from service.verifier import ed25519
from tests.running import Running, eventually, processes, run

pytestmark = pytest.mark.xdist_group("servers")
SCRIPTS = [script_of(room) for room in RULESETS]


class Shown:
    """The demo as it was run: what it said, and how long it took."""

    def __init__(self, folder: Path) -> None:
        self.temporary, self.logs = folder / "temporary", folder / "logs"
        self.temporary.mkdir()
        began = time.monotonic()
        self.said: CompletedProcess[str] = run(
            folder / "never", "demo", "--keep", str(self.logs), TMPDIR=str(self.temporary), COLUMNS="160"
        )
        self.seconds = time.monotonic() - began
        self.left = processes(self.temporary)

    def report(self, ruleset: str) -> Report:
        with (self.logs / f"{ruleset}.fairlog").open("rb") as lines:
            return verify(lines, ed25519)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    return Shown(tmp_path_factory.mktemp("demo"))


def test_everything_goes_as_scripted(shown: Shown) -> None:
    print(f"the demo took {shown.seconds:.1f} s")
    assert shown.said.returncode == 0, shown.said.stdout + shown.said.stderr
    assert shown.said.stdout.count("VALID, checked offline") == len(RULESETS)
    assert shown.said.stderr == ""


def test_nothing_is_left(shown: Shown) -> None:
    assert shown.left == set()
    assert list(shown.temporary.iterdir()) == []
    assert not (shown.logs.parent / "never").exists()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.ruleset)
def test_the_evening_is_whole(shown: Shown, script: Script) -> None:
    refused = {step.refused for step in script.steps if isinstance(step.refused, str)}
    report = shown.report(script.ruleset)
    assert report.valid
    assert report.counts.turns >= 150
    assert report.counts.rewinds >= 2
    assert len({rule for rule in refused if rule in shown.said.stdout}) >= 5


def test_it_shows_what_a_stranger_wants_to_see(shown: Shown) -> None:
    said = shown.said.stdout
    for script in SCRIPTS:
        assert script.title in said
        assert len(re.findall("rewinds to version", said)) >= 2
    assert re.search("[0-9]+ rolls that a rewind had .* later ones: [0-9]+ drawn, [0-9]+ declared", _unwrapped(said))
    assert f"statistics of all {len(SCRIPTS)} evenings" in said
    for words in ("Refused", "The table at the end", "Statistics", "expected", "turns", "draws", "grades", "warnings"):
        assert words in said
    assert not re.search(r'"event": "request"', said)


def _unwrapped(said: str) -> str:
    return re.sub(r"[\s│]+", " ", said)


def test_further_evenings_are_shown_in_short(shown: Shown) -> None:
    further = re.split(r"^─+ \w+: .*$", shown.said.stdout, flags=re.MULTILINE)[2:]
    assert len(further) == len(RULESETS) - 1
    for said in further:
        assert len(said.splitlines()) < 80
        for words in (r"Refused \([0-9]+\) by ", "at the table", r"[0-9]+ turns, .* rewinds; warnings W_"):
            assert re.search(words, _unwrapped(said))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_half_way_it_leaves_nothing(number: signal.Signals, tmp_path: Path) -> None:
    running = Running(tmp_path / "never", "demo", TMPDIR=str(tmp_path))
    running.until_said(r"^ +\d+ ")
    running.stop(number)
    assert running.process.returncode not in (0, None)
    assert eventually(lambda: processes(tmp_path) == set())
    assert list(tmp_path.iterdir()) == []


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
    token = next(header for header in headers if header.startswith("Authorization")).rpartition(" ")[2]
    return words[words.index("POST") + 1], token, json.loads(words[words.index("-d") + 1])


def unlisted(data: Path) -> set[str]:
    """The files of a data directory that the operator's page does not name."""
    page = (Path(__file__).parents[2] / "docs" / "operating.md").read_text()
    listed = set(re.findall(r"`([^`]+)`", page.partition("## Data directory")[2].partition("Back up")[0]))
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
        assert [event["kind"] for event in answer.json["events"]][:2] == ["session.Declared", "session.Drawn"]
        assert player.get("/docs").status == 200
    assert os.stat(tmp_path / "demo.json").st_mode & 0o077 == 0
    assert unlisted(tmp_path) == set()
    assert str(tmp_path / "demo.log") in said_of_a_killed_worker(serving)
    serving.stop()
    again = Running(tmp_path, "serve", "--demo")
    try:
        address, token, body = curl(again)
        with closing(Player(again.heard[1].rsplit(" ", 1)[1], token)) as player:
            assert player.get(path.removesuffix("/commands")).json["version"] == answer.json["version"]
            assert not any(line.startswith("playing") for line in again.heard)
    finally:
        again.stop()


def test_what_keeps_it_from_serving_is_found(tmp_path: Path) -> None:
    said = run(tmp_path, "serve", "--demo", GUNICORN_CMD_ARGS="--nonsense")
    assert said.returncode == 1
    assert "unrecognized arguments: --nonsense\n" in said.stdout
    for text in (said.stdout, said.stderr):
        assert str(tmp_path / "demo.log") in text
