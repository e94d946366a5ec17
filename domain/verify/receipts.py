"""Rung 3, receipts: what a seat gave and the house said that it held, against what the log says of that draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import UNSET

from domain.codec import encode
from domain.proof.hash_chain import receipt_message
from domain.recorded_event import RecordedEvent
from domain.session.messages import Declared, Drawn, DrawVoided, Hex16, Hex32, Hex64, Index, SeatId
from domain.session.state import HOUSE
from domain.verify.bytes_check import FileEvent
from domain.verify.draws_check import DrawsCheck
from domain.verify.report import VerificationError
from domain.verify.tree_check import Roots


class SignedContribution(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A contribution as it is signed (fairness.md): `draw` is k, `request` the leaf hash of its Declared."""

    chain: Index
    draw: Index
    link: Hex32
    position: Index
    request: Hex32
    seat: SeatId
    seen_root: Hex32
    seen_size: Index
    session: Hex16


class Receipt(msgspec.Struct, frozen=True, gc=False):
    """The house's signature over a contribution; whatever else a client keeps beside it is not looked at."""

    contribution: SignedContribution
    receipt: Hex64


class ReceiptFile(msgspec.Struct, frozen=True, gc=False):
    """A client's own file, as far as it is of use here."""

    receipts: tuple[Receipt, ...]


_decode_list = msgspec.json.Decoder(tuple[Receipt, ...]).decode
_decode_file = msgspec.json.Decoder(ReceiptFile).decode
_decode_receipt = msgspec.json.Decoder(Receipt).decode
_decode_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def read_receipts(raw: bytes) -> tuple[Receipt, ...]:
    """Receipts as a JSON list, as JSON lines, or under `receipts` in one object. Raises ValueError on anything else."""
    found = _parse_receipts(raw.strip())
    if not found:
        raise ValueError("no receipts")
    return found


def _parse_receipts(raw: bytes) -> tuple[Receipt, ...]:
    if raw.startswith(b"["):
        return _decode_list(raw)
    try:
        is_kept = "receipts" in _decode_fields(raw)
    except ValueError:  # more than one line
        is_kept = False
    return (
        _decode_file(raw).receipts
        if is_kept
        else tuple(_decode_receipt(line) for line in raw.splitlines() if line.strip())
    )


def receipt_sizes(receipts: Iterable[Receipt]) -> set[int]:
    """The sizes that seats had seen when they gave."""
    return {each.contribution.seen_size for each in receipts}


def check_receipts(
    receipts: Sequence[Receipt],
    session: str,
    lines: Sequence[FileEvent],
    hashes: Sequence[bytes],
    roots: Roots,
    draws: DrawsCheck,
) -> None:
    """That the house signed each, on this log, and that the end of its draw holds it. Raises Fault."""
    declared = dict(_declared_versions(lines)) if receipts else {}
    for each in receipts:
        given = each.contribution
        _check_signature(each, session, draws, len(hashes))
        _check_request(given, hashes, roots, declared.get(given.draw))
        if given.draw in draws.ended:
            _check_draw_end(given, draws.ended[given.draw])


def _declared_versions(lines: Iterable[FileEvent]) -> Iterator[tuple[int, int]]:
    """The version of every draw's declaration by its index."""
    for line in lines:
        if (
            isinstance(line, RecordedEvent)
            and isinstance(line.body, Declared)
            and line.body.draw is not UNSET
        ):
            yield line.body.draw.k, line.version


def _check_signature(receipt: Receipt, session: str, draws: DrawsCheck, size: int) -> None:
    given = receipt.contribution
    version = min(given.seen_size, size)
    if given.session != session:
        raise VerificationError(
            version, "E_SESSION", f"a receipt of session {given.session}", session
        )
    if not draws.chains.signed(
        HOUSE, receipt_message(encode(given)), bytes.fromhex(receipt.receipt)
    ):
        found = f"the receipt of {given.seat} for draw {given.draw}"
        raise VerificationError(
            version, "E_SIGNATURE", found, "a signature by the house's key of this log"
        )


def _check_request(
    given: SignedContribution, hashes: Sequence[bytes], roots: Roots, declared: int | None
) -> None:
    """What the seat saw is this log, as far as it had come then."""
    if given.seen_size > len(hashes):
        raise VerificationError(
            len(hashes) + 1,
            "E_TRUNCATED",
            f"{len(hashes)} events",
            f"{given.seen_size}, as a receipt says",
        )
    if roots[given.seen_size].hex() != given.seen_root:
        raise VerificationError(
            given.seen_size,
            "E_FORK",
            roots[given.seen_size].hex(),
            f"{given.seen_root}, as a receipt says",
        )
    if declared is None or hashes[declared - 1].hex() != given.request:
        found = "no such draw" if declared is None else hashes[declared - 1].hex()
        expected = f"{given.request}, draw {given.draw} as a receipt says"
        raise VerificationError(declared or given.seen_size, "E_FORK", found, expected)


def _check_draw_end(given: SignedContribution, end: RecordedEvent) -> None:
    assert isinstance(end.body, Drawn | DrawVoided)
    for each in end.body.contributions:
        same = (each.chain, each.link, each.position, each.seen_root, each.seen_size)
        if each.seat == given.seat and same == (
            given.chain,
            given.link,
            given.position,
            given.seen_root,
            given.seen_size,
        ):
            return
    said = (
        f"{given.seat} did not answer"
        if isinstance(end.body, DrawVoided)
        else f"another link of {given.seat}"
    )
    raise VerificationError(end.version, "E_ORDER", said, "what the house gave a receipt for")
