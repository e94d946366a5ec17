"""Notes, keys, checkpoints and proofs as text: what is accepted, and what is refused with which code."""

import base64
from contextlib import suppress

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given, strategies as st
from tlog_scales import signing, tlog

from domain.proof import ProofError, signed_note
from domain.proof.signed_note import COSIGNATURE, ED25519, Signature, SignedNote, Vkey
from tests.support.tlog_proof import parse_tlog_proof

ORIGIN = "fairlog.example/sessions/00"
ROOT = bytes(range(32))


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


LOG_KEY, WITNESS_KEY = (Ed25519PrivateKey.from_private_bytes(bytes([nth]) * 32) for nth in (1, 2))
LOG = Vkey(ORIGIN, ED25519, LOG_KEY.public_key().public_bytes_raw())
WITNESS = Vkey(f"{ORIGIN}/w/p1", COSIGNATURE, WITNESS_KEY.public_key().public_bytes_raw())
SIGNED = signed_note.sign_checkpoint(ORIGIN, 7, ROOT, LOG.public_key, LOG_KEY.sign)
TEXT = signed_note.checkpoint_text(ORIGIN, 7, ROOT)


def cosigned(seconds: int, signed_for: int) -> str:
    signature = WITNESS_KEY.sign(signed_note.cosignature_message(TEXT, signed_for))
    payload = seconds.to_bytes(8, "big") + signature
    return signed_note.signature_line(Signature(WITNESS.name, signed_note.key_id(WITNESS), payload))


signs = st.characters(codec="utf-8", exclude_characters="+", exclude_categories=["Z", "Cc"])
names = st.text(signs, min_size=1)
lines = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=12)
texts = st.lists(lines, min_size=1, max_size=4).map(lambda some: "\n".join(some) + "\n")
key_ids, payloads = st.binary(min_size=4, max_size=4), st.binary(min_size=1, max_size=80)
signatures = st.builds(Signature, names, key_ids, payloads)
notes = st.builds(SignedNote, texts, st.lists(signatures, min_size=1, max_size=16).map(tuple))


@given(notes)
def test_a_note_reads_back(some: SignedNote) -> None:
    assert signed_note.parse_note(signed_note.note_text(some)) == some


PIECES = ["\n", "\n\n", "— ", " ", "+", "=", "B", "é", "\r"]


@given(notes, st.integers(0), st.integers(0, 1), st.sampled_from(PIECES))
def test_what_parses_is_emitted_again(some: SignedNote, at: int, cut: int, piece: str) -> None:
    text = signed_note.note_text(some)
    at %= len(text)
    bent = text[:at] + piece + text[at + cut :]
    with suppress(ProofError):
        assert signed_note.note_text(signed_note.parse_note(bent)) == bent


LINE = "— name AAAAAAA=\n"
MALFORMED = [
    "",
    "text\n",
    "text\n\n",
    f"text\n{LINE}",
    f"text\n\n{LINE[:-1]}x",
    f"text\n\n{LINE}\n",
    f"te\rxt\n\n{LINE}",
    f"te\txt\n\n{LINE}",
    f"te\ud800xt\n\n{LINE}",
    "text\n\n-- name AAAAAAA=\n",
    "text\n\n— na+me AAAAAAA=\n",
    "text\n\n— na\u00a0me AAAAAAA=\n",
    "text\n\n— name  AAAAAAA=\n",
    "text\n\n— name AAAAAAA\n",
    "text\n\n— name AAAAAAB=\n",
    "text\n\n— name AAAAAA==\n",
    "text\n\n— name AAAA_-A=\n",
    "text\n\n" + LINE * 101,
]


@pytest.mark.parametrize("text", MALFORMED)
def test_a_malformed_note(text: str) -> None:
    with pytest.raises(ProofError, match="E_NOTE_FORMAT"):
        signed_note.parse_note(text)


