"""Session player: plays a script over HTTP, with one connection per seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.codec import build_msgspec_types
from domain.decider import Role
from domain.example_session import Script, ScriptSeat, ScriptStep
from domain.ruleset import Option
from service.client.api import ApiConnection, ApiResponse, UnexpectedResponseError
from service.client.join import sit
from service.client.seat import SeatClient
from service.platform import clock

DRAW_KINDS = ("session.Declared", "session.Drawn")
"""Event kinds whose texts the demo omits, because the ruleset's own events describe the draw."""


class SeenEvent(msgspec.Struct, frozen=True):
    """An event as one seat sees it.

    A sealed event shows only its version, its turn and the seat that caused it.
    """

    version: int
    turn: int
    seat: str = ""
    kind: str = ""
    text: str = ""
    body: msgspec.Raw = msgspec.Raw()
    sealed: bool = False


class MarkedVersion(NamedTuple):
    """The version at which the script set a mark, and the last turn at that version."""

    version: int
    turn: int


class PlayedStep(NamedTuple):
    """The result of playing a step: its events' texts, or the rule that refused it.

    `first` and `version` are the first and the last version that the step added to the session.
    """

    step: ScriptStep
    first: int
    version: int
    texts: tuple[str, ...] = ()
    rule: str = ""
    fork: SessionPlayer | None = None


class _Turn(msgspec.Struct, frozen=True):
    version: int
    turn: int
    events: tuple[SeenEvent, ...]


class _Page(msgspec.Struct, frozen=True):
    events: tuple[SeenEvent, ...]


