"""The attack table of draws at the table: what is tried, with whose keys, and the code or the warning that says so.

`by` names who notices: `verify`, whoever checks the log, and `client`, a seat's own device while the draw waits.
"""
# ruff: noqa: E501 a row is a line

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.bundle import Entry, parts
from domain.chance import Values
from domain.codec import encode
from domain.decider import By, Role
from domain.fact import Fact, leaf_of
from domain.proof import tree
from domain.proof.chain import links, receipt_message
from domain.session.draws import Means, finish_draw, take_turn
from domain.session.giving import contribution_json, seat_event_of
from domain.session.messages import (
    ChainAnchored,
    Closed,
    Declared,
    Drawn,
    Narrate,
    Narrated,
    PresenceSet,
    Rewind,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatTaken,
    SetPresence,
)
from domain.session.state import HOUSE
from domain.verify import Known, Report, read_receipts
from service.signing import Signer
from tests.domain import bending_tables as t
from tests.domain.bending import with_body
from tests.domain.bending_tables import (
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
from tests.example import EXAMPLE, FACES, brought, to_draw
from tests.scale import scale
from tests.tables import TableEvening, wish_of

VERIFY, BOTH = "verify", "verify, client"
BYTES, TREE, DRAWS, RULES = "bytes", "tree", "draws", "rules"
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


class Attack(NamedTuple):
    what: str
    bent: Callable[[], list[bytes]]
    rung: str
    code: str
    version: int
    by: str = VERIFY
    known: Callable[[], Known] = Known


def hosted(given: Sequence[Fact]) -> list[bytes]:
    """With the log's key and the house's."""
    return t.lines(t.host(given))


def together(given: Sequence[Fact]) -> list[bytes]:
    """With every key at the table."""
    return t.lines(t.host(given, EVERYONE))


def pinned(size: int) -> Callable[[], Known]:
    return lambda: Known(key=t.vkey(), checkpoints=(t.note_of(facts(), size),))


def without_giver(version: int, seat: str, given: Sequence[Fact]) -> list[Fact]:
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
) -> list[Fact]:
    known = body(version).draw.contributors
    moved = tuple((seat, chain, at + by) for seat, chain, at in known if seat not in without)
    return drawing(version, contributors=(*moved, *more))


def one_place(version: int, whose: str, by: int) -> list[Fact]:
    known = body(version).draw.contributors
    return drawing(
        version,
        contributors=tuple((seat, chain, at + by * (seat == whose)) for seat, chain, at in known),
    )


def stranger_sits(seat: str, version: int, **fields: object) -> list[Fact]:
    """A seat is taken with a stranger's key, signed as that is."""
    unsigned = replace(
        SeatTaken(Role.PLAYER, seat, "ab" * 32, 0, 9, STRANGER.public.hex(), "00" * 64), **fields
    )
    signed = replace(
        unsigned, signature=STRANGER.sign(seat_event_of(t.evening().id, unsigned)).hex()
    )
    return behind(version, (seat, signed))


def forged(version: int, **fields: object) -> list[Fact]:
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


def swapped_contributions() -> list[Fact]:
    given = body(END).contributions
    return changed(END, contributions=(*given[2:], *given[:2]))


def doubled_contribution() -> list[Fact]:
    given = body(END).contributions
    return changed(END, contributions=(*given, given[-1]))


def in_undone_places() -> list[Fact]:
    """The last draw with what its seats gave to the one that the rewind undid."""
    return changed(
        t.ended_at(7),
        contributions=body(t.ended_at(6)).contributions,
        values=body(t.ended_at(6)).values,
    )


def played_again() -> list[Fact]:
    """The undone branch once more, behind the rewind."""
    end = t.ended_at(6) + 1
    turn = [replace(fact, turn=90_000) for fact in facts()[UNDONE - 1 : end]]
    return [*facts()[:REWOUND], *turn, *facts()[REWOUND:]]


def swapped_openings(one: int, other: int) -> list[bytes]:
    entries = [part for part in parts(t.lines()) if isinstance(part, Entry)]
    given = t.lines()
    for to, of in ((one, other), (other, one)):
        given[to] = (
            encode({"leaf": entries[to - 1].leaf, "opening": entries[of - 1].opening}) + b"\n"
        )
    return given


