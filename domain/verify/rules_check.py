"""Level 4, rules: replays the command in each turn and compares the events.

The command is reconstructed from the turn's events. If the table or the command is sealed, only the
types and the seats of the events are checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from domain.chance import DeclaredChance as Dice, NeedsDrawError, UndrawnChance, Values
from domain.codec import check_bounds, encode
from domain.decider import By, Refused, Role
from domain.recorded_event import RecordedEvent
from domain.ruleset import Message, Option
from domain.session.decider import decide
from domain.session.evolve import evolve, sealed_turn
from domain.session.messages import (
    AnchorChain,
    Anchored,
    BringChain,
    ChainAnchored,
    Close,
    Closed,
    Declare,
    Declared,
    Drawn,
    DrawVoided,
    Fork,
    Forked,
    HandOver,
    Inherited,
    LeaveSeat,
    NameSeat,
    Narrate,
    Narrated,
    Open,
    Opened,
    OpenSeal,
    PresenceSet,
    Redact,
    Redacted,
    Rewind,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatNamed,
    SeatTaken,
    SetPresence,
    StoredSecret,
    TakeHouse,
    TakeSeat,
)
from domain.session.secrets import SESSION_EVENT_TYPES
from domain.session.state import HOUSE, History, Session, initial
from domain.session.turns import check_declared_command, judge
from domain.verify.bytes_check import FileEvent, SealedEvent
from domain.verify.report import VerificationError
from domain.verify.sealed_turns import evolve_sealed, is_nameless, is_wordless

TABLE_REFUSALS = {"take-back-settled", "fork-of-a-secret"}
"""Rules that may refuse a command because of the table. All other rules are checked first."""

ExpectedTurn = tuple[tuple[str, Message], ...]
"""The events that a turn should have, in order, each with its seat."""


# Session-level turns: rebuild the command and replay it.


def is_session_turn(first: FileEvent) -> bool:
    """Return True if the turn that starts with `first` was caused by a session command."""
    return (
        isinstance(first, RecordedEvent)
        and type(first.body) in SESSION_EVENT_TYPES
        and type(first.body) is not Declared
    )


def decide_session_turn(
    session: Session, turn: Sequence[FileEvent], history: History, unknown: bool
) -> ExpectedTurn:
    """Return the events that the turn's session command should have produced.

    `unknown` is True if the table is sealed. In that case, everything that the turn records about
    the table is accepted. Raises Refused or VerificationError if the turn is not allowed.
    """
    first = turn[0]
    assert isinstance(first, RecordedEvent)
    then = turn[1].body if len(turn) > 1 and isinstance(turn[1], RecordedEvent) else None
    if isinstance(first.body, Opened) and (first.body.parent is UNSET) is not (len(turn) == 1):
        raise VerificationError(
            2,
            "E_OUTCOME",
            f"{len(turn)} events",
            "Opened and Inherited if the session has a parent, otherwise only Opened",
        )
    by = _required_actor(session, first, then)
    command = _rebuild_command(session, first, then)
    _check_bounds(first, command)
    if isinstance(command, Close) and unknown:
        (closed,) = decide(session, Close(carry_over=False), by, history)
        assert isinstance(closed, Closed)
        return ((by.seat, replace(closed, carry=_carried_options(first))),)
    try:
        return tuple((by.seat, event) for event in decide(session, command, by, history))
    except Refused as refused:
        if unknown and refused.rule in TABLE_REFUSALS:
            return ((by.seat, first.body),)
        raise


def _carried_options(first: RecordedEvent) -> dict[str, Option]:
    assert isinstance(first.body, Closed)
    return first.body.carry


def _required_actor(session: Session, first: RecordedEvent, then: Message | None) -> By:
    """Return the actor that must have sent the command.

    This is the server, a new player with the role given in the event, or the holder of a seat that
    was already taken.
    """
    match first.body:
        case Opened():
            return _server_actor(first)
        case Redacted() if first.seat == HOUSE:
            return _server_actor(first)
        case ChainAnchored(seat=seat) | SeatTaken(seat=seat) | PresenceSet(seat=seat) if HOUSE in (
            seat,
            first.seat,
        ):
            return _server_actor(first)
        case SeatTaken(role=role) if not (
            isinstance(then, SeatTaken) or _is_present(session, first.seat)
        ):
            return By(first.seat, role)
    return session.by(first.seat)


def _server_actor(first: RecordedEvent) -> By:
    if first.seat != HOUSE:
        raise VerificationError(first.version, "E_ROLE", first.seat, HOUSE)
    return By(HOUSE, Role.HOUSE)


def _is_present(session: Session, seat: str) -> bool:
    held = session.info.seats.get(seat)
    return held is not None and held.present


def _rebuild_command(session: Session, first: RecordedEvent, then: Message | None) -> Message:
    match first.body:
        case Opened():
            return _rebuild_open(first.body, then)
        case SeatTaken():
            return _rebuild_seat_taken(session, first.body, then)
        case SeatLeft() | PresenceSet() | SeatNamed() | ChainAnchored():
            return _rebuild_seat_command(first.body)
        case Rewound(to=to, reason=reason):
            return Rewind(to, reason)
        case Narrated(text=text, about=about, audience=audience):
            return Narrate(text, about, audience)
        case Redacted(of=of, reason=reason):
            return Redact(of, reason)
        case SealOpened():
            return _rebuild_opening(session, first.body)
        case Forked(child=child, version=version):
            return Fork(child, version)
        case Closed(carry=carry):
            return Close(carry_over=bool(carry))
    raise VerificationError(
        first.version, "E_OUTCOME", type(first.body).__name__, "an event that can start a turn"
    )


def _rebuild_open(opened: Opened, then: Message | None) -> Open:
    inherited = then if isinstance(then, Inherited) else None
    return Open(
        opened.ruleset,
        opened.edition,
        opened.title,
        opened.options,
        opened.log_key,
        opened.parent,
        UNSET if inherited is None else inherited.table,
        UNSET if inherited is None else inherited.audience,
        opened.draws,
        opened.format or 1,
        opened.extensions,
    )


def _rebuild_seat_command(event: SeatLeft | PresenceSet | SeatNamed | ChainAnchored) -> Message:
    match event:
        case SeatLeft(seat=seat):
            return LeaveSeat(seat, event.signature, event.seen_root, event.seen_size)
        case PresenceSet(seat=seat, present=present):
            return SetPresence(seat, present, event.signature, event.seen_root, event.seen_size)
        case SeatNamed(seat=seat, name=name):
            return NameSeat(seat, name)
    return AnchorChain(event.length, event.anchor, event.signature, event.previous_link)


def _rebuild_seat_taken(session: Session, taken: SeatTaken, then: Message | None) -> Message:
    """Reconstruct the command that led to a SeatTaken event.

    The command is TakeHouse, HandOver, BringChain or TakeSeat.
    """
    chain: Anchored | UnsetType = UNSET
    match taken:
        case SeatTaken(
            public_key=str(key), length=int(length), anchor=str(anchor), signature=str(signature)
        ):
            if taken.seat == HOUSE:
                return TakeHouse(key, length, anchor, signature, taken.next_blind)
            chain = Anchored(key, length, anchor, signature, taken.previous_link)
    if chain is UNSET and isinstance(then, SeatTaken):
        return HandOver(taken.seat)
    if chain is not UNSET and _is_present(session, taken.seat):
        return BringChain(chain)
    return TakeSeat(
        taken.seat, taken.role, then.name if isinstance(then, SeatNamed) else UNSET, chain
    )


def _rebuild_opening(session: Session, opened: SealOpened) -> Message:
    """Reconstruct the command that led to a SealOpened event.

    Level 3 has already checked the event.
    """
    turn = sealed_turn(session.secrets, opened) or 0
    if opened.k is UNSET:
        return OpenSeal(turn)
    return OpenSeal(
        turn,
        StoredSecret(
            str(opened.blind), Raw(opened.command or b""), str(opened.salt), opened.values or ()
        ),
    )


def _check_bounds(first: RecordedEvent, command: Message) -> None:
    """Check that the command's fields are within the limits that apply to commands."""
    try:
        check_bounds(command)
    except msgspec.ValidationError as wrong:
        found = f"{wrong}: {encode(command).decode()}"
        raise VerificationError(
            first.version, "E_FORMAT", found, "an event whose fields are within their limits"
        ) from None


