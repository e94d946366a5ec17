"""Evolve: functions that apply events to a session.

Events already contain their results, so nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import Role
from domain.recorded_event import RecordedEvent
from domain.ruleset import Message
from domain.rulesets import RULESETS_BY_EDITION
from domain.session.messages import (
    ChainAnchored,
    Closed,
    Contribution,
    Declared,
    Draw,
    Drawn,
    DrawVoided,
    Inherited,
    Narrated,
    Opened,
    PresenceSet,
    Redacted,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatNamed,
    SeatTaken,
)
from domain.session.secrets import SESSION_EVENT_TYPES, inherited_table, is_secret, update_tables
from domain.session.state import (
    HOUSE,
    Chain,
    History,
    LastCommand,
    Pending,
    Seal,
    Seat,
    Secrets,
    Session,
    SessionInfo,
    initial,
    ruleset_options,
)


def evolve(session: Session, recorded: RecordedEvent, history: History) -> Session:
    """Return the session after its next event, `recorded`.

    For a rewind, the earlier table is read from `history`.
    """
    then = history.state(recorded.body.to) if isinstance(recorded.body, Rewound) else session
    after = _evolve(session, then, recorded)
    return update_tables(then, after, recorded, history) if after.secrets.since else after


def fold_sessions(events: Sequence[RecordedEvent]) -> Callable[[int], Session]:
    """Return a function that returns the session at a given version.

    The first call to the returned function applies all events.
    """

    @cache
    def sessions() -> list[Session]:
        states = [initial(events[0].session)]
        history = History(states.__getitem__, lambda after, upto: events[after:upto])
        for recorded in events:
            states.append(evolve(states[-1], recorded, history))
        return states

    return lambda version: sessions()[version]


def _evolve(session: Session, then: Session, recorded: RecordedEvent) -> Session:
    """Return the session after an event, before `tables_by_seat` is updated.

    For a rewind, `then` is the session at the version to return to. For any other event, it is
    `session`.
    """
    event = recorded.body
    if type(event) not in SESSION_EVENT_TYPES:
        return _advance(
            session, recorded, table=session.ruleset.decider.evolve(session.table, event)
        )
    match event:
        case Declared():
            return _declare(session, recorded, event)
        case Drawn() | DrawVoided():
            return _end_draw(session, recorded, event)
        case Rewound():
            return _advance(session, recorded, table=then.table, last_command=then.last_command)
        case Opened():
            return _open(session, recorded, event)
        case Inherited():
            return _advance(
                session,
                recorded,
                table=inherited_table(session.ruleset, event),
                secrets=_add_seal(session, recorded),
            )
        case SeatNamed() if recorded.committed:  # a redacted name has no effect
            return _advance(session, recorded)
        case Redacted():
            return _advance(
                session, recorded, info=replace(session.info, redacted=recorded.version)
            )
        case Narrated():
            return _advance(session, recorded, secrets=_add_seal(session, recorded))
        case SealOpened():
            return _advance(session, recorded, secrets=_remove_seal(session, event))
        case ChainAnchored() | SeatTaken():
            return _anchor(session, recorded, event)
    return _advance(session, recorded, info=evolve_info(session.info, event))


def _open(session: Session, recorded: RecordedEvent, event: Opened) -> Session:
    ruleset = RULESETS_BY_EDITION[event.ruleset, event.edition]
    info = SessionInfo(
        event.ruleset,
        event.edition,
        event.title,
        event.options,
        event.log_key,
        {},
        False,
        event.draws,
        log_format=1 if event.format is UNSET else event.format,
        extensions=event.extensions or (),
    )
    return _advance(
        session,
        recorded,
        info=info,
        table=ruleset.decider.initial(ruleset_options(ruleset, event.options)),
    )


def _declare(session: Session, recorded: RecordedEvent, event: Declared) -> Session:
    last_command, secrets = (
        LastCommand(recorded.seat, session.version),
        _add_seal(session, recorded),
    )
    if event.draw is UNSET:
        return _advance(session, recorded, last_command=last_command, secrets=secrets)
    return _advance(
        session,
        recorded,
        last_command=last_command,
        secrets=secrets,
        **_pending_draw(session, recorded, event.draw),
    )


def _pending_draw(session: Session, recorded: RecordedEvent, draw: Draw) -> dict[str, Any]:
    """Return the fields of Session that change when a draw is declared."""
    chains, next_chain = dict(session.chains), session.next_chain
    for seat, number, position in draw.contributors:
        chain = chains[seat]
        if next_chain is not None and seat == HOUSE and number == next_chain.number:
            chain, next_chain = next_chain, None
        chains[seat] = Chain(
            chain.number, chain.length, position, chain.link, chain.shown, recorded.version
        )
    pending = Pending(
        recorded.version,
        recorded.turn,
        recorded.seat,
        recorded.at,
        draw.k,
        draw.contributors,
        session.last_command,
    )
    return {"k": draw.k + 1, "chains": chains, "pending": pending, "next_chain": next_chain}


def _reveal_links(session: Session, contributions: Iterable[Contribution]) -> dict[str, Chain]:
    chains = dict(session.chains)
    for each in contributions:
        chain = chains[each.seat]
        chains[each.seat] = Chain(
            chain.number,
            chain.length,
            chain.position,
            each.link,
            each.position,
            chain.requested_at,
        )
    return chains


def _clear_missed(info: SessionInfo, contributions: Iterable[Contribution]) -> SessionInfo:
    """Return `info` with `missed` set to False for each seat that contributed."""
    contributed = {each.seat for each in contributions if info.seats[each.seat].missed}
    if not contributed:
        return info
    seats = {
        seat: replace(held, missed=False) if seat in contributed else held
        for seat, held in info.seats.items()
    }
    return replace(info, seats=seats)


def _end_draw(session: Session, recorded: RecordedEvent, event: Drawn | DrawVoided) -> Session:
    info, last_command = _clear_missed(session.info, event.contributions), session.last_command
    if isinstance(event, DrawVoided):
        missed = {seat: replace(info.seats[seat], missed=True) for seat in event.missing}
        info = replace(info, seats=info.seats | missed)
        last_command = session.pending.last_command if session.pending else last_command
    return _advance(
        session,
        recorded,
        chains=_reveal_links(session, event.contributions),
        info=info,
        last_command=last_command,
        pending=None,
        next_blind=event.next_blind or "",
    )


def _anchor(session: Session, recorded: RecordedEvent, event: ChainAnchored | SeatTaken) -> Session:
    """Return the session after a seat event, with the event's new chain if it has one."""
    info, secrets = session.info, session.secrets
    if isinstance(event, SeatTaken):
        info, secrets = evolve_info(info, event), _after_role_change(session, event)
    if event.anchor is UNSET or event.chain is UNSET or event.length is UNSET:
        return _advance(session, recorded, info=info, secrets=secrets)
    info = replace(info, anchors=(*info.anchors, event.anchor))
    chain, old = Chain(event.chain, event.length, 0, event.anchor), session.chains.get(event.seat)
    if old is not None:
        chain = replace(chain, requested_at=old.requested_at)
        if event.seat == HOUSE and info.log_format > 1:
            return _advance(session, recorded, info=info, secrets=secrets, next_chain=chain)
    chains, next_blind = session.chains | {event.seat: chain}, session.next_blind
    if isinstance(event, SeatTaken) and event.seat == HOUSE:
        next_blind = event.next_blind or ""
    return _advance(
        session, recorded, info=info, secrets=secrets, chains=chains, next_blind=next_blind
    )


