"""A room's turns again: the wish decided anew on the values that were recorded."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain.chance import Asked, Undrawn, Values
from domain.chance import Declared as Dice
from domain.decider import By
from domain.fact import Fact
from domain.session.draws import check_wish, judge
from domain.session.messages import Declare, Declared, Drawn, DrawVoided, SealOpened
from domain.session.sights import FRAME_EVENT_TYPES
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


def judged_on_opening(session: Session, turn: Sequence[Line], opening: Fact) -> Written:
    """The whole turn of a secret draw, as it had to be written, by what its opening says. Raises Refused."""
    first, second = turn[0], turn[1]
    assert isinstance(first, Fact)
    assert isinstance(first.body, Declared)
    assert isinstance(second, Fact)
    opened = opening.body
    assert isinstance(opened, SealOpened)
    chance = Recorded(opening.version, opened.values or ())
    events = judge(
        session, _asked(replace(first.body, command=opened.command)), session.by(first.seat), chance
    )
    chance.end()
    return (
        (first.seat, first.body),
        (HOUSE, second.body),
        *((first.seat, event) for event in events),
    )


def _on_declared_dice(session: Session, wish: Declared, by: By) -> Written:
    dice = Dice(_faces(wish))
    events = judge(session, _asked(wish), by, dice)
    return (by.seat, replace(wish, values=dice.values)), *((by.seat, event) for event in events)


def _faces(wish: Declared) -> tuple[int, ...]:
    return tuple(face for _, face in wish.values or ())


def _drawn(session: Session, wish: Declared, by: By, second: Line) -> Written:
    assert isinstance(second, Fact)
    assert isinstance(second.body, Drawn)
    chance = Recorded(second.version, second.body.values)
    events = judge(session, _asked(wish), by, chance)
    chance.end()
    return (by.seat, wish), (HOUSE, second.body), *((by.seat, event) for event in events)


def _without_chance(session: Session, first: Fact, wish: Declared, by: By) -> Written:
    try:
        events = judge(session, _asked(wish), by, Undrawn())
    except Asked:
        raise Fault(
            first.version, "E_OUTCOME", "no draw", "a draw, for the rules ask for one"
        ) from None
    return (by.seat, wish), *((by.seat, event) for event in events)


def is_drawless(turn: Sequence[Line]) -> bool:
    """Whether the turn's draw was not made, or not yet."""
    first, *rest = turn
    if (
        not isinstance(first, Fact)
        or not isinstance(first.body, Declared)
        or first.body.draw is UNSET
    ):
        return False
    return not rest or (isinstance(rest[0], Fact) and isinstance(rest[0].body, DrawVoided))


def check_asks(session: Session, first: Fact, opening: Fact | None) -> None:
    """That a wish asks for values, as far as that shows before they are there. Raises Refused."""
    assert isinstance(first.body, Declared)
    wish = first.body
    if opening is not None and isinstance(opening.body, SealOpened):
        wish = replace(wish, command=opening.body.command)
    try:
        judge(session, _asked(wish), session.by(first.seat), Undrawn())
    except Asked:
        return
    raise Fault(first.version, "E_OUTCOME", "a draw", "none, for the rules ask for no value")


def _asked(wish: Declared) -> Declare:
    faces = UNSET if wish.values is UNSET else _faces(wish)
    return Declare(wish.command or Raw(b""), faces, wish.audience, target=wish.target)


def check_shape(session: Session, turn: Sequence[Line]) -> None:
    """All that can be said of a turn behind a seal: a wish of a seat that may, its draw, the room's facts. Refused."""
    first = turn[0]
    wish = Declare(Raw(b""))
    if isinstance(first, Fact) and isinstance(first.body, Declared):
        wish = _asked(first.body)
    check_wish(session, wish, session.by(first.seat))
    for nth, line in enumerate(turn):
        if not _fits(nth, line, first.seat):
            found = "sealed" if isinstance(line, Sealed) else type(line.body).__name__
            raise Fault(
                line.version,
                "E_OUTCOME",
                f"{found} of {line.seat}",
                f"a room's event of {first.seat}",
            )


def _fits(nth: int, line: Line, seat: str) -> bool:
    if isinstance(line, Sealed):
        return line.seat == seat
    if isinstance(line.body, Drawn | DrawVoided):
        return nth == 1 and line.seat == HOUSE
    is_wish = isinstance(line.body, Declared)
    return line.seat == seat and (is_wish if nth == 0 else type(line.body) not in FRAME_EVENT_TYPES)
