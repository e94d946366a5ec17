"""Verification of Ed25519 signatures.

The `domain` package does not import this module. Callers pass `verify` to it as an argument.
"""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PRIME = 2**255 - 19
EIGHTH = (
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7  # y of a point of order 8
)
# The y coordinates of the points of small order, including two encodings that are not below the
# prime. Nearly every signature is valid for such a key, and some libraries accept such keys.
SMALL_ORDER = frozenset({0, 1, PRIME - 1, EIGHTH, PRIME - EIGHTH, PRIME, PRIME + 1})


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return True if the signature of the message is valid for the public key.

    Public keys and signature commitments of small order are rejected.
    """
    if len(signature) != 64 or _has_small_order(public) or _has_small_order(signature[:32]):
        return False
    try:
        _parse_key(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _has_small_order(point: bytes) -> bool:
    return int.from_bytes(point, "little") & (2**255 - 1) in SMALL_ORDER


_parse_key = lru_cache(256)(Ed25519PublicKey.from_public_bytes)
