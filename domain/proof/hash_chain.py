"""Hash chains and draws: random values that no single seat can choose.

Each seat chooses 32 random bytes and hashes them repeatedly. The results form a chain of links:

    link_N     = 32 random bytes, secret
    link_{i-1} = labelled_hash("chain", session, seat, chain, i, link_i)
    anchor     = link_0, published when the seat is taken

For each draw, the seat reveals its next link: first link_1, then link_2, and so on. Anyone can
hash link_i and compare the result with link_{i-1}. No one else can compute a link before the seat
reveals it.

    >>> session = bytes(16)
    >>> chain = links(session, "ana", 0, last_link=bytes(32), length=3)
    >>> [link.hex()[:8] for link in chain]
    ['2909ee3a', '6ef8a9fb', '004a6e19', '00000000']
    >>> check_link(session, "ana", 0, 1, chain[1], below=chain[0])

The seed of a draw is the hash of all contributors' links and of any entropy supplied by the asker,
the seat whose command needs the draw. The values are computed from the seed. They stay unknown as
long as one link or the entropy is secret. No one can substitute a different link, because the
chain's anchor was published beforehand:

    >>> seed_0 = seed(session, 0, [("ana", 0, 1, chain[1])])
    >>> value(seed_0, 0, 6)
    1

Every hash covers a label and length-prefixed fields, so different inputs never yield the same
bytes. docs/fairness.md specifies the protocol. tests/vectors/fairlog.json contains test vectors.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterable, Iterator
from functools import cache

from domain.proof import ProofError

PROTOCOL = "fairlog/v1/"
PROTOCOL_2 = "fairlog/v2/"
WORDS = 1 << 32

ChainLink = tuple[str, int, int, bytes]
"""A link in a chain, as (seat, chain number, position, link)."""


def length_prefixed(field: bytes) -> bytes:
    """Return the field preceded by its length (LP in docs/fairness.md).

    The length is a 32-bit big-endian integer.
    """
    return len(field).to_bytes(4, "big") + field


def labelled_hash(label: str, *fields: bytes, protocol: str = PROTOCOL) -> bytes:
    """Return the hash of a label and length-prefixed fields (H in docs/fairness.md)."""
    prefix = _labelled(label, protocol)
    return hashlib.sha256(prefix + b"".join(map(length_prefixed, fields))).digest()


def link_below(session: bytes, seat: str, chain: int, i: int, link_i: bytes) -> bytes:
    """Return link_{i-1}, which is the hash of link_i."""
    return labelled_hash("chain", session, seat.encode(), _u32(chain), _u32(i), link_i)


def links(
    session: bytes, seat: str, chain: int, last_link: bytes, length: int
) -> tuple[bytes, ...]:
    """Return all links of a chain, from the anchor (position 0) to `last_link`.

    `length` is the position of `last_link`.
    """
    if len(last_link) != 32:
        raise ValueError(f"a link must be 32 bytes long, not {len(last_link)}")
    # A chain needs thousands of hashes: hash the common prefix once, and write lengths as literals.
    before = hashlib.sha256(
        _labelled("chain")
        + length_prefixed(session)
        + length_prefixed(seat.encode())
        + length_prefixed(_u32(chain))
    )
    link, down = last_link, [last_link]
    for i in range(length, 0, -1):
        below = before.copy()
        below.update(b"\0\0\0\4" + i.to_bytes(4, "big") + b"\0\0\0\x20" + link)
        link = below.digest()
        down.append(link)
    return tuple(reversed(down))


def check_link(session: bytes, seat: str, chain: int, i: int, link_i: bytes, below: bytes) -> None:
    """Raise ProofError("E_CHAIN") unless link_i hashes to `below` (link_{i-1})."""
    _check_equal("E_CHAIN", link_below(session, seat, chain, i, link_i), below)


def seed(
    session: bytes,
    k: int,
    contributions: Iterable[ChainLink],
    blind: bytes = b"",
    entropy: bytes | None = None,
) -> bytes:
    """Return the seed for draw number `k`.

    `blind` contains 32 bytes for a secret draw, and is empty for any other draw. In format 2,
    `entropy` contains the 32 bytes that the asker supplied, or is empty. In format 1, it is None.
    """
    by_seat = sorted(contributions, key=lambda contribution: contribution[0].encode())
    fields: list[bytes] = []
    for seat, chain, position, link in by_seat:
        fields += seat.encode(), _u32(chain), _u32(position), link
    parts = (session, _u64(k), _u32(len(by_seat)), *fields, blind)
    if entropy is None:
        return labelled_hash("draw", *parts)
    return labelled_hash("draw", *parts, entropy, protocol=PROTOCOL_2)


def words(seed: bytes, lane: str) -> Iterator[int]:
    """Yield an endless sequence of 32-bit words that are derived from the seed.

    Each value of `lane` gives a different sequence.
    """
    before = _WORD + length_prefixed(lane.encode())
    counter = 0
    while True:
        yield from struct.unpack(">8I", hmac.digest(seed, before + _u32(counter), "sha256"))
        counter += 1


def uniform(seed: bytes, lane: str, n: int) -> int:
    """Return a number from 0 to `n` - 1. All numbers are equally likely.

    `n` must be from 1 to 2^32. Words that would make low numbers more likely are skipped.
    """
    if not 1 <= n <= WORDS:
        raise ValueError(f"cannot choose among {n} numbers: n must be between 1 and {WORDS}")
    fair = WORDS - WORDS % n
    return next(word for word in words(seed, lane) if word < fair) % n


def value(seed: bytes, i: int, n: int) -> int:
    """Return the value at index `i` of a draw: a number from 1 to `n`."""
    return 1 + uniform(seed, str(i), n)


def blind_commitment(session: bytes, k: int, b: bytes) -> bytes:
    return labelled_hash("blind", session, _u64(k), b)


def check_blind(session: bytes, k: int, b: bytes, commitment: bytes) -> None:
    """Raise ProofError("E_BLIND") unless `commitment` commits to `b` for draw `k`."""
    _check_equal("E_BLIND", blind_commitment(session, k, b), commitment)


def command_commitment(salt: bytes, command: bytes) -> bytes:
    """Return the commitment to a secret command, which must be canonical JSON."""
    return labelled_hash("command", salt, command)


def contribution_message(contribution: bytes) -> bytes:
    """Return the bytes that a seat signs to contribute to a draw.

    `contribution` is canonical JSON.
    """
    return _labelled("contribution") + contribution


def receipt_message(contribution: bytes) -> bytes:
    """Return the bytes that the house signs as a receipt for a contribution.

    `contribution` is canonical JSON.
    """
    return _labelled("receipt") + contribution


def seat_message(body: bytes) -> bytes:
    """Return the bytes that a seat signs for an event about itself.

    `body` is the event as canonical JSON, without its signature and with the session's id added.
    """
    return _labelled("seat") + body


@cache  # few labels, used in every hash
def _labelled(label: str, protocol: str = PROTOCOL) -> bytes:
    return length_prefixed((protocol + label).encode())


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def _check_equal(code: str, found: bytes, expected: bytes) -> None:
    if found != expected:
        raise ProofError(code, found.hex(), expected.hex())


_WORD = _labelled("word")
