"""An evening over HTTP in process: a real app on a real database, its seats, and every byte of its log."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar
from urllib.parse import urlencode

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask
from flask.testing import FlaskClient
from msgspec import UNSET
from msgspec.structs import replace
from werkzeug.test import TestResponse

from domain.decider import Role
from domain.proof import merkle_tree
from domain.proof.hash_chain import links
from domain.ruleset import Message
from domain.session.contributions import SeatEvent, contribution_of, seat_event_of
from domain.session.messages import ChainAnchored, Contribution, PresenceSet, SeatLeft, SeatTaken
from projections.runner import catch_up
from service.http.app import set_up
from service.ops.migrate import make_tables, prepare
from service.platform import clock
from service.platform.settings import Settings
from service.sessions.app import App, build
from service.web.app import create_app
from tests.support.example import EXAMPLE, FIRST, as_json, brought, to_draw

T = TypeVar("T")

NOWHERE = "unix:///nonexistent/fairlog/queue.sock"
KEY = "a-key-of-some-length-"


def settings_in(folder: Path, **more: str) -> Settings:
    """A deployment of its own, with a queue that is away, and streams that end soon."""
    own = {"REDIS_URL": NOWHERE, "FAIRLOG_SYNCHRONOUS": "NORMAL", "FAIRLOG_STREAM_SECONDS": "0.2"}
    return Settings.read({"FAIRLOG_DATA": str(folder), **own, **more})


SPARE = defaultdict[int, list[Flask]](list)
"""Applications of servers that are closed, by the proxies that they trust: to make one takes longer than most tests."""


class TestServer:
    """One server in process; `restart` builds it anew on the same files.

    `stage`: begins with what this makes of an empty house, as a copy of files. See `staged`.
    """

    __test__ = False  # not a test, despite its name

    def __init__(self, settings: Settings, stage: Stage | None = None) -> None:
        if stage is not None:
            shutil.copytree(_made(stage).folder, settings.data, dirs_exist_ok=True)
        elif not settings.is_on_postgres and not settings.log_file.exists():
            shutil.copytree(_empty_tables(), settings.data, dirs_exist_ok=True)
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

    def open(self, **more: Any) -> SessionClient:
        """A new session, its GM at the table."""
        body = {"ruleset": FIRST.name, "title": "The mint of Carrow", "name": "Mo", **more}
        answer = self.client.post("/v1/sessions", json=body)
        assert answer.status_code == 201, answer.text
        return SessionClient(self, answer.json["session"], {"gm": answer.json["token"]})

    def close(self) -> None:
        services = self.flask.extensions["fairlog"]
        services.close()
        if (
            services.app is self.app and self.flask not in SPARE[self.settings.proxies]
        ):  # closed for the first time
            SPARE[self.settings.proxies].append(self.flask)


class SessionClient:
    """One session, and the tokens of its seats."""

    def __init__(self, house: TestServer, session: str, tokens: dict[str, str]) -> None:
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


def aside(act: Callable[[SessionClient], T], evening: SessionClient) -> T:
    """Run `act` while another request is being answered.

    A thread of its own keeps Flask from sharing that request's `g`, with its Idempotency-Key.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(act, evening).result()


def laid(house: TestServer, **more: Any) -> SessionClient:
    """A table with two players, a spectator and a draw of p1's Ana that is not over."""
    evening = house.open(**more)
    evening.seat("p1", name="Ana's player")
    evening.seat("p2")
    evening.seat("watcher", "spectator")
    evening.go(
        ("p1", EXAMPLE.bring), ("p2", brought("ben", "Ben")), ("gm", EXAMPLE.guest), *to_draw()
    )
    return evening


Stage = Callable[[TestServer], SessionClient]
"""Makes a table in an empty house: `laid`, for one."""


class Made(NamedTuple):
    """A data directory with a table in it."""

    folder: Path
    session: str
    tokens: dict[str, str]


@cache
def _empty_tables() -> Path:
    """A folder with the SQLite files of an empty house, without keys. Copying them takes half as long as making them."""
    folder = _temporary_folder()
    make_tables(settings_in(folder))
    return folder


def _temporary_folder() -> Path:
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    return folder


