"""The faults of logs whose seats draw together: what is tried, with whose keys, and the code that must say so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import Values
from domain.codec import encode
from domain.decider import Role
from domain.log_file import EventLine, parse_lines
from domain.proof import merkle_tree
from domain.proof.hash_chain import links, receipt_message
from domain.recorded_event import RecordedEvent, leaf_of
from domain.session.contributions import contribution_json, seat_event_of
from domain.session.messages import (
    ChainAnchored,
    Closed,
    Declared,
    Drawn,
    DrawVoided,
    Narrated,
    PresenceSet,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatTaken,
)
from domain.session.state import HOUSE
from domain.verify import Evidence
from domain.verify.receipts import read_receipts
from service.platform.keys import Signer
from tests.domain import broken_table_draws as t
from tests.domain.broken_logs import BYTES, DRAWS, RULES, TREE, Fault, with_body
from tests.domain.broken_table_draws import (
    EVERYONE,
    behind,
    body,
    by_seat,
    changed,
    contributed,
    drawing,
    facts,
    find,
)
from tests.support.example import brought
from tests.support.sessions import wish_of

STRANGER = Signer(bytes(32))
CLEO = wish_of(brought("cleo", "Cleo")).command
"""A wish that asks for no chance."""
VOID, SECRET_VOID, SECRET, UNDONE, LAST = (t.declared_at(k) for k in (1, 4, 5, 6, 7))
FIRST, AGAIN, TALKED = (t.declared_at(k) for k in (0, 2, 3))
END = t.ended_at(3)
SIZE = len(facts())
NOISE, REWOUND, ROLLED, LEFT = (
    find(Narrated),
    find(Rewound),
    find(ChainAnchored),
    find(SeatLeft, seat="p1"),
)
BACK = LEFT + 1
AWAY = ROLLED - 1
OPENED_VOID, OPENED = find(SealOpened, k=4), find(SealOpened, k=5)
QUIET = REWOUND
"""A version behind which no draw waits and p1 and p2 are there."""


def hosted(given: Sequence[RecordedEvent]) -> list[bytes]:
    """With the log's key and the house's."""
    return t.lines(t.host(given))


def together(given: Sequence[RecordedEvent]) -> list[bytes]:
    """With every key at the table."""
    return t.lines(t.host(given, EVERYONE))


def pinned(size: int) -> Callable[[], Evidence]:
    return lambda: Evidence(key=t.vkey(), checkpoints=(t.note_of(facts(), size),))


def without_giver(version: int, seat: str, given: Sequence[RecordedEvent]) -> list[RecordedEvent]:
    """A draw without what a seat gave."""
    fact = given[version - 1]
    assert isinstance(fact.body, Drawn)
    left = tuple(each for each in fact.body.contributions if each.seat != seat)
    return [
        *given[: version - 1],
        with_body(fact, replace(fact.body, contributions=left)),
        *given[version:],
    ]


def places(
    version: int,
    *,
    without: Collection[str] = (),
    more: Sequence[tuple[str, int, int]] = (),
    by: int = 0,
) -> list[RecordedEvent]:
    known = body(version).draw.contributors
    moved = tuple((seat, chain, at + by) for seat, chain, at in known if seat not in without)
    return drawing(version, contributors=(*moved, *more))


def one_place(version: int, whose: str, by: int) -> list[RecordedEvent]:
    known = body(version).draw.contributors
    return drawing(
        version,
        contributors=tuple((seat, chain, at + by * (seat == whose)) for seat, chain, at in known),
    )


def stranger_sits(seat: str, version: int, **fields: object) -> list[RecordedEvent]:
    """A seat is taken with a stranger's key, signed as that is."""
    unsigned = replace(
        SeatTaken(Role.PLAYER, seat, "ab" * 32, 0, 9, STRANGER.public.hex(), "00" * 64), **fields
    )
    signed = replace(
        unsigned, signature=STRANGER.sign(seat_event_of(t.evening().id, unsigned)).hex()
    )
    return behind(version, (seat, signed))


def forged(version: int, **fields: object) -> list[RecordedEvent]:
    """A seat's own event as the host would have it, under the host's signature."""
    event = replace(body(version), **fields)
    sign = t.evening().house_key.sign
    return changed(version, **fields, signature=sign(seat_event_of(t.evening().id, event)).hex())


