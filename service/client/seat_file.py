"""Seat file: a seat's keys, chains, revealed links and last checkpoint.

Only its owner can read the file (mode 0600).
"""

from __future__ import annotations

import os
from errno import EISDIR
from pathlib import Path
from typing import Annotated

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.proof import ProofError
from domain.proof.hash_chain import labelled_hash, links
from domain.proof.signed_note import parse_vkey
from domain.session.messages import Hex16, Hex32
from domain.verify.receipts import Complaint, Receipt
from service.platform.clock import random_bytes
from service.platform.files import write_private

CHAIN_LENGTH = 4096
Root = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{64})?$(?!\n)")]
MAX_RECEIPTS = 256
"""The maximum number of receipts to keep.

A receipt is needed as evidence until the seat has read how the draw ended.
"""


class WrongSeatFileError(ValueError):
    """The seat file cannot be used for this seat.

    This error is not evidence against the server.
    """


class SeatFileChain(msgspec.Struct):
    """A hash chain, stored as its last link in hex.

    All other links are computed from the last one. `position` is the highest position of a revealed
    link. `request` says why that link was revealed: it is the leaf hash of a draw's declaration, or
    "rolled over". `anchored` is True once the client has read the chain's anchor in the log.
    """

    number: int
    length: int
    last: Hex32
    position: int = 0
    request: str = ""
    anchored: bool = True


class SentCommand(msgspec.Struct, frozen=True):
    """A command that the seat has sent but not yet seen in a log that a checkpoint covers.

    `command` is canonical JSON. `salt` (hex) is set only for a secret command. `k` is the number of
    the draw for which the command supplied entropy, or -1 if it supplied none. `faces` are the
    faces of the physical dice that were sent with the command. `dice_name` is the name of these
    dice in NFC, or "" if they have none. `target` is the version of the event that the command
    refers to, -1 if there is none, or None if an earlier version of the client wrote the file.
    """

    command: str
    audience: str = ""
    k: int = -1
    salt: str = ""
    faces: tuple[int, ...] = ()
    target: int | None = None
    dice_name: str = ""


class ContributedDraw(msgspec.Struct, frozen=True):
    """The last draw to which the seat contributed, and the other contributors' newest links.

    `links` maps every other contributor to the newest link (hex) that it had when draw `k` was
    declared: the last link that it had revealed, or the anchor of its chain if there was none.
    """

    k: int
    links: dict[str, str]


class SeatFileData(msgspec.Struct):
    """Everything that a client needs to continue with a seat on any device.

    `note` is the last checkpoint seen, with its `size` and `root`. `key` signs contributions and
    `witness` cosigns checkpoints; both are Ed25519 seeds in hex. `watched` is the last version
    that a verified checkpoint covers.

    `since` is the last version before the client of this file took over the seat, or None if that
    is not known yet. Commands up to `since` may come from another client. `asked` lists the
    commands that the seat has sent but that no verified checkpoint covers yet. `statements` lists
    the signatures of the SeatLeft and PresenceSet events that the seat has sent but that no
    verified checkpoint covers yet. `log_format` is the log's format, or 0 if it is not known yet.
    `contributed` is the last draw to which the seat contributed, or None if there is none.
    """

    server: str
    session: Hex16
    seat: str
    token: str
    log_key: str
    origin: str
    key: Hex32
    witness: Hex32
    chains: list[SeatFileChain] = []
    note: str = ""
    size: int = 0
    root: Root = ""
    watched: int = 0
    since: int | None = 0
    asked: list[SentCommand] = []
    statements: list[str] = []
    receipts: list[Receipt] = []
    complaints: list[Complaint] = []
    log_format: int = 0
    contributed: ContributedDraw | None = None


