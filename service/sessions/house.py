"""The house: the server's seat, its hash chains and anchors (see docs/fairness.md)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

import msgspec
from msgspec import UNSET, UnsetType

from domain.decider import Refused, Role
from domain.proof.hash_chain import blind_commitment, links
from domain.session.contributions import seat_event_of
from domain.session.messages import (
    AnchorChain,
    ChainAnchored,
    LogFormat,
    SeatTaken,
    StoredSecret,
    TakeHouse,
)
from domain.session.state import HOUSE, Chain, Session
from service.platform.keys import Signer

MAX_CACHED_CHAINS, MAX_CHECKED_SESSIONS = 256, 10_000
RESTORED = "restored"
"""The name of the secret that marks a session as restored from a backup.

The rule that refuses draws in restored sessions has the same name.
"""


class House:
    """The house as a contributor to draws.

    The house derives the blinds of secret draws from its key, so it need not store them. Hash
    chains are cached, because computing 4096 links takes about 10 ms. `secret_of(session, name)`
    returns a stored secret or raises Refused.
    """

    def __init__(self, signer: Signer, length: int, secret_of: Callable[[str, str], bytes]) -> None:
        self._signer, self._length, self._secret_of = signer, length, secret_of
        self._chains: OrderedDict[tuple[str, int], tuple[bytes, ...]] = OrderedDict()
        self._chains_lock = threading.Lock()
        self._checked: set[str] = set()
        self.sign = signer.sign

    def blind(self, session: str, k: int) -> bytes:
        """Return the blind of draw `k`, which is part of the seed if the draw is secret."""
        return self._signer.derive(
            "blind of the house", bytes.fromhex(session), k.to_bytes(8, "big")
        )

    def stored_secret(self, session: str, turn: int) -> StoredSecret | UnsetType:
        """Return the secret stored for the turn's draw, or UNSET if there is none."""
        try:
            return msgspec.json.decode(
                self._secret_of(session, draw_secret_name(turn)), type=StoredSecret
            )
        except Refused:  # the draw was not secret, so the rules will refuse the command
            return UNSET

    def check_not_restored(self, session: str) -> None:
        """Raise Refused if the session was restored from a backup.

        After a restore, someone may already know the next links of the house's chain.
        """
        if session in self._checked:
            return
        try:
            self._secret_of(session, RESTORED)
        except Refused:  # not marked, and marks are never added while the server runs
            if len(self._checked) >= MAX_CHECKED_SESSIONS:
                self._checked.clear()
            self._checked.add(session)
            return
        raise Refused("restored")

    def link(self, session: Session, chain: Chain, position: int) -> bytes:
        """Return the link at `position` in one of the house's chains for the session."""
        held = self._chains.get((session.id, chain.number), ())
        # The cached chain may belong to a turn that was never stored.
        if held[chain.shown : chain.shown + 1] != (bytes.fromhex(chain.link),):
            last = self._secret_of(session.id, chain_name(chain.number))
            held = self._make(session.id, chain.number, last, chain.length)
        return held[position]

    def first_chain(self, session: str, last: bytes, log_format: LogFormat) -> TakeHouse:
        """Return the command that seats the house and anchors its first chain.

        The chain is computed backwards from its last link, `last`. In format 2, the command also
        contains the commitment to the blind of the first draw.
        """
        anchor = self._make(session, 0, last, self._length)[0].hex()
        key = self._signer.public.hex()
        next_blind: str | UnsetType = UNSET
        if log_format > 1:
            raw = bytes.fromhex(session)
            next_blind = blind_commitment(raw, 0, self.blind(session, 0)).hex()
        unsigned = SeatTaken(Role.HOUSE, HOUSE, anchor, 0, self._length, key, next_blind=next_blind)
        signature = self.sign(seat_event_of(session, unsigned)).hex()
        return TakeHouse(key, self._length, anchor, signature, next_blind)

    def next_chain(self, session: Session, last: bytes) -> AnchorChain:
        """Return the command that anchors the house's next chain.

        The chain is computed backwards from its last link, `last`.
        """
        chain = session.chains[HOUSE].number + 1
        anchor = self._make(session.id, chain, last, self._length)[0].hex()
        unsigned = ChainAnchored(anchor, chain, self._length, HOUSE, "")
        return AnchorChain(
            self._length, anchor, self.sign(seat_event_of(session.id, unsigned)).hex()
        )

    def _make(self, session: str, chain: int, last: bytes, length: int) -> tuple[bytes, ...]:
        made = links(bytes.fromhex(session), HOUSE, chain, last, length)
        with self._chains_lock:
            self._chains[session, chain] = made
            if len(self._chains) > MAX_CACHED_CHAINS:
                self._chains.popitem(last=False)
        return made


def draw_secret_name(turn: int) -> str:
    """Return the name under which the secret for the turn's draw is stored."""
    return f"kept:{turn}"


def chain_name(chain: int) -> str:
    """Return the name under which the last link of the house's chain is stored."""
    return f"chain:{chain}"
