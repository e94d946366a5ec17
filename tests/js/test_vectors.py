"""The vectors in JavaScript: what every implementation must compute alike, and what is published elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha512
from pathlib import Path

import pytest

from tests.js.node import checked

VECTORS = Path(__file__).parents[1] / "vectors" / "fairlog.json"
CHECKS = (
    "hash",
    "jcs",
    "chains",
    "draws",
    "draws_2",
    "rejection",
    "cards",
    "void_shadow",
    "leaves",
    "roots",
    "proofs",
    "tlog_proof",
    "checkpoints",
    "cosignatures",
    "seats",
    "contributions",
    "receipts",
    "secret",
    "negative",
    "published",
    "rfc8032",
)

# RFC 8032, 7.1: seed, public key, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe2465"
        "5141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb0"
        "0d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc0"
        "27beceea1ec40a",
    ),
    (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        sha512(b"abc").hexdigest(),
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9"
        "bef1177331a704",
    ),
]


@pytest.fixture(scope="module")
def found() -> Mapping[str, str | None]:
    published = [
        dict(zip(("seed", "key", "message", "signature"), each, strict=True)) for each in RFC_8032
    ]
    told: Mapping[str, str | None] = checked(
        "vectors.mjs", json.loads(VECTORS.read_bytes()) | {"rfc8032": published}
    )
    return told


@pytest.mark.parametrize("check", CHECKS)
def test_vectors(check: str, found: Mapping[str, str | None]) -> None:
    assert found[check] is None, found[check]


def test_every_check_is_looked_at(found: Mapping[str, str | None]) -> None:
    assert tuple(found) == CHECKS
