"""Evolve: the session after a fact. Events hold results, so nothing here decides."""

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
    """Return the session after one more fact. A rewind takes its table from `past`."""
    then = history.state(recorded.body.to) if isinstance(recorded.body, Rewound) else session
    after = _evolve(session, then, recorded)
    return update_tables(then, after, recorded, history) if after.secrets.since else after


def fold_sessions(events: Sequence[RecordedEvent]) -> Callable[[int], Session]:
    """Return the session after a version, computed from all of its facts when first asked for."""

    @cache
    def sessions() -> list[Session]:
        states = [initial(events[0].session)]
        history = History(states.__getitem__, lambda after, upto: events[after:upto])
        for recorded in events:
            states.append(evolve(states[-1], recorded, history))
        return states

    return lambda version: sessions()[version]


def _evolve(session: Session, then: Session, recorded: RecordedEvent) -> Session:
    """Without the sights; the table goes on from what it was `then`."""
    event = recorded.body
    if type(event) not in SESSION_EVENT_TYPES:
        return _next(session, recorded, table=session.ruleset.decider.evolve(session.table, event))
    match event:
        case Declared():
            return _declared(session, recorded, event)
        case Drawn():
            given = event.contributions
            return _next(
                session,
                recorded,
                chains=_shown(session, given),
                info=_answered(session.info, given),
                pending=None,
            )
        case DrawVoided():
            return _voided(session, recorded, event)
        case Rewound():
            return _next(session, recorded, table=then.table, last_command=then.last_command)
        case Opened():
            return _opened(session, recorded, event)
        case Inherited():
            return _next(
                session,
                recorded,
                table=inherited_table(session.ruleset, event),
                secrets=_sealing(session, recorded),
            )
        case SeatNamed() if recorded.committed:  # as if it had not been said
            return _next(session, recorded)
        case Redacted():
            return _next(session, recorded, info=replace(session.info, redacted=recorded.version))
        case Narrated():
            return _next(session, recorded, secrets=_sealing(session, recorded))
        case SealOpened():
            return _next(session, recorded, secrets=_without(session, event))
        case ChainAnchored() | SeatTaken():
            return _anchored(session, recorded, event)
    return _next(session, recorded, info=evolve_info(session.info, event))


def _opened(session: Session, recorded: RecordedEvent, event: Opened) -> Session:
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
    )
    return _next(
        session,
        recorded,
        info=info,
        table=ruleset.decider.initial(ruleset_options(ruleset, event.options)),
    )


def _declared(session: Session, recorded: RecordedEvent, event: Declared) -> Session:
    last_command, secrets = LastCommand(recorded.seat, session.version), _sealing(session, recorded)
    if event.draw is UNSET:
        return _next(session, recorded, last_command=last_command, secrets=secrets)
    return _next(
        session,
        recorded,
        last_command=last_command,
        secrets=secrets,
        **_waiting(session, recorded, event.draw),
    )


def _waiting(session: Session, recorded: RecordedEvent, draw: Draw) -> dict[str, Any]:
    """Return the fields that a pending draw changes: its index and the chains' positions."""
    chains = dict(session.chains)
    for seat, _, position in draw.contributors:
        chain = chains[seat]
        chains[seat] = Chain(chain.number, chain.length, position, chain.link, chain.shown)
    pending = Pending(
        recorded.version,
        recorded.turn,
        recorded.seat,
        recorded.at,
        draw.k,
        draw.contributors,
        session.last_command,
    )
    return {"k": draw.k + 1, "chains": chains, "pending": pending}


def _shown(session: Session, contributions: Iterable[Contribution]) -> dict[str, Chain]:
    """Return the chains with the links that were revealed."""
    chains = dict(session.chains)
    for given in contributions:
        chain = chains[given.seat]
        chains[given.seat] = Chain(
            chain.number, chain.length, chain.position, given.link, given.position
        )
    return chains


def _answered(info: SessionInfo, contributions: Iterable[Contribution]) -> SessionInfo:
    """The frame in which no void names those any more that have given since."""
    back = {given.seat for given in contributions if info.seats[given.seat].missed}
    if not back:
        return info
    seats = {
        seat: replace(held, missed=False) if seat in back else held
        for seat, held in info.seats.items()
    }
    return replace(info, seats=seats)