# Ruleset turns: replay the declared command.


class RecordedChance:
    """Supplies recorded values instead of new random values.

    It also checks that the rules ask for exactly these values.
    """

    def __init__(self, version: int, values: Values) -> None:
        self._version, self._values = version, values
        self._nth = 0

    def draw(self, sides: int) -> int:
        recorded, face = self._values[self._nth] if self._nth < len(self._values) else (0, 0)
        if recorded != sides:
            raise VerificationError(
                self._version,
                "E_OUTCOME",
                self._values,
                f"value {self._nth} from a die with {sides} sides",
            )
        self._nth += 1
        return face

    def end(self) -> None:
        if self._nth < len(self._values):
            raise VerificationError(
                self._version, "E_OUTCOME", self._values, self._values[: self._nth]
            )


def decide_ruleset_turn(session: Session, turn: Sequence[FileEvent]) -> ExpectedTurn:
    """Return the events that a turn's command should have produced.

    The command must not be sealed. Raises Refused or VerificationError if the turn is not allowed.
    """
    first = turn[0]
    assert isinstance(first, RecordedEvent)
    if not isinstance(first.body, Declared):
        raise VerificationError(
            first.version,
            "E_OUTCOME",
            type(first.body).__name__,
            "session.Declared as the first event in the turn",
        )
    by = session.by(first.seat)
    if first.body.values is not UNSET:
        return _decide_declared_dice(session, first.body, by)
    if first.body.draw is not UNSET:
        return _decide_drawn(session, first.body, by, turn[1])
    return _decide_without_chance(session, first, first.body, by)


