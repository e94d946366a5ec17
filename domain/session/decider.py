"""The decider for session-level commands, such as Rewind and Fork (RULES.md)."""

from __future__ import annotations

from collections import Counter

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused, Role
from domain.ruleset import Message
from domain.rulesets import RULESETS_BY_EDITION
from domain.session.messages import (
    AnchorChain,
    Anchored,
    Audience,
    BringChain,
    ChainAnchored,
    Close,
    Closed,
    Fork,
    Forked,
    HandOver,
    Hex32,
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
    TakeHouse,
    TakeSeat,
)
from domain.session.secrets import fold_visible, hidden_from, is_for, sees, visible_table
from domain.session.state import (
    HOUSE,
    PUBLIC,
    History,
    Seat,
    Session,
    all_options,
)

MAX_SEATS = 64
ALLOWED_AFTER_CLOSE = (Narrate, Redact, OpenSeal, Fork)
ALLOWED_WHILE_DRAW_WAITS = (TakeSeat, BringChain, NameSeat, Narrate, Redact)


def decide(session: Session, command: Message, by: By, history: History) -> tuple[Message, ...]:
    """Return the events that a session-level command causes.

    Raises Refused if the command is not allowed. Ruleset commands are decided in
    `domain.session.turns`.
    """
    if session.info.closed and not isinstance(command, ALLOWED_AFTER_CLOSE):
        raise Refused("session-closed")
    if session.pending is not None and not isinstance(command, ALLOWED_WHILE_DRAW_WAITS):
        raise Refused("draw-waits", draw=session.pending.k)
    match command:
        case Open():
            return open_session(session, command)
        case Rewind():
            return rewind(session, command, by, history)
        case Narrate():
            return narrate(session, command, by)
        case Redact():
            return redact(session, command, by, history)
        case OpenSeal():
            return open_seal(session, command, by)
        case Fork():
            return fork(session, command, by, history)
        case Close():
            return close(session, command, by)
    return _decide_on_seats(session, command, by)


def _decide_on_seats(session: Session, command: Message, by: By) -> tuple[Message, ...]:
    match command:
        case TakeHouse():
            return take_house(command, by)
        case AnchorChain():
            return anchor_chain(session, command, by)
        case BringChain():
            return bring_chain(session, command, by)
        case SetPresence():
            return set_presence(session, command, by)
        case TakeSeat():
            return take_seat(session, command, by)
        case LeaveSeat():
            return leave_seat(session, command, by)
        case NameSeat():
            return name_seat(session, command, by)
        case HandOver():
            return hand_over(session, command, by)
    raise TypeError(command)


def open_session(session: Session, command: Open) -> tuple[Message, ...]:
    if session.version:
        raise Refused("already-open")
    ruleset = RULESETS_BY_EDITION.get((command.ruleset, command.edition))
    if ruleset is None:
        raise Refused("ruleset-unknown", ruleset=command.ruleset, edition=command.edition)
    options = all_options(ruleset, command.options)
    if command.draws == "house":  # draws never wait, so there is no deadline
        if "deadline" in command.options:
            raise Refused("deadline-of-the-house")
        del options["deadline"]
    opened = Opened(
        command.draws,
        command.edition,
        command.log_key,
        options,
        command.ruleset,
        command.title,
        command.parent,
        command.extensions,
        format=UNSET if command.log_format == 1 else command.log_format,
    )
    if command.table is UNSET:
        return (opened,)
    return (opened, Inherited(command.table, command.audience))


def take_house(command: TakeHouse, by: By) -> tuple[Message, ...]:
    house_only(by)
    taken = SeatTaken(
        Role.HOUSE,
        HOUSE,
        command.anchor,
        0,
        command.length,
        command.public_key,
        command.signature,
        next_blind=command.next_blind,
    )
    return (taken,)


