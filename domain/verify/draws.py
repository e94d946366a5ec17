"""Rung 3, draws: indexes and positions without gap, links, signatures, seeds and values (fairness.md)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from domain.fact import Fact
from domain.proof.chain import link_below, seed
from domain.proof.note import Verify
from domain.session.draws import contribution_of, seat_event_of
from domain.session.messages import ChainAnchored, Contribution, Declared, Draw, Drawn, Opened, SealOpened, SeatTaken
from domain.session.state import HOUSE
from domain.verify.leaves import Line
from domain.verify.openings import Openings, check_shape, check_values
from domain.verify.report import Fault
from domain.verify.roots import Roots


def sizes_seen(facts: Iterable[Line]) -> set[int]:
    """The sizes under which contributions say they were made."""
    return {
        given.seen_size
        for fact in facts
        if isinstance(fact, Fact) and isinstance(fact.body, Drawn)
        for given in fact.body.contributions
    }


class Draws:
    """The draws so far: the house's chain in use, the next index, and the declaration that waits."""

    def __init__(self, session: str, hashes: list[bytes], roots: Roots, verify: Verify) -> None:
        self._session, self._raw = session, bytes.fromhex(session)
        self._hashes, self._roots, self._verify = hashes, roots, verify
        self._house = b""  # the public key, none before the house sits
        self._anchors: set[str] = set()
        self._chain, self._length, self._position, self._link = -1, 0, 0, b""
        self._k = 0
        self._waiting: tuple[Fact, Draw] | None = None
        self._openings = Openings(self._raw)

    def read(self, line: Line) -> None:
        """One more event. Raises Fault."""
        if self._waiting and not (isinstance(line, Fact) and isinstance(line.body, Drawn)):
            raise Fault(line.version, "E_ORDER", "another event", f"Drawn {self._k - 1}")
        if isinstance(line, Fact):
            self._read(line)
        self._openings.read(line)

    def _read(self, line: Fact) -> None:
        match line.body:
            case Declared():
                self._declared(line, line.body)
            case Drawn():
                self._drawn(line, line.body)
            case SeatTaken():
                self._seated(line, line.body)
            case ChainAnchored():
                self._anchored(line, line.body)
            case SealOpened():
                self._openings.check(line, line.body, self._k)
            case Opened(draws=draws) if draws != "house":
                raise Fault(line.version, "E_FORMAT", f"draws {draws}", "draws house")

    def end(self) -> None:
        """The house's draws are appended whole: none may wait where the log ends. Raises Fault."""
        if self._waiting:
            raise Fault(len(self._hashes) + 1, "E_ORDER", "the end of the log", f"Drawn {self._k - 1}")

    def _seated(self, fact: Fact, taken: SeatTaken) -> None:
        chained = (taken.public_key, taken.anchor, taken.chain, taken.length, taken.signature)
        if taken.seat != HOUSE and all(part is UNSET for part in chained):
            return
        if taken.seat != HOUSE or any(part is UNSET for part in chained):
            raise Fault(fact.version, "E_FORMAT", f"{taken.seat} with {chained}", "a whole chain for the house alone")
        if self._house or taken.chain != 0:
            raise Fault(fact.version, "E_ANCHOR", f"chain {taken.chain} of the house", "chain 0, once")
        self._house = bytes.fromhex(str(taken.public_key))
        self._anchor(fact, taken, 0, taken.length, taken.anchor)

    def _anchored(self, fact: Fact, anchored: ChainAnchored) -> None:
        if anchored.seat != HOUSE or not self._house:
            raise Fault(fact.version, "E_ANCHOR", f"a chain of {anchored.seat}", "of the house, once it sits")
        if anchored.chain != self._chain + 1:
            raise Fault(fact.version, "E_CHAIN", anchored.chain, self._chain + 1)
        self._anchor(fact, anchored, anchored.chain, anchored.length, anchored.anchor)

    def _anchor(self, fact: Fact, event: SeatTaken | ChainAnchored, chain: int, length: object, anchor: object) -> None:
        if str(anchor) in self._anchors:
            raise Fault(fact.version, "E_ANCHOR", f"{anchor} again", "a new anchor")
        self._check_signature(fact, seat_event_of(self._session, event), str(event.signature))
        self._anchors.add(str(anchor))
        self._chain, self._position, self._link = chain, 0, bytes.fromhex(str(anchor))
        self._length = length if isinstance(length, int) else 0

    def _declared(self, fact: Fact, declared: Declared) -> None:
        check_shape(fact, declared)
        if declared.draw is UNSET:
            return
        self._check_place(fact.version, declared.draw)
        self._k += 1
        self._position += 1
        self._waiting = fact, declared.draw

    def _check_place(self, version: int, draw: Draw) -> None:
        """The only contributor, the next index, the chain in use and its next link."""
        if [seat for seat, _, _ in draw.contributors] != [HOUSE]:
            raise Fault(version, "E_CONTRIBUTORS", draw.contributors, [HOUSE])
        if draw.k != self._k:
            raise Fault(version, "E_DRAW_INDEX", draw.k, self._k)
        _, chain, position = draw.contributors[0]
        if chain > self._chain or not self._house:
            raise Fault(version, "E_ANCHOR", f"chain {chain}", "an anchor before the declaration that names it")
        if (chain, position) != (self._chain, self._position + 1) or position > self._length:
            expected = f"position {self._position + 1} of chain {self._chain}, of {self._length}"
            raise Fault(version, "E_POSITION", f"position {position} of chain {chain}", expected)

    def _drawn(self, fact: Fact, drawn: Drawn) -> None:
        if not self._waiting:
            raise Fault(fact.version, "E_ORDER", f"Drawn {drawn.k}", "no draw, for none waits")
        declared, draw = self._waiting
        self._waiting = None
        if drawn.k != draw.k:
            raise Fault(fact.version, "E_DRAW_INDEX", drawn.k, draw.k)
        if [given.seat for given in drawn.contributions] != [HOUSE]:
            raise Fault(fact.version, "E_CONTRIBUTORS", [given.seat for given in drawn.contributions], [HOUSE])
        (given,) = drawn.contributions
        self._contributed(fact, given, declared)
        contributions = [(HOUSE, given.chain, given.position, self._link)]
        if draw.blind is not UNSET:
            self._openings.keep(fact, drawn, declared, contributions)
        else:
            check_values(fact.version, drawn.values, seed(self._raw, draw.k, contributions))

    def _contributed(self, fact: Fact, given: Contribution, declared: Fact) -> None:
        """The link sits on the last one, and the house signed it for this declaration under this log's tree."""
        if (given.chain, given.position) != (self._chain, self._position):
            raise Fault(fact.version, "E_POSITION", f"{given.position} of chain {given.chain}", self._position)
        link = bytes.fromhex(given.link)
        below = link_below(self._raw, HOUSE, self._chain, self._position, link)
        if below != self._link:
            raise Fault(fact.version, "E_CHAIN", below.hex(), self._link.hex())
        self._link = link
        request = self._hashes[declared.version - 1].hex()
        self._check_signature(fact, contribution_of(self._session, self._k - 1, request, given), given.signature)
        if not declared.version <= given.seen_size < fact.version:
            raise Fault(fact.version, "E_FORK", f"seen at {given.seen_size}", f"{declared.version}")
        if given.seen_root != self._roots[given.seen_size].hex():
            raise Fault(fact.version, "E_FORK", given.seen_root, self._roots[given.seen_size].hex())

    def _check_signature(self, fact: Fact, message: bytes, signature: str) -> None:
        if not self._verify(self._house, message, bytes.fromhex(signature)):
            raise Fault(fact.version, "E_SIGNATURE", signature, f"a signature by {self._house.hex()}")
