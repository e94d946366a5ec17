"""A script of an evening, played over HTTP by its seats: each on its own connection, each change under its own key."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from email.message import Message
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET, UnsetType

from domain.ruleset import Room
from service.sources import fresh_id

PAUSES = (0.05, 0.5, 2.0)  # seconds before a lost request is sent again; its key makes that safe
WISHES = ("session.Declared", "session.Drawn")  # the room's own events tell what became of them
IF_MATCH, REPEAT, STALE = 5, 25, 60  # every so many steps: names the version, is sent twice, names an old version


class Unreachable(Exception):
    """The server did not answer, however often it was asked."""


class OffScript(Exception):
    """The server's answer is not what the script says."""


class Answer(NamedTuple):
    """What came back. `json` raises ValueError where the body is something else."""

    status: int
    headers: Message
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Player:
    """One seat's connection to a server, kept alive. Not safe between threads."""

    def __init__(self, url: str, token: str = "", pauses: tuple[float, ...] = PAUSES) -> None:
        self.token = token
        self._pauses = pauses
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)

    def get(self, path: str, accept: str = "application/json") -> Answer:
        return self._send("GET", path, b"", {"Accept": accept})

    def post(self, path: str, body: object, *, key: str = "", version: int | None = None) -> Answer:
        """A change; `key` names it where it is to be sent again, `version` is what it is meant for."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": key or fresh_id()}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self._send("POST", path, json.dumps(body).encode(), headers)

    def close(self) -> None:
        self._connection.close()

    def _send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        for pause in self._pauses:
            with suppress(OSError, http.client.HTTPException):
                return self._once(method, path, body, headers)
            time.sleep(pause)
        try:
            return self._once(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{method} {path}: {error!r}") from error

    def _once(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        try:
            self._connection.request(method, path, body or None, headers)
            answer = self._connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        except BaseException:
            self._connection.close()  # the next request opens it anew
            raise


class Held(msgspec.Struct, frozen=True):
    """A seat of the script, and who sits there."""

    seat: str
    role: str
    name: str


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the script: a command, a rewind to a mark, a narration or the close; or a mark."""

    by: str = ""
    do: dict[str, Any] | UnsetType = UNSET
    faces: tuple[int, ...] | UnsetType = UNSET
    rewind: str | UnsetType = UNSET
    reason: str = ""
    narrate: str | UnsetType = UNSET
    close: dict[str, bool] | UnsetType = UNSET
    mark: str | UnsetType = UNSET
    refused: str | UnsetType = UNSET


class Script(msgspec.Struct, frozen=True):
    """An evening as it stands in a room's folder."""

    title: str
    ruleset: str
    edition: str
    options: dict[str, Any]
    seats: tuple[Held, ...]
    steps: tuple[Step, ...]


class Happened(NamedTuple):
    """A step as it was played: the lines told, or the rule that refused it with its facts."""

    step: Step
    told: tuple[str, ...]
    version: int
    rule: str = ""
    facts: Mapping[str, Any] = {}


def script_of(room: Room) -> Script:
    """The room's evening."""
    text = (files(f"domain.rulesets.{room.name}") / "evening.json").read_bytes()
    return msgspec.json.decode(text, type=Script)


