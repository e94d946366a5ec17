"""Rung 3, draws: indexes and positions without gap, links, signatures, seeds and values (fairness.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import UNSET

from domain.chance import Values
from domain.proof import ProofError
from domain.proof.hash_chain import WORDS, check_blind, command_commitment, seed, value
from domain.proof.hash_chain import ChainLink as Contribution_openings
from domain.proof.hash_chain import ChainLink as Link
from domain.proof.signed_note import Verify
from domain.recorded_event import RecordedEvent
from domain.session.contributions import link_at
from domain.session.messages import (
    ChainAnchored,
    Closed,
    Contribution,
    Declared,
    Draw,
    Drawn,
    DrawVoided,
    Opened,
    PresenceSet,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatTaken,
)
from domain.session.state import HOUSE
from domain.verify.bytes_check import FileEvent
from domain.verify.report import VerificationError
from domain.verify.sealed_turns import SealedTurns
from domain.verify.seat_chains import ChainsCheck
from domain.verify.tree_check import Roots


class SecretDraw(NamedTuple):
    """What the opening of a secret draw is held against; without contributions that was given up."""

    declared: Declared
    contributions: list[Contribution_openings] | None


class OpeningsCheck:
    """The secret turns so far, and of their draws what is needed once they are opened."""

    def __init__(self, session: bytes) -> None:
        self._session = session
        self._seals = SealedTurns()
        self._kept: dict[int, SecretDraw] = {}

    def read(self, line: FileEvent) -> None:
        """One more event."""
        self._seals.read(line)

    def keep(
        self,
        fact: RecordedEvent,
        drawn: Drawn,
        declared: RecordedEvent,
        contributions: list[Contribution_openings],
    ) -> None:
        """A secret draw. Raises Fault where it shows what it hides."""
        assert isinstance(declared.body, Declared)
        if drawn.values:
            raise VerificationError(
                fact.version, "E_VALUES", drawn.values, "no values, for the draw is secret"
            )
        self._kept[drawn.k] = SecretDraw(declared.body, contributions)

    def give_up(self, k: int, declared: RecordedEvent) -> None:
        """A secret draw that was voided."""
        assert isinstance(declared.body, Declared)
        self._kept[k] = SecretDraw(declared.body, None)

    def check(self, fact: RecordedEvent, opened: SealOpened, drawn: int) -> None:
        """An opening, after so many draws. Raises Fault."""
        of_draw = opened.k is not UNSET
        parts = (opened.blind, opened.command, opened.salt, opened.values)
        if (opened.turn is UNSET) is not of_draw or any(
            (part is not UNSET) is not of_draw for part in parts
        ):
            raise VerificationError(
                fact.version,
                "E_FORMAT",
                fact.raw.decode(),
                "a draw with all that hid it, or a turn",
            )
        if opened.k is not UNSET and opened.k not in range(drawn):
            raise VerificationError(fact.version, "E_DRAW_INDEX", opened.k, f"a draw below {drawn}")
        if self._seals.turn_of(opened) is None:
            found = f"turn {opened.turn}" if opened.k is UNSET else f"draw {opened.k}"
            raise VerificationError(
                fact.version, "E_ORDER", found, "one that is secret and not open yet"
            )
        if opened.k is not UNSET and opened.k not in self._kept:
            raise VerificationError(
                fact.version, "E_ORDER", f"draw {opened.k}", "a draw that does not wait any more"
            )
        if opened.k is not UNSET:
            self._check_draw(fact.version, opened, opened.k)

    def _check_draw(self, version: int, opened: SealOpened, k: int) -> None:
        assert opened.command is not UNSET
        assert opened.values is not UNSET
        declared, contributions = self._kept.pop(k)
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
            check_values(version, opened.values, seed(self._session, k, contributions, blind))
        elif opened.values:
            raise VerificationError(
                version, "E_VALUES", opened.values, "no values, for the draw was given up"
            )


def check_declared(fact: RecordedEvent, declared: Declared) -> None:
    """That a wish says all that one of its kind says, and no more. Raises Fault."""
    secret = declared.audience is not UNSET and declared.draw is not UNSET
    blinded = declared.draw is not UNSET and declared.draw.blind is not UNSET
    if (declared.dice is UNSET) is not (declared.values is UNSET):
        raise VerificationError(fact.version, "E_FORMAT", "dice or values", "both or none")
    if declared.dice is not UNSET and declared.draw is not UNSET:
        raise VerificationError(
            fact.version, "E_FORMAT", "dice both declared and drawn", "one of them"
        )
    if (declared.command is UNSET) is not secret or (
        declared.command_commitment is UNSET
    ) is secret:
        raise VerificationError(
            fact.version,
            "E_FORMAT",
            fact.raw.decode(),
            f"{'a commitment to' if secret else ''} the command",
        )
    if blinded is not secret:
        raise VerificationError(
            fact.version, "E_BLIND", fact.raw.decode(), f"{'a' if secret else 'no'} blind"
        )


def check_values(version: int, values: Values, seeded: bytes) -> None:
    """That values are those of the seed. Raises Fault."""
    if not values:
        raise VerificationError(version, "E_VALUES", "no values", "those that were asked for")
    for nth, (sides, found) in enumerate(values):
        expected = value(seeded, nth, sides) if 1 <= sides <= WORDS else "1 to 2^32 sides"
        if found != expected:
            raise VerificationError(
                version, "E_VALUES", f"value {nth} of {sides}: {found}", expected
            )


class VoidedDraw:
    """A draw that was given up: its events, the links that are known, chain and position of those that are not."""

    def __init__(
        self, fact: RecordedEvent, body: DrawVoided, declared: RecordedEvent, draw: Draw
    ) -> None:
        self.fact, self.body, self.declared, self.draw = fact, body, declared, draw
        self.links: dict[str, Link] = {
            given.seat: (given.seat, given.chain, given.position, bytes.fromhex(given.link))
            for given in body.contributions
        }
        self.unknown = {
            seat: (chain, at) for seat, chain, at in draw.contributors if seat in body.missing
        }
        self.opening: SealOpened | None = None


class VoidedDraws:
    """All of a log, in order."""

    def __init__(self, session: str) -> None:
        self._session = session
        self.by_draw: dict[int, VoidedDraw] = {}
        self._unknown: dict[str, list[VoidedDraw]] = {}  # by the seat whose link it is

    def add(
        self, fact: RecordedEvent, body: DrawVoided, declared: RecordedEvent, draw: Draw
    ) -> None:
        void = self.by_draw[draw.k] = VoidedDraw(fact, body, declared, draw)
        for seat in void.unknown:
            self._unknown.setdefault(seat, []).append(void)

    def opened(self, opened: SealOpened) -> None:
        if opened.k is not UNSET and opened.k in self.by_draw:
            self.by_draw[opened.k].opening = opened

    def shown(self, given: Contribution) -> None:
        """A seat shows a link: those below it in the same chain are known now."""
        self._learn(given.seat, given.chain, given.position, bytes.fromhex(given.link))

    def rolled_over(self, anchored: ChainAnchored) -> None:
        """A seat shows its old chain's next link before it leaves that chain."""
        old = anchored.chain - 1
        waiting = (void.unknown[anchored.seat] for void in self._unknown.get(anchored.seat, ()))
        places = [position for chain, position in waiting if chain == old]
        if places and anchored.previous_link is not UNSET:
            self._learn(anchored.seat, old, max(places) + 1, bytes.fromhex(anchored.previous_link))

    def _learn(self, seat: str, chain: int, position: int, link: bytes) -> None:
        """Links of an older chain that were not shown before will never be."""
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
        """What the draw would have been made of; None as long as a link, or what hides it, is not known."""
        if void.unknown or (void.draw.blind is not UNSET and void.opening is None):
            return None
        blind = bytes.fromhex(str(void.opening.blind)) if void.opening else b""
        return seed(bytes.fromhex(self._session), void.draw.k, void.links.values(), blind)


