"""What passes by in the log, held against what the seat itself has asked for, anchored, given and been receipted."""

from __future__ import annotations

from typing import Any, NamedTuple, Union

import msgspec
from msgspec import UNSET, UnsetType

from domain.codec import decode, encode
from domain.decider import Role
from domain.proof import ProofError
from domain.proof.hash_chain import blind_commitment, seed
from domain.proof.signed_note import Verify
from domain.recorded_event import RecordedEvent
from domain.ruleset import Message
from domain.rulesets import RULESETS_BY_EDITION
from domain.session.messages import (
    ChainAnchored,
    Contribution,
    Declared,
    Draw,
    Drawn,
    DrawVoided,
    Opened,
    PresenceSet,
    SeatLeft,
    SeatTaken,
)
from domain.verify.draws_check import check_values, links_of
from domain.verify.seat_chains import ChainsCheck
from service.client.draw_checks import Checked
from service.client.seat_file import Ask, OtherFile, SeatFile


class Told(msgspec.Struct, frozen=True):
    """An event as the server tells it to this seat."""

    version: int
    turn: int
    seat: str
    at: str = ""
    kind: str = ""
    told: str = ""
    body: msgspec.Raw | UnsetType = UNSET
    grade: str = ""
    sealed: bool = False


class Waiting(NamedTuple):
    """A draw that has been declared and not yet ended."""

    version: int
    declared: Declared
    draw: Draw

    def place(self, seat: str) -> tuple[int, int] | None:
        """Chain and position that the draw takes of a seat."""
        return next(
            ((chain, at) for named, chain, at in self.draw.contributors if named == seat), None
        )


