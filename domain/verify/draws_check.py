"""Level 3, draws: checks indexes, positions, links, signatures, seeds and values.

fairness.md specifies these checks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from domain.chance import Values
from domain.proof import ProofError
from domain.proof.hash_chain import (
    WORDS,
    ChainLink as Link,
    check_blind,
    command_commitment,
    seed,
    value,
)
from domain.proof.signed_note import Verify
from domain.recorded_event import RecordedEvent
from domain.session.contributions import entropy_of, link_at
from domain.session.messages import (
    ChainAnchored,
    Closed,
    Contribution,
    Declared,
    Draw,
    Drawn,
    DrawVoided,
    LogFormat,
    Opened,
    PresenceSet,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatTaken,
)
from domain.session.state import HOUSE
from domain.verify.bytes_check import FileEvent, SealedEvent
from domain.verify.report import VerificationError
from domain.verify.sealed_turns import SealedTurns
from domain.verify.seat_chains import ChainsCheck, check_seen
from domain.verify.tree_check import Roots

# Openings of secret draws, and the fields of a declaration.


class SecretDraw(NamedTuple):
    """The data needed to check the opening of a secret draw.

    `contributions` is None if the draw was voided.
    """

    declared: Declared
    contributions: list[Link] | None


class OpeningsCheck:
    """Checks each SealOpened event against the earlier secret turns and draws.

    Methods raise VerificationError if a check fails.
    """

    def __init__(self, session: bytes) -> None:
        self._session = session
        self.log_format: LogFormat = 1
        self._seals = SealedTurns()
        self._draws: dict[int, SecretDraw] = {}

    def read(self, line: FileEvent) -> None:
        self._seals.read(line)

    def add_drawn(
        self,
        recorded: RecordedEvent,
        drawn: Drawn,
        declared: RecordedEvent,
        contributions: list[Link],
    ) -> None:
        """Store a secret draw that has ended, and check that it contains no values.

        Its opening is checked later.
        """
        assert isinstance(declared.body, Declared)
        if drawn.values:
            raise VerificationError(
                recorded.version,
                "E_VALUES",
                drawn.values,
                "no values until the secret draw is opened",
            )
        self._draws[drawn.k] = SecretDraw(declared.body, contributions)

    def add_voided(self, k: int, declared: RecordedEvent) -> None:
        assert isinstance(declared.body, Declared)
        self._draws[k] = SecretDraw(declared.body, None)

    def check(self, recorded: RecordedEvent, opened: SealOpened, drawn: int) -> None:
        """Check a SealOpened event, given that `drawn` draws have been declared so far."""
        of_draw = opened.k is not UNSET
        parts = (opened.blind, opened.command, opened.salt, opened.values)
        if (opened.turn is UNSET) is not of_draw or any(
            (part is not UNSET) is not of_draw for part in parts
        ):
            raise VerificationError(
                recorded.version,
                "E_FORMAT",
                recorded.raw.decode(),
                "either a draw index with a blind, command, salt and values, or a turn number",
            )
        if opened.k is not UNSET and opened.k not in range(drawn):
            raise VerificationError(
                recorded.version, "E_DRAW_INDEX", opened.k, f"a draw index below {drawn}"
            )
        if self._seals.turn_of(opened) is None:
            found = f"turn {opened.turn}" if opened.k is UNSET else f"draw {opened.k}"
            raise VerificationError(
                recorded.version,
                "E_ORDER",
                found,
                "a secret turn or draw that has not been opened yet",
            )
        if opened.k is not UNSET and opened.k not in self._draws:
            raise VerificationError(
                recorded.version,
                "E_ORDER",
                f"draw {opened.k}",
                "a draw that has ended",
            )
        if opened.k is not UNSET:
            self._check_draw(recorded.version, opened, opened.k)

    def _check_draw(self, version: int, opened: SealOpened, k: int) -> None:
        assert opened.command is not UNSET
        assert opened.values is not UNSET
        declared, contributions = self._draws.pop(k)
        blind, salt = bytes.fromhex(str(opened.blind)), bytes.fromhex(str(opened.salt))
        committed = command_commitment(salt, bytes(opened.command)).hex()
        if committed != declared.command_commitment:
            raise VerificationError(version, "E_BODY", committed, declared.command_commitment)
        assert declared.draw is not UNSET
        try:
            check_blind(self._session, k, blind, bytes.fromhex(str(declared.draw.blind)))
        except ProofError as broken:
            raise VerificationError(version, broken.code, broken.found, broken.expected) from None
        if contributions is not None:
            entropy = entropy_of(declared.draw, self.log_format)
            seeded = seed(self._session, k, contributions, blind, entropy)
            check_values(version, opened.values, seeded)
        elif opened.values:
            raise VerificationError(
                version, "E_VALUES", opened.values, "no values, because the draw was voided"
            )


def check_declared(recorded: RecordedEvent, declared: Declared) -> None:
    """Check that a declaration has exactly the fields that it needs.

    The fields depend on whether the declaration is secret and on whether it has a draw or physical
    dice. Raises VerificationError if a field is missing or superfluous.
    """
    secret = declared.audience is not UNSET and declared.draw is not UNSET
    blinded = declared.draw is not UNSET and declared.draw.blind is not UNSET
    if (declared.dice is UNSET) is not (declared.values is UNSET):
        raise VerificationError(
            recorded.version,
            "E_FORMAT",
            "only one of the fields dice and values",
            "both dice and values, or neither",
        )
    if declared.dice_name is not UNSET and declared.dice is UNSET:
        raise VerificationError(
            recorded.version,
            "E_FORMAT",
            f"dice_name {declared.dice_name} without physical dice",
            "dice_name only with physical dice",
        )
    if declared.dice is not UNSET and declared.draw is not UNSET:
        raise VerificationError(
            recorded.version,
            "E_FORMAT",
            "both physical dice and a draw",
            "either physical dice or a draw",
        )
    if (declared.command is UNSET) is not secret or (
        declared.command_commitment is UNSET
    ) is secret:
        raise VerificationError(
            recorded.version,
            "E_FORMAT",
            recorded.raw.decode(),
            "a commitment instead of the command"
            if secret
            else "the command instead of a commitment",
        )
    if blinded is not secret:
        raise VerificationError(
            recorded.version,
            "E_BLIND",
            recorded.raw.decode(),
            "a blind, because the draw is secret"
            if secret
            else "no blind, because nothing is secret",
        )


def check_entropy(version: int, drawn: Drawn, draw: Draw) -> None:
    """Check that a draw's result repeats the entropy of its declaration."""
    if drawn.entropy != draw.entropy:
        found, expected = drawn.entropy or "no entropy", draw.entropy or "no entropy"
        raise VerificationError(version, "E_VALUES", found, expected)


