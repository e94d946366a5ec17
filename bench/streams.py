"""The cost of spectators: the rate of commands with a crowd on the session's stream, or none.

`python -m bench.streams HOST PORT PATH COUNT` is the crowd, in one process to save resources.
"""

from __future__ import annotations

import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count
from threading import Event, Thread
from typing import NamedTuple
from urllib.parse import urlsplit

from bench.measurement import Measurement
from bench.servers import served
from service.client.api import ApiConnection

SPECTATORS, WRITERS = 50, 4
SLICES, SECONDS = 5, 3.0
"""Slices with and without the crowd alternate, so that a disturbance affects both."""
READY = "ready"
MARK = b"\nid: "


class Measured(NamedTuple):
    """Commands per second without and with the crowd.

    `events` is the number of events sent, `seen` the number that each spectator received.
    """

    alone: float
    watched: float
    events: int
    seen: tuple[int, ...]

    @property
    def ratio(self) -> float:
        return self.watched / self.alone


def spectators() -> Measurement:
    """Measure commands per second of four writers with 50 spectators, against none."""
    found = measured()
    assert set(found.seen) == {found.events}, (found.events, found.seen)
    name = f"commands over HTTP, {SPECTATORS} streams on the session / none"
    said = f"each stream got all {found.events:,} events"
    return Measurement(
        name, found.watched, found.alone, "commands/s", found.ratio, 0.7, least=True, said=said
    )


def measured(crowd: int = SPECTATORS, slices: int = SLICES, seconds: float = SECONDS) -> Measured:
    """Measure one session in slices with and without a crowd."""
    alone, watched, events, seen = 0, 0, 0, [0] * crowd
    with served() as server, closing(ApiConnection(url := server.url)) as gm:
        path = opened(gm)
        written(url, gm, path, seconds / 2)  # warm up
        for _ in range(slices):
            alone += written(url, gm, path, seconds)
            with Crowd(url, path, crowd) as watching:
                first = gm.get(path).json["version"]
                watched += written(url, gm, path, seconds)
                events += gm.get(path).json["version"] - first
            seen = [got + more for got, more in zip(seen, watching.seen, strict=True)]
    return Measured(alone / slices / seconds, watched / slices / seconds, events, tuple(seen))


def opened(gm: ApiConnection) -> str:
    """Open a listed session with a rat to roll for, and return its path."""
    ticket = gm.post(
        "/v1/sessions", {"ruleset": "dhextiny", "title": "Bench", "options": {"listed": True}}
    ).json
    gm.token, path = ticket["token"], f"/v1/sessions/{ticket['session']}"
    rat = {"kind": "dhextiny.CreateCreature", "entity": "rat", "name": "Rat", "lp": 6}
    assert gm.post(f"{path}/commands", {"command": rat}).status == 201
    return path


def written(url: str, gm: ApiConnection, path: str, seconds: float) -> int:
    """Return the number of accepted commands. One writer checks and settles, others narrate."""
    over, accepted = Event(), [0] * WRITERS

    def write(nth: int) -> None:
        with closing(ApiConnection(url, gm.token)) as player:
            for number in count():
                if over.is_set() and (nth or number % 2 == 0):  # no check is left open
                    return
                kind = ("Check", "Settle")[number % 2]
                command = {"command": {"kind": f"dhextiny.{kind}", "entity": "rat"}}
                part, body = ("narrate", {"text": "It rains."}) if nth else ("commands", command)
                answer = player.post(f"{path}/{part}", body)
                assert answer.status == 201, answer.body
                accepted[nth] += 1

    threads = [Thread(target=write, args=(nth,)) for nth in range(WRITERS)]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    over.set()
    for thread in threads:
        thread.join()
    return sum(accepted)


class Crowd:
    """Spectators in another process; `seen` is the number of events that each received."""

    def __init__(self, url: str, path: str, number: int) -> None:
        where = urlsplit(url)
        self._command = [
            sys.executable,
            "-m",
            "bench.streams",
            str(where.hostname),
            str(where.port),
            path,
            str(number),
        ]
        self.seen: list[int] = []

    def __enter__(self) -> Crowd:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == READY
        return self

    def __exit__(self, *_: object) -> None:
        said, _ = self._process.communicate("stop\n")
        self.seen = [int(number) for number in said.split()]


def watch(host: str, port: int, path: str, number: int) -> None:
    """Connect all spectators, print READY, and stop soon after a line on standard input."""
    with ExitStack() as stack:
        selector = stack.enter_context(selectors.DefaultSelector())
        for nth in range(number):
            wire = stack.enter_context(socket.create_connection((host, port)))
            wire.sendall(f"GET {path}/stream HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            selector.register(wire, selectors.EVENT_READ, nth)
        opening = [b""] * number
        while not all(b"event: start" in said for said in opening):
            for nth, said in _received(selector, 1.0):
                opening[nth] += said
        print(READY, flush=True)
        print(*_counted(selector, opening))


def _counted(selector: selectors.BaseSelector, opening: list[bytes]) -> list[int]:
    """Return the number of events that each received, including those of the first chunk."""
    seen, tails = (
        [said.count(MARK) - 1 for said in opening],
        [said[-len(MARK) :] for said in opening],
    )
    selector.register(sys.stdin, selectors.EVENT_READ, None)
    until = None
    while until is None or time.monotonic() < until:
        for nth, said in _received(selector, 0.5):
            whole = tails[nth] + said
            seen[nth] += whole.count(MARK) - tails[nth].count(MARK)
            tails[nth] = whole[-len(MARK) :]
        if until is None and not any(key.data is None for key in selector.get_map().values()):
            until = time.monotonic() + 1.0
    return seen


def _received(selector: selectors.BaseSelector, seconds: float) -> Iterator[tuple[int, bytes]]:
    for key, _ in selector.select(seconds):
        if key.data is None:
            selector.unregister(key.fileobj)
        else:
            assert isinstance(key.fileobj, socket.socket)
            yield key.data, key.fileobj.recv(1 << 16)


if __name__ == "__main__":
    watch(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
