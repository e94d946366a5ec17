"""What a session of format 2 records and refuses: entropy, next chains, signed statements, time."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.decider import By, Refused, Role
from domain.proof.hash_chain import seed, value
from domain.ruleset import Message
from domain.session.annotations import grade
from domain.session.messages import (
    AnchorChain,
    BringChain,
    ChainAnchored,
    Declare,
    Declared,
    Drawn,
    LeaveSeat,
    Narrate,
    Opened,
    PresenceSet,
    SeatLeft,
    SeatTaken,
    SetPresence,
    TakeSeat,
)
from domain.session.state import HOUSE
from domain.session.turns import (
    LEAST_AHEAD,
    LEAST_HOUSE_LENGTH,
    USUAL_AHEAD,
    EntropyOutdatedError,
    decide_turn,
)
from domain.verify import verify
from domain.verify.report import Level
from service.platform.ed25519 import verify as ed25519
from tests.domain.broken_table_draws import lines
from tests.domain.forks import file_of
from tests.domain.session.test_turns import (
    ABSENT,
    DRAW,
    Do,
    again,
    at_table,
    does,
    drawn_in,
    first_declared,
    nothing,
    voided,
)
from tests.support.example import EXAMPLE, FACES, over, to_draw
from tests.support.sessions import ScriptedSession, TableSession

ENTROPY, OTHER, WRONG = "a1" * 32, "b2" * 32, "cd" * 32
LEAVES = does("p1", LeaveSeat("p1"))
GIVEN_UP = voided("p1")


def in_format_2(**how: object) -> TableSession:
    return at_table(log_format=2, length=LEAST_HOUSE_LENGTH, **how)


# Refusals.


def says(kind: type[Message], seen: Callable[[TableSession], tuple[object, object]]) -> Do:
    """p1 signs that it leaves or is absent, and that it saw this root and size."""

    def act(table: TableSession) -> None:
        root, size = seen(table)
        if kind is SeatLeft:
            left = SeatLeft(1, "p1", UNSET, root, size)  # type: ignore[arg-type]
            command: Message = LeaveSeat("p1", table.sign(left), root, size)  # type: ignore[arg-type]
        else:
            moved = PresenceSet(1, False, "p1", UNSET, root, size)  # type: ignore[arg-type]
            command = SetPresence("p1", False, table.sign(moved), root, size)  # type: ignore[arg-type]
        table._turn(command, table.session.by("p1"))

    return act


def nothing_seen(_: TableSession) -> tuple[UnsetType, UnsetType]:
    return UNSET, UNSET


def later(table: TableSession) -> tuple[object, int]:
    return table.seen[0], table.session.version + 1


def before_the_draw(table: TableSession) -> tuple[str, int]:
    version = first_declared(table).version - 1
    return table._root_at(version).hex(), version


def refused_then(*acts: Do) -> Do:
    """p1 signs an absence that the server does not record, and sends it again after these acts."""

    def act(table: TableSession) -> None:
        said = table.signed("p1", ABSENT)
        for each in acts:
            each(table)
        table._turn(said, table.session.by("p1"))

    return act


def rolls(offset: int | None, seat: str = "p1") -> Do:
    """A next chain with the link so far beside the last position that was requested, or none."""

    def act(table: TableSession) -> None:
        chain = table.session.chains[seat]
        link: str | UnsetType = UNSET
        if offset is not None:
            link = table.devices[seat].chains[chain.number][chain.position + offset].hex()
        unsigned = ChainAnchored("ab" * 32, chain.number + 1, 9, seat, "", link)
        command = AnchorChain(9, unsigned.anchor, table.sign(unsigned), link)
        table._turn(command, table.session.by(seat))

    return act


def sits(link: str | UnsetType, seat: str = "p1") -> Do:
    """A seat sits down, or brings its first chain, with this link."""

    def act(table: TableSession) -> None:
        chain = table.anchored(seat, Role.PLAYER)
        held = table.session.info.seats[seat]
        number = table.session.chains[seat].number + 1 if seat in table.session.chains else 0
        taken = SeatTaken(
            Role.PLAYER,
            seat,
            chain.anchor,
            number,
            chain.length,
            chain.public_key,
            previous_link=link,
        )
        chain = replace(chain, signature=table.sign(taken), previous_link=link)
        by = By(seat, Role.PLAYER)
        sat = BringChain(chain) if held.present else TakeSeat(seat, Role.PLAYER, chain=chain)
        table._turn(sat, by)

    return act


def both(*acts: Do) -> Do:
    """One act after the other."""

    def act(table: TableSession) -> None:
        for each in acts:
            each(table)

    return act


REFUSED: list[tuple[Do, Do, str]] = [
    # given    when    the rule
    (nothing, says(PresenceSet, nothing_seen), "seen-elsewhere"),
    (nothing, says(SeatLeft, nothing_seen), "seen-elsewhere"),
    (nothing, says(PresenceSet, lambda table: (UNSET, table.seen[1])), "another-log"),
    (nothing, says(PresenceSet, lambda table: (table.seen[0], UNSET)), "seen-elsewhere"),
    (nothing, says(PresenceSet, later), "seen-elsewhere"),
    (nothing, says(PresenceSet, lambda table: (WRONG, table.seen[1])), "another-log"),
    (again, says(PresenceSet, before_the_draw), "seen-elsewhere"),
    (again, says(SeatLeft, before_the_draw), "seen-elsewhere"),
    (nothing, refused_then(again), "seen-elsewhere"),
    (nothing, refused_then(voided("p2")), "seen-elsewhere"),
    (nothing, refused_then(again, lambda table: table.roll("p1")), "seen-elsewhere"),
    (nothing, refused_then(again, LEAVES, does("p1", TakeSeat("p1", Role.PLAYER))), "seen-elsewhere"),
    (GIVEN_UP, rolls(None), "link-wrong"),
    (GIVEN_UP, rolls(1), "link-wrong"),
    (GIVEN_UP, rolls(-1), "link-wrong"),
    (nothing, rolls(0), "link-wrong"),
    (again, rolls(0), "link-wrong"),
    (again, rolls(1), "link-wrong"),
    (both(GIVEN_UP, LEAVES), sits(UNSET), "link-wrong"),
    (both(GIVEN_UP, LEAVES), sits(WRONG), "link-wrong"),
    (both(again, LEAVES), sits(WRONG), "link-wrong"),
    (nothing, sits(WRONG, "p3"), "link-wrong"),
    (nothing, does("p1", replace(DRAW, entropy=ENTROPY, k=1)), "draw-not-next"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "when", "rule"), REFUSED)
def test_what_a_session_of_format_2_refuses(given: Do, when: Do, rule: str) -> None:
    table = in_format_2()
    given(table)
    with pytest.raises(Refused) as refused:
        when(table)
    assert refused.value.rule == rule


ACCEPTED: list[tuple[str, Do, Do]] = [
    ("a link that is owed", GIVEN_UP, rolls(0)),
    ("no link where none is owed", again, rolls(None)),
    ("no link of a chain that was not used", nothing, rolls(None)),
    ("a statement that was seen at the start", nothing, says(PresenceSet, lambda table: (table._root_at(1).hex(), 1))),
    ("a statement that was refused before words", nothing, refused_then(does("p3", Narrate("Hm.")))),
    ("a seat comes back with the link that it owes", both(GIVEN_UP, LEAVES), does("p1", TakeSeat("p1", Role.PLAYER))),
    ("a seat comes back and owes nothing", both(again, LEAVES), sits(UNSET)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "when"), [row[1:] for row in ACCEPTED], ids=[row[0] for row in ACCEPTED]
)
def test_what_a_session_of_format_2_records(given: Do, when: Do) -> None:
    table = in_format_2()
    given(table)
    when(table)


def test_a_link_of_a_seat_that_sits_down_is_refused_in_format_1() -> None:
    """It would be a field that format 1 does not have, and so make the log invalid."""
    table = at_table()
    for seat in ("p1", "p3"):
        table.do(seat, LeaveSeat(seat))
        with pytest.raises(Refused, match="link-wrong"):
            sits(WRONG, seat)(table)


# Opened, and the time.


@pytest.mark.parametrize(("log_format", "named"), [(1, UNSET), (2, 2)])
def test_the_first_event_names_format_2_and_not_format_1(log_format: int, named: object) -> None:
    table = ScriptedSession(log_format=log_format)  # type: ignore[arg-type]
    opened = table.facts[0].body
    assert isinstance(opened, Opened)
    assert (opened.format, opened.extensions) == (named, UNSET)
    assert table.session.info.log_format == log_format


@pytest.mark.parametrize("log_format", [1, 2])
def test_a_clock_that_was_set_back_does_not_set_the_log_back(log_format: int) -> None:
    table = ScriptedSession(log_format=log_format)  # type: ignore[arg-type]
    last = table.facts[-1].at
    means = replace(table._means(), at=last - 60_000)
    (said,) = decide_turn(table.head, Narrate("Hm."), table.session.by("gm"), means).events
    assert said.at == last == table.session.at


# Entropy.


def with_entropy(entropy: str = ENTROPY, k: int = 0) -> Declare:
    return replace(DRAW, entropy=entropy, k=k)


def drawing(log_format: int = 2, **how: object) -> ScriptedSession:
    """The server draws alone, and p1 may ask for a draw."""
    table = ScriptedSession(length=LEAST_HOUSE_LENGTH, log_format=log_format, **how)  # type: ignore[arg-type]
    for seat, command in (("p1", EXAMPLE.bring), *to_draw()[:-1]):
        table.do(seat, command)
    return table


def test_entropy_is_declared_drawn_and_part_of_the_values() -> None:
    table = drawing()
    declared, drawn, *_ = (fact.body for fact in table.do("p1", with_entropy(k=0)))
    assert isinstance(declared, Declared)
    assert declared.draw is not UNSET
    assert isinstance(drawn, Drawn)
    assert (declared.draw.entropy, drawn.entropy) == (ENTROPY, ENTROPY)
    (given,) = drawn.contributions
    links = [(HOUSE, given.chain, given.position, bytes.fromhex(given.link))]
    seeded = seed(bytes.fromhex(table.id), 0, links, entropy=bytes.fromhex(ENTROPY))
    assert drawn.values == tuple(
        (sides, value(seeded, nth, sides)) for nth, (sides, _) in enumerate(drawn.values)
    )


def test_entropy_for_a_draw_that_was_taken_names_that_draw() -> None:
    table = drawing()
    table.do("p1", with_entropy(k=0))
    for seat, command in (*over(), *to_draw()[:-1]):
        table.do(seat, command)
    before = table.head
    with pytest.raises(EntropyOutdatedError) as outdated:
        table.do("p1", with_entropy(k=0))
    assert (outdated.value.k, table.head) == (0, before)
    table.do("p1", with_entropy(k=1))


def test_entropy_of_a_draw_that_waits_is_that_of_its_end() -> None:
    table = in_format_2()
    table.ask("p1", with_entropy(), between=[("p3", Narrate("Hm."))])
    assert drawn_in(table, 0).entropy == ENTROPY


def test_entropy_of_a_secret_draw_is_shown_and_its_values_are_not() -> None:
    table = in_format_2()
    table.ask("p1", replace(with_entropy(), audience="gm"))
    assert (drawn_in(table, 0).entropy, drawn_in(table, 0).values) == (ENTROPY, ())


def test_format_1_takes_the_command_and_leaves_the_entropy_out() -> None:
    table = drawing(log_format=1)
    declared, drawn, *_ = (fact.body for fact in table.do("p1", with_entropy(k=0)))
    assert isinstance(declared, Declared)
    assert declared.draw is not UNSET
    assert isinstance(drawn, Drawn)
    assert (declared.draw.entropy, drawn.entropy) == (UNSET, UNSET)


# The name of physical dice.


def named(name: str | UnsetType = "the red d6", **fields: object) -> Declare:
    return replace(DRAW, faces=FACES, dice_name=name, **fields)


@pytest.mark.parametrize("name", ["the red d6", "\N{GAME DIE}" * 40, UNSET])
def test_the_name_of_physical_dice_is_recorded(name: str | UnsetType) -> None:
    table = drawing()
    declared, *_ = table.do("p1", named(name))
    assert isinstance(declared.body, Declared)
    assert (declared.body.dice, declared.body.dice_name) == ("declared", name)
    report = verify(file_of(table), ed25519)
    assert (report.failure, report.reached) == (None, Level.VIEWS)


def test_the_name_of_secret_dice_is_sealed_with_their_values() -> None:
    table = drawing()
    declared, *_ = table.do("p1", named(audience="self"))
    assert isinstance(declared.body, Declared)
    assert (declared.body.dice_name, declared.sealed) == ("the red d6", True)


def test_the_name_of_dice_is_recorded_only_with_faces() -> None:
    declared, *_ = drawing().do("p1", replace(DRAW, dice_name="the red d6"))
    assert isinstance(declared.body, Declared)
    assert declared.body.dice_name is UNSET


@pytest.mark.parametrize("name", ["", "x" * 41, "red\nd6", "red\x7fd6"])
def test_a_name_of_dice_that_a_log_cannot_have_is_malformed(name: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        drawing().do("p1", named(name))


def test_format_1_refuses_the_name_of_dice() -> None:
    table = drawing(log_format=1)
    before = table.head
    with pytest.raises(Refused, match="dice-name-in-format-1"):
        table.do("p1", named())
    assert table.head == before
    table.do("p1", named(UNSET))


# The server's chains.


class Roller(ScriptedSession):
    """The server draws alone, again and again."""

    def __init__(self) -> None:
        super().__init__(length=LEAST_HOUSE_LENGTH, log_format=2)
        self.do("p1", EXAMPLE.bring)

    def roll(self, draws: int) -> None:
        """Draw until so many draws were made."""
        while self.session.k < draws:
            for seat, command in (*to_draw(), *over()):
                self.do(seat, command)

    @property
    def places(self) -> list[tuple[int, int]]:
        """The server's chain and position in every draw."""
        drawn = [fact.body for fact in self.facts if isinstance(fact.body, Drawn)]
        return [(each.contributions[0].chain, each.contributions[0].position) for each in drawn]

    @property
    def anchored(self) -> list[int]:
        """The number of draws before each next chain of the server."""
        return [
            self.then(fact.version).k for fact in self.facts if isinstance(fact.body, ChainAnchored)
        ]


