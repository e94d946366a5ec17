"""A script of an evening, played over HTTP by its seats: each on its own connection, each change under its own key."""

from __future__ import annotations

import http.client
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import Role
from domain.ruleset import Option
from domain.session.messages import SealOpened
from service.circle import Circle
from service.eyes import WISHES, Aim, Back, Eyes, Opening, Seen, Sides
from service.player import Answer, OffScript, Player
from service.script import Held, Script, Step
from service.sources import fresh_id

IF_MATCH, REPEAT, STALE = (
    5,
    25,
    60,
)  # every so many steps: names the version, is sent twice, names an old version


class Fork(NamedTuple):
    """A session that goes on from a version of this one, and what was played in it."""

    evening: Evening
    at: int
    happened: list[Happened]


class Happened(NamedTuple):
    """A step as it was played: the lines told, or the rule that refused it with its facts.

    `came`: what it showed where it was secret, opened a secret, aimed at one, rewound or forked.
    """

    step: Step
    told: tuple[str, ...]
    version: int
    rule: str = ""
    facts: Mapping[str, Any] = {}
    came: Sides | Opening | Aim | Back | Fork | None = None


class Mark(NamedTuple):
    """The version that it was set at, and the turn that had just been played."""

    version: int
    turn: int


class _Turn(msgspec.Struct, frozen=True):
    version: int
    turn: int
    events: tuple[Seen, ...]
    repeated: bool = False


