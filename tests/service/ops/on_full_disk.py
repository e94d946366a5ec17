"""A server whose disk is really full: `python -m tests.service.ops.on_full_disk sqlite|wheel|debian`.

It runs in a mount namespace of its own (tests/support/file_systems.py), prints what it saw, and fails on the first surprise.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import requests

from domain.verify import verify
from service.platform.ed25519 import verify as ed25519
from tests.support.databases.server import Server
from tests.support.file_systems import empty, fill, mounted
from tests.support.processes import Running, eventually

SIZES = {"sqlite": 32 << 20, "postgres": 320 << 20}
TURNS, ROUNDS = 4000, 3
KEY = "a-full-disk-turn-"
LONG = os.environ.get("FAIRLOG_TESTS") == "long"


class Play:
    """A session and its GM, who narrates: each turn with a key of its own."""

    def __init__(self, url: str) -> None:
        self.url = url
        opened = requests.post(
            f"{url}/v1/sessions",
            json={"ruleset": "dhextiny", "title": "A full disk", "name": "Mo"},
            timeout=120,
        )
        assert opened.status_code == 201, opened.text
        self.session = opened.json()["session"]
        self.own = {"Authorization": f"Bearer {opened.json()['token']}"}
        self.path = f"/v1/sessions/{self.session}"
        self.accepted: dict[int, int] = {}
        self.version = int(self.get(self.path).json()["version"])

    def get(self, path: str) -> requests.Response:
        return requests.get(self.url + path, headers=self.own, timeout=120)

    def narrate(self, nth: int, size: int = 2000) -> requests.Response:
        return requests.post(
            f"{self.url}{self.path}/narrate",
            json={"text": f"{nth} " + "x" * size},
            headers=self.own | {"Idempotency-Key": f"{KEY}{nth}"},
            timeout=120,
        )

    def accept(self, nth: int) -> bool:
        """Whether that turn was accepted. If not, it says why as it should."""
        if nth in self.accepted:
            return True
        answer = self.narrate(nth)
        if answer.status_code == 201:
            self.version += 1
            assert answer.json()["version"] == self.version, answer.text
            self.accepted[nth] = self.version
            return True
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable"), answer.text
        assert int(answer.headers["Retry-After"]) > 0
        return False

    def reads(self, *, down: bool = False) -> dict[str, int]:
        """What reading answers. `down`: the database is, so only what needs none must be there."""
        paths = (self.path, f"{self.path}/events", "/", f"/s/{self.session}")
        found = {path: self.get(path).status_code for path in ("/livez", "/v1/rulesets", *paths)}
        found["/readyz"] = (ready := self.get("/readyz")).status_code
        assert ready.json()["status"] in ("ok", "degraded", "down")
        found["/metrics"] = self.get("/metrics").status_code
        requests.request("INVENTED", f"{self.url}/nowhere{os.urandom(4).hex()}", timeout=120)
        assert found["/livez"] == found["/v1/rulesets"] == 200, found
        if not down:
            wrong = {path: status for path, status in found.items() if status != 200}
            assert not wrong, wrong
            assert self.get(self.path).json()["version"] == self.version
        return found


def pids(running: Running) -> dict[str, set[int]]:
    """The processes of each part; the web's without gunicorn's own. The queue's server has changed its command line."""
    web = running.children("WebWorker")
    return {
        "web": {pid for pid in web if _parent(pid) in web},
        "follower": running.children("workers\0follow"),
        "worker": running.children("workers\0worker"),
        "queue": running.children("-server "),
    }


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def sqlite(disk: Path) -> None:
    running = Running(disk / "data", "serve", FAIRLOG_RATE_ADDRESS="1000000")
    try:
        play = Play(running.until_said("^serving", 200).rsplit(" ", 1)[1])
        for nth in range(20):
            assert play.accept(nth)
        assert eventually(lambda: play.get("/readyz").json()["status"] == "ok")
        before = pids(running)
        nth, refused = _until_full(play, disk, 20)
        for _ in range(ROUNDS):
            print(f"reads on the full disk: {play.reads()}")
            for again in refused:
                if play.accept(again):  # a file had a little room in it
                    fill(disk)
        assert len(play.accepted) < nth
        opened = requests.post(
            f"{play.url}/v1/sessions",
            json={"ruleset": "dhextiny", "title": "T", "name": "M"},
            timeout=120,
        )
        assert opened.status_code in (201, 503), opened.text
        after = pids(running)
        assert after["web"] == before["web"]
        print(
            f"restarted on the full disk: {[name for name in before if after[name] != before[name]]}"
        )
        if LONG:
            _kill_all(running, play)
        empty(disk)
        _play_on(play, nth)
        assert eventually(lambda: _follows(play)), play.get("/readyz").text
        assert eventually(lambda: play.get(f"{play.path}/statistics").status_code == 200)
    finally:
        running.stop()
        said = running.heard + running.rest()
    _check_said(said)


