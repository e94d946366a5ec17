"""Two servers with a witness each cosign each other's indexes; one is killed, restored, and shows two indexes."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from service.client.api import ApiConnection
from tests.support.example import FIRST
from tests.support.processes import Running, run

pytestmark = pytest.mark.long
SESSIONS = 500
"""Opened in all, on both servers."""
EACH_TIME = 50
"""After so many of them, both witnesses are asked by both servers."""


class Friend(NamedTuple):
    """A server and its witness; `vkey` is the witness's key."""

    name: str
    server: Running
    witness: Running
    address: str
    vkey: str


def settings(name: str) -> dict[str, str]:
    return {"FAIRLOG_ORIGIN": f"{name}.example", "FAIRLOG_SYNCHRONOUS": "NORMAL"}


def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return str(taken.getsockname()[1])


def index_key(data: Path, name: str) -> str:
    said = run(data, "keys", **settings(name)).stdout
    return re.findall(rf"{name}\.example/index\+\S+", said)[0]


def serve(data: Path, name: str) -> Running:
    running = Running(data, "serve", "--only", "web", **settings(name))
    running.url()
    return running


def ended(running: Running) -> None:
    if running.process.poll() is None:
        running.kill()


@pytest.fixture
def friends(tmp_path: Path) -> Iterator[dict[str, Friend]]:
    with ExitStack() as ending:
        servers, found = {}, {}
        for name in ("ann", "bob"):
            servers[name] = serve(tmp_path / name, name)
            ending.callback(ended, servers[name])
        keys = [index_key(tmp_path / name, name) for name in servers]
        for name, server in servers.items():
            address = f"http://127.0.0.1:{(port := free_port())}"
            logs = [option for key in keys for option in ("--log", key)]
            folder = str(tmp_path / f"{name}-witness")
            options = (
                "--name",
                f"{name}.example/witness",
                "--folder",
                folder,
                "--port",
                port,
                *logs,
            )
            witness = Running(tmp_path / f"{name}-w", "witness", "serve", *options)
            ending.callback(ended, witness)
            vkey = witness.until_said("^key: ").split()[1]
            found[name] = Friend(name, server, witness, address, vkey)
        yield found


def ask(data: Path, name: str, friend: Friend) -> str:
    """What the command says, with its exit status."""
    said = run(data, "witness", "ask", friend.address, "--vkey", friend.vkey, **settings(name))
    return f"{said.returncode} {said.stdout}{said.stderr}"


def opened(url: str, title: str) -> tuple[str, str]:
    api = ApiConnection(url)
    ticket = api.post("/v1/sessions", {"ruleset": FIRST.name, "title": title}).json
    api.close()
    return ticket["session"], ticket["token"]


def saved(url: str, session: tuple[str, str], folder: Path) -> tuple[Path, Path]:
    """The exported log, and the proof that it is in the index."""
    api = ApiConnection(url, session[1])
    log, proof = folder / f"{session[0]}.fairlog", folder / f"{session[0]}.index"
    path = f"/v1/sessions/{session[0]}"
    log.write_bytes(api.get(f"{path}/export", accept="application/x-fairlog").body)
    proof.write_bytes(api.get(f"{path}/proofs/index").body)
    api.close()
    return log, proof


def test_two_friends_witness_each_other(friends: dict[str, Friend], tmp_path: Path) -> None:
    urls = {name: each.server.heard[-1].rsplit(" ", 1)[1] for name, each in friends.items()}
    sessions: dict[str, list[tuple[str, str]]] = {name: [] for name in friends}
    for nth in range(SESSIONS):
        name = ("ann", "bob")[nth % 2]
        sessions[name].append(opened(urls[name], f"Evening {nth}"))
        if (nth + 1) % EACH_TIME == 0:
            for asking in friends:
                for friend in friends.values():
                    assert ask(tmp_path / asking, asking, friend).startswith("0 "), asking
        if nth == SESSIONS // 2:
            assert (
                run(
                    tmp_path / "ann", "backup", str(tmp_path / "old.tar"), **settings("ann")
                ).returncode
                == 0
            )
    assert (
        run(tmp_path / "ann", "backup", str(tmp_path / "new.tar"), **settings("ann")).returncode
        == 0
    )

    # Killed and restored, the server's index is the one that both have cosigned.
    friends["ann"].server.kill()
    again = tmp_path / "again"
    said = run(again, "restore", str(tmp_path / "new.tar"), **settings("ann"))
    assert said.returncode == 0, said.stderr
    restored = serve(again, "ann")
    url = restored.heard[-1].rsplit(" ", 1)[1]
    for friend in friends.values():
        assert ask(again, "ann", friend).startswith("0 ")
    witnesses = [option for each in friends.values() for option in ("--witness", each.vkey)]
    for session in (sessions["ann"][0], sessions["ann"][-1]):
        log, proof = saved(url, session, tmp_path)
        options = ("--index", str(proof), *witnesses, "--quorum", "2", "--json")
        told = run(tmp_path, "verify", str(log), *options)
        report = json.loads(told.stdout)
        assert report["valid"], told.stdout
        assert "W_UNWITNESSED" not in {each["code"] for each in report["report"]["warnings"]}
        assert [each["size"] > 0 for each in report["report"]["witnesses"]] == [True, True]
        assert report["report"]["witnessed"] > 0
    restored.kill()

    # Restored from an older backup, it forgets sessions and opens others: both witnesses refuse it.
    older = tmp_path / "older"
    assert run(older, "restore", str(tmp_path / "old.tar"), **settings("ann")).returncode == 0
    forked = serve(older, "ann")
    url = forked.heard[-1].rsplit(" ", 1)[1]
    for friend in friends.values():
        assert "but the index now has size" in ask(older, "ann", friend)
    for nth in range(SESSIONS // 2):
        opened(url, f"Another evening {nth}")
    for friend in friends.values():
        assert "does not extend the one that the witness cosigned" in ask(older, "ann", friend)
    forked.kill()
