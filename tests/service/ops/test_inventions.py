"""Nothing grows with what clients invent: methods, paths, hosts, tokens, names, on a real server with all of its parts."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bench.servers import resident
from tests.service.ops.inventions import KINDS, Request
from tests.support.processes import Running

pytestmark = pytest.mark.long  # a few requests would grow nothing that can be seen

NUMBER, WARM = 10_000, 1_000
MEMORY, DISK, METRICS = 8 << 20, 2 << 20, 30_000
"""The bytes by which each kind may let grow: a web process, the data directory, and what /metrics answers."""
UNLIMITED = "1000000"


class Server:
    """A `fairlog serve` that counts every request against limits that no one reaches."""

    def __init__(self, data: Path) -> None:
        limits = {
            f"FAIRLOG_{name}": UNLIMITED for name in ("RATE_ADDRESS", "RATE_TOKEN", "OPENINGS")
        }
        self.running = Running(data, "serve", FAIRLOG_PROXIES="1", **limits)
        self.url = self.running.url()
        opened = self.ask(
            [
                Request(
                    "POST", "/v1/sessions", body={"ruleset": "dhextiny", "title": "T", "name": "Mo"}
                )
            ]
        )
        self.path = f"/v1/sessions/{json.loads(opened)['session']}"

    def ask(self, requests: list[Request]) -> bytes:
        """Send them one after the other, and return the last answer."""
        said = b""
        with closing(
            http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=120)
        ) as connection:
            for request in requests:
                body = None if request.body is None else json.dumps(request.body)
                kind = {"Content-Type": "application/json"} if body else {}
                connection.request(request.method, request.path, body, kind | request.headers)
                answer = connection.getresponse()
                said = answer.read()
                assert answer.status < 500, (request, answer.status, said)
        return said

    def sizes(self) -> tuple[int, int, int]:
        [web] = {
            pid
            for pid in self.running.children("WebWorker")
            if parent(pid) in self.running.children("WebWorker")
        }
        disk = sum(
            path.stat().st_blocks * 512 for path in self.running.data.rglob("*") if path.is_file()
        )
        return resident(web), disk, len(self.ask([Request(path="/metrics")]))


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("data"))
    yield started
    started.running.stop()


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_grows_with_what_clients_invent(server: Server, kind: str) -> None:
    server.ask([KINDS[kind](server.path) for _ in range(WARM)])
    before = server.sizes()
    server.ask([KINDS[kind](server.path) for _ in range(NUMBER)])
    memory, disk, metrics = (
        after - since for after, since in zip(server.sizes(), before, strict=True)
    )
    print(f"{NUMBER} {kind}: memory {memory:+,}, disk {disk:+,}, /metrics {metrics:+,} bytes")
    assert memory < MEMORY
    assert disk < DISK
    assert metrics < METRICS