def host_says(event: PresenceSet | SeatLeft) -> PresenceSet | SeatLeft:
    signed = t.evening().house_key.sign(seat_event_of(t.evening().id, event))
    return replace(event, signature=signed.hex())


def another_link(chain: int, position: int, seat: str = "p1") -> str:
    return t.evening().devices[seat].chains[chain][position].hex()


def of_another_session() -> str:
    """The same secret's link in another session."""
    last = t.evening().devices["p1"].chains[0][-1]
    position: int = body(TALKED).draw.contributors[2][2]
    return links(bytes(16), "p1", 0, last, 90)[position].hex()


def swapped_contributions() -> list[RecordedEvent]:
    given = body(END).contributions
    return changed(END, contributions=(*given[2:], *given[:2]))


def doubled_contribution() -> list[RecordedEvent]:
    given = body(END).contributions
    return changed(END, contributions=(*given, given[-1]))


def in_undone_places() -> list[RecordedEvent]:
    """The last draw with what its seats gave to the one that the rewind undid."""
    return changed(
        t.ended_at(7),
        contributions=body(t.ended_at(6)).contributions,
        values=body(t.ended_at(6)).values,
    )


def played_again() -> list[RecordedEvent]:
    """The undone branch once more, behind the rewind."""
    end = t.ended_at(6) + 1
    turn = [replace(fact, turn=90_000) for fact in facts()[UNDONE - 1 : end]]
    return [*facts()[:REWOUND], *turn, *facts()[REWOUND:]]


def swapped_openings(one: int, other: int) -> list[bytes]:
    entries = [part for part in parse_lines(t.lines()) if isinstance(part, EventLine)]
    given = t.lines()
    for to, of in ((one, other), (other, one)):
        given[to] = (
            encode({"leaf": entries[to - 1].leaf, "opening": entries[of - 1].opening}) + b"\n"
        )
    return given


def sixty_five() -> list[RecordedEvent]:
    held = len(t.evening().session.info.seats)
    given = facts()
    for nth in range(65 - held):
        like = replace(given[QUIET - 1], seat=f"z{nth}", turn=90_000 + nth)
        given.insert(QUIET + nth, with_body(like, SeatTaken(Role.PLAYER, f"z{nth}")))
    return given


def receipts() -> Evidence:
    """What p1 gave to a draw, with the house's word that it holds it."""
    (given,) = (each for each in body(t.ended_at(1)).contributions if each.seat == "p1")
    request = merkle_tree.leaf_hash(leaf_of(facts()[VOID - 1])).hex()
    told = contribution_json(t.evening().id, 1, request, given)
    signed = t.evening().house_key.sign(receipt_message(told)).hex()
    return Evidence(
        receipts=read_receipts(
            b'[{"contribution":%s,"receipt":"%s"}]' % (told, signed.encode())
        ).receipts
    )


def denied() -> list[RecordedEvent]:
    """The void that names p1 as well, whose contribution it leaves out."""
    known = body(t.ended_at(1))
    left = tuple(each for each in known.contributions if each.seat != "p1")
    return changed(t.ended_at(1), contributions=left, missing=("p1", "p2"))


def other_values(values: Values) -> Values:
    return tuple((sides, face % sides + 1) for sides, face in values)


def other_chain(version: int, seat: str, number: int) -> list[RecordedEvent]:
    """A declaration that names another chain of a seat."""
    known = body(version).draw.contributors
    return drawing(
        version,
        contributors=tuple(
            (name, number if name == seat else chain, at) for name, chain, at in known
        ),
    )


def back_while_it_waits() -> list[RecordedEvent]:
    """p2 leaves and brings its next chain: to the draw that waits it gives the anchor, which all know."""
    anchor = another_link(1, 0, "p2")
    key = t.evening().devices["p2"].signer.public.hex()
    given = contributed(END, "p2", chain=1, position=0, link=anchor)
    like = replace(given[TALKED - 1], seat="p2")
    more = [
        with_body(replace(like, turn=90_000), SeatLeft(3, "p2", "00" * 64)),
        with_body(
            replace(like, turn=90_001), SeatTaken(Role.PLAYER, "p2", anchor, 1, 9, key, "00" * 64)
        ),
    ]
    return [*given[:TALKED], *more, *given[TALKED:]]


