"""Reader of the proofs that the server writes (c2sp.org/tlog-proof), kept apart from their writer."""

from __future__ import annotations

import base64

from domain.proof import note


def parse_tlog_proof(text: str) -> note.TlogProof:
    """The proof, checked to be exactly what its writer gives back."""
    head, _, checkpoint = text.partition("\n\n")
    header, index, *path = head.split("\n")
    note.parse_checkpoint(note.parse_note(checkpoint).text)
    hashes = tuple(base64.b64decode(line, validate=True) for line in path)
    proof = note.TlogProof(int(index.removeprefix("index ")), hashes, checkpoint)
    assert header == note.PROOF_HEADER
    assert note.tlog_proof_text(proof) == text
    return proof
