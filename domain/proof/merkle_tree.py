"""Merkle trees (RFC 6962): roots, inclusion proofs and consistency proofs.

The root is a hash that depends on all leaves and their order. Leaves and inner nodes are hashed
with different prefixes. In a tree of n leaves, the number of leaves in the left subtree is the
largest power of two below n:

    leaf hash = SHA-256(00 || leaf)
    node hash = SHA-256(01 || left || right)
    root of (a, b, c) = node hash(node hash(a, b), c)

    >>> root_of([leaf_hash(leaf) for leaf in (b"a", b"b", b"c")]).hex()[:8]
    '36642e73'

An inclusion proof consists of O(log n) hashes. It shows that a leaf is in the tree with a given
root. A consistency proof shows that a tree begins with all leaves of an older tree, and therefore
that none of them was changed.

There are three ways to compute roots: from all leaf hashes (`root_of`), from the frontier that is
stored with a session (`push`, `root`), and from a tree in memory (`GrowingTree`).
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import reduce

from domain.proof import ProofError

EMPTY_ROOT = hashlib.sha256(b"").digest()

Frontier = tuple[bytes, ...]
"""The roots of the full subtrees, largest first. There is one for each 1 bit in the tree's size."""


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def push(frontier: Frontier, size: int, leaf: bytes) -> Frontier:
    """Return the frontier after appending a leaf hash to a tree of `size` leaves."""
    _check_size(frontier, size)
    # Trailing 1 bits of the size: the number of full subtrees that merge with this leaf.
    full = (size ^ size + 1).bit_length() - 1
    keep = len(frontier) - full
    return *frontier[:keep], _fold(*frontier[keep:], leaf)


def root(frontier: Frontier, size: int) -> bytes:
    _check_size(frontier, size)
    return _fold(*frontier) if frontier else EMPTY_ROOT


def _fold(*nodes: bytes) -> bytes:
    return reduce(lambda right, left: node_hash(left, right), reversed(nodes))


def root_of(leaf_hashes: Sequence[bytes]) -> bytes:
    """Return the root of the tree with these leaf hashes.

    An unpaired node at the end of a level moves up unchanged.
    """
    level = list(leaf_hashes)
    sha256 = hashlib.sha256
    while len(level) > 1:
        odd = level[-1:] if len(level) % 2 else []
        pairs = zip(level[::2], level[1::2], strict=False)
        level = [sha256(b"\x01" + left + right).digest() for left, right in pairs] + odd
    return level[0] if level else EMPTY_ROOT


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> bool:
    """Return True if the proof shows that the leaf hash is at `index` in the tree."""
    if not 0 <= index < size:
        return False
    sides = _sides(index, size)
    return len(proof) == len(sides) and _climb(leaf, proof, sides) == root


def check_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> None:
    """Raise ProofError("E_INCLUSION") if `verify_inclusion` rejects the proof."""
    if not verify_inclusion(leaf, index, size, proof, root):
        raise ProofError(
            "E_INCLUSION",
            f"leaf hash {leaf.hex()}",
            f"leaf {index} in the tree of {size} leaves with root {root.hex()}",
        )