class BlindsCheck:
    """Checks that secret draws use the blinds to which the server committed before.

    The server commits to the first blind when it takes its seat, and to each later blind in the
    result of the draw before. A log without these commitments is valid, but its secret draws have
    lower grades. Methods raise VerificationError if a check fails.
    """

    def __init__(self) -> None:
        self._next: str | UnsetType = UNSET

    @property
    def has_next(self) -> bool:
        """True if the server has committed to the next blind."""
        return self._next is not UNSET

    def seat_taken(self, version: int, taken: SeatTaken) -> None:
        if taken.seat == HOUSE:
            self._next = taken.next_blind
        elif taken.next_blind is not UNSET:
            raise VerificationError(
                version, "E_FORMAT", taken.next_blind, "next_blind only from the server"
            )

    def declared(self, version: int, draw: Draw) -> None:
        if UNSET not in (draw.blind, self._next) and draw.blind != self._next:
            raise VerificationError(version, "E_BLIND", draw.blind, self._next)

    def ended(self, version: int, end: Drawn | DrawVoided) -> None:
        if (end.next_blind is UNSET) is not (self._next is UNSET):
            raise VerificationError(
                version,
                "E_FORMAT",
                end.next_blind or "no next_blind",
                "next_blind in every result if the server's SeatTaken has one, otherwise in none",
            )
        self._next = end.next_blind


def check_sealed(version: int, turn: int, seat: str) -> None:
    """Raise VerificationError if an event without an opening is the server's own.

    Without this check, the server could append several anchors in secret, and then open the one
    that suits it. Turn 1 is exempt, because a fork can begin with a sealed table.
    """
    if seat == HOUSE and turn > 1:
        raise VerificationError(
            version, "E_FORMAT", "no opening", "an opening, because the event is the server's"
        )


def check_values(version: int, values: Values, seeded: bytes) -> None:
    """Check that the values were derived from the seed.

    Raises VerificationError if they were not, or if there are no values.
    """
    if not values:
        raise VerificationError(version, "E_VALUES", "no values", "at least one value")
    for nth, (sides, found) in enumerate(values):
        expected = (
            value(seeded, nth, sides) if 1 <= sides <= WORDS else "a die with 1 to 2^32 sides"
        )
        if found != expected:
            raise VerificationError(
                version, "E_VALUES", f"value {nth} from a die with {sides} sides: {found}", expected
            )


