"""Draws of the table, rule by rule (RULES.md, chapter 7): who is asked, what they give, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import DeclaredChance as DeclaredDice
from domain.codec import decode_command
from domain.decider import By, Refused, Role
from domain.proof.hash_chain import link_below, links, seed, value
from domain.recorded_event import RecordedEvent
from domain.ruleset import Message
from domain.session.annotations import grade
from domain.session.contributions import check_contribution
from domain.session.messages import (
    AnchorChain,
    Anchored,
    BringChain,
    ChainAnchored,
    Close,
    Contribution,
    Declared,
    Draw,
    Drawn,
    Draws,
    DrawVoided,
    Fork,
    HandOver,
    LeaveSeat,
    NameSeat,
    Narrate,
    OpenSeal,
    PresenceSet,
    Rewind,
    SealOpened,
    SeatLeft,
    SeatNamed,
    SeatTaken,
    SetPresence,
    TakeSeat,
)
from domain.session.state import HOUSE, LastCommand
from domain.session.turns import void_draw
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from tests.domain.session.table import CREATE, THE_HOUSE
from tests.support.example import EXAMPLE, FACES, of, over, to_draw
from tests.support.sessions import FOUR, Device, ScriptedSession, Seats, TableSession, wish_of

Do = Callable[[TableSession], object]
DRAW = wish_of(EXAMPLE.draw)
ABSENT = SetPresence("p1", present=False)


def at_table(links: int = 100, **how: object) -> TableSession:
    """gm, p1 and p2 hold chains, p3 does not; p1 may draw next, and nobody has yet."""
    options = {"declared_dice": True, "take_back": True}
    table = TableSession(options=options, links=links, **({"length": 200} | how))  # type: ignore[arg-type]
    for seat, command in (("p1", EXAMPLE.bring), *to_draw()[:-1]):
        table.do(seat, command)
    return table


def again(table: TableSession) -> None:
    """A draw that all give to, and all that makes the next one possible."""
    for seat, command in (*to_draw()[-1:], *over(), *to_draw()[:-1]):
        table.do(seat, command)


def waits(table: TableSession) -> None:
    table.declare("p1", DRAW)


def again_and_waits(table: TableSession) -> None:
    again(table)
    waits(table)


def voided(*silent: str) -> Do:
    return lambda table: table.ask("p1", DRAW, silent=silent)


def nothing(_: TableSession) -> None: ...


def does(seat: str, command: Message) -> Do:
    """As a client does it, signed where it has to be."""
    return lambda table: table.do(seat, command)


def sends(seat: str, command: Message) -> Do:
    """As it stands."""
    return lambda table: table._turn(
        command, THE_HOUSE if seat == HOUSE else table.session.by(seat)
    )


def gives(seat: str, /, **bent: object) -> Do:
    return lambda table: table.give(seat, **bent)


def gives_signed(seat: str, change: Callable[[TableSession], dict[str, object]]) -> Do:
    """What the seat has signed, though it is not what it has to give."""

    def give(table: TableSession) -> None:
        bent = table.sign_contribution(replace(table.contribution(seat), **change(table)))
        table.give(seat, signature=bent.signature, **change(table))

    return give


def with_key(seat: str, signer: Callable[[TableSession], Signer], then: Do) -> Do:
    def act(table: TableSession) -> None:
        table.devices[seat] = Device(bytes(32))
        table.devices[seat].signer = signer(table)
        then(table)

    return act


def with_wrong_word(table: TableSession) -> None:
    """The word of another time."""
    signed = table.sign(PresenceSet(7, present=False, seat="p1"))
    table._turn(SetPresence("p1", present=False, signature=signed), table.session.by("p1"))


def anchors(seat: str, anchor: Callable[[TableSession], str], previous: str | None = None) -> Do:
    def act(table: TableSession) -> None:
        unsigned = ChainAnchored(
            anchor(table), 1, 9, seat, "", UNSET if previous is None else previous
        )
        signed = table.sign(unsigned) if seat in table.devices else "00" * 64
        table._turn(
            AnchorChain(9, unsigned.anchor, signed, unsigned.previous_link), table.session.by(seat)
        )

    return act


def brings(seat: str, **bent: object) -> Do:
    def act(table: TableSession) -> None:
        by = table.session.by(seat)
        table._turn(BringChain(replace(table.anchored(seat, by.role), **bent)), by)

    return act


def first_anchor(seat: str) -> Callable[[TableSession], str]:
    return lambda table: table.devices[seat].chains[0][0].hex()


def comes_back(**bent: object) -> Do:
    def act(table: TableSession) -> None:
        chain = replace(table.anchored("p1", Role.PLAYER), **bent)
        table._turn(TakeSeat("p1", Role.PLAYER, chain=chain), By("p1", Role.PLAYER))

    return act


def gives_late(table: TableSession) -> None:
    """To the first draw, which is made already."""
    declared = first_declared(table)
    given = Contribution(0, "00" * 32, 1, "p1", "00" * 32, declared.version, "00" * 64)
    check_contribution(table.session, declared, given, bytes(32), ed25519)


def ends_late(table: TableSession) -> None:
    void_draw(table.head, first_declared(table), (), table._means())


def first_declared(table: TableSession) -> RecordedEvent:
    return next(
        fact
        for fact in table.facts
        if isinstance(fact.body, Declared) and fact.body.draw is not UNSET
    )


STRANGER: Callable[[TableSession], Signer] = lambda _: Signer(bytes(32))  # noqa: E731
LEAVES = does("p1", LeaveSeat("p1"))
REFUSED_AT_THE_TABLE: list[tuple[Do, Do, str]] = [
    # given    when    the rule
    (nothing, lambda _: ScriptedSession(options={"deadline": 9}), "deadline-of-the-house"),
    (nothing, brings("p1"), "chain-there"),
    (nothing, with_key("p3", lambda table: table.devices["p1"].signer, brings("p3")), "key-taken"),
    (nothing, with_key("p3", lambda table: table.house_key, brings("p3")), "key-taken"),
    (LEAVES, with_key("p1", STRANGER, comes_back()), "key-differs"),
    (LEAVES, lambda table: table._turn(TakeSeat("p1", Role.PLAYER), By("p1", Role.PLAYER)), "chain-needed"),
    (nothing, anchors("p3", lambda _: "ab" * 32), "no-chain"),
    (nothing, sends("p3", LeaveSeat("p3", "00" * 64)), "no-chain"),
    (nothing, sends("p3", SetPresence("p3", present=False, signature="00" * 64)), "no-chain"),
    (nothing, anchors("p1", first_anchor("p2")), "anchor-used"),
    (nothing, anchors("p1", first_anchor("p1")), "anchor-used"),
    (nothing, lambda table: brings("p3", anchor=first_anchor("p1")(table))(table), "anchor-used"),
    (nothing, brings("p3", length=99), "signature-wrong"),
    (nothing, brings("p3", signature="00" * 64), "signature-wrong"),
    (LEAVES, comes_back(length=99), "signature-wrong"),
    (nothing, sends("p1", replace(ABSENT, signature="00" * 64)), "signature-wrong"),
    (nothing, with_wrong_word, "signature-wrong"),
    (nothing, sends("p1", LeaveSeat("p1", "00" * 64)), "signature-wrong"),
    (nothing, sends("p1", AnchorChain(9, "ab" * 32, "00" * 64)), "signature-wrong"),
    (nothing, anchors("p1", lambda _: "ab" * 32, previous="cd" * 32), "link-wrong"),
    (waits, gives("p1", signature="00" * 64), "signature-wrong"),
    (waits, gives("p1", link="00" * 32), "link-wrong"),
    (waits, lambda t: t.give("p1", link=t.devices["p1"].chains[0][2].hex()), "link-wrong"),
    (waits, lambda t: t.give("p1", link=t.devices["p2"].chains[0][1].hex()), "link-wrong"),
    (waits, gives("p1", position=2), "position-differs"),
    (waits, gives("p1", chain=1), "position-differs"),
    (waits, gives("p1", seat="p3"), "not-a-contributor"),
    (waits, gives("p1", seat=HOUSE), "not-a-contributor"),
    (waits, gives_signed("p1", lambda t: {"seen_size": t.session.version - 1}), "seen-elsewhere"),
    (waits, gives_signed("p1", lambda t: {"seen_size": t.session.version + 1}), "seen-elsewhere"),
    (waits, gives_signed("p1", lambda _: {"seen_root": "00" * 32}), "another-log"),
    (again, gives_late, "no-draw-waits"),
    (again_and_waits, gives_late, "no-draw-waits"),
    (again, ends_late, "no-draw-waits"),
    (waits, does("p1", DRAW), "draw-waits"),
    (waits, does("gm", CREATE), "draw-waits"),
    (waits, lambda table: table.do("p1", EXAMPLE.draw, FACES), "draw-waits"),
    (waits, does("gm", Rewind(1, "no")), "draw-waits"),
    (waits, does("gm", Rewind(2, "no")), "draw-waits"),
    (waits, does("gm", Close(carry_over=False)), "draw-waits"),
    (waits, does("gm", OpenSeal(1)), "draw-waits"),
    (waits, does("gm", Fork("c4" * 16, 2)), "draw-waits"),
    (waits, does("gm", HandOver("p1")), "draw-waits"),
    (waits, does("p1", LeaveSeat("p1")), "draw-waits"),
    (waits, does("p3", LeaveSeat("p3")), "draw-waits"),
    (waits, does("p1", ABSENT), "draw-waits"),
    (waits, lambda table: table.roll("p1"), "draw-waits"),
    (nothing, sends("p1", ABSENT), "signature-needed"),
    (nothing, sends("p1", LeaveSeat("p1")), "signature-needed"),
    (voided("p1"), sends("p1", SetPresence("p1", present=True)), "signature-needed"),
    (nothing, sends("gm", ABSENT), "not-missed"),
    (nothing, sends(HOUSE, ABSENT), "not-missed"),
    (nothing, sends("gm", LeaveSeat("p1")), "not-missed"),
    (voided("p2"), sends("gm", LeaveSeat("p1")), "not-missed"),
    (voided("p2"), sends(HOUSE, LeaveSeat("p2")), "not-your-seat"),
    (voided("p1"), sends("gm", SetPresence("p1", present=True)), "not-your-seat"),
    (voided("p1"), sends(HOUSE, SetPresence("p1", present=True)), "not-your-seat"),
    (nothing, sends("p2", ABSENT), "not-your-seat"),
    (nothing, sends("gm", replace(ABSENT, signature="00" * 64)), "not-your-seat"),
    (nothing, does("p1", SetPresence("p1", present=True)), "presence-unchanged"),
    (voided("p1"), does("p1", ABSENT), "presence-unchanged"),
    (LEAVES, sends("gm", SetPresence("p1", present=False)), "seat-unknown"),
    (nothing, sends("gm", SetPresence(HOUSE, present=False)), "seat-reserved"),
    (nothing, sends(HOUSE, BringChain(Anchored("00" * 32, 1, "00" * 32, "00" * 64))), "seat-reserved"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "when", "rule"), REFUSED_AT_THE_TABLE)
def test_what_a_table_that_draws_refuses(given: Do, when: Do, rule: str) -> None:
    table = at_table()
    given(table)
    before = table.head
    with pytest.raises(Refused) as refused:
        when(table)
    assert refused.value.rule == rule
    assert table.head is before


def drawn_in(table: TableSession, k: int) -> Drawn:
    return next(
        fact.body for fact in table.facts if isinstance(fact.body, Drawn) and fact.body.k == k
    )


def asked(table: TableSession) -> list[str]:
    """Who is asked for the next draw."""
    (declared,) = table.declare("p1", DRAW)
    assert isinstance(declared.body, Declared)
    assert isinstance(declared.body.draw, Draw)
    return [seat for seat, _, _ in declared.body.draw.contributors]


def test_a_draw_is_declared_alone_and_made_when_all_have_given() -> None:
    table = at_table()
    before = table.session
    (declared,) = table.declare("p1", DRAW)
    contributors = tuple((seat, 0, 1) for seat in ("gm", HOUSE, "p1", "p2"))
    assert declared.body == Declared(DRAW.command, draw=Draw(contributors, 0))
    assert (table.session.table, table.session.k) == (before.table, 1)
    assert all(table.session.chains[seat].position == 1 for seat, _, _ in contributors)
    drawn, fact = table.end([table.give(seat) for seat in ("p2", "gm", "p1")])
    assert isinstance(drawn.body, Drawn)
    assert [given.seat for given in drawn.body.contributions] == ["gm", HOUSE, "p1", "p2"]
    assert [each.turn for each in (declared, drawn, fact)] == [before.turn + 1] * 3
    assert [each.seat for each in (declared, drawn, fact)] == ["p1", HOUSE, "p1"]
    given = [(each.seat, 0, 1, bytes.fromhex(each.link)) for each in drawn.body.contributions]
    seeded = seed(bytes.fromhex(table.id), 0, given)
    faces = tuple(value(seeded, nth, sides) for nth, sides in enumerate(EXAMPLE.dice))
    assert drawn.body.values == tuple(zip(EXAMPLE.dice, faces, strict=True))
    wish = decode_command(before.ruleset, DRAW.command)
    assert before.ruleset.decider.decide(
        before.table, wish, By("p1", Role.PLAYER), DeclaredDice(faces)
    ) == (fact.body,)


def test_every_link_is_that_of_its_seat_and_changes_the_values() -> None:
    table = at_table()
    again(table)
    given = drawn_in(table, 0).contributions
    for each in given:
        anchor = table.session.info.anchors[["house", "gm", "p1", "p2"].index(each.seat)]
        assert (
            link_below(bytes.fromhex(table.id), each.seat, 0, 1, bytes.fromhex(each.link)).hex()
            == anchor
        )
    whole = [(each.seat, each.chain, each.position, bytes.fromhex(each.link)) for each in given]
    seeds = {
        seed(bytes.fromhex(table.id), 0, [*whole[:nth], *whole[nth + 1 :]]) for nth in range(4)
    }
    assert len(seeds | {seed(bytes.fromhex(table.id), 0, whole)}) == 5


def test_a_wish_that_needs_no_chance_asks_nobody() -> None:
    table = at_table()
    table.do("gm", EXAMPLE.guest)
    assert (table.session.k, table.session.pending) == (0, None)


def test_dice_that_were_thrown_at_the_table_ask_nobody() -> None:
    table = at_table()
    declared, _ = table.do("p1", EXAMPLE.draw, FACES)
    assert isinstance(declared.body, Declared)
    assert declared.body.draw is UNSET
    assert (table.session.k, table.session.pending) == (0, None)


BETWEEN: list[tuple[str, Message]] = [
    ("p3", Narrate("Wait.")), ("p1", Narrate("Psst.", audience="gm")), ("p2", NameSeat("p2", "Pip")),
    ("p4", TakeSeat("p4", Role.PLAYER)),
]  # fmt: skip


def test_while_it_waits_there_are_words_names_and_newcomers() -> None:
    table = at_table(own=("gm", "p1", "p2", "p4"))
    facts = table.ask("p1", DRAW, between=BETWEEN)
    turn = facts[0].turn
    assert [type(fact.body) for fact in facts[:6]] == [
        Declared,
        type(facts[1].body),
        type(facts[2].body),
        SeatNamed,
        SeatTaken,
        Drawn,
    ]
    assert [fact.turn - turn for fact in facts] == [0, 1, 2, 3, 4, *(0 for _ in facts[5:])]
    drawn = facts[5].body
    assert isinstance(drawn, Drawn)
    sizes = [given.seen_size - facts[0].version for given in drawn.contributions]
    assert sizes == [0, 4, 4, 4]  # gm gave before the others spoke
    assert table.do("p1", Narrate("Now."))[0].turn == turn + 5
    assert asked_after(table) == ["gm", HOUSE, "p1", "p2", "p4"]


def asked_after(table: TableSession) -> list[str]:
    for seat, command in (*over(), *to_draw()[:-1]):
        table.do(seat, command)
    return asked(table)


def test_who_brings_a_chain_while_it_waits_gives_to_the_next() -> None:
    table = at_table()
    waits(table)
    table.bring("p3")
    with pytest.raises(Refused, match="not-a-contributor"):
        table.give("p1", seat="p3")
    table.end([table.give(seat) for seat in ("gm", "p1", "p2")])
    assert asked_after(table) == ["gm", HOUSE, "p1", "p2", "p3"]


def test_a_void_names_the_silent_shows_what_came_and_takes_numbers_and_links() -> None:
    table = at_table()
    before = table.session
    declared, voided_, absent = table.ask("p1", DRAW, silent=("p2",))
    body = voided_.body
    assert isinstance(body, DrawVoided)
    assert (body.k, body.missing) == (0, ("p2",))
    assert [given.seat for given in body.contributions] == ["gm", HOUSE, "p1"]
    assert (voided_.seat, voided_.turn) == (HOUSE, declared.turn)
    assert (absent.seat, absent.turn, absent.body) == (
        HOUSE,
        declared.turn + 1,
        PresenceSet(1, False, "p2"),
    )
    assert (table.session.table, table.session.last_command) == (before.table, before.last_command)
    table.do("p1", EXAMPLE.draw)
    drawn = drawn_in(table, 1)
    assert [(given.seat, given.position) for given in drawn.contributions] == [
        ("gm", 2),
        (HOUSE, 2),
        ("p1", 2),
    ]
    table.do("p2", SetPresence("p2", present=True))
    assert table.session.chains["p2"].position == 1
    assert asked_after(table) == ["gm", HOUSE, "p1", "p2"]
    assert table.session.chains["p2"].position == 2


def test_what_is_no_contribution_is_as_good_as_none() -> None:
    table = at_table()
    facts = table.ask("p1", DRAW, garbled=("gm",), silent=("p2",))
    assert isinstance(facts[1].body, DrawVoided)
    assert facts[1].body.missing == ("gm", "p2")
    table.do("p1", EXAMPLE.draw)
    assert [given.seat for given in drawn_in(table, 1).contributions] == [HOUSE, "p1"]


def test_a_void_gives_the_last_wish_back_to_whoever_may_take_it_back() -> None:
    table = at_table()
    again(table)
    deed = table.session.last_command
    assert deed.seat
    table.declare("p1", DRAW)
    assert table.session.last_command == LastCommand("p1", table.session.version - 1)
    table.end(())
    assert table.session.last_command == deed


def test_after_a_void_the_gm_may_let_a_seat_go() -> None:
    table = at_table()
    voided("p1", "p2")(table)
    (left,) = table._turn(LeaveSeat("p1"), table.session.by("gm"))
    assert left.body == SeatLeft(2, "p1")
    table.do("p2", SetPresence("p2", present=True))
    with pytest.raises(Refused, match="not-missed"):
        table._turn(LeaveSeat("p2"), table.session.by("gm"))


def test_a_seat_without_a_chain_comes_and_goes_unsigned() -> None:
    table = at_table()
    (gone,) = table.do("p3", SetPresence("p3", present=False))
    assert gone.body == PresenceSet(1, False, "p3")
    table.do("p3", SetPresence("p3", present=True))
    table._turn(SetPresence("p3", present=False), table.session.by("gm"))
    assert table.do("p3", LeaveSeat("p3"))[0].body == SeatLeft(4, "p3")


def leave(table: TableSession) -> None:
    table.do("p2", LeaveSeat("p2"))


def come_back(table: TableSession) -> None:
    table.do("p2", TakeSeat("p2", Role.PLAYER))


def absent(table: TableSession) -> None:
    table.do("p2", SetPresence("p2", present=False))


def present(table: TableSession) -> None:
    table.do("p2", SetPresence("p2", present=True))


def exhaust(table: TableSession) -> None:
    """p2's chain, which had two links."""
    table.roll("p2", length=2)
    again(table)
    again(table)


