"""The frame's rules, a row each: who may what, and what it answers (domain/session/RULES.md)."""

from __future__ import annotations

import re
from importlib.resources import files

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import DeclaredChance as DeclaredDice
from domain.codec import decode_command
from domain.decider import By, Refused, Role
from domain.proof import merkle_tree
from domain.proof.hash_chain import seed, value
from domain.recorded_event import leaf_of
from domain.ruleset import Message
from domain.session.contributions import contribution_of
from domain.session.decider import decide
from domain.session.messages import (
    Audience,
    ChainAnchored,
    Close,
    Closed,
    Declare,
    Declared,
    Drawn,
    Fork,
    HandOver,
    LeaveSeat,
    NameSeat,
    Narrate,
    Narrated,
    Open,
    Opened,
    OpenSeal,
    Redact,
    Rewind,
    Rewound,
    SeatLeft,
    SeatNamed,
    SeatTaken,
    TakeSeat,
)
from domain.session.state import HOUSE, Session, initial
from service.platform.ed25519 import verify as ed25519
from tests.domain.session.table import (
    ANA,
    BEN,
    CREATE,
    DRAW,
    GM,
    OVER,
    READY,
    SAM,
    THE_HOUSE,
    FrameTable,
    wish,
)
from tests.domain.session.test_turns import REFUSED_AT_THE_TABLE
from tests.support.example import EXAMPLE, FACES, FIRST
from tests.support.processes import ROOT
from tests.support.sessions import ScriptedSession

