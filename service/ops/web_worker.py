"""The web server's worker class: gunicorn's threaded worker with a time limit for requests."""

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
"""The time limit for receiving a complete request.

It starts when the connection is queued for a thread.
"""
MIN_RECEIVE_SECONDS = 2.0
"""The minimum time allowed for receiving a request once a thread starts to read it.

It applies even if the connection has already waited longer than RECEIVE_SECONDS for a thread.
"""
CHECK_SECONDS = 0.5
"""The interval between checks for overdue requests."""
LINGER_SECONDS = 2.0
"""How long a client has to close its side of a connection after the last response."""
REQUEST_TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class WebWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A worker that receives each request completely, within a time limit, before processing it.

    While a client sends a request, a thread is blocked. Without the time limit, one slow client per
    thread would be enough to block the server. Responses and streams have no time limit.
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
        """Close idle connections, as gunicorn does, and connections with overdue requests."""
        super().murder_keepalived(force)
        now = time.monotonic()
        if now < self._next_check:
            return
        self._next_check = now + CHECK_SECONDS
        for sock, due in self._due.copy().items():
            if due < now and self._due.pop(sock, None) is not None:
                with suppress(OSError):  # already closed, or the client does not read
                    sock.send(REQUEST_TIMEOUT, socket.MSG_DONTWAIT)
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)  # ends the read in the connection's thread

    def _call_with_body(
        self, environ: dict[str, Any], start_response: Callable[..., object]
    ) -> Iterable[bytes]:
        """Read the request body, then call the application.

        A body whose declared length is too large is not read, because the application refuses it.
        Raises NoMoreData if the request is overdue.
        """
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
    """The body of a request that could not be received.

    Reading it raises an error in the application.
    """

    def readable(self) -> bool:
        return True

    def readinto(self, _: object) -> int:
        raise OSError("cannot read the request body")


def _linger(sock: socket.socket) -> None:
    """Wait until the client closes its side of the connection, for at most LINGER_SECONDS.

    Otherwise, gunicorn would wait for the client in the thread that all connections share.
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