def sixty_five() -> list[Fact]:
    held = len(t.evening().session.frame.seats)
    given = facts()
    for nth in range(65 - held):
        like = replace(given[QUIET - 1], seat=f"z{nth}", turn=90_000 + nth)
        given.insert(QUIET + nth, with_body(like, SeatTaken(Role.PLAYER, f"z{nth}")))
    return given


def receipts() -> Known:
    """What p1 gave to a draw, with the house's word that it holds it."""
    (given,) = (each for each in body(t.ended_at(1)).contributions if each.seat == "p1")
    request = tree.leaf_hash(leaf_of(facts()[VOID - 1])).hex()
    told = contribution_json(t.evening().id, 1, request, given)
    signed = t.evening().house_key.sign(receipt_message(told)).hex()
    return Known(
        receipts=read_receipts(b'[{"contribution":%s,"receipt":"%s"}]' % (told, signed.encode()))
    )


def denied() -> list[Fact]:
    """The void that names p1 as well, whose contribution it leaves out."""
    known = body(t.ended_at(1))
    left = tuple(each for each in known.contributions if each.seat != "p1")
    return changed(t.ended_at(1), contributions=left, missing=("p1", "p2"))


def other_values(values: Values) -> Values:
    return tuple((sides, face % sides + 1) for sides, face in values)


