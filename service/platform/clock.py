"""Clock and randomness: the only module that reads them. Tests and golden logs pass their own."""

from __future__ import annotations

import secrets
import time


def now_ms() -> int:
    """Return the milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def now() -> float:
    """Return the seconds since 1970."""
    return time.time()


def random_bytes() -> bytes:
    """Return 32 random bytes: a salt, a link, a secret."""
    return secrets.token_bytes(32)


def random_session_id() -> str:
    """Return the id of a new session: 16 random bytes in hex."""
    return secrets.token_hex(16)
