"""Contributions to draws: what seats sign and how to check it (docs/fairness.md)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import UNSET

from domain.codec import encode
from domain.decider import Refused
from domain.proof import merkle_tree
from domain.proof.hash_chain import contribution_message, link_below, seat_message
from domain.proof.signed_note import Verify
from domain.recorded_event import RecordedEvent, leaf_of
from domain.ruleset import Message
from domain.session.messages import (
    ChainAnchored,
    Contribution,
    Draw,
    PresenceSet,
    SeatLeft,
    SeatTaken,
)
from domain.session.state import HOUSE, Chain, Seat, Session

SeatEvent = SeatTaken | SeatLeft | PresenceSet | ChainAnchored
RootAt = Callable[[int], bytes]
"""A function that returns the Merkle root of the session's log at a given size."""
NO_CHAIN = Chain(number=0, length=0, position=0, link="")
"""Stands for the old chain of a seat that had none."""


def contributors(session: Session) -> tuple[tuple[str, int, int], ...]:
    """Return (seat, chain, position) for each contributor to the next draw.

    The result is sorted by seat. A seat whose chain has no links left does not contribute.
    """
    table, chains = session.info.draws == "table", session.chains
    if session.next_chain is not None:
        chains = chains | {HOUSE: house_chain(session)}
    return tuple(
        (seat, chain.number, chain.position + 1)
        for seat, chain in sorted(chains.items())
        if seat == HOUSE
        or (table and takes_part(session.info.seats[seat]) and chain.position < chain.length)
    )


def house_chain(session: Session) -> Chain:
    """Return the house's chain that the next draw will use."""
    chain, following = session.chains[HOUSE], session.next_chain
    return chain if following is None or chain.position < chain.length else following


def entropy_of(draw: Draw, log_format: int) -> bytes | None:
    """Return the entropy that is part of the draw's seed.

    In format 2, it is empty if the asker supplied none. In format 1, it is None.
    """
    if log_format == 1:
        return None
    return b"" if draw.entropy is UNSET else bytes.fromhex(draw.entropy)


def takes_part(seat: Seat) -> bool:
    return seat.present and not seat.away


def contribution_of(session: str, k: int, request: str, contribution: Contribution) -> bytes:
    """Return the bytes that a seat signs to contribute to draw k.

    `request` is the leaf hash of the draw's Declared event, in hex.
    """
    return contribution_message(contribution_json(session, k, request, contribution))


def contribution_json(session: str, k: int, request: str, contribution: Contribution) -> bytes:
    """Return the canonical JSON that a seat signs to contribute to draw k.

    The house signs the same JSON to issue its receipt.
    """
    signed = {
        "chain": contribution.chain,
        "draw": k,
        "link": contribution.link,
        "position": contribution.position,
        "request": request,
        "seat": contribution.seat,
        "seen_root": contribution.seen_root,
        "seen_size": contribution.seen_size,
        "session": session,
    }
    return encode(signed)


def seat_event_of(session: str, event: SeatEvent) -> bytes:
    """Return the bytes that a seat signs for an event about itself.

    The bytes include the session's id and the event without its signature.
    """
    body = msgspec.to_builtins(event)
    body.pop("signature", None)
    return seat_message(encode(body | {"session": session}))


def check_signature(session: Session, event: Message, verify: Verify, root_at: RootAt) -> None:
    """Raise Refused if an event that a seat signed fails a check.

    The signature and any revealed link must be valid. If the seat signed a state of the log, it
    must match this log and be recent enough. Unsigned events and events about the server's own
    seat are not checked.
    """
    if not isinstance(event, SeatEvent) or event.seat == HOUSE or event.signature is UNSET:
        return
    if isinstance(event, SeatLeft | PresenceSet) and session.info.log_format > 1:
        _check_seen(session, event, root_at)
    key = session.info.seats[event.seat].public_key if event.seat in session.info.seats else UNSET
    if isinstance(event, SeatTaken):
        key = event.public_key
    if key is UNSET or not verify(
        bytes.fromhex(key), seat_event_of(session.id, event), bytes.fromhex(event.signature)
    ):
        raise Refused("signature-wrong", seat=event.seat)
    if isinstance(event, SeatTaken | ChainAnchored):
        _check_previous_link(session, event)