@given(names, st.sampled_from([ED25519, COSIGNATURE]), st.binary(min_size=32, max_size=32))
def test_a_key_reads_back(name: str, kind: int, material: bytes) -> None:
    vkey = Vkey(name, kind, material)
    assert signed_note.parse_vkey(signed_note.vkey_text(vkey)) == vkey


def named(name: str, kind: int, material: bytes, key_id: str = "") -> str:
    vkey = Vkey(name, kind, material)
    encoded = base64.b64encode(bytes([kind]) + material).decode()
    return f"{name}+{key_id or signed_note.key_id(vkey).hex()}+{encoded}"


NO_KEYS = [
    "",
    named("", ED25519, ROOT),
    named("a b", ED25519, ROOT),
    named("a\x00b", ED25519, ROOT),
    named("log", ED25519, ROOT, "00000000"),
    named("log", ED25519, ROOT, signed_note.key_id(Vkey("log", ED25519, ROOT)).hex().upper()),
    named("log", 2, ROOT),
    named("log", ED25519, ROOT[:31]),
    named("log", ED25519, ROOT + b"\0"),
    named("log", ED25519, ROOT) + "\n",
    named("log", ED25519, ROOT) + "=",
]


@pytest.mark.parametrize("text", NO_KEYS)
def test_not_a_key(text: str) -> None:
    with pytest.raises(ProofError, match="E_KEY"):
        signed_note.parse_vkey(text)


def test_a_key_that_could_not_be_read_is_not_written() -> None:
    with pytest.raises(ProofError, match="E_KEY"):
        signed_note.vkey_text(Vkey("two words", ED25519, ROOT))


@given(names, st.integers(0, 2**53 - 1), st.binary(min_size=32, max_size=32))
def test_a_checkpoint_reads_back(origin: str, size: int, root: bytes) -> None:
    parsed = signed_note.parse_checkpoint(signed_note.checkpoint_text(origin, size, root))
    assert parsed == signed_note.Checkpoint(origin, size, root)


ENCODED = base64.b64encode(ROOT).decode()
NO_CHECKPOINTS = [
    *[
        f"{ORIGIN}\n{size}\n{ENCODED}\n"
        for size in ("014", "+14", "-1", "1_4", " 14", "", "00", "1.0", "٣")
    ],
    *[f"{ORIGIN}\n{size}\n{ENCODED}\n" for size in (str(1 << 53), "9" * 19, "9" * 5000)],
    *[f"{ORIGIN}\n14\n{ENCODED}{rest}" for rest in ("", "\nmore", "\nextension\n", "\n\n")],
    f"\n14\n{ENCODED}\n",
    f"{ORIGIN}\n14\n{ENCODED[:-1]}\n",
    f"{ORIGIN}\n14\n{ENCODED[:-2]}9=\n",
    f"{ORIGIN}\n14\n{ENCODED[:-4]}\n",
    f"{ORIGIN}\n14\n{ENCODED.replace('A', '_', 1)}\n",
    f"{ORIGIN}\n14\n\n",
]


@pytest.mark.parametrize("text", NO_CHECKPOINTS)
def test_not_a_checkpoint(text: str) -> None:
    with pytest.raises(ProofError, match="E_NOTE_FORMAT"):
        signed_note.parse_checkpoint(text)


def test_a_signed_checkpoint_opens_among_strangers() -> None:
    # 15 more lines, none of them a signature of anything; a key known by name or id alone is unknown.
    strangers = [(ORIGIN, bytes(4)), ("x", signed_note.key_id(LOG)), *[("y", bytes(4))] * 13]
    text = SIGNED + "".join(
        signed_note.signature_line(Signature(name, by, b"\1")) for name, by in strangers
    )
    assert len(signed_note.parse_note(text).signatures) == 16
    assert signed_note.open_checkpoint(text, LOG, verify) == signed_note.Checkpoint(ORIGIN, 7, ROOT)


