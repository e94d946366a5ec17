"""A real server with a real worker: evenings played on it, its processes, and what its statistics must be.

served = Served(folder)
served.play(40)                       # so many further steps, a room after the other
served.until_counted(30)              # the seconds until every session's statistics are as of its head
served.check()                        # they equal the recomputation from the log, for everyone who may look
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from itertools import islice
from math import isclose
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import redis
import rq
from msgspec import UNSET, UnsetType

from domain.decider import Role
from domain.example_session import read_script
from domain.rulesets import RULESETS
from domain.session.state import HOUSE
from domain.visibility import PUBLIC_VIEWER, Viewer, turns_hidden_from
from projections.results import STATISTICS
from projections.tallies import session_tallies
from service.cli.demo.player import SessionPlayer
from service.client.api import ApiConnection
from service.jobs import inspection
from service.jobs.definitions import JobKind
from service.jobs.queue import queue_address
from service.sessions.app import App, build
from tests.support.processes import Running, eventually, processes
from tests.workers.recomputation import chosen_seats
from workers.statistics.report import Chosen, compute_report

AUDITOR = "judge"


class Worker(NamedTuple):
    """The processes of a worker: itself, and the one that runs a job, if there is one."""

    worker: int
    horse: int | None

    def held(self) -> set[int]:
        return {pid for pid in self if pid is not None}


class Served:
    """A `fairlog serve`, and evenings of all rooms at it, with all roles and with secrets."""

    def __init__(self, data: Path, **settings: str) -> None:
        self.running = Running(data, "serve", **settings)
        self.url = self.running.url()
        self._held = ExitStack()
        self.app: App = self._held.enter_context(closing(build(self.running.settings)))
        self._played: list[SessionPlayer] = []
        self._judges: dict[str, ApiConnection] = {}
        self._steps = self._go()

    def play(self, steps: int) -> None:
        """Accepted commands and refused ones."""
        list(islice(self._steps, steps))

    def heads(self) -> dict[str, int]:
        """Session -> its newest version, forks with them."""
        sql = "SELECT originator_id, MAX(originator_version) FROM stored_events GROUP BY originator_id"
        return {
            str(session): int(str(version)) for session, version in self.app.recorder.query(sql)
        }

    def counted(self) -> dict[str, int]:
        """Session -> what its statistics are as of."""
        return self.app.read_models.results.versions(STATISTICS)

    def until_counted(self, seconds: float) -> float:
        """How long it took from now. Looks seldom: what it costs is not to be measured."""
        began, heads = time.monotonic(), self.heads()
        while self.counted() != heads:
            assert time.monotonic() - began < seconds, self.behind()
            time.sleep(0.1)
        return time.monotonic() - began

    def behind(self) -> dict[str, tuple[int, int]]:
        """Session -> where its statistics are, and its head."""
        counted = self.counted()
        return {
            each: (counted.get(each, 0), head)
            for each, head in self.heads().items()
            if counted.get(each) != head
        }

    def check(self) -> None:
        """What each may read equals figures made from nothing but the log's facts."""
        for evening in self._played:
            for each in (evening, *evening.forks):
                check_told(
                    self.app, each, self.url, self._judges.get(each.session)
                )  # nobody audits a fork

    def workers(self) -> list[Worker]:
        """Every worker of the data directory."""
        return workers(self.running.data)

    def worker(self) -> Worker:
        """The only one, once it is up."""
        assert eventually(lambda: len(self.workers()) == 1)
        return self.workers()[0]

    def client(self) -> redis.Redis:
        """Of the queue's server."""
        return redis.Redis.from_url(queue_address(self.running.settings))

    def is_writing(self, pid: int) -> bool:
        """Whether the process holds the views' write lock (SQLite's WAL_WRITE_LOCK, byte 120 of the shared memory)."""
        inode = Path(f"{self.running.settings.views_file}-shm").stat().st_ino
        held = set()
        for line in Path("/proc/locks").read_text().splitlines():
            *_, mode, holder, file, first, _last = line.split()
            held.add((mode, holder, file.rpartition(":")[2], first))
        return ("WRITE", str(pid), str(inode), "120") in held

    def waiting(self) -> int:
        """Statistics jobs that wait for a worker."""
        return sum(
            job.kind is JobKind.STATISTICS for job in inspection.waiting_jobs(self.app.queue)
        )

    def runs(self) -> dict[str, int]:
        """Worker -> the jobs that it has run, failed ones too."""
        with self.client() as client:
            known = rq.Worker.all(connection=client)
            return {each.name: each.successful_job_count + each.failed_job_count for each in known}

    def close(self) -> None:
        self._held.close()
        self.running.stop()

    def _go(self) -> Iterator[None]:
        while True:
            evenings = [self._open(ruleset) for ruleset in RULESETS]
            for _ in zip(
                *(evening.play() for evening in evenings), strict=False
            ):  # until the first one is over
                yield

    def _open(self, ruleset: Any) -> SessionPlayer:
        evening = SessionPlayer(self.url, read_script(ruleset))
        self._held.callback(evening.close)
        evening.open(listed=True)
        self._judges[evening.session] = self._held.enter_context(closing(self._judge(evening)))
        self._played.append(evening)
        return evening

    def _judge(self, evening: SessionPlayer) -> ApiConnection:
        """An auditor, of whom the script knows nothing."""
        code = evening.gm.post(f"{evening.path}/invitations", {"role": "auditor"}).json["code"]
        judge = ApiConnection(self.url)
        sat = judge.post("/v1/seats", {"code": code, "seat": AUDITOR}).json
        judge.token, evening.version = sat["token"], sat["version"]
        return judge


