"""Log watcher: checks each new event against earlier events and the seat file."""

from __future__ import annotations

from typing import Any, NamedTuple, Union

import msgspec
from msgspec import UNSET

from domain.codec import decode, encode
from domain.decider import Role
from domain.proof import ProofError
from domain.proof.hash_chain import command_commitment, seed
from domain.proof.signed_note import Verify
from domain.recorded_event import RecordedEvent
from domain.ruleset import Message
from domain.rulesets import RULESETS_BY_EDITION
from domain.session.contributions import entropy_of
from domain.session.messages import (
    ChainAnchored,
    Contribution,
    Declared,
    Draw,
    Drawn,
    DrawVoided,
    LogFormat,
    Opened,
    PresenceSet,
    SeatLeft,
    SeatTaken,
)
from domain.session.state import HOUSE, ruleset_of
from domain.verify.draws_check import (
    BlindsCheck,
    check_entropy,
    check_sealed,
    check_values,
    links_of,
)
from domain.verify.seat_chains import ChainsCheck
from service.client.log_tree import ReceivedEvent
from service.client.seat_file import SeatFile, SentCommand, WrongSeatFileError


class OpenDraw(NamedTuple):
    """A draw that was declared at `version` and has not ended yet."""

    version: int
    draw: Draw

    def place(self, seat: str) -> tuple[int, int] | None:
        """Return the chain and position of the link that `seat` must contribute, or None."""
        return next(
            ((chain, at) for named, chain, at in self.draw.contributors if named == seat), None
        )


def has_entropy_sent(seat_file: SeatFile, draw: Draw, k: int) -> bool:
    """Return True if the draw is number `k` and has the entropy that the seat sends for it.

    If `k` is -1, the seat sent no entropy, and the draw must have none. Without the
    check of the number, the server could choose between two draws after seeing the entropy.
    """
    if k < 0:
        return not draw.entropy
    return draw.k == k and draw.entropy == seat_file.entropy_for(k)


def check_entropy_sent(seat_file: SeatFile, draw: Draw, k: int) -> None:
    """Raise ProofError (E_VALUES) unless `has_entropy_sent` returns True."""
    if not has_entropy_sent(seat_file, draw, k):
        expected = seat_file.entropy_for(k) if k >= 0 else ""
        raise ProofError(
            "E_VALUES",
            f"entropy {draw.entropy or 'missing'} for draw {draw.k}",
            f"entropy {expected or 'missing'} for draw {k}",
        )


