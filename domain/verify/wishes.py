"""A room's turns again: the wish decided anew on the values that were recorded."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import Asked, Undrawn, Values
from domain.chance import Declared as Dice
from domain.decider import By, Refused, Role
from domain.fact import Fact
from domain.session.decider import FRAME_EVENT_TYPES
from domain.session.draws import judge
from domain.session.messages import Declare, Declared, Drawn
from domain.session.state import HOUSE, Session
from domain.verify.frame import Written
from domain.verify.leaves import Line, Sealed
from domain.verify.report import Fault


class Recorded:
    """Gives what Drawn recorded, where exactly that is asked for."""

    def __init__(self, version: int, values: Values) -> None:
        self._version, self._values = version, values
        self._nth = 0

    def draw(self, sides: int) -> int:
        recorded, face = self._values[self._nth] if self._nth < len(self._values) else (0, 0)
        if recorded != sides:
            raise Fault(self._version, "E_OUTCOME", self._values, f"value {self._nth} of {sides}")
        self._nth += 1
        return face

    def end(self) -> None:
        if self._nth < len(self._values):
            raise Fault(self._version, "E_OUTCOME", self._values, self._values[: self._nth])


def judged(session: Session, turn: Sequence[Line]) -> Written:
    """The whole turn of a wish, as it had to be written; every event of it is open. Raises Refused."""
    first = turn[0]
    assert isinstance(first, Fact)
    if not isinstance(first.body, Declared):
        raise Fault(first.version, "E_OUTCOME", type(first.body).__name__, "Declared before it")
    by = session.by(first.seat)
    if first.body.values is not UNSET:
        return _on_declared_dice(session, first.body, by)
    if first.body.draw is not UNSET:
        return _drawn(session, first.body, by, turn[1])
    return _without_chance(session, first, first.body, by)


def _on_declared_dice(session: Session, wish: Declared, by: By) -> Written:
    faces = tuple(face for _, face in wish.values) if wish.values is not UNSET else ()
    dice = Dice(faces)
    events = judge(session, Declare(wish.command, faces), by, dice)
    return (by.seat, replace(wish, values=dice.values)), *((by.seat, event) for event in events)


def _drawn(session: Session, wish: Declared, by: By, second: Line) -> Written:
    assert isinstance(second, Fact)
    assert isinstance(second.body, Drawn)
    chance = Recorded(second.version, second.body.values)
    events = judge(session, Declare(wish.command), by, chance)
    chance.end()
    return (by.seat, wish), (HOUSE, second.body), *((by.seat, event) for event in events)


def _without_chance(session: Session, first: Fact, wish: Declared, by: By) -> Written:
    try:
        events = judge(session, Declare(wish.command), by, Undrawn())
    except Asked:
        raise Fault(first.version, "E_OUTCOME", "no draw", "a draw, for the rules ask for one") from None
    return (by.seat, wish), *((by.seat, event) for event in events)


def check_shape(session: Session, turn: Sequence[Line]) -> None:
    """All that can be said of a turn behind a seal: one wish of a seat that may, its draw, then the room's facts."""
    if session.by(turn[0].seat).role not in (Role.GM, Role.PLAYER):
        raise Refused("role-may-not", seat=turn[0].seat)
    for nth, line in enumerate(turn):
        if not _fits(nth, line, turn[0].seat):
            found = "sealed" if isinstance(line, Sealed) else type(line.body).__name__
            raise Fault(line.version, "E_OUTCOME", f"{found} of {line.seat}", f"a room's event of {turn[0].seat}")


def _fits(nth: int, line: Line, seat: str) -> bool:
    if isinstance(line, Sealed):
        return line.seat == seat
    if isinstance(line.body, Drawn):
        return nth == 1 and line.seat == HOUSE
    is_wish = isinstance(line.body, Declared)
    return line.seat == seat and (is_wish if nth == 0 else type(line.body) not in FRAME_EVENT_TYPES)