def nobody_missing() -> list[RecordedEvent]:
    given, fact = facts(), facts()[END - 1]
    given[END - 1] = with_body(fact, DrawVoided(body(END).contributions, body(END).k, ()))
    return given


def with_values(version: int) -> list[RecordedEvent]:
    """An event with a field that only a draw that was made has."""
    given, fact = facts(), facts()[version - 1]
    given[version - 1] = replace(fact, raw=fact.raw[:-1] + b',"values":[[6,1]]}')
    return given


ROWS = [
    # the set of those who give
    Fault("a giver left out of the declaration", lambda: hosted(places(TALKED, without=["p2"])), DRAWS, "E_CONTRIBUTORS", TALKED),
    Fault("a giver left out, and the draw made without it", lambda: hosted(without_giver(END, "p2", places(TALKED, without=["p2"]))), DRAWS, "E_CONTRIBUTORS", TALKED),
    Fault("a giver dropped when all had given", lambda: hosted(without_giver(END, "p2", facts())), DRAWS, "E_CONTRIBUTORS", END),
    Fault("a giver dropped, with every key", lambda: together(without_giver(END, "p2", facts())), DRAWS, "E_CONTRIBUTORS", END),
    Fault("a custodial seat said to give", lambda: hosted(places(TALKED, more=[("p3", 0, 1)])), DRAWS, "E_CONTRIBUTORS", TALKED),
    Fault("a seat that is absent said to give", lambda: hosted(places(AGAIN, more=[("p2", 0, 3)])), DRAWS, "E_CONTRIBUTORS", AGAIN),
    Fault("a giver named twice", lambda: hosted(places(TALKED, more=[("p2", 0, 4)])), DRAWS, "E_CONTRIBUTORS", TALKED),
    Fault("the house alone where seats are there", lambda: hosted(places(TALKED, without=["gm", "p1", "p2"])), DRAWS, "E_CONTRIBUTORS", TALKED),
    Fault("the house left out", lambda: hosted(places(TALKED, without=[HOUSE])), DRAWS, "E_CONTRIBUTORS", TALKED),
    Fault("a contribution twice", lambda: together(doubled_contribution()), DRAWS, "E_CONTRIBUTORS", END),
    Fault("contributions in another order", lambda: hosted(swapped_contributions()), DRAWS, "E_CONTRIBUTORS", END),
    Fault("a table said to be the house's", lambda: hosted(changed(1, draws="house")), DRAWS, "E_CONTRIBUTORS", FIRST),
    # two requests for one draw, and two logs
    Fault("another request than the one that was answered", lambda: hosted(changed(TALKED, command=body(FIRST).command, target=3)), DRAWS, "E_SIGNATURE", END),
    Fault("the same request in another log", lambda: hosted(changed(NOISE, text="Nothing.")), DRAWS, "E_FORK", END),
    Fault("an old event edited, all that the host can sign signed anew", lambda: hosted(changed(4, name="Gus")), DRAWS, "E_FORK", FIRST + 1),
    Fault("the same with the log's key pinned", lambda: hosted(changed(4, name="Gus")), DRAWS, "E_FORK", FIRST + 1, lambda: Evidence(key=t.vkey())),
    Fault("the same with a checkpoint kept", lambda: hosted(changed(4, name="Gus")), TREE, "E_INCONSISTENT", 12, pinned(12)),
    Fault("an old event edited with every key, a checkpoint kept", lambda: together(changed(4, name="Gus")), TREE, "E_INCONSISTENT", 12, pinned(12)),
    Fault("two roots of one size", lambda: together(changed(4, name="Gus")), TREE, "E_SPLIT_VIEW", SIZE, pinned(SIZE)),
    Fault("the end cut off by one turn, a checkpoint kept", lambda: hosted(facts()[:-2]), TREE, "E_TRUNCATED", SIZE - 1, pinned(SIZE)),
    Fault("the end cut off by one event", lambda: hosted(facts()[:-1]), RULES, "E_OUTCOME", SIZE),
    Fault("the last line removed", lambda: [*t.lines()[:-2], t.lines()[-1]], TREE, "E_TRUNCATED", SIZE),
    Fault("an opening swapped", lambda: swapped_openings(4, 6), BYTES, "E_BODY", 4),
    Fault("words left out", lambda: hosted(t.without(NOISE)), DRAWS, "E_FORK", END - 1),
    Fault("the undone branch played again", lambda: hosted(played_again()), DRAWS, "E_DRAW_INDEX", REWOUND + 1),
    Fault("a rewind left out", lambda: hosted(t.without(REWOUND)), DRAWS, "E_SIGNATURE", t.ended_at(7) - 1),
    # links, chains, positions
    Fault("a link of another seat", lambda: together(contributed(END, "p1", link=another_link(0, 4, "p2"))), DRAWS, "E_CHAIN", END),
    Fault("a link of another chain", lambda: together(contributed(END, "p2", link=another_link(1, 4, "p2"))), DRAWS, "E_CHAIN", END),
    Fault("a link of another position", lambda: together(contributed(END, "p1", link=another_link(0, 5))), DRAWS, "E_CHAIN", END),
    Fault("a link of another session", lambda: together(contributed(END, "p1", link=of_another_session())), DRAWS, "E_CHAIN", END),
    Fault("a link that the host made up", lambda: hosted(contributed(END, "p1", link="ab" * 32)), DRAWS, "E_CHAIN", END),
    Fault("a house's link that is not the next", lambda: hosted(contributed(END, HOUSE, link="ab" * 32)), DRAWS, "E_CHAIN", END),
    Fault("what was given to an undone draw, given again", lambda: hosted(in_undone_places()), DRAWS, "E_POSITION", t.ended_at(7)),
    Fault("an undone draw's places taken again", lambda: hosted(drawing(LAST, contributors=body(UNDONE).draw.contributors)), DRAWS, "E_POSITION", LAST),
    Fault("an undone draw's number taken again", lambda: hosted(drawing(LAST, k=6)), DRAWS, "E_DRAW_INDEX", LAST),
    Fault("a place skipped behind a void", lambda: together(places(AGAIN, by=1)), DRAWS, "E_POSITION", AGAIN),
    Fault("a void's places used again", lambda: together(places(AGAIN, by=-1)), DRAWS, "E_POSITION", AGAIN),
    Fault("the place that a silent seat did not use, used", lambda: together(one_place(TALKED, "p2", -1)), DRAWS, "E_POSITION", TALKED),
    Fault("a contribution at another place", lambda: together(contributed(END, "p1", position=5)), DRAWS, "E_POSITION", END),
    Fault("a contribution that its seat did not sign", lambda: hosted(contributed(END, "p1", signature=t.evening().house_key.sign(b"").hex())), DRAWS, "E_SIGNATURE", END),
    Fault("a value bent", lambda: together(changed(END, values=other_values(body(END).values))), DRAWS, "E_VALUES", END),
    # seats' own events
    Fault("an anchor copied", lambda: t.lines(t.host(stranger_sits("p3", 10, anchor=another_link(0, 0)))), DRAWS, "E_ANCHOR", 11),
    Fault("a key copied", lambda: hosted(stranger_sits("p3", 10, public_key=t.evening().devices["p1"].signer.public.hex())), DRAWS, "E_ANCHOR", 11),
    Fault("a chain for a seat that has one", lambda: hosted(stranger_sits("p1", QUIET, chain=1)), DRAWS, "E_ANCHOR", QUIET + 1),
    Fault("a stranger's key for who comes back", lambda: hosted(stranger_sits("p1", LEFT, chain=1)), DRAWS, "E_ANCHOR", LEFT + 1),
    Fault("who comes back without a chain", lambda: hosted(changed(BACK, **dict.fromkeys(("anchor", "chain", "length", "public_key", "signature"), UNSET))), DRAWS, "E_SIGNATURE", BACK),
    Fault("half a chain", lambda: together(changed(BACK, length=UNSET)), DRAWS, "E_FORMAT", BACK),
    Fault("the next chain of a seat by the host", lambda: hosted(forged(ROLLED, anchor="ab" * 32)), DRAWS, "E_SIGNATURE", ROLLED),
    Fault("the chain of who comes back by the host", lambda: hosted(forged(BACK, anchor="ab" * 32)), DRAWS, "E_SIGNATURE", BACK),
    Fault("a chain's number skipped", lambda: together(changed(ROLLED, chain=2)), DRAWS, "E_CHAIN", ROLLED),
    Fault("an old link that is not the next", lambda: together(changed(ROLLED, previous_link="ab" * 32)), DRAWS, "E_CHAIN", ROLLED),
    Fault("an anchor used again", lambda: together(changed(ROLLED, anchor=another_link(0, 0))), DRAWS, "E_ANCHOR", ROLLED),
    Fault("a seat said to be absent, without a void before", lambda: hosted(behind(QUIET, (HOUSE, PresenceSet(1, False, "gm")))), DRAWS, "E_SIGNATURE", QUIET + 1),
    Fault("the same in the seat's name", lambda: hosted(behind(QUIET, ("gm", PresenceSet(1, False, "gm")))), DRAWS, "E_SIGNATURE", QUIET + 1),
    Fault("the same under the host's signature", lambda: hosted(behind(QUIET, ("gm", host_says(PresenceSet(1, False, "gm"))))), DRAWS, "E_SIGNATURE", QUIET + 1),
    Fault("an absence of earlier played again", lambda: hosted(behind(LAST - 1, ("p2", body(AWAY)))), DRAWS, "E_SIGNATURE", LAST),
    Fault("a seat said to have left", lambda: hosted(behind(QUIET, ("p2", SeatLeft(5, "p2")))), DRAWS, "E_SIGNATURE", QUIET + 1),
    Fault("the same under the host's signature, of the GM's doing", lambda: hosted(behind(QUIET, ("gm", host_says(SeatLeft(5, "p2"))))), DRAWS, "E_SIGNATURE", QUIET + 1),
    Fault("a seat sent away by the house behind a void", lambda: hosted(behind(t.ended_at(1), (HOUSE, SeatLeft(1, "p2")))[: t.ended_at(1) + 1]), RULES, "E_ROLE", t.ended_at(1) + 1),
    Fault("a seat said to be there again by the house", lambda: hosted(behind(t.ended_at(4) + 2, (HOUSE, PresenceSet(1, True, "p1")))), DRAWS, "E_SIGNATURE", t.ended_at(4) + 3),
    Fault("a custodial seat sent away by the house", lambda: hosted(behind(10, (HOUSE, SeatLeft(1, "p3")))[:11]), RULES, "E_ROLE", 11),
    Fault("a seat taken by the house", lambda: hosted(behind(10, (HOUSE, SeatTaken(Role.PLAYER, "p4")))[:11]), RULES, "E_ROLE", 11),
    Fault("a seat's word by another seat", lambda: hosted(by_seat(AWAY, "p1")[:AWAY]), RULES, "E_ROLE", AWAY),
    Fault("a seat that was never taken leaves", lambda: hosted(behind(QUIET, ("p9", SeatLeft(1, "p9")))), DRAWS, "E_ANCHOR", QUIET + 1),
    Fault("sixty-five seats", lambda: together(sixty_five()), RULES, "E_OUTCOME", QUIET + 65 - len(t.evening().session.info.seats)),
    # while a draw waits
    Fault("a wish while a draw waits", lambda: hosted(behind(TALKED, ("gm", Declared(CLEO)))), DRAWS, "E_ORDER", TALKED + 1),
    Fault("another draw while one waits", lambda: hosted(behind(TALKED, ("p1", body(TALKED)))[: TALKED + 1]), DRAWS, "E_ORDER", TALKED + 1),
    Fault("a rewind while a draw waits", lambda: hosted(behind(TALKED, ("gm", Rewound("no", 2)))), DRAWS, "E_ORDER", TALKED + 1),
    Fault("a close while a draw waits", lambda: hosted(behind(TALKED, ("gm", Closed({}, {})))), DRAWS, "E_ORDER", TALKED + 1),
    Fault("a next chain while a draw waits", lambda: together(behind(TALKED, ("p2", body(ROLLED)))), DRAWS, "E_ORDER", TALKED + 1),
    Fault("a signed absence while a draw waits", lambda: together(behind(TALKED, ("gm", t.seat_signed(PresenceSet(1, False, "gm", "00" * 64))))[: TALKED + 1]), RULES, "E_OUTCOME", TALKED + 1),
    Fault("a custodial seat leaves while a draw waits", lambda: together(behind(TALKED, ("p3", SeatLeft(1, "p3")))), RULES, "E_OUTCOME", TALKED + 1),
    Fault("words in the turn of the draw that waits", lambda: together(behind(TALKED, ("p3", Narrated("So?")), turn=body_turn(TALKED))), DRAWS, "E_ORDER", TALKED + 1),
    Fault("words in its turn behind others", lambda: together(behind(NOISE, ("p3", Narrated("So?")), turn=body_turn(TALKED))), DRAWS, "E_ORDER", NOISE + 1),
    Fault("facts in its turn before the draw is made", lambda: together(behind(NOISE, ("p1", body(END + 1)), turn=body_turn(TALKED))), DRAWS, "E_ORDER", NOISE + 1),
    Fault("a draw made twice", lambda: together([*facts()[:END], facts()[END - 1], *facts()[END:]]), DRAWS, "E_ORDER", END + 1),
    Fault("a draw made and then given up", lambda: together(behind(END, (HOUSE, body(t.ended_at(1))), turn=body_turn(TALKED))), DRAWS, "E_ORDER", END + 1),
    Fault("a draw made in a turn of its own", lambda: together([replace(fact, turn=90_000) if fact.version in (END, END + 1) else fact for fact in facts()]), DRAWS, "E_TURN", END),
    # voids
    Fault("a void that names who gave", lambda: hosted(changed(t.ended_at(1), missing=("p1", "p2"))), DRAWS, "E_CONTRIBUTORS", t.ended_at(1)),
    Fault("a void that names who was not asked", lambda: hosted(changed(t.ended_at(1), missing=("p2", "p3"))), DRAWS, "E_CONTRIBUTORS", t.ended_at(1)),
    Fault("a void that names nobody", lambda: hosted(changed(t.ended_at(1), missing=())), DRAWS, "E_CONTRIBUTORS", t.ended_at(1)),
    Fault("a void without the house's link", lambda: hosted(changed(t.ended_at(1), contributions=tuple(each for each in body(t.ended_at(1)).contributions if each.seat != HOUSE), missing=("house", "p2"))), DRAWS, "E_CONTRIBUTORS", t.ended_at(1)),
    Fault("a void of another draw", lambda: hosted(changed(t.ended_at(1), k=0)), DRAWS, "E_DRAW_INDEX", t.ended_at(1)),
    Fault("a void that nobody waited for", lambda: hosted(behind(QUIET, (HOUSE, body(t.ended_at(1))))), DRAWS, "E_ORDER", QUIET + 1),
    Fault("facts behind a void", lambda: together(behind(t.ended_at(1), ("p1", body(FIRST + 2)), turn=body_turn(VOID))), RULES, "E_OUTCOME", t.ended_at(1) + 1),
    Fault("a void of what asks for no chance", lambda: together(changed(VOID, command=CLEO)), RULES, "E_OUTCOME", VOID),
    Fault("a void by who had asked", lambda: together(by_seat(t.ended_at(1), "p1")), RULES, "E_OUTCOME", t.ended_at(1)),
    Fault("a void of a seat that holds a receipt", lambda: hosted(denied()[: t.ended_at(1)]), DRAWS, "E_ORDER", t.ended_at(1), receipts),
    # secrets
    Fault("another command opened", lambda: hosted(changed(OPENED, command=body(FIRST).command)), DRAWS, "E_BODY", OPENED),
    Fault("another blind opened", lambda: hosted(changed(OPENED, blind="00" * 32)), DRAWS, "E_BLIND", OPENED),
    Fault("other values opened", lambda: hosted(changed(OPENED, values=other_values(body(OPENED).values))), DRAWS, "E_VALUES", OPENED),
    Fault("another command of a void opened", lambda: hosted(changed(OPENED_VOID, command=body(FIRST).command)), DRAWS, "E_BODY", OPENED_VOID),
    Fault("another blind of a void opened", lambda: hosted(changed(OPENED_VOID, blind="00" * 32)), DRAWS, "E_BLIND", OPENED_VOID),
    Fault("values of a secret void", lambda: hosted(changed(OPENED_VOID, values=body(OPENED).values)), DRAWS, "E_VALUES", OPENED_VOID),
    Fault("a secret void opened twice", lambda: hosted(behind(OPENED_VOID, ("gm", body(OPENED_VOID)))), DRAWS, "E_ORDER", OPENED_VOID + 1),
    # the same with seats that go, come back, or were never there
    Fault("a stranger said to give", lambda: hosted(places(TALKED, more=[("p9", 0, 2)])), DRAWS, "E_CONTRIBUTORS", TALKED),
    Fault("a seat that left said to give", lambda: hosted(t.without(BACK)), DRAWS, "E_CONTRIBUTORS", LAST - 1),
    Fault("an old chain used on", lambda: together(other_chain(LAST, "p2", 0)), DRAWS, "E_POSITION", LAST),
    Fault("a chain that nobody anchored", lambda: together(other_chain(TALKED, "p1", 1)), DRAWS, "E_ANCHOR", TALKED),
    Fault("a contribution of another chain", lambda: together(contributed(END, "p1", chain=1)), DRAWS, "E_POSITION", END),
    Fault("a contribution of a chain that came while the draw waited", lambda: together(back_while_it_waits()), DRAWS, "E_POSITION", END + 2),
    Fault("a contribution signed for another draw", lambda: hosted(contributed(END, "p1", signature=body(t.ended_at(0)).contributions[2].signature)), DRAWS, "E_SIGNATURE", END),
    Fault("a void behind a void", lambda: together(behind(t.ended_at(1), (HOUSE, body(t.ended_at(1))), turn=body_turn(VOID))), DRAWS, "E_ORDER", t.ended_at(1) + 1),
    Fault("values behind a void", lambda: together(behind(t.ended_at(1), (HOUSE, replace(body(END), k=1)), turn=body_turn(VOID))), DRAWS, "E_ORDER", t.ended_at(1) + 1),
    Fault("a void with values", lambda: t.lines(with_values(t.ended_at(1))), BYTES, "E_FORMAT", t.ended_at(1)),
    Fault("a void to which all gave", lambda: together(nobody_missing()), DRAWS, "E_CONTRIBUTORS", END),
    Fault("the missing in another order", lambda: hosted(changed(t.ended_at(4), missing=("p2", "p1"))), DRAWS, "E_CONTRIBUTORS", t.ended_at(4)),
    Fault("who came back said to be absent once more", lambda: hosted(behind(LAST - 1, (HOUSE, PresenceSet(3, False, "p2")))), DRAWS, "E_SIGNATURE", LAST),
    Fault("a signature of a seat without a key", lambda: hosted(behind(10, ("p3", SeatLeft(1, "p3", "00" * 64)))), DRAWS, "E_SIGNATURE", 11),
    Fault("a length beyond an index", lambda: t.lines(changed(BACK, length=2**32)), BYTES, "E_FORMAT", BACK),
    Fault("a chain of no links that gives", lambda: together(changed(BACK, length=0)), DRAWS, "E_CONTRIBUTORS", LAST),
    Fault("the house without a chain", lambda: hosted(behind(10, (HOUSE, SeatTaken(Role.HOUSE, HOUSE)))), DRAWS, "E_FORMAT", 11),
    Fault("a chain's number again on coming back", lambda: together(changed(BACK, chain=0)), DRAWS, "E_CHAIN", BACK),
    Fault("a newcomer's chain with a number skipped", lambda: hosted(stranger_sits("p4", 10, chain=1)), DRAWS, "E_CHAIN", 11),
    Fault("a chain's number again", lambda: together(changed(ROLLED, chain=0)), DRAWS, "E_CHAIN", ROLLED),
    Fault("the last link of the old chain again", lambda: together(changed(ROLLED, previous_link=another_link(0, 1, "p2"))), DRAWS, "E_CHAIN", ROLLED),
    Fault("a next chain for a seat that has none", lambda: hosted(behind(10, ("p3", replace(body(ROLLED), seat="p3")))), DRAWS, "E_ANCHOR", 11),
    Fault("a next chain that nobody signed", lambda: hosted(changed(ROLLED, signature="00" * 64)), DRAWS, "E_SIGNATURE", ROLLED),
    Fault("a seal opened while its draw waits", lambda: hosted(behind(SECRET, ("gm", body(OPENED)))), DRAWS, "E_ORDER", SECRET + 1),
]  # fmt: skip


def body_turn(version: int) -> int:
    return facts()[version - 1].turn
