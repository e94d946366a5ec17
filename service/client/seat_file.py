"""What a seat keeps, in one file of mode 0600: its keys and chains, what it gave, what it saw of the log."""

from __future__ import annotations

import os
from errno import EISDIR
from pathlib import Path
from typing import Annotated

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.proof import ProofError
from domain.proof.hash_chain import links
from domain.proof.signed_note import parse_vkey
from domain.session.messages import Hex16, Hex32
from domain.verify.receipts import Receipt
from service.platform.clock import random_bytes
from service.platform.files import write_private

LENGTH = 4096
Root = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{64})?$(?!\n)")]
MOST_RECEIPTS = 256
"""The newest are kept: a draw's receipt is evidence until one has seen how it ended."""


class OtherFile(ValueError):
    """The seat cannot be sat on with this file; nobody has lied."""


class Chain(msgspec.Struct):
    """A chain by its last link (hex). `position` is the highest that was given, `request` what it was given to.

    `anchored`: its anchor has been read in the log.
    """

    number: int
    length: int
    last: Hex32
    position: int = 0
    request: str = ""
    anchored: bool = True


class Ask(msgspec.Struct, frozen=True):
    """A command that this seat sent, canonical, and is yet to see declared; `blind` (hex) of a secret one."""

    command: str
    audience: str = ""
    blind: str = ""


class Kept(msgspec.Struct):
    """Everything a seat needs to go on, on this device or another. `size` and `root` are of `note`, the last seen.

    `key` signs contributions, `witness` cosigns; both are seeds of Ed25519 in hex. `watched` is the last version read,
    `since` the last one before this file had the seat (None: yet to be read): what was commanded until then is others'.
    """

    server: str
    session: Hex16
    seat: str
    token: str
    log_key: str
    origin: str
    key: Hex32
    witness: Hex32
    chains: list[Chain] = []
    note: str = ""
    size: int = 0
    root: Root = ""
    watched: int = 0
    since: int | None = 0
    asked: list[Ask] = []
    receipts: list[Receipt] = []


class SeatFile:
    """The file of a seat. `kept` is changed in memory; nothing of a change may leave before `save` has returned."""

    def __init__(self, path: Path, kept: Kept) -> None:
        self.path, self.kept = path, kept
        self._links: dict[int, tuple[bytes, ...]] = {}

    @classmethod
    def read(cls, path: Path) -> SeatFile:
        """Raises OSError, or ValueError where it is no such file."""
        try:
            kept = msgspec.json.decode(path.read_bytes(), type=Kept)
            parse_vkey(kept.log_key)
        except (ValueError, RecursionError, ProofError) as error:
            raise ValueError(f"{path} is not a seat's file: {error}") from None
        return cls(path, kept)

    @classmethod
    def prepare(cls, path: Path) -> None:
        """Raise OSError if the file cannot be saved."""
        if path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
        probe = path.with_name(f".{path.name}.probe")
        write_private(probe, b"")
        probe.unlink()

    def save(self) -> None:
        """Write the file, whole or not at all, even if the power fails."""
        write_private(self.path, msgspec.json.encode(self.kept))

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
        self.kept.chains.append(
            chain := Chain(number, LENGTH, random_bytes().hex(), anchored=False)
        )
        return chain

    @property
    def next_number(self) -> int:
        """The number behind the last chain that is in the log."""
        return 1 + max((chain.number for chain in self.kept.chains if chain.anchored), default=-1)

    def anchored(self, number: int, anchor: bytes) -> bool:
        """Marks a chain as being in the log; False where it is not one of this file."""
        own = next((chain for chain in self.kept.chains if chain.number == number), None)
        if own is None or self.link(own, 0) != anchor:
            return False
        if not own.anchored:
            own.anchored = True
            self.save()
        return True

    def link(self, chain: Chain, position: int) -> bytes:
        """The link of a position; of 0 the anchor."""
        if chain.number not in self._links:
            session, last = bytes.fromhex(self.kept.session), bytes.fromhex(chain.last)
            self._links[chain.number] = links(
                session, self.kept.seat, chain.number, last, chain.length
            )
        return self._links[chain.number][position]

    def give(self, chain: Chain, position: int, request: str) -> bytes:
        """The link of a position for one request: E_POSITION for any other than the first that it was given to."""
        if position < chain.position or (position == chain.position and request != chain.request):
            raise ProofError(
                "E_POSITION",
                f"position {position} for {request}",
                f"{chain.position} went to {chain.request}",
            )
        if not 1 <= position <= chain.length:
            raise ProofError("E_POSITION", f"position {position}", f"1 to {chain.length}")
        chain.position, chain.request = position, request
        self.save()
        return self.link(chain, position)

    def hold(self, receipt: Receipt) -> None:
        if receipt not in self.kept.receipts:
            self.kept.receipts = [*self.kept.receipts, receipt][-MOST_RECEIPTS:]
            self.save()


def _private(seed: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
