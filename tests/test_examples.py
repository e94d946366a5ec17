"""The examples run as they stand in `examples/`: the bot, the bridge and the notebook."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.client.api import ApiConnection
from tests.client.tables import served
from tests.support.processes import ROOT

EXAMPLES = ROOT / "examples"
GOLDEN = ROOT / "tests" / "golden"
SNOWFLAKE = "1325678901234567890"
"""An id as Discord makes them."""


class OpenTable(NamedTuple):
    """A session of the open ruleset, and its GM's connection."""

    url: str
    session: str
    gm: ApiConnection

    def post(self, path: str, body: object) -> Any:
        answer = self.gm.post(f"/v1/sessions/{self.session}{path}", body)
        assert answer.status in (200, 201), answer
        return answer.json

    def events(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.gm.get(
            f"/v1/sessions/{self.session}/events?limit=200"
        ).json["events"]
        return found

    def wait_for(self, kind: str, seat: str) -> dict[str, Any]:
        """Return the newest event of this kind from the seat, as soon as there is one."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            found = [
                each for each in self.events() if (each.get("kind"), each["seat"]) == (kind, seat)
            ]
            if found:
                return found[-1]
            time.sleep(0.05)
        raise AssertionError(f"no {kind} from {seat}: {self.events()[-1]}")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[OpenTable]:
    with served(tmp_path / "data") as url, closing(ApiConnection(url)) as gm:
        opened = gm.post("/v1/sessions", {"ruleset": "open", "title": "The mint of Carrow"}).json
        gm.token = opened["token"]
        yield OpenTable(url, opened["session"], gm)


@contextmanager
def running(
    file: str, *arguments: str, cwd: Path, **settings: str
) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLES / file), *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **settings},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line_with(process: subprocess.Popen[str], text: str) -> str:
    """Return the next printed line that contains the text."""
    assert process.stdout is not None
    for line in process.stdout:
        if text in line:
            return line
    raise AssertionError(f"the program ended without {text!r}")


def test_the_bot_rolls_when_it_is_asked(table: OpenTable, tmp_path: Path) -> None:
    code = table.post("/invitations", {"role": "player", "seat": "rollo"})["code"]
    with running("bot.py", table.url, code, cwd=tmp_path) as bot:
        line_with(bot, "Rollo is at the table")
        table.post("/narrate", {"text": "!roll 2d6+1 for the trap"})
        table.post("/narrate", {"text": "!roll nothing"})
        refused = table.wait_for("session.Narrated", "rollo")
        rolled = table.wait_for("open.DiceRolled", "rollo")
    assert rolled["text"].startswith("Rollo rolls 2d6+1")
    assert refused["body"]["text"].startswith("I cannot roll that. ")


def test_the_bridge_answers_a_discord_command(table: OpenTable, tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    settings = {
        "DISCORD_PUBLIC_KEY": key.public_key().public_bytes_raw().hex(),
        "FAIRLOG_SESSION": f"{table.url}/v1/sessions/{table.session}",
        "FAIRLOG_TOKEN": table.post("/tokens", {"name": "Discord", "scopes": ["read", "play"]})[
            "token"
        ],
        "PORT": "0",
    }
    with running("discord_bridge.py", cwd=tmp_path, **settings) as bridge:
        port = line_with(bridge, "listening on port").split()[-1]

        def send(interaction: dict[str, Any], signer: Ed25519PrivateKey = key) -> requests.Response:
            body, stamp = json.dumps(interaction).encode(), "1780000000"
            signature = signer.sign(stamp.encode() + body).hex()
            headers = {"X-Signature-Timestamp": stamp, "X-Signature-Ed25519": signature}
            return requests.post(f"http://127.0.0.1:{port}", data=body, headers=headers, timeout=10)

        def rolled(notation: str, number: str) -> str:
            options = [{"name": "dice", "value": notation}]
            answer = send({"type": 2, "id": number, "data": {"name": "roll", "options": options}})
            assert answer.json()["type"] == 4
            return str(answer.json()["data"]["content"])

        assert send({"type": 1}).json() == {"type": 1}
        assert send({"type": 1}, Ed25519PrivateKey.generate()).status_code == 401
        text = rolled("2d6+1", SNOWFLAKE)
        assert text == table.events()[-1]["text"]
        before = len(table.events())
        assert rolled("2d6+1", SNOWFLAKE) == text
        assert len(table.events()) == before
        assert "d" in rolled("2x6", SNOWFLAKE[::-1])
        assert len(table.events()) == before


@pytest.mark.long
def test_the_notebook_runs_on_exported_logs(tmp_path: Path) -> None:
    notebook = json.loads((EXAMPLES / "evenings.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code")
    for log in sorted(GOLDEN.glob("open-*.fairlog")):
        (tmp_path / log.name).write_bytes(log.read_bytes())
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(cells)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "VALID" in ran.stdout
    assert "expected" in ran.stdout
