"""One command brings everything up, keeps it up through kills, and leaves nothing behind."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

import pytest
import redis
import rq
from redis.backoff import ConstantBackoff
from redis.retry import Retry
from rq.serializers import JSONSerializer

from service.jobs import definitions
from service.jobs.embedded_server import EmbeddedQueueServer
from service.jobs.queue import QUEUE_NAME
from service.ops.migrate import prepare
from service.ops.supervisor import Supervisor
from service.platform.settings import Settings
from tests.support.processes import eventually

pytestmark = pytest.mark.long

TINY = """
import os, time
from pathlib import Path

def app(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"{os.environ['FAIRLOG_PORT']} {os.getpid()}".encode()]

def mark(session):
    Path(os.environ["FAIRLOG_DATA"], session).write_text(str(os.nice(0)))

def sleep(session):
    mark(session)
    time.sleep(50)
"""

JOBS = """
from service.jobs import definitions

definitions.FUNCTIONS = dict(statistics="tiny.mark", audit="tiny.sleep")
"""

SERVE = """
import os, sys
from service.ops.migrate import prepare
from service.platform.settings import Settings
from service.ops.supervisor import ServeError, Supervisor

def say(line):
    print(line, flush=True)

try:
    Supervisor(
        Settings.read(os.environ), prepare=prepare, say=say, app=sys.argv[1], only=sys.argv[2] if sys.argv[2:] else None
    ).run()
except ServeError as error:
    say(f"not serving: {error}")
    sys.exit(3)
say("stopped")
"""


RETRY = rq.Retry(max=3)
UNFORCED = float(Settings.read({}).stop_seconds)  # less than that, and nothing was killed


class Serving:
    """A `fairlog serve` in a process of its own, and what it says."""

    def __init__(self, data: Path, *arguments: str, **environ: str) -> None:
        write_tiny(data)
        self.environ = {
            **os.environ,
            "FAIRLOG_DATA": str(data),
            "FAIRLOG_PORT": "0",
            "PYTHONPATH": os.pathsep.join([str(data), *sys.path]),
            **environ,
        }
        self.settings = Settings.read(self.environ)
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, *(arguments or ["tiny:app"])],
            env=self.environ,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._port = 0
        self.lines: SimpleQueue[str] = SimpleQueue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.lines.put(line.rstrip())

    def until_said(self, pattern: str, seconds: float = 20.0) -> str:
        deadline = time.monotonic() + seconds
        heard = []
        while time.monotonic() < deadline:
            try:
                heard.append(self.lines.get(timeout=0.1))
            except Empty:
                continue
            if re.search(pattern, heard[-1]):
                return heard[-1]
        raise AssertionError(f"never said {pattern}: {heard}")

    def port(self) -> int:
        if not self._port:
            self._port = int(self.until_said("^serving|^web on").rsplit(":", 1)[1])
        return self._port

    def pids(self, named: str = "") -> set[int]:
        """Every process of ours but the supervisor itself."""
        mark = f"FAIRLOG_DATA={self.settings.data}".encode()
        found = set()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                ours = mark in (process / "environ").read_bytes().split(b"\0")
                ours |= (
                    process / "cwd"
                ).readlink() == self.settings.queue_folder  # its title hides its environment
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if ours and named in command:
                found.add(int(process.name))
        return found - {self.process.pid}

    def client(self) -> redis.Redis:
        """Of the queue's server; it waits for one that is just coming back."""
        return redis.Redis.from_url(
            self.settings.queue_address_file.read_text(), retry=Retry(ConstantBackoff(0.1), 50)
        )

    def stop(self, number: int = signal.SIGTERM) -> float:
        """The seconds it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(20)
        self._reader.join()
        return time.monotonic() - began


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Serving]:
    yield from serving_in(tmp_path)


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One that survives what is done to its children."""
    yield from serving_in(tmp_path_factory.mktemp("lasting"))


def serving_in(folder: Path) -> Iterator[Serving]:
    serving = Serving(folder)
    yield serving
    if serving.process.poll() is None:
        serving.stop()
    assert serving.pids() == set()
    if serving.settings.queue_address_file.exists():  # it was killed, and no next one tidied up
        shutil.rmtree(
            Path(serving.settings.queue_address_file.read_text().removeprefix("unix://")).parent
        )


