"""Tables that hold, and tables that do not: what is bent, and the code that must say so at the version returned."""
# ruff: noqa: E501 a row is a line

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.js.tables import SESSION, Body, Seat, Table, chain, jcs

FOUR = ("gm", "house", "p1", "p2")


class Sound(NamedTuple):
    """What was played, and of every draw its status and grade."""

    what: str
    play: Callable[[], Table]
    draws: list[tuple[str, str | None]]


class Bent(NamedTuple):
    what: str
    bend: Callable[[Table], int]
    code: str
    rung: str = "draws"


def played(
    *acts: Callable[[Table], object], draws: str = "table", length: int = 20
) -> Callable[[], Table]:
    def play() -> Table:
        table = Table(draws, length=length)
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
    return lambda t: seat("p3", lambda _, body: body.update(length=length))(t)


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


def wish(change: Callable[[Table, Body], None]) -> Callable[[Table], int]:
    """A declaration whose draw says something else."""

    def bend(table: Table) -> int:
        table.draw("p1")
        draw: Body = {"contributors": [[name, 0, 2] for name in FOUR], "k": 1}
        change(table, draw)
        return table.add("p1", {"command": table.command, "draw": draw, "kind": "session.Declared"})

    return bend


def contributors(*given: list[object]) -> Callable[[Table], int]:
    return wish(lambda _, draw: draw.update(contributors=list(given)))


def at(name: str, nth: int, position: int) -> Callable[[Table], int]:
    """One of the four at another place."""
    return contributors(*([each, nth, position] if each == name else [each, 0, 2] for each in FOUR))


def end(change: Callable[[Table, Body, list[Body]], object]) -> Callable[[Table], int]:
    """A Drawn whose contributions say something else."""

    def bend(table: Table) -> int:
        table.draw("p1")
        draw = table.declare("p1")
        given = [table.give(draw, name) for name in FOUR]
        change(table, draw, given)
        return table.end(draw, contributions=given)

    return bend


def given(name: str, **fields: object) -> Callable[[Table], int]:
    """One contribution made, and signed, otherwise."""
    return end(
        lambda t, draw, given: given.__setitem__(FOUR.index(name), t.give(draw, name, **fields))
    )


def void(**fields: object) -> Callable[[Table], int]:
    return lambda t: t.end(t.declare("p1"), ["p2"], **fields)


def ending(missing: tuple[str, ...]) -> Callable[[Table], int]:
    """A DrawVoided that names these, whoever gave."""
    return lambda t: t.end(
        t.declare("p1"), [name for name in missing if name in FOUR] or ["p2"], missing=list(missing)
    )


def behind(act: Callable[[Table], object], bend: Callable[[Table], int]) -> Callable[[Table], int]:
    def both(table: Table) -> int:
        act(table)
        return bend(table)

    return both


def while_it_waits(body: Body) -> Callable[[Table], int]:
    return behind(lambda t: t.declare("p1"), lambda t: t.add("gm", body))


def unsigned(kind: str, **fields: object) -> Callable[[Table], int]:
    return lambda t: t.move("p2", kind, by="house", **fields)


def by_another(table: Table) -> int:
    body = table.seats["p2"].moved("PresenceSet", present=False)
    return table.add("p2", table.seats["p1"].signed(body))


def seat(
    name: str,
    change: Callable[[Table, Body], object] = lambda t, body: None,
    role: str = "player",
    signer: str = "",
) -> Callable[[Table], int]:
    """A seat that sits, or sits again, with something else."""

    def bend(table: Table) -> int:
        taken = table.seats.setdefault(name, Seat(name, role))
        body = {
            "kind": "session.SeatTaken",
            "public_key": taken.signer.public.hex(),
            "role": role,
        } | taken.next_chain()
        change(table, body)
        return table.add(name, table.seats[signer or name].signed(body))

    return bend


def anchored(**fields: object) -> Callable[[Table], int]:
    def bend(table: Table) -> int:
        table.draw("p1")
        body = table.seats["p2"].next_chain() | {"kind": "session.ChainAnchored"} | fields
        return table.add("p2", table.seats["p2"].signed(body))

    return bend


def without(name: str) -> Callable[[Table, Body], object]:
    return lambda _, body: body.pop(name)