def verify_consistency(
    old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Return True if the proof shows that the new tree extends the old tree.

    `old` and `new` are the numbers of leaves in the two trees.
    """
    if not 0 <= old <= new:
        return False
    if old == 0:
        return not proof and old_root == EMPTY_ROOT and (new > 0 or new_root == EMPTY_ROOT)
    if old == new:
        return not proof and old_root == new_root
    return _extends(old, new, old_root, new_root, proof)


def _extends(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    # The proof starts with the root of the old tree's last full subtree, unless that is the
    # whole old tree.
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
    """Raise ProofError("E_INCONSISTENT") if `verify_consistency` rejects the proof."""
    if not verify_consistency(old, new, old_root, new_root, proof):
        raise ProofError(
            "E_INCONSISTENT",
            f"a tree of {new} leaves with root {new_root.hex()}",
            f"an extension of the tree of {old} leaves with root {old_root.hex()}",
        )


class GrowingTree:
    """An in-memory tree that can grow and computes any root or proof in O(log n).

    It needs 64 bytes per leaf. Only one thread at a time may extend the tree. Meanwhile, other
    threads may compute roots and proofs for sizes that the tree has already reached.
    """

    def __init__(self) -> None:
        self._levels = [bytearray()]  # level l: the roots of 2^l leaves each, concatenated

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
        """Return the leaf hash at `index`.

        Raises ValueError if the tree has no such leaf.
        """
        if not 0 <= index < len(self):
            raise ValueError(f"leaf {index} does not exist: the tree has {len(self)} leaves")
        return self._node(0, index)

    def root(self, size: int) -> bytes:
        if not 0 <= size <= len(self):
            raise ValueError(
                f"cannot compute the root of the first {size} leaves:"
                f" the tree has {len(self)} leaves"
            )
        return self._subtree_root(0, size) if size else EMPTY_ROOT

    def inclusion(self, index: int, size: int) -> tuple[bytes, ...]:
        """Return the inclusion proof (RFC 6962, 2.1.1) for the leaf at `index`.

        It proves that the leaf is in the tree of the first `size` leaves. The proof lists the
        sibling hashes from the leaf up to the root.
        """
        if not 0 <= index < size <= len(self):
            raise ValueError(
                f"cannot prove that leaf {index} is among the first {size} leaves:"
                f" the tree has {len(self)} leaves"
            )
        return self._siblings(index, index + 1, size)

    def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        """Return the consistency proof (RFC 6962, 2.1.2) for two sizes of the tree.

        It proves that the tree of `new` leaves begins with the tree of `old` leaves. The proof is
        empty if `old` is 0 or equal to `new`.
        """
        if not 0 <= old <= new <= len(self):
            raise ValueError(
                f"cannot prove growth from {old} to {new} leaves: the tree has {len(self)} leaves"
            )
        if old in (0, new):
            return ()
        first = old - (old & -old)  # first leaf of the last full subtree of the old tree
        return (
            (self._subtree_root(first, old), *self._siblings(first, old, new))
            if first
            else self._siblings(0, old, new)
        )

    def _siblings(self, first: int, last: int, size: int) -> tuple[bytes, ...]:
        """Return the sibling hashes on the path from a subtree up to the root.

        The tree has `size` leaves. The subtree covers the leaves from `first` up to but not
        including `last`.
        """
        start, end, down = 0, size, list[bytes]()
        while (start, end) != (first, last):
            split = start + _split(end - start)
            left = last <= split
            down.append(
                self._subtree_root(split, end) if left else self._subtree_root(start, split)
            )
            start, end = (start, split) if left else (split, end)
        return tuple(reversed(down))

    def _subtree_root(self, start: int, end: int) -> bytes:
        parts = list[bytes]()
        while start < end:
            level = (end - start).bit_length() - 1
            parts.append(self._node(level, start >> level))
            start += 1 << level
        return _fold(*parts)

    def _node(self, level: int, place: int) -> bytes:
        return bytes(self._levels[level][32 * place : 32 * place + 32])


def _split(size: int) -> int:
    """Return the size of the left subtree: the largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1


def _sides(index: int, size: int) -> list[bool]:
    """Return, for each step from leaf to root, whether the sibling is on the left."""
    inner = (index ^ size - 1).bit_length()
    # Above the common ancestor of the leaf and the last leaf, all siblings are on the left.
    return [bool(index >> level & 1) for level in range(inner)] + [True] * (
        index >> inner
    ).bit_count()


def _climb(node: bytes, path: Sequence[bytes], sides: Sequence[bool]) -> bytes:
    for sibling, left in zip(path, sides, strict=True):
        node = node_hash(sibling, node) if left else node_hash(node, sibling)
    return node


def _check_size(frontier: Frontier, size: int) -> None:
    if len(frontier) != size.bit_count():
        raise ValueError(f"a tree of {size} leaves cannot have a frontier of {len(frontier)} nodes")