def _add_seal(session: Session, recorded: RecordedEvent) -> Secrets:
    """Return the secrets, with a seal added if the event begins a secret turn."""
    event, secrets = recorded.body, session.secrets
    if not is_secret(event):
        return secrets
    assert event.audience is not UNSET
    draw = event.draw if isinstance(event, Declared) else UNSET
    seal = Seal(recorded.version, recorded.seat, event.audience, UNSET if draw is UNSET else draw.k)
    return Secrets(
        secrets.since or recorded.version, secrets.turned, secrets.seals | {recorded.turn: seal}
    )


def _after_role_change(session: Session, event: SeatTaken) -> Secrets:
    """Return the session's secrets after a seat is taken or its role changes.

    `turned` is updated if the event changes which seats may see a secret.
    """
    held = session.info.seats.get(event.seat)
    if event.role is not Role.GM and (held is None or held.role is event.role):
        return session.secrets
    return replace(session.secrets, turned=session.version + 1)


def _remove_seal(session: Session, opened: SealOpened) -> Secrets:
    secrets = session.secrets
    left = {
        turn: seal for turn, seal in secrets.seals.items() if turn != sealed_turn(secrets, opened)
    }
    return Secrets(secrets.since, session.version + 1, left)


def sealed_turn(secrets: Secrets, opened: SealOpened) -> int | None:
    """Return the number of the secret turn that the event opens, or None if not found.

    The event identifies the turn by its draw or, if the turn had no draw, by its number.
    """
    if opened.k is UNSET:
        return None if opened.turn is UNSET else opened.turn
    return next((turn for turn, seal in secrets.seals.items() if seal.k == opened.k), None)


def evolve_info(info: SessionInfo, event: Message) -> SessionInfo:
    """Return `info` after an event that changes a seat or closes the session."""
    match event:
        case SeatTaken():
            return _with_seat(info, event.seat, _take_seat(info.seats.get(event.seat), event))
        case SeatLeft(seat=seat, nth=nth):
            held, unsigned = info.seats[seat], event.signature is UNSET
            return _with_seat(info, seat, replace(held, present=False, nth=nth, unsigned=unsigned))
        case PresenceSet(seat=seat, nth=nth, present=present):
            held = info.seats[seat]
            changed = replace(
                held,
                away=not present,
                nth=nth,
                missed=held.missed and not present,
                unsigned=event.signature is UNSET,
            )
            return _with_seat(info, seat, changed)
        case SeatNamed(seat=seat, name=name):
            return _with_seat(info, seat, replace(info.seats[seat], name=name))
        case Closed():
            return replace(info, closed=True)
    return info


def _take_seat(held: Seat | None, taken: SeatTaken) -> Seat:
    """Return the seat after a SeatTaken event.

    If the seat had been vacated, `away`, `missed` and `unsigned` are reset.
    """
    if held is None:
        return Seat(taken.role, present=True, public_key=taken.public_key)
    key = held.public_key if taken.public_key is UNSET else taken.public_key
    back = not held.present
    return replace(
        held,
        role=taken.role,
        present=True,
        public_key=key,
        away=held.away and not back,
        missed=held.missed and not back,
        unsigned=held.unsigned and not back,
    )


def _with_seat(info: SessionInfo, seat: str, held: Seat) -> SessionInfo:
    return replace(info, seats=info.seats | {seat: held})


def _advance(session: Session, recorded: RecordedEvent, **changed: Any) -> Session:
    return replace(
        session,
        version=session.version + 1,
        turn=max(recorded.turn, session.turn),
        at=recorded.at,
        **changed,
    )
