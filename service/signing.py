"""Ed25519: the keys that the server keeps as files, and signatures out of them."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.sources import fresh

KEYS = ("log.key", "house.key", "server.secret")


class Signer:
    """A private key: its public half (32 bytes) and its signatures (64 bytes)."""

    def __init__(self, private: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public = self._key.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


class Keys(msgspec.Struct, frozen=True):
    """The log's key, the house's seat key, and the secret that repeated tokens are derived from."""

    log: Signer
    house: Signer
    secret: bytes


def read_keys(folder: Path) -> Keys:
    """The server's keys. FileNotFoundError where `make_keys` has not run."""
    return Keys(
        Signer(bytes.fromhex((folder / "log.key").read_text())),
        Signer(bytes.fromhex((folder / "house.key").read_text())),
        bytes.fromhex((folder / "server.secret").read_text()),
    )


def make_keys(folder: Path) -> None:
    """Creates what is missing, readable by the owner alone. An existing key is never replaced."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in KEYS:
        try:
            handle = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(handle, "w") as file:
            file.write(fresh().hex())
            file.flush()
            os.fsync(file.fileno())
