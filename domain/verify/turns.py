"""Rung 4, rules: every turn whose state is open is decided again, and must be what was written down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest

from msgspec import UNSET
from msgspec.structs import replace

from domain.codec import encode
from domain.decider import Refused, Role
from domain.fact import Fact
from domain.ruleset import Message
from domain.session.decider import evolve
from domain.session.messages import (
    Closed,
    Declared,
    Drawn,
    DrawVoided,
    Forked,
    Opened,
    Rewound,
    SealOpened,
)
from domain.session.state import History, Session, initial
from domain.verify.frame import Written, decided, is_frame
from domain.verify.leaves import Line, Sealed
from domain.verify.report import Fault
from domain.verify.seals import is_nameless, is_wordless, without_opening
from domain.verify.wishes import check_asks, check_shape, is_drawless, judged, judged_on_opening

ROLES = {
    "gm-only",
    "role-may-not",
    "not-your-seat",
    "seat-unknown",
    "seat-reserved",
    "one-gm",
    "seal-not-yours",
    "words-not-yours",
}
LINEAGES = ("rewind-", "take-back-", "fork-")
UNFORESEEN = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a room may stumble over where the events before were not decided again: behind a seal, or in a view."""


def turns_of(lines: Iterable[Line]) -> Iterator[tuple[Line, ...]]:
    """The lines by turn."""
    return (tuple(turn) for _, turn in groupby(lines, key=lambda line: line.turn))


class Turns:
    """The sessions so far (they share what did not change), and which of their tables are not known: `sealed`."""

    def __init__(self, session: str, lines: Iterable[Line]) -> None:
        """`lines` of the whole log: what was opened later is checked where it was done."""
        self.sessions: list[Session] = [initial(session)]
        self.sealed = [False]
        self.unchecked = 0
        self._lines: list[Line] = []
        self._past = History(self.sessions.__getitem__, self._facts_between)
        self._openings = _openings(lines)
        self._wordless: set[int] = set()  # turns of one event, and that without opening

    def read(self, turn: Sequence[Line]) -> None:
        """One more turn. Raises Fault at its first event that should not stand there."""
        version = turn[0].version
        try:
            self._check(turn)
            for line in turn:
                self._evolve(line, turn)
        except Refused as refused:
            raise Fault(
                version, _code(refused.rule), f"{refused.rule} {refused.facts}", "a command allowed"
            ) from None
        except UNFORESEEN as wrong:
            raise Fault(
                version, "E_OUTCOME", repr(wrong), "events that the rules can read"
            ) from None

    def _check(self, turn: Sequence[Line]) -> None:
        session, first = self.sessions[-1], turn[0]
        if isinstance(first, Fact) and isinstance(first.body, Drawn | DrawVoided):
            self._check_end(session, turn)
        elif is_frame(first):
            self._check_frame(session, turn)
        elif is_wordless(turn):
            _check_speaker(session, first)
            self._wordless.add(first.turn)
        else:
            self._check_wish(session, turn, self.sealed[-1])

    def _check_end(self, session: Session, rest: Sequence[Line]) -> None:
        """What came of a draw that waited: decided on the table that its declaration stood on."""
        if session.pending is None:
            raise Fault(
                rest[0].version, "E_OUTCOME", "the end of a draw", "the first event of a turn"
            )
        before = session.pending.version - 1
        self._check_wish(self.sessions[before], (self._lines[before], *rest), self.sealed[before])

    def _check_wish(self, session: Session, turn: Sequence[Line], behind: bool) -> None:
        """A room's turn: decided again where its wish and the table before it are known, not `behind` a seal."""
        first, sealed = turn[0], any(isinstance(line, Sealed) for line in turn)
        k = _secret_draw(first)
        opening = None if k is None else self._openings.get(k)
        if is_drawless(turn):
            self._check_waiting(session, turn, behind, opening)
        elif not behind and opening:
            _compare(turn, judged_on_opening(session, turn, opening), whole=False)
            self.unchecked += sealed
        elif behind or sealed or k is not None:
            check_shape(session, turn)
            self.unchecked += 1
        else:
            _compare(turn, judged(session, turn))

    def _check_waiting(
        self, session: Session, turn: Sequence[Line], behind: bool, opening: Fact | None
    ) -> None:
        """A declaration whose draw is not made, or given up: the wish was allowed, and asks for values."""
        first, is_over = turn[0], len(turn) > 1
        if len(turn) > 2:
            raise Fault(turn[2].version, "E_OUTCOME", _of(turn[2]), "the end of the turn")
        assert isinstance(first, Fact)
        assert isinstance(first.body, Declared)
        check_shape(session, turn)
        if not behind and (opening or first.body.command is not UNSET):
            check_asks(session, first, opening)
        else:
            self.unchecked += is_over

    def _check_frame(self, session: Session, turn: Sequence[Line]) -> None:
        first = turn[0]
        assert isinstance(first, Fact)
        behind = self._is_behind(session, first)
        written = decided(session, turn, self._past, behind)
        self.unchecked += behind
        if isinstance(first.body, Closed):
            written = self._as_counted(session, first.body, written)
        _compare(_with_openings(turn), written)

    def _is_behind(self, session: Session, first: Fact) -> bool:
        """Whether a frame's turn leans on a table that is not known."""
        match first.body:
            case Closed():
                return self.sealed[-1]
            case Rewound():
                held = session.frame.seats.get(first.seat)
                return self.sealed[-1] and held is not None and held.role is Role.PLAYER
            case Forked(version=version):
                return 0 < version < len(self.sealed) and self.sealed[version]
        return False

    def _as_counted(self, session: Session, closed: Closed, written: Written) -> Written:
        """The close with the seals that it counts: what has no opening may also be words that were redacted."""
        ((seat, expected),) = written
        assert isinstance(expected, Closed)
        seals = session.secrets.seals
        lost = Counter(seals[turn].seat for turn in self._wordless if turn in seals)
        most = Counter(expected.unopened)
        fits = all(
            (most - lost)[of] <= closed.unopened.get(of, 0) <= most[of]
            for of in {*most, *closed.unopened}
        )
        if not fits or 0 in closed.unopened.values():
            return written
        return ((seat, replace(expected, unopened=closed.unopened)),)

    def _facts_between(self, after: int, upto: int) -> Iterator[Fact]:
        return (line for line in self._lines[after:upto] if isinstance(line, Fact))

    def _evolve(self, line: Line, turn: Sequence[Line]) -> None:
        session, sealed = self.sessions[-1], self.sealed[-1]
        self._lines.append(line)
        if isinstance(line, Sealed):
            self.sessions.append(without_opening(session, line, turn))
            self.sealed.append(sealed or not (is_wordless(turn) or is_nameless(turn)))
            return
        self.sessions.append(evolve(session, line, self._past))
        self.sealed.append(self.sealed[line.body.to] if isinstance(line.body, Rewound) else sealed)


