"""What goes wrong between a page and its server: a server that can be killed, and a network that can be cut."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from tests.support.processes import Running
from tests.support.server import NOWHERE


class Server:
    """A server in a process of its own, which keeps its port and its data when it is killed and started again."""

    def __init__(self, folder: Path, **settings: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.folder, self.settings = folder, settings
        self.url = f"http://127.0.0.1:{self.port}"
        self.running: Running | None = None
        self.start()

    def start(self) -> None:
        own = {
            "REDIS_URL": NOWHERE,
            "FAIRLOG_SYNCHRONOUS": "NORMAL",
            "FAIRLOG_PORT": str(self.port),
        }
        self.running = Running(self.folder, "serve", "--only", "web", **own, **self.settings)
        self.running.url()

    def kill(self) -> None:
        """End the process with SIGKILL."""
        if self.running is not None:
            self.running.kill()
            self.running = None


class Network:
    """A proxy before a server. When it is cut, connections hang: no error tells either side."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._age = 0
        self._sockets: list[socket.socket] = []
        self._up, self._down = Event(), Event()
        self._up.set()
        self._down.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Let nothing pass."""
        self._up.clear()
        self._down.clear()

    def cut_answers(self) -> None:
        """Let requests pass, and no answer."""
        self._down.clear()

    def restore(self) -> None:
        """Let new connections pass. The old ones stay silent, as behind a router that forgot them."""
        self._age += 1
        self._up.set()
        self._down.set()

    def close(self) -> None:
        self.restore()
        for each in (self._listener, *self._sockets):
            with suppress(OSError):  # the other side is gone
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                self._sockets.append(client)
                Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        self._up.wait()
        age = self._age
        try:
            server = socket.create_connection(("127.0.0.1", self._port))
        except OSError:
            client.close()
            return
        self._sockets.append(server)
        Thread(target=self._pump, args=(server, client, self._down, age), daemon=True).start()
        self._pump(client, server, self._up, age)

    def _pump(self, source: socket.socket, target: socket.socket, flow: Event, age: int) -> None:
        with suppress(OSError):  # one side is gone
            while read := source.recv(65_536):
                flow.wait()
                if age == self._age:
                    target.sendall(read)
        if age == self._age:
            with suppress(OSError):
                target.shutdown(socket.SHUT_WR)


@contextmanager
def served(folder: Path, **settings: str) -> Iterator[Server]:
    server = Server(folder, **settings)
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def network(server: Server) -> Iterator[Network]:
    opened = Network(server.port)
    try:
        yield opened
    finally:
        opened.close()