def asked(port: int) -> tuple[int, int]:
    """The port that the web was told, and the pid that answered."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/")
    told, pid = connection.getresponse().read().split()
    connection.close()
    return int(told), int(pid)


def write_tiny(folder: Path) -> None:
    """Write a module with an app and two jobs, and have every process run these jobs as its own."""
    (folder / "tiny.py").write_text(TINY)
    (folder / "sitecustomize.py").write_text(JOBS)


def enqueued(client: redis.Redis, data: Path, *, sleeps: bool, nth: int = 0) -> Path:
    """Enqueue a job that writes a file, and then sleeps if it is to; return the file."""
    session = f"{nth:032x}"
    job = definitions.audit(session, 1) if sleeps else definitions.statistics(session)
    queue = rq.Queue(QUEUE_NAME, connection=client, serializer=JSONSerializer)
    queue.enqueue("tiny.nothing", job_id=job.name, result_ttl=0, retry=RETRY)
    return data / session


@pytest.mark.smoke
def test_everything_is_up_and_all_of_it_goes(served: Serving) -> None:
    port = served.port()
    assert asked(port)[0] == port
    assert served.settings.log_file.exists()
    assert len(served.pids("gunicorn")) == 2
    assert len(served.pids("workers worker")) >= 1
    assert served.stop() < UNFORCED
    assert served.process.returncode == 0
    assert served.until_said("stopped")
    assert served.pids() == set()
    assert not served.settings.queue_address_file.exists()
    with pytest.raises(ConnectionRefusedError):
        asked(port)


def test_ctrl_c_is_no_error(served: Serving) -> None:
    served.port()
    assert served.stop(signal.SIGINT) < UNFORCED
    assert served.process.returncode == 0


def test_nothing_outlives_a_killed_supervisor(served: Serving, tmp_path: Path) -> None:
    served.port()
    file = enqueued(served.client(), tmp_path, sleeps=True)
    assert eventually(file.exists)
    assert len(served.pids()) >= 5
    served.stop(signal.SIGKILL)
    assert eventually(lambda: served.pids() == set())


def test_a_second_one_is_told_who_holds_the_data(lasting: Serving) -> None:
    lasting.port()
    second = Serving(lasting.settings.data)
    assert f"is already being served by process {lasting.process.pid}" in second.until_said(
        "not serving"
    )
    assert second.process.wait(10) == 3
    assert lasting.client().ping()


def test_the_data_is_free_again_after_a_kill(served: Serving, tmp_path: Path) -> None:
    served.port()
    served.stop(signal.SIGKILL)
    again = Serving(tmp_path)
    again.port()
    again.stop()
    assert again.process.returncode == 0


def test_a_killed_queue_server_comes_back_with_its_jobs(lasting: Serving) -> None:
    lasting.port()
    client = lasting.client()
    client.set("kept", 1)
    address = lasting.settings.queue_address_file.read_text()
    (server,) = lasting.pids("unixsocket")
    os.kill(server, signal.SIGKILL)
    lasting.until_said("queue has exited")
    assert eventually(lambda: lasting.pids("unixsocket") - {server} != set())
    assert lasting.settings.queue_address_file.read_text() == address
    assert client.get("kept") == b"1"
    assert eventually(enqueued(client, lasting.settings.data, sleeps=False).exists)


def test_a_killed_web_comes_back_on_its_port(lasting: Serving) -> None:
    port = lasting.port()
    _, first = asked(port)
    (master,) = lasting.pids("gunicorn") - {first}
    os.kill(master, signal.SIGKILL)
    lasting.until_said("web has exited")
    assert eventually(lambda: asked(port)[1] != first)  # waits in our socket, is never refused
    assert first not in lasting.pids()


def test_the_job_of_a_killed_worker_is_retried(served: Serving, tmp_path: Path) -> None:
    served.port()
    busy = enqueued(served.client(), tmp_path, sleeps=True)
    assert eventually(busy.exists)
    busy.unlink()
    for worker in served.pids("workers worker"):
        os.kill(worker, signal.SIGKILL)
    assert eventually(busy.exists)
    assert int(busy.read_text()) >= 10  # niced
    served.stop(signal.SIGKILL)
    assert eventually(lambda: served.pids() == set())


@pytest.mark.parametrize("given", [1, 4])
def test_a_busy_worker_is_given_its_time_and_no_more(tmp_path: Path, given: int) -> None:
    serving = Serving(tmp_path, FAIRLOG_STOP_SECONDS=str(given))
    serving.port()
    assert eventually(enqueued(serving.client(), tmp_path, sleeps=True).exists)
    assert given <= serving.stop() < given + 7
    assert serving.pids() == set()


def test_a_web_that_does_not_come_up_is_said(tmp_path: Path) -> None:
    serving = Serving(tmp_path, "nowhere:app")
    assert "did not start" in serving.until_said("not serving")
    assert serving.process.wait(10) == 3
    assert serving.pids() == set()


def test_a_taken_port_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        serving = Serving(tmp_path, FAIRLOG_PORT=port)
        assert port in serving.until_said("not serving: cannot listen")
    assert serving.process.wait(10) == 3


def test_connections_from_before_gunicorn_starts_are_answered_without_delay(tmp_path: Path) -> None:
    """They take their options from the supervisor's socket. With Nagle's algorithm each answer waits 40 ms."""
    settings = Settings.read({"FAIRLOG_DATA": str(tmp_path), "FAIRLOG_PORT": "0"})
    with (
        Supervisor(settings, prepare=prepare, say=print)._listen() as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as connection,
    ):
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_only_web_is_gunicorn_alone(tmp_path: Path) -> None:
    serving = Serving(tmp_path, "tiny:app", "web")
    port = serving.port()
    assert asked(port)[0] == port
    assert len(serving.pids()) == 1  # gunicorn's own worker; its master is the process we started
    assert serving.stop() < UNFORCED


def test_with_redis_url_no_server_is_started(lasting: Serving, tmp_path: Path) -> None:
    lasting.port()
    other = tmp_path / "other"
    other.mkdir()
    serving = Serving(other, REDIS_URL=lasting.settings.queue_address_file.read_text())
    serving.port()
    assert serving.pids("unixsocket") == set()
    serving.stop()
    assert serving.pids() == set()


def test_a_worker_waits_for_a_queue_and_finds_the_next(tmp_path: Path) -> None:
    write_tiny(tmp_path)
    environ = {
        **os.environ,
        "FAIRLOG_DATA": str(tmp_path),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]),
    }
    prepare(Settings.read(environ))
    worker = subprocess.Popen([sys.executable, "-m", "workers", "worker"], env=environ)
    addresses = set()
    for nth in range(2):
        time.sleep(1)
        server = EmbeddedQueueServer(Settings.read(environ))
        server.start()
        addresses.add(server.address)
        with redis.Redis.from_url(server.address) as client:
            file = enqueued(client, tmp_path, sleeps=False, nth=nth)
        assert eventually(file.exists)
        server.stop()
    assert len(addresses) == 2
    worker.terminate()
    assert worker.wait(10) == 0
