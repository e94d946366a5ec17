"""Log tree: the Merkle tree of the events that a client has read."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from domain.proof import ProofError
from domain.proof.merkle_tree import GrowingTree, leaf_hash
from domain.proof.signed_note import Checkpoint
from domain.recorded_event import commitment, leaf


class ReceivedEvent(msgspec.Struct, frozen=True):
    """An event as the API returns it to this seat.

    `leaf` is the event's leaf. If `body` is present, `salt` (in hex) is the salt with which the
    leaf commits to it.
    """

    version: int
    turn: int
    seat: str
    at: str = ""
    kind: str = ""
    text: str = ""
    body: msgspec.Raw | UnsetType = UNSET
    grade: str = ""
    sealed: bool = False
    redacted: bool = False
    leaf: str = ""
    salt: str = ""


class SeenCheckpoint(NamedTuple):
    """The last checkpoint that the client has checked. `size` is 0 if there is none."""

    size: int
    root: bytes


class _Leaf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: int
    body: str
    seat: str
    session: str
    turn: int
    v: int
    version: int


class LogTree:
    """The tree of all events that were read, in order.

    A checkpoint with the same root proves that each of these events is in the log as it was read:
    its version, turn, seat and, if it was visible, its body. The client does not need a proof from
    the server for this.
    """

    def __init__(self, session: str) -> None:
        self._session, self._tree = session, GrowingTree()

    def add(self, event: ReceivedEvent) -> None:
        """Add the next event.

        Raises ProofError (E_BODY) if the leaf does not belong to the event, or does not commit to
        the event's body.
        """
        try:
            parsed = msgspec.json.decode(event.leaf, type=_Leaf)
            salt = bytes.fromhex(event.salt)
        except (msgspec.MsgspecError, ValueError) as error:
            raise ProofError("E_BODY", str(error), "a leaf and a salt") from error
        expected = leaf(
            self._session, event.version, event.turn, parsed.at, event.seat, parsed.body
        )
        if expected != event.leaf.encode():
            raise ProofError("E_BODY", event.leaf, expected.decode())
        if event.body is not UNSET:
            committed = commitment(salt, bytes(event.body)).hex()
            if committed != parsed.body:
                raise ProofError("E_BODY", committed, parsed.body)
        elif not (event.sealed or event.redacted):
            raise ProofError("E_BODY", f"no body at version {event.version}", "a body")
        self._tree.extend([leaf_hash(expected)])

    def leaf_hash(self, version: int) -> bytes:
        """Return the leaf hash of an event that was read."""
        return self._tree.leaf(version - 1)

    def check(self, now: Checkpoint, seen: SeenCheckpoint) -> None:
        """Check that the events read so far match the checkpoint `now`.

        Read all events covered by `now` first, and use `check_start` to make sure that they begin
        with the events covered by `seen`. Raises ProofError.
        """
        if now.size < seen.size:
            raise ProofError(
                "E_TRUNCATED",
                f"{now.size} events",
                f"at least {seen.size} events, the size of the last checkpoint",
            )
        if now.size > len(self._tree):
            raise ProofError(
                "E_TRUNCATED",
                f"{len(self._tree)} events",
                f"{now.size} events, the size of the checkpoint",
            )
        root = self._tree.root(now.size)
        if root != now.root:
            code = "E_SPLIT_VIEW" if now.size == seen.size else "E_ROOT"
            raise ProofError(
                code, f"root {now.root.hex()} at size {now.size}", f"root {root.hex()}"
            )

    def check_start(self, seen: SeenCheckpoint) -> None:
        """Check that the log begins with the events that the checkpoint `seen` covers.

        Raises ProofError (E_TRUNCATED or E_INCONSISTENT).
        """
        if seen.size > len(self._tree):
            raise ProofError(
                "E_TRUNCATED",
                f"{len(self._tree)} events",
                f"at least {seen.size} events, the size of the last checkpoint",
            )
        root = self._tree.root(seen.size)
        if seen.size and root != seen.root:
            raise ProofError(
                "E_INCONSISTENT",
                f"root {root.hex()} of the first {seen.size} events",
                f"root {seen.root.hex()}, the root of the last checkpoint",
            )
