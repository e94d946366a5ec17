"""Trees in memory, so that no proof hashes a leaf twice: of each session that was request for, and of the index."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import partial

from domain.proof.merkle_tree import GrowingTree

ReadLeafHashes = Callable[[int, int], Iterable[bytes]]
"""The leaf hashes behind a size, up to another. Whatever it raises reaches who asks."""
MAX_TREES, MAX_LEAVES = 1000, 1_000_000  # in memory; a leaf takes 64 bytes


class CachedTree:
    """A tree of this process that reads on where it is too short."""

    def __init__(self, leaves: ReadLeafHashes) -> None:
        self._leaves, self._nodes = leaves, GrowingTree()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._nodes)

    def at(self, size: int) -> GrowingTree:
        """The nodes of so many leaves, or more."""
        with self._lock:
            if len(self._nodes) < size:
                self._nodes.extend(self._leaves(len(self._nodes), size))
        return self._nodes


class SessionTrees:
    """Those of sessions, the least used ones given up; `leaves` also takes the session, first."""

    def __init__(self, leaves: Callable[[str, int, int], Iterable[bytes]]) -> None:
        self._leaves = leaves
        self._trees: OrderedDict[str, CachedTree] = OrderedDict()
        self._lock = threading.Lock()

    def at(self, session: str, size: int) -> GrowingTree:
        """The nodes of the session's first `size` leaves, or of more. Raises what `leaves` does."""
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
