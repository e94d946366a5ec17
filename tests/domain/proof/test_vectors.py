"""The session of fairlog.json, what it cites as published, and every tampering it lists."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given, strategies as st

from domain.proof import ProofError, hash_chain, merkle_tree, signed_note
from tests.support.tlog_proof import parse_tlog_proof

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "fairlog.json").read_bytes())
PLAYED, EVENTS = VECTORS["session"], VECTORS["session"]["events"]
BODIES = {nth: event["opening"]["body"] for nth, event in enumerate(EVENTS) if event["opening"]}
SESSION = bytes.fromhex(json.loads(EVENTS[0]["leaf"])["session"])
LINKS = {(told["seat"], told["chain"]): told["links_0_to_length"] for told in VECTORS["chains"]}

LEAVES = [merkle_tree.leaf_hash(event["leaf"].encode()) for event in EVENTS]
ROOTS = [bytes.fromhex(root) for root in PLAYED["roots"]]
INCLUSION = tuple(bytes.fromhex(node) for node in PLAYED["inclusion_6_in_final"])
CONSISTENCY = tuple(bytes.fromhex(node) for node in PLAYED["consistency_6_final"])
LOG, WITNESS = (
    signed_note.parse_vkey(PLAYED["log_vkey"]),
    signed_note.parse_vkey(PLAYED["witness_vkey"]),
)
FINAL = PLAYED["checkpoint_final"]


def jcs(told: object) -> bytes:
    return msgspec.json.encode(told, order="sorted")


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def all_four(position: int) -> list[hash_chain.ChainLink]:
    return [(seat, nth, position, bytes.fromhex(LINKS[seat, nth][position])) for seat, nth in LINKS]


@pytest.mark.parametrize("nth", range(3))
def test_jcs(nth: int) -> None:
    told = VECTORS["jcs"][nth]
    assert rfc8785.dumps(told["in"]) == jcs(told["in"]) == told["out"].encode()
    assert hashlib.sha256(jcs(told["in"])).hexdigest() == told["sha256"]


keys = st.text(st.characters(codec="ascii"))
scalars = st.booleans() | st.integers(1 - 2**53, 2**53 - 1) | st.text(st.characters(codec="utf-8"))
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=20
)


@given(values)
def test_canonical_json_is_rfc_8785(told: object) -> None:
    assert jcs(told) == rfc8785.dumps(msgspec.json.decode(jcs(told)))


def test_void_shadow() -> None:
    told = VECTORS["void_shadow"]
    seat, nth, position, later = told["revealed_later"]
    link = hash_chain.link_below(SESSION, seat, nth, position, bytes.fromhex(later))
    assert [seat, nth, position - 1] == told["missing"]
    assert position == told["next_position_used_by_all"]
    assert link.hex() == told["recovered_link"]
    assert (seat, nth, position - 1, link) in all_four(4)
    seed = hash_chain.seed(SESSION, told["k"], all_four(4))
    assert (seed.hex(), hash_chain.value(seed, 0, 20)) == (told["shadow_seed"], told["shadow_d20"])


@pytest.mark.parametrize("nth", range(22))
def test_leaf(nth: int) -> None:
    event, leaf = EVENTS[nth], json.loads(EVENTS[nth]["leaf"])
    assert jcs(leaf).decode() == event["leaf"]
    assert LEAVES[nth].hex() == event["leaf_hash"]
    assert leaf["version"] == nth + 1
    if event["opening"]:
        salt, body = event["opening"]["salt"], jcs(event["opening"]["body"])
        assert hash_chain.labelled_hash("body", bytes.fromhex(salt), body).hex() == leaf["body"]


def test_tree() -> None:
    frontier: merkle_tree.Frontier = ()
    for size, leaf in enumerate(LEAVES):
        assert merkle_tree.root(frontier, size) == merkle_tree.root_of(LEAVES[:size]) == ROOTS[size]
        frontier = merkle_tree.push(frontier, size, leaf)
    assert merkle_tree.root(frontier, 22) == ROOTS[22]


def tree_of(leaf_hashes: list[bytes]) -> merkle_tree.GrowingTree:
    tree = merkle_tree.GrowingTree()
    tree.extend(leaf_hashes)
    return tree


def test_proofs() -> None:
    assert tree_of(LEAVES).inclusion(6, 22) == INCLUSION
    merkle_tree.check_inclusion(LEAVES[6], 6, 22, INCLUSION, ROOTS[22])
    assert tree_of(LEAVES).consistency(6, 22) == CONSISTENCY
    merkle_tree.check_consistency(6, 22, ROOTS[6], ROOTS[22], CONSISTENCY)


def test_tlog_proof_and_add_checkpoint() -> None:
    assert (
        signed_note.tlog_proof_text(signed_note.TlogProof(6, INCLUSION, FINAL))
        == PLAYED["tlog_proof_6"]
    )
    assert parse_tlog_proof(PLAYED["tlog_proof_6"]) == signed_note.TlogProof(6, INCLUSION, FINAL)
    assert (
        signed_note.add_checkpoint_body(6, CONSISTENCY, signed(22))
        == PLAYED["witness_add_checkpoint"]
    )


def signed(size: int) -> str:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(PLAYED["log_seed"]))
    return signed_note.sign_checkpoint(
        PLAYED["origin"], size, ROOTS[size], LOG.public_key, key.sign
    )


def test_checkpoints() -> None:
    assert (signed_note.vkey_text(LOG), signed_note.vkey_text(WITNESS)) == (
        PLAYED["log_vkey"],
        PLAYED["witness_vkey"],
    )
    assert signed(6) == PLAYED["checkpoint_6"]
    assert signed_note.note_text(signed_note.parse_note(FINAL)) == FINAL
    for text, size in ((PLAYED["checkpoint_6"], 6), (FINAL, 22)):
        expected = signed_note.Checkpoint(PLAYED["origin"], size, ROOTS[size])
        assert signed_note.open_checkpoint(text, LOG, verify) == expected
    assert signed_note.cosignature_time(FINAL, WITNESS, verify) == 1767225700
    assert signed_note.cosignature_time(PLAYED["checkpoint_6"], WITNESS, verify) is None


TAKEN = {body["seat"]: body for body in BODIES.values() if body["kind"] == "session.SeatTaken"}
KEYS = {seat: bytes.fromhex(body["public_key"]) for seat, body in TAKEN.items()}
DECLARED = {
    body["draw"]["k"]: nth for nth, body in BODIES.items() if body["kind"] == "session.Declared"
}


@pytest.mark.parametrize("seat", ["gm", "house", "p1", "p2"])
def test_seat_signature(seat: str) -> None:
    told = TAKEN[seat] | {"session": SESSION.hex()}
    signature = bytes.fromhex(told.pop("signature"))
    assert told["anchor"] == LINKS[seat, told["chain"]][0]
    assert verify(KEYS[seat], hash_chain.seat_message(jcs(told)), signature)


@pytest.mark.parametrize("nth", range(3))
def test_receipt(nth: int) -> None:
    told, receipt = (PLAYED["receipts_draw_0"][nth][field] for field in ("contribution", "receipt"))
    assert bytes.fromhex(PLAYED["house_public_key"]) == KEYS["house"]
    assert verify(KEYS["house"], hash_chain.receipt_message(jcs(told)), bytes.fromhex(receipt))


@pytest.mark.parametrize("nth", [9, 12, 15, 18])
def test_contributions(nth: int) -> None:
    body = BODIES[nth]
    declared = DECLARED[body["k"]]
    bound = {"draw": body["k"], "request": LEAVES[declared].hex(), "session": SESSION.hex()}
    assert len(body["contributions"]) == (3 if body["kind"] == "session.DrawVoided" else 4)
    for shown in body["contributions"]:
        told = shown | bound
        signature, below = (
            bytes.fromhex(told.pop("signature")),
            LINKS[told["seat"], 0][told["position"] - 1],
        )
        assert [told["seat"], told["chain"], told["position"]] in BODIES[declared]["draw"][
            "contributors"
        ]
        assert verify(KEYS[told["seat"]], hash_chain.contribution_message(jcs(told)), signature)
        assert ROOTS[told["seen_size"]].hex() == told["seen_root"]
        place = (SESSION, told["seat"], told["chain"], told["position"])
        hash_chain.check_link(*place, bytes.fromhex(told["link"]), bytes.fromhex(below))


def test_values_of_the_played_draws() -> None:
    for nth in (9, 18):
        seed = hash_chain.seed(SESSION, BODIES[nth]["k"], all_four(BODIES[nth]["k"] + 1))
        assert BODIES[nth]["values"] == [[6, hash_chain.value(seed, 0, 6)]]
    voided = hash_chain.seed(SESSION, 2, all_four(3))
    assert hash_chain.value(voided, 0, 6) == PLAYED["voided_draw_2_shadow_d6"]


def test_secret_turn() -> None:
    opened, declared = BODIES[20], BODIES[DECLARED[1]]
    b, salt = bytes.fromhex(opened["blind"]), bytes.fromhex(opened["salt"])
    assert (
        hash_chain.command_commitment(salt, jcs(opened["command"])).hex()
        == declared["command_commitment"]
    )
    hash_chain.check_blind(SESSION, 1, b, bytes.fromhex(declared["draw"]["blind"]))
    assert opened["values"] == [
        [20, hash_chain.value(hash_chain.seed(SESSION, 1, all_four(2), b), 0, 20)]
    ]


def test_published() -> None:
    published = VECTORS["published_checks"]
    hashes = [
        merkle_tree.leaf_hash(bytes.fromhex(leaf)) for leaf in published["rfc6962_leaf_inputs"]
    ]
    roots = [merkle_tree.root_of(hashes[:size]).hex() for size in range(9)]
    assert roots == published["rfc6962_roots_sizes_0_to_8"]
    example, vkey = (published["c2sp_signed_note_example"][field] for field in ("note", "key"))
    told, key = signed_note.parse_note(example), signed_note.parse_vkey(vkey)
    assert told.signatures[0].key_id == signed_note.key_id(key)
    assert verify(key.public_key, told.text.encode(), told.signatures[0].payload)
    assert (signed_note.note_text(told), signed_note.vkey_text(key)) == (example, vkey)


def link_at(session: bytes = SESSION, seat: str = "p1", nth: int = 0, position: int = 2) -> None:
    hash_chain.check_link(
        session, seat, nth, position, *(bytes.fromhex(LINKS["p1", 0][i]) for i in (2, 1))
    )


def swap_blind() -> None:
    hash_chain.check_blind(
        SESSION, 1, bytes(32), bytes.fromhex(BODIES[DECLARED[1]]["draw"]["blind"])
    )


def open_sealed(text: str = "the butler did it") -> None:
    opening = PLAYED["sealed_note_opening"]
    commitment = json.loads(EVENTS[opening["version"] - 1]["leaf"])["body"]
    body = jcs(opening["body"] | {"text": text})
    if hash_chain.labelled_hash("body", bytes.fromhex(opening["salt"]), body).hex() != commitment:
        raise ProofError("E_BODY", commitment, text)


def rewrite_history() -> None:
    leaf_3 = EVENTS[2]["leaf"].replace('"seat":"house"', '"seat":"gm"')
    rewritten = [*LEAVES[:2], merkle_tree.leaf_hash(leaf_3.encode()), *LEAVES[3:]]
    proof = tree_of(rewritten).consistency(6, 22)
    merkle_tree.check_consistency(6, 22, ROOTS[6], merkle_tree.root_of(rewritten), proof)


def edit_time() -> None:
    _, by_witness = signed_note.parse_note(FINAL).signatures
    later = (1767225701).to_bytes(8, "big") + by_witness.payload[8:]
    edited = signed_note.signature_line(
        signed_note.Signature(by_witness.name, by_witness.key_id, later)
    )
    signed_note.cosignature_time(signed(22) + edited, WITNESS, verify)


def without_log_line() -> str:
    told = signed_note.parse_note(FINAL)
    return signed_note.note_text(signed_note.SignedNote(told.text, told.signatures[1:]))


TAMPERINGS: dict[str, Callable[[], object]] = {
    "size line edited": lambda: signed_note.open_checkpoint(
        FINAL.replace("\n22\n", "\n21\n"), LOG, verify
    ),
    "log line removed": lambda: signed_note.open_checkpoint(without_log_line(), LOG, verify),
    "cosignature time edited": edit_time,
    "link replayed: other seat": lambda: link_at(seat="p2"),
    "link replayed: other position": lambda: link_at(position=3),
    "link replayed: other chain": lambda: link_at(nth=1),
    "link replayed: other session": lambda: link_at(session=SESSION[::-1]),
    "blind swapped": swap_blind,
    "sealed body edited": lambda: open_sealed("the cook did it"),
    "history rewritten (leaf 3 changed)": rewrite_history,
    "inclusion at wrong index": lambda: merkle_tree.check_inclusion(
        LEAVES[6], 7, 22, INCLUSION, ROOTS[22]
    ),
}


def test_what_is_tampered_with_was_sound() -> None:
    link_at()
    open_sealed()
    assert set(TAMPERINGS) == {told["case"] for told in VECTORS["negative"]}


@pytest.mark.parametrize("nth", range(11))
def test_tampering(nth: int) -> None:
    told = VECTORS["negative"][nth]
    with pytest.raises(ProofError) as broken:
        TAMPERINGS[told["case"]]()
    assert broken.value.code == told["code"]
