"""How a session goes on with a fact: events carry what came out, so everything here copies."""

from __future__ import annotations

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.decider import Role
from domain.fact import Fact
from domain.ruleset import Message
from domain.rulesets import ROOMS
from domain.session.decider.opening import room_options
from domain.session.messages import (
    ChainAnchored,
    Closed,
    Declared,
    Draw,
    Inherited,
    Narrated,
    Opened,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatNamed,
    SeatTaken,
)
from domain.session.sights import FRAME_EVENT_TYPES, inherited, is_secret, look
from domain.session.state import (
    HOUSE,
    Chain,
    Deed,
    Frame,
    Past,
    Seal,
    Seat,
    Secrets,
    Session,
)


def evolve(session: Session, fact: Fact, past: Past) -> Session:
    """The session after one more fact. A rewind takes its table from `past`."""
    then = past.state(fact.body.to) if isinstance(fact.body, Rewound) else session
    after = _evolve(session, then, fact)
    return look(then, after, fact, past) if after.secrets.since else after


def _evolve(session: Session, then: Session, fact: Fact) -> Session:
    """Without the sights; the table goes on from what it was `then`."""
    event = fact.body
    if type(event) not in FRAME_EVENT_TYPES:
        return _next(session, fact, table=session.room.decider.evolve(session.table, event))
    match event:
        case Declared(draw=draw):
            return _declared(session, fact, event, draw)
        case Rewound():
            return _next(session, fact, table=then.table, deed=then.deed)
        case Opened():
            room = ROOMS[event.ruleset, event.edition]
            frame = Frame(event.ruleset, event.edition, event.title, event.options, event.log_key, {}, closed=False)
            return _next(session, fact, frame=frame, table=room.decider.initial(room_options(room, event.options)))
        case Inherited():
            return _next(session, fact, table=inherited(session.room, event), secrets=_sealing(session, fact))
        case Narrated():
            return _next(session, fact, secrets=_sealing(session, fact))
        case SealOpened():
            return _next(session, fact, secrets=_without(session, event))
        case ChainAnchored(chain=number, length=length):
            return _next(session, fact, chain=Chain(number, length, 0))
        case SeatTaken(chain=number, length=length) if number is not UNSET and length is not UNSET:
            return _next(session, fact, chain=Chain(number, length, 0), frame=_frame(session.frame, event))
        case SeatTaken():
            return _next(session, fact, frame=_frame(session.frame, event), secrets=_seated(session, event))
    return _next(session, fact, frame=_frame(session.frame, event))


def _declared(session: Session, fact: Fact, event: Declared, draw: Draw | UnsetType) -> Session:
    deed, secrets = Deed(fact.seat, session.version), _sealing(session, fact)
    if draw is UNSET:
        return _next(session, fact, deed=deed, secrets=secrets)
    position = next(position for seat, _, position in draw.contributors if seat == HOUSE)
    chain = replace(session.chain, position=position)
    return _next(session, fact, k=draw.k + 1, chain=chain, deed=deed, secrets=secrets)


def _sealing(session: Session, fact: Fact) -> Secrets:
    """The secrets with that of a turn that begins so, if it is one."""
    event, secrets = fact.body, session.secrets
    if not is_secret(event):
        return secrets
    assert event.audience is not UNSET
    draw = event.draw if isinstance(event, Declared) else UNSET
    seal = Seal(fact.version, fact.seat, event.audience, UNSET if draw is UNSET else draw.k)
    return Secrets(secrets.since or fact.version, secrets.turned, secrets.seals | {fact.turn: seal})


def _seated(session: Session, event: SeatTaken) -> Secrets:
    """The secrets, of which a seat that comes to the GM's role, or leaves it, sees others from now on."""
    held = session.frame.seats.get(event.seat)
    if event.role is not Role.GM and (held is None or held.role is event.role):
        return session.secrets
    return replace(session.secrets, turned=session.version + 1)


def _without(session: Session, opened: SealOpened) -> Secrets:
    """The secrets without the one that is open now."""
    secrets = session.secrets
    left = {turn: seal for turn, seal in secrets.seals.items() if turn != turn_of(secrets, opened)}
    return Secrets(secrets.since, session.version + 1, left)


def turn_of(secrets: Secrets, opened: SealOpened) -> int | None:
    """The unopened turn that is meant: the event names the draw where there was one. None where there is none."""
    if opened.k is UNSET:
        return None if opened.turn is UNSET else opened.turn
    return next((turn for turn, seal in secrets.seals.items() if seal.k == opened.k), None)


def _frame(frame: Frame, event: Message) -> Frame:
    match event:
        case SeatTaken(seat=seat, role=role):
            held = frame.seats.get(seat, Seat(role, present=True))
            return _seat(frame, seat, replace(held, role=role, present=True, public_key=event.public_key))
        case SeatLeft(seat=seat, nth=nth):
            return _seat(frame, seat, replace(frame.seats[seat], present=False, nth=nth))
        case SeatNamed(seat=seat, name=name):
            return _seat(frame, seat, replace(frame.seats[seat], name=name))
        case Closed():
            return replace(frame, closed=True)
    return frame


def _seat(frame: Frame, seat: str, held: Seat) -> Frame:
    return replace(frame, seats=frame.seats | {seat: held})


def _next(
    session: Session, fact: Fact, *, k: int | None = None, chain: Chain | None = None,
    frame: Frame | None = None, table: object = None, deed: Deed | None = None, secrets: Secrets | None = None,
) -> Session:  # fmt: skip
    return Session(
        session.id,
        session.version + 1,
        max(fact.turn, session.turn),
        session.k if k is None else k,
        chain or session.chain,
        frame or session.frame,
        session.table if table is None else table,
        deed or session.deed,
        secrets or session.secrets,
        session.sights,
    )