ATTACKS = [
    # the set of those who give
    Attack("a giver left out of the declaration", lambda: hosted(places(TALKED, without=["p2"])), DRAWS, "E_CONTRIBUTORS", TALKED, BOTH),
    Attack("a giver left out, and the draw made without it", lambda: hosted(without_giver(END, "p2", places(TALKED, without=["p2"]))), DRAWS, "E_CONTRIBUTORS", TALKED, BOTH),
    Attack("a giver dropped when all had given", lambda: hosted(without_giver(END, "p2", facts())), DRAWS, "E_CONTRIBUTORS", END),
    Attack("a giver dropped, with every key", lambda: together(without_giver(END, "p2", facts())), DRAWS, "E_CONTRIBUTORS", END),
    Attack("a custodial seat said to give", lambda: hosted(places(TALKED, more=[("p3", 0, 1)])), DRAWS, "E_CONTRIBUTORS", TALKED),
    Attack("a seat that is absent said to give", lambda: hosted(places(AGAIN, more=[("p2", 0, 3)])), DRAWS, "E_CONTRIBUTORS", AGAIN),
    Attack("a giver named twice", lambda: hosted(places(TALKED, more=[("p2", 0, 4)])), DRAWS, "E_CONTRIBUTORS", TALKED),
    Attack("the house alone where seats are there", lambda: hosted(places(TALKED, without=["gm", "p1", "p2"])), DRAWS, "E_CONTRIBUTORS", TALKED, BOTH),
    Attack("the house left out", lambda: hosted(places(TALKED, without=[HOUSE])), DRAWS, "E_CONTRIBUTORS", TALKED, BOTH),
    Attack("a contribution twice", lambda: together(doubled_contribution()), DRAWS, "E_CONTRIBUTORS", END),
    Attack("contributions in another order", lambda: hosted(swapped_contributions()), DRAWS, "E_CONTRIBUTORS", END),
    Attack("a table said to be the house's", lambda: hosted(changed(1, draws="house")), DRAWS, "E_CONTRIBUTORS", FIRST),
    # two requests for one draw, and two logs
    Attack("another request than the one that was answered", lambda: hosted(changed(TALKED, command=body(FIRST).command, target=3)), DRAWS, "E_SIGNATURE", END, BOTH),
    Attack("the same request in another log", lambda: hosted(changed(NOISE, text="Nothing.")), DRAWS, "E_FORK", END, BOTH),
    Attack("an old event edited, all that the host can sign signed anew", lambda: hosted(changed(4, name="Gus")), DRAWS, "E_FORK", FIRST + 1),
    Attack("the same with the log's key pinned", lambda: hosted(changed(4, name="Gus")), DRAWS, "E_FORK", FIRST + 1, VERIFY, lambda: Known(key=t.vkey())),
    Attack("the same with a checkpoint kept", lambda: hosted(changed(4, name="Gus")), TREE, "E_INCONSISTENT", 12, BOTH, pinned(12)),
    Attack("an old event edited with every key, a checkpoint kept", lambda: together(changed(4, name="Gus")), TREE, "E_INCONSISTENT", 12, BOTH, pinned(12)),
    Attack("two roots of one size", lambda: together(changed(4, name="Gus")), TREE, "E_SPLIT_VIEW", SIZE, BOTH, pinned(SIZE)),
    Attack("the end cut off by one turn, a checkpoint kept", lambda: hosted(facts()[:-2]), TREE, "E_TRUNCATED", SIZE - 1, BOTH, pinned(SIZE)),
    Attack("the end cut off by one event", lambda: hosted(facts()[:-1]), RULES, "E_OUTCOME", SIZE),
    Attack("the last line removed", lambda: [*t.lines()[:-2], t.lines()[-1]], TREE, "E_TRUNCATED", SIZE),
    Attack("an opening swapped", lambda: swapped_openings(4, 6), BYTES, "E_BODY", 4),
    Attack("words left out", lambda: hosted(t.without(NOISE)), DRAWS, "E_FORK", END - 1),
    Attack("the undone branch played again", lambda: hosted(played_again()), DRAWS, "E_DRAW_INDEX", REWOUND + 1, BOTH),
    Attack("a rewind left out", lambda: hosted(t.without(REWOUND)), DRAWS, "E_SIGNATURE", t.ended_at(7) - 1),
    # links, chains, positions
    Attack("a link of another seat", lambda: together(contributed(END, "p1", link=another_link(0, 4, "p2"))), DRAWS, "E_CHAIN", END),
    Attack("a link of another chain", lambda: together(contributed(END, "p2", link=another_link(1, 4, "p2"))), DRAWS, "E_CHAIN", END),
    Attack("a link of another position", lambda: together(contributed(END, "p1", link=another_link(0, 5))), DRAWS, "E_CHAIN", END),
    Attack("a link of another session", lambda: together(contributed(END, "p1", link=of_another_session())), DRAWS, "E_CHAIN", END),
    Attack("a link that the host made up", lambda: hosted(contributed(END, "p1", link="ab" * 32)), DRAWS, "E_CHAIN", END),
    Attack("a house's link that is not the next", lambda: hosted(contributed(END, HOUSE, link="ab" * 32)), DRAWS, "E_CHAIN", END),
    Attack("what was given to an undone draw, given again", lambda: hosted(in_undone_places()), DRAWS, "E_POSITION", t.ended_at(7)),
    Attack("an undone draw's places taken again", lambda: hosted(drawing(LAST, contributors=body(UNDONE).draw.contributors)), DRAWS, "E_POSITION", LAST, BOTH),
    Attack("an undone draw's number taken again", lambda: hosted(drawing(LAST, k=6)), DRAWS, "E_DRAW_INDEX", LAST, BOTH),
    Attack("a place skipped behind a void", lambda: together(places(AGAIN, by=1)), DRAWS, "E_POSITION", AGAIN, BOTH),
    Attack("a void's places used again", lambda: together(places(AGAIN, by=-1)), DRAWS, "E_POSITION", AGAIN, BOTH),
    Attack("the place that a silent seat did not use, used", lambda: together(one_place(TALKED, "p2", -1)), DRAWS, "E_POSITION", TALKED, BOTH),
    Attack("a contribution at another place", lambda: together(contributed(END, "p1", position=5)), DRAWS, "E_POSITION", END),
    Attack("a contribution that its seat did not sign", lambda: hosted(contributed(END, "p1", signature=t.evening().house_key.sign(b"").hex())), DRAWS, "E_SIGNATURE", END),
    Attack("a value bent", lambda: together(changed(END, values=other_values(body(END).values))), DRAWS, "E_VALUES", END),
    # seats' own events
    Attack("an anchor copied", lambda: t.lines(t.host(stranger_sits("p3", 10, anchor=another_link(0, 0)))), DRAWS, "E_ANCHOR", 11),
    Attack("a key copied", lambda: hosted(stranger_sits("p3", 10, public_key=t.evening().devices["p1"].signer.public.hex())), DRAWS, "E_ANCHOR", 11),
    Attack("a chain for a seat that has one", lambda: hosted(stranger_sits("p1", QUIET, chain=1)), DRAWS, "E_ANCHOR", QUIET + 1, BOTH),
    Attack("a stranger's key for who comes back", lambda: hosted(stranger_sits("p1", LEFT, chain=1)), DRAWS, "E_ANCHOR", LEFT + 1, BOTH),
    Attack("who comes back without a chain", lambda: hosted(changed(BACK, **dict.fromkeys(("anchor", "chain", "length", "public_key", "signature"), UNSET))), DRAWS, "E_SIGNATURE", BACK, BOTH),
    Attack("half a chain", lambda: together(changed(BACK, length=UNSET)), DRAWS, "E_FORMAT", BACK),
    Attack("the next chain of a seat by the host", lambda: hosted(forged(ROLLED, anchor="ab" * 32)), DRAWS, "E_SIGNATURE", ROLLED, BOTH),
    Attack("the chain of who comes back by the host", lambda: hosted(forged(BACK, anchor="ab" * 32)), DRAWS, "E_SIGNATURE", BACK, BOTH),
    Attack("a chain's number skipped", lambda: together(changed(ROLLED, chain=2)), DRAWS, "E_CHAIN", ROLLED),
    Attack("an old link that is not the next", lambda: together(changed(ROLLED, previous_link="ab" * 32)), DRAWS, "E_CHAIN", ROLLED),
    Attack("an anchor used again", lambda: together(changed(ROLLED, anchor=another_link(0, 0))), DRAWS, "E_ANCHOR", ROLLED),
    Attack("a seat said to be absent, without a void before", lambda: hosted(behind(QUIET, (HOUSE, PresenceSet(1, False, "gm")))), DRAWS, "E_SIGNATURE", QUIET + 1, BOTH),
    Attack("the same in the seat's name", lambda: hosted(behind(QUIET, ("gm", PresenceSet(1, False, "gm")))), DRAWS, "E_SIGNATURE", QUIET + 1, BOTH),
    Attack("the same under the host's signature", lambda: hosted(behind(QUIET, ("gm", host_says(PresenceSet(1, False, "gm"))))), DRAWS, "E_SIGNATURE", QUIET + 1, BOTH),
    Attack("an absence of earlier played again", lambda: hosted(behind(LAST - 1, ("p2", body(AWAY)))), DRAWS, "E_SIGNATURE", LAST, BOTH),
    Attack("a seat said to have left", lambda: hosted(behind(QUIET, ("p2", SeatLeft(5, "p2")))), DRAWS, "E_SIGNATURE", QUIET + 1, BOTH),
    Attack("the same under the host's signature, of the GM's doing", lambda: hosted(behind(QUIET, ("gm", host_says(SeatLeft(5, "p2"))))), DRAWS, "E_SIGNATURE", QUIET + 1, BOTH),
    Attack("a seat sent away by the house behind a void", lambda: hosted(behind(t.ended_at(1), (HOUSE, SeatLeft(1, "p2")))[: t.ended_at(1) + 1]), RULES, "E_ROLE", t.ended_at(1) + 1),
    Attack("a seat said to be there again by the house", lambda: hosted(behind(t.ended_at(4) + 2, (HOUSE, PresenceSet(1, True, "p1")))), DRAWS, "E_SIGNATURE", t.ended_at(4) + 3, BOTH),
    Attack("a custodial seat sent away by the house", lambda: hosted(behind(10, (HOUSE, SeatLeft(1, "p3")))[:11]), RULES, "E_ROLE", 11),
    Attack("a seat taken by the house", lambda: hosted(behind(10, (HOUSE, SeatTaken(Role.PLAYER, "p4")))[:11]), RULES, "E_ROLE", 11),
    Attack("a seat's word by another seat", lambda: hosted(by_seat(AWAY, "p1")[:AWAY]), RULES, "E_ROLE", AWAY),
    Attack("a seat that was never taken leaves", lambda: hosted(behind(QUIET, ("p9", SeatLeft(1, "p9")))), DRAWS, "E_ANCHOR", QUIET + 1),
    Attack("sixty-five seats", lambda: together(sixty_five()), RULES, "E_OUTCOME", QUIET + 65 - len(t.evening().session.frame.seats)),
    # while a draw waits
    Attack("a wish while a draw waits", lambda: hosted(behind(TALKED, ("gm", Declared(CLEO)))), DRAWS, "E_ORDER", TALKED + 1, BOTH),
    Attack("another draw while one waits", lambda: hosted(behind(TALKED, ("p1", body(TALKED)))[: TALKED + 1]), DRAWS, "E_ORDER", TALKED + 1, BOTH),
    Attack("a rewind while a draw waits", lambda: hosted(behind(TALKED, ("gm", Rewound("no", 2)))), DRAWS, "E_ORDER", TALKED + 1, BOTH),
    Attack("a close while a draw waits", lambda: hosted(behind(TALKED, ("gm", Closed({}, {})))), DRAWS, "E_ORDER", TALKED + 1, BOTH),
    Attack("a next chain while a draw waits", lambda: together(behind(TALKED, ("p2", body(ROLLED)))), DRAWS, "E_ORDER", TALKED + 1),
    Attack("a signed absence while a draw waits", lambda: together(behind(TALKED, ("gm", t.seat_signed(PresenceSet(1, False, "gm", "00" * 64))))[: TALKED + 1]), RULES, "E_OUTCOME", TALKED + 1),
    Attack("a custodial seat leaves while a draw waits", lambda: together(behind(TALKED, ("p3", SeatLeft(1, "p3")))), RULES, "E_OUTCOME", TALKED + 1),
    Attack("words in the turn of the draw that waits", lambda: together(behind(TALKED, ("p3", Narrated("So?")), turn=body_turn(TALKED))), DRAWS, "E_ORDER", TALKED + 1),
    Attack("words in its turn behind others", lambda: together(behind(NOISE, ("p3", Narrated("So?")), turn=body_turn(TALKED))), DRAWS, "E_ORDER", NOISE + 1),
    Attack("facts in its turn before the draw is made", lambda: together(behind(NOISE, ("p1", body(END + 1)), turn=body_turn(TALKED))), DRAWS, "E_ORDER", NOISE + 1),
    Attack("a draw made twice", lambda: together([*facts()[:END], facts()[END - 1], *facts()[END:]]), DRAWS, "E_ORDER", END + 1),
    Attack("a draw made and then given up", lambda: together(behind(END, (HOUSE, body(t.ended_at(1))), turn=body_turn(TALKED))), DRAWS, "E_ORDER", END + 1),
    Attack("a draw made in a turn of its own", lambda: together([replace(fact, turn=90_000) if fact.version in (END, END + 1) else fact for fact in facts()]), DRAWS, "E_TURN", END),
    # voids
    Attack("a void that names who gave", lambda: hosted(changed(t.ended_at(1), missing=("p1", "p2"))), DRAWS, "E_CONTRIBUTORS", t.ended_at(1), BOTH),
    Attack("a void that names who was not asked", lambda: hosted(changed(t.ended_at(1), missing=("p2", "p3"))), DRAWS, "E_CONTRIBUTORS", t.ended_at(1)),
    Attack("a void that names nobody", lambda: hosted(changed(t.ended_at(1), missing=())), DRAWS, "E_CONTRIBUTORS", t.ended_at(1)),
    Attack("a void without the house's link", lambda: hosted(changed(t.ended_at(1), contributions=tuple(each for each in body(t.ended_at(1)).contributions if each.seat != HOUSE), missing=("house", "p2"))), DRAWS, "E_CONTRIBUTORS", t.ended_at(1)),
    Attack("a void of another draw", lambda: hosted(changed(t.ended_at(1), k=0)), DRAWS, "E_DRAW_INDEX", t.ended_at(1)),
    Attack("a void that nobody waited for", lambda: hosted(behind(QUIET, (HOUSE, body(t.ended_at(1))))), DRAWS, "E_ORDER", QUIET + 1),
    Attack("facts behind a void", lambda: together(behind(t.ended_at(1), ("p1", body(FIRST + 2)), turn=body_turn(VOID))), RULES, "E_OUTCOME", t.ended_at(1) + 1),
    Attack("a void of what asks for no chance", lambda: together(changed(VOID, command=CLEO)), RULES, "E_OUTCOME", VOID),
    Attack("a void by who had asked", lambda: together(by_seat(t.ended_at(1), "p1")), RULES, "E_OUTCOME", t.ended_at(1)),
    Attack("a void of a seat that holds a receipt", lambda: hosted(denied()[: t.ended_at(1)]), DRAWS, "E_ORDER", t.ended_at(1), BOTH, receipts),
    # secrets
    Attack("another command opened", lambda: hosted(changed(OPENED, command=body(FIRST).command)), DRAWS, "E_BODY", OPENED),
    Attack("another blind opened", lambda: hosted(changed(OPENED, blind="00" * 32)), DRAWS, "E_BLIND", OPENED),
    Attack("other values opened", lambda: hosted(changed(OPENED, values=other_values(body(OPENED).values))), DRAWS, "E_VALUES", OPENED),
    Attack("another command of a void opened", lambda: hosted(changed(OPENED_VOID, command=body(FIRST).command)), DRAWS, "E_BODY", OPENED_VOID),
    Attack("another blind of a void opened", lambda: hosted(changed(OPENED_VOID, blind="00" * 32)), DRAWS, "E_BLIND", OPENED_VOID),
    Attack("values of a secret void", lambda: hosted(changed(OPENED_VOID, values=body(OPENED).values)), DRAWS, "E_VALUES", OPENED_VOID),
    Attack("a secret void opened twice", lambda: hosted(behind(OPENED_VOID, ("gm", body(OPENED_VOID)))), DRAWS, "E_ORDER", OPENED_VOID + 1),
]  # fmt: skip


