"""Turns: deciding a command, drawing its values, and recording its events.

The house contributes to every draw. If it is the only contributor, the turn is completed at once.
If other seats contribute too, `decide_turn` only declares the draw. Later, `complete_draw`
completes it or `void_draw` voids it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.chance import (
    Chance,
    DeclaredChance,
    NeedsDrawError,
    SeededChance,
    UndrawnChance,
)
from domain.codec import check_bounds, decode_command, encode
from domain.decider import By, Refused, Role
from domain.proof import merkle_tree
from domain.proof.hash_chain import ChainLink, blind_commitment, command_commitment, seed
from domain.proof.signed_note import Verify
from domain.recorded_event import RecordedEvent, leaf_of
from domain.ruleset import Message, id_fields
from domain.session.contributions import (
    RootAt,
    check_signature,
    contribution_of,
    contributors,
    entropy_of,
    house_chain,
)
from domain.session.decider import check_audience, decide
from domain.session.evolve import evolve
from domain.session.messages import (
    Contribution,
    Declare,
    Declared,
    Draw,
    Drawn,
    DrawVoided,
    Opened,
    StoredSecret,
)
from domain.session.secrets import is_sealed
from domain.session.state import HOUSE, Chain, History, Pending, Session

ANCHOR_MARGIN = 64
"""In format 1, the number of remaining links at which the house anchors its next chain."""
LEAST_AHEAD = 64
"""In format 2, the least number of remaining links at which the house may do so."""
USUAL_AHEAD = 128
"""In format 2, the number of remaining links at which the house does so."""
LEAST_HOUSE_LENGTH = 256
"""In format 2, the least number of links in a chain of the house (docs/fairness.md)."""


class EntropyOutdatedError(Exception):
    """Raised if a command supplies entropy for a draw that another command has already used.

    `k` is the number of that draw.
    """

    def __init__(self, k: int) -> None:
        super().__init__(k)
        self.k = k


class Head(msgspec.Struct, frozen=True):
    """A session and the frontier of its log's Merkle tree at the session's version."""

    session: Session
    frontier: merkle_tree.Frontier


class TurnContext(msgspec.Struct, frozen=True):
    """The values and functions that a turn needs from outside the domain.

    `at` is the time in milliseconds. `salt` returns 32 random bytes for the salt of an event.
    `link` returns the link at a given position in a chain of the house. `blind` returns the house's
    32 bytes for a session's id and a draw number. They are part of the seed if the draw is secret.
    `sign` signs a message with the house's key. `verify` checks a seat's signature. `root_at`
    returns the root of the session's tree at a given size.
    """

    at: int
    salt: Callable[[], bytes]
    link: Callable[[Session, Chain, int], bytes]
    blind: Callable[[str, int], bytes]
    sign: Callable[[bytes], bytes]
    verify: Verify
    history: History
    root_at: RootAt


class DecidedTurn(NamedTuple):
    """The result of deciding a command: the new head and the events of the turn.

    For a secret draw, `secret` is the data that the house must store.
    """

    head: Head
    events: tuple[RecordedEvent, ...]
    secret: StoredSecret | None = None


def decide_turn(head: Head, command: Message, by: By, context: TurnContext) -> DecidedTurn:
    """Decide a command and record its turn.

    If a draw needs contributions from seats other than the house, it is declared but not completed.
    Raises Refused if the command is not allowed, and msgspec.ValidationError if a field is out of
    bounds.
    """
    check_bounds(command)
    if isinstance(command, Declare):
        return _decide_declare(head, command, by, context)
    events = decide(head.session, command, by, context.history)
    for event in events:
        check_signature(head.session, event, context.verify, context.root_at)
    # The house opens the session, because no seat is taken yet.
    seat = HOUSE if isinstance(events[0], Opened) else by.seat
    return _record(head, [(seat, event) for event in events], head.session.turn + 1, context)


def _decide_declare(head: Head, command: Declare, by: By, context: TurnContext) -> DecidedTurn:
    """Decide a ruleset command and record its turn.

    If the command needs values, they come from one of three sources: the faces of physical dice
    that a seat entered, a draw that the house completes at once, or a draw that is only declared
    now because other seats must contribute first.
    """
    session = head.session
    check_declared_command(session, command, by)
    _check_draw_number(session, command)
    if command.faces is not UNSET:
        dice = DeclaredChance(command.faces)
        events = _decide_by_ruleset(session, command, by, dice)
        declared = replace(
            _declared(command), dice="declared", dice_name=command.dice_name, values=dice.values
        )
        return _record_plain(head, declared, events, by, context)

    blind = b"" if command.audience is UNSET else context.blind(session.id, session.k)
    draw = Draw(contributors(session), session.k, entropy=_entropy(session, command))
    if len(draw.contributors) > 1:
        try:
            events = _decide_by_ruleset(session, command, by, UndrawnChance())
        except NeedsDrawError:  # the turn stops here until every seat has contributed
            return _record_draw_declared(head, command, by, draw, blind, context)
        return _record_plain(head, _declared(command), events, by, context)

    # Only the house contributes. Its next link is available, so the values are drawn at once.
    def house_seed() -> bytes:
        ((seat, number, position),) = draw.contributors
        link = context.link(session, house_chain(session), position)
        return _seed(session, draw, [(seat, number, position, link)], blind)

    chance = SeededChance(house_seed)
    events = _decide_by_ruleset(session, command, by, chance)
    if not chance.values:
        return _record_plain(head, _declared(command), events, by, context)
    head, recorded_events, secret = _record_draw_declared(head, command, by, draw, blind, context)
    contributions = (_house_contribution(head, recorded_events[0], context),)
    values = () if secret else chance.values
    drawn = Drawn(contributions, draw.k, values, draw.entropy, _next_blind(head.session, context))
    turn = _record_drawn(head, drawn, events, context)
    kept = secret and replace(secret, values=chance.values)
    return turn._replace(events=recorded_events + turn.events, secret=kept)


def complete_draw(
    head: Head,
    declared: RecordedEvent,
    secret: StoredSecret | None,
    contributions: Sequence[Contribution],
    context: TurnContext,
) -> DecidedTurn:
    """Complete the pending draw by deciding its command again with the drawn values.

    `secret` is the data that the house stored about a secret draw, or None if the draw is public.
    The house adds its own contribution.
    """
    session, command = head.session, declared_command(declared, secret)
    assert isinstance(declared.body, Declared)
    draw = declared.body.draw
    assert draw is not UNSET
    completed = _with_house(head, declared, contributions, context)
    links = [(each.seat, each.chain, each.position, bytes.fromhex(each.link)) for each in completed]
    blind = bytes.fromhex(secret.blind) if secret else b""
    chance = SeededChance(lambda: _seed(session, draw, links, blind))
    events = _decide_by_ruleset(session, command, session.by(declared.seat), chance)
    values = () if secret else chance.values
    drawn = Drawn(completed, draw.k, values, draw.entropy, _next_blind(session, context))
    turn = _record_drawn(head, drawn, events, context)
    return turn._replace(secret=secret and replace(secret, values=chance.values))


def void_draw(
    head: Head, declared: RecordedEvent, contributions: Sequence[Contribution], context: TurnContext
) -> DecidedTurn:
    """Void the pending draw and record which seats did not contribute."""
    pending = _pending(head.session)
    contributed = {each.seat for each in contributions} | {HOUSE}
    missing = tuple(seat for seat, _, _ in pending.contributors if seat not in contributed)
    voided = DrawVoided(
        _with_house(head, declared, contributions, context),
        pending.k,
        missing,
        _next_blind(head.session, context),
    )
    return _record(head, [(HOUSE, voided)], pending.turn, context)


def must_anchor(session: Session) -> bool:
    """Return True if the house has to anchor its next chain before the next draw."""
    chain = session.chains[HOUSE]
    left = chain.length - chain.position
    if session.info.log_format == 1:
        return left <= ANCHOR_MARGIN
    return session.next_chain is None and left <= USUAL_AHEAD


def judge(session: Session, command: Declare, by: By, chance: Chance) -> tuple[Message, ...]:
    """Return the events that a ruleset command would cause, without recording them.

    Raises Refused if the command is not allowed.
    """
    check_declared_command(session, command, by)
    return _decide_by_ruleset(session, command, by, chance)


def _decide_by_ruleset(
    session: Session, command: Declare, by: By, chance: Chance
) -> tuple[Message, ...]:
    message = decode_command(session.ruleset, command.command)
    if session.ruleset.named_seats_must_play:
        _check_named_seats(session, message)
    events: tuple[Message, ...] = session.ruleset.decider.decide(session.table, message, by, chance)
    return events


def _check_named_seats(session: Session, command: Message) -> None:
    """Raise Refused if the command names a seat that is empty or does not play."""
    for field, sort in id_fields(type(command)).items():
        seat = getattr(command, field) if sort == "seat" else UNSET
        if seat is not UNSET:
            held = session.info.seats.get(seat)
            if held is None or not held.present or held.role not in (Role.GM, Role.PLAYER):
                raise Refused("seat-does-not-play", seat=seat)


def check_declared_command(session: Session, command: Declare, by: By) -> None:
    """Raise Refused if the session does not currently allow the ruleset command.

    The rules of the ruleset are not checked.
    """
    if session.info.closed:
        raise Refused("session-closed")
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("role-may-not", role=by.role.value)
    if session.pending is not None:
        raise Refused("draw-waits", draw=session.pending.k)
    if command.faces is not UNSET and not session.info.options.get("declared_dice", False):
        raise Refused("declared-dice-off")
    if command.dice_name is not UNSET and session.info.log_format == 1:
        raise Refused("dice-name-in-format-1")
    if command.target is not UNSET and command.target > session.version:
        raise Refused("target-nowhere", target=command.target, version=session.version)
    check_audience(session, command.audience)


def _check_draw_number(session: Session, command: Declare) -> None:
    """Raise EntropyOutdatedError or Refused if the command's entropy is not for the next draw."""
    if command.entropy is UNSET or command.k is UNSET or command.k == session.k:
        return
    if command.k < session.k:
        raise EntropyOutdatedError(command.k)
    raise Refused("draw-not-next", draw=command.k, next=session.k)


