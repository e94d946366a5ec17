"""The Merkle tree of RFC 6962: roots as leaves come in, and proofs that a leaf or an older tree is in it."""

import hashlib
from collections.abc import Iterable, Sequence
from functools import reduce

from domain.proof import ProofError

EMPTY_ROOT = hashlib.sha256(b"").digest()

Frontier = tuple[bytes, ...]  # roots of the full subtrees, widest first: one per 1 bit of the size


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def push(frontier: Frontier, size: int, leaf: bytes) -> Frontier:
    """The frontier of size + 1 leaves; `size` counts those before, `leaf` is a leaf hash."""
    _match(frontier, size)
    full = (
        size ^ size + 1
    ).bit_length() - 1  # trailing 1 bits: the subtrees that this leaf doubles
    keep = len(frontier) - full
    return *frontier[:keep], _fold(*frontier[keep:], leaf)


def root(frontier: Frontier, size: int) -> bytes:
    _match(frontier, size)
    return _fold(*frontier) if frontier else EMPTY_ROOT


def _fold(*nodes: bytes) -> bytes:
    return reduce(lambda right, left: node_hash(left, right), reversed(nodes))


def root_of(leaf_hashes: Sequence[bytes]) -> bytes:
    """The root over all leaves at once, level by level; an odd node at the end rises as it is."""
    level = list(leaf_hashes)
    sha256 = hashlib.sha256
    while len(level) > 1:
        odd = level[-1:] if len(level) % 2 else []
        pairs = zip(level[::2], level[1::2], strict=False)
        level = [sha256(b"\x01" + left + right).digest() for left, right in pairs] + odd
    return level[0] if level else EMPTY_ROOT


def inclusion_proof(hashes: Sequence[bytes], index: int, size: int) -> tuple[bytes, ...]:
    """RFC 6962 2.1.1: the nodes beside the path, from the leaf up, in the tree of the first `size` leaves."""
    if not 0 <= index < size <= len(hashes):
        raise ValueError(f"leaf {index} of {size}, {len(hashes)} known")
    return _path(index, hashes[:size])


def _path(index: int, hashes: Sequence[bytes]) -> tuple[bytes, ...]:
    if len(hashes) == 1:
        return ()
    split = _split(len(hashes))
    if index < split:
        return *_path(index, hashes[:split]), root_of(hashes[split:])
    return *_path(index - split, hashes[split:]), root_of(hashes[:split])


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> bool:
    """Whether the leaf hash is at `index` in the tree of this size and root, by a proof of exact length."""
    if not 0 <= index < size:
        return False
    sides = _sides(index, size)
    return len(proof) == len(sides) and _climb(leaf, proof, sides) == root


def check_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> None:
    """E_INCLUSION unless the proof holds."""
    if not verify_inclusion(leaf, index, size, proof, root):
        raise ProofError(
            "E_INCLUSION", f"leaf {leaf.hex()}", f"at {index} of {size} under {root.hex()}"
        )


def consistency_proof(hashes: Sequence[bytes], old: int, new: int) -> tuple[bytes, ...]:
    """RFC 6962 2.1.2: that the tree of `new` leaves begins with that of `old`; empty if old is 0 or new."""
    if not 0 <= old <= new <= len(hashes):
        raise ValueError(f"{old} to {new}, {len(hashes)} known")
    return _subproof(old, hashes[:new], True) if old else ()


def _subproof(old: int, hashes: Sequence[bytes], whole: bool) -> tuple[bytes, ...]:
    if old == len(hashes):
        return () if whole else (root_of(hashes),)
    split = _split(len(hashes))
    if old <= split:
        return *_subproof(old, hashes[:split], whole), root_of(hashes[split:])
    return *_subproof(old - split, hashes[split:], False), root_of(hashes[:split])


