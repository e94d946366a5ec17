"""The file that proves one roll alone: its shape, and which events of a log belong in it (log-format.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from domain.bundle import Line, Manifest, Opening
from domain.fact import Fact, leaf_of
from domain.plain import check_keys
from domain.ruleset import Message
from domain.session.messages import (
    ChainAnchored,
    Declared,
    Hex32,
    Opened,
    SealOpened,
    SeatTaken,
    Version,
)
from domain.verify.report import Fault

MOST = 1 << 20
"""Bytes: 64 seats with a chain need a fifth of it, and a turn's facts are few."""
Size = Annotated[int, Meta(ge=0, lt=2**53)]


class Included(Line, frozen=True, kw_only=True):
    """An event, and that it is in the tree: the nodes beside its path, leaf side first."""

    inclusion: tuple[Hex32, ...]
    leaf: str
    opening: Opening | UnsetType = UNSET
    version: Version


class Seen(Line, frozen=True):
    """That the tree of the checkpoint begins with that of `size`, under which contributions were signed."""

    proof: tuple[Hex32, ...]
    size: Size


class RollFile(Line, frozen=True):
    """A storage format: fields stand in canonical order. `entries` by version."""

    checkpoint: str
    entries: tuple[Included, ...]
    k: Size
    manifest: Manifest
    seen: tuple[Seen, ...]
    v: Literal[1]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(RollFile).decode


def read(raw: bytes) -> RollFile:
    """Of the bytes of a file, a last line feed or none. Raises Fault unless `write` gives back the same."""
    text = raw.removesuffix(b"\n")
    try:
        if len(raw) > MOST:
            raise ValueError(f"more than {MOST >> 10} KiB")
        found = _decode(text)
        written = _encode(found)
        if written != text:
            check_keys(text.decode())
    except (ValueError, RecursionError) as wrong:
        raise Fault(
            0, "E_FORMAT", f"{wrong}: {text[:200].decode(errors='replace')}", "the proof of a roll"
        ) from None
    if written != text:
        raise Fault(
            0, "E_NONCANONICAL", text.decode(errors="replace"), written.decode(errors="replace")
        )
    return found


def write(
    manifest: Manifest,
    checkpoint: str,
    k: int,
    facts: Iterable[Fact],
    opens: Callable[[Fact], bool],
    included: Callable[[int], Iterable[bytes]],
    seen: Mapping[int, Iterable[bytes]],
) -> bytes:
    """The file of draw k. `included` proves a version, `seen` each size that somebody had seen, in the checkpoint."""
    entries = tuple(
        Included(
            inclusion=_hex(included(fact.version)),
            leaf=leaf_of(fact).decode(),
            opening=_opening(fact, opens),
            version=fact.version,
        )
        for fact in facts
    )
    sizes = tuple(Seen(_hex(proof), size) for size, proof in sorted(seen.items()))
    return _encode(RollFile(checkpoint, entries, k, manifest, sizes, 1)) + b"\n"


def _opening(fact: Fact, opens: Callable[[Fact], bool]) -> Opening | UnsetType:
    return Opening(Raw(fact.raw), fact.salt.hex()) if opens(fact) and not fact.committed else UNSET


def _hex(nodes: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(node.hex() for node in nodes)


def picked(facts: Iterable[Fact], declared: Fact) -> list[Fact]:
    """Those of a log's facts, in order, that prove the draw of a declaration: also out of a part that has them all."""
    assert isinstance(declared.body, Declared)
    assert declared.body.draw is not UNSET
    draw, keyed, found = declared.body.draw, set[str](), list[Fact]()
    chains = {seat: chain for seat, chain, _ in draw.contributors}
    for fact in facts:
        is_first = isinstance(fact.body, SeatTaken) and fact.body.seat not in keyed
        if fact.turn == declared.turn or _is_beside(fact.body, draw.k, chains, is_first):
            found.append(fact)
            keyed |= {fact.body.seat} if isinstance(fact.body, SeatTaken) else set()
    return found


def _is_beside(body: Message, k: int, chains: Mapping[str, int], is_first: bool) -> bool:
    """The session's first event, the first that has a contributor's key, that of its chain in use, the opening."""
    match body:
        case Opened():
            return True
        case SeatTaken(seat=seat, chain=int(chain)):
            return seat in chains and (is_first or chains[seat] == chain)
        case ChainAnchored(seat=seat, chain=chain):
            return chains.get(seat) == chain
        case SealOpened(k=opened):
            return opened == k
    return False