def body_turn(version: int) -> int:
    return facts()[version - 1].turn


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.what)
def test_every_attack_has_its_code(attack: Attack) -> None:
    found = t.check(attack.bent(), attack.known()).failure
    assert found is not None
    assert (found.rung, found.code, found.version) == (attack.rung, attack.code, attack.version), (
        found
    )


def at_table(seed: int = 9, **how: object) -> TableEvening:
    """gm, p1 and p2 hold chains; p1 may draw next."""
    table = TableEvening(seed, options={"declared_dice": True}, length=200, links=120, **how)  # type: ignore[arg-type]
    for seat, command in (("p1", EXAMPLE.bring), *to_draw()[:-1]):
        table.do(seat, command)
    return table


def report_of(table: TableEvening, known: Known | None = None) -> Report:
    return t.check(t.lines(table.facts, table), known)


def warned(report: Report) -> dict[str, int]:
    return {caution.code: caution.count for caution in report.warnings}


DRAW = wish_of(EXAMPLE.draw)


@pytest.mark.parametrize(
    ("words", "code"), [(("Hm.", "Ah."), "E_FORK"), (("Hm.", None), "E_SIGNATURE")]
)
def test_two_logs_that_share_a_beginning_cannot_share_a_draw(
    words: tuple[str, str | None], code: str
) -> None:
    """One is shown to gm and p1, the other to p2; the house puts together what they give for the same k."""
    shown, other = at_table(), at_table()
    for table, said in zip((shown, other), words, strict=True):
        if said is not None:
            table.do("gm", Narrate(said))
        table.declare("p1", DRAW)
    assert [table.session.k for table in (shown, other)] == [1, 1]
    foreign = other.contribution("p2")
    (drawn, *_) = shown.end([shown.give("gm"), shown.give("p1"), foreign])
    failure = report_of(shown).failure
    assert failure is not None
    assert (failure.rung, failure.code, failure.version) == (DRAWS, code, drawn.version)


