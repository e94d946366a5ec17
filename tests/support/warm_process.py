"""`fairlog` commands as forks of one process that has loaded the libraries: half of what a command costs is loading.

Of our own code only `domain.codec`, which every command needs, and what `fairlog` itself begins with are loaded before
the fork. A command loads whatever else it needs.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock

SECONDS = 100
MOST = 1 << 17  # bytes of a message: the arguments and the environment


LOADED = (
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "domain.codec",
    "eventsourcing.sqlite",
    "redis",
    "rich.console",
    "rich.progress",
    "rich.table",
    "rq",
    "structlog",
)
"""What commands have in common."""


class Warm:
    """The process, and what it is told: one command after the other."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._connection.settimeout(SECONDS)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.warm_process", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                cwd=Path(__file__).parents[2],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        atexit.register(self.close)

    def run(
        self, arguments: list[str], environ: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """Raises TimeoutError, and ends it, where it takes too long."""
        with self._lock, TemporaryFile("w+") as said, TemporaryFile("w+") as wrong:
            told = json.dumps([arguments, environ, str(Path.cwd())]).encode()
            socket.send_fds(self._connection, [told], [said.fileno(), wrong.fileno()])
            pid = int(self._connection.recv(MOST))
            try:
                status = int(self._connection.recv(MOST))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                self._connection.recv(MOST)
                raise
            for file in (said, wrong):
                file.seek(0)
            return subprocess.CompletedProcess(arguments, status, said.read(), wrong.read())

    def close(self) -> None:
        self._connection.close()
        self._process.wait(SECONDS)


@cache
def warm() -> Warm:
    """Of this process."""
    return Warm()


def forked(connection: socket.socket) -> bool:
    """Forks at every command that it is told, and says the pid and then the status. True in each fork, in its place."""
    while True:
        told, files, _, _ = socket.recv_fds(connection, MOST, 2)
        if not told:
            return False
        pid = os.fork()
        if not pid:
            _stand_in(*json.loads(told), files)
            connection.close()
            return True
        for file in files:
            os.close(file)
        connection.send(b"%d" % pid)
        connection.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def _stand_in(arguments: list[str], environ: dict[str, str], folder: str, files: list[int]) -> None:
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    sys.argv = ["fairlog", *arguments]
    for number, file in enumerate(files, 1):
        os.dup2(file, number)
        os.close(file)


if __name__ == "__main__":
    from service.cli.main import main

    for module in LOADED:
        import_module(module)
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as ours:
        is_fork = forked(ours)
    if is_fork:
        main()
