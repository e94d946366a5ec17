"""The deployment of docs/operating.md as processes of this machine, each of which can be killed and started again."""

from __future__ import annotations

import random
import socket
from pathlib import Path

from service.jobs.embedded_server import EmbeddedQueueServer
from service.platform.settings import Settings
from tests.support.databases.server import Server
from tests.support.processes import Running, environ, eventually, run
from tests.workers.worker_processes import family, kill

COMMANDS = {"web": ("serve", "--only", "web"), "worker": ("worker",), "follower": ("follow",)}
KINDS = (*COMMANDS, "queue", "postgres")
PROCESSES = 4
LAST_WORDS = 30  # lines of a process that are evidence


class Deployment:
    """To be used from the main thread: what it starts dies with the thread that started it."""

    def __init__(self, data: Path, **settings: str) -> None:
        self.data = data
        self._postgres = Server("wheel", durable=True)
        self._queue = EmbeddedQueueServer(
            Settings.read({"FAIRLOG_DATA": str(data.with_name(f"{data.name}-queue"))})
        )
        self._running: dict[str, Running] = {}
        self._down: set[str] = set()
        self._said: dict[str, list[str]] = {name: [] for name in COMMANDS}
        self.given = {
            "DATABASE_URL": self._postgres.url(),
            "FAIRLOG_PORT": str(_free_port()),
            "FAIRLOG_WEB_PROCESSES": str(PROCESSES),
            **settings,
        }

    def start(self) -> None:
        self._queue.start()
        self.given["REDIS_URL"] = self._queue.address
        made = run(self.data, "migrate", **self.given)
        assert made.returncode == 0, made.stderr
        for name in COMMANDS:
            self._launch(name)
        self._running["web"].url()

    @property
    def settings(self) -> Settings:
        return Settings.read(environ(self.data, **self.given))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.given['FAIRLOG_PORT']}"

    def kill(self, kind: str) -> None:
        """SIGKILL to all processes of that kind, as a service manager does it to a group."""
        self._down.add(kind)
        if kind == "postgres":
            self._postgres.kill()
        elif kind == "queue":
            kill(self._queue.pid)
            assert eventually(lambda: not self._queue.is_alive())
        else:
            running = self._running[kind]
            if kind == "worker":  # the process of its job leads a group of its own
                kill(*family(running.process.pid).held())
            running.kill()
            self._hear(kind, running)

    def kill_one_web_process(self, dice: random.Random) -> bool:
        """One of the four; gunicorn starts another. False where there is none at the moment."""
        pids = sorted(self._running["web"].children("gunicorn"))
        if pids:
            kill(dice.choice(pids))
        return bool(pids)

    def restart(self, kind: str) -> None:
        self._down.discard(kind)
        if kind == "postgres":
            self._postgres.start()
        elif kind == "queue":
            self._queue.launch()
        else:
            self._launch(kind)

    def tend(self) -> None:
        """Nothing but a kill ends any of these."""
        ended = {
            name for name, running in self._running.items() if running.process.poll() is not None
        } - self._down
        assert ended == set(), "ended by itself"

    def evidence(self) -> str:
        """The last that each process said, over all of its lives."""
        for name, running in self._running.items():
            self._hear(name, running)
        return "\n".join(
            f"--- {name}\n" + "\n".join(line[:400] for line in lines[-LAST_WORDS:])
            for name, lines in self._said.items()
        )

    def said(self, name: str) -> list[str]:
        self._hear(name, self._running[name])
        return self._said[name]

    def stop(self) -> dict[str, int]:
        """What each process of ours came back with, asked to end."""
        for running in self._running.values():
            running.stop()
        return {name: running.process.returncode for name, running in self._running.items()}

    def remove(self) -> None:
        for name, running in self._running.items():
            if running.process.poll() is None:
                self.kill(name)
        self._queue.stop()
        self._postgres.remove()

    def _launch(self, name: str) -> None:
        self._running[name] = Running(self.data, *COMMANDS[name], **self.given)

    def _hear(self, name: str, running: Running) -> None:
        self._said[name] += running.heard + running.rest()
        running.heard.clear()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])
