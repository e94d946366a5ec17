"""Edition 1 decides as before: its log, its states to the byte, and each rule that changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from domain.chance import DeclaredChance
from domain.codec import encode
from domain.decider import By, Refused, fold
from domain.ruleset import Message
from domain.rulesets import RULESETS, RULESETS_BY_EDITION
from domain.rulesets.deckahedron import edition_1, messages as m, ruleset
from domain.rulesets.deckahedron.rules import DeckName, Number, Options, Pile, TiedCards
from domain.verify import verify
from domain.verify.report import Level
from service.platform.ed25519 import verify as ed25519
from service.sessions.refusal_texts import refusal_text
from tests.domain.rulesets.deckahedron.people import (
    AIM,
    ALL,
    ANA,
    EASY,
    EVEN,
    GM,
    P1,
    TABLE,
    dodged,
    faces,
    gone,
    hand,
    hard,
    places,
    tried,
)

GOLDEN = Path(__file__).parents[3] / "golden"
PICKED = Options(tied_cards=TiedCards.PLAYER)
R = "for a reason"


def in_edition_1(
    given: Sequence[Message], when: Message, by: By, drawn: Sequence[int] = ()
) -> list[Message] | str:
    """Return the events of the command, or the rule that refuses it."""
    state = fold(edition_1.decider.evolve, edition_1.decider.initial(PICKED), given)
    try:
        return list(edition_1.decider.decide(state, when, by, DeclaredChance(drawn)))
    except Refused as refused:
        return refused.rule


def test_both_editions_can_be_played_and_new_sessions_have_the_newest() -> None:
    assert ruleset in RULESETS
    assert edition_1 not in RULESETS
    assert RULESETS_BY_EDITION["deckahedron", "1"] is edition_1
    assert RULESETS_BY_EDITION["deckahedron", "2"] is ruleset


def test_17_7_only_from_edition_2_a_named_seat_must_play() -> None:
    assert not edition_1.named_seats_must_play
    assert ruleset.named_seats_must_play


def test_the_golden_log_of_edition_1_verifies() -> None:
    log = (GOLDEN / "deckahedron-1.fairlog").read_bytes()
    report = verify(log.splitlines(keepends=True), ed25519)
    assert (report.failure, report.reached) == (None, Level.VIEWS)


TABLE_OF_EDITION_1 = (
    b'{"characters":{"ana":{"background":"","bonds":"","discard":["D07"],"distributed":false,'
    b'"motivation":"","name":"Ana","ranks":{"dexterity":2,"intelligence":2,"strength":2},'
    b'"retired":false,"seat":"p1","skills":"","turn_open":false}},'
    b'"options":{"deck":"D","tied_cards":"first"}}'
)


def test_a_table_of_edition_1_is_written_as_it_was() -> None:
    """A fork's first table is compared to the byte: nothing that came later may stand in it."""
    began = edition_1.decider.initial(Options())
    assert encode(began) == b'{"characters":{},"options":{"deck":"D","tied_cards":"first"}}'
    state = fold(edition_1.decider.evolve, began, [ANA, gone("D07")])
    assert encode(state) == TABLE_OF_EDITION_1
    assert msgspec.json.decode(TABLE_OF_EDITION_1, type=edition_1.state) == state


def test_a_table_names_its_edition() -> None:
    assert b'"edition":2' in encode(ruleset.decider.initial(Options()))


def test_options_of_edition_1_are_recorded_as_they_were() -> None:
    assert msgspec.to_builtins(Options()) == {"deck": "D", "tied_cards": "first"}


SET = [*TABLE, tried(), hard()]
DOWN = [*SET, hand("D07")]
FORMER_RULES = [
    # RULES, given, when, by, drawn, what edition 1 answers
    ("2.2", TABLE, m.CreateCharacter("wolf", "Wolf", "gm"), GM, [], "may"),
    ("2.10", [ANA], m.CreateCharacter("ben", "  ", "p2"), GM, [], "may"),
    ("2.10", DOWN, m.Interpret("ana", " "), GM, [], "may"),
    ("4.7", SET, m.Flip("ana"), P1, places("D13"), [hand("D13")]),
    (
        "4.7",
        [*TABLE, gone("D01", "D07"), tried(), hard(EASY)],
        m.Flip("ana"),
        P1,
        places("D13", "D12", discard=["D01", "D07"]),
        [hand("D13", "D12", difficulty=EASY, discard=["D01", "D07"])],
    ),
    ("6.8", SET, m.Flip("ana", "as before"), P1, places("D13"), [hand("D13", aim="as before")]),
    ("10.1", TABLE, m.AdjustRanks("ana", R), GM, [], [m.RanksAdjusted("ana", EVEN, EVEN, R)]),
    ("12.3", TABLE, m.Reshuffle("ana"), GM, [], "not-yours"),
    ("12.3", DOWN, m.Choose("ana", 7), GM, [], "not-yours"),
    ("12.3", TABLE, m.Reshuffle("ana"), P1, [], "may"),
]


