"""What a chain, a seed and a value must do, by law and in the vectors' single cases."""

import doctest
import hashlib
import hmac
import json
import struct
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import given, strategies as st

from domain import codec
from domain.proof import ProofError, hash_chain, merkle_tree

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "fairlog.json").read_bytes())
SESSION = bytes(range(16))
SEED = hashlib.sha256(b"a seed").digest()

fields = st.lists(st.binary(max_size=40))
seats = st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True)
u32s = st.integers(0, 2**32 - 1)
hashes = st.binary(min_size=32, max_size=32)
contributions = st.lists(
    st.tuples(seats, u32s, u32s, hashes),
    min_size=1,
    max_size=6,
    unique_by=lambda contribution: contribution[0],
)


def lp(field: bytes) -> bytes:
    return struct.pack(">I", len(field)) + field


@given(fields, fields)
def test_only_equal_fields_read_alike(some: list[bytes], others: list[bytes]) -> None:
    assert (
        b"".join(map(hash_chain.length_prefixed, some))
        == b"".join(map(hash_chain.length_prefixed, others))
    ) == (some == others)


@given(st.sampled_from(["chain", "draw", "blind", "command", "body"]), fields)
def test_h_is_sha256_over_label_and_fields(label: str, some: list[bytes]) -> None:
    told = lp(b"fairlog/v1/" + label.encode()) + b"".join(map(lp, some))
    assert hash_chain.labelled_hash(label, *some) == hashlib.sha256(told).digest()


@given(st.binary(min_size=16, max_size=16), seats, u32s, hashes, st.integers(0, 40))
def test_links_go_down_one_by_one(
    session: bytes, seat: str, nth: int, last: bytes, length: int
) -> None:
    links = hash_chain.links(session, seat, nth, last, length)
    assert len(links) == length + 1
    assert links[-1] == last
    for i in range(1, length + 1):
        assert hash_chain.link_below(session, seat, nth, i, links[i]) == links[i - 1]
        hash_chain.check_link(session, seat, nth, i, links[i], links[i - 1])


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_link_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="a link must be 32 bytes long"):
        hash_chain.links(SESSION, "p1", 0, bytes(length), 4)


def test_a_broken_link_says_what_was_found() -> None:
    link = bytes(32)
    with pytest.raises(ProofError) as broken:
        hash_chain.check_link(SESSION, "p1", 0, 1, link, bytes(32))
    assert broken.value.code == "E_CHAIN"
    assert broken.value.found == hash_chain.link_below(SESSION, "p1", 0, 1, link).hex()
    assert broken.value.expected == "00" * 32


@given(
    contributions,
    st.randoms(use_true_random=False),
    st.integers(0, 2**64 - 1),
    st.sampled_from([b"", SEED]),
)
def test_the_seed_knows_no_order_of_arrival(
    some: list[hash_chain.ChainLink], chance: Random, k: int, blind: bytes
) -> None:
    shuffled = list(some)
    chance.shuffle(shuffled)
    told = [SESSION, struct.pack(">Q", k), struct.pack(">I", len(some))]
    for seat, nth, position, link in sorted(some):
        told += [seat.encode(), struct.pack(">I", nth), struct.pack(">I", position), link]
    assert hash_chain.seed(SESSION, k, shuffled, blind) == hash_chain.labelled_hash(
        "draw", *told, blind
    )


def test_the_seed_hangs_on_everything() -> None:
    ana, ben = ("ana", 0, 1, bytes(32)), ("ben", 0, 1, bytes(32))
    seeds = [
        hash_chain.seed(SESSION, 0, [ana, ben]),
        hash_chain.seed(SESSION[::-1], 0, [ana, ben]),
        hash_chain.seed(SESSION, 1, [ana, ben]),
        hash_chain.seed(SESSION, 0, [ana]),
        hash_chain.seed(SESSION, 0, [ana, ("ben", 1, 1, bytes(32))]),
        hash_chain.seed(SESSION, 0, [ana, ("ben", 0, 2, bytes(32))]),
        hash_chain.seed(SESSION, 0, [ana, ("ben", 0, 1, b"\1" * 32)]),
        hash_chain.seed(SESSION, 0, [ana, ("bob", 0, 1, bytes(32))]),
        hash_chain.seed(SESSION, 0, [ana, ben], bytes(32)),
    ]
    assert len(set(seeds)) == len(seeds)


@given(hashes, st.text(st.characters(codec="utf-8"), max_size=8))
def test_words_are_hmacs_cut_in_eight(seed: bytes, lane: str) -> None:
    blocks = [
        hmac.new(
            seed, lp(b"fairlog/v1/word") + lp(lane.encode()) + struct.pack(">I", nth), "sha256"
        ).digest()
        for nth in range(3)
    ]
    assert tuple(islice(hash_chain.words(seed, lane), 24)) == struct.unpack(
        ">24I", b"".join(blocks)
    )


