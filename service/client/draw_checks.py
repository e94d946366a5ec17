"""What a seat checks of a draw that waits before it gives its link (fairness.md, A draw, step 2)."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from domain.codec import decode
from domain.proof import ProofError
from domain.proof.merkle_tree import check_consistency, check_inclusion, leaf_hash
from domain.proof.signed_note import Checkpoint, Verify, Vkey, open_checkpoint
from domain.recorded_event import commitment, leaf
from domain.session.messages import Declared, Draw


class Opening(msgspec.Struct, frozen=True):
    body: msgspec.Raw
    salt: str


class Awaited(msgspec.Struct, frozen=True):
    """A draw that waits, as the server tells it; hashes in hex. `inclusion` and `consistency` are of `checkpoint`."""

    k: int
    version: int
    turn: int
    seat: str
    leaf: str
    opening: Opening
    size: int
    inclusion: tuple[str, ...]
    checkpoint: str
    consistency: tuple[str, ...]
    came: tuple[str, ...] = ()


class Seen(NamedTuple):
    """The checkpoint that was seen last; size 0 before the first."""

    size: int
    root: bytes


class Checked(NamedTuple):
    """A draw that may be given to: its declaration, the leaf hash of that, and the checkpoint that covers it."""

    declared: Declared
    draw: Draw
    request: bytes
    seen: Seen


class _Leaf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: int
    body: str
    seat: str
    session: str
    turn: int
    v: int
    version: int


def check_awaited(awaited: Awaited, session: str, log: Vkey, seen: Seen, verify: Verify) -> Checked:
    """Raises Broken unless the log's own key covers this very declaration, on the log that was seen before."""
    now = check_grown(awaited.checkpoint, awaited.consistency, log, seen, verify)
    if now.size != awaited.size or not awaited.version <= now.size:
        raise ProofError(
            "E_INCLUSION",
            f"a checkpoint of {now.size}",
            f"of {awaited.size}, {awaited.version} at least",
        )
    request = leaf_hash(awaited.leaf.encode())
    path = _hashes(awaited.inclusion, "E_INCLUSION")
    check_inclusion(request, awaited.version - 1, now.size, path, now.root)
    declared = _opened(awaited, session)
    if not isinstance(declared.draw, Draw):
        raise ProofError("E_DRAW_INDEX", "a declaration without a draw", f"draw {awaited.k}")
    if declared.draw.k != awaited.k:
        raise ProofError("E_DRAW_INDEX", str(awaited.k), str(declared.draw.k))
    return Checked(declared, declared.draw, request, Seen(now.size, now.root))


def check_grown(
    note: str, proof: tuple[str, ...], log: Vkey, seen: Seen, verify: Verify
) -> Checkpoint:
    """The checkpoint of a note, by the log's key and an extension of what was seen. Raises Broken."""
    now = open_checkpoint(note, log, verify)
    if now.size < seen.size:
        raise ProofError("E_TRUNCATED", f"{now.size} events", f"{seen.size}, as was seen before")
    if now.size == seen.size and now.root != seen.root:
        raise ProofError("E_SPLIT_VIEW", f"{now.size} under {now.root.hex()}", seen.root.hex())
    if seen.size:
        check_consistency(
            seen.size, now.size, seen.root, now.root, _hashes(proof, "E_INCONSISTENT")
        )
    return now


def _opened(awaited: Awaited, session: str) -> Declared:
    """The declaration, if it is what the leaf commits to and the leaf is of this draw."""
    body = bytes(awaited.opening.body)
    [salt] = _hashes((awaited.opening.salt,), "E_BODY")
    try:
        told = msgspec.json.decode(awaited.leaf, type=_Leaf)
        declared = decode(body)
    except msgspec.MsgspecError as error:
        raise ProofError("E_BODY", str(error), "a leaf and its opening") from error
    committed = commitment(salt, body).hex()
    same = leaf(session, awaited.version, awaited.turn, told.at, awaited.seat, told.body)
    if same != awaited.leaf.encode():
        raise ProofError("E_BODY", awaited.leaf, same.decode())
    if committed != told.body or not isinstance(declared, Declared):
        raise ProofError("E_BODY", committed, told.body)
    return declared


def _hashes(texts: tuple[str, ...], code: str) -> tuple[bytes, ...]:
    try:
        return tuple(map(bytes.fromhex, texts))
    except ValueError:
        raise ProofError(code, str(texts), "hashes in hex") from None