def _check_seen(session: Session, event: SeatLeft | PresenceSet, root_at: RootAt) -> None:
    """Raise Refused unless the seat signed a state of this log that is recent enough.

    The signed state must include the last declared draw that named the seat as a contributor.
    Without this check, the server could hold back a signed event and record it later, at a time
    that suits the server.
    """
    chain = session.chains.get(event.seat)
    earliest = 1 if chain is None else chain.requested_at
    if event.seen_size is UNSET or not earliest <= event.seen_size <= session.version:
        raise Refused("seen-elsewhere", at_least=earliest, at_most=session.version)
    root = root_at(event.seen_size).hex()
    if event.seen_root != root:
        raise Refused("another-log", size=event.seen_size, root=root)


def _check_previous_link(session: Session, event: SeatTaken | ChainAnchored) -> None:
    """Raise Refused unless the event reveals the required link of the seat's old chain, if any.

    In format 1, only ChainAnchored may include a link, and the link must be the one after the last
    requested link. In format 2, the event must include the last requested link if the seat has not
    revealed it yet. Otherwise, it must not include a link.
    """
    chain, link = session.chains.get(event.seat, NO_CHAIN), event.previous_link
    if session.info.log_format == 1:
        position = chain.position + 1
        is_wrong = link is not UNSET and isinstance(event, SeatTaken)
    else:
        position = chain.position
        is_wrong = (chain.shown < chain.position) is (link is UNSET)
    if is_wrong:
        raise Refused("link-wrong", chain=chain.number, position=position)
    if link is not UNSET:
        check_link(session.id, event.seat, chain, position, link)


def check_contribution(
    session: Session,
    declared: RecordedEvent,
    contribution: Contribution,
    root: bytes,
    verify: Verify,
) -> None:
    """Raise Refused unless the contribution is valid for the pending draw.

    `declared` is the draw's Declared event. `root` is the Merkle root of the session's log at size
    `contribution.seen_size`.
    """
    pending = session.pending
    if pending is None or pending.version != declared.version:
        raise Refused("no-draw-waits")
    places = {
        seat: (chain, position) for seat, chain, position in pending.contributors if seat != HOUSE
    }
    if contribution.seat not in places:
        raise Refused("not-a-contributor", seat=contribution.seat, draw=pending.k)
    if (contribution.chain, contribution.position) != places[contribution.seat]:
        chain, position = places[contribution.seat]
        raise Refused("position-differs", chain=chain, position=position)
    if not pending.version <= contribution.seen_size <= session.version:
        raise Refused("seen-elsewhere", at_least=pending.version, at_most=session.version)
    if contribution.seen_root != root.hex():
        raise Refused("another-log", size=contribution.seen_size, root=root.hex())
    check_link(
        session.id,
        contribution.seat,
        session.chains[contribution.seat],
        contribution.position,
        contribution.link,
    )
    request = merkle_tree.leaf_hash(leaf_of(declared)).hex()
    message = contribution_of(session.id, pending.k, request, contribution)
    key = session.info.seats[contribution.seat].public_key
    if key is UNSET or not verify(
        bytes.fromhex(key), message, bytes.fromhex(contribution.signature)
    ):
        raise Refused("signature-wrong", seat=contribution.seat)


def check_link(session: str, seat: str, chain: Chain, position: int, link: str) -> None:
    """Raise Refused unless the link hashes to the last link that the seat revealed."""
    lower = link_at(session, seat, chain.number, position, bytes.fromhex(link), chain.shown)
    if lower.hex() != chain.link:
        raise Refused("link-wrong", chain=chain.number, position=position)


def link_at(session: str, seat: str, number: int, position: int, link: bytes, lower: int) -> bytes:
    """Return the link at position `lower` in a chain.

    `link` is the link at `position`. It is hashed repeatedly until `lower` is reached.
    """
    raw = bytes.fromhex(session)
    for each in range(position, lower, -1):
        link = link_below(raw, seat, number, each, link)
    return link
