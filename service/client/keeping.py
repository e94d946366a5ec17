"""What a seat keeps, in one file of mode 0600: its keys and chains, what it gave, what it saw of the log."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.proof import Broken
from domain.proof.chain import links
from domain.verify.receipts import Receipt
from service.sources import fresh

LENGTH = 4096
MOST_RECEIPTS = 256
"""The newest are kept: a draw's receipt is evidence until one has seen how it ended."""


class Chain(msgspec.Struct):
    """A chain by its last link (hex). `position` is the highest that was given, `request` what it was given to."""

    number: int
    length: int
    last: str
    position: int = 0
    request: str = ""


class Ask(msgspec.Struct, frozen=True):
    """A command that this seat sent, canonical, and is yet to see declared; `blind` (hex) of a secret one."""

    command: str
    audience: str = ""
    blind: str = ""


class Kept(msgspec.Struct):
    """Everything a seat needs to go on, on this device or another. `size` and `root` are of `note`, the last seen.

    `key` signs contributions, `witness` cosigns; both are seeds of Ed25519 in hex. `watched` is the last version read.
    """

    server: str
    session: str
    seat: str
    token: str
    log_key: str
    origin: str
    key: str
    witness: str
    chains: list[Chain] = []
    note: str = ""
    size: int = 0
    root: str = ""
    watched: int = 0
    asked: list[Ask] = []
    receipts: list[Receipt] = []


class Keeping:
    """The file of a seat. `kept` is changed in memory; nothing of a change may leave before `save` has returned."""

    def __init__(self, path: Path, kept: Kept) -> None:
        self.path, self.kept = path, kept
        self._links: dict[int, tuple[bytes, ...]] = {}

    @classmethod
    def read(cls, path: Path) -> Keeping:
        """Raises OSError, or ValueError where it is no such file."""
        return cls(path, msgspec.json.decode(path.read_bytes(), type=Kept))

    def save(self) -> None:
        """The file anew, whole or not at all, even where the power goes."""
        fresh_file = self.path.with_name(f".{self.path.name}.new")
        descriptor = os.open(fresh_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(self.kept))
            file.flush()
            os.fsync(file.fileno())
        fresh_file.replace(self.path)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    @property
    def public(self) -> bytes:
        return _private(self.kept.key).public_key().public_bytes_raw()

    @property
    def witness(self) -> bytes:
        """The public key that cosigns."""
        return _private(self.kept.witness).public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        return _private(self.kept.key).sign(message)

    def cosign(self, message: bytes) -> bytes:
        return _private(self.kept.witness).sign(message)

    def chain(self, number: int) -> Chain:
        """That chain, made now where there is none yet: `save` before its anchor is shown."""
        for chain in self.kept.chains:
            if chain.number == number:
                return chain
        self.kept.chains.append(chain := Chain(number, LENGTH, fresh().hex()))
        return chain

    def link(self, chain: Chain, position: int) -> bytes:
        """The link of a position; of 0 the anchor."""
        if chain.number not in self._links:
            session, last = bytes.fromhex(self.kept.session), bytes.fromhex(chain.last)
            self._links[chain.number] = links(session, self.kept.seat, chain.number, last, chain.length)
        return self._links[chain.number][position]

    def give(self, chain: Chain, position: int, request: str) -> bytes:
        """The link of a position for one request: E_POSITION for any other than the first that it was given to."""
        if position < chain.position or (position == chain.position and request != chain.request):
            raise Broken(
                "E_POSITION", f"position {position} for {request}", f"{chain.position} went to {chain.request}"
            )
        if not 1 <= position <= chain.length:
            raise Broken("E_POSITION", f"position {position}", f"1 to {chain.length}")
        chain.position, chain.request = position, request
        self.save()
        return self.link(chain, position)

    def hold(self, receipt: Receipt) -> None:
        if receipt not in self.kept.receipts:
            self.kept.receipts = [*self.kept.receipts, receipt][-MOST_RECEIPTS:]
            self.save()


def _private(seed: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
