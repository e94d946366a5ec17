"""Honest tables beside all attacks at once: `python -m tests.service.soak.under_attack SECONDS`.

It runs in a mount namespace of its own (tests/support/file_systems.py). Processes are killed, the disk is full for a
while, clients are slow, methods and other things are invented, and anonymous readers ask for costly answers.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from threading import Event, Thread
from unittest.mock import patch
from urllib.parse import urlsplit

import requests

from bench.servers import resident
from domain.codec import build_msgspec_types
from domain.rulesets import RULESETS
from service.client.api import ApiResponse
from service.sessions.app import build
from tests.service.ops.inventions import KINDS
from tests.service.ops.on_full_disk import pids
from tests.service.soak import checks
from tests.service.soak.ledger import Ledger
from tests.service.soak.patient_connection import PATIENCE, Patient
from tests.service.soak.soak import everyone_is_patient
from tests.service.soak.tables import Hands, Slot
from tests.support.file_systems import FILLED, empty, fill, mounted
from tests.support.processes import Running, eventually

TABLES, PAUSE = 20, 1.0
"""Honest tables, each played at by one thread; the seconds between two steps, on average."""
SLOW, STREAMS, STREAM_ADDRESSES, FLOODS = 60, 200, 3, 4
"""Connections with half a request, streams that are asked for from so many addresses, and flooding threads."""
KILL_EVERY, FULL_EVERY, FULL_FOR = 20.0, 200.0, 30.0
"""Seconds between two kills and between two full disks, and how long the disk is full."""
DISK = 512 << 20
SLOWEST = 1.0
"""Seconds within which 99 of 100 honest turns are answered: each at once, and those that met no full disk for good."""
MEMORY, DATA = 256 << 20, 160 << 20
"""The most bytes of memory of a process, and of the data directory."""
LIMITS = {
    "FAIRLOG_PROXIES": "1",
    "FAIRLOG_RATE_TOKEN": "600",
    "FAIRLOG_RATE_ADDRESS": "3000",
    "FAIRLOG_OPENINGS": "20",
    "FAIRLOG_STREAMS_EACH": "32",  # the seats of all honest tables stream from one address
    "FAIRLOG_WEB_PROCESSES": "2",
}
COSTLY = (
    "{path}/statistics?from={low}&to={high}",
    "{path}/export",
    "{path}/events?limit=200",
    "{path}/search?text=a",
    "{path}?version={low}",
)


class Times:
    """How long honest players waited, in seconds."""

    def __init__(self) -> None:
        self.answers: list[float] = []
        """For each answer to a turn: 201, a refusal, or 503."""
        self.turns: list[tuple[float, float]] = []
        """When each turn was sent first, and when it had its last answer."""
        self.full: list[tuple[float, float]] = []
        """From when to when the disk was full."""

    def elsewhere(self) -> list[float]:
        """Return the times of the turns that met no full disk, lost connections included."""
        return [
            until - since
            for since, until in self.turns
            if not any(since < end and start < until for start, end in self.full)
        ]


class Honest(Patient):
    """A seat's connection, from an address of its own."""

    def __init__(self, times: Times, ledger: Ledger, url: str, token: str = "") -> None:
        super().__init__(ledger, url, token)
        self._times = times
        self._address = f"198.18.{random.randrange(256)}.{random.randrange(256)}"

    def _send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> ApiResponse:
        began = time.monotonic()
        answer = super()._send(method, path, body, headers | {"X-Forwarded-For": self._address})
        if method == "POST":
            self._times.turns.append((began, time.monotonic()))
        return answer

    def _once(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> ApiResponse:
        began = time.monotonic()
        answer = super()._once(method, path, body, headers)
        if method == "POST":
            self._times.answers.append(time.monotonic() - began)
        return answer


class Attack:
    """Everything that attacks over HTTP, each in threads that end with `over`."""

    def __init__(self, url: str, slots: list[Slot]) -> None:
        self.place, self.slots = urlsplit(url).netloc, slots
        self.over, self.told = Event(), Counter[str]()
        flood = [partial(self._flood, seed) for seed in range(FLOODS)]
        self._threads = [Thread(target=each) for each in (*flood, self._stream, self._drip)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self.over.set()
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()

    def _flood(self, seed: int) -> None:
        """Ask without a pause, inventions and costly reads in turn, from 64 addresses."""
        dice, connection = random.Random(seed), http.client.HTTPConnection(self.place, timeout=30)
        while not self.over.is_set():
            path = dice.choice(self.slots).evenings[-1].path
            method, asked, headers, body = "GET", path, dict[str, str](), None
            if dice.random() < 0.2:
                low = dice.randint(1, 300)
                asked = dice.choice(COSTLY).format(
                    path=path, low=low, high=low + dice.randint(1, 99)
                )
                kind = "costly"
            else:
                kind = dice.choice(list(KINDS))
                invented = KINDS[kind](path)
                method, asked, headers = invented.method, invented.path, invented.headers
                body = None if invented.body is None else json.dumps(invented.body)
            origin = {"X-Forwarded-For": f"203.0.113.{dice.randrange(64)}"}
            typed = {"Content-Type": "application/json"} if body else {}
            try:
                connection.request(method, asked, body, origin | typed | headers)
                answer = connection.getresponse()
                answer.read()
                self.told[f"{'costly' if kind == 'costly' else 'invented'} {answer.status}"] += 1
                if answer.status >= 500 and answer.status != 503:
                    self.told[f"wrong: {method} {asked} was answered {answer.status}"] += 1
            except (OSError, http.client.HTTPException):
                self.told["no answer"] += 1
                connection.close()
        connection.close()

    def _stream(self) -> None:
        """Hold as many streams as three addresses are let."""
        held = list[socket.socket]()
        while not self.over.wait(2):
            for each in [each for each in held if _is_closed(each)]:
                held.remove(each)
            path = random.choice(self.slots).evenings[-1].path
            while len(held) < STREAMS and (opened := self._connect()):
                address = f"192.0.2.{len(held) % STREAM_ADDRESSES}"
                with suppress(OSError):
                    opened.sendall(
                        f"GET {path}/stream HTTP/1.1\r\nHost: {self.place}\r\n"
                        f"X-Forwarded-For: {address}\r\n\r\n".encode()
                    )
                held.append(opened)
                self.told["stream asked for"] += 1
        for each in held:
            each.close()

    def _drip(self) -> None:
        """Hold connections with half a request, and send a byte now and then."""
        held = list[socket.socket]()
        while not self.over.wait(1):
            for each in list(held):
                try:
                    each.send(b"1")
                except OSError:
                    held.remove(each)
                    each.close()
            while len(held) < SLOW and (opened := self._connect()):
                with suppress(OSError):
                    opened.sendall(f"GET / HTTP/1.1\r\nHost: {self.place}\r\nX-Slow: ".encode())
                held.append(opened)
                self.told["slow client"] += 1
        for each in held:
            each.close()

    def _connect(self) -> socket.socket | None:
        host, port = self.place.split(":")
        with suppress(OSError):
            opened = socket.create_connection((host, int(port)), timeout=5)
            opened.setblocking(False)
            return opened
        return None


def _is_closed(stream: socket.socket) -> bool:
    """Whether the server has ended it. What it has sent is read and forgotten."""
    try:
        while data := stream.recv(1 << 16):
            if not data.startswith(b"HTTP/1.1 200") and data.startswith(b"HTTP/1.1 "):
                break
        stream.close()
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


@contextmanager
def served(data: Path) -> Iterator[Running]:
    running = Running(data, "serve", **LIMITS)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.stop()


def torment(
    running: Running, disk: Path, seconds: float, ledger: Ledger, times: Times
) -> tuple[Counter[str], Counter[str]]:
    """Kill and fill until the time is over. Return what was killed how often, and the peaks in bytes."""
    began, kinds = time.monotonic(), cycle(("web", "follower", "worker", "queue"))
    killed, peaks = Counter[str](), Counter[str]()
    kill_at, fill_at = began + KILL_EVERY, began + FULL_EVERY / 4
    while (now := time.monotonic()) < began + seconds and not ledger.amiss:
        parts = pids(running)
        measure(running, parts, peaks)
        if now > kill_at and (found := parts[kind := next(kinds)]):
            kill_at += KILL_EVERY
            with suppress(ProcessLookupError):
                os.kill(min(found), signal.SIGKILL)
                killed[kind] += 1
        if fill_at < now < fill_at + FULL_FOR:
            fill(disk)
            if not times.full or times.full[-1][1] < fill_at:
                times.full.append((now, fill_at + FULL_FOR))
        elif now > fill_at + FULL_FOR:
            fill_at += FULL_EVERY
            empty(disk)
            times.full[-1] = times.full[-1][0], time.monotonic()
        time.sleep(0.2)
    if (disk / FILLED).exists():
        empty(disk)
        times.full[-1] = times.full[-1][0], time.monotonic()
    return killed, peaks


def measure(running: Running, parts: dict[str, set[int]], peaks: Counter[str]) -> None:
    for name, found in parts.items():
        for pid in found:
            with suppress(OSError, ValueError):  # it was killed
                peaks[name] = max(peaks[name], resident(pid))
    peaks["data"] = max(peaks["data"], size(running.data))


def size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_blocks * 512
    return total


def main(seconds: float, folder: Path) -> None:
    build_msgspec_types()
    disk, files = folder / "disk", folder / "files"
    disk.mkdir()
    files.mkdir()
    ledger, times = Ledger(), Times()
    with mounted(disk, DISK), ExitStack() as stack:
        everyone_is_patient(
            lambda name, value: stack.enter_context(patch(name, value)),
            partial(Honest, times, ledger),
        )
        running = stack.enter_context(served(disk / "data"))
        url = running.url()
        slots = [
            Slot(
                url,
                cycle(RULESETS[nth % len(RULESETS) :] + RULESETS[: nth % len(RULESETS)]),
                None,
                True,
                files if nth % 5 == 0 else None,
            )
            for nth in range(TABLES)
        ]
        for slot in slots:
            slot.step()
        hands, attack = Hands(ledger, PAUSE), Attack(url, slots)
        for nth, slot in enumerate(slots):
            hands.play([slot], nth)
        attack.start()
        try:
            killed, peaks = torment(running, disk, seconds, ledger, times)
        finally:
            attack.stop()
            hands.stop(PATIENCE)
        said = running.heard + running.rest()
        assert ledger.amiss == [], "\n".join([*ledger.amiss, *said[-40:]])
        for slot in slots:
            slot.end()
        assert eventually(lambda: is_ready(url)), requests.get(f"{url}/readyz", timeout=60).text
        running.stop()
        tell(seconds, times, ledger, attack, killed, peaks)
        with closing(build(running.settings)) as app:
            print(f"{checks.check_shown(app, ledger)} events were shown: all are in the log")
            print(f"{checks.check_commands(app, ledger)} turns, each once")
            print(f"{checks.check_logs(app)} sessions verified")
    check(times, ledger, attack, killed, peaks)


def is_ready(url: str) -> bool:
    with suppress(requests.RequestException):
        ready = requests.get(f"{url}/readyz", timeout=60).json()
        return ready["status"] == "ok" and not any(ready["views"].values())
    return False


def tell(
    seconds: float,
    times: Times,
    ledger: Ledger,
    attack: Attack,
    killed: Counter[str],
    peaks: Counter[str],
) -> None:
    lost = {what: n for what, n in ledger.told.items() if what.startswith(("503", "lost"))}
    print(
        f"{seconds:g} s, {TABLES} tables, killed {dict(killed)}, disk full {len(times.full)} times"
    )
    print(f"attacks: {dict(sorted(attack.told.items()))}")
    print(f"{len(times.turns)} turns, {len(ledger.accepted)} accepted; asked again after {lost}")
    for what, took in (
        ("an answer", times.answers),
        ("a turn, but for those on a full disk", times.elsewhere()),
        ("a turn", [until - since for since, until in times.turns]),
    ):
        print(f"{what}: median {median(took):.3f}, p99 {p99(took):.3f}, most {max(took):.1f} s")
    print(f"peaks: { {name: f'{peak / 1e6:.1f} MB' for name, peak in peaks.items()} }")


def p99(took: list[float]) -> float:
    return quantiles(took, n=100)[98]


def check(
    times: Times, ledger: Ledger, attack: Attack, killed: Counter[str], peaks: Counter[str]
) -> None:
    assert killed
    assert times.full
    assert ledger.told["503 unavailable"], "the disk was never full"
    assert p99(times.answers) <= SLOWEST
    assert p99(times.elsewhere()) <= SLOWEST
    assert not [told for told in attack.told if told.startswith("wrong")]
    assert peaks.pop("data") <= DATA
    assert max(peaks.values()) <= MEMORY


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="fairlog-attack-") as folder:
        main(float(sys.argv[1]), Path(folder))
