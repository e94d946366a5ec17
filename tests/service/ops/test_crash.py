"""kill -9: of the server, and nothing that anyone was shown is lost; of the queue's server, and play goes on."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from itertools import count, islice
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

import pytest

from domain.example_session import read_script
from domain.rulesets import RULESETS
from domain.verify import verify
from projections.registry import ReadModels
from projections.results import STATISTICS
from service.cli.demo.player import SessionPlayer
from service.client.api import ApiConnection, UnreachableError
from service.platform.ed25519 import verify as ed25519
from service.platform.settings import Settings
from service.sessions.app import build
from service.sessions.log_files import export_log
from tests.service.sessions.crowd import PLAYERS, hero, same, table, wishes
from tests.support.databases.places import AT_LENGTH, address
from tests.support.example import as_json, brought
from tests.support.processes import Running, eventually
from tests.support.scale import scale

pytestmark = pytest.mark.long

KILLS = scale(1, 7)
LOAD = 0.3, 0.9  # seconds of play before a kill
PLAYED = 10  # accepted commands before a kill, at least: a busy machine plays few in a second


class Sent(NamedTuple):
    """One change that a client asked for, so that it can be asked for again."""

    seat: str
    path: str
    body: dict[str, Any]
    key: str


class Witness:
    """Everything that any client was shown, and what was under way when the server died."""

    def __init__(self) -> None:
        self.events: dict[int, dict[str, Any]] = {}
        self.answers: list[tuple[Sent, dict[str, Any]]] = []
        self.unanswered: list[Sent] = []
        self.refused = self.conflicts = self.seen = 0
        self._lock = Lock()

    def saw(self, events: list[dict[str, Any]]) -> None:
        """The same version must have been the same event whenever it was seen."""
        with self._lock:
            for event in events:
                assert self.events.setdefault(event["version"], event) == event
                self.seen += 1

    def heard(self, sent: Sent, status: int, answer: dict[str, Any]) -> None:
        assert status in (201, 409, 412), answer
        with self._lock:
            self.refused += status == 409
            self.conflicts += status == 412
        if status == 201:
            self.saw(answer["events"])
            self.answers.append((sent, answer))


def play(
    witness: Witness,
    players: dict[str, ApiConnection],
    seat: str,
    path: str,
    numbers: Iterator[int],
) -> None:
    """Until the server dies."""
    for nth in numbers:
        who, part, body = wishes(seat, nth)
        sent = Sent(who, f"{path}/{part}", body, f"{seat}-request-number-{nth:08}")
        try:
            answer = players[who].post(sent.path, sent.body, key=sent.key)
        except UnreachableError:
            witness.unanswered.append(sent)
            return
        witness.heard(sent, answer.status, answer.json)


def read(witness: Witness, player: ApiConnection, path: str, over: Event) -> None:
    """Page after page from the start, again and again, until the server dies."""
    after = 0
    with suppress(UnreachableError):
        while not over.is_set():
            page = player.get(f"{path}/events?after={after}&limit=50").json
            witness.saw(page["events"])
            after = page["events"][-1]["version"] if page["events"] else 0


class Siege:
    """One data directory, one session, and a server that is killed again and again."""

    def __init__(self, data: Path, database: str) -> None:
        self.data, self.database, self.witness = data, database, Witness()
        self.numbers = {seat: count() for seat in (f"p{nth}" for nth in range(PLAYERS))}
        self.tokens: dict[str, str] = {}
        self.path = ""

    def serve(self, **more: str) -> Running:
        return Running(self.data, "serve", "--only", "web", DATABASE_URL=self.database, **more)

    def open(self) -> None:
        running = self.serve()
        with closing(SessionPlayer(running.url(), table())) as evening:
            evening.open()
            self.path, self.tokens = (
                evening.path,
                {seat: player.token for seat, player in evening.seats.items()},
            )
            for seat in self.numbers:
                wish = {"command": as_json(brought(hero(seat), f"Hero of {seat}"))}
                assert evening.seats[seat].post(f"{self.path}/commands", wish).status == 201
        running.stop()

    def storm(self, seconds: float) -> None:
        """Restart, ask again for what was lost, play under load, kill."""
        running, over = self.serve(FAIRLOG_WEB_PROCESSES="2"), Event()
        url = running.url()
        with ExitStack() as stack:
            players = {
                seat: stack.enter_context(closing(ApiConnection(url, token, ())))
                for seat, token in self.tokens.items()
            }
            self.ask_again(players)
            gms = {
                seat: stack.enter_context(closing(ApiConnection(url, self.tokens["gm"], ())))
                for seat in self.numbers
            }
            threads = [
                Thread(
                    target=play,
                    args=(
                        self.witness,
                        {seat: players[seat], "gm": gms[seat]},
                        seat,
                        self.path,
                        numbers,
                    ),
                )
                for seat, numbers in self.numbers.items()
            ]
            threads.append(Thread(target=read, args=(self.witness, players["gm"], self.path, over)))
            for thread in threads:
                thread.start()
            before = len(self.witness.answers)
            time.sleep(seconds)
            assert eventually(lambda: len(self.witness.answers) > before + PLAYED)
            running.kill()
            over.set()
            for thread in threads:
                thread.join(30)
                assert not thread.is_alive()
        assert eventually(lambda: running.children() == set())

    def ask_again(self, players: dict[str, ApiConnection]) -> None:
        """The same key gives the same answer; what got none before gets one now, and is played once at most."""
        for sent, before in self.witness.answers[-20:]:
            again = players[sent.seat].post(sent.path, sent.body, key=sent.key)
            assert (again.status, again.json) == (201, {**before, "repeated": True})
        for sent in self.witness.unanswered:
            answer = players[sent.seat].post(sent.path, sent.body, key=sent.key)
            self.witness.heard(sent, answer.status, answer.json | {"repeated": False})
        self.witness.unanswered.clear()


@pytest.mark.smoke
@pytest.mark.timeout(900)
@pytest.mark.parametrize("database", AT_LENGTH)
def test_a_killed_server_loses_nothing_that_was_shown(tmp_path: Path, database: str) -> None:
    with address(database) as url:
        besieged(Siege(tmp_path, url))


def besieged(siege: Siege) -> None:
    dice = random.Random(7)
    siege.open()
    for _ in range(KILLS):
        siege.storm(dice.uniform(*LOAD))
    running = siege.serve()
    url = running.url()
    with ExitStack() as stack:
        siege.ask_again(
            {
                seat: stack.enter_context(closing(ApiConnection(url, token)))
                for seat, token in siege.tokens.items()
            }
        )
    running.stop()
    witness = siege.witness
    print(
        f"{KILLS} kills: {len(witness.answers)} commands accepted, {witness.refused} refused, {witness.conflicts} in"
        f" conflict; {len(witness.events)} events shown, {witness.seen} times"
    )
    assert len(witness.answers) > PLAYED * KILLS
    check_the_log(siege)


def check_the_log(siege: Siege) -> None:
    """The file opens, the log holds what was shown with the same bytes, each command once, and verifies."""
    with closing(
        build(Settings.read({"FAIRLOG_DATA": str(siege.data), "DATABASE_URL": siege.database}))
    ) as app:
        if not app.settings.is_on_postgres:
            with closing(sqlite3.connect(app.settings.log_file)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        session = siege.path.rpartition("/")[2]
        facts = {fact.version: fact for fact in app.log.read_events(session)}
        assert [
            at for at, event in siege.witness.events.items() if not same(event, facts.get(at))
        ] == []
        versions = [answer["version"] for _, answer in siege.witness.answers]
        assert (
            len(set(versions))
            == len(versions)
            == len({sent.key for sent, _ in siege.witness.answers})
        )
        assert verify(export_log(app, session), ed25519).failure is None


def counted(running: Running, evening: SessionPlayer) -> int:
    """The version that the statistics are as of, read where they are kept."""
    with closing(ReadModels(running.settings.views_file)) as views:
        return views.results.versions(STATISTICS).get(evening.session, 0)


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Running]:
    running = Running(tmp_path, "serve", FAIRLOG_SWEEP="0.5")
    yield running
    running.process.send_signal(signal.SIGCONT)
    running.stop()
    assert running.children() == set()


def test_play_goes_on_without_the_queue_and_statistics_catch_up(serving: Running) -> None:
    with closing(SessionPlayer(serving.url(), read_script(RULESETS[0]))) as evening:
        evening.open()
        steps = evening.play()
        gm = evening.seats[evening.script.seats[0].seat]

        def go_on(number: int) -> None:
            list(islice(steps, number))

        def status() -> str:
            return str(gm.get("/readyz").json["status"])

        go_on(60)
        assert eventually(lambda: status() == "ok")
        serving.process.send_signal(signal.SIGSTOP)  # so that nobody starts it again while we look
        kill_queue(serving)
        assert eventually(lambda: status() == "degraded")
        go_on(80)
        without = evening.version
        assert (status(), gm.get("/readyz").status) == ("degraded", 200)
        assert counted(serving, evening) < without
        serving.process.send_signal(signal.SIGCONT)
        assert eventually(lambda: status() == "ok")
        assert eventually(lambda: counted(serving, evening) >= without)
        kill_queue(serving)
        go_on(1000)
        began = time.monotonic()
        assert eventually(lambda: counted(serving, evening) == evening.version)
        print(
            f"{without} events when it came back; all {evening.version} counted {time.monotonic() - began:.1f} s late"
        )
        figures = gm.get(f"{evening.path}/statistics").json
        assert (figures["version"], figures["current"]) == (evening.version, True)


def kill_queue(running: Running) -> None:
    (server,) = running.children("queue.sock")
    os.kill(server, signal.SIGKILL)
