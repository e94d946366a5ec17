"""Part of level 3 (draws): compares the log with contributions that the server confirmed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import UNSET

from domain.codec import decode_fields, encode
from domain.proof.hash_chain import contribution_message, receipt_message
from domain.recorded_event import RecordedEvent
from domain.session.messages import Declared, Drawn, DrawVoided, Hex16, Hex32, Hex64, Index, SeatId
from domain.session.state import HOUSE
from domain.verify.bytes_check import FileEvent
from domain.verify.draws_check import DrawsCheck
from domain.verify.report import ComplaintReport, VerificationError
from domain.verify.tree_check import Roots


class SignedContribution(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The fields of a contribution that the server signs in a receipt (fairness.md).

    `draw` is the index of the draw. `request` is the leaf hash of the draw's Declared event.
    """

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
    """A contribution with the server's signature.

    Other JSON fields are ignored.
    """

    contribution: SignedContribution
    receipt: Hex64


class Complaint(msgspec.Struct, frozen=True, gc=False):
    """A contribution for which the server sent no receipt, with the seat's signature."""

    contribution: SignedContribution
    signature: Hex64


class ReceiptFile(msgspec.Struct, frozen=True, gc=False):
    """The part of a client's seat file that contains receipts and complaints.

    All other fields of the file are ignored.
    """

    receipts: tuple[Receipt, ...]
    complaints: tuple[Complaint, ...] = ()


_decode_list = msgspec.json.Decoder(tuple[Receipt, ...]).decode
_decode_file = msgspec.json.Decoder(ReceiptFile).decode
_decode_receipt = msgspec.json.Decoder(Receipt).decode


def read_receipts(raw: bytes) -> ReceiptFile:
    """Parse receipts from a JSON list, from JSON lines, or from a client's seat file.

    Only a seat file can contain complaints. Raises ValueError if there are neither receipts nor
    complaints, or if they are invalid.
    """
    found = _parse_receipts(raw.strip())
    if not found.receipts and not found.complaints:
        raise ValueError("it contains no receipts")
    return found


def _parse_receipts(raw: bytes) -> ReceiptFile:
    if raw.startswith(b"["):
        return ReceiptFile(_decode_list(raw))
    try:
        is_kept = "receipts" in decode_fields(raw)
    except ValueError:  # more than one line
        is_kept = False
    if is_kept:
        return _decode_file(raw)
    return ReceiptFile(tuple(_decode_receipt(line) for line in raw.splitlines() if line.strip()))


def receipt_sizes(receipts: Iterable[Receipt]) -> set[int]:
    """Return the log sizes that the seats had seen when they sent their contributions."""
    return {each.contribution.seen_size for each in receipts}


def check_receipts(
    receipts: Sequence[Receipt],
    session: str,
    lines: Sequence[FileEvent],
    hashes: Sequence[bytes],
    roots: Roots,
    draws: DrawsCheck,
) -> None:
    """Check the server's signature on each receipt, and compare the receipts with the log.

    Raises VerificationError if a check fails.
    """
    declared = dict(_declared_versions(lines)) if receipts else {}
    for each in receipts:
        contribution = each.contribution
        _check_signature(each, session, draws, len(hashes))
        _check_request(contribution, hashes, roots, declared.get(contribution.draw))
        if contribution.draw in draws.ended:
            _check_draw_end(contribution, draws.ended[contribution.draw])


def report_complaints(
    complaints: Sequence[Complaint],
    session: str,
    lines: Sequence[FileEvent],
    hashes: Sequence[bytes],
    draws: DrawsCheck,
) -> Iterator[ComplaintReport]:
    """Yield the complaints about voids in this log that name the seat as missing.

    A complaint must contain the link that the draw needed, refer to the declaration in this log,
    and be signed with the seat's key. It shows that the seat made its contribution, but not when.
    """
    declared = dict(_declared_versions(lines)) if complaints else {}
    for each in complaints:
        contribution = each.contribution
        message = contribution_message(encode(contribution))
        end = draws.ended.get(contribution.draw)
        if (
            contribution.session == session
            and end is not None
            and isinstance(end.body, DrawVoided)
            and contribution.seat in end.body.missing
            and hashes[declared[contribution.draw] - 1].hex() == contribution.request
            and draws.chains.is_signed_by(contribution.seat, message, bytes.fromhex(each.signature))
            and draws.is_missing_link(
                contribution.draw,
                contribution.seat,
                (contribution.chain, contribution.position),
                bytes.fromhex(contribution.link),
            )
        ):
            yield ComplaintReport(end.version, contribution.draw, contribution.seat)


def _declared_versions(lines: Iterable[FileEvent]) -> Iterator[tuple[int, int]]:
    """Yield the index of each draw and the version of its declaration."""
    for line in lines:
        if (
            isinstance(line, RecordedEvent)
            and isinstance(line.body, Declared)
            and line.body.draw is not UNSET
        ):
            yield line.body.draw.k, line.version


def _check_signature(receipt: Receipt, session: str, draws: DrawsCheck, size: int) -> None:
    contribution = receipt.contribution
    version = min(contribution.seen_size, size)
    if contribution.session != session:
        raise VerificationError(
            version,
            "E_SESSION",
            f"a receipt for session {contribution.session}",
            f"a receipt for session {session}",
        )
    if not draws.chains.is_signed_by(
        HOUSE, receipt_message(encode(contribution)), bytes.fromhex(receipt.receipt)
    ):
        found = (
            f"an invalid receipt for {contribution.seat}'s contribution to draw {contribution.draw}"
        )
        raise VerificationError(
            version, "E_SIGNATURE", found, "a receipt signed with the server's key from this log"
        )


def _check_request(
    contribution: SignedContribution, hashes: Sequence[bytes], roots: Roots, declared: int | None
) -> None:
    """Check that the receipt's declaration and root match those in the log.

    `declared` is the version of the declaration, or None if the log does not contain one.
    """
    if contribution.seen_size > len(hashes):
        raise VerificationError(
            len(hashes) + 1,
            "E_TRUNCATED",
            f"{len(hashes)} events",
            f"at least {contribution.seen_size} events, according to a receipt",
        )
    if roots[contribution.seen_size].hex() != contribution.seen_root:
        raise VerificationError(
            contribution.seen_size,
            "E_FORK",
            roots[contribution.seen_size].hex(),
            f"{contribution.seen_root}, according to a receipt",
        )
    if declared is None or hashes[declared - 1].hex() != contribution.request:
        found = "no such draw" if declared is None else hashes[declared - 1].hex()
        expected = (
            f"hash {contribution.request} for the declaration of draw {contribution.draw},"
            " according to a receipt"
        )
        raise VerificationError(declared or contribution.seen_size, "E_FORK", found, expected)


def _check_draw_end(contribution: SignedContribution, end: RecordedEvent) -> None:
    assert isinstance(end.body, Drawn | DrawVoided)
    for each in end.body.contributions:
        same = (each.chain, each.link, each.position, each.seen_root, each.seen_size)
        if each.seat == contribution.seat and same == (
            contribution.chain,
            contribution.link,
            contribution.position,
            contribution.seen_root,
            contribution.seen_size,
        ):
            return
    said = (
        f"{contribution.seat} did not answer"
        if isinstance(end.body, DrawVoided)
        else f"a different contribution from {contribution.seat}"
    )
    raise VerificationError(end.version, "E_ORDER", said, "the contribution confirmed by a receipt")