def check_told(
    app: App, evening: SessionPlayer, url: str, judge: ApiConnection | None = None
) -> int:
    """What each seat, the judge and, of a listed one, anybody may read equals the recomputation; how many were read."""
    wanted, read = Recomputed(app, evening.session), 0
    with closing(ApiConnection(url)) as nobody:
        players: dict[str | UnsetType, ApiConnection] = {**evening.seats, UNSET: nobody}
        if judge is not None:
            players[AUDITOR] = judge
        for viewer in wanted.viewers():
            if viewer == PUBLIC_VIEWER and not wanted.is_listed:
                continue
            looks = "" if viewer.through is UNSET else f"?as={viewer.through}"
            told = players[viewer.seat].get(f"{evening.path}/statistics{looks}")
            assert told.status == 200, (evening.path, viewer, told.body)
            assert alike(told.json["figures"], wanted.figures(viewer)), (evening.path, viewer)
            read += 1
    return read


class Recomputed:
    """What the statistics of a session must be, from nothing but the facts of the log."""

    def __init__(self, app: App, session: str) -> None:
        facts = tuple(app.log.read_events(session))
        self._state = app.log.at(session, len(facts))
        self._evening = session_tallies(self._state.ruleset, facts)
        self.version, self.is_listed = len(facts), self._state.info.options["listed"] is True
        self._facts = facts
        self._made: dict[frozenset[int], Any] = {}

    def viewers(self) -> list[Viewer]:
        """Everyone who may look: nobody in particular, each seat, and who looks as another."""
        seats = {seat: held for seat, held in self._state.info.seats.items() if seat != HOUSE}
        looking = [seat for seat, held in seats.items() if held.role in (Role.GM, Role.AUDITOR)]
        return [
            PUBLIC_VIEWER,
            *map(Viewer, seats),
            *(Viewer(seat, other) for seat in looking for other in seats),
        ]

    def figures(self, viewer: Viewer) -> Any:
        """Return the viewer's report, as JSON is read."""
        hidden = frozenset(turns_hidden_from(self._state, viewer))
        if hidden not in self._made:
            chosen = chosen_seats(self._facts, self._state, hidden)
            made = compute_report(
                self._evening.open_to(hidden),
                is_final=self._state.info.closed,
                chosen=[Chosen(*each) for each in chosen],
                hidden=hidden,
            )
            self._made[hidden] = msgspec.json.decode(msgspec.json.encode(made))
        return self._made[hidden]


def alike(found: Any, wanted: Any) -> bool:
    """Return True if two reports are the same, apart from the order in which their numbers were added.

    Jobs add the newest events to what they have stored, and return to older sums after a rewind.
    """
    if isinstance(found, float) and isinstance(wanted, float):
        return isclose(found, wanted, rel_tol=1e-5, abs_tol=1e-6)
    if isinstance(found, dict) and isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(
            alike(found[key], wanted[key]) for key in found
        )
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(alike, found, wanted))
    return bool(found == wanted)


def workers(data: Path) -> list[Worker]:
    """Every worker that was given the data directory."""
    found = processes(data, "worker\0")
    parents = {pid: parent for pid, parent, _ in table() if pid in found}
    return [family(pid) for pid, parent in sorted(parents.items()) if parent not in found]


def family(worker: int) -> Worker:
    """The worker with the process of its job, which leads a group of its own."""
    horses = (pid for pid, parent, group in table() if parent == worker and group == pid)
    return Worker(worker, next(horses, None))


def table() -> Iterator[tuple[int, int, int]]:
    """Every process of the machine: its id, its parent's, its group's."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat") as file:  # it has ended meanwhile
            parent, group = file.read().rpartition(")")[2].split()[1:3]
            yield int(name), int(parent), int(group)


def is_alive(pid: int) -> bool:
    """Not ended, though it may be stopped."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def kill(*pids: int | None) -> None:
    """SIGKILL to each, as near together as can be."""
    for pid in pids:
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