def test_the_server_anchors_its_next_chain_early_and_uses_every_link() -> None:
    table = Roller()
    table.roll(2 * LEAST_HOUSE_LENGTH + 1)
    first = LEAST_HOUSE_LENGTH - USUAL_AHEAD
    assert USUAL_AHEAD >= LEAST_AHEAD
    assert table.anchored == [first, first + LEAST_HOUSE_LENGTH]
    positions = range(1, LEAST_HOUSE_LENGTH + 1)
    assert table.places == [
        *((chain, position) for chain in (0, 1) for position in positions),
        (2, 1),
    ]


# Grades: p1 asks, and p3 gives beside it; the rows are about p2.


P2_MISSED = voided("p2")
P2_BACK = does("p2", SetPresence("p2", present=True))
P2_ABSENT = does("p2", SetPresence("p2", present=False))
P4_ABSENT = both(
    does("p4", TakeSeat("p4", Role.PLAYER)), does("gm", SetPresence("p4", present=False))
)
GRADES: list[tuple[str, list[Do], str, str]] = [
    # in format 1, in format 2
    ("all are there", [], "A", "A"),
    ("absent by the server's word", [P2_MISSED], "A", "B"),
    ("made to leave by the GM", [P2_MISSED, does("gm", LeaveSeat("p2"))], "A", "B"),
    ("back by its own word", [P2_MISSED, P2_BACK], "A", "A"),
    ("back, and absent by its own word", [P2_MISSED, P2_BACK, P2_ABSENT], "A", "A"),
    ("left by its own word after a void", [P2_MISSED, does("p2", LeaveSeat("p2"))], "A", "A"),
    ("made to leave, and sat down again", [P2_MISSED, does("gm", LeaveSeat("p2")), does("p2", TakeSeat("p2", Role.PLAYER))], "A", "A"),
    ("absent by its own word", [P2_ABSENT], "A", "A"),
    ("left by its own word", [does("p2", LeaveSeat("p2"))], "A", "A"),
    ("another seat without a key is absent", [P4_ABSENT], "A", "A"),
]  # fmt: skip


@pytest.mark.parametrize("log_format", [1, 2])
@pytest.mark.parametrize("row", GRADES, ids=[row[0] for row in GRADES])
def test_only_its_own_word_leaves_a_seat_out_of_grade_a(
    row: tuple[str, list[Do], str, str], log_format: int
) -> None:
    _, steps, *letters = row
    own = ("gm", "p1", "p2", "p3")
    table = at_table(log_format=log_format, length=LEAST_HOUSE_LENGTH, own=own)
    for step in steps:
        step(table)
    _, drawn, *_ = table.do("p1", EXAMPLE.draw)
    assert isinstance(drawn.body, Drawn)
    assert grade(drawn, table.then) == letters[log_format - 1]
    report = verify(lines(of=table, given=table.facts), ed25519)
    assert report.failure is None
    assert report.reached is Level.VIEWS
    assert [each.grade for each in report.grades] == [letters[log_format - 1]]


@pytest.mark.parametrize(("wish", "letter"), [(with_entropy(), "B"), (DRAW, "C")])
def test_entropy_alone_is_grade_b(wish: Declare, letter: str) -> None:
    table = drawing()
    _, drawn, *_ = table.do("p1", wish)
    assert grade(drawn, table.then) == letter
