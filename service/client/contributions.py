"""Signed requests from a seat: chain anchors, presence and contributions to draws.

New chains and revealed links are saved in the seat file before a request is sent.
"""

from __future__ import annotations

from typing import Any

import msgspec

from domain.decider import Role
from domain.proof import ProofError
from domain.proof.hash_chain import receipt_message
from domain.proof.signed_note import COSIGNATURE, Vkey, cosign, parse_note, vkey_text
from domain.session.contributions import (
    SeatEvent,
    contribution_json,
    contribution_of,
    seat_event_of,
)
from domain.session.messages import ChainAnchored, Contribution, PresenceSet, SeatLeft, SeatTaken
from domain.verify.seat_chains import ChainState
from service.client.draw_checks import CheckedDraw
from service.client.log_watcher import LogWatcher
from service.client.seat_file import SeatFile
from service.platform.ed25519 import verify

ROLLOVER_MARGIN = 64
"""The next chain is anchored when the current one has at most this many links left."""
ROLLOVER_REQUEST = "rolled over"


def first_chain_request(seat_file: SeatFile, role: Role, number: int = 0) -> dict[str, Any]:
    chain, key = seat_file.ensure_chain(number), seat_file.public_key.hex()
    seat_file.save()
    anchor = seat_file.link(chain, 0).hex()
    taken = SeatTaken(role, seat_file.data.seat, anchor, number, chain.length, key, "")
    return {
        "public_key": key,
        "length": chain.length,
        "anchor": anchor,
        "signature": sign_event(seat_file, taken),
    }


def next_request(seat_file: SeatFile, watcher: LogWatcher) -> tuple[str, dict[str, Any]] | None:
    """Return the chain or presence request to send before the next draw, or None.

    The result contains the last segment of the URL path (`chain` or `presence`) and the request
    body. While a draw is pending, the result is None. If anchoring the next chain will reveal a
    link from the old one, the seat is first marked as absent. Otherwise a new draw could
    need that link.
    """
    held = watcher.chains.state_of(seat_file.data.seat)
    if watcher.open_draw is not None or not held.is_there:
        return None
    if held.chain < 0:
        return "chain", first_chain_request(seat_file, watcher.role)
    if held.length - held.position <= ROLLOVER_MARGIN:
        if _explains_void(held) and not held.is_away:
            return "presence", presence_request(seat_file, watcher, present=False)
        return "chain", next_chain_request(seat_file, watcher)
    return (
        ("presence", presence_request(seat_file, watcher, present=True)) if held.is_away else None
    )


def next_chain_request(seat_file: SeatFile, watcher: LogWatcher) -> dict[str, Any]:
    """Return the request body that anchors the chain after the current one.

    If the current chain's next link shows how a voided draw would have ended, and the seat is
    absent, the request also reveals that link.
    """
    held, seat = watcher.chains.state_of(seat_file.data.seat), seat_file.data.seat
    old, new = seat_file.ensure_chain(held.chain), seat_file.ensure_chain(held.chain + 1)
    revealed: dict[str, Any] = {}
    if _explains_void(held) and held.is_away:
        revealed = {
            "previous_link": seat_file.release_link(old, held.position + 1, ROLLOVER_REQUEST).hex()
        }
    seat_file.save()
    anchor = seat_file.link(new, 0).hex()
    event = ChainAnchored(anchor, new.number, new.length, seat, "", **revealed)
    return {
        "length": new.length,
        "anchor": anchor,
        "signature": sign_event(seat_file, event),
    } | revealed


def _explains_void(held: ChainState) -> bool:
    """Return True if the chain's next link shows how a voided draw would have ended."""
    return held.shown < held.position < held.length


def was_link_revealed(seat_file: SeatFile, place: tuple[int, int]) -> bool:
    """Return True if the seat revealed the link when it anchored its next chain.

    `place` is the chain number and the link's position. The house may have seen such a link before
    the draw, so the seat must not contribute it.
    """
    return any(
        (chain.number, chain.position, chain.request) == (*place, ROLLOVER_REQUEST)
        for chain in seat_file.data.chains
    )


def is_next_link_revealed(seat_file: SeatFile, watcher: LogWatcher) -> bool:
    """Return True if the seat has already revealed the link for its next draw.

    The seat must then anchor its next chain before it becomes present.
    """
    held = watcher.chains.state_of(seat_file.data.seat)
    return was_link_revealed(seat_file, (held.chain, held.position + 1))


def presence_request(seat_file: SeatFile, watcher: LogWatcher, *, present: bool) -> dict[str, Any]:
    event = PresenceSet(watcher.nth + 1, present, seat_file.data.seat)
    return {"present": present, "signature": sign_event(seat_file, event)}


def leave_signature(seat_file: SeatFile, watcher: LogWatcher) -> str:
    return sign_event(seat_file, SeatLeft(watcher.nth + 1, seat_file.data.seat))


def sign_event(seat_file: SeatFile, event: SeatEvent) -> str:
    return seat_file.sign(seat_event_of(seat_file.data.session, event)).hex()


def create_contribution(
    seat_file: SeatFile, checked: CheckedDraw, place: tuple[int, int]
) -> Contribution:
    """Return the seat's signed contribution to a checked draw.

    Record in the seat file that the link at `place` was revealed for this draw. Raises ProofError
    if the link was revealed for a different draw, or if the file does not contain the chain.
    """
    data, (number, position) = seat_file.data, place
    chain = next((chain for chain in data.chains if chain.number == number), None)
    if chain is None:
        raise ProofError("E_CHAIN", f"chain {number}", "a chain in the seat file")
    link = seat_file.release_link(chain, position, checked.request.hex()).hex()
    size, root = checked.seen
    unsigned = Contribution(number, link, position, data.seat, root.hex(), size, "")
    message = contribution_of(data.session, checked.draw.k, checked.request.hex(), unsigned)
    return msgspec.structs.replace(unsigned, signature=seat_file.sign(message).hex())


def check_receipt(
    seat_file: SeatFile, checked: CheckedDraw, sent: Contribution, receipt: str, house: bytes
) -> bytes:
    """Check the receipt for a contribution, and return the JSON that the house signed.

    Raises ProofError (E_SIGNATURE) if the receipt is not signed with the house's key.
    """
    signed = contribution_json(seat_file.data.session, checked.draw.k, checked.request.hex(), sent)
    try:
        good = verify(house, receipt_message(signed), bytes.fromhex(receipt))
    except ValueError:
        good = False
    if not good:
        raise ProofError(
            "E_SIGNATURE", f"receipt {receipt}", f"a signature by the house's key {house.hex()}"
        )
    return signed


def cosignature_request(seat_file: SeatFile, seconds: int) -> dict[str, str]:
    """Return the body of a cosignature request.

    The body contains the last checkpoint that the seat has seen, the seat's cosignature on it, and
    the key that verifies the cosignature.
    """
    data = seat_file.data
    vkey = Vkey(f"{data.origin}/w/{data.seat}", COSIGNATURE, seat_file.witness_key)
    text = parse_note(data.note).text
    line = cosign(text, vkey, seconds, seat_file.cosign)
    return {"note": f"{text}\n{line}", "vkey": vkey_text(vkey)}
