"""Whether an Ed25519 signature holds: what the domain is handed, here and in the offline check."""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is the key's over the message."""
    try:
        _public(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


_public = lru_cache(256)(Ed25519PublicKey.from_public_bytes)
