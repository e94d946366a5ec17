"""Ed25519 over BigInt and by WebCrypto: the same signatures as the server's, and the same answers to bad ones."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from tests.js.node import checked

ORDER = 2**252 + 27742317777372353535851937790883648493
SOURCE = Random(7)
SIGNED = [(SOURCE.randbytes(32), SOURCE.randbytes(nth * 9)) for nth in range(24)]


def signatures() -> Iterator[tuple[bytes, bytes, bytes]]:
    """Key, message, signature: good, then bent in every part."""
    for seed, message in SIGNED:
        signer = Signer(seed)
        signature = signer.sign(message)
        yield signer.public, message, signature
        yield signer.public, message + b"!", signature
        yield signer.public, message, flipped(signature)
        yield flipped(signer.public), message, signature
        s = int.from_bytes(signature[32:], "little") + ORDER
        yield signer.public, message, signature[:32] + s.to_bytes(32, "little")
        yield signer.public, message, signature[:-1]
        yield signer.public[:-1], message, signature


def flipped(given: bytes) -> bytes:
    at = SOURCE.randrange(8 * len(given))
    bent = bytearray(given)
    bent[at // 8] ^= 1 << at % 8
    return bytes(bent)


CASES = list(signatures())


P = 2**255 - 19
ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
SMALL = [
    (y | sign << 255).to_bytes(32, "little")
    for y in (0, 1, P - 1, ORDER_8, P - ORDER_8, P, P + 1)
    for sign in (0, 1)
]  # fmt: skip


@pytest.mark.parametrize("how", ["native", "slow"])
def test_points_of_small_order_sign_nothing(how: str) -> None:
    """Under such a key one signature may fit every message."""
    some = Signer(SIGNED[0][0])
    cases = [(key, nonce + bytes(32)) for key in (*SMALL, some.public) for nonce in SMALL]
    verify = [
        {"key": key.hex(), "message": "", "signature": signature.hex()} for key, signature in cases
    ]
    assert not any(checked("ed25519.mjs", {"sign": [], "verify": verify})[how])


@pytest.fixture(scope="module")
def answers() -> dict[str, list[Any]]:
    sign = [{"seed": seed.hex(), "message": message.hex()} for seed, message in SIGNED]
    verify = [
        {"key": key.hex(), "message": message.hex(), "signature": signature.hex()}
        for key, message, signature in CASES
    ]
    told: dict[str, list[Any]] = checked("ed25519.mjs", {"sign": sign, "verify": verify})
    return told


def test_it_signs_as_the_server_does(answers: dict[str, list[Any]]) -> None:
    expected = [
        (Signer(seed).public.hex(), Signer(seed).sign(message).hex()) for seed, message in SIGNED
    ]
    assert [(each["key"], each["signature"]) for each in answers["signed"]] == expected


@pytest.mark.parametrize("how", ["native", "slow"])
def test_it_takes_what_the_server_takes(how: str, answers: dict[str, list[Any]]) -> None:
    expected = [ed25519(*case) for case in CASES]
    assert answers[how] == expected
    assert sum(expected) == len(SIGNED)
