"""The one file that reads the clock and the system's randomness; golden logs pass their own."""

from __future__ import annotations

import secrets
import time


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def now() -> float:
    """Seconds since 1970."""
    return time.time()


def random_bytes() -> bytes:
    """32 random bytes of the operating system: a salt, a link, a secret."""
    return secrets.token_bytes(32)


def random_session_id() -> str:
    """A new session's id: 16 random bytes in hex."""
    return secrets.token_hex(16)
