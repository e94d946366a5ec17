"""A PostgreSQL server of the tests' own: made in a folder of the system's, gone with the process that started it."""

from __future__ import annotations

import atexit
import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from tests.support.databases.finding import programs

NOBODY = "nobody"
START_SECONDS = 60.0
PR_SET_PDEATHSIG = 1
# Every server: its log is read where it fails, and nothing is worth a disk's wait but where a test kills it.
COMMON = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "log_min_messages": "warning",
}
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
SCHEMAS = "SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg!_%' ESCAPE '!' AND nspname<>'information_schema'"
END_OTHERS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname=current_database() AND pid<>pg_backend_pid()"""
_numbers = count()


class Server:
    """`durable`: it flushes as in production, for tests that kill it."""

    def __init__(self, leg: str, *, durable: bool = False) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="fairlog-postgres-"))
        self._programs = _readable(programs(leg), self._folder)
        self._settings = {
            **COMMON,
            **({} if durable else FAST),
            "unix_socket_directories": str(self._folder),
        }
        self._data = self._folder / "data"
        self._free: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(self._folder, NOBODY)
        self._run(
            "initdb",
            "-D",
            self._data,
            "-U",
            "fairlog",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-locale",
            "-N",
        )
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://fairlog@/{database}?host={self._folder}"

    def start(self) -> None:
        """Returns once it answers."""
        command = [self._programs / "postgres", "-D", self._data]
        command += [
            text for name, value in self._settings.items() for text in ("-c", f"{name}={value}")
        ]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd=self._folder,
                preexec_fn=_die_with_parent,
                **_as_nobody(),
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"PostgreSQL does not start: {self._log.read_text()[-2000:]}")
            time.sleep(0.02)

    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """SIGKILL to all of it."""
        assert self._process is not None
        pids = [self._process.pid, *_children(self._process.pid)]
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        while any(
            Path("/proc", str(pid)).exists() for pid in pids
        ):  # its memory is in use as long as one of them is
            time.sleep(0.01)

    def stop(self) -> None:
        """With all that it has said it kept, and without waiting for its clients."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        self._process.wait(START_SECONDS)

    def remove(self) -> None:
        if self.is_alive():
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    @contextmanager
    def database(self) -> Iterator[str]:
        """The address of an empty database, one at a time to each who asks; emptied behind."""
        name = self._free.pop() if self._free else self._made()
        try:
            yield self.url(name)
        finally:
            with psycopg.connect(self.url(name), autocommit=True) as connection:
                connection.execute(END_OTHERS)
                for (schema,) in connection.execute(SCHEMAS).fetchall():
                    connection.execute(SQL("DROP SCHEMA {} CASCADE").format(Identifier(schema)))
                connection.execute("CREATE SCHEMA public")
            self._free.append(name)

    def _made(self) -> str:
        """It takes ten times as long as to empty one."""
        name = f"test_{next(_numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        return name

    @property
    def _log(self) -> Path:
        return self._folder / "server.log"

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError), psycopg.connect(self.url(), connect_timeout=2):
            return True
        return False

    def _run(self, program: str, *arguments: object) -> None:
        command = [str(self._programs / program), *map(str, arguments)]
        ran = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            cwd=self._folder,
            **_as_nobody(),
        )
        assert ran.returncode == 0, ran.stdout


@cache
def shared(leg: str) -> Server:
    """The one of this process, for all tests that do not kill it; stopped at its end."""
    server = Server(leg)
    atexit.register(server.remove)
    return server


def _readable(folder: Path, copy: Path) -> Path:
    """The programs where the user that runs them can reach them: a checkout may stand where only root may look."""
    reached = (
        subprocess.run(["test", "-x", folder / "postgres"], check=False, **_as_nobody()).returncode
        == 0
    )
    if reached:
        return folder
    wheel, there = folder.parents[1], copy / "programs"
    shutil.copytree(wheel, there / wheel.name)
    shutil.copytree(
        wheel.with_suffix(".libs"), there / f"{wheel.name}.libs"
    )  # its programs look for them beside it
    return there / folder.relative_to(wheel.parent)


def _children(of: int) -> list[int]:
    """Every process that this one started, by /proc/<pid>/stat: the parent stands behind the name and the state."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            if int(stat.read_text().rpartition(")")[2].split()[1]) == of:
                found.append(int(stat.parent.name))
    return found


def _as_nobody() -> dict[str, Any]:
    """PostgreSQL does not run as root."""
    return {"user": NOBODY, "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)