def take_seat(session: Session, command: TakeSeat, by: By) -> tuple[Message, ...]:
    seats = session.info.seats
    held = seats.get(command.seat)
    if command.seat == HOUSE or command.role is Role.HOUSE:
        raise Refused("seat-reserved", seat=command.seat)
    if by.seat != command.seat:
        raise Refused("not-your-seat", seat=command.seat, by=by.seat)
    if held is not None and held.present:
        raise Refused("seat-held", seat=command.seat)
    if held is not None and held.role is not command.role:
        raise Refused(
            "role-differs", seat=command.seat, held=held.role.value, asked=command.role.value
        )
    if held is None and len(seats) >= MAX_SEATS:
        raise Refused("too-many-seats", most=MAX_SEATS)
    if command.role is Role.GM and any(seat.role is Role.GM for seat in seats.values()):
        raise Refused("one-gm")
    if held is not None and held.public_key is not UNSET and command.chain is UNSET:
        raise Refused("chain-needed", seat=command.seat)
    taken = _seat_taken(session, command.seat, command.role, command.chain)
    return (taken,) if command.name is UNSET else (taken, SeatNamed(command.name, command.seat))


def bring_chain(session: Session, command: BringChain, by: By) -> tuple[Message, ...]:
    if by.role is Role.HOUSE:
        raise Refused("seat-reserved", seat=by.seat)
    if session.info.seats[by.seat].public_key is not UNSET:
        raise Refused("chain-there", seat=by.seat)
    return (_seat_taken(session, by.seat, by.role, command.chain),)


def anchor_chain(session: Session, command: AnchorChain, by: By) -> tuple[Message, ...]:
    held = session.chains.get(by.seat)
    if held is None:
        raise Refused("no-chain", seat=by.seat)
    _check_unused(session, command.anchor)
    return (
        ChainAnchored(
            command.anchor,
            held.number + 1,
            command.length,
            by.seat,
            command.signature,
            command.previous_link,
        ),
    )


def leave_seat(session: Session, command: LeaveSeat, by: By) -> tuple[Message, ...]:
    held = _present_seat(session, command.seat)
    if by.seat != command.seat and not by.is_gm:
        raise Refused("not-your-seat", seat=command.seat, by=by.seat)
    if held.role is Role.GM:
        raise Refused("gm-stays", seat=command.seat)
    _check_statement(held, command.seat, by, command.signature)
    seen = _seen(session, command)
    return (SeatLeft(held.nth + 1, command.seat, command.signature, *seen),)


def set_presence(session: Session, command: SetPresence, by: By) -> tuple[Message, ...]:
    held = _present_seat(session, command.seat)
    if by.seat != command.seat and (command.present or by.role not in (Role.GM, Role.HOUSE)):
        raise Refused("not-your-seat", seat=command.seat, by=by.seat)
    if held.away is not command.present:
        raise Refused("presence-unchanged", seat=command.seat, present=command.present)
    _check_statement(held, command.seat, by, command.signature)
    seen = _seen(session, command)
    return (PresenceSet(held.nth + 1, command.present, command.seat, command.signature, *seen),)


def name_seat(session: Session, command: NameSeat, by: By) -> tuple[Message, ...]:
    if by.seat != command.seat and not by.is_gm:
        raise Refused("not-your-seat", seat=command.seat, by=by.seat)
    if command.seat == HOUSE:
        raise Refused("seat-reserved", seat=command.seat)
    if command.seat not in session.info.seats:
        raise Refused("seat-unknown", seat=command.seat)
    return (SeatNamed(command.name, command.seat),)


def hand_over(session: Session, command: HandOver, by: By) -> tuple[Message, ...]:
    by.require_gm()
    heir = session.by(command.seat)
    if heir.role is not Role.PLAYER:
        raise Refused("not-a-player", seat=command.seat, role=heir.role.value)
    return (SeatTaken(Role.GM, command.seat), SeatTaken(Role.PLAYER, by.seat))


def house_only(by: By) -> None:
    if by.role is not Role.HOUSE:
        raise Refused("seat-reserved", seat=HOUSE)


