"""A receiver of webhooks on this machine, which fails now and then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message as Headers
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import NamedTuple


class Received(NamedTuple):
    id: str
    headers: Headers
    body: bytes


class Receiver:
    """Answers each `fails`-th message with an error, and keeps all others."""

    def __init__(self, fails: int = 0) -> None:
        self.accepted: list[Received] = []
        self.refused = 0
        self._asked, self._lock = 0, Lock()
        self._fails = fails
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = receiver.take(Received(self.headers["webhook-id"], self.headers, body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"

    def take(self, received: Received) -> int:
        with self._lock:
            self._asked += 1
            if self._fails and self._asked % self._fails == 0:
                self.refused += 1
                return (500, 429)[self.refused % 2]
            self.accepted.append(received)
            return 204

    @contextmanager
    def running(self) -> Iterator[Receiver]:
        thread = Thread(target=self._server.serve_forever)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()