def declared_command(declared: RecordedEvent, secret: StoredSecret | None) -> Declare:
    """Return the command for which a draw was declared.

    For a secret draw, the command is read from `secret`.
    """
    body = declared.body
    assert isinstance(body, Declared)
    if secret is None:
        return Declare(body.command or msgspec.Raw(b""), audience=body.audience, target=body.target)
    return Declare(secret.command, audience=body.audience, target=body.target)


def _declared(command: Declare) -> Declared:
    return Declared(command.command, command.audience, target=command.target)


def _next_blind(session: Session, context: TurnContext) -> str | UnsetType:
    """Return the house's commitment to the blind of the draw after the one that is ending.

    The house publishes it before anyone supplies entropy for that draw, so that it cannot choose a
    blind that gives the values it wants. A session that began without such commitments continues
    without them.
    """
    if not session.next_blind:
        return UNSET
    blind = context.blind(session.id, session.k)
    return blind_commitment(bytes.fromhex(session.id), session.k, blind).hex()


def _entropy(session: Session, command: Declare) -> str | UnsetType:
    """Return the entropy to record. Format 1 records none."""
    return UNSET if session.info.log_format == 1 else command.entropy


def _seed(session: Session, draw: Draw, links: Sequence[ChainLink], blind: bytes) -> bytes:
    entropy = entropy_of(draw, session.info.log_format)
    return seed(bytes.fromhex(session.id), draw.k, links, blind, entropy)


