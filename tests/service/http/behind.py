"""A `fairlog serve` of its own as if it were an app in this process: every request goes to it over its socket."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIEnvironment

from hypothesis import assume
from werkzeug.datastructures import EnvironHeaders
from werkzeug.test import Client
from werkzeug.wsgi import get_input_stream

from service.bootstrap import build
from tests.running import Running
from tests.service.http.playing import House

OF_THE_CONNECTION = ("Connection", "Host", "Transfer-Encoding")
LONGEST = 4000
"""Bytes of an address: what is longer gunicorn answers itself, 414, and no application hears of it."""


class Forwarding:
    """A WSGI app that asks the server at an address, each time on a connection of its own."""

    def __init__(self, url: str) -> None:
        self._server = urlsplit(url).netloc

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        sent = [
            (name, text) for name, text in EnvironHeaders(environ) if name not in OF_THE_CONNECTION
        ]
        with closing(HTTPConnection(self._server, timeout=60)) as connection:
            target = f"{environ['REQUEST_URI'].partition('?')[0]}?{environ['QUERY_STRING']}".rstrip(
                "?"
            )
            assume(len(target) < LONGEST)
            connection.request(
                environ["REQUEST_METHOD"],
                target,
                get_input_stream(environ).read() or None,
                dict(sent),
            )
            answer = connection.getresponse()
            kept = [
                (name, text) for name, text in answer.getheaders() if name not in OF_THE_CONNECTION
            ]
            start_response(f"{answer.status} {answer.reason}", kept)
            return [answer.read()]


class Behind(House):
    """`serve` with these settings. `app` is ours, on the same data: what a worker on this machine has."""

    def __init__(self, data: Path, **settings: str) -> None:
        self.running = Running(data, "serve", **settings)
        self.forwarding = Forwarding(self.running.url())
        self.settings = self.running.settings
        self.app = build(self.settings)

    @property
    def client(self) -> Any:
        """Speaks as Flask's does."""
        return Client(self.forwarding)

    def close(self) -> None:
        self.app.close()
        self.running.stop()
