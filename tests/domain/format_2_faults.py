"""What format 2 adds to the check of a log: the faults (ROWS), and beside them what just holds (HOLDS).

The tables are made by hand of the pages alone (tests/js/tables.py), so that only the rule in question is broken; no
verifier knows their ruleset. Version 1 is Opened; the server, gm, p1 and p2 sit at 2 to 5; NEXT is the next version.
The deadline is one second, and one second lies between two events.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from domain.proof import hash_chain
from domain.session.messages import Declared, PresenceSet, SeatLeft, SeatTaken
from tests.domain import broken_table_draws as t
from tests.domain.broken_logs import BYTES, DRAWS, TREE, Fault
from tests.js.sound_tables import Sound, custodial, narrate, played
from tests.js.tables import HOUSE_LENGTH, SECOND, SESSION, B, Body, Seat, Table, entropy_of

NEXT = Table().version + 1
ENTROPY, OTHER = entropy_of(0), entropy_of(1)
OTHER_BLIND = hash_chain.blind_commitment(SESSION, 0, bytes(32)).hex()
FIRST_BLIND = hash_chain.blind_commitment(SESSION, 0, B).hex()
LINK, MOST = "ab" * 32, 2**53 - 1
NAME, DIE = "the red d6", "\N{GAME DIE}"
Act = Callable[[Table], object]
Lines = Callable[[], list[bytes]]


def table(*acts: Act, **how: Any) -> Callable[[], Table]:
    return played(*acts, log_format=2, **how)


def broken(
    *acts: Act, hidden: Collection[int] = (), manifest: Body | None = None, **how: Any
) -> Lines:
    """The lines of a table's file; without some openings, and with fields of the manifest changed."""
    return lambda: lines_of(table(*acts, **how)(), hidden, manifest)


def older(*acts: Act, manifest: Body | None = None, **how: Any) -> Lines:
    """The lines of a table of format 1."""
    return lambda: lines_of(played(*acts, **how)(), manifest=manifest)


def lines_of(
    made: Table, hidden: Collection[int] = (), manifest: Body | None = None
) -> list[bytes]:
    return made.file(hidden, **(manifest or {})).splitlines(keepends=True)


def known(version: int, **fields: object) -> Lines:
    """A session of format 1 whose ruleset is known, with fields of one event changed."""
    return lambda: t.lines(t.changed(version, **fields))


# Acts: what is done at a table.


def event(kind: str, by: str = "gm", **fields: object) -> Act:
    return lambda made: made.add(by, {"kind": kind} | fields)


def words(since: int = SECOND, turn: int | None = None) -> Act:
    """Words, so many milliseconds after the event before."""
    body = {"kind": "session.Narrated", "text": "Quiet."}
    return lambda made: made.add("gm", body, turn, SECOND * made.version + since)


def draw(*names: str, by: str = "p1", **how: Any) -> Act:
    """A draw to which these seats give, all if none is named."""
    return lambda made: made.draw(by, names or None, **how)


def ended(*names: str, declared: str | None = None, secret: bool = False, **fields: Any) -> Act:
    """A draw that was declared with this entropy, and whose end has other fields than it should."""
    return lambda made: made.end(
        made.declare("p1", names or None, secret, entropy=declared), **fields
    )


def valued(declared: str | None, of: str | None, log_format: int = 2) -> Act:
    """A draw with this entropy, whose values are those of another, or of another format."""

    def act(made: Table) -> None:
        drawn = made.declare("p1", entropy=declared)
        made.end(drawn, values=made.values(other_entropy(drawn, of), log_format))

    return act


def opened(declared: str | None, of: str | None, log_format: int = 2) -> Act:
    """The same of a secret draw, when it is opened."""

    def act(made: Table) -> None:
        drawn = made.declare("gm", secret=True, entropy=declared)
        made.end(drawn)
        made.open_seal(drawn, values=made.values(other_entropy(drawn, of), log_format))

    return act


def other_entropy(drawn: Body, entropy: str | None) -> Body:
    without = {name: value for name, value in drawn.items() if name != "entropy"}
    return without if entropy is None else without | {"entropy": entropy}


def swapped(answered: str | None, recorded: str | None) -> Act:
    """The seats answer one declaration, and the server records it with other entropy."""

    def act(made: Table) -> None:
        other = made.copy()
        asked = other.declare("p1", entropy=answered)
        given = [other.give(asked, name) for name, _, _ in asked["contributors"]]
        made.end(made.declare("p1", entropy=recorded), contributions=given)

    return act


def secret_of(blind: str, *names: str) -> Act:
    """A secret draw that is declared with this commitment to its blind."""

    def act(made: Table) -> None:
        drawn = made.declare("gm", names or None, secret=True)
        turn, seat, body = made.events.pop()
        made.leaves.pop(), made.hashes.pop()
        made.add(seat, body | {"draw": body["draw"] | {"blind": blind}}, turn)
        made.end(drawn)

    return act


def void(*missing: str, by: str = "p1", **fields: Any) -> Act:
    """A draw that some seats do not answer."""
    return lambda made: made.end(made.declare(by), missing, **fields)


def void_after(milliseconds: int, *names: str, turns: int = 0, **fields: Any) -> Act:
    """A draw that is given up so long after its declaration, and so many turns later."""

    def act(made: Table) -> None:
        drawn = made.declare("p1", names or None)
        at = SECOND * drawn["version"] + milliseconds
        made.end(drawn | {"turn": drawn["turn"] + turns}, ["p2"], at=at, **fields)

    return act


def missed(made: Table) -> None:
    """p2 does not answer gm, and the server declares it absent."""
    made.end(made.declare("gm"), ["p2"])
    made.move("p2", "PresenceSet", by="house", present=False)


def expelled(made: Table) -> None:
    """p2 does not answer gm, and gm makes it leave."""
    made.end(made.declare("gm"), ["p2"])
    made.move("p2", "SeatLeft", by="gm")


def move(name: str, kind: str = "PresenceSet", by: str | None = None, **fields: object) -> Act:
    """A seat's signed statement, or another seat's without a signature; None leaves a field out."""
    absent = {"present": False} if kind == "PresenceSet" else {}
    return lambda made: made.move(name, kind, by, **(absent | fields))


def left(name: str, **fields: object) -> Act:
    return move(name, "SeatLeft", **fields)


def back(made: Table) -> None:
    """p2 signs itself present."""
    made.move("p2", "PresenceSet", present=True)


def seen(name: str, size: int, kind: str = "PresenceSet") -> Act:
    """A statement that was signed at this size of the log."""
    return lambda made: move(name, kind, **made.seen(size))(made)