def _seat_taken(session: Session, seat: str, role: Role, chain: Anchored | UnsetType) -> SeatTaken:
    """Return the SeatTaken event, with a new chain number if `chain` is given.

    Raises Refused if the chain reuses an anchor or another seat's key, or changes the seat's key.
    """
    if chain is UNSET:
        return SeatTaken(role, seat)
    seats, old = session.info.seats, session.chains.get(seat)
    key = seats[seat].public_key if seat in seats else UNSET
    others = (held.public_key for other, held in seats.items() if other != seat)
    if chain.public_key in others or key not in (UNSET, chain.public_key):
        raise Refused("key-differs" if key is not UNSET else "key-taken", seat=seat)
    _check_unused(session, chain.anchor)
    number = 0 if old is None else old.number + 1
    return SeatTaken(
        role,
        seat,
        chain.anchor,
        number,
        chain.length,
        chain.public_key,
        chain.signature,
        chain.previous_link,
    )


def _check_unused(session: Session, anchor: str) -> None:
    if anchor in session.info.anchors:
        raise Refused("anchor-used", anchor=anchor)


def _present_seat(session: Session, seat: str) -> Seat:
    held = session.info.seats.get(seat)
    if held is None or not held.present:
        raise Refused("seat-unknown", seat=seat)
    if held.role is Role.HOUSE:
        raise Refused("seat-reserved", seat=seat)
    return held


def _check_statement(held: Seat, seat: str, by: By, signature: str | UnsetType) -> None:
    """Raise Refused unless `by` may vacate the seat or change its presence.

    A seat that sends the command itself must sign it if it has a chain, and only then. A command
    from another seat must not be signed. If the seat has a chain, such a command is allowed only
    after the seat has missed a draw.
    """
    if by.seat == seat:
        if (held.public_key is UNSET) is not (signature is UNSET):
            raise Refused("signature-needed" if signature is UNSET else "no-chain", seat=seat)
    elif signature is not UNSET:
        raise Refused("not-your-seat", seat=seat, by=by.seat)
    elif held.public_key is not UNSET and not held.missed:
        raise Refused("not-missed", seat=seat)


def _seen(
    session: Session, command: LeaveSeat | SetPresence
) -> tuple[Hex32 | UnsetType, int | UnsetType]:
    """Return the root and size that the seat signed, which only format 2 records."""
    if command.signature is UNSET or session.info.log_format == 1:
        return UNSET, UNSET
    return command.seen_root, command.seen_size


def rewind(session: Session, command: Rewind, by: By, history: History) -> tuple[Message, ...]:
    if not by.is_gm:
        _check_take_back(session, command, by, history)
    if command.to == session.version:
        raise Refused("rewind-to-present", to=command.to)
    if command.to > session.version:
        raise Refused("rewind-beyond-end", to=command.to, version=session.version)
    if _is_inside_turn(session, command.to, history):
        raise Refused("rewind-inside-turn", to=command.to, turn=history.state(command.to).turn)
    return (Rewound(command.reason, command.to),)


def _check_take_back(session: Session, command: Rewind, by: By, history: History) -> None:
    """Raise Refused unless a player is taking back their own last, unsettled command."""
    if by.role is not Role.PLAYER or session.info.options.get("take_back") is not True:
        raise Refused("gm-only", role=by.role.value)
    if session.last_command.seat != by.seat or session.last_command.before != command.to:
        raise Refused("take-back-not-yours", by=by.seat, to=command.to)
    before, now = (
        session.ruleset.show(visible_table(each, by.seat)).tasks
        for each in (history.state(command.to), session)
    )
    if not any(task.seat == by.seat and before.get(name) != task for name, task in now.items()):
        raise Refused("take-back-settled", by=by.seat)


def _is_inside_turn(session: Session, version: int, history: History) -> bool:
    """Return True if a turn is incomplete at the given version."""
    then = history.state(version) if version < session.version else session
    return then.pending is not None or (
        version < session.version and then.turn == history.state(version + 1).turn
    )


