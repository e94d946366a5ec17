"""Level 2, tree: checks the roots and the signatures of checkpoints.

Each checkpoint that the reader stored must match the log up to the checkpoint's size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from domain.proof import ProofError, merkle_tree
from domain.proof.signed_note import (
    Checkpoint,
    Verify,
    Vkey,
    cosignature_time,
    open_checkpoint,
    parse_checkpoint,
    parse_note,
    vkey_text,
)
from domain.verify.report import VerificationError, WitnessStatus

Roots = Mapping[int, bytes]
"""The roots computed from the log's events, by log size."""


def compute_roots(hashes: Iterable[bytes], sizes: Set[int]) -> Roots:
    """Compute the roots at these log sizes in a single pass.

    Sizes larger than the log are ignored.
    """
    roots = {0: merkle_tree.EMPTY_ROOT}
    frontier: merkle_tree.Frontier = ()
    for size, leaf in enumerate(hashes, 1):
        frontier = merkle_tree.push(frontier, size - 1, leaf)
        if size in sizes:
            roots[size] = merkle_tree.root(frontier, size)
    return roots


def checkpoint_sizes(notes: Iterable[str]) -> set[int]:
    """Return the log sizes in the checkpoints, skipping any that cannot be parsed."""
    return {size for text in notes if (size := _claimed_size(text)) is not None}


def _claimed_size(text: str) -> int | None:
    try:
        return parse_checkpoint(parse_note(text).text).size
    except ProofError:
        return None


def check_checkpoints(
    notes: Sequence[str], pinned: Sequence[str], size: int, roots: Roots, key: Vkey, verify: Verify
) -> None:
    """Check the signature and the root of every checkpoint.

    The last checkpoint in the log must cover the whole log. Raises VerificationError if a check
    fails.
    """
    signed = [_open_signed(text, key, verify, size) for text in notes]
    known = _signed_roots(signed)
    for checkpoint in sorted(signed, key=lambda each: each.size):
        _check_root(checkpoint, size, roots, "E_ROOT")
    if not signed or signed[-1].size != size:
        covered = signed[-1].size if signed else 0
        raise VerificationError(
            covered + 1,
            "E_UNSIGNED",
            f"signatures only up to version {covered}",
            f"a final checkpoint that covers all {size} events",
        )
    for text in pinned:
        checkpoint = _open_signed(text, key, verify, size)
        _check_root(
            checkpoint,
            size,
            roots,
            "E_SPLIT_VIEW" if checkpoint.size in known else "E_INCONSISTENT",
        )


def check_witnesses(
    notes: Iterable[str], witnesses: Iterable[Vkey], verify: Verify
) -> tuple[WitnessStatus, ...]:
    """Return the largest checkpoint that each witness cosigned.

    Raises VerificationError if a cosignature is invalid.
    """
    given = tuple(notes)
    return tuple(_check_witness(witness, given, verify) for witness in witnesses)


def _check_witness(witness: Vkey, notes: Sequence[str], verify: Verify) -> WitnessStatus:
    largest = (0, 0)
    for text in notes:
        size = _claimed_size(text) or 0
        try:
            at = cosignature_time(text, witness, verify)
        except ProofError as broken:
            raise VerificationError(size, broken.code, broken.found, broken.expected) from None
        if at is not None:
            largest = max(largest, (size, at))
    return WitnessStatus(vkey_text(witness), *largest)


def _open_signed(text: str, key: Vkey, verify: Verify, size: int) -> Checkpoint:
    try:
        return open_checkpoint(text, key, verify)
    except ProofError as broken:
        claimed = _claimed_size(text)
        version = size if claimed is None else claimed
        raise VerificationError(version, broken.code, broken.found, broken.expected) from None


def _signed_roots(signed: Iterable[Checkpoint]) -> Mapping[int, bytes]:
    """Return the signed root for each size.

    Raises VerificationError if different roots were signed for the same size.
    """
    known: dict[int, bytes] = {}
    for checkpoint in signed:
        root = known.setdefault(checkpoint.size, checkpoint.root)
        if root != checkpoint.root:
            raise VerificationError(
                checkpoint.size, "E_SPLIT_VIEW", checkpoint.root.hex(), root.hex()
            )
    return known


def _check_root(checkpoint: Checkpoint, size: int, roots: Roots, code: str) -> None:
    if checkpoint.size > size:
        raise VerificationError(
            size + 1,
            "E_TRUNCATED",
            f"{size} events",
            f"{checkpoint.size} events, according to a checkpoint",
        )
    if roots[checkpoint.size] != checkpoint.root:
        raise VerificationError(
            checkpoint.size, code, roots[checkpoint.size].hex(), checkpoint.root.hex()
        )
