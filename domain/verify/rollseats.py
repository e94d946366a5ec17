"""The seats of one roll: their keys and the anchors of the chains that they gave of, all that a file alone can show."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET

from domain.fact import Fact
from domain.proof.note import Verify
from domain.session.giving import contribution_of, link_at, seat_event_of
from domain.session.messages import ChainAnchored, Contribution, Draw, SeatTaken
from domain.verify.report import Fault

LONGEST = 65_536  # links of a chain, as the frame's commands bound them


class Anchor(NamedTuple):
    """Link 0 of a chain, and how many there are above it."""

    link: bytes
    length: int


class Seats:
    """The keys and chains so far. Every method raises Fault at the event that does not hold."""

    def __init__(self, session: str, ed25519: Verify) -> None:
        self._session, self._ed25519 = session, ed25519
        self._keys: dict[str, bytes] = {}
        self._chains: dict[tuple[str, int], Anchor] = {}

    def read(self, fact: Fact, event: SeatTaken | ChainAnchored) -> None:
        """A seat's event that brings a chain, signed by the seat."""
        if isinstance(event, SeatTaken):
            self._take_key(fact, event)
        parts = event.anchor, event.chain, event.length, event.signature
        if UNSET in parts or event.seat not in self._keys:
            raise Fault(
                fact.version, "E_ANCHOR", fact.raw.decode(), "a chain, of a seat whose key is known"
            )
        link = bytes.fromhex(str(event.anchor))
        if any(anchor.link == link for anchor in self._chains.values()):
            raise Fault(fact.version, "E_ANCHOR", f"{event.anchor} again", "a new anchor")
        self._check(fact, event.seat, seat_event_of(self._session, event), str(event.signature))
        assert isinstance(event.chain, int)
        assert isinstance(event.length, int)
        self._chains[event.seat, event.chain] = Anchor(link, event.length)

    def _take_key(self, fact: Fact, taken: SeatTaken) -> None:
        if taken.public_key is UNSET:
            return
        key = bytes.fromhex(taken.public_key)
        others = [other for seat, other in self._keys.items() if seat != taken.seat]
        if key in others or self._keys.get(taken.seat, key) != key:
            raise Fault(fact.version, "E_ANCHOR", key.hex(), "a key of its own, the same for good")
        self._keys[taken.seat] = key

    def give(self, fact: Fact, draw: Draw, request: str, given: Contribution) -> None:
        """The link leads down to the anchor of the chain that the declaration named, and the seat signed it."""
        named = next(
            (chain, position) for seat, chain, position in draw.contributors if seat == given.seat
        )
        if (given.chain, given.position) != named:
            raise Fault(
                fact.version, "E_POSITION", f"{given.position} of chain {given.chain}", named
            )
        anchor = self._chains.get((given.seat, given.chain))
        if anchor is None:
            found = f"chain {given.chain} of {given.seat}"
            raise Fault(
                fact.version, "E_ANCHOR", found, "an anchor before the declaration that names it"
            )
        if not 1 <= given.position <= min(anchor.length, LONGEST):
            raise Fault(
                fact.version, "E_POSITION", given.position, f"1 to {min(anchor.length, LONGEST)}"
            )
        link = bytes.fromhex(given.link)
        below = link_at(self._session, given.seat, given.chain, given.position, link, 0)
        if below != anchor.link:
            raise Fault(fact.version, "E_CHAIN", below.hex(), anchor.link.hex())
        message = contribution_of(self._session, draw.k, request, given)
        self._check(fact, given.seat, message, given.signature)

    def _check(self, fact: Fact, seat: str, message: bytes, signature: str) -> None:
        key = self._keys[seat]
        if not self._ed25519(key, message, bytes.fromhex(signature)):
            raise Fault(fact.version, "E_SIGNATURE", signature, f"a signature by {key.hex()}")
