"""Verify a single roll from a roll file.

The file proves that the draw is in the signed log, that it uses links from the seats' chains, and
that its values follow from its seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain.chance import Values
from domain.codec import check_keys
from domain.log_file import EventLine, EventOpening, LogLine, Manifest, opening_of
from domain.proof import ProofError, merkle_tree
from domain.proof.hash_chain import seed
from domain.proof.signed_note import (
    Checkpoint,
    Verify,
    Vkey,
    is_succeeded_by,
    open_checkpoint,
    vkey_text,
)
from domain.recorded_event import RecordedEvent, leaf_of
from domain.ruleset import Message
from domain.session.contributions import contribution_of, entropy_of, link_at, seat_event_of
from domain.session.descriptions import describe, fill
from domain.session.messages import (
    ChainAnchored,
    Contribution,
    Declared,
    Draw,
    Drawn,
    DrawVoided,
    Hex32,
    LogFormat,
    Opened,
    SealOpened,
    SeatTaken,
    Version,
)
from domain.session.secrets import SESSION_EVENT_TYPES
from domain.session.state import HOUSE, Session
from domain.verify.bytes_check import EventReader, FileEvent
from domain.verify.draws_check import (
    BlindsCheck,
    OpeningsCheck,
    check_declared,
    check_entropy,
    check_values,
    links_of,
)
from domain.verify.report import Failure, Level, ReportWarning, VerificationError, to_failure
from domain.verify.rules_check import RULESET_ERRORS
from domain.verify.seat_chains import check_house_length

MAX_ROLL_BYTES = 1 << 20
"""The maximum size of a roll file. A draw with 64 contributors needs about a fifth of it."""
TreeSize = Annotated[int, Meta(ge=0, lt=2**53)]


# Roll files: their format, reading and writing.


class ProvedEvent(LogLine, frozen=True, kw_only=True):
    """An event with its inclusion proof: the sibling nodes on the path from leaf to root."""

    inclusion: tuple[Hex32, ...]
    leaf: str
    opening: EventOpening | UnsetType = UNSET
    version: Version


class SeenSize(LogLine, frozen=True):
    """A proof that the checkpoint is consistent with a log that a seat had seen.

    `size` is the size of the log that the seat had seen.
    """

    proof: tuple[Hex32, ...]
    size: TreeSize


class RollFile(LogLine, frozen=True):
    """The content of a roll file.

    The fields are in canonical order. `entries` are ordered by version.
    """

    checkpoint: str
    entries: tuple[ProvedEvent, ...]
    k: TreeSize
    manifest: Manifest
    seen: tuple[SeenSize, ...]
    v: Literal[1]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(RollFile).decode


def read_roll(raw: bytes) -> RollFile:
    """Parse a roll file, with or without a newline at the end.

    Raises VerificationError if `raw` is invalid or not in canonical form.
    """
    text = raw.removesuffix(b"\n")
    try:
        if len(raw) > MAX_ROLL_BYTES:
            raise ValueError(f"the file is larger than {MAX_ROLL_BYTES >> 10} KiB")
        found = _decode(text)
        written = _encode(found)
        if written != text:
            check_keys(text.decode())
    except (ValueError, RecursionError) as wrong:
        raise VerificationError(
            0, "E_FORMAT", f"{wrong}: {text[:200].decode(errors='replace')}", "a roll file"
        ) from None
    if written != text:
        raise VerificationError(
            0, "E_NONCANONICAL", text.decode(errors="replace"), written.decode(errors="replace")
        )
    return found


def write_roll(
    manifest: Manifest,
    checkpoint: str,
    k: int,
    events: Iterable[RecordedEvent],
    opens: Callable[[RecordedEvent], bool],
    included: Callable[[int], Iterable[bytes]],
    seen: Mapping[int, Iterable[bytes]],
) -> bytes:
    """Return the content of a roll file that proves draw `k`.

    `opens` returns True if the file should include the event's opening. `included` returns the
    inclusion proof for a version. `seen` maps each log size that a contributor had seen to its
    consistency proof.
    """
    entries = tuple(
        ProvedEvent(
            inclusion=_hex_nodes(included(recorded.version)),
            leaf=leaf_of(recorded).decode(),
            opening=opening_of(recorded, opens),
            version=recorded.version,
        )
        for recorded in events
    )
    sizes = tuple(SeenSize(_hex_nodes(proof), size) for size, proof in sorted(seen.items()))
    return _encode(RollFile(checkpoint, entries, k, manifest, sizes, 1)) + b"\n"


def _hex_nodes(nodes: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(node.hex() for node in nodes)


def select_roll_events(
    events: Iterable[RecordedEvent], declared: RecordedEvent
) -> list[RecordedEvent]:
    """Return the events that prove the draw in `declared`, in log order.

    `events` need not be the whole log, but it must include all events that the proof needs.
    """
    assert isinstance(declared.body, Declared)
    assert declared.body.draw is not UNSET
    draw, keyed, found = declared.body.draw, set[str](), list[RecordedEvent]()
    chains = {seat: chain for seat, chain, _ in draw.contributors}
    for recorded in events:
        is_first = isinstance(recorded.body, SeatTaken) and recorded.body.seat not in keyed
        if recorded.turn == declared.turn or _proves_draw(recorded.body, draw.k, chains, is_first):
            found.append(recorded)
            keyed |= {recorded.body.seat} if isinstance(recorded.body, SeatTaken) else set()
    return found


def _proves_draw(body: Message, k: int, chains: Mapping[str, int], is_first: bool) -> bool:
    """Return True if an event from a different turn is needed to prove draw `k`.

    The proof needs Opened, each contributor's first SeatTaken, the event that started each
    contributor's chain, and the SealOpened event for the draw.
    """
    match body:
        case Opened():
            return True
        case SeatTaken(seat=seat, chain=int(chain)):
            return seat in chains and (is_first or chains[seat] == chain)
        case ChainAnchored(seat=seat, chain=chain):
            return chains.get(seat) == chain
        case SealOpened(k=opened):
            return opened == k
    return False


# The keys and chains in the file.


MAX_CHAIN_LENGTH = 65_536  # in links; session commands have the same limit


class ChainAnchor(NamedTuple):
    """A chain's anchor (its link 0), and the number of links that follow it."""

    link: bytes
    length: int