BAD, SHORT = (
    signed_note.signature_line(Signature(ORIGIN, signed_note.key_id(LOG), bytes(n)))
    for n in (64, 63)
)
OTHER = Vkey("other.example/log", ED25519, LOG.public_key)
UNOPENED = [
    # note, key, code
    (SIGNED + BAD, LOG, "E_CHECKPOINT_SIG"),
    (SIGNED + SHORT, LOG, "E_CHECKPOINT_SIG"),
    (SIGNED.replace("\n7\n", "\n8\n"), LOG, "E_CHECKPOINT_SIG"),
    (SIGNED.replace("\n7\n", "\n07\n"), LOG, "E_NOTE_FORMAT"),
    (SIGNED, WITNESS, "E_KEY"),
    (SIGNED, Vkey(ORIGIN, ED25519, ROOT), "E_UNTRUSTED_LOG"),
    (SIGNED, OTHER, "E_UNTRUSTED_LOG"),
    (f"{TEXT}\n{LINE}", LOG, "E_UNSIGNED"),
    (f"{TEXT}\n{cosigned(5, 5)}", LOG, "E_UNSIGNED"),
]


@pytest.mark.parametrize(("text", "vkey", "code"), UNOPENED)
def test_a_checkpoint_that_does_not_open(text: str, vkey: Vkey, code: str) -> None:
    with pytest.raises(ProofError) as broken:
        signed_note.open_checkpoint(text, vkey, verify)
    assert broken.value.code == code


def test_a_key_signs_for_its_own_log_only() -> None:
    text = signed_note.checkpoint_text("other.example/log", 7, ROOT)
    foreign = SignedNote(
        text, (Signature(ORIGIN, signed_note.key_id(LOG), LOG_KEY.sign(text.encode())),)
    )
    with pytest.raises(ProofError, match="E_UNTRUSTED_LOG"):
        signed_note.open_checkpoint(signed_note.note_text(foreign), LOG, verify)


def test_the_latest_cosignature_counts() -> None:
    assert signed_note.cosignature_time(SIGNED, WITNESS, verify) is None
    assert (
        signed_note.cosignature_time(SIGNED + cosigned(9, 9) + cosigned(5, 5), WITNESS, verify) == 9
    )


@pytest.mark.parametrize(("seconds", "signed_for"), [(6, 5), (1 << 63, 1 << 63)])
def test_one_bad_cosignature_spoils_the_good_ones(seconds: int, signed_for: int) -> None:
    with pytest.raises(ProofError, match="E_COSIG"):
        signed_note.cosignature_time(
            SIGNED + cosigned(4, 4) + cosigned(seconds, signed_for), WITNESS, verify
        )


def test_a_log_is_no_witness() -> None:
    with pytest.raises(ProofError, match="E_KEY"):
        signed_note.cosignature_time(SIGNED, LOG, verify)


@given(
    st.integers(0, 2**53 - 1), st.lists(st.binary(min_size=32, max_size=32), max_size=5).map(tuple)
)
def test_a_tlog_proof_reads_back(index: int, path: tuple[bytes, ...]) -> None:
    proof = signed_note.TlogProof(index, path, SIGNED)
    assert parse_tlog_proof(signed_note.tlog_proof_text(proof)) == proof


def test_tlog_scales_reads_what_we_write_and_we_read_what_it_writes() -> None:
    theirs = tlog.Checkpoint.from_text(SIGNED + cosigned(9, 9))
    assert (theirs.origin, theirs.size, theirs.root_hash) == (ORIGIN, 7, ROOT)
    log, witness = (
        signing.Vkey.from_string(signed_note.vkey_text(vkey)) for vkey in (LOG, WITNESS)
    )
    assert len(signing.VkeySet(log, witness).verify(theirs.signatures, theirs)) == 2
    signer = signing.PlainEd25519Signer(ORIGIN, LOG_KEY)
    assert f"{TEXT}\n{signer.sign(theirs).serialize()}\n" == SIGNED
