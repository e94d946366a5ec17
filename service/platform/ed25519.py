"""Whether an Ed25519 signature holds: what the domain is handed, here and in the offline check."""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PRIME = 2**255 - 19
EIGHTH = (
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7  # y of a point of order 8
)
# The points of small order, by their y, and the two that are written with a y beyond the prime. To such a key nearly
# everything is a signature, and libraries differ on whether they say so.
SMALL_ORDER = frozenset({0, 1, PRIME - 1, EIGHTH, PRIME - EIGHTH, PRIME, PRIME + 1})


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is the key's over the message; never for a key or a commitment of small order."""
    if len(signature) != 64 or _is_small(public) or _is_small(signature[:32]):
        return False
    try:
        _public(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _is_small(point: bytes) -> bool:
    return int.from_bytes(point, "little") & (2**255 - 1) in SMALL_ORDER


_public = lru_cache(256)(Ed25519PublicKey.from_public_bytes)