class SeatKeys:
    """The keys and chains of the seats in a roll file.

    Methods raise VerificationError if a check fails.
    """

    def __init__(self, session: str, ed25519: Verify, log_format: LogFormat) -> None:
        self._session, self._ed25519, self._log_format = session, ed25519, log_format
        self._keys: dict[str, bytes] = {}
        self._chains: dict[tuple[str, int], ChainAnchor] = {}

    def read(self, recorded: RecordedEvent, event: SeatTaken | ChainAnchored) -> None:
        """Check the signature on an event, and store the event's key and chain."""
        if isinstance(event, SeatTaken):
            self._take_key(recorded, event)
        parts = event.anchor, event.chain, event.length, event.signature
        if UNSET in parts or event.seat not in self._keys:
            raise VerificationError(
                recorded.version,
                "E_ANCHOR",
                recorded.raw.decode(),
                "a complete chain for a seat whose key is in the file",
            )
        link = bytes.fromhex(str(event.anchor))
        if any(anchor.link == link for anchor in self._chains.values()):
            raise VerificationError(
                recorded.version,
                "E_ANCHOR",
                f"{event.anchor}, which was used before",
                "a new anchor",
            )
        assert isinstance(event.chain, int)
        assert isinstance(event.length, int)
        if self._log_format > 1 and event.seat == HOUSE:
            check_house_length(recorded.version, event.length)
        self._check(recorded, event.seat, seat_event_of(self._session, event), str(event.signature))
        self._chains[event.seat, event.chain] = ChainAnchor(link, event.length)

    def _take_key(self, recorded: RecordedEvent, taken: SeatTaken) -> None:
        if taken.public_key is UNSET:
            return
        key = bytes.fromhex(taken.public_key)
        others = [other for seat, other in self._keys.items() if seat != taken.seat]
        if key in others or self._keys.get(taken.seat, key) != key:
            raise VerificationError(
                recorded.version,
                "E_ANCHOR",
                key.hex(),
                "the seat's own key, which must never change",
            )
        self._keys[taken.seat] = key

    def check_contribution(
        self, recorded: RecordedEvent, draw: Draw, request: str, contribution: Contribution
    ) -> None:
        """Check a contribution's position, signature and link.

        The link must hash to the anchor of its chain.
        """
        named = next(
            (chain, position)
            for seat, chain, position in draw.contributors
            if seat == contribution.seat
        )
        if (contribution.chain, contribution.position) != named:
            raise VerificationError(
                recorded.version,
                "E_POSITION",
                f"position {contribution.position} in chain {contribution.chain}",
                f"position {named[1]} in chain {named[0]}",
            )
        anchor = self._chains.get((contribution.seat, contribution.chain))
        if anchor is None:
            found = f"chain {contribution.chain} for {contribution.seat} without an anchor"
            raise VerificationError(
                recorded.version,
                "E_ANCHOR",
                found,
                f"an anchor for chain {contribution.chain} before the declaration",
            )
        if not 1 <= contribution.position <= min(anchor.length, MAX_CHAIN_LENGTH):
            raise VerificationError(
                recorded.version,
                "E_POSITION",
                f"position {contribution.position}",
                f"a position from 1 to {min(anchor.length, MAX_CHAIN_LENGTH)}",
            )
        link = bytes.fromhex(contribution.link)
        below = link_at(
            self._session, contribution.seat, contribution.chain, contribution.position, link, 0
        )
        if below != anchor.link:
            raise VerificationError(recorded.version, "E_CHAIN", below.hex(), anchor.link.hex())
        message = contribution_of(self._session, draw.k, request, contribution)
        self._check(recorded, contribution.seat, message, contribution.signature)

    def _check(self, recorded: RecordedEvent, seat: str, message: bytes, signature: str) -> None:
        key = self._keys[seat]
        if not self._ed25519(key, message, bytes.fromhex(signature)):
            raise VerificationError(
                recorded.version, "E_SIGNATURE", signature, f"a signature made with key {key.hex()}"
            )


