"""PostgreSQL where it takes long: what commands say, kills, many writers at one table (`make long` alone)."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from pathlib import Path

import msgspec
import pytest

from domain.verify import verify
from service.client.api import ApiConnection
from service.platform.ed25519 import verify as ed25519
from service.sessions.app import build
from service.sessions.log_files import export_log
from tests.service.store.hot_session import Played
from tests.support.databases.places import DATABASES, address
from tests.support.databases.server import Server
from tests.support.processes import ROOT, Running, environ, eventually, run
from tests.support.scale import scale
from tests.support.server import TestServer, laid, settings_in

pytestmark = pytest.mark.long


@pytest.fixture
def url() -> Iterator[str]:
    with address("wheel") as url:
        yield url


def test_commands_say_what_is_the_matter(url: str, tmp_path: Path) -> None:
    nowhere = "postgresql://fairlog:hunter2@/log?host=/nonexistent"
    said = run(tmp_path, "doctor", DATABASE_URL=nowhere, COLUMNS="200")
    assert (said.returncode, "hunter2" in said.stdout + said.stderr) == (1, False)
    said = run(tmp_path, "migrate", DATABASE_URL=nowhere)
    assert said.returncode == 1
    assert said.stderr.startswith("Error: cannot use the database at DATABASE_URL: ")
    assert "hunter2" not in said.stderr
    said = run(tmp_path, "rebuild", DATABASE_URL=url)
    assert (said.returncode, "`fairlog migrate`" in said.stderr) == (1, True)
    assert run(tmp_path, "migrate", DATABASE_URL=url).returncode == 0
    said = run(tmp_path, "doctor", DATABASE_URL=url, COLUMNS="200")
    assert "fsync and synchronous_commit turned off" in said.stdout, (
        "the tests' own server does not flush"
    )
    rebuilt = run(tmp_path, "rebuild", DATABASE_URL=url).stdout
    assert rebuilt == "".join(
        f"{view}: 0 events applied\n"
        for view in ("tables", "timeline", "tallies", "sessions", "totals")
    )


def test_a_server_that_was_killed_has_all_that_was_answered(tmp_path: Path) -> None:
    server = Server("wheel", durable=True)
    try:
        with closing(
            TestServer(settings_in(tmp_path, DATABASE_URL=server.url(), FAIRLOG_SYNCHRONOUS="FULL"))
        ) as house:
            evening = laid(house)
            for number in range(3):
                evening.post("p1", "/narrate", {"text": f"round {number}"})
                before = house.log()
                server.kill()
                assert evening.post("p1", "/narrate", {"text": "into the void"}).status_code == 503
                server.start()
                assert eventually(lambda: house.client.get("/readyz").json["log"] == "ok")
                assert house.log() == before
    finally:
        server.remove()


@pytest.mark.parametrize("only", [["--only", "web"], []], ids=["web", "all"])
def test_a_server_waits_for_a_database_that_is_away(only: list[str], tmp_path: Path) -> None:
    """A service manager that started both would give up on one that ends again and again."""
    server = Server("wheel")
    server.stop()
    running = Running(tmp_path, "serve", *only, DATABASE_URL=server.url())
    try:
        running.until_said("^waiting for the database: cannot use the database at DATABASE_URL")
        assert running.process.poll() is None
        server.start()
        url = running.url()
        assert eventually(lambda: is_ready(url))
    finally:
        running.stop()
        server.remove()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_who_waits_for_a_database_can_be_stopped(number: signal.Signals, tmp_path: Path) -> None:
    running = Running(tmp_path, "serve", DATABASE_URL=f"postgresql:///fairlog?host={tmp_path}")
    running.until_said("^waiting for the database: cannot use the database at DATABASE_URL")
    running.stop(number)
    assert running.process.returncode == 0
    assert [file.name for file in tmp_path.iterdir()] == ["serve.lock"]


def is_ready(url: str) -> bool:
    with closing(ApiConnection(url)) as player:
        return player.get("/readyz").status == HTTPStatus.OK


@pytest.mark.timeout(300)
@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("processes", [1, 4])
def test_processes_at_one_table_all_come_to_their_turns(
    database: str, processes: int, tmp_path: Path
) -> None:
    """Hardly any turn is put off, no process starves, and every accepted turn is in the log once."""
    with address(database) as url:
        settings = settings_in(tmp_path, DATABASE_URL=url)
        with closing(TestServer(settings)) as house:
            session = house.open().session
            before = house.app.log.end()
        command = [
            sys.executable,
            "-m",
            "tests.service.store.hot_session",
            str(tmp_path),
            session,
            str(scale(2, 10)),
        ]
        surroundings = {**environ(tmp_path), **settings.environ()}
        running = [
            subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=subprocess.PIPE)
            for _ in range(processes)
        ]
        played = [
            msgspec.json.decode(one.communicate()[0].splitlines()[-1], type=Played)
            for one in running
        ]
        turns, races = (sum(getattr(one, name) for one in played) for name in ("turns", "races"))
        print(
            f"{database}, {processes} processes at one table: {turns / scale(2, 10):.0f} turns/s, {races} races lost,"
            f" {sum(one.lost for one in played)} given up, longest {1000 * max(one.longest for one in played):.0f} ms,"
            f" shares {[one.turns for one in played]}"
        )
        with closing(build(settings)) as app:
            assert len(app.log.read_events(session)) - before == turns
            assert verify(export_log(app, session), ed25519).failure is None
    assert sum(one.lost for one in played) * 50 <= turns, "at most 2 % are put off"
    assert min(one.turns for one in played) * processes * 10 > turns