class LogWatcher:
    """The state of a session's log after the last event that was read.

    `read` raises ProofError if an event contradicts earlier events or the seat file. `LogTree`
    checks that the event is in the log.
    """

    def __init__(
        self, seat_file: SeatFile, verify: Verify, *, allow_other_clients: bool = False
    ) -> None:
        self._allow_other_clients = allow_other_clients
        self._file, self._seat = seat_file, seat_file.data.seat
        self._session = seat_file.data.session
        self.version = self.k = self.nth = 0
        self.last_end = 0
        """The version at which the last draw ended.

        Before the first draw has ended, this is the version at which the server took its seat.
        """
        self.chains = ChainsCheck(self._session, verify)
        self._blinds = BlindsCheck()
        self.open_draw: OpenDraw | None = None
        self.requests: dict[int, str] = {}  # leaf hashes of the checked declarations, by version
        self.commands: tuple[type[Message], ...] = ()
        self.role = Role.PLAYER
        self.log_format: LogFormat = 1
        self.is_disputed = False
        """True if the last void names the seat as missing, although the client contributed."""
        self._table = False
        self._unconfirmed: list[tuple[int, SentCommand | str]] = []
        """The commands and signatures that this client sent and that no checkpoint covers yet.

        Each is paired with the version at which the client read it in the log.
        """

    def confirm(self, size: int) -> None:
        """Remove from the seat file the commands and statements that a checkpoint now covers.

        `size` is the size of the checkpoint. The commands and statements stay in the file until
        then, so that a restarted client can compare them with the log again.
        """
        for version, sent in self._unconfirmed:
            if version > size:
                continue
            if isinstance(sent, str):
                self._file.data.statements.remove(sent)
            else:
                self._file.data.asked.remove(sent)
        self._unconfirmed = [
            (version, sent) for version, sent in self._unconfirmed if version > size
        ]

    @property
    def has_next_blind(self) -> bool:
        """True if the server has committed to the blind of the next draw."""
        return self._blinds.has_next

    def required_place(self, request: str) -> tuple[int, int] | None:
        """Return the chain and position of the link that the seat must contribute.

        Return None if the pending draw does not need a link from the seat. `request` is the leaf
        hash of the draw's declaration. The signature of each contribution must cover it.
        """
        pending = self.open_draw
        if pending is None:
            return None
        self.requests[pending.version] = request
        return pending.place(self._seat)

    def links_of_others(self, draw: Draw) -> dict[str, str]:
        """Return the newest link (hex) of every other contributor to the declared draw."""
        others = [seat for seat, _, _ in draw.contributors if seat != self._seat]
        return {seat: self.chains.state_of(seat).link.hex() for seat in others}

    def read(self, event: ReceivedEvent) -> None:
        """Check the next event. Raises ProofError or WrongSeatFileError."""
        if event.version != self.version + 1:
            raise ProofError("E_ORDER", f"version {event.version}", f"version {self.version + 1}")
        self.version = event.version
        if event.sealed or event.body is UNSET:
            if event.version == 1:
                raise ProofError("E_FORMAT", "no body at version 1", "the opening of the session")
            if self.log_format > 1:
                check_sealed(event.version, event.turn, event.seat)
            return
        raw = bytes(event.body)
        try:
            body = decode(raw)
        except msgspec.MsgspecError as error:
            raise ProofError("E_FORMAT", str(error), "an event") from error
        self._apply(
            RecordedEvent(self._session, event.version, event.turn, 0, event.seat, b"", body, raw)
        )

    def _apply(self, recorded: RecordedEvent) -> None:
        match recorded.body:
            case Opened(ruleset=name, edition=edition) as opened:
                self._table = opened.draws == "table"
                self._set_format(recorded, opened.format or 1)
                if (name, edition) in RULESETS_BY_EDITION:
                    ruleset = ruleset_of(name, edition, opened.extensions or ())
                    self.commands = ruleset.commands
            case SeatTaken() as taken:
                self._blinds.seat_taken(recorded.version, taken)
                if taken.seat == HOUSE:
                    self.last_end = recorded.version
                self.chains.seat_taken(recorded, taken)
                self._check_own(recorded, taken)
                self.role = taken.role if taken.seat == self._seat else self.role
            case SeatLeft() | PresenceSet() as moved:
                self.nth += moved.seat == self._seat
                self.chains.presence_changed(recorded, moved)
                self._check_statement(recorded, moved)
            case ChainAnchored() as anchored:
                self.chains.chain_anchored(recorded, anchored)
                self._check_own(recorded, anchored)
            case Declared() as declared:
                self._read_declaration(recorded, declared)
            case Drawn() as drawn:
                self._read_drawn(recorded, drawn)
            case DrawVoided() as voided:
                self._read_voided(recorded, voided)

    def _set_format(self, recorded: RecordedEvent, log_format: LogFormat) -> None:
        """Store the log's format.

        Raises ProofError if the format changes, or if the log opens the session a second time.
        Without this check, the server could see the client's entropy for a draw and then switch to
        format 1, in which the client sends no entropy.
        """
        known = self._file.data.log_format or log_format
        if recorded.version != 1 or log_format != known:
            raise ProofError(
                "E_FORMAT",
                f"an event at version {recorded.version} that opens the session in format"
                f" {log_format}",
                f"format {known}, set by the event at version 1",
            )
        self._file.data.log_format = self.log_format = self.chains.log_format = log_format

    def _check_statement(self, recorded: RecordedEvent, moved: SeatLeft | PresenceSet) -> None:
        """Raise ProofError if the log contains a statement that this client did not send."""
        if moved.seat != self._seat or moved.signature is UNSET:
            return
        if moved.signature in self._file.data.statements:
            self._unconfirmed.append((recorded.version, moved.signature))
        elif self._is_new(recorded) and not self._allow_other_clients:
            raise ProofError(
                "E_SIGNATURE",
                f"a signed statement at version {recorded.version}: {recorded.raw.decode()}",
                "a statement that this client has just sent",
            )

    def _check_own(self, recorded: RecordedEvent, event: SeatTaken | ChainAnchored) -> None:
        """Check that the seat file contains a chain that was anchored for this seat.

        Events for other seats are ignored. Raises ProofError if a different key anchored the chain
        after this file took over the seat. Raises WrongSeatFileError if another file contains the
        seat's key or chain.
        """
        if event.seat != self._seat or not isinstance(event.chain, int):
            return
        held, own = self.chains.state_of(self._seat), self._file.public_key
        if held.key == own and not self._file.mark_anchored(event.chain, held.link):
            raise WrongSeatFileError(
                f"another copy of this seat file created chain {event.chain} for {event.seat}:"
                " continue with that copy"
            )
        if held.key != own and self._is_new(recorded):
            found = f"chain {event.chain} at version {recorded.version}: {event.anchor}"
            raise ProofError("E_ANCHOR", found, f"a chain signed with the seat's key {own.hex()}")
        if held.key != own:
            raise WrongSeatFileError(
                f"the key for {event.seat} is in another seat file: continue with that file,"
                " or ask the GM for a new seat"
            )

    def _is_new(self, recorded: RecordedEvent) -> bool:
        """Return True if the event is unread and was recorded after this file took over the seat.

        An event counts as unread until it has been read under a checkpoint.
        """
        since = self._file.data.since
        return since is not None and recorded.version > max(since, self._file.data.watched)

    def _read_declaration(self, recorded: RecordedEvent, declared: Declared) -> None:
        if recorded.seat == self._seat:
            self._check_own_command(recorded, declared)
        if declared.draw is UNSET:
            return
        draw, expected = declared.draw, sorted(self.chains.contributors(table=self._table))
        named = sorted(seat for seat, _, _ in draw.contributors)
        if named != expected:
            raise ProofError("E_CONTRIBUTORS", f"draw {draw.k} requires {named}", f"{expected}")
        if draw.k != self.k:
            raise ProofError("E_DRAW_INDEX", str(draw.k), str(self.k))
        self._blinds.declared(recorded.version, draw)
        self.k += 1
        self.chains.take_positions(recorded.version, draw)
        self._check_links_of_others(draw)
        self.open_draw = OpenDraw(recorded.version, draw)

    def _check_links_of_others(self, draw: Draw) -> None:
        """Raise ProofError if another contributor's link has changed since the seat contributed.

        Such a change can appear only after the client has restarted. The server can record several
        sealed anchors for a seat that colludes with it. Once it knows the other contributors'
        links, it can open the anchor that gives the values it wants.
        """
        contributed, links = self._file.data.contributed, self.links_of_others(draw)
        if contributed is not None and contributed.k == draw.k and contributed.links != links:
            raise ProofError(
                "E_ANCHOR",
                f"draw {draw.k} with the links {links}",
                f"the links {contributed.links}, as when this seat contributed",
            )

    def _check_own_command(self, recorded: RecordedEvent, declared: Declared) -> None:
        """Check a command in the seat's name that was recorded after this file took over the seat.

        A new command must be one that the client sent. If the command was already read before a
        restart, only its entropy can be checked. Raises ProofError.
        """
        since = self._file.data.since
        if self._is_new(recorded):
            self._take_sent_command(recorded, declared)
        elif since is None or recorded.version <= since or self._allow_other_clients:
            return
        elif declared.draw is not UNSET:
            k = declared.draw.k if self.log_format > 1 else -1
            check_entropy_sent(self._file, declared.draw, k)

    def _take_sent_command(self, recorded: RecordedEvent, declared: Declared) -> None:
        """Find the declared command in the seat file's list of sent commands.

        Raises ProofError if this client did not send the command.
        """
        waiting = list(self._file.data.asked)
        for _, seen in self._unconfirmed:
            if isinstance(seen, SentCommand):
                waiting.remove(seen)
        found = next((sent for sent in waiting if self._matches(sent, declared)), None)
        if found is None and self._allow_other_clients:
            self._file.data.since = recorded.version
            return
        if found is None:
            command = (
                "a secret command"
                if declared.command is UNSET
                else bytes(declared.command).decode()
            )
            raise ProofError(
                "E_ROLE",
                f"a command for this seat at version {recorded.version}: {command}",
                "a command that this client sent, with its entropy",
            )
        self._unconfirmed.append((recorded.version, found))

    def _matches(self, sent: SentCommand, declared: Declared) -> bool:
        """Return True if the declaration may be for the command in `sent`.

        A secret draw must have the commitment to this command. Any draw must have the entropy that
        this client sent. Physical dice must show the faces and have the name that it sent.
        """
        target = -1 if declared.target is UNSET else declared.target
        if sent.audience != (declared.audience or "") or sent.target not in (None, target):
            return False
        draw = declared.draw
        if draw is not UNSET and not has_entropy_sent(self._file, draw, sent.k):
            return False
        values = () if declared.values is UNSET else declared.values
        if (sent.faces or sent.k >= 0) and tuple(face for _, face in values) != sent.faces:
            return False
        if sent.dice_name != (declared.dice_name or ""):
            return False
        if declared.command is not UNSET:
            return bytes(declared.command) == sent.command.encode()
        if draw is UNSET:
            return True
        if not sent.salt:  # a file of an earlier version may contain a command without salt
            return True
        committed = command_commitment(bytes.fromhex(sent.salt), sent.command.encode())
        return committed.hex() == declared.command_commitment

    def _read_drawn(self, recorded: RecordedEvent, drawn: Drawn) -> None:
        pending = self._close_draw(recorded, drawn.k)
        self._blinds.ended(recorded.version, drawn)
        named = sorted(seat for seat, _, _ in pending.draw.contributors)
        if [each.seat for each in drawn.contributions] != named:
            raise ProofError(
                "E_CONTRIBUTORS", f"{[each.seat for each in drawn.contributions]}", f"{named}"
            )
        self._check_contributions(recorded, pending, drawn.contributions)
        check_entropy(recorded.version, drawn, pending.draw)
        if pending.draw.blind is UNSET:
            links, session = links_of(drawn.contributions), bytes.fromhex(self._session)
            entropy = entropy_of(pending.draw, self.log_format)
            check_values(
                recorded.version, drawn.values, seed(session, drawn.k, links, entropy=entropy)
            )

    def _read_voided(self, recorded: RecordedEvent, voided: DrawVoided) -> None:
        pending = self._close_draw(recorded, voided.k)
        self._blinds.ended(recorded.version, voided)
        receipted = any(
            receipt.contribution.draw == voided.k for receipt in self._file.data.receipts
        )
        if self._seat in voided.missing and receipted:
            raise ProofError(
                "E_ORDER",
                f"draw {voided.k}, voided with {self._seat} among the missing seats",
                f"draw {voided.k} without {self._seat} among the missing seats: the server signed a"
                " receipt for this seat's contribution",
            )
        self._check_contributions(recorded, pending, voided.contributions)
        self.chains.mark_missed(voided.missing)
        sent = any(each.contribution.draw == voided.k for each in self._file.data.complaints)
        self.is_disputed = self._seat in voided.missing and sent and self._is_new(recorded)

    def _close_draw(self, recorded: RecordedEvent, k: int) -> OpenDraw:
        if self.open_draw is None or self.open_draw.draw.k != k:
            raise ProofError(
                "E_ORDER",
                f"the end of draw {k} at version {recorded.version}",
                "the end of a pending draw",
            )
        pending, self.open_draw, self.last_end = self.open_draw, None, recorded.version
        return pending

    def _check_contributions(
        self, recorded: RecordedEvent, pending: OpenDraw, contributions: tuple[Contribution, ...]
    ) -> None:
        """Check the links and signatures of all contributions. Raises ProofError.

        A seat that saw the log at the same size as this seat must also have seen the same root.
        """
        request = self.requests.pop(pending.version, None)
        own = next((each for each in contributions if each.seat == self._seat), None)
        if own is not None:
            self._file.drop_complaint(pending.draw.k)
        for each in contributions:
            if request is None:  # this client did not check the draw, or is rereading it
                self.chains.check_link(recorded, each)
            else:
                self.chains.check_contribution(recorded, pending.draw.k, request, each)
            if (
                own is not None
                and each.seen_size == own.seen_size
                and each.seen_root != own.seen_root
            ):
                raise ProofError(
                    "E_FORK",
                    f"{each.seat} saw root {each.seen_root} at size {each.seen_size}",
                    f"root {own.seen_root}",
                )

    def canonical_command(self, command: object) -> str:
        """Return the canonical JSON of a command, as the log will contain it.

        Raises msgspec.ValidationError if the ruleset has no such command.
        """
        if not self.commands:
            return encode(command).decode()
        # The ruleset's commands are known only at run time.
        known: Any = Union[self.commands]  # noqa: UP007
        return encode(msgspec.convert(command, known)).decode()
