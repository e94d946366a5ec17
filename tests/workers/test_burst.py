"""A burst of commands over many sessions: play keeps its rate while the worker counts, and is soon counted."""

from __future__ import annotations

import os
import signal
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import pytest

from service.client.api import ApiConnection
from service.ops.supervisor import NICENESS
from tests.support.example import FIRST, as_json, guest, over, to_draw
from tests.support.processes import eventually
from tests.support.scale import LONG, scale
from tests.workers.worker_processes import Served

COMMANDS, SESSIONS, ROUNDS = scale(240, 2000), scale(10, 50), scale(1, 5)
WRITERS = 4
LIMIT = 600.0
SOON = 10.0 if LONG else LIMIT  # seconds after the burst
KEPT = (
    0.85 if LONG else 0.1
)  # a short burst on a busy machine is no measure: it says that play goes on

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


class Round(NamedTuple):
    """Commands a second while the worker is stopped and while it works; then until all is counted, and its jobs."""

    alone: float
    beside: float
    seconds: float
    runs: int


class Table:
    """A session of a GM alone, who draws and settles over and over."""

    def __init__(self, player: ApiConnection) -> None:
        self._player = player
        player.token = ""
        ticket = player.post("/v1/sessions", {"ruleset": FIRST.name, "title": "In a burst"}).json
        self._token, self._path = ticket["token"], f"/v1/sessions/{ticket['session']}"
        self._steps = cycle(
            [as_json(command) for _, command in (*to_draw("gm", "rat"), *over("gm", "rat"))]
        )
        self._post(as_json(guest("rat", "Rat")))

    def write(self) -> None:
        """The next command."""
        self._post(next(self._steps))

    def _post(self, command: object) -> None:
        self._player.token = self._token
        answer = self._player.post(f"{self._path}/commands", {"command": command})
        assert answer.status == 201, answer.body


class Burst:
    """Writers at once, each with its own share of the sessions."""

    def __init__(self, served: Served, held: ExitStack) -> None:
        self._pool = held.enter_context(ThreadPoolExecutor(WRITERS))
        self._shares: list[list[Table]] = []
        for nth in range(WRITERS):
            player = held.enter_context(closing(ApiConnection(served.url)))
            self._shares.append([Table(player) for _ in range(SESSIONS)[nth::WRITERS]])

    def rate(self) -> float:
        """Commands a second."""
        began = time.monotonic()
        list(self._pool.map(self._write, self._shares))
        return COMMANDS / (time.monotonic() - began)

    def _write(self, tables: list[Table]) -> None:
        for _ in range(COMMANDS // SESSIONS):
            for table in tables:
                table.write()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("served"))
    yield served
    served.close()


@contextmanager
def stopped(served: Served) -> Iterator[None]:
    """Without the worker: none of its processes gets a moment. A job's process may end meanwhile."""
    found = served.worker().held()
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def runs(served: Served) -> int:
    """Job runs so far, once nothing waits."""
    assert eventually(lambda: served.waiting() == 0, LIMIT)
    return sum(served.runs().values())


def measured(served: Served, burst: Burst) -> Round:
    """The two in turn, so that a noisy second touches both."""
    with stopped(served):
        alone = burst.rate()
    served.until_counted(LIMIT)
    before = runs(served)
    beside = burst.rate()
    return Round(alone, beside, served.until_counted(LIMIT), runs(served) - before)


def test_play_keeps_its_rate_and_is_soon_counted(served: Served) -> None:
    with ExitStack() as held:
        burst = Burst(served, held)
        burst.rate()  # the first one is no measure of the rest
        served.until_counted(LIMIT)
        rounds = [measured(served, burst) for _ in range(ROUNDS)]
    for each in rounds:
        print(
            f"{COMMANDS} commands over {SESSIONS} sessions: {each.alone:.0f} commands/s without worker,"
            f" {each.beside:.0f} beside it, all counted {each.seconds:.1f} s later by {each.runs} job runs"
        )
    alone, beside = (statistics.median(rates) for rates in list(zip(*rounds, strict=True))[:2])
    print(
        f"median of {ROUNDS}: {alone:.0f} without, {beside:.0f} beside a niced worker: {beside / alone:.2f}"
    )
    assert beside / alone >= KEPT
    assert max(each.seconds for each in rounds) <= SOON


def test_the_worker_is_nice_as_a_process_and_as_a_session(served: Served) -> None:
    assert eventually(lambda: served.runs() != {}), "it has registered, so it has started"
    niceness = min(os.nice(0) + NICENESS, 19)  # 19 is the kernel's highest
    for pid in served.worker().held():
        assert os.getpriority(os.PRIO_PROCESS, pid) == niceness
        share = Path(f"/proc/{pid}/autogroup")
        if share.exists():  # where Linux shares time between sessions
            assert share.read_text().split()[-2:] == ["nice", str(niceness)]
