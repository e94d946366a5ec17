"""How a command becomes a turn: where its values come from, and the facts that are written down, in their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import Chance, Seeded, Values
from domain.chance import Declared as DeclaredDice
from domain.codec import decode_command, encode
from domain.decider import By, Refused, Role
from domain.fact import Fact, leaf_of
from domain.proof import tree
from domain.proof.chain import blind_commitment, command_commitment, contribution_message, seat_message, seed
from domain.ruleset import Message
from domain.session.decider import check_audience, decide, evolve
from domain.session.messages import (
    ChainAnchored,
    Contribution,
    Declare,
    Declared,
    Draw,
    Drawn,
    Kept,
    Opened,
    SeatTaken,
)  # fmt: skip
from domain.session.sights import is_sealed
from domain.session.state import HOUSE, Past, Session

MARGIN = 64
"""With so many links left, or fewer, the house anchors its next chain (fairness.md)."""


class Head(msgspec.Struct, frozen=True):
    """A session and its tree at the same version: what the next event is appended to."""

    session: Session
    frontier: tree.Frontier


class Means(msgspec.Struct, frozen=True):
    """What the edge hands in for one turn: the time (ms), fresh salts, the house's next link and key, the past.

    A salt has 32 random bytes, and so has what blinds a draw.
    """

    at: int
    salt: Callable[[], bytes]
    link: Callable[[Session], bytes]
    sign: Callable[[bytes], bytes]
    past: Past


class Taken(NamedTuple):
    """A turn: the session after it, its facts, and what the house keeps of a secret draw until that is opened."""

    head: Head
    facts: tuple[Fact, ...]
    kept: Kept | None = None


def take_turn(head: Head, command: Message, by: By, means: Means) -> Taken:
    """One accepted command. Raises Refused."""
    if isinstance(command, Declare):
        return _declare(head, command, by, means)
    events = decide(head.session, command, by, means.past)
    seat = HOUSE if isinstance(events[0], Opened) else by.seat
    return Taken(*record(head, [(seat, event) for event in events], head.session.turn + 1, means))


def record(head: Head, events: list[tuple[str, Message]], turn: int, means: Means) -> tuple[Head, tuple[Fact, ...]]:
    """Each event by its seat: salted, its leaf in the tree, the session evolved."""
    session, frontier, facts = head.session, head.frontier, []
    for seat, body in events:
        version = session.version + 1
        sealed = is_sealed(body, turn in session.secrets.seals)
        fact = Fact(session.id, version, turn, means.at, seat, means.salt(), body, encode(body), sealed)
        frontier = tree.push(frontier, session.version, tree.leaf_hash(leaf_of(fact)))
        session = evolve(session, fact, means.past)
        facts.append(fact)
    return Head(session, frontier), tuple(facts)


def judge(session: Session, command: Declare, by: By, chance: Chance) -> tuple[Message, ...]:
    """The room's answer to a wish: its events. Raises Refused; asks `chance` only where the command is allowed."""
    check_wish(session, command, by)
    wish = decode_command(session.room, command.command)
    events: tuple[Message, ...] = session.room.decider.decide(session.table, wish, by, chance)
    return events


def check_wish(session: Session, command: Declare, by: By) -> None:
    """Raises Refused where the frame does not allow a wish, whatever it asks of the room."""
    if session.frame.closed:
        raise Refused("session-closed")
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("role-may-not", role=by.role.value)
    if command.faces is not UNSET and not session.frame.options.get("declared_dice", False):
        raise Refused("declared-dice-off")
    if command.target is not UNSET and command.target > session.version:
        raise Refused("target-nowhere", target=command.target, version=session.version)
    check_audience(session, command.audience)
    if command.audience == "blind" and command.blind is not UNSET and not by.is_gm:
        raise Refused("blind-not-yours", by=by.seat)  # who may not see the values could take them from the seed


