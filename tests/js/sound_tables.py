"""Tables that hold: what is played, and of every draw its status and grade. Faults are in tests/domain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.js.tables import Body, Seat, Table

FOUR = ("gm", "house", "p1", "p2")


class Sound(NamedTuple):
    """What was played, and of every draw its status and grade."""

    what: str
    play: Callable[[], Table]
    draws: list[tuple[str, str | None]]


def played(*acts: Callable[[Table], object], **how: Any) -> Callable[[], Table]:
    """A table that was opened so, and these acts."""

    def play() -> Table:
        table = Table(**how)
        for act in acts:
            act(table)
        return table

    return play


def voided(table: Table, secret: bool = False) -> Body:
    """p2 does not answer, and the house says that it is away."""
    draw = table.draw("p1", missing=("p2",), secret=secret)
    table.move("p2", "PresenceSet", by="house", present=False)
    return draw


def returned(table: Table) -> None:
    """p2 signs itself present and gives again."""
    table.move("p2", "PresenceSet", present=True)
    table.draw("p1")


def split(table: Table) -> None:
    """Somebody talks while the draw waits; one of the links is given under the larger tree."""
    draw = table.declare("p1")
    narrate(table)
    table.end(draw)
    table.add("p1", {"kind": "nowhere.Rolled"}, draw["turn"])
    narrate(table)


def narrate(table: Table) -> int:
    return table.add("gm", {"kind": "session.Narrated", "text": "Quiet."})


def custodial(table: Table) -> None:
    table.add("p3", {"kind": "session.SeatTaken", "role": "player", "seat": "p3"})


def brings(table: Table) -> None:
    """A seat without a chain brings one."""
    custodial(table)
    table.seats["p3"] = Seat("p3", "player")
    table.sit("p3")


def left(table: Table) -> None:
    table.move("p2", "SeatLeft")


def rolled_over(table: Table) -> None:
    for name in FOUR:
        table.anchor(name)


def opened(table: Table) -> None:
    table.open_seal(table.draw("gm", secret=True))


def opened_behind_words(table: Table) -> None:
    """The secret wish is not the first event of its turn."""
    turn = table.turn + 1
    table.add("gm", {"kind": "session.Narrated", "text": "Quiet."}, turn)
    draw = table.declare("gm", secret=True, turn=turn)
    table.end(draw)
    table.open_seal(draw)


def long_chain(length: int) -> Callable[[Table], int]:
    """A newcomer whose chain is said to be so long."""
    return lambda t: (t.seats.setdefault("p3", Seat("p3", "player")), t.sit("p3", length=length))[1]


def opened_void(table: Table) -> None:
    table.open_seal(voided(table, secret=True), values=[])


def used_up(table: Table) -> None:
    """Every chain is at its end; the house alone has a next one."""
    for _ in range(3):
        table.draw("p1")
    table.anchor("house", shows=False)
    table.draw("p1", ["house"])


def hand_over(table: Table) -> None:
    for seat, role in (("p1", "gm"), ("gm", "player")):
        table.add("gm", {"kind": "session.SeatTaken", "role": role, "seat": seat})


A, VOID = ("drawn", "A"), ("void", None)
SOUND = [
    Sound("everyone gives", played(lambda t: t.draw("p1"), lambda t: t.draw("gm")), [A, A]),
    Sound("the house alone", played(lambda t: t.draw("p1", ["house"]), draws="house"), [("drawn", "C")]),
    Sound("the asker and the GM", played(left, lambda t: t.draw("p1", ["gm", "house", "p1"])), [("drawn", "B")]),
    Sound("one without a chain is there", played(custodial, lambda t: t.draw("p1", FOUR)), [("drawn", "B")]),
    Sound("one brings a chain later", played(brings, lambda t: t.draw("p3")), [A]),
    Sound("a void, and the link shown later", played(voided, lambda t: t.draw("p1", ["gm", "house", "p1"]), returned), [VOID, ("drawn", "B"), A]),
    Sound("a void alone changes nothing", played(lambda t: t.draw("p1", missing=["p2"]), lambda t: t.draw("gm")), [VOID, A]),
    Sound("two voids, and the next chain", played(lambda t: t.draw("p1", missing=["p1", "p2"]), lambda t: t.draw("p1", missing=["p2"]), lambda t: t.anchor("p2"), lambda t: t.draw("gm")), [VOID, VOID, A]),
    Sound("a device that was lost", played(voided, lambda t: t.anchor("p2", shows=False), returned), [VOID, A]),
    Sound("a split turn", played(split, lambda t: t.draw("p1")), [A, A]),
    Sound("the end on a waiting draw", played(lambda t: t.declare("p1")), [("waiting", None)]),
    Sound("a secret that is opened", played(opened), [A]),
    Sound("a secret wish behind words", played(opened_behind_words), [A]),
    Sound("a secret void that is opened", played(opened_void, returned), [VOID, A]),
    Sound("one leaves and comes back", played(lambda t: t.draw("p1"), left, lambda t: t.draw("p1", ["gm", "house", "p1"]), lambda t: t.sit("p2"), lambda t: t.draw("p1")), [A, ("drawn", "B"), A]),
    Sound("everyone's next chain", played(lambda t: t.draw("p1"), rolled_over, lambda t: t.draw("p1")), [A, A]),
    Sound("chains at their end", played(used_up, length=3), [A, A, A, ("drawn", "C")]),
    Sound("a chain of no links", played(long_chain(0), lambda t: t.draw("p1", FOUR)), [("drawn", "B")]),
    Sound("a chain that is said to be longer than any", played(long_chain(2**16 + 1), lambda t: t.draw("p1")), [A]),
    Sound("the GM's role handed over", played(hand_over, lambda t: t.draw("gm")), [A]),
]  # fmt: skip
