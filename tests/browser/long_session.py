"""A session of 10,000 events with a branch that a rewind left, on a server that can be killed and started again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from bench.sessions import lengthen
from projections.runner import catch_up
from service.client.api import ApiConnection, ApiResponse
from service.sessions.app import build
from tests.support.processes import Running
from tests.support.server import NOWHERE

LENGTH = 10_000
FORK = (5_500, 6_000)
"""Where the rewind goes to, and about where it stands."""


class Grown:
    """The server and its session, which its GM plays on."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self._folder, self._port = folder, "0"
        self._settings = {
            "REDIS_URL": NOWHERE,
            "FAIRLOG_CHAIN_LENGTH": "60000",
            "FAIRLOG_SYNCHRONOUS": "NORMAL",
        } | settings
        self.start()
        body = {"ruleset": "dhextiny", "title": "A long night", "options": {"listed": True}}
        opened = self._sent("/v1/sessions", body, "")
        self.session, self.token = opened.json["session"], opened.json["token"]

    def play(self, length: int) -> None:
        """Grows to so many events; behind version 6,000 the GM rewinds."""
        if length > FORK[1]:
            self._grow(FORK[1])
            self.send(
                "rewind", {"to": self._end_of_turn(FORK[0]), "reason": "we had forgotten a rule"}
            )
        self._grow(length)

    def start(self) -> None:
        """On the port it had before, if it had one."""
        self._running = Running(
            self._folder, "serve", "--only", "web", **self._settings, FAIRLOG_PORT=self._port
        )
        self.url = self._running.url()
        self._port = str(urlsplit(self.url).port)

    def kill(self) -> None:
        self._running.kill()

    def path(self, query: str = "") -> str:
        return f"/s/{self.session}{query}"

    def version(self) -> int:
        with closing(build(self._running.settings)) as app:
            return app.log.read(self.session).session.version

    def send(self, what: str, body: object) -> ApiResponse:
        """What the GM does: `commands`, `narrate`, `rewind`."""
        return self._sent(f"/v1/sessions/{self.session}/{what}", body, self.token)

    def say(self, text: str) -> ApiResponse:
        return self.send("narrate", {"text": text})

    def _sent(self, path: str, body: object, token: str) -> ApiResponse:
        with closing(ApiConnection(self.url, token)) as player:
            answer = player.post(path, body)
        assert answer.status == 201, answer.body
        return answer

    def _end_of_turn(self, version: int) -> int:
        with closing(ApiConnection(self.url)) as player:
            return int(
                player.get(f"/v1/sessions/{self.session}/events/{version}").json["turn"]["last"]
            )

    def _grow(self, events: int) -> None:
        with closing(build(self._running.settings)) as app:
            lengthen(app, self.session, events)
            for view in app.read_models.followed:
                catch_up(app.log, view)


@contextmanager
def grown(folder: Path, length: int = LENGTH, **settings: str) -> Iterator[Grown]:
    running = Grown(folder, **settings)
    try:
        running.play(length)
        yield running
    finally:
        running.kill()
