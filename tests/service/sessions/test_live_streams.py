"""Many streams on one session while commands go in: rotated at random and resumed, each gets every version once."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import pytest

from bench.streams import measured
from service.client.api import ApiConnection
from tests.service.sessions.stream_reader import Watcher
from tests.support.example import EXAMPLE, FIRST, as_json, over, to_draw
from tests.support.processes import Running, eventually
from tests.support.scale import LONG, scale

pytestmark = pytest.mark.long

STREAMS, SECONDS = scale(24, 200), scale(4, 60)
WRITERS, PAUSE = 4, 0.02  # seconds between two commands of a writer
NDJSON = "application/x-ndjson"


class Table:
    """A session that anybody may watch, and its GM."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.gm = ApiConnection(url)
        opening = {"ruleset": FIRST.name, "title": "Watched", "options": {"listed": True}}
        ticket = self.gm.post("/v1/sessions", opening).json
        self.gm.token = ticket["token"]
        self.path = f"/v1/sessions/{ticket['session']}"
        code = self.gm.post(f"{self.path}/invitations", {"role": "player"}).json["code"]
        self.tokens = {
            "gm": self.gm.token,
            "p1": self.gm.post("/v1/seats", {"code": code, "seat": "p1"}).json["token"],
        }
        with closing(ApiConnection(url, self.tokens["p1"])) as player:
            assert (
                player.post(f"{self.path}/commands", {"command": as_json(EXAMPLE.bring)}).status
                == 201
            )

    def version(self) -> int:
        return int(self.gm.get(self.path).json["version"])

    def wishes(self, nth: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """The first writer draws and plays it out, the others have words; every second round is a secret."""
        while True:
            for audience in ({}, {"audience": "gm"}):
                for who, command in [*to_draw(), *over()]:
                    wish = {"command": as_json(command), **audience}
                    yield (
                        ("gm", "narrate", {"text": "It rains.", **audience})
                        if nth
                        else (who, "commands", wish)
                    )

    def play(self, nth: int, all_over: Event) -> int:
        """A writer's commands go in; how many."""
        played = 0
        with ExitStack() as stack:
            players = {
                who: stack.enter_context(closing(ApiConnection(self.url, token)))
                for who, token in self.tokens.items()
            }
            for who, part, body in self.wishes(nth):
                if all_over.wait(PAUSE):
                    break
                answer = players[who].post(f"{self.path}/{part}", body)
                assert answer.status == 201, answer.body
                played += 1
        return played

    def lines(self, token: str) -> dict[int, bytes]:
        """Every event as the pages give it to that viewer."""
        with closing(ApiConnection(self.url, token)) as player:
            found, after, head = dict[int, bytes](), 0, self.version()
            while after < head:
                page = player.get(
                    f"{self.path}/events?after={after}&limit=200", NDJSON
                ).body.splitlines()
                found.update(enumerate(page, after + 1))
                after += len(page)
        return found

    def close(self) -> None:
        self.gm.close()


async def watched(table: Table, tokens: list[str]) -> tuple[int, list[Watcher]]:
    """Everybody watches while commands go in; how many, and the watchers with every version."""
    dice, all_over = random.Random(11), Event()
    seen: dict[str, dict[int, bytes]] = {token: {} for token in tokens}
    watchers = [Watcher(table, token, seen[token], dice) for token in (tokens * STREAMS)[:STREAMS]]
    last: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    async with asyncio.TaskGroup() as group:
        for watcher in watchers:
            group.create_task(watcher.watch(last))
        writers = [
            group.create_task(asyncio.to_thread(table.play, nth, all_over))
            for nth in range(WRITERS)
        ]
        try:
            await asyncio.sleep(SECONDS)
        finally:  # what goes wrong elsewhere stops the writers too
            all_over.set()
        played = sum([await writer for writer in writers])
        last.set_result(table.version())
    return played, watchers


@contextmanager
def served(data: Path, **settings: str) -> Iterator[tuple[Running, Table]]:
    """A web server under gunicorn with nothing beside it, and a session on it."""
    running = Running(
        data, "serve", "--only", "web", REDIS_URL="unix:///nonexistent/queue.sock", **settings
    )
    try:
        with closing(Table(running.url())) as table:
            yield running, table
    finally:
        running.stop()


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.timeout(300)
def test_every_stream_sees_every_version_once_and_in_order(tmp_path: Path, processes: int) -> None:
    own = {"FAIRLOG_STREAM_SECONDS": "2", "FAIRLOG_STREAMS": str(2 * STREAMS)}
    with served(tmp_path, FAIRLOG_WEB_PROCESSES=str(processes), **own) as (_, table):
        played, watchers = asyncio.run(watched(table, ["", table.gm.token]))
        version = table.version()
        told = sum((watcher.told for watcher in watchers), Counter[str]())
        print(
            f"{STREAMS} streams for {SECONDS} s on {processes} processes: {played} commands, {version} versions,"
            f" {STREAMS * version} received; {dict(told)}"
        )
        assert {watcher.version for watcher in watchers} == {version}
        assert version > 10 * SECONDS
        assert told["200"] > 2 * STREAMS
        assert told["rotate"] > 0
        for token in ("", table.gm.token):
            assert next(each.seen for each in watchers if each.token == token) == table.lines(token)
        assert b'"sealed":true' in b"".join(watchers[0].seen.values())
        assert b'"sealed":true' not in b"".join(watchers[1].seen.values())


def reading(url: str, path: str, accept: str = "text/event-stream") -> tuple[HTTPConnection, Any]:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=20)
    connection.request("GET", f"{path}/stream", headers={"Accept": accept})
    return connection, connection.getresponse()