class Watch:
    """The log as it passes, from its first event. `read` raises Broken at what this seat knows to be wrong.

    It goes by what the server tells of the events; that they are those of the log is for the offline check to say, but
    for every declaration that the seat gives to.
    """

    def __init__(self, keeping: SeatFile, verify: Verify, *, elsewhere: bool = False) -> None:
        self._elsewhere = elsewhere
        self._keeping, self._seat = keeping, keeping.kept.seat
        self._session = keeping.kept.session
        self.version = self.k = self.nth = 0
        self.chains = ChainsCheck(self._session, verify)
        self.waiting: Waiting | None = None
        self.requests: dict[int, str] = {}  # by version, of the declarations that were checked
        self.commands: tuple[type[Message], ...] = ()
        self.role = Role.PLAYER
        self._table = False

    def place_in(self, version: int, checked: Checked) -> tuple[int, int] | None:
        """Chain and position that a checked draw takes of the seat; None where it asks nothing of it, or is over."""
        waiting = self.waiting
        if waiting is None or waiting.version != version:
            return None
        if waiting.declared != checked.declared:
            raise ProofError(
                "E_BODY", encode(checked.declared).decode(), encode(waiting.declared).decode()
            )
        self.requests[version] = checked.request.hex()
        return waiting.place(self._seat)

    def read(self, told: Told) -> None:
        """The next event."""
        if told.version != self.version + 1:
            raise ProofError("E_ORDER", f"version {told.version}", f"version {self.version + 1}")
        self.version = told.version
        if told.sealed or told.body is UNSET:
            return
        raw = bytes(told.body)
        try:
            body = decode(raw)
        except msgspec.MsgspecError as error:
            raise ProofError("E_FORMAT", str(error), "an event") from error
        self._read(
            RecordedEvent(self._session, told.version, told.turn, 0, told.seat, b"", body, raw)
        )

    def _read(self, fact: RecordedEvent) -> None:
        match fact.body:
            case Opened(draws=draws, ruleset=name, edition=edition):
                self._table = draws == "table"
                self.commands = (
                    RULESETS_BY_EDITION[name, edition].commands
                    if (name, edition) in RULESETS_BY_EDITION
                    else ()
                )
            case SeatTaken() as taken:
                self.chains.seated(fact, taken)
                self._check_own(fact, taken)
                self.role = taken.role if taken.seat == self._seat else self.role
            case SeatLeft() | PresenceSet() as moved:
                self.nth += moved.seat == self._seat
                self.chains.moved(fact, moved)
            case ChainAnchored() as anchored:
                self.chains.anchored(fact, anchored)
                self._check_own(fact, anchored)
            case Declared() as declared:
                self._declared(fact, declared)
            case Drawn() as drawn:
                self._drawn(fact, drawn)
            case DrawVoided() as voided:
                self._voided(fact, voided)

    def _check_own(self, fact: RecordedEvent, event: SeatTaken | ChainAnchored) -> None:
        """A chain in the seat's own name is one that it keeps. Raises OtherFile where the file is not the seat's."""
        if event.seat != self._seat or not isinstance(event.chain, int):
            return
        held, own = self.chains.of(self._seat), self._keeping.public
        if held.key == own and not self._keeping.anchored(event.chain, held.link):
            raise OtherFile(
                f"another copy of this file has made chain {event.chain} of {event.seat}: go on with that"
            )
        if held.key != own and self._is_new(fact):
            found = f"chain {event.chain} at version {fact.version}: {event.anchor}"
            raise ProofError("E_ANCHOR", found, f"a chain by its own key {own.hex()}")
        if held.key != own:
            raise OtherFile(
                f"the key of {event.seat} is in another file: go on with that, or ask the GM for a new seat"
            )

    def _is_new(self, fact: RecordedEvent) -> bool:
        """Whether it came while this file had the seat, and is read for the first time."""
        since = self._keeping.kept.since
        return since is not None and fact.version > max(since, self._keeping.kept.watched)

    def _declared(self, fact: RecordedEvent, declared: Declared) -> None:
        if fact.seat == self._seat and self._is_new(fact) and not self._elsewhere:
            self._check_asked(fact, declared)
        if declared.draw is UNSET:
            return
        draw, expected = declared.draw, sorted(self.chains.contributors(table=self._table))
        named = sorted(seat for seat, _, _ in draw.contributors)
        if named != expected:
            raise ProofError("E_CONTRIBUTORS", f"draw {draw.k} of {named}", f"{expected}")
        if draw.k != self.k:
            raise ProofError("E_DRAW_INDEX", str(draw.k), str(self.k))
        self.k += 1
        self.chains.take(fact.version, draw)
        self.waiting = Waiting(fact.version, declared, draw)

    def _check_asked(self, fact: RecordedEvent, declared: Declared) -> None:
        """A command in the seat's own name is one that it sent, once each. Of a secret one only the blind shows."""
        asked = self._keeping.kept.asked
        found = next((ask for ask in asked if self._is(ask, declared)), None)
        if found is None:
            said = (
                "a secret command"
                if declared.command is UNSET
                else bytes(declared.command).decode()
            )
            raise ProofError(
                "E_ROLE", f"version {fact.version}, in my name: {said}", "what I have asked for"
            )
        asked.remove(found)

    def _is(self, ask: Ask, declared: Declared) -> bool:
        if ask.audience != (declared.audience or ""):
            return False
        if declared.command is not UNSET:
            return bytes(declared.command) == ask.command.encode()
        if not ask.blind or declared.draw is UNSET:
            return True
        blind = blind_commitment(
            bytes.fromhex(self._session), declared.draw.k, bytes.fromhex(ask.blind)
        )
        return blind.hex() == declared.draw.blind

    def _drawn(self, fact: RecordedEvent, drawn: Drawn) -> None:
        waiting = self._ended(fact, drawn.k)
        named = sorted(seat for seat, _, _ in waiting.draw.contributors)
        if [given.seat for given in drawn.contributions] != named:
            raise ProofError(
                "E_CONTRIBUTORS", f"{[given.seat for given in drawn.contributions]}", f"{named}"
            )
        self._gave(fact, waiting, drawn.contributions)
        if waiting.draw.blind is UNSET:
            check_values(
                fact.version,
                drawn.values,
                seed(bytes.fromhex(self._session), drawn.k, links_of(drawn.contributions)),
            )

    def _voided(self, fact: RecordedEvent, voided: DrawVoided) -> None:
        waiting = self._ended(fact, voided.k)
        receipted = any(
            receipt.contribution.draw == voided.k for receipt in self._keeping.kept.receipts
        )
        if self._seat in voided.missing and receipted:
            raise ProofError(
                "E_ORDER",
                f"draw {voided.k} given up for {self._seat}",
                "the house's receipt for it",
            )
        self._gave(fact, waiting, voided.contributions)
        self.chains.missed(voided.missing)

    def _ended(self, fact: RecordedEvent, k: int) -> Waiting:
        if self.waiting is None or self.waiting.draw.k != k:
            raise ProofError(
                "E_ORDER",
                f"the end of draw {k} at version {fact.version}",
                "that of the draw that waits",
            )
        waiting, self.waiting = self.waiting, None
        return waiting

    def _gave(
        self, fact: RecordedEvent, waiting: Waiting, contributions: tuple[Contribution, ...]
    ) -> None:
        """Each link is its seat's and signed, this seat's own as it gave it, and all saw the same log."""
        request = self.requests.pop(waiting.version, None)
        mine = next((given for given in contributions if given.seat == self._seat), None)
        for given in contributions:
            if request is None:  # it was not asked, or this is read again
                self.chains.show(fact, given)
            else:
                self.chains.give(fact, waiting.draw.k, request, given)
            if (
                mine is not None
                and given.seen_size == mine.seen_size
                and given.seen_root != mine.seen_root
            ):
                raise ProofError(
                    "E_FORK",
                    f"{given.seat} saw {given.seen_root}",
                    f"{mine.seen_root} of {mine.seen_size}",
                )

    def canonical(self, command: object) -> str:
        """A command as the log will have it. Raises msgspec.ValidationError where the room has none such."""
        if not self.commands:
            return encode(command).decode()
        known: Any = Union[self.commands]  # noqa: UP007 the room's commands are known at run time only
        return encode(msgspec.convert(command, known)).decode()
