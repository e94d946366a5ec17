"""What others accept: tlog-scales our notes, openssl our signatures, rfc8785 our JSON; and we what they publish."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest
import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tlog_scales import signing, tlog

from domain.codec import encode
from domain.proof import hash_chain, signed_note
from domain.proof.signed_note import COSIGNATURE, ED25519, Signature, Vkey
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from tests.support.scale import scale

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "fairlog.json").read_bytes())
PLAYED = VECTORS["session"]
ORIGIN, SECONDS = PLAYED["origin"], 1767225700
LOG, WITNESS = (Signer(bytes([nth]) * 32) for nth in (1, 2))
LOG_KEY = Vkey(ORIGIN, ED25519, LOG.public)
WITNESS_KEY = Vkey(f"{ORIGIN}/w/p1", COSIGNATURE, WITNESS.public)
SIGNED = signed_note.sign_checkpoint(ORIGIN, 7, bytes(range(32)), LOG.public, LOG.sign)
TEXT = signed_note.parse_note(SIGNED).text
VALUES = scale(200, 10_000)


def theirs(vkey: Vkey) -> signing.Vkey:
    return signing.Vkey.from_string(signed_note.vkey_text(vkey))


def test_tlog_scales_accepts_a_checkpoint_and_its_cosignature() -> None:
    read = tlog.Checkpoint.from_text(
        SIGNED + signed_note.cosign(TEXT, WITNESS_KEY, SECONDS, WITNESS.sign)
    )
    verified = signing.VkeySet(theirs(LOG_KEY), theirs(WITNESS_KEY)).verify(read.signatures, read)
    assert {vkey.name for vkey, _ in verified} == {LOG_KEY.name, WITNESS_KEY.name}


@pytest.mark.parametrize("seconds", [0, SECONDS + 1])
def test_tlog_scales_refuses_a_cosignature_with_another_time(seconds: int) -> None:
    read = tlog.Checkpoint.from_text(
        SIGNED + signed_note.cosign(TEXT, WITNESS_KEY, SECONDS, WITNESS.sign)
    )
    [line] = [line for line in read.signatures if line.name == WITNESS_KEY.name]
    bent = signing.NoteSignature(
        line.name, line.key_id, seconds.to_bytes(8, "big") + line.payload[8:]
    )
    assert signing.VkeySet(theirs(WITNESS_KEY)).verify([line], read) != set()
    with pytest.raises(InvalidSignature):
        theirs(WITNESS_KEY).get_verifier().verify_note(bent, read)


def test_the_vectors_cosignature_is_what_cosign_makes_of_its_own() -> None:
    final, witness = PLAYED["checkpoint_final"], signed_note.parse_vkey(PLAYED["witness_vkey"])
    [told] = signed_note.signatures_by(signed_note.parse_note(final), witness)
    line = signed_note.cosign(
        signed_note.parse_note(final).text, witness, SECONDS, lambda message: told.payload[8:]
    )
    assert final.endswith(line)
    assert signed_note.cosignature_time(final, witness, ed25519) == SECONDS


def pem(public: bytes, folder: Path) -> Path:
    key = Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32).public_key()
    assert key.public_bytes_raw() == public
    path = folder / "public.pem"
    path.write_bytes(key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return path


MESSAGES = {
    "a checkpoint": TEXT.encode(),
    "a cosignature": signed_note.cosignature_message(TEXT, SECONDS),
    "a contribution": hash_chain.contribution_message(b'{"chain":0}'),
    "a receipt": hash_chain.receipt_message(b'{"chain":0}'),
    "a seat's word": hash_chain.seat_message(b'{"seat":"p1"}'),
}


@pytest.mark.parametrize("what", MESSAGES)
def test_openssl_accepts_what_we_sign_and_nothing_else(what: str, tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    assert openssl, "no openssl on the PATH: apt-get install openssl"
    message, signature = tmp_path / "message", tmp_path / "signature"
    signature.write_bytes(LOG.sign(MESSAGES[what]))
    command = [
        openssl,
        "pkeyutl",
        "-verify",
        "-rawin",
        "-pubin",
        "-inkey",
        pem(LOG.public, tmp_path),
    ]
    for text, accepted in ((MESSAGES[what], True), (MESSAGES[what] + b"\n", False)):
        message.write_bytes(text)
        said = subprocess.run(
            [*command, "-in", message, "-sigfile", signature],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (said.returncode == 0) is accepted, said
        assert ("Signature Verified Successfully" in said.stdout) is accepted


def anything(luck: random.Random, depth: int = 0) -> object:
    """A value that canonical JSON may hold: ASCII keys, any text, whole numbers below 2^53."""
    kind = luck.randrange(6 if depth < 4 else 4)
    if kind == 0:
        return luck.random() < 0.5
    if kind == 1:
        return luck.randrange(1 - 2 ** luck.randint(0, 53), 2 ** luck.randint(0, 53))
    if kind in (2, 3):
        return text(luck)
    if kind == 4:
        return [anything(luck, depth + 1) for _ in range(luck.randrange(5))]
    return {key(luck): anything(luck, depth + 1) for _ in range(luck.randrange(6))}


def text(luck: random.Random) -> str:
    most = luck.choice([0x1F, 0x7F, 0xFF, 0xD7FF, 0x10FFFF])
    signs = [luck.randint(0, most) for _ in range(luck.randrange(12))]
    return "".join(chr(sign) for sign in signs if not 0xD800 <= sign <= 0xDFFF)


def key(luck: random.Random) -> str:
    return "".join(chr(luck.randrange(0x80)) for _ in range(luck.randrange(8)))


def test_canonical_json_is_that_of_rfc8785() -> None:
    luck = random.Random(8785)
    for _ in range(VALUES):
        value = anything(luck)
        assert encode(value) == rfc8785.dumps(value)
    print(f"{VALUES:,} values")


EXAMPLES = {
    "C2SP, signed-note": (
        VECTORS["published_checks"]["c2sp_signed_note_example"]["note"],
        VECTORS["published_checks"]["c2sp_signed_note_example"]["key"],
    ),
    "Go, sumdb/note": (
        "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
        "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    ),
}


@pytest.mark.parametrize("of", EXAMPLES)
def test_a_published_note_opens(of: str) -> None:
    told, key = EXAMPLES[of]
    read, vkey = signed_note.parse_note(told), signed_note.parse_vkey(key)
    [signature] = signed_note.signatures_by(read, vkey)
    assert isinstance(signature, Signature)
    assert ed25519(vkey.public_key, read.text.encode(), signature.payload)
    assert not ed25519(vkey.public_key, read.text.encode() + b"\n", signature.payload)
    assert (signed_note.note_text(read), signed_note.vkey_text(vkey)) == (told, key)
