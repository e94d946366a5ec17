"""Signed requests from a seat: chain anchors, presence and contributions to draws.

New chains and revealed links are saved in the seat file before a request is sent.
"""

from __future__ import annotations

from typing import Any

import msgspec

from domain.decider import Role
from domain.proof import ProofError
from domain.proof.hash_chain import contribution_message, receipt_message
from domain.proof.signed_note import COSIGNATURE, Vkey, cosign, parse_note, vkey_text
from domain.session.contributions import (
    SeatEvent,
    contribution_json,
    seat_event_of,
)
from domain.session.messages import ChainAnchored, Contribution, PresenceSet, SeatLeft, SeatTaken
from domain.verify.receipts import Complaint, SignedContribution
from service.client.log_watcher import LogWatcher
from service.client.seat_file import SeatFile, SeatFileChain
from service.platform.ed25519 import verify

ROLLOVER_MARGIN = 64
"""The next chain is anchored when the current one has at most this many links left."""
ROLLOVER_REQUEST = "rolled over"
MAX_STATEMENTS = 16
"""The maximum number of sent statements to keep in the seat file."""


def first_chain_request(
    seat_file: SeatFile, role: Role, number: int = 0, previous: dict[str, str] | None = None
) -> dict[str, Any]:
    """Return the request body that anchors chain `number` with a SeatTaken event.

    `previous` contains the `previous_link` of the seat's old chain, if the server needs it.
    """
    revealed = previous or {}
    chain, key = seat_file.ensure_chain(number), seat_file.public_key.hex()
    seat_file.save()
    anchor = seat_file.link(chain, 0).hex()
    taken = SeatTaken(role, seat_file.data.seat, anchor, number, chain.length, key, "", **revealed)
    return {
        "public_key": key,
        "length": chain.length,
        "anchor": anchor,
        "signature": sign_event(seat_file, taken),
    } | revealed


def next_request(seat_file: SeatFile, watcher: LogWatcher) -> tuple[str, dict[str, Any]] | None:
    """Return the chain or presence request to send before the next draw, or None.

    The result contains the last segment of the URL path (`chain` or `presence`) and the request
    body. While a draw is pending, the result is None.
    """
    held = watcher.chains.state_of(seat_file.data.seat)
    if watcher.open_draw is not None or not held.is_there:
        return None
    if held.chain < 0:
        return "chain", first_chain_request(seat_file, watcher.role)
    if held.length - held.position <= ROLLOVER_MARGIN:
        return "chain", next_chain_request(seat_file, watcher)
    return (
        ("presence", presence_request(seat_file, watcher, present=True)) if held.is_away else None
    )


def next_chain_request(seat_file: SeatFile, watcher: LogWatcher) -> dict[str, Any]:
    """Return the request body that anchors the chain after the current one.

    In format 2, the request also reveals the last link that a draw requested from the current
    chain, if the seat has not revealed it. This link shows how a voided draw would have ended.
    Format 1 does not require it.
    """
    held, seat = watcher.chains.state_of(seat_file.data.seat), seat_file.data.seat
    old, new = seat_file.ensure_chain(held.chain), seat_file.ensure_chain(held.chain + 1)
    revealed: dict[str, Any] = {}
    if watcher.log_format > 1 and held.shown < held.position:
        revealed = reveal_link(seat_file, old, held.position)
    seat_file.save()
    anchor = seat_file.link(new, 0).hex()
    event = ChainAnchored(anchor, new.number, new.length, seat, "", **revealed)
    return {
        "length": new.length,
        "anchor": anchor,
        "signature": sign_event(seat_file, event),
    } | revealed


def reveal_link(seat_file: SeatFile, chain: SeatFileChain, position: int) -> dict[str, str]:
    """Return a `previous_link` field with the link that a voided draw requested at `position`.

    If the seat has not revealed this link before, record in the seat file that it is now revealed.
    From then on, the client contributes no link up to `position`, because the server may have
    invented the voided draw.
    """
    if position > chain.position:
        seat_file.release_link(chain, position, ROLLOVER_REQUEST)
    return {"previous_link": seat_file.link(chain, position).hex()}


