"""Seats that hold chains, over HTTP in process: each with its key, its links, and what it signs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Self

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET
from msgspec.structs import replace
from werkzeug.test import TestResponse

from domain.decider import Role
from domain.proof import merkle_tree
from domain.proof.hash_chain import links
from domain.session.contributions import SeatEvent, contribution_of, seat_event_of
from domain.session.messages import ChainAnchored, Contribution, PresenceSet, SeatLeft, SeatTaken
from service.platform import clock
from tests.service.http.session_client import KEY, Evening, House
from tests.support.example import EXAMPLE, brought, to_draw

LENGTH = 16
SEATS = ("gm", "p1", "p2")
"""Those that hold chains."""


class Holder:
    """A seat with a key and a chain of its own; `name` makes both, so that every run has the same."""

    def __init__(self, evening: Evening, seat: str, role: str = "player") -> None:
        self.evening, self.seat, self.role = evening, seat, role
        self.key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(seat.encode()).digest())
        self.number, self.position, self.links = 0, 0, self.chain(0)

    @property
    def public(self) -> str:
        return self.key.public_key().public_bytes_raw().hex()

    def chain(self, number: int) -> tuple[bytes, ...]:
        last = hashlib.sha256(f"{self.seat} {number}".encode()).digest()
        return links(bytes.fromhex(self.evening.session), self.seat, number, last, LENGTH)

    def sign(self, event: SeatEvent) -> str:
        return self.key.sign(seat_event_of(self.evening.session, event)).hex()

    def anchored(self, number: int = 0) -> dict[str, Any]:
        """The chain as it is brought to a seat that is taken with it."""
        anchor = self.chain(number)[0].hex()
        taken = SeatTaken(Role(self.role), self.seat, anchor, number, LENGTH, self.public)
        return {
            "anchor": anchor,
            "length": LENGTH,
            "public_key": self.public,
            "signature": self.sign(taken),
        }

    def bring(self, **headers: str) -> TestResponse:
        return self.evening.post(self.seat, f"/seats/{self.seat}/chain", self.anchored(), **headers)

    def anchor(self, number: int, *, shows: bool = False, **headers: str) -> TestResponse:
        """The next chain; what `shows` the next link of the one before."""
        anchor = self.chain(number)[0].hex()
        shown = self.links[self.position + 1].hex() if shows else UNSET
        event = ChainAnchored(anchor, number, LENGTH, self.seat, "", shown)
        body = {"anchor": anchor, "length": LENGTH, "signature": self.sign(event)}
        if shown is not UNSET:
            body["previous_link"] = shown
        answer = self.evening.post(self.seat, f"/seats/{self.seat}/chain", body, **headers)
        if answer.status_code == 201:
            self.number, self.position, self.links = number, 0, self.chain(number)
        return answer

    def present(self, nth: int, present: bool, **headers: str) -> TestResponse:
        """It signs that it is there, or not."""
        body = {"present": present, "signature": self.sign(PresenceSet(nth, present, self.seat))}
        return self.evening.post(self.seat, f"/seats/{self.seat}/presence", body, **headers)

    def leave(self, nth: int, **headers: str) -> TestResponse:
        signature = self.sign(SeatLeft(nth, self.seat))
        return self.evening.delete(
            self.seat, f"/seats/{self.seat}?signature={signature}", **headers
        )

    def contribution(self, waiting: Mapping[str, Any], **changed: Any) -> Contribution:
        """What it has to give to the draw that waits, under the tree of its size, signed behind what is changed."""
        evening = self.evening
        [(chain, position)] = [
            place[1:] for place in waiting["contributors"] if place[0] == self.seat
        ]
        size = waiting["size"]
        root = evening.house.app.trees.at(evening.session, size).root(size).hex()
        unsigned = Contribution(
            chain, self.links[position].hex(), position, self.seat, root, size, ""
        )
        given = replace(unsigned, **changed)
        request = merkle_tree.leaf_hash(waiting["leaf"].encode()).hex()
        message = contribution_of(evening.session, waiting["k"], request, given)
        return replace(given, signature=changed.get("signature", self.key.sign(message).hex()))

    def send(self, k: int, given: Contribution) -> TestResponse:
        body = msgspec.to_builtins(given)
        del body["seat"]
        return self.evening.post(self.seat, f"/draws/{k}/contributions", body)

    def give(self, waiting: Mapping[str, Any], **changed: Any) -> TestResponse:
        answer = self.send(waiting["k"], self.contribution(waiting, **changed))
        if answer.status_code == 201:
            self.position += 1
        return answer


class Circle:
    """A table that draws together: its GM and two players hold chains, and a spectator watches."""

    def __init__(self, house: House, deadline: int = 600, **options: Any) -> None:
        self.house = house
        self.evening = house.open(draws="table", options={"deadline": deadline, **options})
        for seat in ("p1", "p2"):
            self.evening.seat(seat)
        self.evening.seat("watcher", "spectator")
        self.holders = _holders(self.evening)
        for holder in self.holders.values():
            assert holder.bring().status_code == 201
        self.evening.go(("p1", EXAMPLE.bring), ("p2", brought("ben", "Ben")), ("gm", EXAMPLE.guest))

    @classmethod
    def at(cls, evening: Evening) -> Self:
        """The one at a table that `gathered` has made."""
        circle = cls.__new__(cls)
        circle.house, circle.evening, circle.holders = evening.house, evening, _holders(evening)
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


def _holders(evening: Evening) -> dict[str, Holder]:
    roles = {"gm": "gm", "p1": "player", "p2": "player"}
    return {seat: Holder(evening, seat, role) for seat, role in roles.items()}


def gathered(house: House) -> Evening:
    """A table that draws together, in front of its first draw."""
    evening = Circle(house).evening
    evening.go(*to_draw()[:-1])
    return evening


class Clock:
    """The server's time, which a test can move."""

    def __init__(self) -> None:
        self.ahead = 0
        self._now_ms = clock.now_ms

    def now_ms(self) -> int:
        return self._now_ms() + self.ahead


def ask(circle: Circle) -> TestResponse:
    """The command that draws, always under the same key."""
    return circle.evening.command("p1", EXAMPLE.draw, Idempotency_Key=KEY)


def rule(answer: TestResponse) -> tuple[int, str]:
    """The status, and the rule or code of a no."""
    return answer.status_code, answer.json.get("rule", answer.json.get("code"))


def names(answer: TestResponse) -> list[str]:
    """The kinds of a turn's events."""
    return [event["kind"].rpartition(".")[2] for event in answer.json["events"]]
