"""Secrets with a marker each, planted in a listed session of any room, and everything that anyone can read of it."""

from __future__ import annotations

import json
import random
from http import HTTPStatus
from itertools import count, islice
from typing import Any, NamedTuple

import msgspec
from werkzeug.test import TestResponse

from domain.available_commands import TEXTS, KnownValues, available_commands, examples
from domain.chance import DeclaredChance, NeedsDrawError, UndrawnChance
from domain.codec import decode_command, encode
from domain.decider import By, Refused
from domain.ruleset import AnyRuleset, Message
from domain.session.messages import Declare, Draws
from domain.session.state import Session
from domain.session.turns import judge
from domain.visibility import Viewer, visible_session
from tests.support.server import TestServer, seat_holders
from workers.audits import compute_audit
from workers.jobs import compute_range, compute_statistics

SEATS = ("gm", "p1", "p2", "watcher", "judge")
READERS = (*SEATS, "nobody", "stranger")
AUDIENCES = {
    # audience, asker: who may see it
    ("gm", "gm"): {"gm", "judge"},
    ("gm", "p2"): {"gm", "p2", "judge"},
    ("blind", "gm"): {"gm", "judge"},
    ("blind", "p2"): {"gm", "judge"},
    ("self", "gm"): {"gm", "judge"},
    ("self", "p2"): {"p2", "judge"},
}
TRIES, TURNS = 200, 5
RANGE = (3, None)
"""Versions whose figures are there."""
GUEST = "guest"
LINKS = 200
"""Draws to which each seat can contribute if the table draws."""


class Planted(NamedTuple):
    """A marker, who may see it, and the secret turns that hold it; `plays` where it is on the table."""

    marker: str
    seen_by: set[str]
    turns: tuple[int, ...]
    plays: bool