def test_grinding_the_request_changes_no_seed() -> None:
    """The text before it, its time, its salt and its aim: whatever the asker and the house choose, the values stay."""
    table = at_table()
    head, means = table.head, table._means()
    table.declare("p1", DRAW)
    given = [table.contribution(seat) for seat in ("gm", "p1", "p2")]
    gm, asker = By("gm", Role.GM), By("p1", Role.PLAYER)
    came, requests = set(), set()
    for nth in range(scale(1_000, 100_000)):
        varied = replace_means(means, nth)
        ground = take_turn(head, Narrate(f"Luck {nth}."), gm, varied).head
        ground, (declared, *_), kept = take_turn(
            ground, replace(DRAW, target=1 + nth % head.session.version), asker, varied
        )
        drawn = finish_draw(ground, declared, kept, given, varied).facts[0].body
        assert isinstance(drawn, Drawn)
        came.add(drawn.values)
        requests.add(leaf_of(declared))
    assert len(came) == 1
    assert len(requests) == scale(1_000, 100_000)


def replace_means(means: Means, nth: int) -> Means:
    salt = hashlib.sha256(nth.to_bytes(8, "big")).digest()
    return replace(means, at=means.at + nth, salt=lambda: salt)


def LP(field: bytes) -> bytes:
    return len(field).to_bytes(4, "big") + field


