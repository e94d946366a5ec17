"""Rung 3, draws: indexes and positions without gap, links, signatures, seeds and values (fairness.md)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from domain.fact import Fact
from domain.proof.chain import seed
from domain.proof.note import Verify
from domain.session.messages import (
    ChainAnchored,
    Closed,
    Contribution,
    Declared,
    Draw,
    Drawn,
    DrawVoided,
    Opened,
    PresenceSet,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatTaken,
)
from domain.session.state import HOUSE
from domain.verify.chains import Chains
from domain.verify.leaves import Line
from domain.verify.openings import Openings, check_shape, check_values
from domain.verify.report import Fault
from domain.verify.roots import Roots
from domain.verify.voids import Voids

NOT_WHILE_IT_WAITS = (Declared, Rewound, Closed, ChainAnchored)


def sizes_seen(facts: Iterable[Line]) -> set[int]:
    """The sizes under which contributions say they were made."""
    return {
        given.seen_size
        for fact in facts
        if isinstance(fact, Fact) and isinstance(fact.body, Drawn | DrawVoided)
        for given in fact.body.contributions
    }


class Draws:
    """The draws so far: the seats' chains, the next index, the declaration that waits, and what was given up."""

    def __init__(self, session: str, hashes: list[bytes], roots: Roots, verify: Verify) -> None:
        self._raw = bytes.fromhex(session)
        self._hashes, self._roots = hashes, roots
        self.chains = Chains(session, verify)
        self.voids = Voids(session)
        self.ended: dict[int, Fact] = {}  # Drawn or DrawVoided by index
        self._table = False
        self._k = 0
        self._waiting: tuple[Fact, Draw] | None = None
        self._openings = Openings(self._raw)

    def read(self, line: Line) -> None:
        """One more event. Raises Fault."""
        if self._waiting:
            self._check_order(line, *self._waiting)
        if isinstance(line, Fact):
            self._read(line)
        self._openings.read(line)

    def _check_order(self, line: Line, declared: Fact, draw: Draw) -> None:
        """The house's own draws are appended whole; another one ends its turn, and till then the table stands still."""
        body = line.body if isinstance(line, Fact) else None
        if isinstance(body, Drawn | DrawVoided):
            return
        if (
            len(draw.contributors) == 1
            or line.turn == declared.turn
            or isinstance(body, NOT_WHILE_IT_WAITS)
        ):
            raise Fault(line.version, "E_ORDER", "another event", f"Drawn {self._k - 1}")

    def _read(self, line: Fact) -> None:
        match line.body:
            case Declared():
                self._declared(line, line.body)
            case Drawn():
                self._drawn(line, line.body)
            case DrawVoided():
                self._voided(line, line.body)
            case SeatTaken():
                self.chains.seated(line, line.body)
            case SeatLeft() | PresenceSet():
                self.chains.moved(line, line.body)
            case ChainAnchored():
                self.voids.rolled_over(line.body)
                self.chains.anchored(line, line.body)
            case SealOpened():
                self._openings.check(line, line.body, self._k)
                self.voids.opened(line.body)
            case Opened():
                self._table = line.body.draws == "table"

    def end(self) -> int | None:
        """The draw that waits where the log ends. The house's own are appended whole: of those none may. Fault."""
        if self._waiting is None:
            return None
        declared, draw = self._waiting
        if len(draw.contributors) == 1:
            raise Fault(
                len(self._hashes) + 1, "E_ORDER", "the end of the log", f"Drawn {self._k - 1}"
            )
        return declared.version

    def _declared(self, fact: Fact, declared: Declared) -> None:
        check_shape(fact, declared)
        if declared.draw is UNSET:
            return
        self._check_place(fact.version, declared.draw)
        self._k += 1
        self._waiting = fact, declared.draw

    def _check_place(self, version: int, draw: Draw) -> None:
        """Those who have to give, each once; the next index; everyone's next position."""
        named, expected = (
            [seat for seat, _, _ in draw.contributors],
            self.chains.contributors(table=self._table),
        )
        if HOUSE not in expected:
            raise Fault(version, "E_ANCHOR", "no house", "the house's seat before the first draw")
        if sorted(named) != sorted(expected):
            raise Fault(version, "E_CONTRIBUTORS", named, sorted(expected))
        if draw.k != self._k:
            raise Fault(version, "E_DRAW_INDEX", draw.k, self._k)
        self.chains.take(version, draw)

    def _drawn(self, fact: Fact, drawn: Drawn) -> None:
        declared, draw = self._end(fact, drawn.k)
        named = [seat for seat, _, _ in draw.contributors]
        if [given.seat for given in drawn.contributions] != sorted(named):
            raise Fault(
                fact.version,
                "E_CONTRIBUTORS",
                [given.seat for given in drawn.contributions],
                sorted(named),
            )
        self._contributed(fact, declared, draw, drawn.contributions)
        links = links_of(drawn.contributions)
        if draw.blind is not UNSET:
            self._openings.keep(fact, drawn, declared, links)
        else:
            check_values(fact.version, drawn.values, seed(self._raw, draw.k, links))

    def _voided(self, fact: Fact, voided: DrawVoided) -> None:
        declared, draw = self._end(fact, voided.k)
        came, named = (
            [given.seat for given in voided.contributions],
            {seat for seat, _, _ in draw.contributors},
        )
        missing = sorted(named - set(came))
        if (
            not missing
            or HOUSE in missing
            or came != sorted(named & set(came))
            or list(voided.missing) != missing
        ):
            found = f"{came} came, {list(voided.missing)} missing"
            raise Fault(
                fact.version,
                "E_CONTRIBUTORS",
                found,
                f"of {sorted(named)} each once, the house among them",
            )
        self._contributed(fact, declared, draw, voided.contributions)
        self.chains.missed(missing)
        self.voids.add(fact, voided, declared, draw)
        if draw.blind is not UNSET:
            self._openings.give_up(draw.k, declared)

    def _end(self, fact: Fact, k: int) -> tuple[Fact, Draw]:
        """The declaration that waited for it."""
        if not self._waiting:
            raise Fault(fact.version, "E_ORDER", f"the end of draw {k}", "no draw, for none waits")
        declared, draw = self._waiting
        if k != draw.k:
            raise Fault(fact.version, "E_DRAW_INDEX", k, draw.k)
        if fact.turn != declared.turn:
            raise Fault(fact.version, "E_TURN", fact.turn, declared.turn)
        self._waiting = None
        self.ended[k] = fact
        return declared, draw

    def _contributed(
        self, fact: Fact, declared: Fact, draw: Draw, contributions: Iterable[Contribution]
    ) -> None:
        request = self._hashes[declared.version - 1].hex()
        for given in contributions:
            if (given.seat, given.chain, given.position) not in draw.contributors:
                raise Fault(
                    fact.version,
                    "E_POSITION",
                    f"{given.position} of chain {given.chain}",
                    draw.contributors,
                )
            self.chains.give(fact, draw.k, request, given)
            self.voids.shown(given)
            if not declared.version <= given.seen_size < fact.version:
                raise Fault(
                    fact.version, "E_FORK", f"seen at {given.seen_size}", f"{declared.version}"
                )
            if given.seen_root != self._roots[given.seen_size].hex():
                raise Fault(
                    fact.version, "E_FORK", given.seen_root, self._roots[given.seen_size].hex()
                )


def links_of(contributions: Iterable[Contribution]) -> list[tuple[str, int, int, bytes]]:
    """As a seed is made of them."""
    return [
        (given.seat, given.chain, given.position, bytes.fromhex(given.link))
        for given in contributions
    ]