DrawEnd = Drawn | DrawVoided


# Verification of the file.


class RollReport(msgspec.Struct, frozen=True):
    """The result of verifying a roll file.

    If the file is unreadable, `version` is 0 and `k` is -1. `values` is absent if the draw was
    voided, or if it is secret and was not opened. `grade` is "C", "C or better", "B" or
    "B or better", or empty if no grade was determined.
    """

    session: str = ""
    log_key: str = ""
    k: int = -1
    version: int = 0
    seat: str = ""
    contributors: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    values: Values | UnsetType = UNSET
    told: tuple[str, ...] = ()
    grade: str = ""
    warnings: tuple[ReportWarning, ...] = ()
    failure: Failure | None = None


def verify_roll(raw: bytes, ed25519: Verify, key: Vkey | None = None) -> RollReport:
    """Verify a roll file and return the report.

    Invalid content does not raise an exception. The report contains the failure instead.
    """
    level, roll = Level.BYTES, RollReport()
    try:
        file = read_roll(raw)
        reader = EventReader(file.manifest)
        roll = RollReport(file.manifest.session, file.manifest.log_key, file.k)
        lines = _read_entries(file, reader)
        level = Level.TREE
        checkpoint = _check_inclusion(file, reader.key, key, ed25519)
        level = Level.DRAWS
        roll = _RollCheck(file, lines, checkpoint, ed25519).check(roll)
        level = Level.VIEWS
        return replace(
            roll, told=_describe_events(reader, lines), warnings=_roll_warnings(reader, lines, key)
        )
    except VerificationError as fault:
        return replace(roll, failure=to_failure(fault, level, parent=False))


