"""Rung 3, chains: every seat's key and chains, who has to give to a draw, and that what is given is that seat's own."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from domain.proof.signed_note import Verify
from domain.recorded_event import RecordedEvent
from domain.session.contributions import SeatEvent, contribution_of, link_at, seat_event_of
from domain.session.messages import (
    ChainAnchored,
    Contribution,
    Draw,
    PresenceSet,
    SeatLeft,
    SeatTaken,
)
from domain.session.state import HOUSE
from domain.verify.report import VerificationError


class ChainState:
    """A seat as far as draws go: its key, its chain in use (none: -1), the last position taken, the last link shown.

    `nth` counts its comings and goings, so that none that it signed is played again.
    """

    def __init__(self) -> None:
        self.key = b""
        self.chain, self.length, self.position = -1, 0, 0
        self.shown, self.link = 0, b""
        self.is_there, self.is_away, self.is_missed = False, False, False
        self.nth = 0

    @property
    def gives(self) -> bool:
        return (
            self.is_there and not self.is_away and self.chain >= 0 and self.position < self.length
        )


class ChainsCheck:
    """The seats so far. Every method raises Fault at the event that does not hold."""

    def __init__(self, session: str, verify: Verify) -> None:
        self._session, self._verify = session, verify
        self._seats: dict[str, ChainState] = {}
        self._anchors: set[str] = set()

    def of(self, seat: str) -> ChainState:
        """A seat so far."""
        return self._seats.get(seat) or ChainState()

    def seated(self, fact: RecordedEvent, taken: SeatTaken) -> None:
        held = self._seats.setdefault(taken.seat, ChainState())
        parts = (taken.public_key, taken.anchor, taken.chain, taken.length, taken.signature)
        brought = [part is not UNSET for part in parts]
        if any(brought) is not all(brought) or (taken.seat == HOUSE and not any(brought)):
            raise VerificationError(
                fact.version, "E_FORMAT", f"{taken.seat} with {parts}", "a whole chain, or none"
            )
        if any(brought):
            self._bring(fact, taken, held)
        elif held.key and not held.is_there:
            raise VerificationError(
                fact.version,
                "E_SIGNATURE",
                f"{taken.seat} without a chain",
                "its next chain, signed",
            )
        if not held.is_there:
            held.is_there, held.is_away, held.is_missed = True, False, False

    def _bring(self, fact: RecordedEvent, taken: SeatTaken, held: ChainState) -> None:
        if held.chain >= 0 and held.is_there:
            raise VerificationError(
                fact.version, "E_ANCHOR", f"chain {taken.chain} of {taken.seat}", "ChainAnchored"
            )
        key = bytes.fromhex(str(taken.public_key))
        others = {other.key for seat, other in self._seats.items() if seat != taken.seat}
        if key in others or held.key not in (b"", key):
            raise VerificationError(
                fact.version, "E_ANCHOR", key.hex(), "a key of its own, the same for good"
            )
        held.key = key
        self._anchor(fact, taken, held)

    def anchored(self, fact: RecordedEvent, anchored: ChainAnchored) -> None:
        held = self._seats.get(anchored.seat)
        if held is None or held.chain < 0:
            raise VerificationError(
                fact.version, "E_ANCHOR", f"a chain of {anchored.seat}", "of a seat that has one"
            )
        if anchored.previous_link is not UNSET:
            self._check_link(
                fact, anchored.seat, held, held.position + 1, bytes.fromhex(anchored.previous_link)
            )
        self._anchor(fact, anchored, held)

    def _anchor(
        self, fact: RecordedEvent, event: SeatTaken | ChainAnchored, held: ChainState
    ) -> None:
        if event.chain != held.chain + 1:
            raise VerificationError(fact.version, "E_CHAIN", event.chain, held.chain + 1)
        if event.anchor in self._anchors:
            raise VerificationError(
                fact.version, "E_ANCHOR", f"{event.anchor} again", "a new anchor"
            )
        self._check_signature(fact, event, held)
        self._anchors.add(str(event.anchor))
        held.chain, held.length = event.chain, event.length if isinstance(event.length, int) else 0
        held.position, held.shown, held.link = 0, 0, bytes.fromhex(str(event.anchor))

    def moved(self, fact: RecordedEvent, event: SeatLeft | PresenceSet) -> None:
        """A seat leaves, goes absent or comes back: by its own signature, or at another's word behind a void."""
        held = self._seats.get(event.seat)
        if held is None:
            raise VerificationError(fact.version, "E_ANCHOR", event.seat, "a seat that was taken")
        held.nth += 1
        if event.signature is not UNSET:
            if event.nth != held.nth:
                raise VerificationError(
                    fact.version, "E_SIGNATURE", f"signed as nth {event.nth}", held.nth
                )
            self._check_signature(fact, event, held)
        elif held.key and not (
            held.is_missed and not (isinstance(event, PresenceSet) and event.present)
        ):
            raise VerificationError(
                fact.version, "E_SIGNATURE", "no signature", f"one of {event.seat}"
            )
        if isinstance(event, SeatLeft):
            held.is_there = False
        else:
            held.is_away, held.is_missed = not event.present, held.is_missed and not event.present

    def missed(self, seats: Iterable[str]) -> None:
        """A void has named them."""
        for seat in seats:
            self._seats[seat].is_missed = True

    def contributors(self, *, table: bool) -> set[str]:
        """Who has to give to the next draw."""
        return {
            seat for seat, held in self._seats.items() if seat == HOUSE or (table and held.gives)
        }

    def take(self, version: int, draw: Draw) -> None:
        """Each contributor's next position is this draw's, whatever comes of it."""
        for seat, chain, position in draw.contributors:
            held = self._seats[seat]
            if chain > held.chain:
                raise VerificationError(
                    version,
                    "E_ANCHOR",
                    f"chain {chain}",
                    "an anchor before the declaration that names it",
                )
            if (chain, position) != (held.chain, held.position + 1) or position > held.length:
                expected = f"position {held.position + 1} of chain {held.chain}, of {held.length}"
                raise VerificationError(
                    version, "E_POSITION", f"position {position} of chain {chain}", expected
                )
            held.position = position

    def give(self, fact: RecordedEvent, k: int, request: str, given: Contribution) -> None:
        """The link sits on the last one that the seat showed, and the seat signed it for this declaration."""
        self.show(fact, given)
        message = contribution_of(self._session, k, request, given)
        self._check(fact, self._seats[given.seat], message, given.signature)

    def show(self, fact: RecordedEvent, given: Contribution) -> None:
        """The link alone, where the declaration's leaf is not at hand to check the signature."""
        held = self._seats[given.seat]
        if (given.chain, given.position) != (held.chain, held.position):
            raise VerificationError(
                fact.version,
                "E_POSITION",
                f"{given.position} of chain {given.chain}",
                held.position,
            )
        link = bytes.fromhex(given.link)
        self._check_link(fact, given.seat, held, given.position, link)
        held.shown, held.link, held.is_missed = given.position, link, False

    def signed(self, seat: str, message: bytes, signature: bytes) -> bool:
        """Whether that is the signature of the seat's key."""
        held = self._seats.get(seat)
        return held is not None and self._verify(held.key, message, signature)

    def _check_link(
        self, fact: RecordedEvent, seat: str, held: ChainState, position: int, link: bytes
    ) -> None:
        below = link_at(self._session, seat, held.chain, position, link, held.shown)
        if below != held.link:
            raise VerificationError(fact.version, "E_CHAIN", below.hex(), held.link.hex())

    def _check_signature(self, fact: RecordedEvent, event: SeatEvent, held: ChainState) -> None:
        self._check(fact, held, seat_event_of(self._session, event), str(event.signature))

    def _check(self, fact: RecordedEvent, held: ChainState, message: bytes, signature: str) -> None:
        if not self._verify(held.key, message, bytes.fromhex(signature)):
            raise VerificationError(
                fact.version, "E_SIGNATURE", signature, f"a signature by {held.key.hex()}"
            )
