"""The frame's rules, a row each: who may what, and what it answers (domain/session/RULES.md)."""

from __future__ import annotations

import re
from importlib.resources import files

import msgspec
import pytest
from msgspec import UNSET

from domain.codec import decode_command
from domain.decider import By, Refused, Role
from domain.fact import leaf_of
from domain.proof import tree
from domain.proof.chain import seed, value
from domain.session.decider import decide
from domain.session.draws import contribution_of
from domain.session.messages import (
    ChainAnchored,
    Close,
    Closed,
    Declare,
    Declared,
    Drawn,
    HandOver,
    LeaveSeat,
    NameSeat,
    Narrate,
    Narrated,
    Open,
    Opened,
    Rewind,
    Rewound,
    SeatLeft,
    SeatNamed,
    SeatTaken,
    TakeSeat,
)
from domain.session.state import HOUSE, initial
from service.verifier import ed25519
from tests.domain.session.table import ANA, BEN, CHECK, CREATE, GM, SAM, SETTLE, THE_HOUSE, FrameTable

DAN = By("dan", Role.PLAYER)
ACCEPTED = [
    (TakeSeat("dan", Role.PLAYER), DAN, (SeatTaken(Role.PLAYER, "dan"),)),
    (TakeSeat("dan", Role.PLAYER, "Dan"), DAN, (SeatTaken(Role.PLAYER, "dan"), SeatNamed("Dan", "dan"))),
    (LeaveSeat("ana"), ANA, (SeatLeft(1, "ana"),)),
    (LeaveSeat("ana"), GM, (SeatLeft(1, "ana"),)),
    (NameSeat("ana", "Ana"), ANA, (SeatNamed("Ana", "ana"),)),
    (NameSeat("ana", "Ana"), GM, (SeatNamed("Ana", "ana"),)),
    (HandOver("ana"), GM, (SeatTaken(Role.GM, "ana"), SeatTaken(Role.PLAYER, "gm"))),
    (Rewind(1, "again"), GM, (Rewound("again", 1),)),
    (Narrate("It rains."), SAM, (Narrated("It rains."),)),
    (Narrate("That one.", 3), ANA, (Narrated("That one.", 3),)),
    (Close(carry=True), GM, (Closed({"point": 0}, {}),)),
    (Close(carry=False), GM, (Closed({}, {}),)),
]
REFUSED = [
    (Open("dhextiny", "1", "Twice", {}, "key"), THE_HOUSE, "already-open"),
    (TakeSeat("house", Role.PLAYER), THE_HOUSE, "seat-reserved"),
    (TakeSeat("dan", Role.HOUSE), DAN, "seat-reserved"),
    (TakeSeat("dan", Role.PLAYER), ANA, "not-your-seat"),
    (TakeSeat("ana", Role.PLAYER), ANA, "seat-held"),
    (TakeSeat("dan", Role.GM), DAN, "one-gm"),
    (LeaveSeat("ana"), BEN, "not-your-seat"),
    (LeaveSeat("dan"), GM, "seat-unknown"),
    (LeaveSeat("gm"), GM, "gm-stays"),
    (LeaveSeat("house"), GM, "seat-reserved"),
    (NameSeat("ana", "Ben"), BEN, "not-your-seat"),
    (NameSeat("house", "Bank"), GM, "seat-reserved"),
    (NameSeat("dan", "Dan"), GM, "seat-unknown"),
    (HandOver("ana"), ANA, "gm-only"),
    (HandOver("dan"), GM, "seat-unknown"),
    (HandOver("sam"), GM, "not-a-player"),
    (HandOver("gm"), GM, "not-a-player"),
    (Rewind(1, "no"), ANA, "gm-only"),
    (Rewind(6, "now"), GM, "rewind-to-present"),
    (Rewind(7, "later"), GM, "rewind-beyond-end"),
    (Narrate("Psst."), By("eve", Role.AUDITOR), "role-may-not"),
    (Narrate("Later.", 7), GM, "about-nowhere"),
    (Close(carry=False), ANA, "gm-only"),
    (CREATE, SAM, "role-may-not"),
    (Declare(CREATE.command, (3,)), GM, "declared-dice-off"),
]


@pytest.mark.parametrize(("command", "by", "then"), ACCEPTED)
def test_what_the_frame_accepts(command: msgspec.Struct, by: By, then: tuple[object, ...]) -> None:
    assert FrameTable().ask(command, by) == then


