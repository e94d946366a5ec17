"""How a command becomes a turn: where its values come from, and the facts that are written down, in their order."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import UNSET

from domain.chance import Chance, Seeded, Values
from domain.chance import Declared as DeclaredDice
from domain.codec import decode_command, encode
from domain.decider import By, Refused, Role
from domain.fact import Fact, leaf_of
from domain.proof import tree
from domain.proof.chain import contribution_message, seat_message, seed
from domain.ruleset import Message
from domain.session.decider import decide, evolve
from domain.session.messages import ChainAnchored, Contribution, Declare, Declared, Draw, Drawn, Opened, SeatTaken
from domain.session.state import HOUSE, Past, Session

MARGIN = 64
"""With so many links left, or fewer, the house anchors its next chain (fairness.md)."""


class Head(msgspec.Struct, frozen=True):
    """A session and its tree at the same version: what the next event is appended to."""

    session: Session
    frontier: tree.Frontier


class Means(msgspec.Struct, frozen=True):
    """What the edge hands in for one turn: the time (ms), fresh salts, the house's next link and key, the past."""

    at: int
    salt: Callable[[], bytes]
    link: Callable[[Session], bytes]
    sign: Callable[[bytes], bytes]
    past: Past


def take_turn(head: Head, command: Message, by: By, means: Means) -> tuple[Head, tuple[Fact, ...]]:
    """The facts of one accepted command, and the session after them. Raises Refused."""
    if isinstance(command, Declare):
        return _declare(head, command, by, means)
    events = decide(head.session, command, by, means.past)
    seat = HOUSE if isinstance(events[0], Opened) else by.seat
    return record(head, [(seat, event) for event in events], head.session.turn + 1, means)


def record(head: Head, events: list[tuple[str, Message]], turn: int, means: Means) -> tuple[Head, tuple[Fact, ...]]:
    """Each event by its seat: salted, its leaf in the tree, the session evolved."""
    session, frontier, facts = head.session, head.frontier, []
    for seat, body in events:
        version = session.version + 1
        fact = Fact(session.id, version, turn, means.at, seat, means.salt(), body, encode(body))
        frontier = tree.push(frontier, session.version, tree.leaf_hash(leaf_of(fact)))
        session = evolve(session, turn, body, means.past)
        facts.append(fact)
    return Head(session, frontier), tuple(facts)


def judge(session: Session, command: Declare, by: By, chance: Chance) -> tuple[Message, ...]:
    """The room's answer to a wish: its events. Raises Refused; asks `chance` only where the command is allowed."""
    if session.frame.closed:
        raise Refused("session-closed")
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("role-may-not", role=by.role.value)
    if command.faces is not UNSET and not session.frame.options.get("declared_dice", False):
        raise Refused("declared-dice-off")
    wish = decode_command(session.room, command.command)
    events: tuple[Message, ...] = session.room.decider.decide(session.table, wish, by, chance)
    return events


def _declare(head: Head, command: Declare, by: By, means: Means) -> tuple[Head, tuple[Fact, ...]]:
    session, turn = head.session, head.session.turn + 1
    if command.faces is not UNSET:
        dice = DeclaredDice(command.faces)
        events = judge(session, command, by, dice)
        told = Declared(command.command, dice="declared", values=dice.values)
        return record(head, [(by.seat, event) for event in (told, *events)], turn, means)
    given = (HOUSE, session.chain.number, session.chain.position + 1)
    chance = Seeded(lambda: seed(bytes.fromhex(session.id), session.k, [(*given, means.link(session))]))
    events = judge(session, command, by, chance)
    if not chance.values:
        return record(head, [(by.seat, event) for event in (Declared(command.command), *events)], turn, means)
    draw = Draw((given,), session.k)
    head, declared = record(head, [(by.seat, Declared(command.command, draw=draw))], turn, means)
    drawn = _drawn(head, declared[0], draw, means.link(session), chance.values, means)
    head, facts = record(head, [(HOUSE, drawn), *((by.seat, event) for event in events)], turn, means)
    return head, declared + facts


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
    return Drawn((msgspec.structs.replace(unsigned, signature=means.sign(message).hex()),), draw.k, values)


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
