"""The tree against RFC 6962's law, against every way to bend a proof, and against tlog-scales."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tlog_scales.reader import TilesReader
from tlog_scales.tlog import (
    ConsistencyProof,
    ConsistencyProofInvalid,
    InclusionProof,
    InclusionProofInvalid,
)
from tlog_scales.writer import TilesWriter

from domain.proof import ProofError, merkle_tree

LEAVES = [f"leaf {nth}".encode() for nth in range(700)]
HASHES = [merkle_tree.leaf_hash(leaf) for leaf in LEAVES]
ROOTS = [merkle_tree.root_of(HASHES[:size]) for size in range(len(HASHES) + 1)]
NODES = merkle_tree.GrowingTree()
NODES.extend(HASHES)

sizes = st.integers(1, len(HASHES))
spans = st.tuples(sizes, sizes).map(sorted)


def mth(leaves: list[bytes]) -> bytes:
    """RFC 6962 2.1, word for word."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = max(1 << power for power in range(10) if 1 << power < len(leaves))
    return hashlib.sha256(b"\1" + mth(leaves[:k]) + mth(leaves[k:])).digest()


@pytest.mark.parametrize("size", [*range(18), 255, 256, 257, 700])
def test_root_of_is_the_rfc(size: int) -> None:
    assert ROOTS[size] == mth(LEAVES[:size])


def test_the_frontier_knows_every_root() -> None:
    frontier: merkle_tree.Frontier = ()
    for size, leaf in enumerate(HASHES):
        assert merkle_tree.root(frontier, size) == ROOTS[size]
        frontier = merkle_tree.push(frontier, size, leaf)
    assert merkle_tree.root(frontier, len(HASHES)) == ROOTS[-1]


@given(st.lists(st.binary(max_size=20), max_size=40))
def test_frontier_and_root_of_agree_on_any_leaves(leaves: list[bytes]) -> None:
    hashes = [merkle_tree.leaf_hash(leaf) for leaf in leaves]
    frontier: merkle_tree.Frontier = ()
    for size, leaf in enumerate(hashes):
        frontier = merkle_tree.push(frontier, size, leaf)
    assert merkle_tree.root(frontier, len(hashes)) == merkle_tree.root_of(hashes) == mth(leaves)


def test_a_frontier_fits_its_size() -> None:
    with pytest.raises(ValueError, match="a tree of 3 leaves cannot have a frontier of 1 nodes"):
        merkle_tree.root((HASHES[0],), 3)
    with pytest.raises(ValueError, match="a tree of 0 leaves cannot have a frontier of 1 nodes"):
        merkle_tree.push((HASHES[0],), 0, HASHES[1])


@given(sizes, st.data())
def test_inclusion_holds_and_bends_nowhere(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    proof, root = NODES.inclusion(index, size), ROOTS[size]
    assert merkle_tree.verify_inclusion(HASHES[index], index, size, proof, root)
    merkle_tree.check_inclusion(HASHES[index], index, size, proof, root)
    InclusionProof(index, size, list(proof)).check(HASHES[index], root)
    for bent in bends(proof, data):
        assert not merkle_tree.verify_inclusion(HASHES[index], index, size, bent, root)
    assert not merkle_tree.verify_inclusion(flipped(HASHES[index], data), index, size, proof, root)
    assert not merkle_tree.verify_inclusion(HASHES[index], index, size, proof, flipped(root, data))
    other = data.draw(st.integers(-1, size).filter(lambda place: place != index))
    assert not merkle_tree.verify_inclusion(HASHES[index], other, size, proof, root)
    with pytest.raises(ProofError, match="E_INCLUSION"):
        merkle_tree.check_inclusion(HASHES[index], other, size, proof, root)


@given(spans, st.data())
def test_consistency_holds_and_bends_nowhere(span: list[int], data: st.DataObject) -> None:
    old, new = span
    proof = NODES.consistency(old, new)
    assert merkle_tree.verify_consistency(old, new, ROOTS[old], ROOTS[new], proof)
    merkle_tree.check_consistency(old, new, ROOTS[old], ROOTS[new], proof)
    ConsistencyProof(old, new, list(proof)).check(ROOTS[old], ROOTS[new])
    for bent in bends(proof, data):
        assert not merkle_tree.verify_consistency(old, new, ROOTS[old], ROOTS[new], bent)
    assert not merkle_tree.verify_consistency(
        old, new, flipped(ROOTS[old], data), ROOTS[new], proof
    )
    with pytest.raises(ProofError, match="E_INCONSISTENT"):
        merkle_tree.check_consistency(old, new, ROOTS[old], flipped(ROOTS[new], data), proof)


def bends(proof: tuple[bytes, ...], data: st.DataObject) -> list[tuple[bytes, ...]]:
    """One node more, one less, one byte changed, one byte moved to the node after."""
    bent = [(*proof, bytes(32)), (bytes(32), *proof)]
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        bent += [proof[:-1], proof[1:], (*proof[:at], flipped(proof[at], data), *proof[at + 1 :])]
        bent.append((proof[0] + proof[-1][:1], *proof[1:-1], proof[-1][1:]))
    return bent


def flipped(node: bytes, data: st.DataObject) -> bytes:
    at, by = data.draw(st.integers(0, 31)), data.draw(st.integers(1, 255))
    return node[:at] + bytes([node[at] ^ by]) + node[at + 1 :]


@given(sizes, sizes, sizes, st.lists(st.sampled_from(HASHES[:3]), max_size=3), st.data())
def test_the_oracle_judges_any_proof_alike(
    size: int, some: int, other: int, proof: list[bytes], data: st.DataObject
) -> None:
    # Small claims about the first leaves, so that true ones are among them.
    size, index = size % 5, data.draw(st.integers(0, 4))
    ours = merkle_tree.verify_inclusion(HASHES[some % 3], index, size, proof, ROOTS[other % 5])
    assert ours == oracle_includes(HASHES[some % 3], index, size, proof, ROOTS[other % 5])
    old, new = sorted((some % 5, other % 5))
    ours = merkle_tree.verify_consistency(old, new, ROOTS[old], ROOTS[new], proof)
    assert ours == oracle_extends(old, new, ROOTS[old], ROOTS[new], proof)


def oracle_includes(leaf: bytes, index: int, size: int, proof: list[bytes], root: bytes) -> bool:
    try:
        InclusionProof(index, size, proof).check(leaf, root)
    except InclusionProofInvalid:
        return False
    return True


def oracle_extends(
    old: int, new: int, old_root: bytes, new_root: bytes, proof: list[bytes]
) -> bool:
    try:
        ConsistencyProof(old, new, proof).check(old_root, new_root)
    except ConsistencyProofInvalid:
        return False
    return True


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory) -> TilesReader:
    """The same leaves in a log that tlog-scales wrote."""
    root: Path = tmp_path_factory.mktemp("tiles") / "log"
    writer = TilesWriter.create(root, "fairlog.example/tiles")
    for leaf in LEAVES:
        writer.add_leaf(leaf)
    writer.commit([])
    return writer.reader


