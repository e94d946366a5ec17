"""`fairlog serve --demo`: its sessions are played once, and the command that it prints works."""

from __future__ import annotations

import json
import re
import shlex
from contextlib import closing
from pathlib import Path

import pytest

from domain.rulesets import pentola
from service.cli.demo import serve
from service.client.api import ApiConnection
from service.ops.migrate import prepare
from tests.support.server import settings_in

pytestmark = pytest.mark.long


def test_the_printed_command_plays_the_next_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "RULESETS", (pentola.ruleset,))
    version = 0
    for start in range(2):
        said: list[str] = []
        settings = settings_in(tmp_path, FAIRLOG_PORT="0")
        with serve.DemoServer(settings, prepare=prepare, say=said.append) as server:
            assert any(line.startswith("playing") for line in said) == (start == 0)
            address, token, body = _parse_curl(said[-1])
            links = re.findall(r"http\S+/s/(\w+)/seat#(\S+)", said[-2])
            assert [_role(server.settings.local_url, *link) for link in links] == ["player", "gm"]
            with closing(ApiConnection(server.settings.local_url, token)) as player:
                path = address.removeprefix(server.settings.public_url)
                session = player.get(path.removesuffix("/commands")).json
                assert (session["closed"], session["version"]) == (
                    False,
                    version or session["version"],
                )
                answer = player.post(path, body)
                kinds = [event["kind"] for event in answer.json["events"]][:2]
                assert (answer.status, kinds) == (201, ["session.Declared", "session.Drawn"])
                version = answer.json["version"]
    assert (tmp_path / "demo.json").stat().st_mode & 0o077 == 0
    assert _undocumented(tmp_path) == set()


def _role(url: str, session: str, token: str) -> str:
    """Return the role of the seat to which a personal link belongs."""
    with closing(ApiConnection(url, token)) as api:
        shown = api.get(f"/v1/sessions/{session}").json
    return str(shown["seats"][shown["you"]]["role"])


def _parse_curl(said: str) -> tuple[str, str, object]:
    """The command's address, token and body."""
    words = shlex.split(said.partition("\n")[2].replace("\\\n", ""))
    token = next(word for word in words if word.startswith("Authorization")).rpartition(" ")[2]
    return words[words.index("POST") + 1], token, json.loads(words[words.index("-d") + 1])


def _undocumented(data: Path) -> set[str]:
    """The files of a data directory that the operator's page does not name."""
    page = (Path(__file__).parents[3] / "docs" / "operating.md").read_text()
    section = page.partition("## Data directory")[2].partition("### Backup")[0]
    files = {f"{file.name}/" if file.is_dir() else file.name for file in data.iterdir()}
    return {
        file
        for file in files - set(re.findall(r"`([^`]+)`", section))
        if not re.fullmatch(r"(views|events).db-(wal|shm)", file)
    }