def H(label: str, *fields: bytes) -> bytes:
    return hashlib.sha256(
        b"".join(LP(field) for field in (b"fairlog/v1/" + label.encode(), *fields))
    ).digest()


def u(size: int, number: int) -> bytes:
    return number.to_bytes(size, "big")


def oracle(
    session: str, k: int, given: Sequence[tuple[str, int, int, bytes]], sides: Sequence[int]
) -> Values:
    """The values of a draw, from fairness.md alone."""
    fields = [
        part
        for seat, chain, at, link in sorted(given)
        for part in (seat.encode(), u(4, chain), u(4, at), link)
    ]
    seeded = H("draw", bytes.fromhex(session), u(8, k), u(4, len(given)), *fields, b"")
    return tuple((n, 1 + _uniform(seeded, lane, n)) for lane, n in enumerate(sides))


def _uniform(seeded: bytes, lane: int, n: int) -> int:
    counter = 0
    while True:
        message = LP(b"fairlog/v1/word") + LP(str(lane).encode()) + u(4, counter)
        block = hmac.new(seeded, message, hashlib.sha256).digest()
        for start in range(0, 32, 4):
            word = int.from_bytes(block[start : start + 4], "big")
            if word < 2**32 - 2**32 % n:
                return word % n
        counter += 1