def other_turn(table: Table) -> int:
    draw = table.declare("p1")
    narrate(table)
    return table.end(draw | {"turn": table.turn})


def old_turn(table: Table) -> int:
    draw = table.draw("p1")
    narrate(table)
    return table.add("p1", {"kind": "nowhere.Rolled"}, draw["turn"])


def nobody_missing(table: Table) -> int:
    """A void that all of them gave to."""
    draw = table.declare("p1")
    came = [table.give(draw, name) for name in FOUR]
    void: Body = {
        "contributions": came,
        "k": draw["k"],
        "kind": "session.DrawVoided",
        "missing": [],
    }
    return table.add("house", void, draw["turn"])


def back_while_it_waits(table: Table) -> int:
    """p2 leaves, and comes back with its next chain: of that it gives the anchor, which everybody knows."""
    draw = table.declare("p1")
    table.move("p2", "SeatLeft")
    table.sit("p2")
    places = [[name, nth, at] for name, nth, at in draw["contributors"] if name != "p2"]
    moved = draw | {"contributors": [*places, ["p2", 1, 0]]}
    return table.end(moved)


def chain_while_it_waits(table: Table) -> int:
    table.declare("p1")
    return table.anchor("p2")


def seal(**fields: object) -> Callable[[Table], int]:
    return lambda t: t.open_seal(t.draw("gm", secret=True), **fields)


def seal_that_waits(table: Table) -> int:
    return table.open_seal(table.declare("gm", secret=True))


def second(act: Callable[[Table], object]) -> Callable[[Table], int]:
    def bend(table: Table) -> int:
        draw = table.draw("p1", missing=["p2"])
        act(table)
        return table.end(draw | {"turn": table.turn}, ["p2"])

    return bend


