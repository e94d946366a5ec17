"""Evenings at which the table draws: seats with keys and chains of their own, and a house that asks them.

table = TableEvening(seed=7)                              # gm, p1, p2 hold chains, p3 none; bytes follow from the seed
table.do("p1", Check("ana"))                              # a wish that needs chance waits, and every seat gives
table.ask("p1", wish_of(...), silent=("p2",))             # given up: p2 is named, and the house says it is not there
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.codec import encode
from domain.decider import Refused, Role
from domain.proof import merkle_tree
from domain.proof.hash_chain import links
from domain.recorded_event import RecordedEvent, leaf_of
from domain.ruleset import AnyRuleset, Message, Option
from domain.rulesets import RULESETS
from domain.session.contributions import (
    SeatEvent,
    check_contribution,
    contribution_of,
    seat_event_of,
)
from domain.session.messages import (
    AnchorChain,
    Anchored,
    Audience,
    BringChain,
    ChainAnchored,
    Contribution,
    Declare,
    Draws,
    DrawVoided,
    LeaveSeat,
    OpenSeal,
    PresenceSet,
    SeatLeft,
    SeatTaken,
    SetPresence,
    TakeSeat,
)
from domain.session.state import HOUSE
from domain.session.turns import complete_draw, void_draw
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from tests.support.scripted_sessions import FOUR, Evening, MemoryLog, Seats

OWN = ("gm", "p1", "p2")
Steps = Sequence[tuple[str, Message]]
Nobody: Collection[str] = ()


class Device:
    """What a seat keeps to itself: its key, and the links of its chains by number."""

    def __init__(self, secret: bytes) -> None:
        self.signer = Signer(secret)
        self.chains: dict[int, tuple[bytes, ...]] = {}


class TableEvening(Evening):
    """An evening at which the seats in `own` hold a key and chains of `links` links; the others are custodial."""

    draws: Draws = "table"

    def __init__(
        self,
        seed: int = 0,
        ruleset: AnyRuleset = RULESETS[0],
        options: dict[str, Option] | None = None,
        log: MemoryLog | None = None,
        length: int = 4096,
        title: str | None = None,
        seats: Seats = FOUR,
        own: Sequence[str] = OWN,
        links: int = 200,
    ) -> None:
        self.links, self.devices = links, dict[str, Device]()
        self._own = own
        super().__init__(seed, ruleset, options, log, length, title, seats)

    def do(
        self, seat: str, command: Message, faces: tuple[int, ...] | None = None
    ) -> tuple[RecordedEvent, ...]:
        """As an evening's; what a seat with a chain says of itself is signed, and a draw is given to by all."""
        if faces is not None:
            return super().do(seat, command, faces)
        if isinstance(command, self.ruleset.commands):
            return self.ask(seat, wish_of(command))
        if isinstance(command, Declare):
            return self.ask(seat, command)
        if isinstance(command, OpenSeal):
            command = OpenSeal(command.turn, self.kept.get(command.turn, UNSET))
        return super().do(seat, self.signed(seat, command))

    def ask(
        self,
        seat: str,
        wish: Declare,
        silent: Collection[str] = Nobody,
        garbled: Collection[str] = Nobody,
        between: Steps = (),
    ) -> tuple[RecordedEvent, ...]:
        """A wish and all that comes of it. `between` is done when half of the seats have given. Raises Refused.

        Who is `garbled` gives what is refused, and so is as good as silent.
        """
        facts = self.declare(seat, wish)
        if self.session.pending is None:
            return facts
        asked = [
            each for each, _, _ in self.session.pending.contributors if each not in (HOUSE, *silent)
        ]
        half, came = len(asked) // 2, list[Contribution]()
        came += self._came(asked[:half], garbled)
        for other, command in between:
            facts += self.do(other, command)
        came += self._came(asked[half:], garbled)
        return facts + self.end(came)

    def declare(self, seat: str, wish: Declare) -> tuple[RecordedEvent, ...]:
        """The declaration, which may wait; the whole turn where it does not. Raises Refused."""
        by = self.session.by(seat)
        self._roll_house()
        return self._turn(wish, by)

    def end(self, given: Sequence[Contribution]) -> tuple[RecordedEvent, ...]:
        """The draw that waits is made or, where not all gave, given up; then the house says who is not there."""
        pending = self.session.pending
        assert pending is not None
        declared, means = self.facts[pending.version - 1], self._means()
        if len(given) + 1 == len(pending.contributors):
            return self._keep(
                complete_draw(self.head, declared, self.kept.get(declared.turn), given, means)
            )
        facts = self._keep(void_draw(self.head, declared, given, means))
        voided = facts[0].body
        assert isinstance(voided, DrawVoided)
        for seat in voided.missing:
            facts += self._turn(SetPresence(seat, present=False), self._by_house)
        return facts

    def give(self, seat: str, /, **bent: object) -> Contribution:
        """What a seat gives to the draw that waits, checked as the house does. Raises Refused."""
        given = replace(self.contribution(seat), **bent)
        declared = (
            self.facts[self.session.pending.version - 1] if self.session.pending else self.facts[-1]
        )
        root = merkle_tree.root(self.head.frontier, self.session.version)
        check_contribution(self.session, declared, given, root, ed25519)
        return given

    def contribution(self, seat: str) -> Contribution:
        """A seat's own: its next link, signed under the tree as it stands."""
        pending = self.session.pending
        assert pending is not None
        chain, position = next((nth, at) for each, nth, at in pending.contributors if each == seat)
        root = merkle_tree.root(self.head.frontier, self.session.version).hex()
        link = self.devices[seat].chains[chain][position].hex()
        unsigned = Contribution(chain, link, position, seat, root, self.session.version, "")
        return self.sign_contribution(unsigned)

    def sign_contribution(self, given: Contribution) -> Contribution:
        """With its seat's signature for the draw that waits."""
        assert self.session.pending is not None
        request = merkle_tree.leaf_hash(leaf_of(self.facts[self.session.pending.version - 1])).hex()
        message = contribution_of(self.id, self.session.pending.k, request, given)
        return replace(given, signature=self.devices[given.seat].signer.sign(message).hex())

    def roll(
        self, seat: str, *, show: bool = True, length: int | None = None
    ) -> tuple[RecordedEvent, ...]:
        """A seat anchors its next chain, and shows the next link of the old one where there is one left."""
        chain = self.session.chains[seat]
        previous: str | UnsetType = UNSET
        if show and chain.position < chain.length:
            previous = self.devices[seat].chains[chain.number][chain.position + 1].hex()
        count = length or self.links
        anchor = self._next(seat, chain.number + 1, count)
        unsigned = ChainAnchored(anchor, chain.number + 1, count, seat, "", previous)
        return self._turn(
            AnchorChain(count, anchor, self.sign(unsigned), previous), self.session.by(seat)
        )

    def bring(self, seat: str) -> tuple[RecordedEvent, ...]:
        """A seat that had no chain brings its first."""
        by = self.session.by(seat)
        return self._turn(BringChain(self.anchored(seat, by.role)), by)

    def signed(self, seat: str, command: Message) -> Message:
        """The command with the signature of its seat, where that has a key; who sits down brings a chain."""
        held = self.session.info.seats.get(seat) if seat in self.devices else None
        match command:
            case TakeSeat(role=role, chain=UnsetType()) if (
                seat in self._own or seat in self.devices
            ):
                return replace(command, chain=self.anchored(seat, role))
            case LeaveSeat(seat=whose, signature=UnsetType()) if (
                held and whose == seat and held.public_key
            ):
                return replace(command, signature=self.sign(SeatLeft(held.nth + 1, seat)))
            case SetPresence(seat=whose, present=present) if (
                held and whose == seat and held.public_key
            ):
                return replace(
                    command, signature=self.sign(PresenceSet(held.nth + 1, present, seat))
                )
        return command

    def anchored(self, seat: str, role: Role) -> Anchored:
        """A seat's next chain, as it brings it."""
        device = self.devices.setdefault(seat, Device(self.random.randbytes(32)))
        number = self.session.chains[seat].number + 1 if seat in self.session.chains else 0
        key, anchor = device.signer.public.hex(), self._next(seat, number, self.links)
        unsigned = SeatTaken(role, seat, anchor, number, self.links, key)
        return Anchored(key, self.links, anchor, self.sign(unsigned))

    def sign(self, event: SeatEvent) -> str:
        """The signature of the event's seat."""
        return self.devices[event.seat].signer.sign(seat_event_of(self.id, event)).hex()

    def _next(self, seat: str, number: int, length: int) -> str:
        """The anchor of a fresh chain."""
        made = links(bytes.fromhex(self.id), seat, number, self.random.randbytes(32), length)
        self.devices[seat].chains[number] = made
        return made[0].hex()

    def _came(self, asked: Sequence[str], garbled: Collection[str]) -> list[Contribution]:
        """What the house takes of what they give."""
        came = []
        for seat in asked:
            try:
                came.append(self.give(seat, **({"link": "00" * 32} if seat in garbled else {})))
            except Refused:
                assert seat in garbled
        return came


def wish_of(command: Message, audience: Audience | UnsetType = UNSET) -> Declare:
    return Declare(msgspec.Raw(encode(command)), audience=audience)