class Evening:
    """A script at a server: `open` it, then `play` it step by step. Raises OffScript and Unreachable."""

    def __init__(self, url: str, script: Script) -> None:
        self.script = script
        self.session, self.log_key = "", ""
        self.seats: dict[str, Player] = {}
        self.version = self.repeats = self.conflicts = 0
        self._url = url
        self._marks: dict[str, int] = {}

    def open(self, **options: bool) -> None:
        """The GM opens it, invites the others, and they sit down. `options` stand beside the script's."""
        script = self.script
        gm = next(held for held in script.seats if held.role == "gm")
        asked = msgspec.to_builtins(script) | {"options": script.options | options, "seat": gm.seat, "name": gm.name}
        del asked["seats"], asked["steps"]
        opened = self._sit(gm, "/v1/sessions", asked)
        self.session, self.log_key = opened["session"], opened["log_key"]
        for held in script.seats:
            if held is not gm:
                self._invite(self.seats[gm.seat], held)

    def play(self) -> Iterator[Happened]:
        """Each step, after it went as the script says."""
        for nth, step in enumerate(self.script.steps, 1):
            if step.mark is not UNSET:
                self._marks[step.mark] = self.version
            else:
                yield self._step(nth, step)

    def close(self) -> None:
        for player in self.seats.values():
            player.close()

    @property
    def path(self) -> str:
        return f"/v1/sessions/{self.session}"

    def _sit(self, held: Held, path: str, body: object) -> Any:
        player = self.seats[held.seat] = Player(self._url)
        taken = _created(player, path, body)
        player.token, self.version = taken["token"], taken["version"]
        return taken

    def _invite(self, gm: Player, held: Held) -> None:
        invitation = _created(gm, f"{self.path}/invitations", {"role": held.role})
        self._sit(held, "/v1/seats", {"code": invitation["code"], "seat": held.seat, "name": held.name})

    def _step(self, nth: int, step: Step) -> Happened:
        player, (part, body), key = self.seats[step.by], self._asked(step), fresh_id()
        path = f"{self.path}/{part}"
        if nth % STALE == 0:
            self._is_stale(player, path, body)
        named = self.version if nth % IF_MATCH == 0 else None
        answer = player.post(path, body, key=key, version=named)
        if step.refused is not UNSET:
            return self._refused(nth, step, answer)
        if answer.status != http.client.CREATED:
            raise OffScript(_odd(nth, step, "accepted", answer))
        if nth % REPEAT == 0:
            self._is_repeated(answer, player.post(path, body, key=key, version=named))
        self.version = answer.json["version"]
        told = tuple(event["told"] for event in answer.json["events"] if event["kind"] not in WISHES)
        return Happened(step, told, self.version)

    def _asked(self, step: Step) -> tuple[str, dict[str, Any]]:
        match step:
            case Step(do=dict(wish), faces=tuple(faces)):
                return "commands", {"command": wish, "faces": faces}
            case Step(do=dict(wish)):
                return "commands", {"command": wish}
            case Step(rewind=str(mark), reason=reason):
                return "rewind", {"to": self._marks[mark], "reason": reason}
            case Step(narrate=str(text)):
                return "narrate", {"text": text}
            case Step(close=dict(how)):
                return "close", how
        raise OffScript(f"a step that says nothing: {step}")

    def _refused(self, nth: int, step: Step, answer: Answer) -> Happened:
        problem = answer.json
        if answer.status != http.client.CONFLICT or problem.get("rule") != step.refused:
            raise OffScript(_odd(nth, step, f"refused by {step.refused}", answer))
        return Happened(step, (), self.version, problem["rule"], problem.get("facts", {}))

    def _is_stale(self, player: Player, path: str, body: object) -> None:
        answer = player.post(path, body, version=self.version - 1)
        if answer.status != http.client.PRECONDITION_FAILED or answer.json["version"] != self.version:
            raise OffScript(f"POST {path} on an old version was answered {answer.status}: {answer.body.decode()}")
        self.conflicts += 1

    def _is_repeated(self, first: Answer, second: Answer) -> None:
        told, again = first.json, second.json
        if not again.get("repeated") or any(told[name] != again.get(name) for name in ("version", "events")):
            raise OffScript(f"the same key was answered {first.body.decode()} and then {second.body.decode()}")
        self.repeats += 1


def _created(player: Player, path: str, body: object) -> Any:
    answer = player.post(path, body)
    if answer.status != http.client.CREATED:
        raise OffScript(f"POST {path} was answered {answer.status}: {answer.body.decode()}")
    return answer.json


def _odd(nth: int, step: Step, expected: str, answer: Answer) -> str:
    wish = msgspec.json.encode(step).decode()
    return f"step {nth} should be {expected}, was answered {answer.status} {answer.body.decode()}: {wish}"
