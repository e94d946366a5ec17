"""A way to a PostgreSQL server that loses answers: what was sent arrives, the connection is cut before the reply."""

from __future__ import annotations

import select
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SOCKET = ".s.PGSQL.5432"


class Cutting:
    """Listens in a folder of its own. `lose` names bytes: of the next message that holds them the reply is lost."""

    def __init__(self, folder: Path, target: Path) -> None:
        self._target, self._lost = target, b""
        self.cuts = 0
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / SOCKET))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def lose(self, holding: bytes) -> None:
        self._lost = holding

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(str(self._target / SOCKET))
            while True:
                for ready in select.select([client, server], [], [])[0]:
                    carried = ready.recv(1 << 20)
                    if not carried:
                        return
                    (server if ready is client else client).sendall(carried)
                    if ready is client and self._lost and self._lost in carried:
                        self._lost = b""
                        server.recv(1 << 20)  # it has done it, and says so to nobody
                        self.cuts += 1
                        return


@contextmanager
def cutting(url: str) -> Iterator[tuple[str, Cutting]]:
    """The address of the same database by such a way, and the way."""
    path, _, folder = url.partition("host=")
    with tempfile.TemporaryDirectory() as own:
        way = Cutting(Path(own), Path(folder))
        try:
            yield f"{path}host={own}", way
        finally:
            way.close()
