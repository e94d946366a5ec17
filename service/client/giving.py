"""What a seat sends in its own name: its chains, its presence, its links; each signed, and saved before it leaves."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.decider import Role
from domain.proof import Broken
from domain.proof.chain import receipt_message
from domain.proof.note import COSIGNATURE, Vkey, cosign, parse_note, vkey_text
from domain.session.giving import SeatEvent, contribution_json, contribution_of, seat_event_of
from domain.session.messages import ChainAnchored, Contribution, PresenceSet, SeatLeft, SeatTaken
from service.client.checking import Checked
from service.client.keeping import Keeping
from service.client.watching import Watch
from service.ed25519 import verify


def first_chain(keeping: Keeping, role: Role, number: int = 0) -> dict[str, Any]:
    """A chain as a seat brings it, with its key."""
    chain, key = keeping.chain(number), keeping.public.hex()
    keeping.save()
    anchor = keeping.link(chain, 0).hex()
    taken = SeatTaken(role, keeping.kept.seat, anchor, number, chain.length, key, "")
    return {"public_key": key, "length": chain.length, "anchor": anchor, "signature": signed(keeping, taken)}


def next_chain(keeping: Keeping, watch: Watch) -> dict[str, Any]:
    """The chain behind that in use. After a void the old one's next link is shown: it can be given to no draw then."""
    held, seat = watch.chains.of(keeping.kept.seat), keeping.kept.seat
    old, new = keeping.chain(held.chain), keeping.chain(held.chain + 1)
    shown: dict[str, Any] = {}
    if held.shown < held.position < old.length:
        shown = {"previous_link": keeping.give(old, held.position + 1, "rolled over").hex()}
    keeping.save()
    anchor = keeping.link(new, 0).hex()
    event = ChainAnchored(anchor, new.number, new.length, seat, "", **shown)
    return {"length": new.length, "anchor": anchor, "signature": signed(keeping, event)} | shown


def presence(keeping: Keeping, watch: Watch, *, present: bool) -> dict[str, Any]:
    event = PresenceSet(watch.nth + 1, present, keeping.kept.seat)
    return {"present": present, "signature": signed(keeping, event)}


def leaving(keeping: Keeping, watch: Watch) -> str:
    return signed(keeping, SeatLeft(watch.nth + 1, keeping.kept.seat))


def signed(keeping: Keeping, event: SeatEvent) -> str:
    return keeping.sign(seat_event_of(keeping.kept.session, event)).hex()


def contribution(keeping: Keeping, checked: Checked, place: tuple[int, int]) -> Contribution:
    """The seat's link for a draw that was checked; the position is bound to this request for good. Raises Broken."""
    kept, (number, position) = keeping.kept, place
    chain = next((chain for chain in kept.chains if chain.number == number), None)
    if chain is None:
        raise Broken("E_CHAIN", f"chain {number}", "one of its own")
    link = keeping.give(chain, position, checked.request.hex()).hex()
    size, root = checked.seen
    unsigned = Contribution(number, link, position, kept.seat, root.hex(), size, "")
    message = contribution_of(kept.session, checked.draw.k, checked.request.hex(), unsigned)
    return msgspec.structs.replace(unsigned, signature=keeping.sign(message).hex())


def check_receipt(keeping: Keeping, checked: Checked, given: Contribution, receipt: str, house: bytes) -> bytes:
    """The canonical JSON that the house's key has signed for. E_SIGNATURE where it has not."""
    said = contribution_json(keeping.kept.session, checked.draw.k, checked.request.hex(), given)
    try:
        good = verify(house, receipt_message(said), bytes.fromhex(receipt))
    except ValueError:
        good = False
    if not good:
        raise Broken("E_SIGNATURE", f"receipt {receipt}", f"a signature by the house's key {house.hex()}")
    return said


def cosignature(keeping: Keeping, seconds: int) -> dict[str, str]:
    """The last checkpoint that was checked with the seat's own cosignature, and the key to check that with (C2SP)."""
    kept = keeping.kept
    vkey = Vkey(f"{kept.origin}/w/{kept.seat}", COSIGNATURE, keeping.witness)
    text = parse_note(kept.note).text
    line = cosign(text, vkey, seconds, keeping.cosign)
    return {"note": f"{text}\n{line}", "vkey": vkey_text(vkey)}