def _pending(session: Session) -> Pending:
    if session.pending is None:
        raise Refused("no-draw-waits")
    return session.pending


def _with_house(
    head: Head, declared: RecordedEvent, contributions: Sequence[Contribution], context: TurnContext
) -> tuple[Contribution, ...]:
    with_house = (*contributions, _house_contribution(head, declared, context))
    return tuple(sorted(with_house, key=lambda each: each.seat))


def _house_contribution(head: Head, declared: RecordedEvent, context: TurnContext) -> Contribution:
    """Return the house's contribution to the pending draw.

    The house signs its link together with the current size and root of the tree.
    """
    session = head.session
    chain = session.chains[HOUSE]
    unsigned = Contribution(
        chain.number,
        context.link(session, chain, chain.position).hex(),
        chain.position,
        HOUSE,
        merkle_tree.root(head.frontier, session.version).hex(),
        session.version,
        "",
    )
    request = merkle_tree.leaf_hash(leaf_of(declared)).hex()
    message = contribution_of(declared.session, _pending(session).k, request, unsigned)
    return replace(unsigned, signature=context.sign(message).hex())


def _record_plain(
    head: Head, declared: Declared, events: tuple[Message, ...], by: By, context: TurnContext
) -> DecidedTurn:
    """Record a turn without a draw."""
    bodies = [(by.seat, event) for event in (declared, *events)]
    return _record(head, bodies, head.session.turn + 1, context)