def seen_later(name: str, by: int) -> Act:
    """A statement whose `seen_size` is its own version and so many more."""
    return lambda made: move(name, seen_size=made.version + 1 + by)(made)


def altered(name: str, **fields: object) -> Act:
    """A statement that is changed after its seat signed it."""
    return lambda made: made.add(name, made.moved(name, "PresenceSet", present=False) | fields)


def refused(name: str, *acts: Act, kind: str = "PresenceSet", **fields: object) -> Act:
    """A signed statement that the server refuses at first, and records after these acts."""

    def act(made: Table) -> None:
        absent = {"present": False} if kind == "PresenceSet" else {}
        said = made.moved(name, kind, **(absent | fields))
        for each in acts:
            each(made)
        made.add(name, said)

    return act


def waiting(*acts: Act) -> Act:
    """A draw during which this is done."""

    def act(made: Table) -> None:
        drawn = made.declare("p1")
        for each in acts:
            each(made)
        made.end(drawn)

    return act


def anchor(name: str, shows: bool = True, **fields: object) -> Act:
    """A seat's next chain, with the link that it owes."""
    return lambda made: made.anchor(name, shows, **fields)


def anchor_at(name: str, offset: int) -> Act:
    """A next chain with the link so far beside the last position taken of the old one."""
    return lambda made: made.anchor(name, previous_link=link_at(made, name, offset))


def sit(name: str, **fields: object) -> Act:
    """A seat sits down with its next chain, and with the link that it owes."""
    return lambda made: made.sit(name, **fields)


def sit_at(name: str, offset: int) -> Act:
    """The same with the link so far beside the last position taken of the old chain."""
    return lambda made: made.sit(name, previous_link=link_at(made, name, offset))


def link_at(made: Table, name: str, offset: int) -> str:
    held = made.seats[name]
    return held.links[held.position - 1 + offset].hex()


def copied_anchor(made: Table) -> None:
    """p2's next chain has the anchor of gm, and lacks the link that p2 owes."""
    made.anchor("p2", shows=False, anchor=made.seats["gm"].links[0].hex())


def added_link(made: Table) -> None:
    """p2 signs its next chain without the link that it owes, and the server adds the link."""
    owed, other = made.seats["p2"].owed, made.copy()
    other.anchor("p2", shows=False)
    _, _, body = other.events[-1]
    made.add("p2", body | {"previous_link": owed})


def anchored_by_another(made: Table) -> None:
    """The server's next chain, in the leaf of the GM."""
    other = made.copy()
    other.anchor("house")
    _, _, body = other.events[-1]
    made.add("gm", body)


def newcomer(name: str, role: str = "player", **fields: object) -> Act:
    """A seat that was not taken before, or has no chain, brings one."""

    def act(made: Table) -> None:
        made.seats[name] = Seat(name, role)
        made.sit(name, **fields)

    return act


def custodial_absent(made: Table) -> None:
    """p3, which has no key, is declared absent without a void."""
    custodial(made)
    made.add("gm", {"kind": "session.PresenceSet", "nth": 1, "present": False, "seat": "p3"})


def role(name: str, role: str) -> Act:
    return event("session.SeatTaken", role=role, seat=name)


def misopened(made: Table) -> None:
    """Words whose opening is not what was committed to."""
    narrate(made)
    turn, seat, body = made.events[-1]
    made.events[-1] = turn, seat, body | {"text": "Noise."}


def dice(name: object = NAME, **fields: object) -> Act:
    """Physical dice with this name, or without one if it is None; a field that is None is left out."""
    said = {"command": Table.command, "dice": "declared", "dice_name": name, "values": [[6, 3]]}
    given = {field: value for field, value in (said | fields).items() if value is not None}
    return event("session.Declared", by="p1", **given)


def named_draw(made: Table) -> None:
    """A draw whose declaration has the name of physical dice."""
    drawn = made.declare("p1")
    turn, seat, body = made.events.pop()
    made.leaves.pop(), made.hashes.pop()
    made.add(seat, body | {"dice_name": NAME}, turn)
    made.end(drawn)


# The server's chains: a long table where the server draws alone, one draw after the other.

BEFORE_64 = HOUSE_LENGTH - 64
"""The number of draws after which 64 positions are left."""


@cache
def _drawn(draws: int, is_anchored: bool) -> Table:
    """A table after so many draws. If `is_anchored`, the next chain was anchored with 64 left."""
    if draws == BEFORE_64 and is_anchored:
        made = _drawn(draws, False).copy()
        made.anchor("house")
    elif draws > BEFORE_64:
        made = _drawn(BEFORE_64, is_anchored).copy()
    else:
        made = Table("house", {"gm": "gm"}, log_format=2)
    while made.k < draws:
        house_draw(made)
    return made


def house_draw(made: Table) -> None:
    made.end(made.declare("gm", ["house"]))


def long(*acts: Act, draws: int, is_anchored: bool = False) -> Callable[[], Table]:
    """A table after so many draws, and these acts."""

    def play() -> Table:
        made = _drawn(draws, is_anchored).copy()
        for act in acts:
            act(made)
        return made

    return play


def long_broken(*acts: Act, draws: int, is_anchored: bool = False) -> Lines:
    return lambda: lines_of(long(*acts, draws=draws, is_anchored=is_anchored)())


def place(chain: int, position: int) -> Act:
    """A declaration that names this place of the server's chains."""

    def act(made: Table) -> None:
        named = {"contributors": [["house", chain, position]], "k": made.k}
        made.add("gm", {"kind": "session.Declared", "command": made.command, "draw": named})

    return act


def false_link(made: Table) -> None:
    """A draw with a link that does not lead down to the anchor of the chain in use."""
    drawn = made.declare("gm", ["house"])
    made.end(drawn, contributions=[made.give(drawn, "house", link=LINK)])


FIRST_LONG = 4
"""The first version of a long table after the seats."""
AT_64, AT_63 = FIRST_LONG + 2 * BEFORE_64, FIRST_LONG + 2 * (BEFORE_64 + 1)
"""The version after so many draws that 64 positions are left, or 63."""
USED_UP = FIRST_LONG + 2 * HOUSE_LENGTH
"""The version after the last draw of the chain."""


def free_roll(made: Table) -> None:
    """A roll of any dice, which only logs with the extension `rolls` can hold."""
    declared = made.declare("p1", command={"kind": "rolls.Roll", "notation": "d6"})
    made.end(declared)
    ((_, face),) = made.values(declared)
    die = {"dropped": [], "low": 1, "rerolled": [], "rolled": [[face]], "sides": 6, "value": face}
    rolled = {"kind": "rolls.DiceRolled", "dice": [die], "notation": "d6", "seat": "p1"}
    made.add("p1", rolled | {"total": face}, declared["turn"])


