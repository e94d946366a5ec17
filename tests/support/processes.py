"""A `fairlog` in a process of its own: what it says, the processes it started, and ways to end them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

from service.platform.settings import SETTINGS, Settings
from tests.support.warm_process import warm

ROOT = Path(__file__).resolve().parents[2]
OURS = {setting.name for setting in SETTINGS.values()}


def environ(data: Path, **settings: str) -> dict[str, str]:
    """This environment without a setting but those given."""
    kept = {name: text for name, text in os.environ.items() if name not in OURS}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "FAIRLOG_DATA": str(data),
        "FAIRLOG_PORT": "0",
        **settings,
    }


def run(data: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """One command from start to end, as a fork of one that has loaded the libraries."""
    return warm().run(list(arguments), environ(data, **settings))


def eventually(holds: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Wait until it holds; the limit is generous because test machines are shared."""
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds()


def processes(data: Path, named: str = "") -> set[int]:
    """Every process that was given this data directory, or works in it, or in one below."""
    mark = f"FAIRLOG_DATA={data}".encode()
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            given = any(
                text.startswith(mark) for text in (process / "environ").read_bytes().split(b"\0")
            )
            works = (
                (process / "cwd").readlink().is_relative_to(data)
            )  # the queue's server overwrites its environment
            if (given or works) and named in (process / "cmdline").read_bytes().decode():
                found.add(int(process.name))
    return found


class Running:
    """A `fairlog` command that goes on until it is stopped."""

    def __init__(self, data: Path, *arguments: str, **settings: str) -> None:
        self.data = data
        surroundings = environ(data, **settings)
        self.settings = Settings.read(surroundings)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service", *arguments],
            env=surroundings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.heard: list[str] = []
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._reader = Thread(target=self._read)
        self._reader.start()

    def until_said(self, pattern: str, seconds: float = 40.0) -> str:
        """The first line, from the last one heard on, that the pattern is found in."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                self.heard.append(self._lines.get(timeout=0.1))
            except Empty:
                continue
            if re.search(pattern, self.heard[-1]):
                return self.heard[-1]
        raise AssertionError(f"never said {pattern}: {self.heard}")

    def rest(self) -> list[str]:
        """The lines that nobody has waited for yet."""
        return [self._lines.get() for _ in range(self._lines.qsize())]

    def url(self) -> str:
        """Where it serves, once it does."""
        return self.until_said("^serving|^web on").rsplit(" ", 1)[1]

    def kill(self) -> None:
        """SIGKILL to it and its group: with `--only web` that is all of the server."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self._end()

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self._end()

    def children(self, named: str = "") -> set[int]:
        """What runs of all that it started."""
        return processes(self.data, named) - {self.process.pid}

    def _end(self) -> None:
        self.process.wait(20)
        self._reader.join(20)

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._lines.put(line.rstrip())