def decide_opened_turn(
    session: Session, turn: Sequence[FileEvent], opening: RecordedEvent
) -> ExpectedTurn:
    """Return the events that an opened secret draw should have produced.

    `opening` is the draw's SealOpened event. Raises Refused or VerificationError if the turn is not
    allowed.
    """
    first, second = turn[0], turn[1]
    assert isinstance(first, RecordedEvent)
    assert isinstance(first.body, Declared)
    assert isinstance(second, RecordedEvent)
    opened = opening.body
    assert isinstance(opened, SealOpened)
    chance = RecordedChance(opening.version, opened.values or ())
    events = judge(
        session,
        _to_declare(replace(first.body, command=opened.command)),
        session.by(first.seat),
        chance,
    )
    chance.end()
    return (
        (first.seat, first.body),
        (HOUSE, second.body),
        *((first.seat, event) for event in events),
    )


def _decide_declared_dice(session: Session, command: Declared, by: By) -> ExpectedTurn:
    dice = Dice(_declared_faces(command))
    events = judge(session, _to_declare(command), by, dice)
    return (by.seat, replace(command, values=dice.values)), *((by.seat, event) for event in events)


def _declared_faces(command: Declared) -> tuple[int, ...]:
    return tuple(face for _, face in command.values or ())


def _decide_drawn(session: Session, command: Declared, by: By, second: FileEvent) -> ExpectedTurn:
    assert isinstance(second, RecordedEvent)
    assert isinstance(second.body, Drawn)
    chance = RecordedChance(second.version, second.body.values)
    events = judge(session, _to_declare(command), by, chance)
    chance.end()
    return (by.seat, command), (HOUSE, second.body), *((by.seat, event) for event in events)


def _decide_without_chance(
    session: Session, first: RecordedEvent, command: Declared, by: By
) -> ExpectedTurn:
    try:
        events = judge(session, _to_declare(command), by, UndrawnChance())
    except NeedsDrawError:
        raise VerificationError(
            first.version, "E_OUTCOME", "no draw", "a draw, because the command needs random values"
        ) from None
    return (by.seat, command), *((by.seat, event) for event in events)