@cache
def _made(stage: Stage) -> Made:
    """Once in a process: tests get copies."""
    folder = _temporary_folder()
    house = TestServer(settings_in(folder))
    evening = stage(house)
    house.close()
    return Made(folder, evening.session, evening.tokens)


def staged(house: TestServer, stage: Stage) -> SessionClient:
    """The table of that stage: the one that the house began with, or made now."""
    if house.stage is not stage:
        return stage(house)
    made = _made(stage)
    return SessionClient(house, made.session, dict(made.tokens))


LENGTH = 16
SEATS = ("gm", "p1", "p2")
"""Those that hold chains."""


class Holder:
    """A seat with a key and a chain of its own; `name` makes both, so that every run has the same."""

    def __init__(
        self, evening: SessionClient, seat: str, role: str = "player", length: int = LENGTH
    ) -> None:
        self.evening, self.seat, self.role, self.length = evening, seat, role, length
        self.key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(seat.encode()).digest())
        self.number, self.position, self.links = 0, 0, self.chain(0)
        self._seen: dict[int, dict[str, Any]] = {}

    @property
    def public(self) -> str:
        return self.key.public_key().public_bytes_raw().hex()

    def chain(self, number: int) -> tuple[bytes, ...]:
        last = hashlib.sha256(f"{self.seat} {number}".encode()).digest()
        return links(bytes.fromhex(self.evening.session), self.seat, number, last, self.length)

    def sign(self, event: SeatEvent) -> str:
        return self.key.sign(seat_event_of(self.evening.session, event)).hex()

    def anchored(self, number: int = 0, *, shows: bool = False) -> dict[str, Any]:
        """The chain as it is brought to a seat that is taken with it.

        If `shows`, it reveals the link that the last draw asked for.
        """
        anchor = self.chain(number)[0].hex()
        shown = {"previous_link": self.links[self.position].hex()} if shows else {}
        taken = SeatTaken(
            Role(self.role), self.seat, anchor, number, self.length, self.public, **shown
        )
        return {
            "anchor": anchor,
            "length": self.length,
            "public_key": self.public,
            "signature": self.sign(taken),
        } | shown

    def bring(self, **headers: str) -> TestResponse:
        return self.evening.post(self.seat, f"/seats/{self.seat}/chain", self.anchored(), **headers)

    def anchor(self, number: int, *, shows: bool = False, **headers: str) -> TestResponse:
        """The next chain. If `shows`, it reveals the link that the last draw asked for."""
        anchor = self.chain(number)[0].hex()
        shown = self.links[self.position].hex() if shows else UNSET
        event = ChainAnchored(anchor, number, self.length, self.seat, "", shown)
        body = {"anchor": anchor, "length": self.length, "signature": self.sign(event)}
        if shown is not UNSET:
            body["previous_link"] = shown
        answer = self.evening.post(self.seat, f"/seats/{self.seat}/chain", body, **headers)
        if answer.status_code == 201:
            self.number, self.position, self.links = number, 0, self.chain(number)
        return answer

    def present(self, nth: int, present: bool, **headers: str) -> TestResponse:
        """It signs that it is there, or not."""
        seen = self.seen(nth)
        event = PresenceSet(nth, present, self.seat, **seen)
        body = {"present": present, "signature": self.sign(event)} | seen
        return self.evening.post(self.seat, f"/seats/{self.seat}/presence", body, **headers)

    def leave(self, nth: int, **headers: str) -> TestResponse:
        query = urlencode(self.leaving(nth))
        return self.evening.delete(self.seat, f"/seats/{self.seat}?{query}", **headers)

    def leaving(self, nth: int) -> dict[str, Any]:
        """What it signs when it leaves."""
        seen = self.seen(nth)
        return {"signature": self.sign(SeatLeft(nth, self.seat, **seen))} | seen

    def seen(self, nth: int) -> dict[str, Any]:
        """The tree as it was when the statement was signed for the first time."""
        if nth not in self._seen:
            size = self.evening.version()
            root = self.evening.house.app.trees.at(self.evening.session, size).root(size).hex()
            self._seen[nth] = {"seen_root": root, "seen_size": size}
        return self._seen[nth]

    def contribution(self, waiting: Mapping[str, Any], **changed: Any) -> Contribution:
        """What it has to give to the draw that waits, under the tree of its size, signed behind what is changed."""
        evening = self.evening
        [(chain, position)] = [
            (place["chain"], place["position"])
            for place in waiting["contributors"]
            if place["seat"] == self.seat
        ]
        size = waiting["size"]
        root = evening.house.app.trees.at(evening.session, size).root(size).hex()
        unsigned = Contribution(
            chain, self.links[position].hex(), position, self.seat, root, size, ""
        )
        given = replace(unsigned, **changed)
        request = merkle_tree.leaf_hash(waiting["leaf"].encode()).hex()
        message = contribution_of(evening.session, waiting["number"], request, given)
        return replace(given, signature=changed.get("signature", self.key.sign(message).hex()))

    def send(self, k: int, given: Contribution) -> TestResponse:
        body = msgspec.to_builtins(given)
        del body["seat"]
        return self.evening.post(self.seat, f"/draws/{k}/contributions", body)

    def give(self, waiting: Mapping[str, Any], **changed: Any) -> TestResponse:
        answer = self.send(waiting["number"], self.contribution(waiting, **changed))
        if answer.status_code == 201:
            self.position += 1
        return answer


