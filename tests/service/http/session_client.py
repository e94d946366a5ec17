"""An evening over HTTP in process: a real app on a real database, its seats, and every byte of its log."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from domain.ruleset import Message
from projections.runner import catch_up
from service.http.app import set_up
from service.ops.migrate import prepare
from service.platform.settings import Settings
from service.sessions.app import App, build
from service.web.app import create_app
from tests.support.example import EXAMPLE, FIRST, as_json, brought, to_draw

NOWHERE = "unix:///nonexistent/fairlog/queue.sock"
KEY = "a-key-of-some-length-"


def settings_in(folder: Path, **more: str) -> Settings:
    """A deployment of its own, with a queue that is away, and streams that end soon."""
    own = {"REDIS_URL": NOWHERE, "FAIRLOG_SYNCHRONOUS": "NORMAL", "FAIRLOG_STREAM_SECONDS": "0.2"}
    return Settings.read({"FAIRLOG_DATA": str(folder), **own, **more})


SPARE = defaultdict[int, list[Flask]](list)
"""Applications of servers that are closed, by the proxies that they trust: to make one takes longer than most tests."""


class House:
    """One server in process; `restart` builds it anew on the same files.

    `stage`: begins with what this makes of an empty house, as a copy of files. See `staged`.
    """

    def __init__(self, settings: Settings, stage: Stage | None = None) -> None:
        if stage is not None:
            shutil.copytree(_made(stage).folder, settings.data, dirs_exist_ok=True)
        prepare(settings)
        self.settings, self.stage = settings, stage
        self.app: App
        self.flask: Flask
        self._start()

    def _start(self) -> None:
        self.app = build(self.settings)
        if spare := SPARE[self.settings.proxies]:
            self.flask = spare.pop()
            set_up(self.flask, self.app)
        else:
            self.flask = create_app(self.app)

    @property
    def client(self) -> FlaskClient:
        return self.flask.test_client()

    def restart(self) -> None:
        self.close()
        self._start()

    def follow(self) -> None:
        """What the follower does: bring every view to the head."""
        for view in self.app.read_models.followed:
            catch_up(self.app.log, view)

    def log(self) -> list[tuple[Any, ...]]:
        """Every stored event, byte for byte."""
        return self.app.recorder.query("SELECT * FROM stored_events ORDER BY position")

    def open(self, **more: Any) -> Evening:
        """A new session, its GM at the table."""
        body = {"ruleset": FIRST.name, "title": "The mint of Carrow", "name": "Mo", **more}
        answer = self.client.post("/v1/sessions", json=body)
        assert answer.status_code == 201, answer.text
        return Evening(self, answer.json["session"], {"gm": answer.json["token"]})

    def close(self) -> None:
        services = self.flask.extensions["fairlog"]
        services.close()
        if (
            services.app is self.app and self.flask not in SPARE[self.settings.proxies]
        ):  # closed for the first time
            SPARE[self.settings.proxies].append(self.flask)


class Evening:
    """One session, and the tokens of its seats."""

    def __init__(self, house: House, session: str, tokens: dict[str, str]) -> None:
        self.house, self.session, self.tokens = house, session, tokens

    @property
    def path(self) -> str:
        return f"/v1/sessions/{self.session}"

    def headers(self, seat: str | None, **more: str) -> dict[str, str]:
        own = {"Authorization": f"Bearer {self.tokens[seat]}"} if seat is not None else {}
        return own | {name.replace("_", "-"): value for name, value in more.items()}

    def get(self, seat: str | None, path: str, **headers: str) -> TestResponse:
        return self.house.client.get(self.path + path, headers=self.headers(seat, **headers))

    def post(self, seat: str | None, path: str, body: object, **headers: str) -> TestResponse:
        return self.house.client.post(
            self.path + path, json=body, headers=self.headers(seat, **headers)
        )

    def delete(self, seat: str | None, path: str, **headers: str) -> TestResponse:
        return self.house.client.delete(self.path + path, headers=self.headers(seat, **headers))

    def invite(self, **body: Any) -> str:
        """A code."""
        answer = self.post("gm", "/invitations", {"role": "player", **body})
        assert answer.status_code == 201, answer.text
        return str(answer.json["code"])

    def seat(self, seat: str, role: str = "player", **more: Any) -> str:
        """Someone sits down; their token."""
        code = self.invite(role=role, seat=seat)
        answer = self.house.client.post("/v1/seats", json={"code": code, **more})
        assert answer.status_code == 201, answer.text
        self.tokens[seat] = answer.json["token"]
        return self.tokens[seat]

    def command(self, seat: str | None, command: Message, **headers: str) -> TestResponse:
        """A command of the room."""
        return self.post(seat, "/commands", {"command": as_json(command)}, **headers)

    def do(self, seat: str, command: Message) -> Mapping[str, Any]:
        """The same, accepted."""
        answer = self.command(seat, command)
        assert answer.status_code == 201, answer.text
        found: Mapping[str, Any] = answer.json
        return found

    def go(self, *steps: tuple[str, Message]) -> None:
        for seat, command in steps:
            self.do(seat, command)

    def secretly(
        self, seat: str, command: Message, audience: str, **more: object
    ) -> Mapping[str, Any]:
        """The same under seal."""
        answer = self.post(
            seat, "/commands", {"command": as_json(command), "audience": audience, **more}
        )
        assert answer.status_code == 201, answer.text
        found: Mapping[str, Any] = answer.json
        return found

    def table(self, seat: str | None, query: str = "") -> Any:
        """As that seat sees it."""
        return self.get(seat, query).json["table"]

    def version(self) -> int:
        return int(self.get("gm", "").json["version"])


def laid(house: House, **more: Any) -> Evening:
    """A table with two players, a spectator and a draw of p1's Ana that is not over."""
    evening = house.open(**more)
    evening.seat("p1", name="Ana's player")
    evening.seat("p2")
    evening.seat("watcher", "spectator")
    evening.go(
        ("p1", EXAMPLE.bring), ("p2", brought("ben", "Ben")), ("gm", EXAMPLE.guest), *to_draw()
    )
    return evening


Stage = Callable[[House], Evening]
"""Makes a table in an empty house: `laid`, for one."""


class Made(NamedTuple):
    """A data directory with a table in it."""

    folder: Path
    session: str
    tokens: dict[str, str]


@cache
def _made(stage: Stage) -> Made:
    """Once in a process: tests get copies."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    house = House(settings_in(folder))
    evening = stage(house)
    house.close()
    return Made(folder, evening.session, evening.tokens)


def staged(house: House, stage: Stage) -> Evening:
    """The table of that stage: the one that the house began with, or made now."""
    if house.stage is not stage:
        return stage(house)
    made = _made(stage)
    return Evening(house, made.session, dict(made.tokens))