def test_tlog_scales_builds_the_same_tree(tiles: TilesReader) -> None:
    assert tiles.calculate_root_hash() == ROOTS[-1]
    for size in (1, 2, 255, 256, 257, 699, 700):
        for index in {0, size // 3, size - 1}:
            theirs = tiles.get_inclusion_proof(index, size).node_hashes
            assert NODES.inclusion(index, size) == tuple(theirs)
    for old, new in [
        (1, 2),
        (3, 7),
        (4, 8),
        (6, 22),
        (256, 257),
        (255, 700),
        (512, 700),
        (700, 700),
    ]:
        theirs = tiles.get_consistency_proof(old, new).node_hashes
        assert NODES.consistency(old, new) == tuple(theirs)


def test_the_empty_tree_begins_every_tree_and_proves_nothing_else() -> None:
    assert NODES.consistency(0, 9) == ()
    assert merkle_tree.verify_consistency(0, 9, merkle_tree.EMPTY_ROOT, ROOTS[9], ())
    assert merkle_tree.verify_consistency(0, 0, merkle_tree.EMPTY_ROOT, merkle_tree.EMPTY_ROOT, ())
    assert not merkle_tree.verify_consistency(0, 9, ROOTS[1], ROOTS[9], ())
    assert not merkle_tree.verify_consistency(0, 9, merkle_tree.EMPTY_ROOT, ROOTS[9], (ROOTS[9],))
    assert not merkle_tree.verify_consistency(0, 0, merkle_tree.EMPTY_ROOT, ROOTS[9], ())


def test_a_log_does_not_shrink() -> None:
    assert not merkle_tree.verify_consistency(9, 8, ROOTS[9], ROOTS[8], ())
    assert not merkle_tree.verify_consistency(-1, 8, ROOTS[9], ROOTS[8], ())
    assert not merkle_tree.verify_inclusion(HASHES[0], 0, 0, (), HASHES[0])


def test_nodes_have_the_leaves_and_every_root() -> None:
    assert [NODES.leaf(index) for index in range(len(HASHES))] == HASHES
    assert [NODES.root(size) for size in range(len(ROOTS))] == ROOTS


@given(st.lists(st.integers(0, 40), max_size=8))
def test_nodes_grow_by_any_steps(steps: list[int]) -> None:
    nodes, size = merkle_tree.GrowingTree(), 0
    for step in steps:
        nodes.extend(HASHES[size : size + step])
        size += step
        assert len(nodes) == size
        assert [nodes.root(some) for some in range(size + 1)] == ROOTS[: size + 1]


def test_tlog_scales_accepts_every_proof_of_small_trees() -> None:
    for new in range(1, 40):
        for old in range(1, new + 1):
            proof = NODES.consistency(old, new)
            ConsistencyProof(old, new, list(proof)).check(ROOTS[old], ROOTS[new])
        for index in range(new):
            proof = NODES.inclusion(index, new)
            InclusionProof(index, new, list(proof)).check(HASHES[index], ROOTS[new])


@pytest.mark.parametrize(("index", "size"), [(0, 0), (3, 3), (-1, 3), (0, 701)])
def test_nodes_have_no_inclusion_proof_for_what_is_not_there(index: int, size: int) -> None:
    with pytest.raises(
        ValueError,
        match=f"cannot prove that leaf {index} is among the first {size} leaves: the tree has 700",
    ):
        NODES.inclusion(index, size)


@pytest.mark.parametrize(("old", "new"), [(-1, 3), (4, 3), (3, 701)])
def test_nodes_have_no_consistency_proof_for_what_is_not_there(old: int, new: int) -> None:
    with pytest.raises(
        ValueError, match=f"cannot prove growth from {old} to {new} leaves: the tree has 700"
    ):
        NODES.consistency(old, new)


@pytest.mark.parametrize("size", [-1, 701])
def test_nodes_know_no_other_roots_and_leaves(size: int) -> None:
    with pytest.raises(
        ValueError, match=f"cannot compute the root of the first {size} leaves: the tree has 700"
    ):
        NODES.root(size)
    with pytest.raises(ValueError, match=f"leaf {size} does not exist: the tree has 700 leaves"):
        NODES.leaf(size)