class DrawTable:
    """A table that draws together: its GM and two players hold chains, and a spectator watches."""

    def __init__(self, house: TestServer, deadline: int = 600, **options: Any) -> None:
        self.house = house
        self.evening = house.open(draws="table", options={"deadline": deadline, **options})
        for seat in ("p1", "p2"):
            self.evening.seat(seat)
        self.evening.seat("watcher", "spectator")
        self.holders = seat_holders(self.evening)
        for holder in self.holders.values():
            assert holder.bring().status_code == 201
        self.evening.go(("p1", EXAMPLE.bring), ("p2", brought("ben", "Ben")), ("gm", EXAMPLE.guest))

    @classmethod
    def at(cls, evening: SessionClient) -> Self:
        """The one at a table that `gathered` has made."""
        circle = cls.__new__(cls)
        circle.house, circle.evening, circle.holders = evening.house, evening, seat_holders(evening)
        return circle

    def waiting(self, seat: str | None = "p1", query: str = "") -> Mapping[str, Any]:
        """The draw that waits."""
        answer = self.evening.get(seat, f"/draws/pending{query}")
        assert answer.status_code == 200, answer.text
        found: Mapping[str, Any] = answer.json
        return found

    def give(self, *seats: str) -> list[TestResponse]:
        """Those seats give to the draw that waits."""
        waiting = self.waiting()
        answers = [self.holders[seat].give(waiting) for seat in seats]
        assert {answer.status_code for answer in answers} <= {201}, [
            answer.text for answer in answers
        ]
        return answers

    def kinds(self) -> list[str]:
        """What stands in the log."""
        return [
            type(fact.body).__name__
            for fact in self.house.app.log.read_events(self.evening.session)
        ]


def seat_holders(evening: SessionClient, length: int = LENGTH) -> dict[str, Holder]:
    roles = {"gm": "gm", "p1": "player", "p2": "player"}
    return {seat: Holder(evening, seat, role, length) for seat, role in roles.items()}


def gathered(house: TestServer) -> SessionClient:
    """A table that draws together, in front of its first draw."""
    evening = DrawTable(house).evening
    evening.go(*to_draw()[:-1])
    return evening


class Clock:
    """The server's time, which a test can move."""

    def __init__(self) -> None:
        self.ahead = 0
        self._now_ms = clock.now_ms

    def now_ms(self) -> int:
        return self._now_ms() + self.ahead


def ask(circle: DrawTable) -> TestResponse:
    """The command that draws, always under the same key."""
    return circle.evening.command("p1", EXAMPLE.draw, Idempotency_Key=KEY)


def rule(answer: TestResponse) -> tuple[int, str]:
    """The status, and the rule or code of a no."""
    return answer.status_code, answer.json.get("rule", answer.json.get("code"))


def names(answer: TestResponse) -> list[str]:
    """The kinds of a turn's events."""
    return [event["kind"].rpartition(".")[2] for event in answer.json["events"]]