ASKED: list[tuple[str, list[Do], list[str]]] = [
    ("who is there with a chain", [], ["gm", HOUSE, "p1", "p2"]),
    ("who is absent is not", [absent], ["gm", HOUSE, "p1"]),
    ("who is there again is", [absent, present], ["gm", HOUSE, "p1", "p2"]),
    ("who left is not", [leave], ["gm", HOUSE, "p1"]),
    ("who came back is, with the next chain", [leave, come_back], ["gm", HOUSE, "p1", "p2"]),
    ("who was absent and left is there when it comes back", [absent, leave, come_back], ["gm", HOUSE, "p1", "p2"]),
    ("who was custodial and brought a chain is", [lambda t: t.bring("p3")], ["gm", HOUSE, "p1", "p2", "p3"]),
    ("who brought it while absent is not", [
        lambda t: t.do("p3", SetPresence("p3", present=False)), lambda t: t.bring("p3")], ["gm", HOUSE, "p1", "p2"]),
    ("whose links are used up is not", [exhaust], ["gm", HOUSE, "p1"]),
    ("who then anchored the next chain is", [exhaust, lambda t: t.roll("p2")], ["gm", HOUSE, "p1", "p2"]),
    ("who changed roles is", [lambda t: t.do("gm", HandOver("p2"))], ["gm", HOUSE, "p1", "p2"]),
    ("a spectator with a chain is", [
        lambda t: t.do("s1", TakeSeat("s1", Role.SPECTATOR)), lambda t: t.bring("s1")],
        ["gm", HOUSE, "p1", "p2", "s1"]),
    ("a void changes nothing but by the house's word", [voided("p2")], ["gm", HOUSE, "p1"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "expected"), [row[1:] for row in ASKED], ids=[row[0] for row in ASKED]
)
def test_who_is_asked(steps: list[Do], expected: list[str]) -> None:
    table = at_table()
    for step in steps:
        step(table)
    assert asked(table) == expected


class HouseTable(TableSession):
    draws: Draws = "house"


def test_where_the_house_draws_chains_are_kept_and_nobody_is_asked() -> None:
    table = HouseTable(options={"declared_dice": True}, length=200, links=20)
    for seat, command in (("p1", EXAMPLE.bring), *to_draw()):
        facts = table.do(seat, command)
    drawn = facts[1].body
    assert isinstance(drawn, Drawn)
    assert [given.seat for given in drawn.contributions] == [HOUSE]
    assert table.session.info.seats["p1"].public_key is not UNSET


def test_a_table_of_the_house_alone_draws_at_once() -> None:
    table = at_table(own=())
    facts = table.do("p1", EXAMPLE.draw)
    assert [type(fact.body) for fact in facts[:2]] == [Declared, Drawn]
    assert table.session.pending is None


def test_who_comes_back_goes_on_with_the_next_chain_and_the_same_key() -> None:
    table = at_table()
    leave(table)
    key = table.session.info.seats["p2"].public_key
    (taken,) = table.do("p2", TakeSeat("p2", Role.PLAYER))
    assert isinstance(taken.body, SeatTaken)
    assert (taken.body.chain, taken.body.public_key) == (1, key)
    again(table)
    assert [(given.chain, given.position) for given in drawn_in(table, 0).contributions] == [
        (0, 1)
    ] * 3 + [(1, 1)]


def test_a_seat_anchors_its_next_chain_behind_the_last_link_it_showed() -> None:
    table = at_table()
    again(table)
    (anchored,) = table.roll("p1")
    assert isinstance(anchored.body, ChainAnchored)
    assert anchored.body.chain == 1
    assert anchored.body.previous_link == table.devices["p1"].chains[0][2].hex()
    again(table)
    places = {
        given.seat: (given.chain, given.position) for given in drawn_in(table, 1).contributions
    }
    assert places == {"gm": (0, 2), HOUSE: (0, 2), "p1": (1, 1), "p2": (0, 2)}


def test_a_link_may_be_shown_behind_some_that_were_not() -> None:
    table = at_table()
    for _ in range(3):
        table.ask("p1", DRAW, silent=("p2",))
        table.do("p2", SetPresence("p2", present=True))
    table.do("p1", EXAMPLE.draw)
    assert drawn_in(table, 3).contributions[3].link == table.devices["p2"].chains[0][4].hex()


def test_no_rewind_and_no_fork_leads_to_where_a_draw_waited() -> None:
    table = at_table()
    start = table.session.version
    table.ask("p1", DRAW, between=[("p3", Narrate("Wait.")), ("p3", Narrate("So?"))])
    done = table.session.version
    table.do("p3", Narrate("There."))
    for command in (lambda to: Rewind(to, "no"), lambda to: Fork("c4" * 16, to)):
        for inside in range(start + 1, done):
            with pytest.raises(Refused, match="inside-turn"):
                table.do("gm", command(inside))
    table.do("gm", Fork("c4" * 16, done))
    table.do("gm", Rewind(done, "yes"))
    table.do("gm", Rewind(start, "and back"))
    assert table.session.table == table.then(start).table


def test_a_rewind_leads_to_a_void_and_to_before_it() -> None:
    table = at_table()
    start = table.session
    table.ask("p1", DRAW, silent=("p2",), between=[("p3", Narrate("Wait."))])
    for inside in (start.version + 1, start.version + 2):
        with pytest.raises(Refused, match="rewind-inside-turn"):
            table.do("gm", Rewind(inside, "no"))
    for to in (start.version + 3, start.version):
        table.do("gm", Rewind(to, "yes"))
        assert (table.session.table, table.session.last_command) == (
            start.table,
            start.last_command,
        )
    assert table.session.k == 1


def test_sixty_four_seats_all_give_and_there_is_no_more() -> None:
    names = [f"q{nth:02}" for nth in range(60)]
    seats: Seats = [*FOUR[:3], *((seat, Role.PLAYER, UNSET) for seat in names)]
    table = TableSession(length=200, links=3, seats=seats, own=["gm", "p1", "p2", *names])
    assert len(table.session.info.seats) == 64
    with pytest.raises(Refused, match="too-many-seats"):
        table.do("dan", TakeSeat("dan", Role.PLAYER))
    for seat, command in (("p1", EXAMPLE.bring), *to_draw()):
        facts = table.do(seat, command)
    drawn = facts[1].body
    assert isinstance(drawn, Drawn)
    assert len(drawn.contributions) == 64
    assert grade(facts[1], table.then) == "A"


def secret(table: TableSession, **how: object) -> tuple[RecordedEvent, ...]:
    return table.ask("p1", wish_of(EXAMPLE.draw, "gm"), **how)  # type: ignore[arg-type]


def test_a_secret_draw_of_the_table_hides_values_and_command_until_it_is_opened() -> None:
    table = at_table()
    declared, drawn, *_ = secret(table, between=[("p3", Narrate("Hm."))])[0::2]
    assert isinstance(declared.body, Declared)
    assert isinstance(drawn.body, Drawn)
    assert (declared.body.command, drawn.body.values) == (UNSET, ())
    assert not declared.sealed
    assert not drawn.sealed
    assert all(fact.sealed for fact in table.facts[drawn.version :])
    (opened,) = table.do("p1", OpenSeal(declared.turn))
    assert isinstance(opened.body, SealOpened)
    assert (opened.body.command, opened.body.values) == (
        DRAW.command,
        table.kept[declared.turn].values,
    )
    assert table.session.secrets.seals == {}


def test_a_secret_draw_that_was_given_up_is_opened_without_values() -> None:
    table = at_table()
    declared, *_ = secret(table, silent=("p2",))
    (opened,) = table.do("gm", OpenSeal(declared.turn))
    assert isinstance(opened.body, SealOpened)
    assert (opened.body.command, opened.body.values) == (DRAW.command, ())


GRADES: list[tuple[str, list[Do], str]] = [
    ("all, and a player who did not ask", [lambda t: t.bring("p3")], "A"),
    ("a player without a chain is there", [], "B"),
    ("that one is absent", [does("p3", SetPresence("p3", present=False))], "A"),
    ("that one has left", [does("p3", LeaveSeat("p3"))], "A"),
    ("no player beside the asker", [does("p3", LeaveSeat("p3")), leave], "B"),
    ("the player beside the asker is absent", [does("p3", LeaveSeat("p3")), absent], "B"),
    ("the GM is absent", [does("p3", LeaveSeat("p3")), does("gm", SetPresence("gm", present=False))], "A"),
    ("a player's links are used up", [does("p3", LeaveSeat("p3")), exhaust], "B"),
    ("a spectator without a chain looks on", [does("p3", LeaveSeat("p3")), does("s1", TakeSeat("s1", Role.SPECTATOR))],
     "A"),
    ("a spectator gives beside the asker", [does("p3", LeaveSeat("p3")), leave,
     does("s1", TakeSeat("s1", Role.SPECTATOR)), lambda t: t.bring("s1")], "B"),
    ("the asker gives alone", [does("p3", LeaveSeat("p3")), leave, does("gm", SetPresence("gm", present=False))], "B"),
    ("nobody gives but the house", [leave, does("p1", ABSENT), does("gm", SetPresence("gm", present=False))], "C"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "letter"), [row[1:] for row in GRADES], ids=[row[0] for row in GRADES]
)
def test_grades(steps: list[Do], letter: str) -> None:
    table = at_table()
    for step in steps:
        step(table)
    _, drawn, *_ = table.do("p1", EXAMPLE.draw)
    assert isinstance(drawn.body, Drawn)
    assert grade(drawn, table.then) == letter


def test_the_gm_asks_and_a_player_gives() -> None:
    table = at_table()
    table.do("p3", LeaveSeat("p3"))
    table.do("gm", EXAMPLE.guest)
    for seat, command in to_draw("gm", "rat"):
        facts = table.do(seat, of("rat", command))
    assert grade(facts[1], table.then) == "A"


def test_dice_that_were_typed_in_are_of_grade_d_and_a_void_has_none() -> None:
    table = at_table()
    declared, voided_, absent_ = table.ask("p1", DRAW, silent=("p2",))
    assert [grade(fact, table.then) for fact in (declared, voided_, absent_)] == [None] * 3
    typed, *_ = table.do("p1", EXAMPLE.draw, FACES)
    assert grade(typed, table.then) == "D"


def test_a_longer_chain_is_no_secret_of_its_seat() -> None:
    """What a seat gives is the only link that fits, and nothing of the links above it."""
    raw = bytes.fromhex(at_table().id)
    made = links(raw, "p1", 0, bytes(32), 5)
    assert [link_below(raw, "p1", 0, at, made[at]) for at in range(1, 6)] == list(made[:5])
