"""Rung 4, rules: every turn whose state is open is decided again, and must be what was written down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest

from msgspec.structs import replace

from domain.codec import encode
from domain.decider import Refused
from domain.fact import Fact
from domain.ruleset import Message
from domain.session.decider import evolve
from domain.session.messages import Closed, Rewound, SeatTaken
from domain.session.state import Session, initial
from domain.verify.frame import Written, decided, is_frame
from domain.verify.leaves import Line, Sealed
from domain.verify.report import Fault
from domain.verify.wishes import check_shape, judged

ROLES = {"gm-only", "role-may-not", "not-your-seat", "seat-unknown", "seat-reserved", "one-gm"}
UNFORESEEN = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a room may stumble over where the events before were not decided again: behind a seal, or in a view."""


def turns_of(lines: Iterable[Line]) -> Iterator[tuple[Line, ...]]:
    """The lines by turn."""
    return (tuple(turn) for _, turn in groupby(lines, key=lambda line: line.turn))


class Turns:
    """The sessions so far (they share what did not change), and which of them lie behind a seal."""

    def __init__(self, session: str) -> None:
        self.sessions: list[Session] = [initial(session)]
        self.unchecked = 0
        self._sealed = [False]

    def read(self, turn: Sequence[Line]) -> None:
        """One more turn. Raises Fault at its first event that should not stand there."""
        version = turn[0].version
        try:
            self._check(turn)
            for line in turn:
                self._evolve(line, hides=len(turn) > 1 and not is_frame(turn[0]))
        except Refused as refused:
            raise Fault(version, _code(refused.rule), f"{refused.rule} {refused.facts}", "a command allowed") from None
        except UNFORESEEN as wrong:
            raise Fault(version, "E_OUTCOME", repr(wrong), "events that the rules can read") from None

    def _check(self, turn: Sequence[Line]) -> None:
        session, sealed, first = self.sessions[-1], self._sealed[-1], turn[0]
        if is_frame(first):
            _compare(_without_name(turn), decided(session, turn, self.sessions.__getitem__, sealed))
            self.unchecked += sealed and isinstance(first, Fact) and isinstance(first.body, Closed)
        elif isinstance(first, Sealed) and len(turn) == 1:
            return  # a redacted narration or name: no rule is asked
        elif sealed or any(isinstance(line, Sealed) for line in turn):
            check_shape(session, turn)
            self.unchecked += 1
        else:
            _compare(turn, judged(session, turn))

    def _evolve(self, line: Line, hides: bool) -> None:
        """`hides`: what is sealed in this turn is the room's."""
        session, sealed = self.sessions[-1], self._sealed[-1]
        if isinstance(line, Sealed):
            self.sessions.append(replace(session, version=line.version, turn=line.turn))
            self._sealed.append(sealed or hides)
            return
        self.sessions.append(evolve(session, line.turn, line.body, self.sessions.__getitem__))
        self._sealed.append(self._sealed[line.body.to] if isinstance(line.body, Rewound) else sealed)


def _without_name(turn: Sequence[Line]) -> Sequence[Line]:
    """The turn without a redacted name behind its SeatTaken."""
    named = len(turn) == 2 and isinstance(turn[0], Fact) and isinstance(turn[0].body, SeatTaken)
    return turn[:1] if named and isinstance(turn[1], Sealed) else turn


def _compare(turn: Sequence[Line], written: Written) -> None:
    for line, expected in zip_longest(turn, written):
        if line is None:
            raise Fault(turn[-1].version + 1, "E_OUTCOME", "the end of the turn", _shown(*expected))
        if expected is None or isinstance(line, Sealed):
            raise Fault(line.version, "E_OUTCOME", _of(line), "the end of the turn")
        seat, event = expected
        if line.seat != seat or (line.body is not event and line.body != event):
            raise Fault(line.version, "E_OUTCOME", _of(line), _shown(seat, event))


def _of(line: Line) -> str:
    return "a sealed event" if isinstance(line, Sealed) else _shown(line.seat, line.body)


def _shown(seat: str, event: Message) -> str:
    return f"{seat}: {encode(event).decode()}"


def _code(rule: str) -> str:
    if rule in ROLES:
        return "E_ROLE"
    return "E_LINEAGE" if rule.startswith("rewind-") else "E_OUTCOME"