# Logs that use an extension.


def extended(*acts: Act, **how: Any) -> Lines:
    return broken(*acts, extensions=["dice-tower"], **how)


def other_root() -> list[bytes]:
    """The checkpoint of a log as long that has other words in it."""
    own = extended(narrate)()
    other = extended(words(SECOND + 1))()
    return [*own[:-1], other[-1]]


def spaced() -> list[bytes]:
    """A space in the body of an event of the extension."""
    given = extended(event("session.Thrown"))()
    given[NEXT] = given[NEXT].replace(b'{"kind":', b'{"kind": ')
    return given


P1, LEFT, AWAY = t.find(SeatTaken, seat="p1"), t.find(SeatLeft, seat="p1"), t.find(PresenceSet)
DECLARED, DRAWN = t.declared_at(0), t.ended_at(0)
PLAIN = t.find(Declared)
"""A command of the session of format 1 that needs no values."""

ROWS = [
    # the format
    Fault("a manifest of format 1", broken(manifest={"v": 1}), BYTES, "E_FORMAT", 1),
    Fault("a manifest of format 2 over a log of format 1", older(manifest={"v": 2}), BYTES, "E_FORMAT", 1),
    Fault("a manifest of format 3", broken(manifest={"v": 3}), BYTES, "E_FORMAT", 0),
    Fault("format 1 named", broken(format=1), BYTES, "E_FORMAT", 1),
    Fault("format 1 named in a log of format 1", older(format=1), BYTES, "E_FORMAT", 1),
    Fault("format 3 named", broken(format=3), BYTES, "E_FORMAT", 1),
    Fault("a format that is a text", broken(format="2"), BYTES, "E_FORMAT", 1),
    # fields of format 2 in a log of format 1
    Fault("a format in format 1", known(1, format=2), BYTES, "E_FORMAT", 1),
    Fault("extensions in format 1", known(1, extensions=("dice-tower",)), BYTES, "E_FORMAT", 1),
    Fault("a link of a seat that sits down in format 1", known(P1, previous_link=LINK), BYTES, "E_FORMAT", P1),
    Fault("a size seen by a seat that leaves in format 1", known(LEFT, seen_size=1), BYTES, "E_FORMAT", LEFT),
    Fault("a root seen by a seat that leaves in format 1", known(LEFT, seen_root=LINK), BYTES, "E_FORMAT", LEFT),
    Fault("a size seen by an absent seat in format 1", known(AWAY, seen_size=1), BYTES, "E_FORMAT", AWAY),
    Fault("a root seen by an absent seat in format 1", known(AWAY, seen_root=LINK), BYTES, "E_FORMAT", AWAY),
    Fault("entropy declared in format 1", lambda: t.lines(t.drawing(DECLARED, entropy=ENTROPY)), BYTES, "E_FORMAT", DECLARED),
    Fault("entropy drawn in format 1", known(DRAWN, entropy=ENTROPY), BYTES, "E_FORMAT", DRAWN),
    Fault("a format in format 1, of an unknown ruleset", older(format=2), BYTES, "E_FORMAT", 1),
    Fault("a free roll without the extension", broken(free_roll), BYTES, "E_FORMAT", NEXT),
    Fault("an event of a free roll without the extension", broken(event("rolls.DiceRolled")), BYTES, "E_FORMAT", NEXT),
    Fault("an event without a name, of free rolls", broken(event("rolls."), extensions=["rolls"]), BYTES, "E_FORMAT", NEXT),
    Fault("extensions in format 1, of an unknown ruleset", older(extensions=["dice-tower"]), BYTES, "E_FORMAT", 1),
    Fault("a link of a seat that sits down in format 1, of an unknown ruleset", older(sit("p1", previous_link=LINK)), BYTES, "E_FORMAT", NEXT),
    Fault("a size seen by a seat that leaves in format 1, of an unknown ruleset", older(left("p2", seen_size=1)), BYTES, "E_FORMAT", NEXT),
    Fault("a root seen by a seat that leaves in format 1, of an unknown ruleset", older(left("p2", seen_root=LINK)), BYTES, "E_FORMAT", NEXT),
    Fault("a size seen by an absent seat in format 1, of an unknown ruleset", older(move("p2", seen_size=1)), BYTES, "E_FORMAT", NEXT),
    Fault("a root seen by an absent seat in format 1, of an unknown ruleset", older(move("p2", seen_root=LINK)), BYTES, "E_FORMAT", NEXT),
    Fault("entropy declared in format 1, of an unknown ruleset", older(ended(declared=ENTROPY, entropy=None)), BYTES, "E_FORMAT", NEXT),
    Fault("entropy drawn in format 1, of an unknown ruleset", older(ended(entropy=ENTROPY)), BYTES, "E_FORMAT", NEXT + 1),
    Fault("named dice in format 1", known(PLAIN, dice="declared", dice_name=NAME, values=()), BYTES, "E_FORMAT", PLAIN),
    Fault("named dice in format 1, of an unknown ruleset", older(dice()), BYTES, "E_FORMAT", NEXT),
    # extensions and the deadline in Opened
    Fault("no extension named", broken(extensions=[]), BYTES, "E_FORMAT", 1),
    Fault("extensions not sorted", broken(extensions=["b", "a"]), BYTES, "E_FORMAT", 1),
    Fault("an extension twice", broken(extensions=["a", "a"]), BYTES, "E_FORMAT", 1),
    Fault("an extension in capitals", broken(extensions=["Dice"]), BYTES, "E_FORMAT", 1),
    Fault("an extension without a name", broken(extensions=[""]), BYTES, "E_FORMAT", 1),
    Fault("an extension with a line feed", broken(extensions=["dice\n"]), BYTES, "E_FORMAT", 1),
    Fault("an extension of 33 letters", broken(extensions=["x" * 33]), BYTES, "E_FORMAT", 1),
    Fault("an extension that is a number", broken(extensions=[1]), BYTES, "E_FORMAT", 1),
    Fault("extensions that are a text", broken(extensions="dice"), BYTES, "E_FORMAT", 1),
    Fault("no deadline", broken(deadline=None), BYTES, "E_FORMAT", 1),
    Fault("a deadline of 0 seconds", broken(deadline=0), BYTES, "E_FORMAT", 1),
    Fault("a deadline before the declaration", broken(deadline=-1), BYTES, "E_FORMAT", 1),
    Fault("a deadline of 601 seconds", broken(deadline=601), BYTES, "E_FORMAT", 1),
    Fault("a deadline that is a text", broken(deadline="60"), BYTES, "E_FORMAT", 1),
    Fault("a deadline that is true", broken(deadline=True), BYTES, "E_FORMAT", 1),
    # time
    Fault("time that runs backwards", broken(words(-1)), BYTES, "E_TIME", NEXT),
    Fault("time that runs backwards where the server draws", broken(words(-1), draws="house"), BYTES, "E_TIME", NEXT),
    Fault("an event without opening before its time", broken(words(-1), hidden=[NEXT]), BYTES, "E_TIME", NEXT),
    Fault("an event before one without opening", broken(narrate, words(-1), hidden=[NEXT]), BYTES, "E_TIME", NEXT + 1),
    Fault("an event before its time, in a turn that is not the next", broken(words(-1, turn=90)), BYTES, "E_TIME", NEXT),
    # the server's own events
    Fault("an event of the server without its opening", broken(anchor("house"), hidden=[NEXT]), DRAWS, "E_FORMAT", NEXT),
    Fault("a chain of the server recorded by another seat", broken(anchored_by_another), DRAWS, "E_ANCHOR", NEXT),
    # entropy
    Fault("entropy of 31 bytes", broken(draw(entropy="ab" * 31)), BYTES, "E_FORMAT", NEXT),
    Fault("entropy of no bytes", broken(draw(entropy="")), BYTES, "E_FORMAT", NEXT),
    Fault("a void with entropy", broken(void("p2", entropy=ENTROPY)), BYTES, "E_FORMAT", NEXT + 1),
    Fault("other entropy at the end", broken(ended(declared=ENTROPY, entropy=OTHER)), DRAWS, "E_VALUES", NEXT + 1),
    Fault("entropy removed at the end", broken(ended(declared=ENTROPY, entropy=None)), DRAWS, "E_VALUES", NEXT + 1),
    Fault("entropy added at the end", broken(ended(entropy=ENTROPY)), DRAWS, "E_VALUES", NEXT + 1),
    Fault("other entropy at the end of the server's draw", broken(ended("house", declared=ENTROPY, entropy=OTHER), draws="house"), DRAWS, "E_VALUES", NEXT + 1),
    Fault("other entropy at the end of a secret draw", broken(ended(declared=ENTROPY, entropy=OTHER, secret=True)), DRAWS, "E_VALUES", NEXT + 1),
    Fault("entropy removed at the end of a secret draw", broken(ended(declared=ENTROPY, entropy=None, secret=True)), DRAWS, "E_VALUES", NEXT + 1),
    Fault("other entropy declared than was answered", broken(swapped(ENTROPY, OTHER)), DRAWS, "E_SIGNATURE", NEXT + 1),
    Fault("entropy declared that was not answered", broken(swapped(None, ENTROPY)), DRAWS, "E_SIGNATURE", NEXT + 1),
    Fault("entropy not declared that was answered", broken(swapped(ENTROPY, None)), DRAWS, "E_SIGNATURE", NEXT + 1),
    Fault("values of other entropy", broken(valued(ENTROPY, OTHER)), DRAWS, "E_VALUES", NEXT + 1),
    Fault("values without the entropy", broken(valued(ENTROPY, None)), DRAWS, "E_VALUES", NEXT + 1),
    Fault("values of entropy that no one brought", broken(valued(None, ENTROPY)), DRAWS, "E_VALUES", NEXT + 1),
    Fault("values of the seed of format 1", broken(valued(None, None, log_format=1)), DRAWS, "E_VALUES", NEXT + 1),
    Fault("values of the seed of format 2 in format 1", older(valued(None, None, log_format=2)), DRAWS, "E_VALUES", NEXT + 1),
    Fault("a secret opened with values of other entropy", broken(opened(ENTROPY, OTHER)), DRAWS, "E_VALUES", NEXT + 2),
    Fault("a secret opened with values without the entropy", broken(opened(ENTROPY, None)), DRAWS, "E_VALUES", NEXT + 2),
    Fault("a secret opened with values of the seed of format 1", broken(opened(None, None, log_format=1)), DRAWS, "E_VALUES", NEXT + 2),
    # the name of physical dice
    Fault("a name of no dice", broken(dice(dice=None, values=None)), DRAWS, "E_FORMAT", NEXT),
    Fault("a name with values and without dice", broken(dice(dice=None)), DRAWS, "E_FORMAT", NEXT),
    Fault("a name of dice with a draw", broken(named_draw), DRAWS, "E_FORMAT", NEXT),
    Fault("a name of dice in a result", broken(ended(dice_name=NAME)), BYTES, "E_FORMAT", NEXT + 1),
    Fault("a name of dice without letters", broken(dice("")), BYTES, "E_FORMAT", NEXT),
    Fault("a name of dice of 41 letters", broken(dice("x" * 41)), BYTES, "E_FORMAT", NEXT),
    Fault("a name of dice of 41 signs outside the basic plane", broken(dice(DIE * 41)), BYTES, "E_FORMAT", NEXT),
    Fault("a name of dice with a line feed", broken(dice("red\nd6")), BYTES, "E_FORMAT", NEXT),
    Fault("a name of dice that ends with a line feed", broken(dice("red d6\n")), BYTES, "E_FORMAT", NEXT),
    Fault("a name of dice with a delete character", broken(dice("red\x7fd6")), BYTES, "E_FORMAT", NEXT),
    Fault("a name of dice that is a number", broken(dice(6)), BYTES, "E_FORMAT", NEXT),
    Fault("a name of dice for each die", broken(dice(["red"])), BYTES, "E_FORMAT", NEXT),
    # the server's role
    Fault("a player with the role of the server", broken(role("p2", "house")), DRAWS, "E_FORMAT", NEXT),
    Fault("the server with the role of a player", broken(role("house", "player")), DRAWS, "E_FORMAT", NEXT),
    Fault("the server with the role of a player in format 1", older(role("house", "player")), DRAWS, "E_FORMAT", NEXT),
    # blinds
    Fault("a blind that the server did not commit to", broken(secret_of(OTHER_BLIND)), DRAWS, "E_BLIND", NEXT),
    Fault("a blind that the server did not commit to, in its own draw", broken(secret_of(OTHER_BLIND, "house"), draws="house"), DRAWS, "E_BLIND", NEXT),
    Fault("the blind of the draw before", broken(draw(), secret_of(FIRST_BLIND)), DRAWS, "E_BLIND", NEXT + 3),
    Fault("a blind that a void did not commit to", broken(void("p2", next_blind=OTHER_BLIND), draw(secret=True)), DRAWS, "E_BLIND", NEXT + 2),
    Fault("a blind that a result did not commit to", broken(ended(next_blind=OTHER_BLIND), draw(secret=True)), DRAWS, "E_BLIND", NEXT + 2),
    Fault("a result without the next blind", broken(ended(next_blind=None)), DRAWS, "E_FORMAT", NEXT + 1),
    Fault("a void without the next blind", broken(void("p2", next_blind=None)), DRAWS, "E_FORMAT", NEXT + 1),
    Fault("a next blind although the server began without", broken(ended(next_blind=LINK), commits=False), DRAWS, "E_FORMAT", NEXT + 1),
    Fault("a next blind in a void although the server began without", broken(void("p2", next_blind=LINK), commits=False), DRAWS, "E_FORMAT", NEXT + 1),
    Fault("a next blind of a player", broken(newcomer("p3", next_blind=LINK)), DRAWS, "E_FORMAT", NEXT),
    Fault("a next blind of 31 bytes", broken(ended(next_blind="ab" * 31)), BYTES, "E_FORMAT", NEXT + 1),
    Fault("a next blind in format 1", older(ended(next_blind=LINK)), BYTES, "E_FORMAT", NEXT + 1),
    Fault("a next blind in a void of format 1", older(void("p2", next_blind=LINK)), BYTES, "E_FORMAT", NEXT + 1),
    Fault("a next blind of a seat in format 1", older(newcomer("p3", next_blind=LINK)), BYTES, "E_FORMAT", NEXT),
    # the server's chains
    Fault("a first chain of the server with 255 links", broken(house_length=255), DRAWS, "E_ANCHOR", 2),
    Fault("the same where the server draws", broken(house_length=255, draws="house"), DRAWS, "E_ANCHOR", 2),
    Fault("a next chain of the server with 255 links", broken(anchor("house", length=255)), DRAWS, "E_ANCHOR", NEXT),
    Fault("two next chains of the server", broken(anchor("house"), anchor("house")), DRAWS, "E_ANCHOR", NEXT + 1),
    Fault("two next chains of the server, numbered on", broken(anchor("house"), anchor("house", chain=2, anchor=LINK)), DRAWS, "E_ANCHOR", NEXT + 1),
    Fault("two next chains of the server with a draw between them", broken(anchor("house"), draw(), anchor("house")), DRAWS, "E_ANCHOR", NEXT + 4),
    Fault("a next chain of the server with a number skipped", broken(anchor("house", chain=2)), DRAWS, "E_CHAIN", NEXT),
    Fault("a next chain of the server with another's anchor", broken(lambda made: made.anchor("house", anchor=made.seats["p1"].links[0].hex())), DRAWS, "E_ANCHOR", NEXT),
    Fault("a next chain of the server with 63 positions left", long_broken(anchor("house"), draws=BEFORE_64 + 1), DRAWS, "E_ANCHOR", AT_63),
    Fault("a next chain of the server with no position left", long_broken(anchor("house"), draws=HOUSE_LENGTH), DRAWS, "E_ANCHOR", USED_UP),
    Fault("a second next chain of the server with 64 positions left", long_broken(anchor("house"), draws=BEFORE_64, is_anchored=True), DRAWS, "E_ANCHOR", AT_64 + 1),
    Fault("the next chain of the server used at once", long_broken(place(1, 1), draws=BEFORE_64, is_anchored=True), DRAWS, "E_ANCHOR", AT_64 + 1),
    Fault("the next chain of the server used with one position left", long_broken(place(1, 1), draws=HOUSE_LENGTH - 1, is_anchored=True), DRAWS, "E_ANCHOR", USED_UP - 1),
    Fault("the next chain of the server not used when it is time", long_broken(place(0, HOUSE_LENGTH + 1), draws=HOUSE_LENGTH, is_anchored=True), DRAWS, "E_POSITION", USED_UP + 1),
    Fault("the next chain of the server used from its second position", long_broken(place(1, 2), draws=HOUSE_LENGTH, is_anchored=True), DRAWS, "E_POSITION", USED_UP + 1),
    Fault("the next chain of the server used from its anchor", long_broken(place(1, 0), draws=HOUSE_LENGTH, is_anchored=True), DRAWS, "E_POSITION", USED_UP + 1),
    Fault("the chain of the server after next", long_broken(place(2, 1), draws=HOUSE_LENGTH, is_anchored=True), DRAWS, "E_ANCHOR", USED_UP + 1),
    Fault("a link of no chain at the first position of the next", long_broken(false_link, draws=HOUSE_LENGTH, is_anchored=True), DRAWS, "E_CHAIN", USED_UP + 2),
    Fault("a chain of the server used beyond its end", long_broken(place(0, HOUSE_LENGTH + 1), draws=HOUSE_LENGTH), DRAWS, "E_POSITION", USED_UP),
    Fault("the server sits down again", broken(sit("house")), DRAWS, "E_ANCHOR", NEXT),
    Fault("the server leaves and sits down with a chain", broken(left("house"), sit("house")), DRAWS, "E_ANCHOR", NEXT + 1),
    Fault("the server's next chain with a link of the old one", broken(draw(), anchor_at("house", 0)), DRAWS, "E_CHAIN", NEXT + 3),
    Fault("the server's next chain, short and with a link", broken(anchor("house", length=255, previous_link=LINK)), DRAWS, "E_CHAIN", NEXT),
    # previous_link
    Fault("a next chain without the link that is owed", broken(missed, anchor("p2", shows=False)), DRAWS, "E_CHAIN", NEXT + 3),
    Fault("a next chain without the link, and no absence", broken(void("p2"), anchor("p2", shows=False)), DRAWS, "E_CHAIN", NEXT + 2),
    Fault("a next chain with a link of no chain", broken(missed, anchor("p2", previous_link=LINK)), DRAWS, "E_CHAIN", NEXT + 3),
    Fault("a next chain with the link of the next position, as in format 1", broken(missed, anchor_at("p2", 1)), DRAWS, "E_CHAIN", NEXT + 3),
    Fault("a next chain with the link that was shown last", broken(missed, anchor_at("p2", -1)), DRAWS, "E_CHAIN", NEXT + 3),
    Fault("a next chain with the first of two links that are owed", broken(void("p2"), void("p2"), anchor_at("p2", -1)), DRAWS, "E_CHAIN", NEXT + 4),
    Fault("a next chain with a link that was shown", broken(draw(), anchor_at("p2", 0)), DRAWS, "E_CHAIN", NEXT + 3),
    Fault("a next chain with the link after the one that was shown", broken(draw(), anchor_at("p2", 1)), DRAWS, "E_CHAIN", NEXT + 3),
    Fault("a next chain with the anchor of a chain that was not used", broken(anchor_at("p2", 0)), DRAWS, "E_CHAIN", NEXT),
    Fault("a next chain with a link that a later one has shown", broken(void("p2"), draw(), anchor_at("p2", -1)), DRAWS, "E_CHAIN", NEXT + 5),
    Fault("a next chain after the next with the link of the first", broken(void("p2"), anchor("p2"), anchor("p2", previous_link=LINK)), DRAWS, "E_CHAIN", NEXT + 3),
    Fault("a link that was not signed", broken(missed, added_link), DRAWS, "E_SIGNATURE", NEXT + 3),
    Fault("a copied anchor, without the link that is owed", broken(missed, copied_anchor), DRAWS, "E_ANCHOR", NEXT + 3),
    Fault("a seat comes back without the link that it owes", broken(missed, left("p2"), sit("p2", previous_link=None)), DRAWS, "E_CHAIN", NEXT + 4),
    Fault("a seat comes back with a link of no chain", broken(missed, left("p2"), sit("p2", previous_link=LINK)), DRAWS, "E_CHAIN", NEXT + 4),
    Fault("a seat comes back with the link of the next position", broken(missed, left("p2"), sit_at("p2", 1)), DRAWS, "E_CHAIN", NEXT + 4),
    Fault("a seat that was made to leave comes back without the link", broken(expelled, sit("p2", previous_link=None)), DRAWS, "E_CHAIN", NEXT + 3),
    Fault("a seat comes back with a link that was shown", broken(draw(), left("p2"), sit_at("p2", 0)), DRAWS, "E_CHAIN", NEXT + 4),
    Fault("a newcomer with a link", broken(newcomer("p3", previous_link=LINK)), DRAWS, "E_CHAIN", NEXT),
    Fault("a first chain with a link", broken(custodial, newcomer("p3", previous_link=LINK)), DRAWS, "E_CHAIN", NEXT + 1),
    Fault("another role with a link", broken(event("session.SeatTaken", role="player", seat="p1", previous_link=LINK)), DRAWS, "E_FORMAT", NEXT),
    Fault("a newcomer without a chain, with a link", broken(event("session.SeatTaken", role="player", seat="p3", previous_link=LINK)), DRAWS, "E_FORMAT", NEXT),
    # signed statements
    Fault("an absence that says nothing seen", broken(move("p2", seen_root=None, seen_size=None)), DRAWS, "E_FORMAT", NEXT),
    Fault("an absence that says no root seen", broken(move("p2", seen_root=None)), DRAWS, "E_FORMAT", NEXT),
    Fault("an absence that says no size seen", broken(move("p2", seen_size=None)), DRAWS, "E_FORMAT", NEXT),
    Fault("a leave that says nothing seen", broken(left("p2", seen_root=None, seen_size=None)), DRAWS, "E_FORMAT", NEXT),
    Fault("a leave that says no root seen", broken(left("p2", seen_root=None)), DRAWS, "E_FORMAT", NEXT),
    Fault("a leave that says no size seen", broken(left("p2", seen_size=None)), DRAWS, "E_FORMAT", NEXT),
    Fault("an absence by the server that says what was seen", broken(void("p2"), move("p2", by="house", seen_root=LINK, seen_size=1)), DRAWS, "E_FORMAT", NEXT + 2),
    Fault("an absence by the server that says a size seen", broken(void("p2"), move("p2", by="house", seen_size=1)), DRAWS, "E_FORMAT", NEXT + 2),
    Fault("an absence by the server that says a root seen", broken(void("p2"), move("p2", by="house", seen_root=LINK)), DRAWS, "E_FORMAT", NEXT + 2),
    Fault("a leave by the GM that says what was seen", broken(void("p2"), left("p2", by="gm", seen_root=LINK, seen_size=1)), DRAWS, "E_FORMAT", NEXT + 2),
    Fault("an absence of a seat without a key that says what was seen", broken(custodial, event("session.PresenceSet", nth=1, present=False, seat="p3", seen_root=LINK, seen_size=1)), DRAWS, "E_FORMAT", NEXT + 1),
    Fault("an absence that says nothing seen, of another number", broken(move("p2", seen_root=None, seen_size=None, nth=7)), DRAWS, "E_FORMAT", NEXT),
    Fault("an absence seen before the last draw", broken(draw(), seen("p2", NEXT - 1)), DRAWS, "E_FORK", NEXT + 3),
    Fault("a leave seen before the last draw", broken(draw(), seen("p2", NEXT - 1, "SeatLeft")), DRAWS, "E_FORK", NEXT + 3),
    Fault("an absence seen between two draws", broken(draw(), draw(), seen("p2", NEXT + 2)), DRAWS, "E_FORK", NEXT + 6),
    Fault("an absence seen before a void", broken(void("p2"), seen("p2", NEXT - 1)), DRAWS, "E_FORK", NEXT + 2),
    Fault("an absence seen before a draw of the old chain", broken(draw(), anchor("p2"), seen("p2", NEXT - 1)), DRAWS, "E_FORK", NEXT + 4),
    Fault("an absence seen before a draw, by a seat that left and came back", broken(draw(), left("p2"), sit("p2"), seen("p2", NEXT - 1)), DRAWS, "E_FORK", NEXT + 5),
    Fault("an absence seen before the draw that waits", broken(waiting(seen("p2", NEXT - 1))), DRAWS, "E_FORK", NEXT + 1),
    Fault("a leave of the server seen before the last draw", broken(draw(), seen("house", NEXT - 1, "SeatLeft")), DRAWS, "E_FORK", NEXT + 3),
    Fault("an absence seen at its own version", broken(seen_later("p2", 0)), DRAWS, "E_FORK", NEXT),
    Fault("an absence seen after its own version", broken(seen_later("p2", 1)), DRAWS, "E_FORK", NEXT),
    Fault("an absence seen at the next version, which there is", broken(seen_later("p2", 1), narrate, narrate), DRAWS, "E_FORK", NEXT),
    Fault("an absence seen at no size", broken(seen("p2", 0)), DRAWS, "E_FORK", NEXT),
    Fault("an absence seen at a size below zero", broken(move("p2", seen_size=-1)), DRAWS, "E_FORK", NEXT),
    Fault("an absence seen at the largest size", broken(move("p2", seen_size=MOST)), DRAWS, "E_FORK", NEXT),
    Fault("an absence seen at a size that is no number", broken(move("p2", seen_size=MOST + 1)), BYTES, "E_FORMAT", NEXT),
    Fault("an absence seen under another root", broken(move("p2", seen_root=LINK)), DRAWS, "E_FORK", NEXT),
    Fault("an absence seen under the root of another size", broken(move("p2", seen_size=3)), DRAWS, "E_FORK", NEXT),
    Fault("an absence with another size than was signed", broken(altered("p2", seen_size=4)), DRAWS, "E_SIGNATURE", NEXT),
    Fault("an absence with another root than was signed", broken(altered("p2", seen_root=LINK)), DRAWS, "E_SIGNATURE", NEXT),
    Fault("an absence with a size that was not signed, after its version", broken(altered("p2", seen_size=90)), DRAWS, "E_SIGNATURE", NEXT),
    Fault("an absence of another number, seen before the last draw", broken(draw(), lambda made: move("p2", nth=7, **made.seen(1))(made)), DRAWS, "E_SIGNATURE", NEXT + 3),
    Fault("a refused absence recorded after a draw", broken(refused("p2", draw())), DRAWS, "E_FORK", NEXT + 3),
    Fault("a refused leave recorded after a draw", broken(refused("p2", draw(), kind="SeatLeft")), DRAWS, "E_FORK", NEXT + 3),
    Fault("a refused absence recorded after a void that names the seat", broken(refused("p2", void("p2"))), DRAWS, "E_FORK", NEXT + 2),
    Fault("a refused return recorded after a draw", broken(draw(), refused("p2", draw(), present=True)), DRAWS, "E_FORK", NEXT + 6),
    Fault("a refused absence recorded after a draw and words", broken(refused("p2", draw(), narrate, words(0))), DRAWS, "E_FORK", NEXT + 5),
    # the deadline of a void
    Fault("a void a millisecond before the deadline", broken(void_after(999)), DRAWS, "E_TIME", NEXT + 1),
    Fault("a void at once", broken(void_after(0)), DRAWS, "E_TIME", NEXT + 1),
    Fault("a void before a deadline of ten minutes", broken(void_after(599_999), deadline=600), DRAWS, "E_TIME", NEXT + 1),
    Fault("a secret void before the deadline", broken(lambda made: made.end(made.declare("p1", secret=True), ["p2"], at=SECOND * NEXT + 999)), DRAWS, "E_TIME", NEXT + 1),
    Fault("a void at once that names no one", broken(void_after(0, missing=[])), DRAWS, "E_TIME", NEXT + 1),
    Fault("a void in time that names no one", broken(void_after(1000, missing=[])), DRAWS, "E_CONTRIBUTORS", NEXT + 1),
    Fault("a void at once in another turn", broken(void_after(0, turns=1)), DRAWS, "E_TURN", NEXT + 1),
    Fault("a void at once of another draw", broken(void_after(0, k=1)), DRAWS, "E_DRAW_INDEX", NEXT + 1),
    Fault("a void at once where the server draws", broken(void_after(0, "house"), draws="house"), DRAWS, "E_CONTRIBUTORS", NEXT + 1),
    Fault("the same without a deadline", broken(void_after(0, "house"), draws="house", deadline=None), DRAWS, "E_CONTRIBUTORS", NEXT + 1),
    # logs with an extension that is not known
    Fault("an extension, and a body that was not committed to", extended(misopened), BYTES, "E_BODY", NEXT),
    Fault("an extension, and an event without a kind", extended(lambda made: made.add("gm", {"text": "Quiet."})), BYTES, "E_FORMAT", NEXT),
    Fault("an extension, and a kind that is a number", extended(lambda made: made.add("gm", {"kind": 1})), BYTES, "E_FORMAT", NEXT),
    Fault("an extension, and a space in a body", spaced, BYTES, "E_NONCANONICAL", NEXT),
    Fault("an extension, and time that runs backwards", extended(words(-1)), BYTES, "E_TIME", NEXT),
    Fault("an extension, and no deadline", extended(deadline=None), BYTES, "E_FORMAT", 1),
    Fault("an extension, and a field of it in Opened", extended(tower=1), BYTES, "E_FORMAT", 1),
    Fault("an extension, and the root of another log", other_root, TREE, "E_ROOT", NEXT),
]  # fmt: skip