def _openings(lines: Iterable[Line]) -> dict[int, Fact]:
    """The openings of secret draws, by draw."""
    facts = (line for line in lines if isinstance(line, Fact))
    return {f.body.k: f for f in facts if isinstance(f.body, SealOpened) and f.body.k is not UNSET}


def _secret_draw(first: Line) -> int | None:
    if (
        not isinstance(first, Fact)
        or not isinstance(first.body, Declared)
        or first.body.command is not UNSET
    ):
        return None
    return None if first.body.draw is UNSET else first.body.draw.k


def _check_speaker(session: Session, first: Line) -> None:
    if session.by(first.seat).role is Role.AUDITOR:
        raise Refused("role-may-not", role=Role.AUDITOR.value)


def _with_openings(turn: Sequence[Line]) -> Sequence[Line]:
    """The turn without what may lack its opening in it: a newcomer's name, the table that a fork inherits."""
    first = turn[0]
    inherits = isinstance(first, Fact) and isinstance(first.body, Opened) and len(turn) == 2
    return turn[:1] if is_nameless(turn) or (inherits and isinstance(turn[1], Sealed)) else turn


def _compare(turn: Sequence[Line], written: Written, *, whole: bool = True) -> None:
    """Where not the whole turn needs to be open, what is sealed has the right place and seat."""
    for line, expected in zip_longest(turn, written):
        if line is None:
            raise Fault(turn[-1].version + 1, "E_OUTCOME", "the end of the turn", _shown(*expected))
        if expected is None or (whole and isinstance(line, Sealed)):
            raise Fault(line.version, "E_OUTCOME", _of(line), "the end of the turn")
        seat, event = expected
        differs = isinstance(line, Fact) and line.body is not event and line.body != event
        if line.seat != seat or differs:
            raise Fault(line.version, "E_OUTCOME", _of(line), _shown(seat, event))


def _of(line: Line) -> str:
    return f"{line.seat}: sealed" if isinstance(line, Sealed) else _shown(line.seat, line.body)


def _shown(seat: str, event: Message) -> str:
    return f"{seat}: {encode(event).decode()}"


def _code(rule: str) -> str:
    if rule in ROLES:
        return "E_ROLE"
    return "E_LINEAGE" if rule.startswith(LINEAGES) else "E_OUTCOME"
