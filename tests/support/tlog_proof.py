"""Reader of the proofs that the server writes (c2sp.org/tlog-proof), kept apart from their writer."""

from __future__ import annotations

import base64

from domain.proof import signed_note


def parse_tlog_proof(text: str) -> signed_note.TlogProof:
    """The proof, checked to be exactly what its writer gives back."""
    head, _, checkpoint = text.partition("\n\n")
    header, index, *path = head.split("\n")
    signed_note.parse_checkpoint(signed_note.parse_note(checkpoint).text)
    hashes = tuple(base64.b64decode(line, validate=True) for line in path)
    proof = signed_note.TlogProof(int(index.removeprefix("index ")), hashes, checkpoint)
    assert header == signed_note.PROOF_HEADER
    assert signed_note.tlog_proof_text(proof) == text
    return proof