class Field:
    """A listed session of a room with its seats, some of them with entities, and what is planted in it.

    `other_for`: what this reader may not see is another secret than without it, and all else is the same.
    """

    def __init__(
        self,
        house: TestServer,
        ruleset: AnyRuleset,
        seed: int = 0,
        other_for: str = "",
        draws: Draws = "house",
    ) -> None:
        self.house, self.ruleset, self.random = house, ruleset, random.Random(seed)
        self.other_for, self.table_draws, self._commands = other_for, 0, count()
        self.evening = house.open(
            ruleset=ruleset.name, draws=draws, options={"listed": True, "declared_dice": True}
        )
        for seat, role in (
            ("p1", "player"),
            ("p2", "player"),
            ("watcher", "spectator"),
            ("judge", "auditor"),
        ):
            self.evening.seat(seat, role)
        self.stranger = house.open()
        self.holders = seat_holders(self.evening, LINKS) if draws == "table" else {}
        for holder in self.holders.values():
            assert holder.bring().status_code == 201
        for seat in ("gm", "p1", "p2"):
            self._play_openly(seat)
        self.planted = [self._plant(audience, asker) for audience, asker in AUDIENCES]
        self.planted += [self._whisper(audience, asker) for audience, asker in AUDIENCES]
        self.planted.append(self._guest())
        self.rolled = self._roll_again()
        self.code = self.evening.invite()
        self.facts = house.app.log.read_events(self.evening.session)
        self.compute()

    @property
    def session(self) -> Session:
        return self.house.app.log.read(self.evening.session).session

    def _command(self, asker: str, body: dict[str, Any]) -> TestResponse:
        """Post a command. If it waits for a draw by the table, all seats contribute to it first."""
        head = {"Idempotency-Key": f"command-{next(self._commands):016}"}
        answer = self.evening.post(asker, "/commands", body, **head)
        if answer.status_code != HTTPStatus.ACCEPTED:
            return answer
        waiting = self.evening.get("gm", "/draws/pending").json
        for holder in self.holders.values():
            given = holder.send(waiting["number"], holder.contribution(waiting))
            assert given.status_code == 201, given.text
        self.table_draws += 1
        return self.evening.post(asker, "/commands", body, **head)

    def compute(self) -> None:
        """What the follower and the worker do."""
        self.house.follow()
        app, session = self.house.app, self.evening.session
        compute_statistics(app, session)
        compute_range(app, session, *RANGE)
        compute_audit(app, session)

    @property
    def rolls(self) -> str:
        """The addresses that would tell the values of the GM's secret rolls."""
        return "/rerolls|/branches|" + "|".join(
            f"(/events/|version=){version}[? ]" for version in self.rolled
        )

    def plots(self) -> list[str]:
        """The names of all charts that the GM may see."""
        listed = self.evening.get("gm", "/statistics/plots").json["plots"]
        return [plot["name"] for plot in listed]

    def open_all(self) -> None:
        for planted in self.planted:
            opener = "gm" if "gm" in planted.seen_by else "p2"
            for turn in planted.turns:
                answer = self.evening.post(opener, "/open-secret", {"turn": turn})
                assert answer.status_code == 201, answer.text
        self.compute()

    def _marker(self, seen_by: set[str]) -> str:
        """Another secret differs at its end only, so that both are sorted alike among all others."""
        drawn = self.random.randbytes(6)
        is_other = self.other_for and self.other_for not in seen_by
        return f"zq{(drawn[:4] + bytes(255 - each for each in drawn[4:]) if is_other else drawn).hex()}"

    def _play_openly(self, seat: str) -> None:
        """A few public turns, so that there is a table to hide things on."""
        for choice in available_commands(self.session, self.session.by(seat))[:TURNS]:
            if choice.example is not msgspec.UNSET:
                wish = _marked(self.ruleset, choice.example, f"open-{seat}") or choice.example
                self._command(seat, {"command": msgspec.to_builtins(wish)})

    def _plant(self, audience: str, asker: str) -> Planted:
        """Secret turns that name the marker: first what makes it, then what uses it."""
        marker, turns = self._marker(AUDIENCES[audience, asker]), list[int]()
        # Whoever has retired cannot act, so that nothing more could be planted for the seat.
        kinds = [kind for kind in self.ruleset.commands if kind.__name__ != "Retire"]
        for _ in range(2):
            for command in kinds:
                if len(turns) < TURNS and (wish := self._wish(command, marker, asker)) is not None:
                    body = {"command": msgspec.to_builtins(wish), "audience": audience}
                    answer = self._command(asker, body)
                    assert answer.status_code == 201, answer.text
                    turns.append(answer.json["turn"])
        shown = encode(self.ruleset.show(self.session.table))
        return Planted(marker, AUDIENCES[audience, asker], tuple(turns), marker.encode() in shown)

    def _whisper(self, audience: str, asker: str) -> Planted:
        marker = self._marker(AUDIENCES[audience, asker])
        answer = self.evening.post(
            asker, "/narrate", {"text": f"Not a word of {marker}.", "audience": audience}
        )
        assert answer.status_code == 201, answer.text
        return Planted(marker, AUDIENCES[audience, asker], (answer.json["turn"],), plays=False)

    def _guest(self) -> Planted:
        """A secret name of somebody who then takes part in a public turn."""
        marker = self._marker(AUDIENCES["gm", "gm"])
        made = next(
            wish
            for kind in self.ruleset.commands
            if (wish := self._wish(kind, GUEST, "gm")) is not None
        )
        body = json.loads(
            encode(made).replace(f'"name":"{GUEST}"'.encode(), f'"name":"{marker}"'.encode())
        )
        answer = self._command("gm", {"command": body, "audience": "gm"})
        assert answer.status_code == 201, answer.text
        for kind in self.ruleset.commands:
            wish = self._wish(kind, GUEST, "gm")
            if wish is not None and not self._names_secret(wish):
                self._command("gm", {"command": msgspec.to_builtins(wish)})
                break
        return Planted(marker, AUDIENCES["gm", "gm"], (answer.json["turn"],), plays=False)

    def _names_secret(self, wish: Message) -> bool:
        """Return True if a public turn with this command would tell a secret by itself."""
        return any(planted.marker.encode() in encode(wish) for planted in self.planted)

    def _roll_again(self) -> tuple[int, ...]:
        """A roll for the GM's eyes, undone and made again: by the house, and with dice on the table; its versions."""
        before, versions = self.session.version, list[int]()
        wish = self._roll()
        for faces in ((), (), self._faces(wish), self._faces(wish)):
            body = {
                "command": msgspec.to_builtins(wish),
                "audience": "gm",
                **({"faces": faces} if faces else {}),
            }
            answer = self._command("gm", body)
            assert answer.status_code == 201, answer.text
            versions += [event["version"] for event in answer.json["events"]]
            assert (
                self.evening.post("gm", "/rewind", {"to": before, "reason": "again"}).status_code
                == 201
            )
        return tuple(versions)

    def _roll(self) -> Message:
        """A command of the GM that asks for a die or a card."""
        session = self.session
        for choice in available_commands(session, session.by("gm")):
            if choice.example is not msgspec.UNSET and _draws(session, choice.example):
                return choice.example
        raise AssertionError(f"nothing to roll in {self.ruleset.name}")

    def _faces(self, wish: Message) -> tuple[int, ...]:
        """Return the lowest faces that the rules accept: ones, or the lowest cards that are left."""
        declare, by = Declare(msgspec.Raw(encode(wish))), self.session.by("gm")
        faces: tuple[int, ...] = ()
        face = 1
        while True:
            try:
                judge(self.session, declare, by, DeclaredChance((*faces, face)))
            except Refused as no:
                if no.rule == "card-not-left":
                    face += 1
                elif no.rule == "faces-missing":
                    faces, face = (*faces, face), 1
                else:
                    raise
            else:
                return (*faces, face)

    def _wish(self, command: type[Message], marker: str, asker: str) -> Message | None:
        """A command of that kind that names the marker and that the rules allow."""
        session = self.session
        by = session.by(asker)
        entities = session.ruleset.show(session.table).entities
        sees = session.ruleset.show(
            visible_session(session, Viewer(asker), self.house.app.log.history(session.id)).table
        ).entities
        own_first = sorted(sees, key=lambda entity: sees[entity].seat != asker)
        named = [
            entity for entity in (marker, *own_first) if entity in entities
        ]  # of others' secrets it says nothing
        sheets = {entity: tuple(sees[entity].sheet) if entity in sees else () for entity in named}
        known = KnownValues(sheets, tuple(session.info.seats))
        for example in islice(examples(known, command), TRIES):
            wish = _marked(session.ruleset, example, marker)
            if wish is not None and is_allowed(session, wish, by):
                return wish
        return None


def _marked(ruleset: AnyRuleset, example: Message, marker: str) -> Message | None:
    """The example with the marker for every text that it is free to choose; None where it does not name it at all."""
    raw = encode(example)
    for text in TEXTS:
        raw = raw.replace(f'"{text}"'.encode(), f'"{marker}"'.encode())
    return decode_command(ruleset, raw) if marker.encode() in raw else None


def _draws(session: Session, wish: Message) -> bool:
    try:
        judge(session, Declare(msgspec.Raw(encode(wish))), session.by("gm"), UndrawnChance())
    except NeedsDrawError:
        return True
    return False


def is_allowed(session: Session, wish: Message, by: By) -> bool:
    try:
        judge(session, Declare(msgspec.Raw(encode(wish))), by, UndrawnChance())
    except NeedsDrawError:
        return True
    except Refused:
        return False
    return True