def verify_consistency(
    old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether the tree of `new` leaves under new_root begins with the `old` leaves under old_root."""
    if not 0 <= old <= new:
        return False
    if old == 0:
        return not proof and old_root == EMPTY_ROOT and (new > 0 or new_root == EMPTY_ROOT)
    if old == new:
        return not proof and old_root == new_root
    return _extends(old, new, old_root, new_root, proof)


def _extends(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    # The proof starts at the last full subtree of the old tree, left out where it is the whole old tree.
    width = old & -old
    start_and_path = [old_root, *proof] if old == width else list(proof)
    sides = _sides(old - 1, new)[width.bit_length() - 1 :]
    if len(start_and_path) != 1 + len(sides):
        return False
    start, *path = start_and_path
    lefts = [node for node, left in zip(path, sides, strict=True) if left]
    return (
        _climb(start, lefts, [True] * len(lefts)) == old_root
        and _climb(start, path, sides) == new_root
    )


def check_consistency(
    old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]
) -> None:
    """E_INCONSISTENT unless the proof holds."""
    if not verify_consistency(old, new, old_root, new_root, proof):
        raise ProofError(
            "E_INCONSISTENT", f"{new} under {new_root.hex()}", f"{old} under {old_root.hex()} first"
        )


class GrowingTree:
    """All full subtrees of a tree that grows, 64 bytes a leaf: any root, any proof, in O(log n) of what was read once.

    One thread extends at a time; meanwhile others may ask for sizes that were there before.
    """

    def __init__(self) -> None:
        self._levels = [bytearray()]  # at level l the roots of 2^l leaves each, side by side

    def __len__(self) -> int:
        return len(self._levels[0]) // 32

    def extend(self, leaf_hashes: Iterable[bytes]) -> None:
        for leaf in leaf_hashes:
            node, place = leaf, len(self)
            for level in self._levels:
                level += node
                if not place & 1:
                    break
                node, place = node_hash(bytes(level[-64:-32]), node), place >> 1
            else:
                self._levels.append(bytearray(node))

    def leaf(self, index: int) -> bytes:
        """The leaf hash; ValueError where there is none."""
        if not 0 <= index < len(self):
            raise ValueError(f"leaf {index}, {len(self)} known")
        return self._node(0, index)

    def root(self, size: int) -> bytes:
        if not 0 <= size <= len(self):
            raise ValueError(f"a root of {size}, {len(self)} known")
        return self._under(0, size) if size else EMPTY_ROOT

    def inclusion(self, index: int, size: int) -> tuple[bytes, ...]:
        """As `inclusion_proof`."""
        if not 0 <= index < size <= len(self):
            raise ValueError(f"leaf {index} of {size}, {len(self)} known")
        return self._beside(index, index + 1, size)

    def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        """As `consistency_proof`."""
        if not 0 <= old <= new <= len(self):
            raise ValueError(f"{old} to {new}, {len(self)} known")
        if old in (0, new):
            return ()
        first = old - (
            old & -old
        )  # of the last full subtree of the old tree, the whole of it or its end
        return (
            (self._under(first, old), *self._beside(first, old, new))
            if first
            else self._beside(0, old, new)
        )

    def _beside(self, first: int, last: int, size: int) -> tuple[bytes, ...]:
        """The nodes beside the path from the subtree of these leaves up to the root of `size`."""
        start, end, down = 0, size, list[bytes]()
        while (start, end) != (first, last):
            split = start + _split(end - start)
            left = last <= split
            down.append(self._under(split, end) if left else self._under(start, split))
            start, end = (start, split) if left else (split, end)
        return tuple(reversed(down))

    def _under(self, start: int, end: int) -> bytes:
        """The root over leaves that a node of some tree stands for."""
        parts = list[bytes]()
        while start < end:
            level = (end - start).bit_length() - 1
            parts.append(self._node(level, start >> level))
            start += 1 << level
        return _fold(*parts)

    def _node(self, level: int, place: int) -> bytes:
        return bytes(self._levels[level][32 * place : 32 * place + 32])


def _split(size: int) -> int:
    """The largest power of two below `size`: the leaves of the left subtree."""
    return 1 << (size - 1).bit_length() - 1


def _sides(index: int, size: int) -> list[bool]:
    """For each step of a leaf's path to the root whether the node beside it is on the left."""
    inner = (index ^ size - 1).bit_length()
    # Above where leaf and last leaf part, the path runs along the right edge: lefts only, gaps skipped.
    return [bool(index >> level & 1) for level in range(inner)] + [True] * (
        index >> inner
    ).bit_count()


def _climb(node: bytes, path: Sequence[bytes], sides: Sequence[bool]) -> bytes:
    for beside, left in zip(path, sides, strict=True):
        node = node_hash(beside, node) if left else node_hash(node, beside)
    return node


def _match(frontier: Frontier, size: int) -> None:
    if len(frontier) != size.bit_count():
        raise ValueError(f"a frontier of {len(frontier)} for {size} leaves")