def narrate(session: Session, command: Narrate, by: By) -> tuple[Message, ...]:
    if by.role is Role.AUDITOR:
        raise Refused("role-may-not", role=by.role.value)
    if command.about is not UNSET and command.about > session.version:
        raise Refused("about-nowhere", about=command.about, version=session.version)
    check_audience(session, command.audience)
    return (Narrated(command.text, command.about, command.audience),)


def redact(session: Session, command: Redact, by: By, history: History) -> tuple[Message, ...]:
    """Return the event that redacts a narration or a seat's name.

    Raises Refused unless the command comes from the author, the GM, or the house (on behalf of the
    operator). The refusal does not reveal to other seats whether a sealed event is a narration.
    """
    if by.role is Role.AUDITOR:
        raise Refused("role-may-not", role=by.role.value)
    if command.of > session.version:
        raise Refused("redact-nowhere", event=command.of, version=session.version)
    # During verification, there is no event here if the file does not include its opening.
    for recorded in history.events(command.of - 1, command.of):
        has_text = not recorded.committed and isinstance(recorded.body, Narrated | SeatNamed)
        author = recorded.body.seat if isinstance(recorded.body, SeatNamed) else recorded.seat
        may = by.seat in (author, recorded.seat) or by.role in (Role.GM, Role.HOUSE)
        if not may and (has_text or not sees(session, by.seat, recorded)):
            raise Refused("words-not-yours", event=command.of)
        if not has_text:
            raise Refused("no-words-there", event=command.of)
    return (Redacted(command.of, command.reason),)


def check_audience(session: Session, audience: Audience | UnsetType) -> None:
    """Raise Refused if the audience includes the GM but the session has no GM."""
    if audience in ("gm", "blind") and not any(
        held.role is Role.GM for held in session.info.seats.values()
    ):
        raise Refused("audience-empty", audience=str(audience))


def open_seal(session: Session, command: OpenSeal, by: By) -> tuple[Message, ...]:
    seal = session.secrets.seals.get(command.turn)
    if seal is None:
        raise Refused("nothing-sealed", turn=command.turn)
    if by.role not in (Role.GM, Role.PLAYER, Role.SPECTATOR):
        raise Refused("role-may-not", role=by.role.value)
    if not is_for(session, seal, by.seat):
        raise Refused("seal-not-yours", turn=command.turn, audience=seal.audience)
    if seal.k is UNSET:
        return (SealOpened(turn=command.turn),)
    secret = command.kept
    if secret is UNSET:
        raise Refused("imported")
    return (SealOpened(secret.blind, secret.command, seal.k, secret.salt, values=secret.values),)


def fork(session: Session, command: Fork, by: By, history: History) -> tuple[Message, ...]:
    if by.role not in (Role.GM, Role.PLAYER, Role.SPECTATOR):
        raise Refused("role-may-not", role=by.role.value)
    if command.version > session.version:
        raise Refused("fork-beyond-end", at=command.version, version=session.version)
    if _is_inside_turn(session, command.version, history):
        raise Refused(
            "fork-inside-turn", at=command.version, turn=history.state(command.version).turn
        )
    if hides_part(session, by.seat, command.version, history):
        raise Refused("fork-of-a-secret", at=command.version)
    return (Forked(command.child, command.version),)


def hides_part(session: Session, seat: str, version: int, history: History) -> bool:
    """Return True if part of the table at this version is hidden from the seat."""
    return (
        fold_visible(session, hidden_from(session, seat), version, history)
        != history.state(version).table
    )


def close(session: Session, command: Close, by: By) -> tuple[Message, ...]:
    """Return the Closed event.

    The options for the next session are derived only from what everyone may see.
    """
    by.require_gm()
    unopened = Counter(seal.seat for seal in session.secrets.seals.values())
    table = visible_table(session, PUBLIC)
    carried = dict(session.ruleset.carry(table)) if command.carry_over else {}
    return (Closed(carried, dict(unopened)),)
