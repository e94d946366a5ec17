"""The house as a seat: its chains of links, and its signed first and next anchors (fairness.md)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

import msgspec
from msgspec import UNSET, UnsetType

from domain.decider import Refused, Role
from domain.proof.chain import links
from domain.session.giving import seat_event_of
from domain.session.messages import AnchorChain, ChainAnchored, Kept, SeatTaken, TakeHouse
from domain.session.state import HOUSE, Session
from service.signing import Signer

MOST_CHAINS, MOST_LOOKED_AT = 256, 10_000
RESTORED = "restored"
"""The name, among the secrets, of the mark of a session that may have gone on behind its backup; the rule of its no."""


class House:
    """`secret_of(session, name)` reads a secret, or is Refused; 4096 links take about 10 ms to make again."""

    def __init__(self, signer: Signer, length: int, secret_of: Callable[[str, str], bytes]) -> None:
        self._signer, self._length, self._secret_of = signer, length, secret_of
        self._chains: OrderedDict[tuple[str, int], tuple[bytes, ...]] = OrderedDict()
        self._making = threading.Lock()
        self._drawing: set[str] = set()
        self.sign = signer.sign

    def kept(self, session: str, turn: int) -> Kept | UnsetType:
        """What was kept of a secret draw; absent for any other turn."""
        try:
            return msgspec.json.decode(self._secret_of(session, kept_name(turn)), type=Kept)
        except Refused:  # it has no draw, or is none at all: the rules will say
            return UNSET

    def check_unseen(self, session: str) -> None:
        """Refuses where the links of its chain were perhaps shown, in a log that went on behind the backup."""
        if session in self._drawing:
            return
        try:
            self._secret_of(session, RESTORED)
        except Refused:  # no mark, and none comes while a log is served
            if len(self._drawing) >= MOST_LOOKED_AT:
                self._drawing.clear()
            self._drawing.add(session)
            return
        raise Refused("restored")

    def link(self, session: Session, position: int) -> bytes:
        """The link of a position of the session's chain in use, which is shown once."""
        chain = session.chains[HOUSE]
        held = self._chains.get((session.id, chain.number), ())
        if held[chain.shown : chain.shown + 1] != (
            bytes.fromhex(chain.link),
        ):  # made for a turn that was not stored
            last = self._secret_of(session.id, chain_name(chain.number))
            held = self._make(session.id, chain.number, last, chain.length)
        return held[position]

    def first(self, session: str, last: bytes) -> TakeHouse:
        """The house takes its seat; `last` is the fresh last link of chain 0."""
        anchor = self._make(session, 0, last, self._length)[0].hex()
        key = self._signer.public.hex()
        unsigned = SeatTaken(Role.HOUSE, HOUSE, anchor, 0, self._length, key)
        return TakeHouse(
            key, self._length, anchor, self.sign(seat_event_of(session, unsigned)).hex()
        )

    def next(self, session: Session, last: bytes) -> AnchorChain:
        """The anchor of the chain that follows; `last` is its fresh last link."""
        chain = session.chains[HOUSE].number + 1
        anchor = self._make(session.id, chain, last, self._length)[0].hex()
        unsigned = ChainAnchored(anchor, chain, self._length, HOUSE, "")
        return AnchorChain(
            self._length, anchor, self.sign(seat_event_of(session.id, unsigned)).hex()
        )

    def _make(self, session: str, chain: int, last: bytes, length: int) -> tuple[bytes, ...]:
        made = links(bytes.fromhex(session), HOUSE, chain, last, length)
        with self._making:
            self._chains[session, chain] = made
            if len(self._chains) > MOST_CHAINS:
                self._chains.popitem(last=False)
        return made


def kept_name(turn: int) -> str:
    """The name, among the secrets, of what was kept of a secret draw."""
    return f"kept:{turn}"


def chain_name(chain: int) -> str:
    """The name of a chain's last link among the secrets."""
    return f"chain:{chain}"
