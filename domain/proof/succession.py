"""How a log's key is followed by another: a line below a checkpoint, by which the old key signs itself over."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from domain.proof import Broken

LABEL = b"fairlog/v1/succession"
NO_NUMBER = b"\xff"  # C2SP's signature type of those that have a name instead
KEY, SIGNATURE = 32, 64  # bytes

Verify = Callable[[bytes, bytes, bytes], bool]


def succession_message(old: bytes, new: bytes) -> bytes:
    """What the old key signs: that from now on the new one signs for it, in every log of theirs."""
    return len(LABEL).to_bytes(4, "big") + LABEL + old + new


def line_id(name: str, old: bytes) -> bytes:
    """The key id of the line by which the old key of that name is followed."""
    return hashlib.sha256(name.encode() + b"\n" + NO_NUMBER + LABEL + old).digest()[:4]


def line_payload(new: bytes, signature: bytes) -> bytes:
    """What stands in that line: the new key, and the old one's signature."""
    return new + signature


def followed(
    name: str, key: bytes, lines: Iterable[tuple[bytes, bytes]], verify: Verify
) -> tuple[bytes, ...]:
    """The key and those that followed it, one after another; `lines`: (key id, payload) below a note.

    E_CHECKPOINT_SIG: a line of a key of these that does not hold, that leads back, or that is one of two.
    """
    given, keys = tuple(lines), [key]
    while found := {payload for known, payload in given if known == line_id(name, keys[-1])}:
        old, payload = keys[-1], min(found)
        new, signature = payload[:KEY], payload[KEY:]
        holds = len(signature) == SIGNATURE and verify(old, succession_message(old, new), signature)
        if len(found) > 1 or new in keys or not holds:
            raise Broken(
                "E_CHECKPOINT_SIG",
                payload.hex(),
                f"one key that follows {old.hex()}, and its signature",
            )
        keys.append(new)
    return tuple(keys)
