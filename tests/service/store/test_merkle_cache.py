"""Trees in memory: each leaf is read once, by whichever thread comes first, and the least used trees are given up."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from domain.proof import merkle_tree
from service.store import merkle_cache
from service.store.merkle_cache import CachedTree, SessionTrees

HASHES = [merkle_tree.leaf_hash(str(nth).encode()) for nth in range(300)]


class Source:
    """Leaves that count how often they are read."""

    def __init__(self) -> None:
        self.read: list[tuple[int, int]] = []

    def leaves(self, after: int, upto: int) -> Iterator[bytes]:
        self.read.append((after, upto))
        yield from HASHES[after:upto]

    def of(self, session: str, after: int, upto: int) -> Iterator[bytes]:
        return self.leaves(after, upto)


def test_a_tree_reads_only_what_it_lacks() -> None:
    source = Source()
    grown = CachedTree(source.leaves)
    for size in (7, 3, 7, 12, 1):
        assert grown.at(size).root(size) == merkle_tree.root_of(HASHES[:size])
    assert source.read == [(0, 7), (7, 12)]


def test_a_source_that_fails_costs_an_answer_and_no_more() -> None:
    def failing(after: int, upto: int) -> Iterator[bytes]:
        yield HASHES[after]
        if upto > 5:
            raise LookupError(upto)
        yield from HASHES[after + 1 : upto]

    grown = CachedTree(failing)
    with pytest.raises(LookupError):
        grown.at(9)
    assert grown.at(5).root(5) == merkle_tree.root_of(HASHES[:5])


def test_threads_that_ask_at_once_get_the_same() -> None:
    grown = CachedTree(Source().leaves)
    with ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(lambda size: grown.at(size).root(size), [*range(1, 301), *range(300, 0, -1)])
        )
    roots = [merkle_tree.root_of(HASHES[:size]) for size in range(1, 301)]
    assert found == [*roots, *reversed(roots)]


@pytest.mark.parametrize(("name", "most"), [("MAX_TREES", 2), ("MAX_LEAVES", 20)])
def test_the_least_used_are_given_up(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merkle_cache, name, most)
    source = Source()
    kept = SessionTrees(source.of)
    for session in ("a", "b", "a", "c", "a", "b"):
        assert kept.at(session, 10).root(10) == merkle_tree.root_of(HASHES[:10])
    assert len(source.read) == 4  # b was the least used when c came


def test_one_large_tree_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merkle_cache, "MAX_LEAVES", 20)
    source = Source()
    kept = SessionTrees(source.of)
    for _ in range(3):
        kept.at("a", 100)
    assert len(source.read) == 1