FORBIDDEN_DURING_DRAW = (Declared, Rewound, Closed, ChainAnchored)


def seen_sizes(facts: Iterable[FileEvent]) -> set[int]:
    """The sizes under which contributions say they were made."""
    return {
        given.seen_size
        for fact in facts
        if isinstance(fact, RecordedEvent) and isinstance(fact.body, Drawn | DrawVoided)
        for given in fact.body.contributions
    }


class DrawsCheck:
    """The draws so far: the seats' chains, the next index, the declaration that waits, and what was given up."""

    def __init__(self, session: str, hashes: list[bytes], roots: Roots, verify: Verify) -> None:
        self._raw = bytes.fromhex(session)
        self._hashes, self._roots = hashes, roots
        self.chains = ChainsCheck(session, verify)
        self.voids = VoidedDraws(session)
        self.ended: dict[int, RecordedEvent] = {}  # Drawn or DrawVoided by index
        self._table = False
        self._k = 0
        self._waiting: tuple[RecordedEvent, Draw] | None = None
        self._openings = OpeningsCheck(self._raw)

    def read(self, line: FileEvent) -> None:
        """One more event. Raises Fault."""
        if self._waiting:
            self._check_order(line, *self._waiting)
        if isinstance(line, RecordedEvent):
            self._read(line)
        self._openings.read(line)

    def _check_order(self, line: FileEvent, declared: RecordedEvent, draw: Draw) -> None:
        """The house's own draws are appended whole; another one ends its turn, and till then the table stands still."""
        body = line.body if isinstance(line, RecordedEvent) else None
        if isinstance(body, Drawn | DrawVoided):
            return
        if (
            len(draw.contributors) == 1
            or line.turn == declared.turn
            or isinstance(body, FORBIDDEN_DURING_DRAW)
        ):
            raise VerificationError(
                line.version, "E_ORDER", "another event", f"Drawn {self._k - 1}"
            )

    def _read(self, line: RecordedEvent) -> None:
        match line.body:
            case Declared():
                self._declared(line, line.body)
            case Drawn():
                self._drawn(line, line.body)
            case DrawVoided():
                self._voided(line, line.body)
            case SeatTaken():
                self.chains.seated(line, line.body)
            case SeatLeft() | PresenceSet():
                self.chains.moved(line, line.body)
            case ChainAnchored():
                self.voids.rolled_over(line.body)
                self.chains.anchored(line, line.body)
            case SealOpened():
                self._openings.check(line, line.body, self._k)
                self.voids.opened(line.body)
            case Opened():
                self._table = line.body.draws == "table"

    def end(self) -> int | None:
        """The draw that waits where the log ends. The house's own are appended whole: of those none may. Fault."""
        if self._waiting is None:
            return None
        declared, draw = self._waiting
        if len(draw.contributors) == 1:
            raise VerificationError(
                len(self._hashes) + 1, "E_ORDER", "the end of the log", f"Drawn {self._k - 1}"
            )
        return declared.version

    def _declared(self, fact: RecordedEvent, declared: Declared) -> None:
        check_declared(fact, declared)
        if declared.draw is UNSET:
            return
        self._check_place(fact.version, declared.draw)
        self._k += 1
        self._waiting = fact, declared.draw

    def _check_place(self, version: int, draw: Draw) -> None:
        """Those who have to give, each once; the next index; everyone's next position."""
        named, expected = (
            [seat for seat, _, _ in draw.contributors],
            self.chains.contributors(table=self._table),
        )
        if HOUSE not in expected:
            raise VerificationError(
                version, "E_ANCHOR", "no house", "the house's seat before the first draw"
            )
        if sorted(named) != sorted(expected):
            raise VerificationError(version, "E_CONTRIBUTORS", named, sorted(expected))
        if draw.k != self._k:
            raise VerificationError(version, "E_DRAW_INDEX", draw.k, self._k)
        self.chains.take(version, draw)

    def _drawn(self, fact: RecordedEvent, drawn: Drawn) -> None:
        declared, draw = self._end(fact, drawn.k)
        named = [seat for seat, _, _ in draw.contributors]
        if [given.seat for given in drawn.contributions] != sorted(named):
            raise VerificationError(
                fact.version,
                "E_CONTRIBUTORS",
                [given.seat for given in drawn.contributions],
                sorted(named),
            )
        self._contributed(fact, declared, draw, drawn.contributions)
        links = links_of(drawn.contributions)
        if draw.blind is not UNSET:
            self._openings.keep(fact, drawn, declared, links)
        else:
            check_values(fact.version, drawn.values, seed(self._raw, draw.k, links))

    def _voided(self, fact: RecordedEvent, voided: DrawVoided) -> None:
        declared, draw = self._end(fact, voided.k)
        came, named = (
            [given.seat for given in voided.contributions],
            {seat for seat, _, _ in draw.contributors},
        )
        missing = sorted(named - set(came))
        if (
            not missing
            or HOUSE in missing
            or came != sorted(named & set(came))
            or list(voided.missing) != missing
        ):
            found = f"{came} came, {list(voided.missing)} missing"
            raise VerificationError(
                fact.version,
                "E_CONTRIBUTORS",
                found,
                f"of {sorted(named)} each once, the house among them",
            )
        self._contributed(fact, declared, draw, voided.contributions)
        self.chains.missed(missing)
        self.voids.add(fact, voided, declared, draw)
        if draw.blind is not UNSET:
            self._openings.give_up(draw.k, declared)

    def _end(self, fact: RecordedEvent, k: int) -> tuple[RecordedEvent, Draw]:
        """The declaration that waited for it."""
        if not self._waiting:
            raise VerificationError(
                fact.version, "E_ORDER", f"the end of draw {k}", "no draw, for none waits"
            )
        declared, draw = self._waiting
        if k != draw.k:
            raise VerificationError(fact.version, "E_DRAW_INDEX", k, draw.k)
        if fact.turn != declared.turn:
            raise VerificationError(fact.version, "E_TURN", fact.turn, declared.turn)
        self._waiting = None
        self.ended[k] = fact
        return declared, draw

    def _contributed(
        self,
        fact: RecordedEvent,
        declared: RecordedEvent,
        draw: Draw,
        contributions: Iterable[Contribution],
    ) -> None:
        request = self._hashes[declared.version - 1].hex()
        for given in contributions:
            if (given.seat, given.chain, given.position) not in draw.contributors:
                raise VerificationError(
                    fact.version,
                    "E_POSITION",
                    f"{given.position} of chain {given.chain}",
                    draw.contributors,
                )
            self.chains.give(fact, draw.k, request, given)
            self.voids.shown(given)
            if not declared.version <= given.seen_size < fact.version:
                raise VerificationError(
                    fact.version, "E_FORK", f"seen at {given.seen_size}", f"{declared.version}"
                )
            if given.seen_root != self._roots[given.seen_size].hex():
                raise VerificationError(
                    fact.version, "E_FORK", given.seen_root, self._roots[given.seen_size].hex()
                )


def links_of(contributions: Iterable[Contribution]) -> list[tuple[str, int, int, bytes]]:
    """As a seed is made of them."""
    return [
        (given.seat, given.chain, given.position, bytes.fromhex(given.link))
        for given in contributions
    ]