def _voided(session: Session, recorded: RecordedEvent, event: DrawVoided) -> Session:
    info = _answered(session.info, event.contributions)
    seats = dict(info.seats)
    for seat in event.missing:
        seats[seat] = replace(seats[seat], missed=True)
    last_command = session.pending.last_command if session.pending else session.last_command
    info = replace(info, seats=seats)
    return _next(
        session,
        recorded,
        chains=_shown(session, event.contributions),
        info=info,
        last_command=last_command,
        pending=None,
    )


def _anchored(
    session: Session, recorded: RecordedEvent, event: ChainAnchored | SeatTaken
) -> Session:
    """With the chain that the event brings, if it brings one."""
    info, secrets = session.info, session.secrets
    if isinstance(event, SeatTaken):
        info, secrets = evolve_info(info, event), _seated(session, event)
    if event.anchor is UNSET or event.chain is UNSET or event.length is UNSET:
        return _next(session, recorded, info=info, secrets=secrets)
    chains = session.chains | {event.seat: Chain(event.chain, event.length, 0, event.anchor)}
    info = replace(info, anchors=(*info.anchors, event.anchor))
    return _next(session, recorded, info=info, secrets=secrets, chains=chains)


def _sealing(session: Session, recorded: RecordedEvent) -> Secrets:
    """The secrets with that of a turn that begins so, if it is one."""
    event, secrets = recorded.body, session.secrets
    if not is_secret(event):
        return secrets
    assert event.audience is not UNSET
    draw = event.draw if isinstance(event, Declared) else UNSET
    seal = Seal(recorded.version, recorded.seat, event.audience, UNSET if draw is UNSET else draw.k)
    return Secrets(
        secrets.since or recorded.version, secrets.turned, secrets.seals | {recorded.turn: seal}
    )


def _seated(session: Session, event: SeatTaken) -> Secrets:
    """Return the secrets, marked as seen by other seats after a change of the GM's role."""
    held = session.info.seats.get(event.seat)
    if event.role is not Role.GM and (held is None or held.role is event.role):
        return session.secrets
    return replace(session.secrets, turned=session.version + 1)


def _without(session: Session, opened: SealOpened) -> Secrets:
    """The secrets without the one that is open now."""
    secrets = session.secrets
    left = {
        turn: seal for turn, seal in secrets.seals.items() if turn != sealed_turn(secrets, opened)
    }
    return Secrets(secrets.since, session.version + 1, left)


def sealed_turn(secrets: Secrets, opened: SealOpened) -> int | None:
    """The unopened turn that is meant: the event names the draw where there was one.

    None where there is none.
    """
    if opened.k is UNSET:
        return None if opened.turn is UNSET else opened.turn
    return next((turn for turn, seal in secrets.seals.items() if seal.k == opened.k), None)


def evolve_info(info: SessionInfo, event: Message) -> SessionInfo:
    """The frame with what an event says of its seats, or of its end."""
    match event:
        case SeatTaken():
            return _seat(info, event.seat, _held(info.seats.get(event.seat), event))
        case SeatLeft(seat=seat, nth=nth):
            return _seat(info, seat, replace(info.seats[seat], present=False, nth=nth))
        case PresenceSet(seat=seat, nth=nth, present=present):
            held = info.seats[seat]
            missed = held.missed and not present
            return _seat(info, seat, replace(held, away=not present, nth=nth, missed=missed))
        case SeatNamed(seat=seat, name=name):
            return _seat(info, seat, replace(info.seats[seat], name=name))
        case Closed():
            return replace(info, closed=True)
    return info


def _held(held: Seat | None, taken: SeatTaken) -> Seat:
    """Return whether the seat is present: taking it sets that, a new role or chain does not."""
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
    )


def _seat(info: SessionInfo, seat: str, held: Seat) -> SessionInfo:
    return replace(info, seats=info.seats | {seat: held})


def _next(session: Session, recorded: RecordedEvent, **changed: Any) -> Session:
    return replace(
        session, version=session.version + 1, turn=max(recorded.turn, session.turn), **changed
    )
