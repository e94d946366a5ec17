"""The rulings and the rules that no vector shows: one play each, by the numbers of RULES.md."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import UNSET

from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m, ruleset
from domain.rulesets.deckahedron.rules import (
    DeckName,
    Number,
    Options,
    Pile,
    Ranks,
    Shuffle,
    Stat,
    TiedCards,
    cards_left,
)
from tests.domain.rulesets.deckahedron.people import (
    AIM,
    ALL,
    ANA,
    DIFFICULT,
    EASY,
    EVEN,
    GM,
    P1,
    STANDARD,
    TABLE,
    VERY_DIFFICULT,
    VERY_EASY,
    S,
    faces,
    gone,
    hand,
    hard,
    out,
    ranks,
    tried,
)
from tests.domain.rulesets.given import Case, after, check, each_case, play

PICKED = Options(tied_cards=TiedCards.PLAYER)
TURN = m.TurnOpened("ana")
R = "for a reason"


def test_2_1_who_has_left_makes_room_for_another_with_a_whole_deck() -> None:
    given = [ANA, gone("D07"), out()]
    check(
        given=given,
        when=m.CreateCharacter("cleo", "Cleo"),
        by=P1,
        then=[m.CharacterCreated("cleo", "Cleo", "p1", EVEN)],
    )
    table = ruleset.show(after(ANA, [*given, m.CharacterCreated("cleo", "Cleo", "p1", EVEN)]))
    assert (list(table.decks), table.decks["cleo"].remaining) == (["cleo"], 20)


def test_3_1_what_is_said_again_replaces_what_was_said() -> None:
    steps = (
        (P1, m.Introduce("ana", "the docks", skills="knots")),
        (P1, m.Introduce("ana", motivation="a boat", skills="oars", bonds="owes Ben")),
    )
    sheet = ruleset.show(after(ANA, [ANA, *play(*steps, given=[ANA])])).entities["ana"].sheet
    assert (sheet["background"], sheet["motivation"], sheet["special skills"]) == (
        "the docks",
        "a boat",
        "oars",
    )


def test_5_2_the_gm_may_call_for_an_attempt_that_nobody_announced() -> None:
    given = [ANA, ranks(1, 4, 1)]
    called = m.DifficultySet("ana", Stat.DEXTERITY, 4, DIFFICULT, 2)
    check(given=given, when=m.SetDifficulty("ana", Stat.DEXTERITY, DIFFICULT), by=GM, then=[called])
    assert after(ANA, [*given, called]).characters["ana"].attempt.aim == ""


def test_5_3_until_the_flip_the_gm_may_set_it_again() -> None:
    given = [ANA, tried(), hard(EASY)]
    check(
        given=given,
        when=m.SetDifficulty("ana", S, VERY_DIFFICULT),
        by=GM,
        then=[hard(VERY_DIFFICULT)],
    )
    assert (
        after(ANA, [*given, hard(VERY_DIFFICULT)]).characters["ana"].attempt.aim == "lift the gate"
    )


@pytest.mark.parametrize("given", [[tried()], [tried(), hard()], [hard()]])
def test_5_4_and_5_5_before_the_flip_an_attempt_can_end_without_one(given: list[Message]) -> None:
    few = [ANA, gone(*ALL[:17]), *given]  # ruling 3: what is told or taken back ends no turn
    check(
        given=few,
        when=m.TellOutcome("ana", "Easily."),
        by=GM,
        then=[m.OutcomeTold("ana", "Easily.")],
    )
    check(given=few, when=m.Withdraw("ana"), by=P1, then=[m.Withdrawn("ana")])


TIES = [
    # difficulty, cards (rank 2: ✗✗ on D07 and D08, ✗ on D09, ✔ on D12 and D13), the first that resolves, a choice
    (EASY, ("D12", "D13"), "D12", 13),
    (EASY, ("D13", "D12"), "D13", 12),
    (VERY_EASY, ("D09", "D13", "D12"), "D13", 12),
    (DIFFICULT, ("D07", "D08"), "D07", 8),
    (VERY_DIFFICULT, ("D09", "D07", "D08"), "D07", 8),
]


@pytest.mark.parametrize(("difficulty", "cards", "first", "choice"), TIES)
def test_6_6_ties(difficulty: object, cards: tuple[str, ...], first: str, choice: int) -> None:
    flipped = hand(*cards, difficulty=difficulty)  # type: ignore[arg-type]
    assert flipped.card == first
    given = [ANA, tried(), hard(difficulty), flipped]  # type: ignore[arg-type]
    chosen = m.CardChosen("ana", first, f"D{choice:02}")
    check(given=given, when=m.Choose("ana", choice), by=P1, then=[chosen], options=PICKED)
    outcome = after(ANA, [*given, chosen], PICKED).characters["ana"].attempt.outcome
    assert (outcome.card, outcome.result) == (chosen.card, flipped.result)


SHORT = [
    # difficulty, cards left, whether the discard goes back first
    (VERY_EASY, 3, False),
    (VERY_EASY, 2, True),
    (DIFFICULT, 2, False),
    (DIFFICULT, 1, True),
    (STANDARD, 1, False),
    (STANDARD, 0, True),
]


@pytest.mark.parametrize(("difficulty", "left", "short"), SHORT)
def test_7_6_the_discard_goes_back_before_a_flip_that_needs_it(
    difficulty: object, left: int, short: bool
) -> None:
    before = ALL[: 20 - left]
    discard = () if short else before
    shown = cards_left(DeckName.D, discard)[: hard(difficulty).flips]  # type: ignore[arg-type]
    flipped = hand(*shown, difficulty=difficulty, discard=discard, aim=AIM)  # type: ignore[arg-type]
    shuffled = [m.Reshuffled("ana", Shuffle.SHORT, left, 20 - left)] if short else []
    check(
        given=[ANA, TURN, gone(*before), tried(), hard(difficulty)],  # type: ignore[arg-type]
        when=m.Flip("ana"),
        by=P1,
        drawn=faces(*shown),
        then=[*shuffled, flipped],
    )


@pytest.mark.parametrize("given", [[], [gone("D07", "D08")], [TURN, gone(*ALL)]])
def test_7_4_and_7_5_at_any_time_all_twenty_are_shuffled(given: list[Message]) -> None:
    before = len(after(ANA, [ANA, *given]).characters["ana"].discard)
    shuffled = m.Reshuffled("ana", Shuffle.CHOSEN, 20 - before, before)
    check(given=[ANA, *given], when=m.Reshuffle("ana"), by=P1, then=[shuffled])
    assert after(ANA, [ANA, *given, shuffled]).characters["ana"].discard == ()


def test_7_3_in_a_longer_turn_no_attempt_ends_it() -> None:
    log = play(
        (GM, m.OpenTurn("ana")),
        *[(GM, m.MoveCard("ana", nth, Pile.DISCARD, R)) for nth in range(1, 16)],
        (P1, m.Attempt("ana", "hold on")),
        (GM, m.SetDifficulty("ana", S, STANDARD)),
        (P1, m.Flip("ana"), 16),
        (GM, m.Interpret("ana", "It holds.")),
        (P1, m.FlipNumber("ana", Number.CURVE), 17),
        (P1, m.EndTurn("ana")),
        given=[ANA],
    )
    assert log[-2:] == [m.TurnEnded("ana", 3), m.Reshuffled("ana", Shuffle.FORCED, 3, 17)]
    assert [event for event in log if isinstance(event, m.Reshuffled)] == log[-1:]


@pytest.mark.parametrize(("before", "forced"), [(13, False), (14, True)])
def test_8_4_a_flip_for_a_number_is_a_turn_too(before: int, forced: bool) -> None:
    discard, card = ALL[20 - before :], "D02"
    flipped = m.NumberFlipped("ana", Number.D4, DeckName.D, discard, (card,), 1)
    then = [flipped, m.Reshuffled("ana", Shuffle.FORCED, 5, 15)] if forced else [flipped]
    drawn = faces(card)
    check(
        given=[ANA, gone(*discard)],
        when=m.FlipNumber("ana", Number.D4),
        by=P1,
        drawn=drawn,
        then=then,
    )


def test_10_1_ranks_that_are_not_named_stay() -> None:
    adjusted = m.RanksAdjusted("ana", Ranks(3, 2, 1), Ranks(3, 1, 2), R)
    when = m.AdjustRanks("ana", R, dexterity=1, intelligence=2)
    check(given=[ANA, ranks(3, 2, 1)], when=when, by=GM, then=[adjusted])
    assert after(ANA, [ANA, adjusted]).characters["ana"].ranks == Ranks(3, 1, 2)


@pytest.mark.parametrize("deck", DeckName)
def test_9_3_the_deck_is_what_is_noted(deck: DeckName) -> None:
    noted = ruleset.carry(ruleset.decider.initial(Options(deck=deck)))
    assert msgspec.convert(dict(noted), Options) == Options(deck=deck)


def test_4_6_no_order_is_stored() -> None:
    character = after(ANA, [ANA, gone("D03", "D07")]).characters["ana"]
    assert character.discard == ("D03", "D07")
    assert [
        name
        for name in character.__struct_fields__
        if "deck" in name or "left" in name or "order" in name
    ] == []
    assert character.attempt is UNSET


CASES = [
    # name, given, by, when, drawn, then
    Case(
        "2 7 the player says why",
        TABLE,
        P1,
        m.Retire("ana", "the sea"),
        [],
        [m.Retired("ana", "the sea")],
    ),
    Case(
        "6 6 the first may be chosen too",
        [ANA, tried(), hard(), hand("D07")],
        P1,
        m.Choose("ana", 7),
        [],
        [m.CardChosen("ana", "D07", "D07")],
        PICKED,
    ),
    Case(
        "8 4 where only zeros are left the discard goes back first",
        [ANA, TURN, gone(*tuple(card for card in ALL if card not in ("D01", "D06", "D15", "D20")))],
        P1,
        m.FlipNumber("ana", Number.D4),
        faces("D01", "D02"),
        [
            m.Reshuffled("ana", Shuffle.SHORT, 4, 16),
            m.NumberFlipped("ana", Number.D4, DeckName.D, (), ("D01", "D02"), 1),
        ],
    ),
    Case(
        "8 4 zeros are no hindrance while a number is left",
        [ANA, TURN, gone(*tuple(card for card in ALL if card not in ("D01", "D02")))],
        P1,
        m.FlipNumber("ana", Number.D4),
        faces("D01", "D02"),
        [
            m.NumberFlipped(
                "ana",
                Number.D4,
                DeckName.D,
                tuple(card for card in ALL if card not in ("D01", "D02")),
                ("D01", "D02"),
                1,
            )
        ],
    ),
    Case(
        "10 2 one card is put right (1)",
        [ANA, gone("D03")],
        GM,
        m.MoveCard("ana", 7, Pile.DISCARD, R),
        [],
        [m.CardMoved("ana", "D07", Pile.DECK, Pile.DISCARD, ("D03", "D07"), R)],
    ),
    Case(
        "10 2 one card is put right (2)",
        [ANA, gone("D03", "D07")],
        GM,
        m.MoveCard("ana", 3, Pile.DECK, R),
        [],
        [m.CardMoved("ana", "D03", Pile.DISCARD, Pile.DECK, ("D07",), R)],
    ),
]


@each_case(CASES)
def test_case(case: Case) -> None:
    case.check()
