"""Bodies that do not come as they should: cut off, in malformed chunks, packed, or without an end."""

from __future__ import annotations

import gzip
import socket
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from werkzeug.test import EnvironBuilder, run_wsgi_app

from tests.support.example import FIRST
from tests.support.processes import Running
from tests.support.server import SessionClient

HEAD = b"POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
BODY = msgspec.json.encode({"ruleset": FIRST.name, "title": "x"})
SIZE, LENGTH = b"%x" % len(BODY), b"%d" % len(BODY)
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
ROWS = [
    ("a chunk size that is none", CHUNKED + b"zz\r\n" + BODY + b"\r\n0\r\n\r\n", 400, "unreadable"),
    ("a chunk shorter than its size", CHUNKED + b"5\r\n{}\r\n0\r\n\r\n", 400, "unreadable"),
    ("chunks without an end", CHUNKED + SIZE + b"\r\n" + BODY + b"\r\n", 400, "unreadable"),
    ("trailers that are none", CHUNKED + SIZE + b"\r\n" + BODY + b"\r\n0\r\nno trailer\r\n\r\n", 400, "unreadable"),
    ("chunks", CHUNKED + SIZE + b"\r\n" + BODY + b"\r\n0\r\n\r\n", 201, ""),
    ("a host that is none", HEAD.replace(b"127.0.0.1", b"[::::]") + b"Content-Length: " + LENGTH + b"\r\n\r\n" + BODY,
     421, "host-unknown"),
    ("a body cut off", HEAD + b"Content-Length: 99\r\n\r\n" + BODY, 400, "unreadable"),
    ("a body in gzip", HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", 415, "content-type"),
    ("a plain body said to be gzip", HEAD + b"Content-Encoding: gzip\r\nContent-Length: " + LENGTH + b"\r\n\r\n" + BODY,
     415, "content-type"),
]  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    server = Running(tmp_path_factory.mktemp("wire"), "serve", "--only", "web")
    url = urlsplit(server.url())
    assert url.hostname is not None
    assert url.port is not None
    yield url.hostname, url.port
    server.stop()


def sent(address: tuple[str, int], raw: bytes) -> tuple[int, bytes]:
    """The status and the body of the one answer."""
    with socket.create_connection(address, 20) as connection:
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    assert answer.count(b"HTTP/1.1 ") == 1, answer
    return int(head.split()[1]), body


@pytest.mark.parametrize(
    ("raw", "status", "code"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_a_body_is_read_to_its_end_or_not_at_all(
    address: tuple[str, int], raw: bytes, status: int, code: str
) -> None:
    packed = gzip.compress(BODY)
    given, body = sent(address, raw % (len(packed), packed) if b"%d" in raw else raw)
    assert given == status, body
    assert msgspec.json.decode(body).get("code", "") == code


class Breaking(BytesIO):
    """A body that a server cannot read to its end: gunicorn says so by exceptions of its own."""

    def read(self, *_: object) -> bytes:
        raise Unknowable

    readinto = readall = read  # type: ignore[assignment]


class Unknowable(Exception):
    pass


@pytest.mark.parametrize(
    "more", [{"wsgi.input": Breaking()}, {"CONTENT_LENGTH": "99"}], ids=["breaks", "short"]
)
@pytest.mark.parametrize(("method", "path"), [("POST", "/narrate"), ("DELETE", "/seats/p1")])
def test_a_body_that_breaks_off_is_unreadable(
    evening: SessionClient, method: str, path: str, more: dict[str, Any]
) -> None:
    before = evening.house.log()
    builder = EnvironBuilder(
        path=evening.path + path, method=method, headers=evening.headers("p1"), json={"text": "x"}
    )
    environ = builder.get_environ() | {"wsgi.input_terminated": True} | more
    body, status, headers = run_wsgi_app(evening.house.flask, environ)
    assert (status[:3], headers["Content-Type"]) == ("400", "application/problem+json")
    assert b'"unreadable"' in b"".join(body)
    assert evening.house.log() == before


def test_a_body_without_a_length_is_limited_too(evening: SessionClient) -> None:
    builder = EnvironBuilder(
        path=f"{evening.path}/narrate",
        method="POST",
        headers=evening.headers("p1"),
        content_type="application/json",
    )
    environ = builder.get_environ() | {
        "wsgi.input": BytesIO(b"x" * 10_000_000),
        "wsgi.input_terminated": True,
    }
    _, status, _ = run_wsgi_app(evening.house.flask, environ)
    assert status.startswith("413")