class Evening:
    """A script at a server: `open` it, then `play` it step by step. Raises OffScript and Unreachable.

    With a folder for their files GM and players hold chains, and the table draws; without, the house does.
    """

    def __init__(self, url: str, script: Script, files: Path | None = None) -> None:
        self._circle = None if files is None else Circle(url, files)
        self.script = script
        self.session, self.log_key = "", ""
        self.seats: dict[str, Player] = {}
        self.forks: list[Fork] = []
        self.version = self.repeats = self.conflicts = 0
        self._url, self._turn = url, 0
        self._marks: dict[str, Mark] = {}
        self._secrets: dict[int, Sides] = {}

    def open(self, **options: Option) -> None:
        """The GM opens it, invites the others, and they sit down. `options` stand beside the script's."""
        script, gm = self.script, self._gm
        asked = {
            "ruleset": script.ruleset,
            "edition": script.edition,
            "title": script.title,
            "options": script.options | options,
            "seat": gm.seat,
            "name": gm.name,
            "draws": "table" if self._circle else "house",
        }
        opened = self._sit(gm, "/v1/sessions", asked)
        self.session, self.log_key = opened["session"], opened["log_key"]
        for held in script.seats:
            if held is not gm:
                self._invite(self.seats[gm.seat], held)

    def play(self) -> Iterator[Happened]:
        """Each step, after it went as the script says."""
        for nth, step in enumerate(self.script.steps, 1):
            if step.mark is not UNSET:
                self._marks[step.mark] = Mark(self.version, self._turn)
            elif step.fork is not UNSET:
                yield self._forked(step, self._marks[step.fork].version)
            else:
                yield self._step(nth, step)

    def close(self) -> None:
        for fork in self.forks:
            fork.evening.close()
        if self._circle:
            self._circle.close()
        for player in self.seats.values():
            player.close()

    @property
    def path(self) -> str:
        return f"/v1/sessions/{self.session}"

    @property
    def eyes(self) -> Eyes:
        return Eyes(self.session, self.seats, {held.seat: held.role for held in self.script.seats})

    @property
    def gm(self) -> Player:
        return self.seats[self._gm.seat]

    @property
    def _gm(self) -> Held:
        return next(held for held in self.script.seats if held.role == "gm")

    def _sit(self, held: Held, path: str, body: object) -> Any:
        player = self.seats[held.seat] = Player(self._url)
        taken = _created(player, path, body)
        player.token, self.version = taken["token"], taken["version"]
        if self._circle and held.role in (Role.GM, Role.PLAYER):
            self.version = self._circle.join(taken)
        return taken

    def _invite(self, gm: Player, held: Held) -> None:
        invitation = _created(gm, f"{self.path}/invitations", {"role": held.role})
        self._sit(
            held, "/v1/seats", {"code": invitation["code"], "seat": held.seat, "name": held.name}
        )

    def _step(self, nth: int, step: Step) -> Happened:
        player, (part, body), key = self.seats[step.by], self._asked(step), fresh_id()
        path = f"{self.path}/{part}"
        if nth % STALE == 0:
            self._is_stale(player, path, body)
        named = self.version if nth % IF_MATCH == 0 else None
        redo = step.rewind is not UNSET and self.eyes.was_undone(body["to"])
        answer = player.post(path, body, key=key, version=named)
        if step.refused is not UNSET:
            return self._refused(nth, step, answer)
        told = self._told(nth, step, player, answer)
        if nth % REPEAT == 0:
            self._is_repeated(told, player.post(path, body, key=key, version=named))
        return self._accepted(step, told, redo)

    def _told(self, nth: int, step: Step, player: Player, answer: Answer) -> _Turn:
        """What was answered; where the table draws, after every seat has given to it."""
        if answer.status == http.client.ACCEPTED and self._circle:
            told = msgspec.json.decode(answer.body, type=_Turn)
            drawn = msgspec.json.decode(
                self._circle.finish(player, answer.headers["Location"]), type=_Turn
            )
            before = tuple(event for event in told.events if event.turn != told.turn)
            return replace(told, version=drawn.events[-1].version, events=before + drawn.events)
        if answer.status != http.client.CREATED:
            raise OffScript(_odd(nth, step, "accepted", answer))
        return msgspec.json.decode(answer.body, type=_Turn)

    def _accepted(self, step: Step, turn: _Turn, redo: bool) -> Happened:
        self.version, self._turn = turn.version, turn.turn
        told = tuple(event.told for event in turn.events if event.told and event.kind not in WISHES)
        return Happened(step, told, self.version, came=self._came(step, turn, redo))

    def _came(self, step: Step, turn: _Turn, redo: bool) -> Sides | Opening | Aim | Back | None:
        """What this step has to show beside its lines, as every seat sees it."""
        if step.rewind is not UNSET:
            return self.eyes.back(turn.version, self._marks[step.rewind].version, redo)
        if step.open is not UNSET:
            opened = msgspec.json.decode(turn.events[-1].body, type=SealOpened)
            return self.eyes.opening(self._secrets[self._marks[step.open].turn], opened)
        first = next(
            event.version for event in turn.events if event.turn == turn.turn
        )  # behind a chain's anchor
        if step.target is not UNSET:
            return self.eyes.aim(first, self._marks[step.target].version)
        if step.audience is not UNSET:
            self._secrets[turn.turn] = self.eyes.secret(
                step.by, step.audience, first - 1, turn.version
            )
            return self._secrets[turn.turn]
        return None

    def _forked(self, step: Step, at: int) -> Happened:
        """A new session that goes on from a version: with one seat, and the steps of its own."""
        gm = Held("gm", "gm", next(held.name for held in self.script.seats if held.seat == step.by))
        script = replace(self.script, title=step.title, seats=(gm,), steps=step.steps)
        child = Evening(self._url, script)
        body = {"version": at, "title": step.title, "seat": gm.seat, "name": gm.name}
        ticket = _created(self.seats[step.by], f"{self.path}/forks", body)
        child.seats[gm.seat] = Player(self._url, ticket["token"])
        child.session, child.log_key, child.version = (
            ticket["session"],
            ticket["log_key"],
            ticket["version"],
        )
        self.forks.append(fork := Fork(child, at, []))
        if child.eyes.table(child.version) != self.eyes.table(at):
            raise OffScript(f"the fork {child.path} does not begin with the table of version {at}")
        fork.happened.extend(child.play())
        [forked] = self.eyes.events(step.by, self.version, self.version + 1)
        self.version, self._turn = forked.version, forked.turn
        return Happened(step, (forked.told,), self.version, came=fork)

    def _asked(self, step: Step) -> tuple[str, dict[str, Any]]:
        secret = {} if step.audience is UNSET else {"audience": step.audience}
        match step:
            case Step(do=dict(wish)):
                return "commands", {"command": wish} | secret | self._dice(step)
            case Step(rewind=str(mark), reason=reason):
                return "rewind", {"to": self._marks[mark].version, "reason": reason}
            case Step(narrate=str(text)):
                return "narrate", {"text": text} | secret
            case Step(open=str(mark)):
                return "open", {"turn": self._marks[mark].turn}
            case Step(close=dict(how)):
                return "close", how
        raise OffScript(f"a step that says nothing: {step}")

    def _dice(self, step: Step) -> dict[str, Any]:
        """The faces that were thrown at the table, and the version that fixed the aim beforehand."""
        faces = {} if step.faces is UNSET else {"faces": step.faces}
        return (
            faces if step.target is UNSET else {**faces, "target": self._marks[step.target].version}
        )

    def _refused(self, nth: int, step: Step, answer: Answer) -> Happened:
        problem = answer.json
        if answer.status != http.client.CONFLICT or problem.get("rule") != step.refused:
            raise OffScript(_odd(nth, step, f"refused by {step.refused}", answer))
        return Happened(step, (), self.version, problem["rule"], problem.get("facts", {}))

    def _is_stale(self, player: Player, path: str, body: object) -> None:
        answer = player.post(path, body, version=self.version - 1)
        if (
            answer.status != http.client.PRECONDITION_FAILED
            or answer.json["version"] != self.version
        ):
            raise OffScript(
                f"POST {path} on an old version was answered {answer.status}: {answer.body.decode()}"
            )
        self.conflicts += 1

    def _is_repeated(self, told: _Turn, second: Answer) -> None:
        again = msgspec.json.decode(second.body, type=_Turn)
        if again != replace(told, repeated=True):
            raise OffScript(f"the same key was answered {told} and then {second.body.decode()}")
        self.repeats += 1


def _created(player: Player, path: str, body: object) -> Any:
    answer = player.post(path, body)
    if answer.status != http.client.CREATED:
        raise OffScript(f"POST {path} was answered {answer.status}: {answer.body.decode()}")
    return answer.json


def _odd(nth: int, step: Step, expected: str, answer: Answer) -> str:
    wish = msgspec.json.encode(step).decode()
    return f"step {nth} should be {expected}, was answered {answer.status} {answer.body.decode()}: {wish}"