@pytest.mark.parametrize(
    ("given", "when", "by", "drawn", "then"),
    [row[1:] for row in FORMER_RULES],
    ids=[row[0] for row in FORMER_RULES],
)
def test_edition_1_decides_as_it_did(
    given: Sequence[Message],
    when: Message,
    by: By,
    drawn: Sequence[int],
    then: list[Message] | str,
) -> None:
    answer = in_edition_1(given, when, by, drawn)
    assert isinstance(answer, list) if then == "may" else answer == then


def in_edition_2(
    given: Sequence[Message], when: Message, by: By, drawn: Sequence[int] = ()
) -> list[Message] | str:
    state = fold(ruleset.decider.evolve, ruleset.decider.initial(PICKED), given)
    try:
        return list(ruleset.decider.decide(state, when, by, DeclaredChance(drawn)))
    except Refused as refused:
        return refused.rule


DECLARED = [
    # cards gone, the numbers that are entered, the cards that are flipped or the refusing rule
    ([], faces("D20"), ["D20"]),
    (["D01", "D07"], faces("D13"), ["D13"]),
    (["D01", "D07"], faces("D07"), "card-not-left"),
    (["D01", "D07"], [21], "face-off-the-die"),
    (["D01", "D07"], [], "faces-missing"),
    (list(ALL[:14]), faces("D20"), ["D20"]),
]


@pytest.mark.parametrize(("discard", "drawn", "then"), DECLARED)
def test_4_7_a_physical_card_is_declared_by_its_number(
    discard: list[str], drawn: list[int], then: list[str] | str
) -> None:
    before = [gone(*discard)] if discard else []
    answer = in_edition_2([*TABLE, *before, tried(), hard()], m.Flip("ana"), P1, drawn)
    flipped = [hand(*then, discard=discard, aim=AIM)] if isinstance(then, list) else then
    assert answer == flipped


CARDS_REFUSED = [
    # the numbers that are entered for two cards, and why they are refused
    ([4], "The rules need more numbers than the 1 that you entered: the next one goes up to 20."),
    ([4, 21], "You entered 21, but the number must be from 1 to 20."),
    ([4, 4], "Card 4 is not in the deck any more, or you entered it twice."),
    ([4, 5, 6], "You entered more numbers than the rules use: 3 instead of 2."),
]


@pytest.mark.parametrize(("drawn", "what"), CARDS_REFUSED)
def test_4_7_a_refusal_of_physical_cards_does_not_speak_of_dice(
    drawn: list[int], what: str
) -> None:
    given, cards = [*TABLE, tried(), hard(EASY)], DeclaredChance(drawn)
    state = fold(ruleset.decider.evolve, ruleset.decider.initial(PICKED), given)
    with pytest.raises(Refused) as refused:
        _ = ruleset.decider.decide(state, m.Flip("ana"), P1, cards), cards.values
    text = refusal_text(refused.value.rule, refused.value.facts, {}, ruleset.refusals)
    assert text.what == what


def test_4_7_no_card_is_flipped_twice() -> None:
    given = [*TABLE, tried(), hard(EASY)]
    assert in_edition_2(given, m.Flip("ana"), P1, faces("D07", "D07")) == "card-not-left"


def test_4_7_cards_for_a_number_are_declared_by_theirs() -> None:
    cards = ("D01", "D06", "D20", "D03")
    given, when = [*TABLE, gone("D02")], m.FlipNumber("ana", Number.D4)
    flipped = m.NumberFlipped("ana", Number.D4, DeckName.D, ("D02",), cards, 2)
    assert in_edition_2(given, when, P1, faces(*cards)) == [flipped]


def test_new_commands_can_be_played_in_edition_1() -> None:
    assert isinstance(in_edition_1(TABLE, m.SetCondition("ana", "poisoned", 3), GM), list)
    assert in_edition_1(TABLE, m.SetCondition("ana", " "), GM) == "blank-text"
    assert in_edition_1(TABLE, m.SetCounter("ana", " ", 1), P1) == "blank-text"
    assert in_edition_1(TABLE, m.Attempt("ana", " "), P1) == [m.Attempted("ana", " ")]
    assert isinstance(in_edition_1(TABLE, m.SetCounter("ana", "arrows", 3), P1), list)
    assert in_edition_1(TABLE, m.MoveCard("ana", 7, Pile.EXHAUSTION, R), GM) == "stamina-not-played"
    wolf = m.CharacterCreated("wolf", "Wolf", "gm", EVEN, npc=True)
    assert in_edition_1(TABLE, m.CreateNpc("wolf", "Wolf"), GM) == [wolf]
    assert in_edition_1([*TABLE, wolf], m.Reshuffle("wolf"), P1) == "not-yours"
    assert isinstance(in_edition_1([*TABLE, wolf], m.Reshuffle("wolf"), GM), list)
    assert isinstance(in_edition_1([*SET, dodged("D07")], m.Choose("ana", 7), P1), list)