A, B, C, VOID = ("drawn", "A"), ("drawn", "B"), ("drawn", "C"), ("void", None)
WITHOUT_P2 = ("gm", "house", "p1")

HOLDS = [
    # Opened and time
    Sound("format 2", table(draw(), draw(by="gm")), [A, A]),
    Sound("a deadline of ten minutes", table(void_after(600_000), deadline=600), [VOID]),
    Sound("no deadline where the server draws", table(draw("house"), draws="house", deadline=None), [C]),
    Sound("a deadline that is a text where the server draws", table(draw("house"), draws="house", deadline="soon"), [C]),
    Sound("equal times", table(words(0), lambda made: made.end(made.declare("p1"), at=SECOND * made.version)), [A]),
    Sound("times that run backwards in format 1", played(words(-5000)), []),
    # entropy
    Sound("a draw with entropy", table(draw(entropy=ENTROPY), draw(entropy=ENTROPY)), [A, A]),
    Sound("a void with entropy, and a later draw", table(lambda made: made.end(made.declare("p1", entropy=ENTROPY), ["p2"]), draw()), [VOID, A]),
    Sound("a secret with entropy that is opened", table(opened(ENTROPY, ENTROPY)), [A]),
    Sound("a secret without entropy that is opened", table(opened(None, None)), [A]),
    # the name of physical dice
    Sound("dice with a name", table(dice(), draw()), [A]),
    Sound("dice without a name", table(dice(None)), []),
    Sound("secret dice with a name", table(dice(audience="gm")), []),
    Sound("a name of dice of 40 letters", table(dice("x" * 40)), []),
    Sound("a name of dice of 40 signs outside the basic plane", table(dice(DIE * 40)), []),
    Sound("a name of dice that is a space", table(dice(" ")), []),
    Sound("a name of dice with separators of lines and an escape", table(dice('\u2028 \x85 " {gm}')), []),
    # the server's chains
    Sound("the server's next chain at once", table(anchor("house"), draw()), [A]),
    Sound("the server leaves, and draws on", table(left("house"), draw()), [A]),
    Sound("the server's next chain with 64 positions left", long(anchor("house"), house_draw, draws=BEFORE_64), [C] * (BEFORE_64 + 1)),
    Sound("the server's next chain after the last position", long(house_draw, house_draw, draws=HOUSE_LENGTH, is_anchored=True), [C] * (HOUSE_LENGTH + 2)),
    Sound("the server's chain after next", long(house_draw, anchor("house"), house_draw, draws=HOUSE_LENGTH, is_anchored=True), [C] * (HOUSE_LENGTH + 2)),
    # previous_link
    Sound("a next chain with the link that is owed", table(missed, anchor("p2"), back, draw()), [VOID, A]),
    Sound("a next chain with the second of two links that are owed", table(void("p2"), void("p2"), anchor("p2"), draw()), [VOID, VOID, A]),
    Sound("a next chain where nothing is owed", table(draw(), anchor("p2"), draw()), [A, A]),
    Sound("a next chain after a void and a draw", table(void("p2"), draw(), anchor("p2"), draw()), [VOID, A, A]),
    Sound("a next chain with the last link that there is", table(draw(), void("p2"), anchor("p2", length=2), length=2), [A, VOID]),
    Sound("a seat comes back with the link that it owes", table(missed, left("p2"), sit("p2"), draw()), [VOID, A]),
    Sound("a seat that was made to leave comes back with the link", table(expelled, sit("p2"), draw()), [VOID, A]),
    Sound("a seat comes back and owes nothing", table(draw(), left("p2"), sit("p2"), draw()), [A, A]),
    Sound("no link in format 1", played(void("p2"), anchor("p2", shows=False), draw()), [VOID, A]),
    # signed statements
    Sound("an absence seen at the declaration of the last draw", table(draw(), seen("p2", NEXT), draw(*WITHOUT_P2, by="gm")), [A, A]),
    Sound("an absence seen at the first event", table(seen("p2", 1)), []),
    Sound("an absence seen before a draw of others", table(move("p2"), draw(*WITHOUT_P2, by="gm"), lambda made: made.move("p2", "PresenceSet", present=True, **made.seen(NEXT))), [A]),
    Sound("an absence seen at the declaration of a void", table(void("p2"), seen("p2", NEXT)), [VOID]),
    Sound("an absence seen at the declaration of the draw that waits", table(waiting(seen("p2", NEXT))), [A]),
    Sound("a refused absence recorded before any draw", table(refused("p2", narrate, narrate)), []),
    Sound("a refused absence recorded after a draw in format 1", played(refused("p2", draw()), draw(*WITHOUT_P2, by="gm")), [A, A]),
    # the deadline of a void
    Sound("a void at the deadline", table(void_after(1000)), [VOID]),
    Sound("a void at once in format 1", played(void_after(0)), [VOID]),
    # grade A: a seat is missing only by its own word
    Sound("absent by its own word", table(move("p2"), draw(*WITHOUT_P2, by="gm")), [A]),
    Sound("left by its own word", table(left("p2"), draw(*WITHOUT_P2, by="gm")), [A]),
    Sound("absent by the server's word after a void", table(missed, draw(*WITHOUT_P2, by="gm")), [VOID, B]),
    Sound("absent by the server's word in format 1", played(missed, draw(*WITHOUT_P2, by="gm")), [VOID, A]),
    Sound("made to leave after a void", table(expelled, draw(*WITHOUT_P2, by="gm")), [VOID, B]),
    Sound("made to leave after a void in format 1", played(expelled, draw(*WITHOUT_P2, by="gm")), [VOID, A]),
    Sound("the GM absent by the server's word", table(void("gm"), move("gm", by="house"), draw("house", "p1", "p2")), [VOID, B]),
    Sound("the GM absent by the server's word in format 1", played(void("gm"), move("gm", by="house"), draw("house", "p1", "p2")), [VOID, A]),
    Sound("absent by the server's word, with entropy", table(missed, draw(*WITHOUT_P2, by="gm", entropy=ENTROPY)), [VOID, B]),
    Sound("back by its own word after a void", table(missed, draw(*WITHOUT_P2, by="gm"), back, draw(by="gm")), [VOID, B, A]),
    Sound("back, and then absent by its own word", table(missed, back, move("p2"), draw(*WITHOUT_P2, by="gm")), [VOID, A]),
    Sound("absent by the server's word, then left by its own", table(missed, left("p2"), draw(*WITHOUT_P2, by="gm")), [VOID, A]),
    Sound("made to leave, and back with a chain", table(expelled, sit("p2"), draw(by="gm")), [VOID, A]),
    Sound("a void that no absence followed", table(void("p2"), draw(by="gm")), [VOID, A]),
    Sound("a seat without a key is absent", table(custodial_absent, draw("gm", *WITHOUT_P2[1:], "p2", by="gm")), [A]),
    Sound("a seat without a key is absent, and brings a chain", table(custodial_absent, newcomer("p3"), draw("gm", *WITHOUT_P2[1:], "p2", by="gm")), [B]),
    Sound("a spectator absent by the server's word", table(newcomer("s1", "spectator"), void("s1", by="gm"), move("s1", by="house"), draw("gm", "house", "p1", "p2", by="gm")), [VOID, A]),
    Sound("a player absent by the server's word becomes a spectator", table(missed, role("p2", "spectator"), draw(*WITHOUT_P2, by="gm")), [VOID, A]),
    Sound("a spectator absent by the server's word becomes a player", table(missed, role("p2", "spectator"), role("p2", "player"), draw(*WITHOUT_P2, by="gm")), [VOID, B]),
    # grades B and C
    Sound("the server with entropy", table(draw("house", entropy=ENTROPY), draws="house"), [B]),
    Sound("the server without entropy", table(draw("house"), draws="house"), [C]),
    Sound("the server with and without entropy", table(draw("house", entropy=ENTROPY), draw("house"), draws="house"), [B, C]),
    Sound("a table where only the server has a chain, with entropy", table(left("gm"), left("p1"), left("p2"), draw("house", entropy=ENTROPY), draw("house")), [B, C]),
    Sound("a secret of the server with entropy", table(draw("house", secret=True, entropy=ENTROPY), draws="house"), [B]),
    Sound("the asker alone with entropy", table(left("gm"), left("p2"), draw("house", "p1", entropy=ENTROPY)), [B]),
    # extensions
    Sound("free rolls", table(free_roll, draw(), extensions=["rolls"]), [A, A]),
]  # fmt: skip

EXTENDED = [
    Sound("an extension", table(draw(), extensions=["dice-tower"]), []),
    Sound("two extensions", table(extensions=["a", "b-2"]), []),
    Sound("an extension of 32 letters", table(extensions=["x" * 32]), []),
    Sound("an event of an extension", table(event("session.Thrown", height=3), extensions=["dice-tower"]), []),
    Sound("an event of no known kind", table(event("", x=[{"y": "z"}]), event("other.Thing"), extensions=["dice-tower"]), []),
    Sound("a field of an extension", table(event("session.Narrated", text="Quiet.", loud=True), extensions=["dice-tower"]), []),
    Sound("events that lack fields", table(event("session.Drawn"), event("session.PresenceSet"), event("session.Opened"), extensions=["dice-tower"]), []),
    Sound("draws of other rules", table(valued(ENTROPY, OTHER), void_after(0), place(9, 9), extensions=["dice-tower"]), []),
    Sound("free rolls beside an unknown extension", table(free_roll, extensions=["dice-tower", "rolls"]), []),
    Sound("turns of another order", table(words(turn=90), words(turn=3), extensions=["dice-tower"]), []),
]  # fmt: skip
