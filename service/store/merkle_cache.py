"""An in-memory cache of Merkle trees, which avoids rehashing leaves for each proof."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import partial

from domain.proof.merkle_tree import GrowingTree

ReadLeafHashes = Callable[[int, int], Iterable[bytes]]
"""A function `(after, upto)` that returns the hashes of the leaves from `after` + 1 to `upto`."""
MAX_TREES, MAX_LEAVES = 1000, 1_000_000  # a leaf takes 64 bytes of memory


class CachedTree:
    """A Merkle tree that reads its leaves only when they are first needed."""

    def __init__(self, leaves: ReadLeafHashes) -> None:
        self._leaves, self._nodes = leaves, GrowingTree()
        # Without this lock, two threads could add the same leaves to the tree.
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._nodes)

    def at(self, size: int) -> GrowingTree:
        """Return the tree, extended to at least `size` leaves."""
        with self._lock:
            if len(self._nodes) < size:
                self._nodes.extend(self._leaves(len(self._nodes), size))
        return self._nodes


class SessionTrees:
    """A cache of sessions' Merkle trees that evicts the least recently used ones.

    `leaves(session, after, upto)` returns the hashes of the session's leaves `after` + 1 to `upto`.
    """

    def __init__(self, leaves: Callable[[str, int, int], Iterable[bytes]]) -> None:
        self._leaves = leaves
        self._trees: OrderedDict[str, CachedTree] = OrderedDict()
        self._lock = threading.Lock()

    def at(self, session: str, size: int) -> GrowingTree:
        """Return the session's Merkle tree, extended to at least `size` leaves.

        Errors raised by `leaves` are passed on unchanged.
        """
        with self._lock:
            tree = self._trees.setdefault(session, CachedTree(partial(self._leaves, session)))
            self._trees.move_to_end(session)
        nodes = tree.at(size)
        with self._lock:
            self._drop_least_used()
        return nodes

    def _drop_least_used(self) -> None:
        leaves = sum(map(len, self._trees.values()))
        while len(self._trees) > 1 and (leaves > MAX_LEAVES or len(self._trees) > MAX_TREES):
            _, tree = self._trees.popitem(last=False)
            leaves -= len(tree)