class SessionPlayer:
    """Plays a scripted session: `open` opens it, and `play` plays its steps.

    If `files` (the folder for seat files) is set, the GM and the players have hash chains and
    contribute to draws. Otherwise the server draws alone. The methods raise UnexpectedResponseError
    and UnreachableError.
    """

    def __init__(self, url: str, script: Script, files: Path | None = None) -> None:
        self.script = script
        self.session, self.log_key = "", ""
        self.version = 0
        self.seats: dict[str, ApiConnection] = {}
        self.marks: dict[str, MarkedVersion] = {}
        self.forks: list[SessionPlayer] = []
        self.steps: list[PlayedStep] = []
        self._url, self._files, self._turn = url, files, 0
        self._next_draw = 0
        self._clients: list[SeatClient] = []

    def open(self, **options: Option) -> None:
        """Open the session as its GM, and fill the other seats.

        `options` are added to the session options from the script.
        """
        gm, script = self._gm, self.script
        body = {
            "ruleset": script.ruleset,
            "edition": script.edition,
            "title": script.title,
            "options": script.options | options,
            "seat": gm.seat,
            "name": gm.name,
            "draws": "table" if self._files else "house",
        }
        self._sit(gm, "/v1/sessions", body)
        for held in script.seats:
            if held is not gm:
                offer = _create(self.gm, f"{self.path}/invitations", {"role": held.role})
                body = {"code": offer["code"], "seat": held.seat, "name": held.name}
                self._sit(held, "/v1/seats", body)

    def play(self) -> Iterator[PlayedStep]:
        """Play all steps, and yield the result of each. Raises UnexpectedResponseError."""
        for step in self.script.steps:
            if step.mark is not UNSET:
                self.marks[step.mark] = MarkedVersion(self.version, self._turn)
                continue
            self.steps.append(played := self._play_step(step))
            yield played

    def events(self, seat: str, after: int, until: int) -> tuple[SeenEvent, ...]:
        """Return the events after version `after`, up to `until`, as `seat` sees them."""
        path = f"{self.path}/events?after={after}&limit={until - after}"
        answer = self.seats[seat].get(path)
        if answer.status != HTTPStatus.OK:
            raise UnexpectedResponseError(f"GET {path} as {seat} returned {_describe(answer)}")
        return msgspec.json.decode(answer.body, type=_Page).events

    def close(self) -> None:
        for fork in self.forks:
            fork.close()
        for client in self._clients:
            client.close()
        for player in self.seats.values():
            player.close()

    @property
    def path(self) -> str:
        return f"/v1/sessions/{self.session}"

    @property
    def gm(self) -> ApiConnection:
        return self.seats[self._gm.seat]

    @property
    def _gm(self) -> ScriptSeat:
        return next(held for held in self.script.seats if held.role == Role.GM)

    def _sit(self, held: ScriptSeat, path: str, body: object) -> None:
        player = self.seats[held.seat] = ApiConnection(self._url)
        ticket = _create(player, path, body)
        self._take_ticket(player, ticket)
        if self._files and held.role in (Role.GM, Role.PLAYER):
            build_msgspec_types()
            file = self._files / f"{self.session}.{held.seat}.seat"
            self._clients.append(client := sit(self._url, ticket, file, allow_other_clients=True))
            self.version = client.watcher.version

    def _take_ticket(self, player: ApiConnection, ticket: Mapping[str, Any]) -> None:
        player.token, self.version = ticket["token"], ticket["version"]
        self.session, self.log_key = ticket["session"], ticket["log_key"]

    def _play_step(self, step: ScriptStep) -> PlayedStep:
        if step.fork is not UNSET:
            return self._fork(step, self.marks[step.fork].version)
        player, (part, body) = self.seats[step.by], self._request(step)
        answer = player.post(f"{self.path}/{part}", body)
        if step.refused is not UNSET:
            if answer.status != HTTPStatus.CONFLICT or answer.json.get("rule") != step.refused:
                raise UnexpectedResponseError(_mismatch(step, f"refused by {step.refused}", answer))
            return PlayedStep(step, self.version, self.version, rule=step.refused)
        events = self._accept(step, player, answer)
        texts = tuple(each.text for each in events if each.text and each.kind not in DRAW_KINDS)
        first = next(each.version for each in events if each.turn == self._turn)
        return PlayedStep(step, first, self.version, texts)

    def _accept(
        self, step: ScriptStep, player: ApiConnection, answer: ApiResponse
    ) -> tuple[SeenEvent, ...]:
        """Return the events that an accepted step added to the session.

        If the step's draw needs contributions, let the seats contribute first.
        """
        if answer.status not in (HTTPStatus.CREATED, HTTPStatus.ACCEPTED):
            raise UnexpectedResponseError(_mismatch(step, "accepted", answer))
        turn = msgspec.json.decode(answer.body, type=_Turn)
        self.version, self._turn, events = turn.version, turn.turn, turn.events
        if answer.status == HTTPStatus.ACCEPTED:
            with ThreadPoolExecutor() as pool:
                list(pool.map(SeatClient.poll, self._clients))
            drawn = player.get(answer.headers["Location"])
            if drawn.status != HTTPStatus.OK or drawn.json["status"] != "drawn":
                raise UnexpectedResponseError(_mismatch(step, "drawn", drawn))
            # The first response also contains earlier events, such as a new chain.
            before = tuple(each for each in events if each.turn != turn.turn)
            events = before + msgspec.json.decode(drawn.body, type=_Turn).events
            self.version = events[-1].version
        self._next_draw += sum(each.kind == "session.Drawn" for each in events)
        return events

    def _fork(self, step: ScriptStep, version: int) -> PlayedStep:
        """Fork the session at `version`, and play all steps of the fork as its only seat.

        Return the played step that describes the fork.
        """
        gm = replace(next(each for each in self.script.seats if each.seat == step.by), seat="gm")
        gm = replace(gm, role="gm")
        script = replace(self.script, title=step.title, seats=(gm,), steps=step.steps)
        fork = SessionPlayer(self._url, script)
        body = {"version": version, "title": step.title, "seat": gm.seat, "name": gm.name}
        ticket = _create(self.seats[step.by], f"{self.path}/forks", body)
        fork.seats[gm.seat] = ApiConnection(self._url)
        fork._take_ticket(fork.gm, ticket)
        self.forks.append(fork)
        for _ in fork.play():
            pass
        [forked] = self.events(step.by, self.version, self.version + 1)
        self.version, self._turn = forked.version, forked.turn
        return PlayedStep(step, forked.version, forked.version, (forked.text,), fork=fork)

    def _request(self, step: ScriptStep) -> tuple[str, dict[str, Any]]:
        """Return the last segment of the URL path, and the request body, for a step."""
        secret = {} if step.audience is UNSET else {"audience": step.audience}
        match step:
            case ScriptStep(do=dict(command)):
                dice: dict[str, Any] = {"faces": step.faces}
                if step.faces is UNSET:
                    dice = {"entropy": clock.random_bytes().hex(), "draw": self._next_draw}
                aim = (
                    {}
                    if step.target is UNSET
                    else {"target_version": self.marks[step.target].version}
                )
                return "commands", {"command": command} | secret | dice | aim
            case ScriptStep(rewind=str(mark), reason=reason):
                return "rewind", {"to": self.marks[mark].version, "reason": reason}
            case ScriptStep(narrate=str(text)):
                return "narrate", {"text": text} | secret
            case ScriptStep(open=str(mark)):
                return "open-secret", {"turn": self.marks[mark].turn}
            case ScriptStep(close=dict(how)):
                return "close", how
        raise UnexpectedResponseError(f"the step has no action: {step}")


def _create(player: ApiConnection, path: str, body: object) -> Any:
    answer = player.post(path, body)
    if answer.status != HTTPStatus.CREATED:
        raise UnexpectedResponseError(f"POST {path} returned {_describe(answer)}")
    return answer.json


def _mismatch(step: ScriptStep, expected: str, answer: ApiResponse) -> str:
    step_json = msgspec.json.encode(step).decode()
    return f"{step_json} should be {expected}, but the server returned {_describe(answer)}"


def _describe(answer: ApiResponse) -> str:
    return f"{answer.status}: {answer.body.decode()}"