def is_undrawn(turn: Sequence[FileEvent]) -> bool:
    """Return True if the turn declares a draw that was voided or has not ended."""
    first, *rest = turn
    if (
        not isinstance(first, RecordedEvent)
        or not isinstance(first.body, Declared)
        or first.body.draw is UNSET
    ):
        return False
    return not rest or (isinstance(rest[0], RecordedEvent) and isinstance(rest[0].body, DrawVoided))


def check_draw_needed(
    session: Session, first: RecordedEvent, opening: RecordedEvent | None
) -> None:
    """Check that the command needs random values.

    Raises VerificationError if it needs none, and Refused if the rules do not allow the command.
    """
    assert isinstance(first.body, Declared)
    command = first.body
    if opening is not None and isinstance(opening.body, SealOpened):
        command = replace(command, command=opening.body.command)
    try:
        judge(session, _to_declare(command), session.by(first.seat), UndrawnChance())
    except NeedsDrawError:
        return
    raise VerificationError(
        first.version, "E_OUTCOME", "a draw", "no draw, because the command needs no random values"
    )


def _to_declare(command: Declared) -> Declare:
    faces = UNSET if command.values is UNSET else _declared_faces(command)
    return Declare(
        command.command or Raw(b""),
        faces,
        command.audience,
        target=command.target,
        dice_name=command.dice_name,
    )


def check_unopened_turn(session: Session, turn: Sequence[FileEvent]) -> None:
    """Check the visible parts of a turn that is sealed or depends on a sealed table.

    The seat must be allowed to act, and each event must be of an allowed type. Raises Refused or
    VerificationError otherwise.
    """
    first = turn[0]
    command = Declare(Raw(b""))
    if isinstance(first, RecordedEvent) and isinstance(first.body, Declared):
        command = _to_declare(first.body)
    check_declared_command(session, command, session.by(first.seat))
    for nth, line in enumerate(turn):
        if not _is_allowed_event(nth, line, first.seat):
            found = "a sealed event" if isinstance(line, SealedEvent) else type(line.body).__name__
            raise VerificationError(
                line.version,
                "E_OUTCOME",
                f"{found} by {line.seat}",
                f"a ruleset event by {first.seat}",
            )


def _is_allowed_event(nth: int, line: FileEvent, seat: str) -> bool:
    if isinstance(line, SealedEvent):
        return line.seat == seat
    if isinstance(line.body, Drawn | DrawVoided):
        return nth == 1 and line.seat == HOUSE
    is_command = isinstance(line.body, Declared)
    return line.seat == seat and (
        is_command if nth == 0 else type(line.body) not in SESSION_EVENT_TYPES
    )


# All turns in a log.


