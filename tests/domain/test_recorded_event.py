"""The leaf and its commitment, against the plain formula."""

from __future__ import annotations

from hypothesis import given, strategies as st

from domain.codec import encode
from domain.proof.hash_chain import labelled_hash
from domain.recorded_event import commitment, leaf


@given(salt=st.binary(min_size=32, max_size=32), raw=st.binary(max_size=300))
def test_a_commitment_is_the_labelled_hash_of_salt_and_body(salt: bytes, raw: bytes) -> None:
    assert commitment(salt, raw) == labelled_hash("body", salt, raw)


@given(
    version=st.integers(1, 2**53 - 1), turn=st.integers(1, 2**53 - 1), at=st.integers(0, 2**53 - 1)
)
def test_a_leaf_is_canonical_json(version: int, turn: int, at: int) -> None:
    said = {
        "at": at,
        "body": "ab" * 32,
        "seat": "p1",
        "session": "00" * 16,
        "turn": turn,
        "v": 1,
        "version": version,
    }
    assert leaf("00" * 16, version, turn, at, "p1", "ab" * 32) == encode(said)