@given(hashes, st.integers(0, 9), st.integers(1, 2**32))
def test_uniform_is_the_first_fair_word(seed: bytes, i: int, n: int) -> None:
    drawn = hash_chain.uniform(seed, str(i), n)
    word = next(word for word in hash_chain.words(seed, str(i)) if word // n < 2**32 // n)
    assert 0 <= drawn < n
    assert drawn == word % n
    assert hash_chain.value(seed, i, n) == 1 + drawn


@given(hashes)
def test_the_first_unfair_word_is_passed_over(seed: bytes) -> None:
    # Above 2^31 only words below n are fair, so n itself is the edge.
    n = next(word for word in hash_chain.words(seed, "0") if word > 2**31)
    assert hash_chain.uniform(seed, "0", n) == next(
        word for word in hash_chain.words(seed, "0") if word < n
    )


@pytest.mark.parametrize("n", [-1, 0, 2**32 + 1])
def test_no_value_of_no_faces(n: int) -> None:
    with pytest.raises(ValueError, match="cannot choose among"):
        hash_chain.uniform(SEED, "0", n)


def test_every_face_comes_as_often() -> None:
    # 6,000 throws: a face that is off by 15 % would be five standard deviations out.
    faces = Counter(hash_chain.value(SEED, i, 6) for i in range(6000))
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert all(850 < times < 1150 for times in faces.values())


MESSAGES = [
    (hash_chain.contribution_message, "contribution"),
    (hash_chain.receipt_message, "receipt"),
    (hash_chain.seat_message, "seat"),
]


@pytest.mark.parametrize(("message", "label"), MESSAGES)
def test_a_signed_message_names_what_it_is(message: Callable[[bytes], bytes], label: str) -> None:
    assert message(b'{"k":1}') == lp(b"fairlog/v1/" + label.encode()) + b'{"k":1}'


def test_commitments_open_to_one_thing_only() -> None:
    hash_chain.check_blind(SESSION, 3, SEED, hash_chain.blind_commitment(SESSION, 3, SEED))
    with pytest.raises(ProofError, match="E_BLIND"):
        hash_chain.check_blind(SESSION, 4, SEED, hash_chain.blind_commitment(SESSION, 3, SEED))
    assert hash_chain.labelled_hash("body", SEED, b"{}") != hash_chain.command_commitment(
        SEED, b"{}"
    )


@pytest.mark.parametrize("nth", range(4))
def test_hash(nth: int) -> None:
    told = VECTORS["hash"][nth]
    assert (
        hash_chain.labelled_hash(told["label"], *map(bytes.fromhex, told["fields"])).hex()
        == told["out"]
    )


@pytest.mark.parametrize("nth", range(4))
def test_chain(nth: int) -> None:
    told = VECTORS["chains"][nth]
    session, last = bytes.fromhex(told["sid"]), bytes.fromhex(told["links_0_to_length"][-1])
    links = hash_chain.links(session, told["seat"], told["chain"], last, told["length"])
    assert [link.hex() for link in links] == told["links_0_to_length"]


def test_chain_1024() -> None:
    told = VECTORS["chain_1024"]
    session, last = bytes.fromhex(told["sid"]), bytes.fromhex(told["seed"])
    assert (
        hash_chain.links(session, told["seat"], told["chain"], last, 1024)[0].hex()
        == told["anchor"]
    )


@pytest.mark.parametrize("nth", range(3))
def test_draw(nth: int) -> None:
    told = VECTORS["draws"][nth]
    session, b = bytes.fromhex(told["sid"]), bytes.fromhex(told["blind"])
    shown = [(*place, bytes.fromhex(link)) for *place, link in told["contrib"]]
    seed = hash_chain.seed(session, told["k"], shown, b)
    assert seed.hex() == told["seed"]
    assert not b or hash_chain.blind_commitment(session, told["k"], b).hex() == told["blind_commit"]
    assert list(islice(hash_chain.words(seed, "0"), 4)) == told["first_words_lane_0"]
    for n in (6, 12, 20, 100):
        assert [hash_chain.value(seed, i, n) for i in range(10)] == told[f"values_n{n}"]
    assert [hash_chain.value(seed, i, n) for i, n in enumerate((20, 6, 6, 100))] == told[
        "values_mixed_20_6_6_100"
    ]


@pytest.mark.parametrize("nth", range(5))
def test_draw_of_format_2(nth: int) -> None:
    told = VECTORS["draws_2"][nth]
    session, b = bytes.fromhex(told["sid"]), bytes.fromhex(told["blind"])
    shown = [(*place, bytes.fromhex(link)) for *place, link in told["contrib"]]
    entropy = bytes.fromhex(told["entropy"])
    seed = hash_chain.seed(session, told["k"], shown[::-1], b, entropy)
    assert seed.hex() == told["seed"]
    assert list(islice(hash_chain.words(seed, "0"), 4)) == told["first_words_lane_0"]
    assert [hash_chain.value(seed, i, n) for i, n in enumerate((20, 6, 6, 100))] == told[
        "values_mixed_20_6_6_100"
    ]


def test_no_two_seeds_of_the_vectors_are_the_same() -> None:
    """The format, the blind, the entropy and the contributors are all part of a seed."""
    seeds = [told["seed"] for told in (*VECTORS["draws"], *VECTORS["draws_2"])]
    assert len(set(seeds)) == len(seeds)


def test_rejection() -> None:
    assert len(VECTORS["rejection"]) == 24
    for told in VECTORS["rejection"]:
        seed, n = bytes.fromhex(told["seed"]), told["n"]
        assert hash_chain.uniform(seed, told["lane"], n) == told["out"]
        assert (
            list(islice(hash_chain.words(seed, told["lane"]), told["rejected"] + 1))[-1] % n
            == told["out"]
        )


def test_cards() -> None:
    told = VECTORS["cards"]
    seed, deck = bytes.fromhex(told["seed"]), list(told["deck"])
    assert [deck.pop(hash_chain.value(seed, i, len(deck)) - 1) for i in range(20)] == told[
        "flips_20"
    ]
    assert deck == told["remaining_32"]


@pytest.mark.parametrize("module", [hash_chain, merkle_tree, codec])
def test_the_examples_of_docstrings_run(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert (found.attempted > 0, found.failed) == (True, 0)