ROLE_RULES = {
    "gm-only",
    "role-may-not",
    "not-your-seat",
    "seat-unknown",
    "seat-reserved",
    "one-gm",
    "seal-not-yours",
    "words-not-yours",
}
LINEAGE_RULES = ("rewind-", "take-back-", "fork-")
RULESET_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""Exceptions that a ruleset may raise for events whose command could not be replayed."""


def group_turns(lines: Iterable[FileEvent]) -> Iterator[tuple[FileEvent, ...]]:
    return (tuple(turn) for _, turn in groupby(lines, key=lambda line: line.turn))


class RulesCheck:
    """Checks the turns in a log one by one, and stores the session after each version.

    `sealed[version]` is True if the table at that version is unknown. Methods raise
    VerificationError if a check fails.
    """

    def __init__(self, session: str, lines: Iterable[FileEvent]) -> None:
        """Prepare to check a log from its first event.

        `lines` is the whole log. The openings of secret draws are collected from it in advance.
        """
        self.sessions: list[Session] = [initial(session)]
        self.sealed = [False]
        self.unchecked = 0
        self._lines: list[FileEvent] = []
        self._history = History(self.sessions.__getitem__, self._events_between)
        self._openings = _openings_by_draw(lines)
        self._wordless: set[int] = set()  # turns whose only event has no opening

    def read(self, turn: Sequence[FileEvent]) -> None:
        version = turn[0].version
        try:
            self._check(turn)
            for line in turn:
                self._evolve(line, turn)
        except Refused as refused:
            raise VerificationError(
                version,
                _refusal_code(refused.rule),
                f"a command that the rule {refused.rule} forbids: {refused.facts}",
                "a command that the rules allow",
            ) from None
        except RULESET_ERRORS as wrong:
            raise VerificationError(
                version, "E_OUTCOME", repr(wrong), "events that the ruleset can process"
            ) from None

    def _check(self, turn: Sequence[FileEvent]) -> None:
        session, first = self.sessions[-1], turn[0]
        if isinstance(first, RecordedEvent) and isinstance(first.body, Drawn | DrawVoided):
            self._check_end(session, turn)
        elif is_session_turn(first):
            self._check_session_turn(session, turn)
        elif is_wordless(turn):
            _check_not_auditor(session, first)
            self._wordless.add(first.turn)
        else:
            self._check_command(session, turn, self.sealed[-1])

    def _check_end(self, session: Session, rest: Sequence[FileEvent]) -> None:
        """Check the events that end a pending draw.

        The command is decided again on the table as it was before the draw was declared.
        """
        if session.pending is None:
            raise VerificationError(
                rest[0].version,
                "E_OUTCOME",
                "the result of a draw",
                "a declaration of the draw before its result",
            )
        before = session.pending.version - 1
        self._check_command(
            self.sessions[before], (self._lines[before], *rest), self.sealed[before]
        )

    def _check_command(self, session: Session, turn: Sequence[FileEvent], unknown: bool) -> None:
        """Check a ruleset turn, and replay its command if it is readable.

        If `unknown` is True, the table before the turn is sealed, so the command cannot be
        replayed.
        """
        first, sealed = turn[0], any(isinstance(line, SealedEvent) for line in turn)
        k = _secret_draw_index(first)
        opening = None if k is None else self._openings.get(k)
        if is_undrawn(turn):
            self._check_waiting(session, turn, unknown, opening)
        elif not unknown and opening:
            _compare_turn(turn, decide_opened_turn(session, turn, opening), whole=False)
            self.unchecked += sealed
        elif unknown or sealed or k is not None:
            check_unopened_turn(session, turn)
            self.unchecked += 1
        else:
            _compare_turn(turn, decide_ruleset_turn(session, turn))

    def _check_waiting(
        self,
        session: Session,
        turn: Sequence[FileEvent],
        unknown: bool,
        opening: RecordedEvent | None,
    ) -> None:
        """Check that a declaration without a result is allowed and requires a draw."""
        first, is_over = turn[0], len(turn) > 1
        if len(turn) > 2:
            raise VerificationError(
                turn[2].version, "E_OUTCOME", _describe_line(turn[2]), "the end of the turn"
            )
        assert isinstance(first, RecordedEvent)
        assert isinstance(first.body, Declared)
        check_unopened_turn(session, turn)
        if not unknown and (opening or first.body.command is not UNSET):
            check_draw_needed(session, first, opening)
        else:
            self.unchecked += is_over

    def _check_session_turn(self, session: Session, turn: Sequence[FileEvent]) -> None:
        first = turn[0]
        assert isinstance(first, RecordedEvent)
        unknown = self._depends_on_unknown(session, first)
        written = decide_session_turn(session, turn, self._history, unknown)
        self.unchecked += unknown
        if isinstance(first.body, Closed):
            written = self._with_allowed_seals(session, first.body, written)
        _compare_turn(_without_optional_seals(turn), written)

    def _depends_on_unknown(self, session: Session, first: RecordedEvent) -> bool:
        """Return True if the result of a session command depends on a sealed table."""
        match first.body:
            case Closed():
                return self.sealed[-1]
            case Rewound():
                held = session.info.seats.get(first.seat)
                return self.sealed[-1] and held is not None and held.role is Role.PLAYER
            case Forked(version=version):
                return 0 < version < len(self.sealed) and self.sealed[version]
        return False

    def _with_allowed_seals(
        self, session: Session, closed: Closed, written: ExpectedTurn
    ) -> ExpectedTurn:
        """Return the expected Closed event, with the recorded seal counts if they are plausible.

        The exact counts cannot be computed, because a turn without an opening may be a secret turn
        or one whose text was redacted. The recorded counts are accepted if they are within the
        possible range.
        """
        ((seat, expected),) = written
        assert isinstance(expected, Closed)
        seals = session.secrets.seals
        lost = Counter(seals[turn].seat for turn in self._wordless if turn in seals)
        most = Counter(expected.unopened)
        fits = all(
            (most - lost)[of] <= closed.unopened.get(of, 0) <= most[of]
            for of in {*most, *closed.unopened}
        )
        if not fits or 0 in closed.unopened.values():
            return written
        return ((seat, replace(expected, unopened=closed.unopened)),)

    def _events_between(self, after: int, upto: int) -> Iterator[RecordedEvent]:
        return (line for line in self._lines[after:upto] if isinstance(line, RecordedEvent))

    def _evolve(self, line: FileEvent, turn: Sequence[FileEvent]) -> None:
        session, sealed = self.sessions[-1], self.sealed[-1]
        self._lines.append(line)
        if isinstance(line, SealedEvent):
            self.sessions.append(evolve_sealed(session, line, turn))
            self.sealed.append(sealed or not (is_wordless(turn) or is_nameless(turn)))
            return
        self.sessions.append(evolve(session, line, self._history))
        self.sealed.append(self.sealed[line.body.to] if isinstance(line.body, Rewound) else sealed)


def _openings_by_draw(lines: Iterable[FileEvent]) -> dict[int, RecordedEvent]:
    events = (line for line in lines if isinstance(line, RecordedEvent))
    return {f.body.k: f for f in events if isinstance(f.body, SealOpened) and f.body.k is not UNSET}


def _secret_draw_index(first: FileEvent) -> int | None:
    if (
        not isinstance(first, RecordedEvent)
        or not isinstance(first.body, Declared)
        or first.body.command is not UNSET
    ):
        return None
    return None if first.body.draw is UNSET else first.body.draw.k


def _check_not_auditor(session: Session, first: FileEvent) -> None:
    if session.by(first.seat).role is Role.AUDITOR:
        raise Refused("role-may-not", role=Role.AUDITOR.value)


def _without_optional_seals(turn: Sequence[FileEvent]) -> Sequence[FileEvent]:
    """Return the turn without the sealed events that its type permits.

    These are the redacted name of a new player and the sealed table of a fork.
    """
    first = turn[0]
    inherits = (
        isinstance(first, RecordedEvent) and isinstance(first.body, Opened) and len(turn) == 2
    )
    return (
        turn[:1] if is_nameless(turn) or (inherits and isinstance(turn[1], SealedEvent)) else turn
    )


def _compare_turn(turn: Sequence[FileEvent], written: ExpectedTurn, *, whole: bool = True) -> None:
    """Compare a turn with the expected events.

    If `whole` is False, events may be sealed. For sealed events, only the seats are compared.
    Raises VerificationError if the turn differs.
    """
    for line, expected in zip_longest(turn, written):
        if line is None:
            raise VerificationError(
                turn[-1].version + 1, "E_OUTCOME", "the end of the turn", _describe_event(*expected)
            )
        if expected is None or (whole and isinstance(line, SealedEvent)):
            raise VerificationError(
                line.version, "E_OUTCOME", _describe_line(line), "the end of the turn"
            )
        seat, event = expected
        differs = isinstance(line, RecordedEvent) and line.body is not event and line.body != event
        if line.seat != seat or differs:
            raise VerificationError(
                line.version, "E_OUTCOME", _describe_line(line), _describe_event(seat, event)
            )


def _describe_line(line: FileEvent) -> str:
    return (
        f"{line.seat}: a sealed event"
        if isinstance(line, SealedEvent)
        else _describe_event(line.seat, line.body)
    )


def _describe_event(seat: str, event: Message) -> str:
    return f"{seat}: {encode(event).decode()}"


def _refusal_code(rule: str) -> str:
    if rule in ROLE_RULES:
        return "E_ROLE"
    return "E_LINEAGE" if rule.startswith(LINEAGE_RULES) else "E_OUTCOME"
