"""What each seat at a server sees of an evening, held against what it ought to see: secrets, openings, rewinds."""

from __future__ import annotations

import http
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Raw

from domain.chance import Values
from domain.decider import Role
from domain.proof.chain import blind_commitment, command_commitment, seed, value
from domain.session.lineage import Span, within
from domain.session.messages import Audience, Declared, Drawn, SealOpened
from service.player import OffScript, Player

WISHES = ("session.Declared", "session.Drawn")  # the room's own events tell what became of them


class Seen(msgspec.Struct, frozen=True):
    """An event as a seat sees it; of a sealed one nothing but who asked, and when."""

    version: int
    turn: int
    seat: str
    kind: str = ""
    told: str = ""
    body: Raw = Raw()
    undone: bool = False
    sealed: bool = False


class Sides(NamedTuple):
    """A secret turn, as its audience sees it and as a seat does that is not in it."""

    insider: str
    inside: tuple[Seen, ...]
    outsider: str
    outside: tuple[Seen, ...]


class Proof(NamedTuple):
    """What a secret draw was committed to in the open, and the values that its seed gives."""

    command: str
    blind: str
    values: Values


class Opening(NamedTuple):
    """A secret that everyone sees now, as its audience saw it all along; `proof` where it drew."""

    sides: Sides
    proof: Proof | None


class Aim(NamedTuple):
    """A command whose target was fixed beforehand, by what a version says that was sealed then."""

    version: int


class Back(NamedTuple):
    """A rewind: so many events undone, which stay in the log. `redo`: where it leads had been undone itself."""

    to: int
    undone: int
    redo: bool
    take_back: bool


class _Page(msgspec.Struct, frozen=True):
    events: tuple[Seen, ...]


class Eyes:
    """Everyone at the table of one session, each on the own connection. Raises OffScript where one sees amiss."""

    def __init__(
        self, session: str, players: Mapping[str, Player], roles: Mapping[str, str]
    ) -> None:
        self._session, self._players, self._roles = session, players, roles
        self._gm = next(seat for seat, role in roles.items() if role == Role.GM)

    def events(self, seat: str, after: int, upto: int) -> tuple[Seen, ...]:
        """The events behind a version up to another, as the seat sees them."""
        body = self._get(seat, f"/events?after={after}&limit={upto - after}")
        return msgspec.json.decode(body, type=_Page).events

    def table(self, version: int) -> Any:
        """The table of a version, as the GM saw it there."""
        return msgspec.json.decode(self._get(self._gm, f"?at={version}"))["table"]

    def secret(self, by: str, audience: Audience, after: int, upto: int) -> Sides:
        """A secret turn of the newest versions: open to its audience, sealed for every other seat."""
        seen = {seat: self.events(seat, after, upto) for seat in self._players}
        told = [seat for seat in seen if self._is_for(seat, by, audience)]
        for seat, events in seen.items():
            if seat in told and any(event.sealed for event in events):
                raise OffScript(f"{seat} does not see its secret of version {upto}: {events}")
            if seat not in told and not _keeps(events):
                raise OffScript(f"{seat} sees a secret of version {upto}: {events}")
        outsider = next(seat for seat in reversed(seen) if seat not in told)
        return Sides(told[0], seen[told[0]], outsider, seen[outsider])

    def opening(self, sides: Sides, opened: SealOpened) -> Opening:
        """A secret that was just opened: for every seat what it was for its audience, and what the proof says."""
        first, last = sides.inside[0].version, sides.inside[-1].version
        for seat in self._players:
            events = self.events(seat, first - 1, last)
            if list(map(_what, events)) != list(map(_what, sides.inside)):
                raise OffScript(f"{seat} sees {events} opened, and it was {sides.inside}")
        return Opening(
            sides, None if opened.k is UNSET else self._proof(sides.inside, opened, opened.k)
        )

    def aim(self, declared: int, target: int) -> Aim:
        """A wish at its version: every seat reads what it aims at, and to some of them that is sealed still."""
        for seat in self._players:
            [event] = self.events(seat, declared - 1, declared)
            if msgspec.json.decode(event.body, type=Declared).target != target:
                raise OffScript(f"{seat} sees {event}, which does not aim at version {target}")
        if not any(self.events(seat, target - 1, target)[0].sealed for seat in self._players):
            raise OffScript(f"the aim at version {target} is not sealed")
        return Aim(target)

    def was_undone(self, version: int) -> bool:
        """Whether the version did not lead to the newest one, as things stand."""
        spans: list[Span] = msgspec.json.decode(self._get(self._gm, "/lineage"))["lineage"]
        return not within(spans, version)

    def back(self, version: int, to: int, redo: bool) -> Back:
        """The rewind of the newest version: the table is that of `to`, and nothing is lost."""
        if self.table(version) != self.table(to):
            raise OffScript(
                f"the table of version {version} is not that of {to}, where its rewind leads"
            )
        answer = self._get(self._gm, f"/branches?after={version - 1}&limit=1")
        branch = msgspec.json.decode(answer)["branches"][0]
        if redo and self.was_undone(to):
            raise OffScript(f"version {to} is undone, though a rewind has led back to it")
        return Back(to, branch["events"], redo, branch.get("take_back", False))

    def _is_for(self, seat: str, by: str, audience: Audience) -> bool:
        return (self._roles[seat] == Role.GM and audience != "self") or (
            seat == by and audience != "blind"
        )

    def _proof(self, events: Sequence[Seen], opened: SealOpened, k: int) -> Proof:
        """Raises OffScript unless what is opened is what the declaration committed to, and what the seed gives."""
        declared = msgspec.json.decode(events[0].body, type=Declared)
        drawn = msgspec.json.decode(events[1].body, type=Drawn)
        session, blind = bytes.fromhex(self._session), bytes.fromhex(str(opened.blind))
        command = command_commitment(
            bytes.fromhex(str(opened.salt)), bytes(opened.command or b"")
        ).hex()
        given = [
            (each.seat, each.chain, each.position, bytes.fromhex(each.link))
            for each in drawn.contributions
        ]
        seeded = seed(session, k, given, blind)
        values = tuple(
            (sides, value(seeded, nth, sides)) for nth, (sides, _) in enumerate(opened.values or ())
        )
        proof = Proof(command, blind_commitment(session, k, blind).hex(), values)
        if declared.draw is UNSET or proof != (
            declared.command_commitment,
            declared.draw.blind,
            opened.values,
        ):
            raise OffScript(f"{opened} is not what {declared} committed to")
        return proof

    def _get(self, seat: str, query: str) -> bytes:
        path = f"/v1/sessions/{self._session}{query}"
        answer = self._players[seat].get(path)
        if answer.status != http.HTTPStatus.OK:
            raise OffScript(
                f"GET {path} of {seat} was answered {answer.status}: {answer.body.decode()}"
            )
        return answer.body


def _keeps(events: Sequence[Seen]) -> bool:
    """Whether something is sealed, and nothing of what it says shows."""
    silent = all(
        not event.kind and not event.told and not event.body for event in events if event.sealed
    )
    return silent and any(event.sealed for event in events) and _only_wishes(events)


def _only_wishes(events: Sequence[Seen]) -> bool:
    return all(event.sealed or event.kind in WISHES for event in events)


def _what(event: Seen) -> tuple[int, bool, bytes]:
    return event.version, event.sealed, bytes(event.body)
