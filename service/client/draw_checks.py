"""Checks that a pending draw must pass before the seat reveals its link.

These checks are step 2 under "A draw" in docs/fairness.md.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from domain.codec import decode
from domain.proof import ProofError
from domain.proof.merkle_tree import check_consistency, check_inclusion, leaf_hash
from domain.proof.signed_note import Checkpoint, Verify, Vkey, open_checkpoint
from domain.recorded_event import commitment, leaf
from domain.session.messages import Declared, Draw


class LeafOpening(msgspec.Struct, frozen=True):
    body: msgspec.Raw
    salt: str


class PendingDraw(msgspec.Struct, frozen=True):
    """A pending draw as the API returns it, with hashes in hex.

    `inclusion` and `consistency` are proofs for `checkpoint`. `came` lists the seats that have
    contributed.
    """

    k: int
    version: int
    turn: int
    seat: str
    leaf: str
    opening: LeafOpening
    size: int
    inclusion: tuple[str, ...]
    checkpoint: str
    consistency: tuple[str, ...]
    came: tuple[str, ...] = ()


class SeenCheckpoint(NamedTuple):
    """The last checkpoint that the client has checked. `size` is 0 if there is none."""

    size: int
    root: bytes


class CheckedDraw(NamedTuple):
    """A pending draw that passed the checks in this module.

    `seat` asked for the draw in `turn`. `request` is the leaf hash of the draw's declaration.
    `seen` is the checkpoint that covers the declaration.
    """

    seat: str
    turn: int
    declared: Declared
    draw: Draw
    request: bytes
    seen: SeenCheckpoint


class _Leaf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: int
    body: str
    seat: str
    session: str
    turn: int
    v: int
    version: int


def check_pending_draw(
    pending: PendingDraw, session: str, log: Vkey, seen: SeenCheckpoint, verify: Verify
) -> CheckedDraw:
    """Check that the draw's checkpoint covers its declaration and extends `seen`.

    The checkpoint must be signed with the log's key. Return the checked draw. Raises ProofError.
    """
    now = check_extension(pending.checkpoint, pending.consistency, log, seen, verify)
    if now.size != pending.size or pending.version > now.size:
        raise ProofError(
            "E_INCLUSION",
            f"a checkpoint at size {now.size}",
            f"a checkpoint at size {pending.size} that covers version {pending.version}",
        )
    request = leaf_hash(pending.leaf.encode())
    path = _parse_hashes(pending.inclusion, "E_INCLUSION")
    check_inclusion(request, pending.version - 1, now.size, path, now.root)
    declared = _open_declaration(pending, session)
    if not isinstance(declared.draw, Draw):
        raise ProofError("E_DRAW_INDEX", "a declaration without a draw", f"draw {pending.k}")
    if declared.draw.k != pending.k:
        raise ProofError("E_DRAW_INDEX", str(pending.k), str(declared.draw.k))
    seen = SeenCheckpoint(now.size, now.root)
    return CheckedDraw(pending.seat, pending.turn, declared, declared.draw, request, seen)


def check_extension(
    note: str, proof: tuple[str, ...], log: Vkey, seen: SeenCheckpoint, verify: Verify
) -> Checkpoint:
    """Check that a checkpoint is signed with the log's key and extends `seen`.

    Return the checkpoint in `note`. Raises ProofError.
    """
    now = open_checkpoint(note, log, verify)
    if now.size < seen.size:
        raise ProofError(
            "E_TRUNCATED",
            f"{now.size} events",
            f"at least {seen.size} events, the size of the last checkpoint",
        )
    if now.size == seen.size and now.root != seen.root:
        raise ProofError(
            "E_SPLIT_VIEW", f"root {now.root.hex()} at size {now.size}", f"root {seen.root.hex()}"
        )
    if seen.size:
        check_consistency(
            seen.size, now.size, seen.root, now.root, _parse_hashes(proof, "E_INCONSISTENT")
        )
    return now


def _open_declaration(pending: PendingDraw, session: str) -> Declared:
    """Check the leaf of the draw's declaration, and return the declaration.

    Raises ProofError if the leaf does not belong to this draw or does not commit to the
    declaration.
    """
    body = bytes(pending.opening.body)
    [salt] = _parse_hashes((pending.opening.salt,), "E_BODY")
    try:
        parsed = msgspec.json.decode(pending.leaf, type=_Leaf)
        declared = decode(body)
    except msgspec.MsgspecError as error:
        raise ProofError("E_BODY", str(error), "a leaf and its opening") from error
    committed = commitment(salt, body).hex()
    expected = leaf(session, pending.version, pending.turn, parsed.at, pending.seat, parsed.body)
    if expected != pending.leaf.encode():
        raise ProofError("E_BODY", pending.leaf, expected.decode())
    if committed != parsed.body or not isinstance(declared, Declared):
        raise ProofError("E_BODY", committed, parsed.body)
    return declared


def _parse_hashes(texts: tuple[str, ...], code: str) -> tuple[bytes, ...]:
    try:
        return tuple(map(bytes.fromhex, texts))
    except ValueError:
        raise ProofError(code, str(texts), "hashes in hex") from None