DAN, EVE = By("dan", Role.PLAYER), By("eve", Role.AUDITOR)
CHILD = "c4" * 16
ACCEPTED = [
    (TakeSeat("dan", Role.PLAYER), DAN, (SeatTaken(Role.PLAYER, "dan"),)),
    (
        TakeSeat("dan", Role.PLAYER, "Dan"),
        DAN,
        (SeatTaken(Role.PLAYER, "dan"), SeatNamed("Dan", "dan")),
    ),
    (LeaveSeat("ana"), ANA, (SeatLeft(1, "ana"),)),
    (LeaveSeat("ana"), GM, (SeatLeft(1, "ana"),)),
    (NameSeat("ana", "Ana"), ANA, (SeatNamed("Ana", "ana"),)),
    (NameSeat("ana", "Ana"), GM, (SeatNamed("Ana", "ana"),)),
    (HandOver("ana"), GM, (SeatTaken(Role.GM, "ana"), SeatTaken(Role.PLAYER, "gm"))),
    (Rewind(1, "again"), GM, (Rewound("again", 1),)),
    (Narrate("It rains."), SAM, (Narrated("It rains."),)),
    (Narrate("That one.", 3), ANA, (Narrated("That one.", 3),)),
    (Close(carry_over=True), GM, (Closed(EXAMPLE.carried, {}),)),
    (Close(carry_over=False), GM, (Closed({}, {}),)),
]
REFUSED = [
    (Open(FIRST.name, FIRST.edition, "Twice", {}, "key"), THE_HOUSE, "already-open"),
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
    (Rewind(6, "now"), ANA, "gm-only"),
    (Rewind(7, "later"), ANA, "gm-only"),
    (Rewind(1, "no"), SAM, "gm-only"),
    (Rewind(6, "now"), GM, "rewind-to-present"),
    (Rewind(7, "later"), GM, "rewind-beyond-end"),
    (Narrate("Psst."), EVE, "role-may-not"),
    (Narrate("Later.", 7), GM, "about-nowhere"),
    (Redact(7, "later"), GM, "redact-nowhere"),
    (Redact(1, "the title"), GM, "no-words-there"),
    (Redact(2, "a seat"), ANA, "no-words-there"),
    (Redact(1, "the title"), EVE, "role-may-not"),
    (OpenSeal(6), GM, "nothing-sealed"),
    (OpenSeal(7), GM, "nothing-sealed"),
    (Fork(CHILD, 7), GM, "fork-beyond-end"),
    (Fork(CHILD, 6), EVE, "role-may-not"),
    (Fork(CHILD, 6), THE_HOUSE, "role-may-not"),
    (Close(carry_over=False), ANA, "gm-only"),
    (CREATE, SAM, "role-may-not"),
    (Declare(CREATE.command, FACES), GM, "declared-dice-off"),
    (replace(CREATE, target=7), GM, "target-nowhere"),
    (wish(replace(EXAMPLE.bring, seat="sam")), GM, "seat-does-not-play"),
    (wish(replace(EXAMPLE.bring, seat="nobody")), GM, "seat-does-not-play"),
]
BRING = wish(EXAMPLE.bring)
WHISPER, MURMUR = Narrate("Psst.", audience="gm"), Narrate("Hm.", audience="self")
REFUSED_LATER = [
    # what came before, from version 7 on    the command    by    the rule
    ([(LeaveSeat("ben"), BEN)], wish(replace(EXAMPLE.bring, seat="ben")), GM, "seat-does-not-play"),
    ([(Narrate("Oh."), ANA)], Redact(7, "hers"), BEN, "words-not-yours"),
    ([(NameSeat("ana", "Ana"), ANA)], Redact(7, "hers"), SAM, "words-not-yours"),
    ([(WHISPER, ANA)], Redact(7, "hers"), BEN, "words-not-yours"),
    ([(MURMUR, ANA)], Redact(7, "hers"), SAM, "words-not-yours"),
    ([(replace(CREATE, audience="gm"), GM)], Redact(7, "his"), ANA, "words-not-yours"),
    ([(replace(CREATE, audience="gm"), GM)], Redact(8, "his"), SAM, "words-not-yours"),
    ([(replace(CREATE, audience="gm"), GM)], Redact(8, "his"), GM, "no-words-there"),
    ([(replace(BRING, audience="blind"), ANA)], Redact(8, "hers"), ANA, "no-words-there"),
    ([(replace(BRING, audience="self"), ANA)], Redact(8, "hers"), GM, "no-words-there"),
    (
        [(replace(CREATE, audience="gm"), GM), (OpenSeal(7), GM)],
        Redact(8, "his"),
        ANA,
        "no-words-there",
    ),
    ([(WHISPER, ANA)], OpenSeal(7), BEN, "seal-not-yours"),
    ([(WHISPER, ANA)], OpenSeal(7), EVE, "role-may-not"),
    ([(WHISPER, ANA)], OpenSeal(7), THE_HOUSE, "role-may-not"),
    ([(WHISPER, ANA), (OpenSeal(7), GM)], OpenSeal(7), ANA, "nothing-sealed"),
    ([(MURMUR, ANA)], OpenSeal(7), GM, "seal-not-yours"),
    ([(Narrate("A trap.", audience="blind"), ANA)], OpenSeal(7), ANA, "seal-not-yours"),
    ([(replace(CREATE, audience="gm"), GM)], OpenSeal(7), SAM, "seal-not-yours"),
    ([(replace(CREATE, audience="gm"), GM)], Fork(CHILD, 8), ANA, "fork-of-a-secret"),
    ([(replace(CREATE, audience="gm"), GM)], Fork(CHILD, 7), ANA, "fork-inside-turn"),
    ([(CREATE, GM)], Fork(CHILD, 7), SAM, "fork-inside-turn"),
    ([(CREATE, GM)], Rewind(7, "half of it"), GM, "rewind-inside-turn"),
    ([(CREATE, GM)], Rewind(7, "half of it"), BEN, "take-back-not-yours"),
    ([(CREATE, GM)], Rewind(6, "not mine"), BEN, "take-back-not-yours"),
    ([(CREATE, GM)], Rewind(8, "now"), BEN, "take-back-not-yours"),
    ([(CREATE, GM)], Rewind(9, "later"), BEN, "take-back-not-yours"),
    ([(CREATE, GM)], Rewind(6, "to look on"), SAM, "gm-only"),
    ([(CREATE, GM)], Rewind(6, "to check"), EVE, "gm-only"),
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


@pytest.mark.parametrize(("given", "command", "by", "rule"), REFUSED_LATER)
def test_what_the_frame_refuses_later(
    given: list[tuple[Message, By]], command: Message, by: By, rule: str
) -> None:
    table = FrameTable(take_back=True)
    for came in given:
        table.ask(*came)
    before = table.head
    with pytest.raises(Refused) as refused:
        table.ask(command, by)
    assert refused.value.rule == rule
    assert table.head is before


@pytest.mark.parametrize(
    "command",
    [
        Narrate(""),
        Narrate("a bell\a"),
        Rewind(2, ""),
        Redact(7, "two\nlines"),
        NameSeat("gm", "n" * 81),
        TakeSeat("Dan", Role.PLAYER),
    ],
    ids=lambda command: type(command).__name__,
)
def test_what_could_not_be_verified_afterwards_is_not_recorded(command: Message) -> None:
    table = FrameTable()
    before = table.head
    with pytest.raises(msgspec.ValidationError):
        table.ask(command)
    assert table.head is before


@pytest.mark.parametrize("audience", ["gm", "blind"])
def test_a_secret_for_the_gm_needs_one(audience: Audience) -> None:
    evening = ScriptedSession(seats=[("ana", Role.PLAYER, UNSET)])
    for command in (Narrate("Psst.", audience=audience), replace(CREATE, audience=audience)):
        with pytest.raises(Refused, match="audience-empty"):
            evening.do("ana", command)
    evening.do("ana", Narrate("Psst.", audience="self"))


def test_a_ruleset_must_be_known() -> None:
    before = initial("00" * 16)
    with pytest.raises(Refused, match="ruleset-unknown"):
        decide(before, Open("chess", "1", "No", {}, "key"), THE_HOUSE, lambda version: before)


@pytest.mark.parametrize(
    "options",
    [
        {"colour": True},
        {"declared_dice": 1},
        {"listed": "yes"},
        {EXAMPLE.option.name: EXAMPLE.option.wrong},
    ],
)
def test_options_are_those_of_the_frame_and_of_the_room(options: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        FrameTable(**options)


def test_opened_says_every_option() -> None:
    opened = FrameTable(listed=True).facts[0].body
    assert isinstance(opened, Opened)
    assert opened.options["listed"] is True
    assert opened.options["declared_dice"] is False
    assert opened.options[EXAMPLE.option.name] == EXAMPLE.option.default


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
    for nth in range(64 - len(table.session.info.seats)):
        table.ask(TakeSeat(f"p{nth}", Role.PLAYER), By(f"p{nth}", Role.PLAYER))
    with pytest.raises(Refused, match="too-many-seats"):
        table.ask(TakeSeat("dan", Role.PLAYER), DAN)


def test_after_closing_there_is_only_narration() -> None:
    table = FrameTable()
    table.ask(Close(carry_over=False), GM)
    for command in (CREATE, Rewind(1, "no"), Close(carry_over=False), LeaveSeat("ana")):
        with pytest.raises(Refused, match="session-closed"):
            table.ask(command, GM)
    table.ask(Narrate("Good night."), ANA)


def decided(before: Session, command: Declare, faces: tuple[int, ...]) -> tuple[Message, ...]:
    """What the room itself makes of these faces."""
    wish = decode_command(before.ruleset, command.command)
    events: tuple[Message, ...] = before.ruleset.decider.decide(
        before.table, wish, GM, DeclaredDice(faces)
    )
    return events


def test_a_turn_without_chance_has_no_draw_and_uses_no_link() -> None:
    table = FrameTable()
    declared, _ = table.ask(CREATE, GM)
    assert declared == Declared(CREATE.command)
    assert (table.session.k, table.session.chains[HOUSE].position) == (0, 0)
    assert {table.facts[-1].turn, table.facts[-2].turn} == {7}


def test_a_house_draw_is_declared_drawn_and_then_the_facts() -> None:
    table = FrameTable()
    table.bring()
    before = table.session
    declared, drawn, fact = table.ask(DRAW, GM)
    assert isinstance(declared, Declared)
    assert isinstance(drawn, Drawn)
    assert declared.draw is not UNSET
    assert (declared.draw.k, declared.draw.contributors) == (0, ((HOUSE, 0, 1),))
    link = bytes.fromhex(drawn.contributions[0].link)
    seeded = seed(bytes.fromhex(table.id), 0, [(HOUSE, 0, 1, link)])
    faces = tuple(value(seeded, nth, sides) for nth, sides in enumerate(EXAMPLE.dice))
    assert drawn.values == tuple(zip(EXAMPLE.dice, faces, strict=True))
    assert decided(before, DRAW, faces) == (fact,)
    assert (table.session.k, table.session.chains[HOUSE].position) == (1, 1)
    assert [fact.seat for fact in table.facts[-3:]] == ["gm", HOUSE, "gm"]


def test_the_contribution_is_signed_under_the_tree_up_to_its_declaration() -> None:
    table = FrameTable()
    table.bring()
    table.ask(DRAW, GM)
    drawn = table.facts[-2].body
    assert isinstance(drawn, Drawn)
    given, hashes = (
        drawn.contributions[0],
        [merkle_tree.leaf_hash(leaf_of(fact)) for fact in table.facts],
    )
    assert given.seen_size == table.facts[-3].version
    assert given.seen_root == merkle_tree.root_of(hashes[: given.seen_size]).hex()
    message = contribution_of(table.id, 0, hashes[given.seen_size - 1].hex(), given)
    assert ed25519(table.house_key.public, message, bytes.fromhex(given.signature))


def test_declared_dice_stand_in_the_declaration_and_take_no_link() -> None:
    table = FrameTable(declared_dice=True)
    table.bring()
    before = table.session
    declared, fact = table.ask(Declare(DRAW.command, FACES), GM)
    values = tuple(zip(EXAMPLE.dice, FACES, strict=True))
    assert declared == Declared(DRAW.command, dice="declared", values=values)
    assert decided(before, DRAW, FACES) == (fact,)
    assert table.session.k == 0


@pytest.mark.parametrize(
    ("command", "faces", "rule"),
    [
        (DRAW, (EXAMPLE.dice[0] + 1, *FACES[1:]), "face-off-the-die"),
        (DRAW, (*FACES, 2), "faces-left-over"),
        (CREATE, (1,), "faces-left-over"),
    ],
)
def test_faces_are_those_that_the_rules_ask_for(
    command: Declare, faces: tuple[int, ...], rule: str
) -> None:
    table = FrameTable(declared_dice=True)
    if command is DRAW:
        table.bring()
    with pytest.raises(Refused, match=rule):
        table.ask(Declare(command.command, faces), GM)


def test_a_chain_that_runs_out_is_followed_by_the_next() -> None:
    table = FrameTable(length=70)
    for each in (CREATE, *(*READY, DRAW, *OVER) * 20):
        table.do("gm", decode_command(table.ruleset, each.command))
    anchored = [fact.body for fact in table.facts if isinstance(fact.body, ChainAnchored)]
    assert [event.chain for event in anchored] == list(range(1, len(anchored) + 1))
    assert len(anchored) >= 2
    drawn = [fact.body.contributions[0] for fact in table.facts if isinstance(fact.body, Drawn)]
    assert [(given.chain, given.position) for given in drawn[:8]] == [
        (0, n) for n in range(1, 7)
    ] + [(1, 1), (1, 2)]


def test_a_rewind_sets_back_the_table_alone() -> None:
    table = FrameTable()
    table.bring()
    at = table.session.version
    table.ask(DRAW, GM)
    table.ask(Narrate("Ouch."), ANA)
    before = table.session
    table.ask(Rewind(at, "wrong target"), GM)
    assert table.session.table == table.past(at).table
    assert (table.session.k, table.session.chains) == (before.k, before.chains)
    assert table.session.version == before.version + 1


def test_a_rewind_may_name_an_undone_version() -> None:
    table = FrameTable()
    table.bring()
    back = table.session.version
    table.ask(DRAW, GM)
    done = table.session
    table.ask(Rewind(back, "undo"), GM)
    table.ask(Rewind(done.version, "redo"), GM)
    assert table.session.table == done.table


def test_no_rewind_leads_into_a_turn() -> None:
    table = FrameTable()
    table.bring()
    start = table.session.version
    table.ask(DRAW, GM)
    for inside in (start + 1, start + 2):
        with pytest.raises(Refused, match="rewind-inside-turn"):
            table.ask(Rewind(inside, "no"), GM)
    table.ask(Rewind(start, "yes"), GM)


def test_what_is_repeated_after_a_rewind_draws_fresh_values() -> None:
    table = FrameTable()
    table.bring()
    back = table.session.version
    links = set()
    for _ in range(20):
        drawn = table.ask(DRAW, GM)[1]
        assert isinstance(drawn, Drawn)
        links.add(drawn.contributions[0].link)
        table.ask(Rewind(back, "again"), GM)
    assert len(links) == 20


def test_every_refusal_of_the_frame_stands_in_its_rules() -> None:
    said = set(
        re.findall(r"`([a-z]+(?:-[a-z]+)*)`", (files("domain.session") / "RULES.md").read_text())
    )
    sources = (
        *(ROOT / "domain/session").rglob("*.py"),
        ROOT / "domain/chance.py",
        ROOT / "domain/visibility.py",
    )
    edge = (
        ROOT / "service/sessions/app.py",
        ROOT / "service/sessions/pending_draws.py",
        ROOT / "service/sessions/house.py",
    )
    code = "".join(path.read_text() for path in (*sources, *edge))
    raised = {
        rule
        for named in re.findall(r"Refused\(([^,)]*)", code)
        for rule in re.findall(r'"([a-z-]+)"', named)
    }
    assert raised == said - {"listed", "deadline", "gm", "blind", "self", "house"}  # no rules
    seen = {rule for *_, rule in (*REFUSED, *REFUSED_LATER, *REFUSED_AT_THE_TABLE)}
    elsewhere = {
        "ruleset-unknown",
        "session-closed",
        "role-differs",
        "too-many-seats",
        "faces-missing",
        "face-off-the-die",
        "draw-not-next",
        "faces-left-over",
        "card-not-left",
        "imported",
        "restored",
        "audience-empty",
        "take-back-settled",
        "unseen",
        "already-given",
        "draw-is-over",
        "deadline-ahead",
    }
    assert seen | elsewhere == raised
