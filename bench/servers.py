"""Servers to measure: the web server of `fairlog serve --only web`, a queue, PostgreSQL.

`python -m bench.servers MODULE:APP` is that web server, with the settings of its environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from service.jobs.embedded_server import EmbeddedQueueServer
from service.ops.gunicorn_config import APP
from service.ops.migrate import prepare
from service.ops.supervisor import Supervisor
from service.platform.settings import SETTINGS, Settings
from tests.support.databases.server import Server

RAW_APP, RAW_PATH = "bench.raw:app", "/bench/raw"
"""The application with the additional route of the floor, and that route."""
PAGE = os.sysconf("SC_PAGE_SIZE")


class Served(NamedTuple):
    """A web server: its URL, and the parent of its web processes."""

    url: str
    pid: int

    @property
    def place(self) -> tuple[str, int]:
        """The host and port."""
        parts = urlsplit(self.url)
        return str(parts.hostname), parts.port or 0

    def resident(self) -> int:
        """Return the resident bytes of its web processes."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return sum(resident(int(child)) for child in children)


def resident(pid: int) -> int:
    """Return the resident bytes of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


@contextmanager
def served(app: str = APP, **settings: str) -> Iterator[Served]:
    """Yield a web server with an empty data directory, without follower or worker."""
    ours = {setting.name for setting in SETTINGS.values()}
    kept = {name: text for name, text in os.environ.items() if name not in ours}
    with tempfile.TemporaryDirectory(prefix="fairlog-bench-") as folder:
        queue = EmbeddedQueueServer(Settings.read({"FAIRLOG_DATA": folder}))
        queue.start()
        try:
            with _web(
                app, {**kept, "FAIRLOG_DATA": folder, "FAIRLOG_PORT": "0", **settings}
            ) as web:
                yield web
        finally:
            queue.stop()


@contextmanager
def _web(app: str, environ: dict[str, str]) -> Iterator[Served]:
    server = subprocess.Popen(
        [sys.executable, "-m", "bench.servers", app], env=environ, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    with server.stdout as said:
        try:
            yield Served(said.readline().split()[-1], server.pid)
        finally:
            server.terminate()
            server.wait()


@contextmanager
def postgres() -> Iterator[str]:
    """Yield the URL of an empty database on a new PostgreSQL that flushes as in production."""
    server = Server("wheel", durable=True)
    try:
        with server.database() as url:
            yield url
    finally:
        server.remove()


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    Supervisor(
        Settings.read(os.environ), prepare=prepare, say=_say, app=sys.argv[1], only="web"
    ).run()
