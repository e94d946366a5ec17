"""Every hash of fairlog/v1: a seat's chain, a draw's seed and values, commitments, signed messages."""

import hashlib
import hmac
import struct
from collections.abc import Iterable, Iterator
from functools import cache

from domain.proof import ProofError

PROTOCOL = "fairlog/v1/"
WORDS = 1 << 32

ChainLink = tuple[str, int, int, bytes]  # seat, chain, position, link


def LP(field: bytes) -> bytes:
    """The field behind its length as u32, so that no two lists of fields read alike."""
    return len(field).to_bytes(4, "big") + field


def H(label: str, *fields: bytes) -> bytes:
    return hashlib.sha256(_labelled(label) + b"".join(map(LP, fields))).digest()


def link_below(session: bytes, seat: str, chain: int, i: int, link_i: bytes) -> bytes:
    """link_{i-1} of the chain: whoever holds link_i can show it, nobody can go the other way."""
    return H("chain", session, seat.encode(), _u32(chain), _u32(i), link_i)


def links(
    session: bytes, seat: str, chain: int, last_link: bytes, length: int
) -> tuple[bytes, ...]:
    """link_0 (the anchor) to link_length (`last_link`), by position."""
    if len(last_link) != 32:
        raise ValueError(f"a link of {len(last_link)} bytes")
    # 4096 hashes: what never changes along a chain is hashed once, the lengths of i and link written out.
    before = hashlib.sha256(_labelled("chain") + LP(session) + LP(seat.encode()) + LP(_u32(chain)))
    link, down = last_link, [last_link]
    for i in range(length, 0, -1):
        below = before.copy()
        below.update(b"\0\0\0\4" + i.to_bytes(4, "big") + b"\0\0\0\x20" + link)
        link = below.digest()
        down.append(link)
    return tuple(reversed(down))


def check_link(session: bytes, seat: str, chain: int, i: int, link_i: bytes, below: bytes) -> None:
    """E_CHAIN unless link_i sits on `below`, the link of position i-1 that is known already."""
    _same("E_CHAIN", link_below(session, seat, chain, i, link_i), below)


def seed(session: bytes, k: int, contributions: Iterable[ChainLink], blind: bytes = b"") -> bytes:
    """The seed of draw k. Contributions come in any order; `blind` is empty or 32 bytes."""
    by_seat = sorted(contributions, key=lambda contribution: contribution[0].encode())
    fields: list[bytes] = []
    for seat, chain, position, link in by_seat:
        fields += seat.encode(), _u32(chain), _u32(position), link
    return H("draw", session, _u64(k), _u32(len(by_seat)), *fields, blind)


def words(seed: bytes, lane: str) -> Iterator[int]:
    """The endless 32-bit words of one lane."""
    before = _WORD + LP(lane.encode())
    counter = 0
    while True:
        yield from struct.unpack(">8I", hmac.digest(seed, before + _u32(counter), "sha256"))
        counter += 1


def uniform(seed: bytes, lane: str, n: int) -> int:
    """0..n-1, equally likely, for 1 <= n <= 2^32: words that would favour the low ones are passed over."""
    if not 1 <= n <= WORDS:
        raise ValueError(f"uniform over {n}")
    fair = WORDS - WORDS % n
    return next(word for word in words(seed, lane) if word < fair) % n


def value(seed: bytes, i: int, n: int) -> int:
    """1..n: the i-th value, from 0, that decide asks of this draw."""
    return 1 + uniform(seed, str(i), n)


def blind_commitment(session: bytes, k: int, b: bytes) -> bytes:
    return H("blind", session, _u64(k), b)


def check_blind(session: bytes, k: int, b: bytes, commitment: bytes) -> None:
    """E_BLIND unless b is what Declared committed to for draw k."""
    _same("E_BLIND", blind_commitment(session, k, b), commitment)


def command_commitment(salt: bytes, command: bytes) -> bytes:
    """`command` is the canonical JSON of the command."""
    return H("command", salt, command)


def contribution_message(contribution: bytes) -> bytes:
    """What a seat signs with its link; takes canonical JSON, as the two below."""
    return _labelled("contribution") + contribution


def receipt_message(contribution: bytes) -> bytes:
    """What the house signs in answer, over the same contribution."""
    return _labelled("receipt") + contribution


def seat_message(body: bytes) -> bytes:
    """What a seat signs of itself (seated, anchored, present, gone): body without signature, with session."""
    return _labelled("seat") + body


@cache  # ten labels, hashed ten thousand times
def _labelled(label: str) -> bytes:
    return LP((PROTOCOL + label).encode())


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def _same(code: str, found: bytes, expected: bytes) -> None:
    if found != expected:
        raise ProofError(code, found.hex(), expected.hex())


_WORD = _labelled("word")