def _declare(head: Head, wish: Declare, by: By, means: Means) -> Taken:
    session = head.session
    if wish.faces is not UNSET:
        dice = DeclaredDice(wish.faces)
        events = judge(session, wish, by, dice)
        return _without_draw(head, replace(_declared(wish), dice="declared", values=dice.values), events, by, means)
    given = (HOUSE, session.chain.number, session.chain.position + 1)
    blind = _blind(wish, means)
    chance = Seeded(lambda: seed(bytes.fromhex(session.id), session.k, [(*given, means.link(session))], blind))
    events = judge(session, wish, by, chance)
    if not chance.values:
        return _without_draw(head, _declared(wish), events, by, means)
    if wish.audience is UNSET:
        return _with_draw(
            head, replace(_declared(wish), draw=Draw((given,), session.k)), chance.values, events, by, means
        )
    salt = means.salt()
    kept = Kept(blind.hex(), wish.command, salt.hex(), chance.values)
    declared = replace(
        _declared(wish), command=UNSET, command_commitment=command_commitment(salt, bytes(wish.command)).hex(),
        draw=Draw((given,), session.k, blind_commitment(bytes.fromhex(session.id), session.k, blind).hex()),
    )  # fmt: skip
    return _with_draw(head, declared, (), events, by, means)._replace(kept=kept)


def _declared(wish: Declare) -> Declared:
    return Declared(wish.command, wish.audience, target=wish.target)


def _blind(wish: Declare, means: Means) -> bytes:
    """What a secret draw's seed is blinded with: 32 bytes of a seat that may see the values, else of the house."""
    if wish.audience is UNSET:
        return b""
    return means.salt() if wish.blind is UNSET else bytes.fromhex(wish.blind)


def _without_draw(head: Head, declared: Declared, events: tuple[Message, ...], by: By, means: Means) -> Taken:
    written = [(by.seat, event) for event in (declared, *events)]
    return Taken(*record(head, written, head.session.turn + 1, means))


def _with_draw(
    head: Head, declared: Declared, values: Values, events: tuple[Message, ...], by: By, means: Means
) -> Taken:
    turn, session, draw = head.session.turn + 1, head.session, declared.draw
    assert draw is not UNSET
    head, first = record(head, [(by.seat, declared)], turn, means)
    drawn = _drawn(head, first[0], draw, means.link(session), values, means)
    head, facts = record(head, [(HOUSE, drawn), *((by.seat, event) for event in events)], turn, means)
    return Taken(head, first + facts)


def _drawn(head: Head, declared: Fact, draw: Draw, link: bytes, values: Values, means: Means) -> Drawn:
    """The house's own contribution, signed under the tree up to the declaration."""
    _, number, position = draw.contributors[0]
    unsigned = Contribution(
        chain=number,
        link=link.hex(),
        position=position,
        seat=HOUSE,
        seen_size=declared.version,
        signature="",
        seen_root=tree.root(head.frontier, declared.version).hex(),
    )
    request = tree.leaf_hash(leaf_of(declared)).hex()
    message = contribution_of(declared.session, draw.k, request, unsigned)
    return Drawn((replace(unsigned, signature=means.sign(message).hex()),), draw.k, values)


def contribution_of(session: str, k: int, request: str, given: Contribution) -> bytes:
    """The bytes that a contribution's signature is over; `request` is the leaf hash of its Declared in hex."""
    signed = {
        "chain": given.chain, "draw": k, "link": given.link, "position": given.position, "request": request,
        "seat": given.seat, "seen_root": given.seen_root, "seen_size": given.seen_size, "session": session,
    }  # fmt: skip
    return contribution_message(encode(signed))


def seat_event_of(session: str, event: SeatTaken | ChainAnchored) -> bytes:
    """The bytes that a seat's own event is signed over: its body without the signature, and the session."""
    body = msgspec.to_builtins(event)
    body.pop("signature", None)
    return seat_message(encode(body | {"session": session}))
