"""How a command becomes a turn: where its values come from, and the facts that are written down, in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import Asked, Chance, Seeded, Undrawn, Values
from domain.chance import Declared as DeclaredDice
from domain.codec import check_bounds, decode_command, encode
from domain.decider import By, Refused, Role
from domain.fact import Fact, leaf_of
from domain.proof import tree
from domain.proof.chain import Contribution as Link
from domain.proof.chain import blind_commitment, command_commitment, seed
from domain.proof.note import Verify
from domain.ruleset import Message
from domain.session.decider import check_audience, decide, evolve
from domain.session.giving import check_signature, contribution_of, contributors
from domain.session.messages import (
    Contribution,
    Declare,
    Declared,
    Draw,
    Drawn,
    DrawVoided,
    Kept,
    Opened,
)
from domain.session.sights import is_sealed
from domain.session.state import HOUSE, Past, Pending, Session

MARGIN = 64
"""With so many links left, or fewer, a seat anchors its next chain (fairness.md)."""


class Head(msgspec.Struct, frozen=True):
    """A session and its tree at the same version: what the next event is appended to."""

    session: Session
    frontier: tree.Frontier


class Means(msgspec.Struct, frozen=True):
    """What the edge hands in for one turn: the time (ms), fresh salts, the house's links and key, the past.

    A salt has 32 random bytes, and so has what blinds a draw. `link` gives that of a position of the house's chain in
    use; `verify` checks a seat's signature.
    """

    at: int
    salt: Callable[[], bytes]
    link: Callable[[Session, int], bytes]
    sign: Callable[[bytes], bytes]
    verify: Verify
    past: Past


class Taken(NamedTuple):
    """A turn: the session after it, its facts, and what the house keeps of a secret draw until that is opened."""

    head: Head
    facts: tuple[Fact, ...]
    kept: Kept | None = None


def take_turn(head: Head, command: Message, by: By, means: Means) -> Taken:
    """One accepted command, of a draw that waits for seats its declaration alone.

    Raises Refused, and msgspec.ValidationError where the log could not be verified afterwards.
    """
    check_bounds(command)
    if isinstance(command, Declare):
        return _declare(head, command, by, means)
    events = decide(head.session, command, by, means.past)
    for event in events:
        check_signature(head.session, event, means.verify)
    seat = HOUSE if isinstance(events[0], Opened) else by.seat
    return Taken(*record(head, [(seat, event) for event in events], head.session.turn + 1, means))


def record(
    head: Head, events: list[tuple[str, Message]], turn: int, means: Means
) -> tuple[Head, tuple[Fact, ...]]:
    """Each event by its seat: salted, its leaf in the tree, the session evolved."""
    session, frontier, facts = head.session, head.frontier, []
    for seat, body in events:
        version = session.version + 1
        sealed = is_sealed(body, turn in session.secrets.seals)
        fact = Fact(
            session.id, version, turn, means.at, seat, means.salt(), body, encode(body), sealed
        )
        frontier = tree.push(frontier, session.version, tree.leaf_hash(leaf_of(fact)))
        session = evolve(session, fact, means.past)
        facts.append(fact)
    return Head(session, frontier), tuple(facts)


def judge(session: Session, command: Declare, by: By, chance: Chance) -> tuple[Message, ...]:
    """The room's answer to a wish: its events. Raises Refused; asks `chance` only where the command is allowed."""
    check_wish(session, command, by)
    return _judged(session, command, by, chance)


def _judged(session: Session, command: Declare, by: By, chance: Chance) -> tuple[Message, ...]:
    wish = decode_command(session.room, command.command)
    events: tuple[Message, ...] = session.room.decider.decide(session.table, wish, by, chance)
    return events


def check_wish(session: Session, command: Declare, by: By) -> None:
    """Raises Refused where the frame does not allow a wish, whatever it asks of the room."""
    if session.frame.closed:
        raise Refused("session-closed")
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("role-may-not", role=by.role.value)
    if session.pending is not None:
        raise Refused("draw-waits", k=session.pending.k)
    if command.faces is not UNSET and not session.frame.options.get("declared_dice", False):
        raise Refused("declared-dice-off")
    if command.target is not UNSET and command.target > session.version:
        raise Refused("target-nowhere", target=command.target, version=session.version)
    check_audience(session, command.audience)
    if command.audience == "blind" and command.blind is not UNSET and not by.is_gm:
        raise Refused(
            "blind-not-yours", by=by.seat
        )  # who may not see the values could take them from the seed


def _declare(head: Head, wish: Declare, by: By, means: Means) -> Taken:
    session = head.session
    if wish.faces is not UNSET:
        dice = DeclaredDice(wish.faces)
        events = judge(session, wish, by, dice)
        return _without_draw(
            head, replace(_declared(wish), dice="declared", values=dice.values), events, by, means
        )
    check_wish(session, wish, by)
    given, wish = contributors(session), _blinded(wish, means)
    if len(given) > 1:
        return _ask(head, wish, by, Draw(given, session.k), means)
    chance = Seeded(lambda: _seed(session, session.k, _house_link(session, given, means), wish))
    events = _judged(session, wish, by, chance)
    if not chance.values:
        return _without_draw(head, _declared(wish), events, by, means)
    head, first, kept = _await(head, wish, by, Draw(given, session.k), means)
    drawn = Drawn((_of_house(head, first, means),), session.k, _shown(wish, chance.values))
    head, facts = _follow(head, drawn, events, means)
    return Taken(head, (first, *facts), kept and replace(kept, values=chance.values))