def _read_entries(file: RollFile, reader: EventReader) -> list[FileEvent]:
    lines: list[FileEvent] = []
    for entry in file.entries:
        if lines and entry.version <= lines[-1].version:
            raise VerificationError(
                entry.version,
                "E_VERSION",
                entry.version,
                f"a version greater than {lines[-1].version}",
            )
        lines.append(reader.read_single(entry.version, EventLine(entry.leaf, entry.opening)))
    if not lines or lines[0].version != 1:
        raise VerificationError(
            1, "E_FORMAT", "no event at version 1", "session.Opened at version 1"
        )
    return lines


def _check_inclusion(file: RollFile, own: Vkey, key: Vkey | None, ed25519: Verify) -> Checkpoint:
    """Check the checkpoint's signature and all inclusion proofs.

    Return the checkpoint. Raises VerificationError if a check fails.
    """
    if key not in (None, own) and not is_succeeded_by(file.checkpoint, own, key or own, ed25519):
        raise VerificationError(1, "E_UNTRUSTED_LOG", file.manifest.log_key, vkey_text(key or own))
    try:
        checkpoint = open_checkpoint(file.checkpoint, own, ed25519)
    except ProofError as broken:
        raise VerificationError(0, broken.code, broken.found, broken.expected) from None
    for entry in file.entries:
        leaf, proof = (
            merkle_tree.leaf_hash(entry.leaf.encode()),
            tuple(map(bytes.fromhex, entry.inclusion)),
        )
        try:
            merkle_tree.check_inclusion(
                leaf, entry.version - 1, checkpoint.size, proof, checkpoint.root
            )
        except ProofError as broken:
            raise VerificationError(
                entry.version, broken.code, broken.found, broken.expected
            ) from None
    return checkpoint


