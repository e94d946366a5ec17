"""Level 3, draws: checks the seats' keys and chains.

It also determines which seats must contribute to a draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import UNSET, UnsetType

from domain.decider import Role
from domain.proof.signed_note import Verify
from domain.recorded_event import RecordedEvent
from domain.session.contributions import SeatEvent, contribution_of, link_at, seat_event_of
from domain.session.messages import (
    ChainAnchored,
    Contribution,
    Draw,
    LogFormat,
    PresenceSet,
    SeatLeft,
    SeatTaken,
)
from domain.session.state import HOUSE
from domain.session.turns import LEAST_AHEAD, LEAST_HOUSE_LENGTH
from domain.verify.report import VerificationError


def check_house_length(version: int, length: int) -> None:
    """Check that a server chain is at least as long as format 2 requires."""
    if length < LEAST_HOUSE_LENGTH:
        raise VerificationError(
            version,
            "E_ANCHOR",
            f"a chain of {length} links",
            f"at least {LEAST_HOUSE_LENGTH} links in a server chain",
        )


def check_seen(
    version: int, size: int, root: str, earliest: int, roots: Mapping[int, bytes] | None
) -> None:
    """Check the tree size and root that a seat signed in the event at `version`.

    The size must be at least `earliest` and less than `version`. If `roots` is None, the root is
    not checked.
    """
    if not earliest <= size < version:
        raise VerificationError(
            version,
            "E_FORK",
            f"signed at log size {size}",
            f"signed at log size {earliest} to {version - 1}",
        )
    if roots is not None and root != roots[size].hex():
        raise VerificationError(version, "E_FORK", root, roots[size].hex())


class ChainState:
    """A seat's key, its current chain, and whether the seat is present.

    `chain` is -1 if the seat has no chain. `position` is the last position that a draw used. `link`
    is the last link that was revealed, at position `shown`. `nth` counts the SeatLeft and
    PresenceSet events, which prevents reuse of a signed statement. `requested_at` is the version of
    the last Declared event that named the seat, or 1. In format 2, `following` is the ChainAnchored
    event of the server's next chain, until the server starts to use that chain.
    """

    def __init__(self) -> None:
        self.key = b""
        self.chain, self.length, self.position = -1, 0, 0
        self.shown, self.link = 0, b""
        self.is_there, self.is_away, self.is_missed = False, False, False
        self.nth, self.requested_at = 0, 1
        self.following: ChainAnchored | None = None

    def use(self, event: SeatTaken | ChainAnchored) -> None:
        """Use the chain that the event anchored."""
        assert isinstance(event.chain, int)
        assert isinstance(event.length, int)
        self.chain, self.length, self.position = event.chain, event.length, 0
        self.shown, self.link = 0, bytes.fromhex(str(event.anchor))

    @property
    def can_contribute(self) -> bool:
        return (
            self.is_there and not self.is_away and self.chain >= 0 and self.position < self.length
        )


class ChainsCheck:
    """Checks the seats' keys and chains.

    `roots` maps log sizes to roots. A seat's client has none, so it does not check the roots that
    other seats signed. Methods raise VerificationError if a check fails. Set `log_format` before
    the first seat is taken.
    """

    def __init__(
        self, session: str, verify: Verify, roots: Mapping[int, bytes] | None = None
    ) -> None:
        self._session, self._verify, self._roots = session, verify, roots
        self.log_format: LogFormat = 1
        self._seats: dict[str, ChainState] = {}
        self._anchors: set[str] = set()

    def state_of(self, seat: str) -> ChainState:
        return self._seats.get(seat) or ChainState()

    def seat_taken(self, recorded: RecordedEvent, taken: SeatTaken) -> None:
        if (taken.role is Role.HOUSE) is not (taken.seat == HOUSE):
            raise VerificationError(
                recorded.version,
                "E_FORMAT",
                f"{taken.seat} with the role {taken.role}",
                "the role house for the server's seat, and for no other",
            )
        self._check_house_leaf(recorded, taken.seat)
        state = self._seats.setdefault(taken.seat, ChainState())
        parts = (taken.public_key, taken.anchor, taken.chain, taken.length, taken.signature)
        brought = [part is not UNSET for part in parts]
        if any(brought) is not all(brought) or (taken.seat == HOUSE and not any(brought)):
            raise VerificationError(
                recorded.version,
                "E_FORMAT",
                f"{taken.seat} with chain fields {parts}",
                "all chain fields, or none if the seat is not the server's",
            )
        if taken.previous_link is not UNSET and not any(brought):
            raise VerificationError(
                recorded.version,
                "E_FORMAT",
                taken.previous_link,
                "a previous link only if the event also has a chain",
            )
        if any(brought):
            self._bring(recorded, taken, state)
        elif state.key and not state.is_there:
            raise VerificationError(
                recorded.version,
                "E_SIGNATURE",
                f"{taken.seat} without a chain",
                "the seat's next chain, signed with its key",
            )
        if not state.is_there:
            state.is_there, state.is_away, state.is_missed = True, False, False

    def _bring(self, recorded: RecordedEvent, taken: SeatTaken, state: ChainState) -> None:
        if state.chain >= 0 and (state.is_there or self._is_house_2(taken.seat)):
            raise VerificationError(
                recorded.version,
                "E_ANCHOR",
                f"chain {taken.chain} for {taken.seat} in SeatTaken",
                "ChainAnchored, because the seat already has a chain",
            )
        key = bytes.fromhex(str(taken.public_key))
        others = {other.key for seat, other in self._seats.items() if seat != taken.seat}
        if key in others or state.key not in (b"", key):
            raise VerificationError(
                recorded.version,
                "E_ANCHOR",
                key.hex(),
                "the seat's own key, which must never change",
            )
        state.key = key
        self._anchor(recorded, taken, state)

    def chain_anchored(self, recorded: RecordedEvent, chain_anchored: ChainAnchored) -> None:
        self._check_house_leaf(recorded, chain_anchored.seat)
        state = self._seats.get(chain_anchored.seat)
        if state is None or state.chain < 0:
            raise VerificationError(
                recorded.version,
                "E_ANCHOR",
                f"ChainAnchored for {chain_anchored.seat}",
                "ChainAnchored only for a seat that already has a chain",
            )
        if self.log_format == 1 and chain_anchored.previous_link is not UNSET:
            self._check_link(
                recorded,
                chain_anchored.seat,
                state,
                state.position + 1,
                bytes.fromhex(chain_anchored.previous_link),
            )
        if self._is_house_2(chain_anchored.seat):
            self._check_ahead(recorded, state)
        self._anchor(recorded, chain_anchored, state)

    def _check_house_leaf(self, recorded: RecordedEvent, seat: str) -> None:
        """Check that only the server records its own chains, so that none of them can be sealed."""
        if self._is_house_2(seat) and recorded.seat != HOUSE:
            raise VerificationError(
                recorded.version, "E_ANCHOR", f"a chain of the server, by {recorded.seat}", HOUSE
            )

    def _is_house_2(self, seat: str) -> bool:
        """Return True if the rules for the server's chains in format 2 apply to the seat."""
        return seat == HOUSE and self.log_format > 1

    def _check_ahead(self, recorded: RecordedEvent, state: ChainState) -> None:
        """Check that the server commits to its next chain long before it can use that chain."""
        left = state.length - state.position
        if state.following is not None or left < LEAST_AHEAD:
            raise VerificationError(
                recorded.version,
                "E_ANCHOR",
                f"the server's next chain, with {left} positions left in the current one",
                f"one next chain, anchored with at least {LEAST_AHEAD} positions left",
            )

    def _check_previous_link(
        self, recorded: RecordedEvent, seat: str, state: ChainState, link: str | UnsetType
    ) -> None:
        """Check that the old chain's last requested link is known or revealed by the event.

        The server never leaves a link unknown, because it contributes to every draw.
        """
        is_unknown = state.shown < state.position and seat != HOUSE
        if is_unknown is (link is UNSET):
            raise VerificationError(
                recorded.version,
                "E_CHAIN",
                "no previous link" if link is UNSET else f"previous link {link}",
                f"the link at position {state.position} if it has not been revealed",
            )
        if link is not UNSET:
            self._check_link(recorded, seat, state, state.position, bytes.fromhex(link))

    def _anchor(
        self, recorded: RecordedEvent, event: SeatTaken | ChainAnchored, state: ChainState
    ) -> None:
        if event.chain != state.chain + 1:
            raise VerificationError(recorded.version, "E_CHAIN", event.chain, state.chain + 1)
        if event.anchor in self._anchors:
            raise VerificationError(
                recorded.version,
                "E_ANCHOR",
                f"{event.anchor}, which was used before",
                "a new anchor",
            )
        if self.log_format > 1:
            self._check_previous_link(recorded, event.seat, state, event.previous_link)
        if self._is_house_2(event.seat):
            check_house_length(recorded.version, int(event.length or 0))
        self._check_signature(recorded, event, state)
        self._anchors.add(str(event.anchor))
        if isinstance(event, ChainAnchored) and self._is_house_2(event.seat):
            state.following = event
        else:
            state.use(event)

    def presence_changed(self, recorded: RecordedEvent, event: SeatLeft | PresenceSet) -> None:
        """Check the seat's signature on a SeatLeft or PresenceSet event.

        A seat that did not answer in a voided draw may leave, or be marked as absent, without a
        signature.
        """
        state = self._seats.get(event.seat)
        if state is None:
            raise VerificationError(
                recorded.version, "E_ANCHOR", event.seat, "a seat that has been taken"
            )
        state.nth += 1
        if self.log_format > 1:
            parts = (event.signature, event.seen_root, event.seen_size)
            if any(part is UNSET for part in parts) is not all(part is UNSET for part in parts):
                raise VerificationError(
                    recorded.version,
                    "E_FORMAT",
                    recorded.raw.decode(),
                    "signature, seen_root and seen_size, or none of the three",
                )
        if event.signature is not UNSET:
            if event.nth != state.nth:
                raise VerificationError(
                    recorded.version,
                    "E_SIGNATURE",
                    f"a signed statement with nth {event.nth}",
                    f"a signed statement with nth {state.nth}",
                )
            self._check_signature(recorded, event, state)
            if event.seen_size is not UNSET:
                size, root = event.seen_size, str(event.seen_root)
                check_seen(recorded.version, size, root, state.requested_at, self._roots)
        elif state.key and not (
            state.is_missed and not (isinstance(event, PresenceSet) and event.present)
        ):
            raise VerificationError(
                recorded.version, "E_SIGNATURE", "no signature", f"a signature by {event.seat}"
            )
        if isinstance(event, SeatLeft):
            state.is_there = False
        else:
            state.is_away, state.is_missed = (
                not event.present,
                state.is_missed and not event.present,
            )

    def mark_missed(self, seats: Iterable[str]) -> None:
        """Record that these seats did not answer in a voided draw."""
        for seat in seats:
            self._seats[seat].is_missed = True

    def contributors(self, *, table: bool) -> set[str]:
        return {
            seat
            for seat, state in self._seats.items()
            if seat == HOUSE or (table and state.can_contribute)
        }

    def take_positions(self, version: int, draw: Draw) -> None:
        """Use up the next position in each contributor's chain.

        The position stays used even if the draw is voided later.
        """
        for seat, chain, position in draw.contributors:
            state = self._seats[seat]
            if state.following is not None and state.position >= state.length:
                state.use(state.following)
                state.following = None
            if chain > state.chain:
                raise VerificationError(
                    version,
                    "E_ANCHOR",
                    f"chain {chain} without an anchor",
                    f"an anchor for chain {chain} before the declaration",
                )
            if (chain, position) != (state.chain, state.position + 1) or position > state.length:
                expected = (
                    f"position {state.position + 1} in chain {state.chain},"
                    f" which has {state.length} links"
                )
                raise VerificationError(
                    version, "E_POSITION", f"position {position} in chain {chain}", expected
                )
            state.position, state.requested_at = position, version

    def check_contribution(
        self, recorded: RecordedEvent, k: int, request: str, contribution: Contribution
    ) -> None:
        """Check a contribution's signature, position and link."""
        self.check_link(recorded, contribution)
        message = contribution_of(self._session, k, request, contribution)
        self._check(recorded, self._seats[contribution.seat], message, contribution.signature)

    def check_link(self, recorded: RecordedEvent, contribution: Contribution) -> None:
        """Check a contribution's position, and that its link hashes to the last revealed link.

        The signature is not checked.
        """
        state = self._seats[contribution.seat]
        if (contribution.chain, contribution.position) != (state.chain, state.position):
            raise VerificationError(
                recorded.version,
                "E_POSITION",
                f"position {contribution.position} in chain {contribution.chain}",
                f"position {state.position} in chain {state.chain}",
            )
        link = bytes.fromhex(contribution.link)
        self._check_link(recorded, contribution.seat, state, contribution.position, link)
        state.shown, state.link, state.is_missed = contribution.position, link, False

    def is_signed_by(self, seat: str, message: bytes, signature: bytes) -> bool:
        state = self._seats.get(seat)
        return state is not None and self._verify(state.key, message, signature)

    def _check_link(
        self, recorded: RecordedEvent, seat: str, state: ChainState, position: int, link: bytes
    ) -> None:
        below = link_at(self._session, seat, state.chain, position, link, state.shown)
        if below != state.link:
            raise VerificationError(recorded.version, "E_CHAIN", below.hex(), state.link.hex())

    def _check_signature(
        self, recorded: RecordedEvent, event: SeatEvent, state: ChainState
    ) -> None:
        self._check(recorded, state, seat_event_of(self._session, event), str(event.signature))

    def _check(
        self, recorded: RecordedEvent, state: ChainState, message: bytes, signature: str
    ) -> None:
        if not self._verify(state.key, message, bytes.fromhex(signature)):
            raise VerificationError(
                recorded.version,
                "E_SIGNATURE",
                signature,
                f"a signature made with key {state.key.hex()}",
            )
