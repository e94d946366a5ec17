"""HTTP clients that run in one cheap process. Each sends its next request after its response.

`python -m bench.clients` reads a Load as JSON from standard input and prints the Done as JSON.
"""

from __future__ import annotations

import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import count

import msgspec

END = b"\r\n\r\n"
LENGTH = b"content-length: "


class Client(msgspec.Struct, frozen=True):
    """A client: it sends its bodies in turn, always to the end of a round."""

    path: str
    token: str
    bodies: tuple[str, ...]


class Load(msgspec.Struct, frozen=True):
    """Clients and their server. No client starts a round after `seconds`."""

    host: str
    port: int
    seconds: float
    clients: tuple[Client, ...]


class Done(msgspec.Struct, frozen=True):
    """The result: seconds from first request to last response, and latencies in seconds."""

    taken: float
    latencies: tuple[float, ...]

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.taken


def run(load: Load) -> Done:
    """Run the load in another process and return its result."""
    ran = subprocess.run(
        [sys.executable, "-m", "bench.clients"],
        input=msgspec.json.encode(load),
        stdout=subprocess.PIPE,
        check=True,
    )
    return msgspec.json.decode(ran.stdout, type=Done)


class _Wire:
    """A client's persistent connection, with the request that it waits for."""

    def __init__(self, load: Load, client: Client, nth: int) -> None:
        self.socket = socket.create_connection((load.host, load.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._numbers, self._nth, self._began = count(), nth, time.time_ns()
        self._requests = [_request(load, client, body.encode()) for body in client.bodies]
        self._got = b""

    def send(self) -> None:
        number = next(self._numbers)
        head, tail = self._requests[number % len(self._requests)]
        key = f"{self._began}-{self._nth}-{number}".encode()
        self.sent = time.perf_counter()
        self.socket.sendall(head + key + tail)
        self.is_last = (number + 1) % len(self._requests) == 0

    def is_answered(self) -> bool:
        """Read received bytes. Return True if the response is complete."""
        received = self.socket.recv(1 << 16)
        assert received, "the server closed the connection"
        self._got += received
        head, end, body = self._got.partition(END)
        if not end or len(body) < int(head.lower().partition(LENGTH)[2].split(b"\r\n", 1)[0]):
            return False
        assert head.startswith(b"HTTP/1.1 201"), self._got
        self._got = b""
        return True


def _request(load: Load, client: Client, body: bytes) -> tuple[bytes, bytes]:
    """Return the parts of the request before and after its idempotency key."""
    head = (
        f"POST {client.path} HTTP/1.1\r\nHost: {load.host}:{load.port}\r\n"
        f"Authorization: Bearer {client.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nIdempotency-Key: "
    )
    return head.encode(), END + body


def send(load: Load) -> Done:
    """Run all clients in this process."""
    latencies: list[float] = []
    with selectors.DefaultSelector() as selector:
        for nth, client in enumerate(load.clients):
            wire = _Wire(load, client, nth)
            selector.register(wire.socket, selectors.EVENT_READ, wire)
        wires: Sequence[_Wire] = [key.data for key in selector.get_map().values()]
        began = time.perf_counter()
        for wire in wires:
            wire.send()
        while selector.get_map():
            for key, _ in selector.select():
                wire = key.data
                if wire.is_answered():
                    now = time.perf_counter()
                    latencies.append(now - wire.sent)
                    if wire.is_last and now - began >= load.seconds:
                        selector.unregister(wire.socket)
                        wire.socket.close()
                    else:
                        wire.send()
        return Done(time.perf_counter() - began, tuple(latencies))


if __name__ == "__main__":
    done = send(msgspec.json.decode(sys.stdin.buffer.read(), type=Load))
    sys.stdout.buffer.write(msgspec.json.encode(done))