@pytest.mark.parametrize(("command", "by", "rule"), REFUSED)
def test_what_the_frame_refuses(command: msgspec.Struct, by: By, rule: str) -> None:
    table = FrameTable()
    before = table.head
    with pytest.raises(Refused) as refused:
        table.ask(command, by)
    assert refused.value.rule == rule
    assert table.head is before


def test_a_ruleset_must_be_known() -> None:
    before = initial("00" * 16)
    with pytest.raises(Refused, match="ruleset-unknown"):
        decide(before, Open("chess", "1", "No", {}, "key"), THE_HOUSE, lambda version: before)


@pytest.mark.parametrize("options", [{"colour": True}, {"declared_dice": 1}, {"listed": "yes"}, {"point": 6}])
def test_options_are_those_of_the_frame_and_of_the_room(options: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        FrameTable(**options)


def test_opened_says_every_option() -> None:
    opened = FrameTable(listed=True).facts[0].body
    assert isinstance(opened, Opened)
    assert opened.options["listed"] is True
    assert opened.options["declared_dice"] is False
    assert opened.options["point"] == 0


def test_who_left_comes_back_in_the_same_role() -> None:
    table = FrameTable()
    table.ask(LeaveSeat("ana"), ANA)
    with pytest.raises(Refused, match="seat-unknown"):
        table.session.by("ana")
    with pytest.raises(Refused, match="role-differs"):
        table.ask(TakeSeat("ana", Role.SPECTATOR), By("ana", Role.SPECTATOR))
    table.ask(TakeSeat("ana", Role.PLAYER), ANA)
    assert table.ask(LeaveSeat("ana"), ANA) == (SeatLeft(2, "ana"),)


def test_sixty_four_seats_and_no_more() -> None:
    table = FrameTable()
    for nth in range(64 - len(table.session.frame.seats)):
        table.ask(TakeSeat(f"p{nth}", Role.PLAYER), By(f"p{nth}", Role.PLAYER))
    with pytest.raises(Refused, match="too-many-seats"):
        table.ask(TakeSeat("dan", Role.PLAYER), DAN)


def test_after_closing_there_is_only_narration() -> None:
    table = FrameTable()
    table.ask(Close(carry=False), GM)
    for command in (CREATE, Rewind(1, "no"), Close(carry=False), LeaveSeat("ana")):
        with pytest.raises(Refused, match="session-closed"):
            table.ask(command, GM)
    table.ask(Narrate("Good night."), ANA)


def test_a_turn_without_chance_has_no_draw_and_uses_no_link() -> None:
    table = FrameTable()
    declared, _ = table.ask(CREATE, GM)
    assert declared == Declared(CREATE.command)
    assert (table.session.k, table.session.chain.position) == (0, 0)
    assert {table.facts[-1].turn, table.facts[-2].turn} == {7}


def test_a_house_draw_is_declared_drawn_and_then_the_facts() -> None:
    table = FrameTable()
    table.ask(CREATE, GM)
    declared, drawn, checked = table.ask(CHECK, GM)
    assert isinstance(declared, Declared)
    assert isinstance(drawn, Drawn)
    assert declared.draw is not UNSET
    assert (declared.draw.k, declared.draw.contributors) == (0, ((HOUSE, 0, 1),))
    link = bytes.fromhex(drawn.contributions[0].link)
    face = value(seed(bytes.fromhex(table.id), 0, [(HOUSE, 0, 1, link)]), 0, 6)
    assert drawn.values == ((6, face),)
    assert msgspec.to_builtins(checked)["face"] == face
    assert (table.session.k, table.session.chain.position) == (1, 1)
    assert [fact.seat for fact in table.facts[-3:]] == ["gm", HOUSE, "gm"]


def test_the_contribution_is_signed_under_the_tree_up_to_its_declaration() -> None:
    table = FrameTable()
    table.ask(CREATE, GM)
    table.ask(CHECK, GM)
    drawn = table.facts[-2].body
    assert isinstance(drawn, Drawn)
    given, hashes = drawn.contributions[0], [tree.leaf_hash(leaf_of(fact)) for fact in table.facts]
    assert given.seen_size == table.facts[-3].version
    assert given.seen_root == tree.root_of(hashes[: given.seen_size]).hex()
    message = contribution_of(table.id, 0, hashes[given.seen_size - 1].hex(), given)
    assert ed25519(table.house_key.public, message, bytes.fromhex(given.signature))


def test_declared_dice_stand_in_the_declaration_and_take_no_link() -> None:
    table = FrameTable(declared_dice=True)
    table.ask(CREATE, GM)
    declared, checked = table.ask(Declare(CHECK.command, (5,)), GM)
    assert declared == Declared(CHECK.command, dice="declared", values=((6, 5),))
    assert msgspec.to_builtins(checked)["face"] == 5
    assert table.session.k == 0


@pytest.mark.parametrize(
    ("command", "faces", "rule"),
    [
        (CHECK, (7,), "face-off-the-die"),
        (CHECK, (1, 2), "faces-left-over"),
        (CREATE, (1,), "faces-left-over"),
    ],
)
def test_faces_are_those_that_the_rules_ask_for(command: Declare, faces: tuple[int, ...], rule: str) -> None:
    table = FrameTable(declared_dice=True)
    if command is CHECK:
        table.ask(CREATE, GM)
    with pytest.raises(Refused, match=rule):
        table.ask(Declare(command.command, faces), GM)


def test_a_chain_that_runs_out_is_followed_by_the_next() -> None:
    table = FrameTable(length=70)
    for nth in range(41):
        command = decode_command(table.room, (CREATE if not nth else CHECK if nth % 2 else SETTLE).command)
        table.do("gm", command)
    anchored = [fact.body for fact in table.facts if isinstance(fact.body, ChainAnchored)]
    assert [event.chain for event in anchored] == list(range(1, len(anchored) + 1))
    assert len(anchored) >= 2
    drawn = [fact.body.contributions[0] for fact in table.facts if isinstance(fact.body, Drawn)]
    assert [(given.chain, given.position) for given in drawn[:8]] == [(0, n) for n in range(1, 7)] + [(1, 1), (1, 2)]


def test_a_rewind_sets_back_the_table_alone() -> None:
    table = FrameTable()
    table.ask(CREATE, GM)
    at = table.session.version
    table.ask(CHECK, GM)
    table.ask(Narrate("Ouch."), ANA)
    before = table.session
    table.ask(Rewind(at, "wrong target"), GM)
    assert table.session.table == table.past(at).table
    assert (table.session.k, table.session.chain) == (before.k, before.chain)
    assert table.session.version == before.version + 1


def test_a_rewind_may_name_an_undone_version() -> None:
    table = FrameTable()
    table.ask(CREATE, GM)
    back = table.session.version
    table.ask(CHECK, GM)
    done = table.session
    table.ask(Rewind(back, "undo"), GM)
    table.ask(Rewind(done.version, "redo"), GM)
    assert table.session.table == done.table


def test_no_rewind_leads_into_a_turn() -> None:
    table = FrameTable()
    table.ask(CREATE, GM)
    start = table.session.version
    table.ask(CHECK, GM)
    for inside in (start + 1, start + 2):
        with pytest.raises(Refused, match="rewind-inside-turn"):
            table.ask(Rewind(inside, "no"), GM)
    table.ask(Rewind(start, "yes"), GM)


def test_what_is_repeated_after_a_rewind_draws_fresh_values() -> None:
    table = FrameTable()
    table.ask(CREATE, GM)
    back = table.session.version
    links = set()
    for _ in range(20):
        drawn = table.ask(CHECK, GM)[1]
        assert isinstance(drawn, Drawn)
        links.add(drawn.contributions[0].link)
        table.ask(Rewind(back, "again"), GM)
    assert len(links) == 20


def test_every_refusal_of_the_frame_stands_in_its_rules() -> None:
    said = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", (files("domain.session") / "RULES.md").read_text()))
    code = "".join(
        (files("domain") / path).read_text()
        for path in ("session/decider.py", "session/state.py", "session/draws.py", "chance.py")
    )
    code += (files("service") / "handle.py").read_text()
    raised = set(re.findall(r'Refused\(\s*"([a-z-]+)"', code))
    assert raised == said - {"listed"}  # an option
    seen = {rule for *_, rule in REFUSED}
    elsewhere = {
        "ruleset-unknown", "session-closed", "role-differs", "too-many-seats", "rewind-inside-turn", "faces-missing",
        "face-off-the-die", "faces-left-over", "imported",
    }  # fmt: skip
    assert seen | elsewhere == raised
