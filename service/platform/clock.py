"""Access to the system clock and to random numbers.

Other modules read the clock and draw random bytes only with these functions, which tests can
replace.
"""

from __future__ import annotations

import secrets
import time

MAX_TIME_MS = 253_402_300_799_999
"""The last millisecond of the year 9999, the last that dates can express."""


def now_ms() -> int:
    """Return the current time in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def now() -> float:
    """Return the current time in seconds since the epoch."""
    return time.time()


def random_bytes() -> bytes:
    """Return 32 random bytes for a salt, a chain link or a secret."""
    return secrets.token_bytes(32)


def random_session_id() -> str:
    """Return 16 random bytes in hex, for a session id or an idempotency key."""
    return secrets.token_hex(16)