# Voided draws and their missing links.


class VoidedDraw:
    """A voided draw, with its events and its known links.

    `unknown` maps each seat whose link is missing to the chain and the position of that link.
    """

    def __init__(
        self, recorded: RecordedEvent, body: DrawVoided, declared: RecordedEvent, draw: Draw
    ) -> None:
        self.recorded, self.body, self.declared, self.draw = recorded, body, declared, draw
        self.links: dict[str, Link] = {
            contribution.seat: (
                contribution.seat,
                contribution.chain,
                contribution.position,
                bytes.fromhex(contribution.link),
            )
            for contribution in body.contributions
        }
        self.unknown = {
            seat: (chain, at) for seat, chain, at in draw.contributors if seat in body.missing
        }
        self.opening: SealOpened | None = None


class VoidedDraws:
    """The voided draws in a log.

    Later events can reveal the links that are missing in these draws.
    """

    def __init__(self, session: str) -> None:
        self._session = session
        self.log_format: LogFormat = 1
        self.by_draw: dict[int, VoidedDraw] = {}
        self._unknown: dict[str, list[VoidedDraw]] = {}  # by the seat whose link is missing

    def add(
        self, recorded: RecordedEvent, body: DrawVoided, declared: RecordedEvent, draw: Draw
    ) -> None:
        void = self.by_draw[draw.k] = VoidedDraw(recorded, body, declared, draw)
        for seat in void.unknown:
            self._unknown.setdefault(seat, []).append(void)

    def opened(self, opened: SealOpened) -> None:
        if opened.k is not UNSET and opened.k in self.by_draw:
            self.by_draw[opened.k].opening = opened

    def learn_link(self, contribution: Contribution) -> None:
        """Compute missing links from the link that a seat revealed in a later draw."""
        self._learn(
            contribution.seat,
            contribution.chain,
            contribution.position,
            bytes.fromhex(contribution.link),
        )

    def learn_previous_link(self, event: SeatTaken | ChainAnchored) -> None:
        """Compute missing links from the link that a seat reveals with a new chain.

        In format 1, the revealed link is the next unused link in the seat's old chain. In format 2,
        it is the last link of that chain that was requested.
        """
        if event.previous_link is UNSET or not isinstance(event.chain, int):
            return
        old = event.chain - 1
        waiting = (void.unknown[event.seat] for void in self._unknown.get(event.seat, ()))
        if places := [position for chain, position in waiting if chain == old]:
            position = max(places) + (self.log_format == 1)
            self._learn(event.seat, old, position, bytes.fromhex(event.previous_link))

    def _learn(self, seat: str, chain: int, position: int, link: bytes) -> None:
        """Compute the seat's missing links in `chain` from `link`, which is at `position`.

        Missing links in older chains are dropped because the seat can no longer reveal them.
        """
        for void in self._unknown.pop(seat, ()):
            number, at = void.unknown[seat]
            if number == chain:
                void.links[seat] = (
                    seat,
                    chain,
                    at,
                    link_at(self._session, seat, chain, position, link, at),
                )
                del void.unknown[seat]

    def seed(self, void: VoidedDraw) -> bytes | None:
        """Return the seed that the voided draw would have had.

        Return None if a link is still missing, or if the draw is secret and has not been opened.
        """
        if void.unknown or (void.draw.blind is not UNSET and void.opening is None):
            return None
        blind = bytes.fromhex(str(void.opening.blind)) if void.opening else b""
        entropy = entropy_of(void.draw, self.log_format)
        return seed(bytes.fromhex(self._session), void.draw.k, void.links.values(), blind, entropy)


# All draws in a log.


FORBIDDEN_DURING_DRAW = (Declared, Rewound, Closed, ChainAnchored)


def seen_sizes(events: Iterable[FileEvent]) -> set[int]:
    """Return the log sizes that seats signed when they contributed, left or changed presence."""
    sizes: set[int] = set()
    for recorded in events:
        match recorded:
            case RecordedEvent(body=Drawn(contributions=given) | DrawVoided(contributions=given)):
                sizes.update(contribution.seen_size for contribution in given)
            case RecordedEvent(
                body=SeatLeft(seen_size=int(size)) | PresenceSet(seen_size=int(size))
            ):
                sizes.add(size)
    return sizes