def test_a_server_that_stops_tells_its_streams_and_does_not_wait_for_them(tmp_path: Path) -> None:
    with ExitStack() as stack:
        running, table = stack.enter_context(served(tmp_path))
        streams = [reading(table.url, table.path, NDJSON) for _ in range(10)]
        for connection, answer in streams:
            stack.callback(connection.close)
            assert json.loads(answer.readline()) == {"after": table.version()}
        table.gm.close()  # a connection that is kept alive is waited for
        began = time.monotonic()
        running.process.terminate()
        running.process.wait(20)
        taken = time.monotonic() - began
        for _, answer in streams:
            assert answer.read() == b'{"end":{"code":"stopping"}}\n'
    print(f"stopped in {taken:.2f} s with 10 streams open")
    assert taken < 15  # and not the five minutes that a stream may live


@pytest.mark.smoke
def test_who_has_gone_makes_room_for_another(tmp_path: Path) -> None:
    """A silent stream would notice at its next heartbeat only."""
    with served(tmp_path, FAIRLOG_STREAMS="3", FAIRLOG_STREAM_HEARTBEAT="3600") as (_, table):
        streams = [reading(table.url, table.path) for _ in range(3)]
        assert [answer.status for _, answer in streams] == [200, 200, 200]
        connection, full = reading(table.url, table.path)
        assert (full.status, full.headers["Retry-After"]) == (503, "2")
        assert json.loads(full.read())["code"] == "streams-full"
        for gone, answer in [*streams, (connection, full)]:
            gone.close()
            answer.close()

        def is_open() -> bool:
            connection, answer = reading(table.url, table.path)
            connection.close()
            answer.close()
            return bool(answer.status == 200)

        assert eventually(is_open)


@pytest.mark.timeout(300)
def test_spectators_leave_those_who_play_their_rate() -> None:
    """Held to the issue's figure with the large counts only: a rate of one second says little."""
    found = measured(slices=scale(1, 5), seconds=scale(1, 3))
    print(
        f"{found.alone:.0f} commands/s without spectators, {found.watched:.0f} with {len(found.seen)}:"
        f" {found.ratio:.2f}; each saw {found.events} events"
    )
    assert set(found.seen) == {found.events}
    assert found.ratio >= 0.7 or not LONG