def _kill_all(running: Running, play: Play) -> None:
    """Each part starts again on the full disk, and play can be read."""
    for name, killed in pids(running).items():
        for pid in killed:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        assert eventually(lambda: _answers(play))
        print(f"reads on the full disk, {name} killed: {play.reads()}")


def _answers(play: Play) -> bool:
    with suppress(requests.RequestException):
        return play.get("/livez").status_code == 200
    return False


def _until_full(play: Play, disk: Path, nth: int) -> tuple[int, list[int]]:
    """Play while another program fills the disk, until three turns in a row are refused."""
    refused = list[int]()
    while len(refused) < 3:
        assert nth < TURNS, "the disk never was full"
        fill(disk)
        if play.accept(nth):
            refused.clear()
        else:
            refused.append(nth)
        nth += 1
    print(
        f"{len(play.accepted)} turns accepted, the last {len(play.accepted) - 20} of them after the disk was full"
    )
    return nth, refused


def _play_on(play: Play, nth: int) -> None:
    """The turns that were refused are accepted under their keys, those that were accepted are not done twice."""
    accepted = dict(play.accepted)
    for again, version in list(accepted.items())[-3:]:
        answer = play.narrate(again)
        assert (answer.status_code, answer.json()["repeated"]) == (201, True), answer.text
        assert answer.json()["version"] == version
    for again in range(nth + 1):
        if again not in accepted:
            assert eventually(lambda again=again: play.accept(again), 60)  # type: ignore[misc]
    assert int(play.get(play.path).json()["version"]) == play.version
    report = verify(play.get(f"{play.path}/export").content.splitlines(keepends=True), ed25519)
    assert report.failure is None, report.failure
    assert report.counts.events == play.version


def _follows(play: Play) -> bool:
    ready: dict[str, Any] = play.get("/readyz").json()
    return ready["status"] == "ok" and not any(ready["views"].values())


def _check_said(said: list[str]) -> None:
    wrong = [line for line in said if re.search("SIGBUS|Traceback|was sent SIG(ABRT|SEGV)", line)]
    wrong = [line for line in wrong if not LONG or "SIGKILL" not in line]
    print(
        "said by the server:",
        *dict.fromkeys(re.sub(r"[\d.:TZ-]+", "#", line)[:200] for line in said),
        sep="\n  ",
    )
    assert not [line for line in wrong if "Traceback" not in line], wrong


def postgres(disk: Path, leg: str) -> None:
    tempfile.tempdir = str(disk)
    server = Server(leg, durable=True)
    tempfile.tempdir = None
    try:
        with tempfile.TemporaryDirectory() as data:
            _on_postgres(Path(data), server, disk)
    finally:
        server.remove()


def _on_postgres(data: Path, server: Server, disk: Path) -> None:
    running = Running(data, "serve", DATABASE_URL=server.url())
    try:
        play = Play(running.until_said("^serving", 200).rsplit(" ", 1)[1])
        for nth in range(20):
            assert play.accept(nth)
        before = pids(running)
        nth, refused = _until_full(play, disk, 20)
        is_up = _is_up(server)
        for _ in range(ROUNDS):
            print(f"PostgreSQL answers: {is_up}; reads: {play.reads(down=not is_up)}")
            for again in refused:
                if play.accept(again):
                    fill(disk)
            is_up = _is_up(server)
        if LONG:
            _exhaust_wal(server)
            print(f"PostgreSQL without room for its WAL answers: {_is_up(server)}")
            print(f"reads: {play.reads(down=True)}")
        assert pids(running)["web"] == before["web"]
        empty(disk)
        if not server.is_alive():
            print("PostgreSQL had stopped, and is started again")
            server.start()
        assert eventually(lambda: play.get(play.path).status_code == 200)
        _play_on(play, nth)
        assert eventually(lambda: _follows(play)), play.get("/readyz").text
    finally:
        running.stop()
        said = running.heard + running.rest()
    _check_said(said)


def _exhaust_wal(server: Server) -> None:
    """Let PostgreSQL begin files of its WAL until one has no room."""
    for _ in range(20):
        with (
            suppress(psycopg.Error),
            psycopg.connect(server.url(), connect_timeout=5) as connection,
        ):
            connection.execute("SELECT pg_logical_emit_message(true, 'test', 'x'), pg_switch_wal()")
            continue
        return


def _is_up(server: Server) -> bool:
    with suppress(psycopg.Error), psycopg.connect(server.url(), connect_timeout=5):
        return True
    return False


def main(database: str) -> None:
    with tempfile.TemporaryDirectory(prefix="fairlog-full-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as another user than root
        disk = Path(folder, "disk")
        disk.mkdir()
        began = time.monotonic()
        with mounted(disk, SIZES["sqlite" if database == "sqlite" else "postgres"]):
            if database == "sqlite":
                sqlite(disk)
            else:
                postgres(disk, database)
        print(f"done in {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1])