def down(session: str, seat: str, position: int, link: bytes, to: int) -> bytes:
    for at in range(position, to, -1):
        link = H("chain", bytes.fromhex(session), seat.encode(), u(4, 0), u(4, at), link)
    return link


@pytest.mark.parametrize(
    "how", ["shown in a draw", "shown in the next chain's anchor", "never shown"]
)
def test_twenty_voids_are_twenty_warnings_with_what_they_would_have_been(how: str) -> None:
    """p2 does not answer as often as it dislikes what comes; its next link says what each of them was."""
    table = at_table()
    for _ in range(20):
        table.ask("p1", DRAW, silent=("p2",))
        table.do("p2", SetPresence("p2", present=True))
    last = table.devices["p2"].chains[0][21]
    if how == "shown in a draw":
        table.do("p1", EXAMPLE.draw)
    else:
        table.roll("p2", show=how != "never shown")
    report = report_of(table)
    assert report.failure is None
    assert warned(report)["W_VOID"] == report.counts.voids == len(report.voids) == 20
    assert all(void.missing == ("p2",) and void.seat == "p1" for void in report.voids)
    for k, void in enumerate(report.voids):
        if how == "never shown":
            assert (void.values, void.told) == (UNSET, UNSET)
            continue
        shown = table.facts[void.version - 1].body
        given = [
            (each.seat, each.chain, each.position, bytes.fromhex(each.link))
            for each in shown.contributions
        ]  # type: ignore[attr-defined]
        whole = [*given, ("p2", 0, k + 1, down(table.id, "p2", 21, last, k + 1))]
        assert void.values is not UNSET
        sides = [n for n, _ in void.values]
        assert sides[: len(EXAMPLE.dice)] == list(EXAMPLE.dice)
        assert void.values == oracle(table.id, k, whole, sides)
        assert void.told


def test_a_shadow_is_not_known_before_the_link_is_shown() -> None:
    table = at_table()
    table.ask("p1", DRAW, silent=("p2",))
    assert report_of(table).voids[0].values is UNSET
    table.do("p1", EXAMPLE.draw)
    assert report_of(table).voids[0].values is UNSET  # p2 is absent, and has shown nothing


def test_dice_declared_behind_a_void_are_told_apart() -> None:
    table = at_table()
    table.ask("p1", DRAW, silent=("p2",))
    (voided,) = report_of(table).voids
    assert (voided.again, voided.declared) == (UNSET, False)
    declared, *_ = table.do("p1", EXAMPLE.draw, FACES)
    report = report_of(table)
    (voided,) = report.voids
    assert (voided.again, voided.declared) == (declared.version, True)
    assert warned(report)["W_DECLARED_DICE"] == 1


