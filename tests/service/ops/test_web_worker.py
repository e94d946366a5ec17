"""Slow clients: a request that does not arrive in time frees its thread; streams and responses are not cut."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread

import pytest
import requests

from bench.servers import Served, served
from service.ops.web_worker import RECEIVE_SECONDS
from service.platform.settings import Settings

IMPATIENT = "tests.service.ops.impatient_app:app"
FEW = {"FAIRLOG_WEB_THREADS": "2", "FAIRLOG_STREAMS": "2"}
THREADS = Settings.read({}).threads
SPARE = 20.0
"""Seconds for what is measured in less than two on an idle machine."""
HEADER = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HALVES = {
    "header": HEADER + b"X-Slow: ",
    "body": b"POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: 900\r\n\r\n{",
    "chunk": b"POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\nff\r\n{",
}


@contextmanager
def slowly(server: Served, number: int, half: bytes, pause: float) -> Iterator[list[socket.socket]]:
    """So many connections send half a request, and then a byte after each pause."""
    done, opened = Event(), list[socket.socket]()

    def drip() -> None:
        while not done.wait(pause):
            for each in opened:
                with suppress(OSError):  # the server has closed it
                    each.send(b"1", socket.MSG_DONTWAIT)

    thread = Thread(target=drip)
    with ExitStack() as stack:
        for _ in range(number):
            opened.append(stack.enter_context(socket.create_connection(server.place)))
            opened[-1].sendall(half)
        thread.start()
        try:
            yield opened
        finally:
            done.set()
            thread.join()


def answered(server: Served, seconds: float) -> float:
    """The seconds after which the server has answered a request that waited."""
    began = time.monotonic()
    assert requests.get(f"{server.url}/livez", timeout=seconds).status_code == 200
    return time.monotonic() - began


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(IMPATIENT, **FEW) as running:
        yield running


@pytest.mark.long
def test_half_a_request_frees_its_thread_however_it_goes_on(server: Served) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(slowly(server, 3, half, 0.3)) for half in HALVES.values()]
        assert answered(server, 2 * SPARE) < SPARE
        for connections in slow:
            connections[0].settimeout(SPARE)
            with suppress(ConnectionResetError):
                assert connections[0].recv(1000).partition(b" Request")[0] in (b"HTTP/1.1 408", b"")


@pytest.mark.long
def test_clients_that_do_not_close_their_side_delay_no_one(server: Served) -> None:
    """Gunicorn waits two seconds for each of them in the thread that accepts connections."""
    with ExitStack() as stack:
        for _ in range(30):
            client = stack.enter_context(socket.create_connection(server.place))
            client.sendall(HEADER + b"Connection: close\r\n\r\n")
        assert answered(server, 90) < SPARE


@pytest.mark.long
def test_a_stream_and_a_request_in_parts_are_not_cut(server: Served) -> None:
    opened = requests.post(
        f"{server.url}/v1/sessions",
        json={"ruleset": "dhextiny", "title": "T", "name": "Mo"},
        timeout=90,
    ).json()
    path, token = f"/v1/sessions/{opened['session']}", opened["token"]
    own = {"Authorization": f"Bearer {token}"}
    stream = requests.get(f"{server.url}{path}/stream", headers=own, stream=True, timeout=90)
    began = time.monotonic()
    with socket.create_connection(server.place) as client:
        client.sendall(
            f"POST {path}/narrate HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
            'Content-Type: application/json\r\nContent-Length: 15\r\n\r\n{"text":'.encode()
        )
        time.sleep(0.5)
        client.sendall(b'"late"}')
        client.settimeout(90)
        assert client.recv(1000).startswith(b"HTTP/1.1 201 ")
    time.sleep(max(0.0, began + 4.5 - time.monotonic()))
    requests.post(
        f"{server.url}{path}/narrate", json={"text": "much later"}, headers=own, timeout=90
    )
    said = b""
    for chunk in stream.iter_content(None):
        said += chunk
        if b"much later" in said:
            break
    assert b"much later" in said


def test_a_body_that_is_too_large_is_refused_before_it_arrives(server: Served) -> None:
    for framing in (b"Content-Length: 99999999\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n"):
        with socket.create_connection(server.place) as client:
            client.settimeout(90)
            head = HALVES["body"].partition(b"Content-Length")[0]
            client.sendall(head + framing)
            if b"chunked" in framing:
                for _ in range(5):
                    client.sendall(b"8000\r\n" + b" " * 0x8000 + b"\r\n")
            assert client.recv(1000).startswith(b"HTTP/1.1 413 ")


@pytest.mark.long
def test_more_half_requests_than_threads_hold_the_server_for_a_bounded_time() -> None:
    assert THREADS < 170
    with served() as server, slowly(server, 170, HALVES["header"], 3.0):
        waited = answered(server, 300)
    print(f"170 half headers: /livez answered after {waited:.1f} s")
    assert waited < RECEIVE_SECONDS + SPARE