def _ask(head: Head, wish: Declare, by: By, draw: Draw, means: Means) -> Taken:
    """The turn without its draw, which waits for the seats; all of it where the rules ask for no value."""
    try:
        events = _judged(head.session, wish, by, Undrawn())
    except Asked:
        head, declared, kept = _await(head, wish, by, draw, means)
        return Taken(head, (declared,), kept)
    return _without_draw(head, _declared(wish), events, by, means)


def _await(
    head: Head, wish: Declare, by: By, draw: Draw, means: Means
) -> tuple[Head, Fact, Kept | None]:
    """A declaration that waits for its draw, and what is kept of a secret one."""
    declared, kept = replace(_declared(wish), draw=draw), None
    if wish.blind is not UNSET:
        salt, session = means.salt(), head.session
        blind = blind_commitment(bytes.fromhex(session.id), draw.k, bytes.fromhex(wish.blind)).hex()
        commitment = command_commitment(salt, bytes(wish.command)).hex()
        declared = replace(
            declared, command=UNSET, command_commitment=commitment, draw=replace(draw, blind=blind)
        )
        kept = Kept(wish.blind, wish.command, salt.hex(), ())
    head, (fact,) = record(head, [(by.seat, declared)], head.session.turn + 1, means)
    return head, fact, kept


def _declared(wish: Declare) -> Declared:
    return Declared(wish.command, wish.audience, target=wish.target)


def _blinded(wish: Declare, means: Means) -> Declare:
    """The wish with what a secret draw's seed is blinded with: of a seat that may see the values, else of the house."""
    if wish.audience is UNSET:
        return replace(wish, blind=UNSET)
    return wish if wish.blind is not UNSET else replace(wish, blind=means.salt().hex())


def wish_of(declared: Fact, kept: Kept | None) -> Declare:
    """The wish that a waiting draw was declared for; of a secret one by what was kept."""
    wish = declared.body
    assert isinstance(wish, Declared)
    if kept is None:
        return Declare(wish.command or msgspec.Raw(b""), audience=wish.audience, target=wish.target)
    return Declare(kept.command, audience=wish.audience, blind=kept.blind, target=wish.target)


def finish_draw(
    head: Head, declared: Fact, kept: Kept | None, given: Sequence[Contribution], means: Means
) -> Taken:
    """The draw that waited, with every seat's contribution; the house adds its own last. `kept` is of a secret one."""
    session, wish = head.session, wish_of(declared, kept)
    contributions = _with_house(head, declared, given, means)
    links = [
        (each.seat, each.chain, each.position, bytes.fromhex(each.link)) for each in contributions
    ]
    k = _pending(session).k
    chance = Seeded(lambda: _seed(session, k, links, wish))
    events = _judged(session, wish, session.by(declared.seat), chance)
    head, facts = _follow(head, Drawn(contributions, k, _shown(wish, chance.values)), events, means)
    return Taken(head, facts, kept and replace(kept, values=chance.values))


def void_draw(head: Head, declared: Fact, given: Sequence[Contribution], means: Means) -> Taken:
    """The draw that waited, given up for those that did not answer."""
    pending = _pending(head.session)
    came = {each.seat for each in given} | {HOUSE}
    missing = tuple(seat for seat, _, _ in pending.contributors if seat not in came)
    voided = DrawVoided(_with_house(head, declared, given, means), pending.k, missing)
    return Taken(*record(head, [(HOUSE, voided)], pending.turn, means))


def _pending(session: Session) -> Pending:
    if session.pending is None:
        raise Refused("no-draw-waits")
    return session.pending


def _with_house(
    head: Head, declared: Fact, given: Sequence[Contribution], means: Means
) -> tuple[Contribution, ...]:
    return tuple(sorted((*given, _of_house(head, declared, means)), key=lambda each: each.seat))


def _follow(
    head: Head, drawn: Drawn, events: tuple[Message, ...], means: Means
) -> tuple[Head, tuple[Fact, ...]]:
    """The chance, and what the rules made of it."""
    pending = _pending(head.session)
    written: list[tuple[str, Message]] = [
        (HOUSE, drawn),
        *((pending.seat, event) for event in events),
    ]
    return record(head, written, pending.turn, means)


def _seed(session: Session, k: int, links: Sequence[Link], wish: Declare) -> bytes:
    blind = b"" if wish.blind is UNSET else bytes.fromhex(wish.blind)
    return seed(bytes.fromhex(session.id), k, links, blind)


def _house_link(
    session: Session, given: Sequence[tuple[str, int, int]], means: Means
) -> list[Link]:
    return [
        (seat, chain, position, means.link(session, position)) for seat, chain, position in given
    ]


def _shown(wish: Declare, values: Values) -> Values:
    return values if wish.blind is UNSET else ()


def _without_draw(
    head: Head, declared: Declared, events: tuple[Message, ...], by: By, means: Means
) -> Taken:
    written = [(by.seat, event) for event in (declared, *events)]
    return Taken(*record(head, written, head.session.turn + 1, means))


def _of_house(head: Head, declared: Fact, means: Means) -> Contribution:
    """The house's own contribution, signed under the tree as it stands."""
    session = head.session
    chain = session.chains[HOUSE]
    unsigned = Contribution(
        chain.number,
        means.link(session, chain.position).hex(),
        chain.position,
        HOUSE,
        tree.root(head.frontier, session.version).hex(),
        session.version,
        "",
    )
    request = tree.leaf_hash(leaf_of(declared)).hex()
    message = contribution_of(declared.session, _pending(session).k, request, unsigned)
    return replace(unsigned, signature=means.sign(message).hex())