class DrawsCheck:
    """Checks the draws in a log, event by event.

    Methods raise VerificationError if a check fails.
    """

    def __init__(self, session: str, hashes: list[bytes], roots: Roots, verify: Verify) -> None:
        self._raw = bytes.fromhex(session)
        self._hashes, self._roots = hashes, roots
        self.chains = ChainsCheck(session, verify, roots)
        self.voids = VoidedDraws(session)
        self.ended: dict[int, RecordedEvent] = {}  # the Drawn or DrawVoided event, by draw index
        self._log_format: LogFormat = 1
        self._table, self._deadline = False, 0
        self._k = 0
        self._blinds = BlindsCheck()
        self._waiting: tuple[RecordedEvent, Draw] | None = None
        self._openings = OpeningsCheck(self._raw)

    def read(self, line: FileEvent) -> None:
        if self._waiting:
            self._check_order(line, *self._waiting)
        if isinstance(line, SealedEvent) and self._log_format > 1:
            check_sealed(line.version, line.turn, line.seat)
        if isinstance(line, RecordedEvent):
            self._read(line)
        self._openings.read(line)

    def _check_order(self, line: FileEvent, declared: RecordedEvent, draw: Draw) -> None:
        """Check that this event may occur while a draw is pending.

        If only the server contributes, the result of the draw must follow its declaration
        immediately. Otherwise, events from other turns may come first, except declarations,
        rewinds, new chains and the end of the session.
        """
        body = line.body if isinstance(line, RecordedEvent) else None
        if isinstance(body, Drawn | DrawVoided):
            return
        if (
            len(draw.contributors) == 1
            or line.turn == declared.turn
            or isinstance(body, FORBIDDEN_DURING_DRAW)
        ):
            raise VerificationError(
                line.version, "E_ORDER", "a different event", f"the result of draw {self._k - 1}"
            )

    def _read(self, line: RecordedEvent) -> None:
        match line.body:
            case Declared():
                self._check_declared(line, line.body)
            case Drawn():
                self._check_drawn(line, line.body)
            case DrawVoided():
                self._check_voided(line, line.body)
            case SeatTaken():
                self.voids.learn_previous_link(line.body)
                self._blinds.seat_taken(line.version, line.body)
                self.chains.seat_taken(line, line.body)
            case SeatLeft() | PresenceSet():
                self.chains.presence_changed(line, line.body)
            case ChainAnchored():
                self.voids.learn_previous_link(line.body)
                self.chains.chain_anchored(line, line.body)
            case SealOpened():
                self._openings.check(line, line.body, self._k)
                self.voids.opened(line.body)
            case Opened():
                self._open(line.body)

    def _open(self, opened: Opened) -> None:
        self._table = opened.draws == "table"
        if opened.format is not UNSET:
            self._log_format = opened.format
            # If only the server draws, no draw waits, and there is no deadline.
            self._deadline = int(opened.options["deadline"]) if self._table else 0
            for part in (self.chains, self.voids, self._openings):
                part.log_format = opened.format

    def end(self) -> int | None:
        """Return the version at which the pending draw was declared, or None.

        Raises VerificationError if only the server contributes to that draw, because the server
        records such a declaration together with its result.
        """
        if self._waiting is None:
            return None
        declared, draw = self._waiting
        if len(draw.contributors) == 1:
            raise VerificationError(
                len(self._hashes) + 1,
                "E_ORDER",
                "the end of the log",
                f"the result of draw {self._k - 1}",
            )
        return declared.version

    def _check_declared(self, recorded: RecordedEvent, declared: Declared) -> None:
        check_declared(recorded, declared)
        if declared.draw is UNSET:
            return
        self._check_place(recorded.version, declared.draw)
        self._blinds.declared(recorded.version, declared.draw)
        self._k += 1
        self._waiting = recorded, declared.draw

    def _check_place(self, version: int, draw: Draw) -> None:
        """Check the draw's index, its contributors and their chain positions."""
        named, expected = (
            [seat for seat, _, _ in draw.contributors],
            self.chains.contributors(table=self._table),
        )
        if HOUSE not in expected:
            raise VerificationError(
                version,
                "E_ANCHOR",
                "no chain for the server",
                "a chain for the server before the first draw",
            )
        if sorted(named) != sorted(expected):
            raise VerificationError(version, "E_CONTRIBUTORS", named, sorted(expected))
        if draw.k != self._k:
            raise VerificationError(version, "E_DRAW_INDEX", draw.k, self._k)
        self.chains.take_positions(version, draw)

    def _check_drawn(self, recorded: RecordedEvent, drawn: Drawn) -> None:
        declared, draw = self._end(recorded, drawn.k)
        self._blinds.ended(recorded.version, drawn)
        named = [seat for seat, _, _ in draw.contributors]
        if [contribution.seat for contribution in drawn.contributions] != sorted(named):
            raise VerificationError(
                recorded.version,
                "E_CONTRIBUTORS",
                [contribution.seat for contribution in drawn.contributions],
                sorted(named),
            )
        self._check_contributions(recorded, declared, draw, drawn.contributions)
        check_entropy(recorded.version, drawn, draw)
        links = links_of(drawn.contributions)
        if draw.blind is not UNSET:
            self._openings.add_drawn(recorded, drawn, declared, links)
        else:
            entropy = entropy_of(draw, self._log_format)
            seeded = seed(self._raw, draw.k, links, entropy=entropy)
            check_values(recorded.version, drawn.values, seeded)

    def _check_voided(self, recorded: RecordedEvent, voided: DrawVoided) -> None:
        declared, draw = self._end(recorded, voided.k)
        self._blinds.ended(recorded.version, voided)
        self._check_deadline(recorded, declared)
        present, named = (
            [contribution.seat for contribution in voided.contributions],
            {seat for seat, _, _ in draw.contributors},
        )
        missing = sorted(named - set(present))
        if (
            not missing
            or HOUSE in missing
            or present != sorted(named & set(present))
            or list(voided.missing) != missing
        ):
            found = f"{present} contributed, {list(voided.missing)} missing"
            raise VerificationError(
                recorded.version,
                "E_CONTRIBUTORS",
                found,
                f"each of {sorted(named)} listed exactly once, with the server as a contributor",
            )
        self._check_contributions(recorded, declared, draw, voided.contributions)
        self.chains.mark_missed(missing)
        self.voids.add(recorded, voided, declared, draw)
        if draw.blind is not UNSET:
            self._openings.add_voided(draw.k, declared)

    def is_missing_link(self, k: int, seat: str, place: tuple[int, int], link: bytes) -> bool:
        """Return True if the voided draw `k` needed this link, at this chain and position."""
        void, state = self.voids.by_draw[k], self.chains.state_of(seat)
        chain, position = place
        if (seat, chain, position) not in void.draw.contributors:
            return False
        if seat in void.links:  # revealed later
            return void.links[seat][3] == link
        below = link_at(self._raw.hex(), seat, chain, position, link, state.shown)
        return state.chain == chain and below == state.link

    def _check_deadline(self, recorded: RecordedEvent, declared: RecordedEvent) -> None:
        earliest = declared.at + 1000 * self._deadline
        if self._log_format > 1 and recorded.at < earliest:
            raise VerificationError(
                recorded.version,
                "E_TIME",
                f"a void at {recorded.at} ms",
                f"a void at {earliest} ms or later, after the draw's deadline",
            )

    def _end(self, recorded: RecordedEvent, k: int) -> tuple[RecordedEvent, Draw]:
        """End the pending draw, and return it with its declaration.

        Raises VerificationError if `recorded` is not the result of the pending draw.
        """
        if not self._waiting:
            raise VerificationError(
                recorded.version,
                "E_ORDER",
                f"the result of draw {k}",
                f"a declaration of draw {k} before its result",
            )
        declared, draw = self._waiting
        if k != draw.k:
            raise VerificationError(recorded.version, "E_DRAW_INDEX", k, draw.k)
        if recorded.turn != declared.turn:
            raise VerificationError(recorded.version, "E_TURN", recorded.turn, declared.turn)
        self._waiting = None
        self.ended[k] = recorded
        return declared, draw

    def _check_contributions(
        self,
        recorded: RecordedEvent,
        declared: RecordedEvent,
        draw: Draw,
        contributions: Iterable[Contribution],
    ) -> None:
        request = self._hashes[declared.version - 1].hex()
        for contribution in contributions:
            if (
                contribution.seat,
                contribution.chain,
                contribution.position,
            ) not in draw.contributors:
                raise VerificationError(
                    recorded.version,
                    "E_POSITION",
                    f"position {contribution.position} in chain {contribution.chain}",
                    draw.contributors,
                )
            self.chains.check_contribution(recorded, draw.k, request, contribution)
            self.voids.learn_link(contribution)
            size, root = contribution.seen_size, contribution.seen_root
            check_seen(recorded.version, size, root, declared.version, self._roots)


def links_of(contributions: Iterable[Contribution]) -> list[tuple[str, int, int, bytes]]:
    """Convert contributions to the chain links from which a seed is computed."""
    return [
        (
            contribution.seat,
            contribution.chain,
            contribution.position,
            bytes.fromhex(contribution.link),
        )
        for contribution in contributions
    ]