class _RollCheck:
    """Checks the draw in a roll file: its declaration, contributions and result."""

    def __init__(
        self, file: RollFile, lines: Sequence[FileEvent], checkpoint: Checkpoint, ed25519: Verify
    ) -> None:
        self._file, self._lines, self._checkpoint = file, lines, checkpoint
        self._session = bytes.fromhex(file.manifest.session)
        self._facts = [line for line in lines if isinstance(line, RecordedEvent)]
        self._log_format = file.manifest.v
        self._seats = SeatKeys(file.manifest.session, ed25519, self._log_format)
        self._openings = OpeningsCheck(self._session)
        self._openings.log_format = self._log_format

    def check(self, roll: RollReport) -> RollReport:
        """Check the draw, and return `roll` with the result added.

        Raises VerificationError if a check fails.
        """
        declared, draw = self._find_declared()
        end, body = self._end(declared)
        self._check_rest(declared, end)
        blinds = BlindsCheck()
        for recorded in self._facts:
            if recorded.version < declared.version and isinstance(
                recorded.body, SeatTaken | ChainAnchored
            ):
                self._seats.read(recorded, recorded.body)
                if isinstance(recorded.body, SeatTaken):
                    blinds.seat_taken(recorded.version, recorded.body)
        blinds.ended(end.version, body)
        self._check_contributions(declared, draw, end, body)
        named = tuple(sorted(seat for seat, _, _ in draw.contributors))
        roll = replace(roll, version=end.version, seat=declared.seat, contributors=named)
        self._openings.read(declared)
        if isinstance(body, DrawVoided):
            if draw.blind is not UNSET:
                self._openings.add_voided(draw.k, declared)
            self._opened()
            return replace(roll, missing=body.missing)
        return replace(
            roll,
            values=self._values(declared, draw, end, body),
            grade=_grade(named, declared.seat, draw, body),
        )

    def _find_declared(self) -> tuple[RecordedEvent, Draw]:
        found = [recorded for recorded in self._facts if isinstance(recorded.body, Declared)]
        match found:
            case [RecordedEvent(body=Declared(draw=Draw(k=k) as draw) as body) as recorded]:
                if k != self._file.k:
                    raise VerificationError(recorded.version, "E_DRAW_INDEX", k, self._file.k)
                check_declared(recorded, body)
                self._check_named(recorded, draw)
                return recorded, draw
        raise VerificationError(
            0,
            "E_ORDER",
            f"{len(found)} declarations",
            f"exactly one declaration, for draw {self._file.k}",
        )

    def _check_named(self, recorded: RecordedEvent, draw: Draw) -> None:
        """Check that the contributors are distinct and include the server.

        If the session's draws are made by the server alone, there must be no other contributor.
        """
        named, opened = [seat for seat, _, _ in draw.contributors], self._facts[0].body
        assert isinstance(opened, Opened)
        if (
            HOUSE not in named
            or len(set(named)) < len(named)
            or (opened.draws == "house" and len(named) > 1)
        ):
            expected = (
                "only the server"
                if opened.draws == "house"
                else "the server and other seats, each listed once"
            )
            raise VerificationError(recorded.version, "E_CONTRIBUTORS", named, expected)

    def _end(self, declared: RecordedEvent) -> tuple[RecordedEvent, DrawEnd]:
        found = [recorded for recorded in self._facts if isinstance(recorded.body, DrawEnd)]
        if len(found) != 1 or found[0].version < declared.version:
            raise VerificationError(
                declared.version,
                "E_ORDER",
                f"{len(found)} results, or a result before its declaration",
                f"exactly one result for draw {self._file.k}, after its declaration",
            )
        (end,) = found
        assert isinstance(end.body, DrawEnd)
        if end.body.k != self._file.k:
            raise VerificationError(end.version, "E_DRAW_INDEX", end.body.k, self._file.k)
        if end.turn != declared.turn:
            raise VerificationError(end.version, "E_TURN", end.turn, declared.turn)
        return end, end.body

    def _check_rest(self, declared: RecordedEvent, end: RecordedEvent) -> None:
        """Check that the file has no superfluous events.

        The ruleset's events must directly follow the result of the draw. After a voided draw, there
        must be none.
        """
        last = end.version
        for line in self._lines:
            match line:
                case RecordedEvent(
                    body=Opened()
                    | SeatTaken()
                    | ChainAnchored()
                    | Declared()
                    | Drawn()
                    | DrawVoided()
                ):
                    continue
                case RecordedEvent(body=SealOpened(k=self._file.k)):
                    continue
            of_ruleset = (
                not isinstance(line, RecordedEvent) or type(line.body) not in SESSION_EVENT_TYPES
            )
            if not of_ruleset or line.turn != declared.turn:
                raise VerificationError(
                    line.version,
                    "E_FORMAT",
                    "an event that the proof does not need",
                    f"only events that prove draw {self._file.k}",
                )
            if isinstance(end.body, DrawVoided):
                raise VerificationError(
                    line.version,
                    "E_OUTCOME",
                    "an event after the voided draw",
                    "the end of the turn",
                )
            if line.version != last + 1:
                raise VerificationError(line.version, "E_VERSION", line.version, last + 1)
            last = line.version

    def _check_contributions(
        self, declared: RecordedEvent, draw: Draw, end: RecordedEvent, body: DrawEnd
    ) -> None:
        named, present = (
            sorted(seat for seat, _, _ in draw.contributors),
            [contribution.seat for contribution in body.contributions],
        )
        missing = list(body.missing) if isinstance(body, DrawVoided) else []
        voided = isinstance(body, DrawVoided)
        if (
            sorted(present + missing) != named
            or present != sorted(present)
            or bool(missing) is not voided
            or HOUSE in missing
        ):
            raise VerificationError(
                end.version, "E_CONTRIBUTORS", f"{present} contributed, {missing} missing", named
            )
        (request,) = (
            entry.leaf for entry in self._file.entries if entry.version == declared.version
        )
        for contribution in body.contributions:
            self._seats.check_contribution(
                end, draw, merkle_tree.leaf_hash(request.encode()).hex(), contribution
            )
            self._check_seen(
                declared.version, end.version, contribution.seen_size, contribution.seen_root
            )

    def _check_seen(self, first: int, end: int, size: int, root: str) -> None:
        proof = next((each.proof for each in self._file.seen if each.size == size), ())
        nodes, signed = tuple(map(bytes.fromhex, proof)), self._checkpoint
        if not first <= size < end:
            raise VerificationError(
                end,
                "E_FORK",
                f"a contribution made at log size {size}",
                f"a contribution made at log size {first} to {end - 1}",
            )
        if not merkle_tree.verify_consistency(
            size, signed.size, bytes.fromhex(root), signed.root, nodes
        ):
            raise VerificationError(
                end,
                "E_FORK",
                f"root {root} at size {size}",
                "a root that the consistency proof confirms",
            )

    def _values(
        self, declared: RecordedEvent, draw: Draw, end: RecordedEvent, drawn: Drawn
    ) -> Values | UnsetType:
        """Check and return the values of the draw.

        Return UNSET if the draw is secret and has not been opened.
        """
        check_entropy(end.version, drawn, draw)
        links = links_of(drawn.contributions)
        if draw.blind is UNSET:
            entropy = entropy_of(draw, self._log_format)
            seeded = seed(self._session, draw.k, links, entropy=entropy)
            check_values(end.version, drawn.values, seeded)
            return drawn.values
        self._openings.add_drawn(end, drawn, declared, links)
        return self._opened()

    def _opened(self) -> Values | UnsetType:
        values: Values | UnsetType = UNSET
        for recorded in self._facts:
            if isinstance(recorded.body, SealOpened):
                self._openings.check(recorded, recorded.body, self._file.k + 1)
                self._openings.read(recorded)
                values = recorded.body.values
        return values