def test_a_draw_behind_a_void_is_told_apart_from_declared_dice() -> None:
    table = at_table()
    table.ask("p1", DRAW, silent=("p2",))
    again, *_ = table.do("p1", EXAMPLE.draw)
    (voided,) = report_of(table).voids
    assert (voided.again, voided.declared) == (again.version, False)


def test_dice_declared_behind_an_undone_draw_are_told_apart() -> None:
    table = at_table()
    before = table.session.version
    table.do("p1", EXAMPLE.draw)
    table.do("gm", Rewind(before, "the wrong door"))
    table.do("p1", EXAMPLE.draw, FACES)
    report = report_of(table)
    assert [reroll.declared for reroll in report.rerolls] == [True]
    assert warned(report)["W_REROLL_AFTER_REWIND"] == warned(report)["W_DECLARED_DICE"] == 1


def test_with_every_key_at_the_table_the_past_can_be_written_anew_and_the_report_says_what_it_had() -> (
    None
):
    """What stays trust: everyone together. A kept checkpoint alone tells."""
    bent = together(changed(4, name="Gus"))
    unpinned = t.check(bent)
    assert unpinned.failure is None
    assert {"W_UNPINNED", "W_UNWITNESSED"} <= warned(unpinned).keys()
    with_key = t.check(bent, Known(key=t.vkey()))
    assert with_key.failure is None
    assert "W_UNPINNED" not in warned(with_key)
    assert "W_UNWITNESSED" in warned(with_key)
    assert t.check(bent, pinned(12)()).failure is not None


def test_a_turn_cut_off_behind_the_last_kept_checkpoint_leaves_no_trace() -> None:
    end = t.ended_at(7) - 2
    assert t.check(hosted(facts()[:end]), pinned(end - 3)()).failure is None


def test_a_log_may_end_on_a_waiting_draw_and_says_so() -> None:
    for end in (TALKED, NOISE):
        report = t.check(hosted(facts()[:end]))
        assert report.failure is None
        assert [
            caution.versions for caution in report.warnings if caution.code == "W_OPEN_END"
        ] == [(TALKED,)]


def test_who_holds_a_receipt_is_answered_by_the_log_that_was_played() -> None:
    assert t.check(t.lines(), receipts()).failure is None


def test_a_void_that_came_true_keeps_no_seat_away_for_good() -> None:
    report = t.check(t.lines())
    assert report.failure is None
    assert [void.k for void in report.voids] == [1, 4]
    assert warned(report)["W_VOID"] == 2
    assert warned(report)["W_CUSTODIAL"] == warned(report)["W_ROLLOVER"] == 1


def other_names(source: random.Random, fact: Fact) -> Fact:
    """The event about another seat, or in its name."""
    seat = source.choice(["gm", "p1", "p2", "p3", "p9", HOUSE])
    if hasattr(fact.body, "seat") and source.random() < 0.5:
        return with_body(fact, replace(fact.body, seat=seat))
    return replace(fact, seat=seat)


def bent_at_random(source: random.Random, given: Sequence[Fact]) -> list[Fact]:
    """Some events left out, doubled, moved, given to other seats or to other turns."""
    bent = list(given)
    for _ in range(source.randint(1, 3)):
        at, to = source.randrange(1, len(bent)), source.randrange(1, len(bent))
        match source.randrange(5):
            case 0:
                del bent[at]
            case 1:
                bent.insert(to, bent[at])
            case 2:
                bent.insert(to, bent.pop(at))
            case 3:
                bent[at] = other_names(source, bent[at])
            case 4:
                bent[at] = replace(bent[at], turn=bent[to].turn)
    return bent


def test_nothing_that_a_host_makes_of_an_evening_makes_the_check_stumble() -> None:
    """With the keys of all seats, or of none; turns as they were or numbered anew."""
    source, codes = random.Random(5), set()
    for nth in range(scale(500, 20_000)):
        bent = bent_at_random(source, facts())
        made = t.host(bent, EVERYONE if nth % 2 else (HOUSE,))
        failure = t.check(t.lines(made)).failure
        codes.add(failure.code if failure else "valid")
    assert codes >= {"E_ORDER", "E_CONTRIBUTORS", "E_SIGNATURE", "E_FORK", "E_OUTCOME", "E_ROLE"}