class SeatFile:
    """A seat file on disk.

    After a change to `data`, call `save` before sending anything from the file.
    """

    def __init__(self, path: Path, data: SeatFileData) -> None:
        self.path, self.data = path, data
        self._links: dict[int, tuple[bytes, ...]] = {}

    @classmethod
    def read(cls, path: Path) -> SeatFile:
        """Read a seat file. Raises OSError, or ValueError if it is not a seat file."""
        try:
            data = msgspec.json.decode(path.read_bytes(), type=SeatFileData)
            parse_vkey(data.log_key)
        except (ValueError, RecursionError, ProofError) as error:
            raise ValueError(f"{path} is not a seat file: {error}. Use a different file.") from None
        return cls(path, data)

    @classmethod
    def prepare(cls, path: Path) -> None:
        """Raise OSError if no file can be written at `path`."""
        if path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
        probe = path.with_name(f".{path.name}.probe")
        write_private(probe, b"")
        probe.unlink()

    def save(self) -> None:
        """Write the file atomically, so that it survives a power failure."""
        write_private(self.path, msgspec.json.encode(self.data))

    @property
    def public_key(self) -> bytes:
        return _private_key(self.data.key).public_key().public_bytes_raw()

    @property
    def witness_key(self) -> bytes:
        return _private_key(self.data.witness).public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        return _private_key(self.data.key).sign(message)

    def cosign(self, message: bytes) -> bytes:
        return _private_key(self.data.witness).sign(message)

    def ensure_chain(self, number: int) -> SeatFileChain:
        """Return the chain with this number. Create the chain if it is missing.

        Call `save` before sending the anchor of a new chain.
        """
        for chain in self.data.chains:
            if chain.number == number:
                return chain
        self.data.chains.append(
            chain := SeatFileChain(number, CHAIN_LENGTH, random_bytes().hex(), anchored=False)
        )
        return chain

    @property
    def next_number(self) -> int:
        """The number of the next chain: one more than the last anchored chain's number."""
        return 1 + max((chain.number for chain in self.data.chains if chain.anchored), default=-1)

    def mark_anchored(self, number: int, anchor: bytes) -> bool:
        """Record that the chain is anchored in the log.

        Return False if this file does not contain the chain, or if its anchor differs from
        `anchor`.
        """
        own = next((chain for chain in self.data.chains if chain.number == number), None)
        if own is None or self.link(own, 0) != anchor:
            return False
        if not own.anchored:
            own.anchored = True
            self.save()
        return True

    def link(self, chain: SeatFileChain, position: int) -> bytes:
        """Return the chain's link at `position`. Position 0 is the anchor.

        Raises ProofError (E_POSITION) if the chain has no such link. Without this check, a server
        could request a negative position and get a link from the end of the chain.
        """
        if not 0 <= position <= chain.length:
            raise ProofError("E_POSITION", f"position {position}", f"0 to {chain.length}")
        if chain.number not in self._links:
            session, last = bytes.fromhex(self.data.session), bytes.fromhex(chain.last)
            self._links[chain.number] = links(
                session, self.data.seat, chain.number, last, chain.length
            )
        return self._links[chain.number][position]

    def release_link(self, chain: SeatFileChain, position: int, request: str) -> bytes:
        """Record in the file that the link is revealed for `request`, and return the link.

        Raises ProofError (E_POSITION) if the chain has no link at `position`, if the link was
        revealed for a different request, or if a later link has been revealed.
        """
        if position < chain.position or (position == chain.position and request != chain.request):
            raise ProofError(
                "E_POSITION",
                f"position {position} for {request}",
                f"position {chain.position}, revealed for {chain.request}",
            )
        if not 1 <= position <= chain.length:
            raise ProofError("E_POSITION", f"position {position}", f"1 to {chain.length}")
        chain.position, chain.request = position, request
        self.save()
        return self.link(chain, position)

    def entropy_for(self, k: int) -> str:
        """Return the 32 bytes, in hex, that the seat sends with every command for draw `k`.

        They are derived from the seat's key, so the server's responses cannot change them. If the
        client sent new bytes after a failed request, or after a command that supposedly needed no
        values, the server could make it try again until the server likes the values.
        """
        key, session = bytes.fromhex(self.data.key), bytes.fromhex(self.data.session)
        return labelled_hash("entropy", key, session, k.to_bytes(8, "big")).hex()

    def add_complaint(self, complaint: Complaint) -> None:
        """Add a contribution that is about to be sent. Call `save` afterwards.

        It stays a complaint until there is a receipt for it, or until the log contains it.
        """
        if complaint not in self.data.complaints:
            self.data.complaints = [*self.data.complaints, complaint][-MAX_RECEIPTS:]

    def drop_complaint(self, k: int) -> None:
        """Remove the contribution to draw `k` from the complaints."""
        complaints = self.data.complaints
        self.data.complaints = [each for each in complaints if each.contribution.draw != k]

    def add_receipt(self, receipt: Receipt) -> None:
        if receipt not in self.data.receipts:
            self.data.receipts = [*self.data.receipts, receipt][-MAX_RECEIPTS:]
            self.drop_complaint(receipt.contribution.draw)
            self.save()


def _private_key(seed: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
