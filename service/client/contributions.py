"""What a seat sends in its own name: its chains, its presence, its links; each signed, and saved before it leaves."""

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
from service.client.draw_checks import Checked
from service.client.log_watcher import Watch
from service.client.seat_file import SeatFile
from service.platform.ed25519 import verify

MARGIN = 64
"""With so many links left, or fewer, the next chain is anchored."""
ROLLED = "rolled over"


def first_chain(keeping: SeatFile, role: Role, number: int = 0) -> dict[str, Any]:
    """A chain as a seat brings it, with its key."""
    chain, key = keeping.chain(number), keeping.public.hex()
    keeping.save()
    anchor = keeping.link(chain, 0).hex()
    taken = SeatTaken(role, keeping.kept.seat, anchor, number, chain.length, key, "")
    return {
        "public_key": key,
        "length": chain.length,
        "anchor": anchor,
        "signature": signed(keeping, taken),
    }


def needed(keeping: SeatFile, watch: Watch) -> tuple[str, dict[str, Any]] | None:
    """What the draws to come need of the seat next: `chain` or `presence`, and what to post. None while a draw waits.

    A seat that has a void to explain is absent while its old chain's next link is on the way: no draw asks for it then.
    """
    mine = watch.chains.of(keeping.kept.seat)
    if watch.waiting is not None or not mine.is_there:
        return None
    if mine.chain < 0:
        return "chain", first_chain(keeping, watch.role)
    if mine.length - mine.position <= MARGIN:
        if _explains(mine) and not mine.is_away:
            return "presence", presence(keeping, watch, present=False)
        return "chain", next_chain(keeping, watch)
    return ("presence", presence(keeping, watch, present=True)) if mine.is_away else None


def next_chain(keeping: SeatFile, watch: Watch) -> dict[str, Any]:
    """The chain behind that in use. Of an absent seat the old one's next link is shown, where that explains a void."""
    held, seat = watch.chains.of(keeping.kept.seat), keeping.kept.seat
    old, new = keeping.chain(held.chain), keeping.chain(held.chain + 1)
    shown: dict[str, Any] = {}
    if _explains(held) and held.is_away:
        shown = {"previous_link": keeping.give(old, held.position + 1, ROLLED).hex()}
    keeping.save()
    anchor = keeping.link(new, 0).hex()
    event = ChainAnchored(anchor, new.number, new.length, seat, "", **shown)
    return {"length": new.length, "anchor": anchor, "signature": signed(keeping, event)} | shown


def _explains(held: ChainState) -> bool:
    """Whether a draw was given up for the seat, and its next link would tell what that would have been."""
    return held.shown < held.position < held.length


def was_shown(keeping: SeatFile, place: tuple[int, int]) -> bool:
    """Whether the link of that place has left for a next chain: the house may have known it before the draw."""
    return any(
        (chain.number, chain.position, chain.request) == (*place, ROLLED)
        for chain in keeping.kept.chains
    )


def is_ahead(keeping: SeatFile, watch: Watch) -> bool:
    """Whether a link was shown that the next draw could ask for: the next chain comes before the seat does."""
    held = watch.chains.of(keeping.kept.seat)
    return was_shown(keeping, (held.chain, held.position + 1))


def presence(keeping: SeatFile, watch: Watch, *, present: bool) -> dict[str, Any]:
    event = PresenceSet(watch.nth + 1, present, keeping.kept.seat)
    return {"present": present, "signature": signed(keeping, event)}


def leaving(keeping: SeatFile, watch: Watch) -> str:
    return signed(keeping, SeatLeft(watch.nth + 1, keeping.kept.seat))


def signed(keeping: SeatFile, event: SeatEvent) -> str:
    return keeping.sign(seat_event_of(keeping.kept.session, event)).hex()


def contribution(keeping: SeatFile, checked: Checked, place: tuple[int, int]) -> Contribution:
    """The seat's link for a draw that was checked; the position is bound to this request for good. Raises Broken."""
    kept, (number, position) = keeping.kept, place
    chain = next((chain for chain in kept.chains if chain.number == number), None)
    if chain is None:
        raise ProofError("E_CHAIN", f"chain {number}", "one of its own")
    link = keeping.give(chain, position, checked.request.hex()).hex()
    size, root = checked.seen
    unsigned = Contribution(number, link, position, kept.seat, root.hex(), size, "")
    message = contribution_of(kept.session, checked.draw.k, checked.request.hex(), unsigned)
    return msgspec.structs.replace(unsigned, signature=keeping.sign(message).hex())


def check_receipt(
    keeping: SeatFile, checked: Checked, given: Contribution, receipt: str, house: bytes
) -> bytes:
    """The canonical JSON that the house's key has signed for. E_SIGNATURE where it has not."""
    said = contribution_json(keeping.kept.session, checked.draw.k, checked.request.hex(), given)
    try:
        good = verify(house, receipt_message(said), bytes.fromhex(receipt))
    except ValueError:
        good = False
    if not good:
        raise ProofError(
            "E_SIGNATURE", f"receipt {receipt}", f"a signature by the house's key {house.hex()}"
        )
    return said


def cosignature(keeping: SeatFile, seconds: int) -> dict[str, str]:
    """The last checkpoint that was checked with the seat's own cosignature, and the key to check that with (C2SP)."""
    kept = keeping.kept
    vkey = Vkey(f"{kept.origin}/w/{kept.seat}", COSIGNATURE, keeping.witness)
    text = parse_note(kept.note).text
    line = cosign(text, vkey, seconds, keeping.cosign)
    return {"note": f"{text}\n{line}", "vkey": vkey_text(vkey)}