def was_link_revealed(seat_file: SeatFile, place: tuple[int, int]) -> bool:
    """Return True if the seat revealed the link when it anchored the next chain.

    `place` is the chain number and the link's position. The house may have seen such a link before
    the draw, so the seat must not contribute it.
    """
    return any(
        (chain.number, chain.position, chain.request) == (*place, ROLLOVER_REQUEST)
        for chain in seat_file.data.chains
    )


def presence_request(seat_file: SeatFile, watcher: LogWatcher, *, present: bool) -> dict[str, Any]:
    seen = _seen(seat_file, watcher)
    event = PresenceSet(watcher.nth + 1, present, seat_file.data.seat, **seen)
    return {"present": present, "signature": _sign_statement(seat_file, event)} | seen


def leave_request(seat_file: SeatFile, watcher: LogWatcher) -> dict[str, Any]:
    """Return the query parameters of the request to leave the seat."""
    seen = _seen(seat_file, watcher)
    event = SeatLeft(watcher.nth + 1, seat_file.data.seat, **seen)
    return {"signature": _sign_statement(seat_file, event)} | seen


def _seen(seat_file: SeatFile, watcher: LogWatcher) -> dict[str, Any]:
    """Return the size and root of the last checkpoint seen, or {} in format 1."""
    if watcher.log_format == 1:
        return {}
    return {"seen_root": seat_file.data.root, "seen_size": seat_file.data.size}


def _sign_statement(seat_file: SeatFile, event: SeatLeft | PresenceSet) -> str:
    """Sign the event, and record in the seat file that it was sent."""
    signature = sign_event(seat_file, event)
    seat_file.data.statements = [*seat_file.data.statements, signature][-MAX_STATEMENTS:]
    seat_file.save()
    return signature


def sign_event(seat_file: SeatFile, event: SeatEvent) -> str:
    return seat_file.sign(seat_event_of(seat_file.data.session, event)).hex()


def create_contribution(
    seat_file: SeatFile, k: int, request: str, place: tuple[int, int]
) -> Contribution:
    """Return the seat's signed contribution to draw `k`, and record in its file what it reveals.

    The contribution reveals the link at `place`. Its signature also covers the size and root of the
    last checkpoint that the seat saw. `request` is the leaf hash of the draw's declaration. Raises
    ProofError if the link was revealed for a different draw, or if the file does not contain the
    chain.
    """
    data, (number, position) = seat_file.data, place
    chain = next((chain for chain in data.chains if chain.number == number), None)
    if chain is None:
        raise ProofError("E_CHAIN", f"chain {number}", "a chain in the seat file")
    link = seat_file.release_link(chain, position, request).hex()
    unsigned = Contribution(number, link, position, data.seat, data.root, data.size, "")
    signed = contribution_json(data.session, k, request, unsigned)
    signature = seat_file.sign(contribution_message(signed)).hex()
    known = msgspec.json.decode(signed, type=SignedContribution)
    seat_file.add_complaint(Complaint(known, signature))
    seat_file.save()
    return msgspec.structs.replace(unsigned, signature=signature)


def check_receipt(
    seat_file: SeatFile, k: int, request: str, sent: Contribution, receipt: str, house: bytes
) -> bytes:
    """Check the receipt for a contribution, and return the JSON that the house signed.

    Raises ProofError (E_SIGNATURE) if the receipt is not signed with the house's key.
    """
    signed = contribution_json(seat_file.data.session, k, request, sent)
    try:
        good = verify(house, receipt_message(signed), bytes.fromhex(receipt))
    except ValueError:
        good = False
    if not good:
        raise ProofError(
            "E_SIGNATURE", f"receipt {receipt}", f"a signature by the server's key {house.hex()}"
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
