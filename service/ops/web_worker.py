"""The web server's worker class: gunicorn's worker with threads, with a time limit for requests."""

from __future__ import annotations

import io
import os
import socket
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from gunicorn.http.errors import NoMoreData
from gunicorn.workers.gthread import TConn, ThreadWorker

from service.platform.settings import Settings

RECEIVE_SECONDS = 20.0
"""The time in which a request must arrive completely.

It starts when the connection waits for a thread.
"""
MIN_RECEIVE_SECONDS = 2.0
"""The time that a request has from when a thread begins to read it, however long it has waited."""
CHECK_SECONDS = 0.5
"""The pause between two searches for overdue requests."""
LINGER_SECONDS = 2.0
"""After the last response of a connection, the time that the client has to close its side."""
REQUEST_TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class WebWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Reads each request completely, within a time limit, before it calls the application.

    A thread is blocked while a client sends its header and body. Without the limit, as many slow
    clients as there are threads would stop the server. Responses and streams have no time limit.
    """

    wsgi: Any

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._due: dict[socket.socket, float] = {}
        self._next_check = 0.0
        self._max_body = Settings.read(os.environ).max_body

    def load_wsgi(self) -> None:
        super().load_wsgi()
        self._app, self.wsgi = self.wsgi, self._call_with_body

    def enqueue_req(self, conn: TConn) -> None:
        conn.due = time.monotonic() + RECEIVE_SECONDS
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> object:
        sock = conn.sock
        self._due[sock] = max(conn.due, time.monotonic() + MIN_RECEIVE_SECONDS)
        try:
            continues = super().handle(conn)
        finally:
            self._due.pop(sock, None)
        if not continues:
            _linger(sock)
        return continues

    def murder_keepalived(self, force: bool = False) -> None:
        """Close idle connections as gunicorn does, and those whose requests are overdue."""
        super().murder_keepalived(force)
        now = time.monotonic()
        if now < self._next_check:
            return
        self._next_check = now + CHECK_SECONDS
        for sock, due in self._due.copy().items():
            if due < now and self._due.pop(sock, None) is not None:
                with suppress(OSError):  # closed meanwhile, or the client reads nothing
                    sock.send(REQUEST_TIMEOUT, socket.MSG_DONTWAIT)
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)  # ends the read in the connection's thread

    def _call_with_body(
        self, environ: dict[str, Any], start_response: Callable[..., object]
    ) -> Iterable[bytes]:
        """Read the body, unless it is too large, and call the application with it."""
        if int(environ.get("CONTENT_LENGTH") or 0) <= self._max_body:
            environ["wsgi.input"] = _read(environ["wsgi.input"], self._max_body + 1)
        if self._due.pop(environ["gunicorn.socket"], None) is None:
            raise NoMoreData
        result: Iterable[bytes] = self._app(environ, start_response)
        return result


def _read(body: Any, size: int) -> io.BytesIO | _BrokenBody:
    try:
        return io.BytesIO(body.read(size))
    except Exception:  # gunicorn raises many types for malformed chunks
        return _BrokenBody()


class _BrokenBody(io.RawIOBase):
    """A body that could not be read. The application gets an error when it reads it."""

    def readable(self) -> bool:
        return True

    def readinto(self, _: object) -> int:
        raise OSError("the request's body cannot be read")


def _linger(sock: socket.socket) -> None:
    """Wait in the connection's thread until the client closes its side.

    Gunicorn waits in the thread that all connections share, unless nothing is left to receive.
    """
    due = time.monotonic() + LINGER_SECONDS
    with suppress(OSError):  # closed, or timed out
        sock.shutdown(socket.SHUT_WR)
        while (left := due - time.monotonic()) > 0:
            sock.settimeout(left)
            if not sock.recv(1 << 16):
                break
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RD)