def _grade(named: Sequence[str], asker: str, draw: Draw, drawn: Drawn) -> str:
    """Return the grade of the roll.

    "or better" means that the exact grade depends on events that are not in the file.
    """
    others = set(named) - {HOUSE}
    if not others:
        if draw.entropy is UNSET or (draw.blind is not UNSET and drawn.next_blind is UNSET):
            return "C"
        return "B" if draw.blind is UNSET else "C or better"
    return "B" if others == {asker} else "B or better"


def _describe_events(reader: EventReader, lines: Sequence[FileEvent]) -> tuple[str, ...]:
    """Describe the command and the events that it caused.

    Return an empty tuple if the ruleset is not installed.
    """
    if reader.ruleset is None:
        return ()
    described = [line for line in lines if isinstance(line, RecordedEvent) and _is_described(line)]
    try:
        return tuple(
            fill(describe(reader.ruleset, recorded, _no_session), {}) for recorded in described
        )
    except RULESET_ERRORS as wrong:
        raise VerificationError(
            described[0].version, "E_OUTCOME", repr(wrong), "events that the ruleset can describe"
        ) from None


def _is_described(recorded: RecordedEvent) -> bool:
    return (
        isinstance(recorded.body, Declared | DrawVoided)
        or type(recorded.body) not in SESSION_EVENT_TYPES
    )


def _no_session(version: int) -> Session:
    """Raise LookupError, because a roll file contains no earlier states of the session."""
    raise LookupError(version)


def _roll_warnings(
    reader: EventReader, lines: Sequence[FileEvent], key: Vkey | None
) -> tuple[ReportWarning, ...]:
    sealed = tuple(line.version for line in lines if not isinstance(line, RecordedEvent))
    whole = {
        "W_UNPINNED": key is None,
        "W_UNWITNESSED": True,
        "W_RULES_MISSING": reader.ruleset is None,
    }
    unopened = (ReportWarning("W_UNOPENED", len(sealed), sealed),) if sealed else ()
    return (*unopened, *(ReportWarning(code, 1) for code, holds in whole.items() if holds))
