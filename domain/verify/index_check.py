"""Part of level 2 (tree): compares the log with the index of sessions that witnesses cosign.

The index contains the checkpoints at which a session was opened, forked and closed. A witness that
cosigns the index confirms that the index contains them. It does not compare the checkpoints of one
session with each other, so the index may contain two that contradict each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from domain.proof import ProofError
from domain.proof.merkle_tree import check_inclusion, leaf_hash
from domain.proof.signed_note import (
    ED25519,
    Checkpoint,
    Verify,
    Vkey,
    cosignature_time,
    open_checkpoint,
    parse_checkpoint,
    parse_note,
    vkey_text,
)
from domain.session.messages import Hex32
from domain.verify.report import VerificationError, WitnessStatus

Number = Annotated[int, msgspec.Meta(ge=1, lt=1 << 32)]


class IndexEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Entry `number` of the index. Its leaf is `note`, a checkpoint of the session."""

    note: str
    number: Number


class IndexCheckpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint of the index, with the inclusion proofs of the entries that it covers."""

    note: str
    proofs: tuple[tuple[Hex32, ...], ...]


class IndexProof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The proof that a session is in the index.

    `entries` are all entries of the session, in order.
    """

    checkpoints: tuple[IndexCheckpoint, ...]
    entries: tuple[IndexEntry, ...]
    v: Literal[1] = 1


def read_index_proof(raw: bytes) -> IndexProof:
    """Parse an index proof. Raises ValueError if it is invalid."""
    proof = msgspec.json.decode(raw, type=IndexProof)
    if not proof.entries or not proof.checkpoints:
        raise ValueError("it contains no entries, or no checkpoint that a witness cosigned")
    return proof


def check_index(
    proof: IndexProof, key: Vkey, witnesses: Sequence[Vkey], verify: Verify
) -> tuple[WitnessStatus, ...]:
    """Check that the entries are in the index, and return what each witness cosigned.

    `key` is the log's key. Each returned status names the session's largest checkpoint in any index
    that the witness cosigned. The caller must already have checked the entries' notes in the same
    way as the reader's stored checkpoints. Raises VerificationError if a check fails.
    """
    index_key = Vkey(f"{key.name.rpartition('/sessions/')[0]}/index", ED25519, key.public_key)
    newest = dict.fromkeys(witnesses, (0, 0))
    for checkpoint in proof.checkpoints:
        covered = _check_inclusions(proof, checkpoint, index_key, verify)
        for witness in witnesses:
            try:
                at = cosignature_time(checkpoint.note, witness, verify)
            except ProofError as broken:
                raise VerificationError(
                    covered, broken.code, broken.found, broken.expected
                ) from None
            if at is not None:
                newest[witness] = max(newest[witness], (covered, at))
    return tuple(
        WitnessStatus(vkey_text(witness), *newest[witness], by_index=newest[witness] > (0, 0))
        for witness in witnesses
    )


def _check_inclusions(
    proof: IndexProof, checkpoint: IndexCheckpoint, key: Vkey, verify: Verify
) -> int:
    """Check that the index contains each entry that the checkpoint covers.

    Returns the log size that the last of these entries records. Raises VerificationError if a
    proof is missing or invalid.
    """
    size = 0
    try:
        now = open_checkpoint(checkpoint.note, key, verify)
        _check_count(proof, checkpoint, now)
        for entry, path in zip(proof.entries, checkpoint.proofs, strict=False):
            size = parse_checkpoint(parse_note(entry.note).text).size
            nodes = tuple(map(bytes.fromhex, path))
            leaf = leaf_hash(entry.note.encode())
            check_inclusion(leaf, entry.number - 1, now.size, nodes, now.root)
    except ProofError as broken:
        raise VerificationError(size, broken.code, broken.found, broken.expected) from None
    return size


def _check_count(proof: IndexProof, checkpoint: IndexCheckpoint, now: Checkpoint) -> None:
    """Raise ProofError unless there is a proof for each entry that the checkpoint covers.

    It must cover at least one entry.
    """
    covered = sum(entry.number <= now.size for entry in proof.entries)
    if not covered or len(checkpoint.proofs) != covered:
        expected = f"{covered}, one for each entry" if covered else "at least one entry"
        raise ProofError("E_INCLUSION", f"{len(checkpoint.proofs)} proofs", expected)