NARRATED: Body = {"kind": "session.Narrated", "text": "Quiet."}
BENT = [
    Bent("one left out", contributors(["gm", 0, 2], ["house", 0, 2], ["p1", 0, 2]), "E_CONTRIBUTORS"),
    Bent("the house left out", contributors(["gm", 0, 2], ["p1", 0, 2], ["p2", 0, 2]), "E_CONTRIBUTORS"),
    Bent("one named twice", contributors(*([name, 0, 2] for name in (*FOUR, "p2"))), "E_CONTRIBUTORS"),
    Bent("one who is not here", contributors(*([name, 0, 2] for name in (*FOUR, "p9"))), "E_CONTRIBUTORS"),
    Bent("one without a chain", behind(custodial, contributors(*([name, 0, 2] for name in (*FOUR, "p3")))), "E_CONTRIBUTORS"),
    Bent("one who left", behind(lambda t: (t.draw("p1"), left(t)), lambda t: t.declare("p1")["version"]), "E_CONTRIBUTORS"),
    Bent("one who is away", behind(voided, lambda t: t.declare("p1")["version"]), "E_CONTRIBUTORS"),
    Bent("one left out who is back", behind(voided, lambda t: (t.move("p2", "PresenceSet", present=True), t.declare("p1", ["gm", "house", "p1"]))[1]["version"]), "E_CONTRIBUTORS"),
    Bent("seats where the house draws alone", lambda t: (t.events[0][2].update(draws="house"), rebuilt(t), t.declare("p1"))[2]["version"], "E_CONTRIBUTORS"),
    Bent("the house alone where seats draw", lambda t: t.declare("p1", ["house"])["version"], "E_CONTRIBUTORS"),
    Bent("a position skipped", at("p1", 0, 3), "E_POSITION"),
    Bent("a position used again", at("p1", 0, 1), "E_POSITION"),
    Bent("a position of a void used again", behind(lambda t: t.draw("p1", missing=["p2"]), lambda t: (setattr(t.seats["p2"], "position", 1), t.declare("p1"))[1]["version"]), "E_POSITION"),
    Bent("an old chain", behind(lambda t: t.anchor("p1", shows=False), at("p1", 0, 2)), "E_POSITION"),
    Bent("a chain that nobody anchored", at("p1", 1, 1), "E_ANCHOR"),
    Bent("a draw's number skipped", wish(lambda _, draw: draw.update(k=2)), "E_DRAW_INDEX"),
    Bent("a draw's number again", wish(lambda _, draw: draw.update(k=0)), "E_DRAW_INDEX"),
    Bent("a link too few", end(lambda t, draw, given: given.pop()), "E_CONTRIBUTORS"),
    Bent("a link twice", end(lambda t, draw, given: given.append(given[-1])), "E_CONTRIBUTORS"),
    Bent("links in another order", end(lambda t, draw, given: given.reverse()), "E_CONTRIBUTORS"),
    Bent("another's link", given("p1", link=chain.H("no link").hex()), "E_CHAIN"),
    Bent("a position that was not declared", given("p1", position=3), "E_POSITION"),
    Bent("a chain that was not declared", given("p1", chain=1), "E_POSITION"),
    Bent("a chain that came while it waited", back_while_it_waits, "E_POSITION"),
    Bent("a link that nobody signed", end(lambda t, draw, given: given[2].update(signature="00" * 64)), "E_SIGNATURE"),
    Bent("a link signed by another", end(lambda t, draw, given: given[2].update(signature=given[3]["signature"])), "E_SIGNATURE"),
    Bent("a link signed for another draw", end(lambda t, draw, given: given.__setitem__(2, t.give(draw | {"k": 7}, "p1"))), "E_SIGNATURE"),
    Bent("a link of before the wish", given("p1", seen_size=3), "E_FORK"),
    Bent("a link of the future", given("p1", seen_size=99), "E_FORK"),
    Bent("a link of another log", given("p1", seen_root="00" * 32), "E_FORK"),
    Bent("another value", lambda t: t.end(t.declare("p1"), values=[[6, 7]]), "E_VALUES"),
    Bent("no value", lambda t: t.end(t.declare("p1"), values=[]), "E_VALUES"),
    Bent("another draw's number in its end", lambda t: t.end(t.declare("p1"), k=1), "E_DRAW_INDEX"),
    Bent("a wish while one waits", while_it_waits({"command": Table.command, "kind": "session.Declared"}), "E_ORDER"),
    Bent("a rewind while one waits", while_it_waits({"kind": "session.Rewound", "reason": "no", "to": 3}), "E_ORDER"),
    Bent("the end of the evening while one waits", while_it_waits({"carry": {}, "kind": "session.Closed", "unopened": {}}), "E_ORDER"),
    Bent("a void after a void", second(lambda t: None), "E_ORDER"),
    Bent("values for a void", lambda t: t.end(t.draw("p1", missing=["p2"])), "E_ORDER"),
    Bent("a void for values", behind(lambda t: t.draw("p1"), lambda t: t.add("house", {"contributions": [], "k": 0, "kind": "session.DrawVoided", "missing": ["p2"]})), "E_ORDER"),
    Bent("a void with values", lambda t: t.end(t.declare("p1"), kind="session.DrawVoided", missing=["p2"]), "E_FORMAT", "bytes"),
    Bent("a void without anyone missing", nobody_missing, "E_CONTRIBUTORS"),
    Bent("a void of those who gave", ending(()), "E_CONTRIBUTORS"),
    Bent("a void of the house", ending(("house",)), "E_CONTRIBUTORS"),
    Bent("a void of who is not here", ending(("p2", "p9")), "E_CONTRIBUTORS"),
    Bent("a void of who gave too", void(missing=["p1", "p2"]), "E_CONTRIBUTORS"),
    Bent("the missing in another order", lambda t: t.end(t.declare("p1"), ["p1", "p2"], missing=["p2", "p1"]), "E_CONTRIBUTORS"),
    Bent("sent away without a void", unsigned("PresenceSet", present=False), "E_SIGNATURE"),
    Bent("removed without a void", unsigned("SeatLeft"), "E_SIGNATURE"),
    Bent("back at another's word", behind(voided, unsigned("PresenceSet", present=True)), "E_SIGNATURE"),
    Bent("away once more at another's word", behind(lambda t: (voided(t), returned(t)), unsigned("PresenceSet", present=False)), "E_SIGNATURE"),
    Bent("away by another's signature", by_another, "E_SIGNATURE"),
    Bent("a signature of who has no key", behind(custodial, lambda t: t.add("p3", {"kind": "session.SeatLeft", "nth": 1, "seat": "p3", "signature": "00" * 64})), "E_SIGNATURE"),
    Bent("who never sat leaves", lambda t: t.add("p9", {"kind": "session.SeatLeft", "nth": 1, "seat": "p9"}), "E_ANCHOR"),
    Bent("half a chain", seat("p3", without("length")), "E_FORMAT"),
    Bent("a length beyond an index", long_chain(2**32), "E_FORMAT", "bytes"),
    Bent("a chain of no links that gives", behind(long_chain(0), lambda t: t.declare("p1")["version"]), "E_CONTRIBUTORS"),
    Bent("the house without a chain", lambda t: t.add("house", {"kind": "session.SeatTaken", "role": "house", "seat": "house"}), "E_FORMAT"),
    Bent("another's anchor", seat("p3", lambda t, body: body.update(anchor=t.seats["p2"].links[0].hex())), "E_ANCHOR"),
    Bent("another's key", seat("p3", lambda t, body: body.update(public_key=t.seats["p2"].signer.public.hex()), signer="p2"), "E_ANCHOR"),
    Bent("another key on coming back", behind(left, seat("p2", lambda t, body: body.update(public_key=Seat("p3", "").signer.public.hex()))), "E_ANCHOR"),
    Bent("a chain twice on coming back", behind(left, seat("p2", lambda t, body: body.update(chain=0))), "E_CHAIN"),
    Bent("a chain's number skipped", seat("p3", lambda t, body: body.update(chain=1)), "E_CHAIN"),
    Bent("a chain that another signed", seat("p3", signer="p2"), "E_SIGNATURE"),
    Bent("a seat with a chain that sits again", seat("p2"), "E_ANCHOR"),
    Bent("back without a chain", behind(left, lambda t: t.add("p2", {"kind": "session.SeatTaken", "role": "player", "seat": "p2"})), "E_SIGNATURE"),
    Bent("the next chain's number skipped", anchored(chain=2), "E_CHAIN"),
    Bent("the chain's number again", anchored(chain=0), "E_CHAIN"),
    Bent("the anchor again", anchored(anchor=Seat("p1", "").next_chain()["anchor"]), "E_ANCHOR"),
    Bent("no link of the chain before", anchored(previous_link="00" * 32), "E_CHAIN"),
    Bent("the last link of the chain before again", anchored(previous_link=Table().seats["p2"].links[1].hex()), "E_CHAIN"),
    Bent("a chain for who has none", behind(custodial, lambda t: t.add("p3", {"kind": "session.ChainAnchored", "signature": "00" * 64} | Seat("p3", "").next_chain())), "E_ANCHOR"),
    Bent("a chain that nobody signed", lambda t: t.add("p2", t.seats["p2"].next_chain() | {"kind": "session.ChainAnchored", "signature": "00" * 64}), "E_SIGNATURE"),
    Bent("another chain while one waits", chain_while_it_waits, "E_ORDER"),
    Bent("the end in another turn", other_turn, "E_TURN"),
    Bent("a turn that is over", old_turn, "E_TURN", "bytes"),
    Bent("a turn to come", lambda t: t.add("gm", NARRATED, t.turn + 2), "E_TURN", "bytes"),
    Bent("a seal opened while it waits", seal_that_waits, "E_ORDER"),
    Bent("another blind", seal(blind="00" * 32), "E_BLIND"),
    Bent("another salt", seal(salt="00" * 32), "E_BODY"),
    Bent("other values", seal(values=[[6, 7]]), "E_VALUES"),
    Bent("values of a secret void", lambda t: t.open_seal(voided(t, secret=True)), "E_VALUES"),
    Bent("a seal opened twice", behind(opened, lambda t: t.add("gm", t.events[-1][2])), "E_ORDER"),
]  # fmt: skip


def rebuilt(table: Table) -> None:
    """The leaves anew, after an event was changed."""
    for version, (turn, seat, body) in enumerate(table.events, 1):
        told = {
            "at": 1000 * version,
            "body": chain.H("body", table.salt(version), jcs(body)).hex(),
            "seat": seat,
        }
        table.leaves[version - 1] = jcs(
            told | {"session": SESSION.hex(), "turn": turn, "v": 1, "version": version}
        ).decode()
