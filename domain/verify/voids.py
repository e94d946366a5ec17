"""Draws that were given up, and what each would have been once the missing links are known (fairness.md, shadows)."""

from __future__ import annotations

from msgspec import UNSET

from domain.fact import Fact
from domain.proof.chain import Contribution as Link
from domain.proof.chain import seed
from domain.session.giving import link_at
from domain.session.messages import ChainAnchored, Contribution, Draw, DrawVoided, SealOpened


class Void:
    """A draw that was given up: its events, the links that are known, chain and position of those that are not."""

    def __init__(self, fact: Fact, body: DrawVoided, declared: Fact, draw: Draw) -> None:
        self.fact, self.body, self.declared, self.draw = fact, body, declared, draw
        self.links: dict[str, Link] = {
            given.seat: (given.seat, given.chain, given.position, bytes.fromhex(given.link))
            for given in body.contributions
        }
        self.unknown = {
            seat: (chain, at) for seat, chain, at in draw.contributors if seat in body.missing
        }
        self.opening: SealOpened | None = None


class Voids:
    """All of a log, in order."""

    def __init__(self, session: str) -> None:
        self._session = session
        self.by_draw: dict[int, Void] = {}
        self._unknown: dict[str, list[Void]] = {}  # by the seat whose link it is

    def add(self, fact: Fact, body: DrawVoided, declared: Fact, draw: Draw) -> None:
        void = self.by_draw[draw.k] = Void(fact, body, declared, draw)
        for seat in void.unknown:
            self._unknown.setdefault(seat, []).append(void)

    def opened(self, opened: SealOpened) -> None:
        if opened.k is not UNSET and opened.k in self.by_draw:
            self.by_draw[opened.k].opening = opened

    def shown(self, given: Contribution) -> None:
        """A seat shows a link: those below it in the same chain are known now."""
        self._learn(given.seat, given.chain, given.position, bytes.fromhex(given.link))

    def rolled_over(self, anchored: ChainAnchored) -> None:
        """A seat shows its old chain's next link before it leaves that chain."""
        old = anchored.chain - 1
        waiting = (void.unknown[anchored.seat] for void in self._unknown.get(anchored.seat, ()))
        places = [position for chain, position in waiting if chain == old]
        if places and anchored.previous_link is not UNSET:
            self._learn(anchored.seat, old, max(places) + 1, bytes.fromhex(anchored.previous_link))

    def _learn(self, seat: str, chain: int, position: int, link: bytes) -> None:
        """Links of an older chain that were not shown before will never be."""
        for void in self._unknown.pop(seat, ()):
            number, at = void.unknown[seat]
            if number == chain:
                void.links[seat] = (
                    seat,
                    chain,
                    at,
                    link_at(self._session, seat, chain, position, link, at),
                )
                del void.unknown[seat]

    def seed(self, void: Void) -> bytes | None:
        """What the draw would have been made of; None as long as a link, or what hides it, is not known."""
        if void.unknown or (void.draw.blind is not UNSET and void.opening is None):
            return None
        blind = bytes.fromhex(str(void.opening.blind)) if void.opening else b""
        return seed(bytes.fromhex(self._session), void.draw.k, void.links.values(), blind)