def _record_draw_declared(
    head: Head, command: Declare, by: By, draw: Draw, blind: bytes, context: TurnContext
) -> DecidedTurn:
    """Record the declaration of a draw.

    For a secret draw, which has a `blind`, the Declared event contains only commitments to the
    command and to the blind.
    """
    declared, secret = replace(_declared(command), draw=draw), None
    if blind:
        salt = context.salt() if command.salt is UNSET else bytes.fromhex(command.salt)
        committed = blind_commitment(bytes.fromhex(head.session.id), draw.k, blind).hex()
        declared = replace(
            declared,
            command=UNSET,
            command_commitment=command_commitment(salt, bytes(command.command)).hex(),
            draw=replace(draw, blind=committed),
        )
        secret = StoredSecret(blind.hex(), command.command, salt.hex(), ())
    turn = _record(head, [(by.seat, declared)], head.session.turn + 1, context)
    return turn._replace(secret=secret)


def _record_drawn(
    head: Head, drawn: Drawn, events: tuple[Message, ...], context: TurnContext
) -> DecidedTurn:
    """Record the result of the pending draw and the ruleset's events."""
    pending = _pending(head.session)
    bodies = [(HOUSE, drawn), *((pending.seat, event) for event in events)]
    return _record(head, bodies, pending.turn, context)


def _record(
    head: Head, bodies: Sequence[tuple[str, Message]], turn: int, context: TurnContext
) -> DecidedTurn:
    """Record the events of a turn.

    Each event is salted and applied to the session, and its leaf is appended to the tree. `bodies`
    contains a (seat, event) pair for each event and the seat that caused it.
    """
    session, frontier, recorded_events = head.session, head.frontier, []
    at = max(context.at, session.at)  # the clock may have been set back, the log's time may not
    for seat, body in bodies:
        version = session.version + 1
        sealed = is_sealed(body, turn in session.secrets.seals)
        recorded = RecordedEvent(
            session.id, version, turn, at, seat, context.salt(), body, encode(body), sealed
        )
        frontier = merkle_tree.push(
            frontier, session.version, merkle_tree.leaf_hash(leaf_of(recorded))
        )
        session = evolve(session, recorded, context.history)
        recorded_events.append(recorded)
    return DecidedTurn(Head(session, frontier), tuple(recorded_events))
