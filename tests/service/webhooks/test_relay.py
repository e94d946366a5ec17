"""`fairlog relay`: every version is delivered, in order, although the relay is killed and the receiver fails."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests
from click.testing import CliRunner

from service.cli.main import cli
from tests.service.webhooks.receiver import Receiver
from tests.support.processes import Running, eventually
from tests.support.scale import scale

TURNS, KILLS = scale(30, 1_000), scale(2, 30)
SECONDS = 300


def start(url: str, target: str, file: Path, *options: str) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "service",
        "relay",
        url,
        target,
        "--private",
        "--file",
        str(file),
    ]
    return subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL, start_new_session=True)


def opened(server: str) -> dict[str, Any]:
    body = {"ruleset": "open", "title": "The relay", "options": {"listed": True}}
    answer = requests.post(f"{server}/v1/sessions", json=body, timeout=20)
    assert answer.status_code == 201, answer.text
    ticket: dict[str, Any] = answer.json()
    return ticket


def narrate(server: str, ticket: dict[str, Any]) -> int:
    """Send the turns, and return the session's last version."""
    version = 0
    with requests.Session() as client:
        client.headers["Authorization"] = f"Bearer {ticket['token']}"
        for nth in range(TURNS):
            url = f"{server}/v1/sessions/{ticket['session']}/narrate"
            answer = client.post(url, json={"text": f"Turn {nth}."}, timeout=20)
            assert answer.status_code == 201, answer.text
            version = answer.json()["version"]
    return version


def test_every_version_is_delivered_in_order(tmp_path: Path) -> None:
    house = Running(
        tmp_path / "data",
        "serve",
        "--only",
        "web",
        FAIRLOG_RATE_ADDRESS="0",
        FAIRLOG_RATE_TOKEN="0",
    )
    chance, file, kills = random.Random(7), tmp_path / "state", 0
    try:
        server = house.url()
        ticket = opened(server)
        url = f"{server}/v1/sessions/{ticket['session']}"
        with Receiver(fails=5).running() as receiver, ThreadPoolExecutor(1) as pool:
            before = requests.get(url, timeout=20).json()["version"]
            relay, until = start(url, receiver.url, file), time.monotonic() + SECONDS
            assert eventually(file.exists)  # it sends the events after the version at its start
            turns = pool.submit(narrate, server, ticket)
            while kills < KILLS:
                time.sleep(chance.uniform(0.3, 1.5))
                os.killpg(relay.pid, signal.SIGKILL)
                relay.wait()
                kills += 1
                relay = start(url, receiver.url, file)
            last = turns.result()
            while not receiver.accepted or version_of(receiver) < last:
                assert time.monotonic() < until, (version_of(receiver), last)
                time.sleep(0.1)
            os.killpg(relay.pid, signal.SIGKILL)
            relay.wait()
        ids = [received.id for received in receiver.accepted]
        versions = [int(each.rpartition("/")[2]) for each in ids]
        once = [
            versions[nth]
            for nth in range(len(versions))
            if nth == 0 or versions[nth] != versions[nth - 1]
        ]
        doubles = len(versions) - len(once)
        print(f"{last} versions, {kills} kills, {receiver.refused} refused, {doubles} sent twice")
        assert once == list(range(before + 1, last + 1))
        first = json.loads(receiver.accepted[0].body)
        assert (first["type"], first["data"]["title"]) == ("event.recorded", "The relay")
        assert first["data"]["event"]["kind"] == "session.Narrated"
        assert doubles <= kills
    finally:
        house.stop()


def version_of(receiver: Receiver) -> int:
    return int(receiver.accepted[-1].id.rpartition("/")[2])


@pytest.mark.parametrize("content", ["", "{}", '{"server":"http://x","session":"y"}'])
def test_a_foreign_state_file_is_left_alone(tmp_path: Path, content: str) -> None:
    file = tmp_path / "state"
    file.write_text(content)
    url = f"http://127.0.0.1:9/v1/sessions/{'0' * 32}"
    command = ["relay", url, "http://127.0.0.1:9/", "--private", "--file", str(file)]
    ended = CliRunner().invoke(cli, command)
    assert ended.exit_code == 1
    assert str(file) in ended.stderr
    assert file.read_text() == content
