"""Stamina, exhaustion, harm and rest: a test for each sentence of section 16 of RULES.md."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from msgspec import UNSET, UnsetType

from domain.odds import enumerate_odds, odds
from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m, ruleset
from domain.rulesets.deckahedron.rules import (
    DECKS,
    SYMBOLS,
    DeckName,
    Injury,
    Mark,
    Number,
    Options,
    Pile,
    Recovery,
    Shuffle,
    StaminaMode,
    stamina_cards,
    tokens_after_injury,
    tokens_after_recovery,
)
from domain.rulesets.deckahedron.state import Fatigue
from domain.table import Pool
from tests.domain.rulesets.deckahedron.people import (
    AIM,
    ALL,
    ANA,
    GM,
    P1,
    TABLE,
    D,
    dodged,
    faces,
    gone,
    hand,
    hard,
    lost,
    tried,
)
from tests.domain.rulesets.given import after, check, play

HEROIC, GRITTY = (Options(stamina_mode=mode) for mode in StaminaMode)
TURN = m.TurnOpened("ana")
R = "for a reason"


def fatigue(events: Sequence[Message], options: Options = HEROIC) -> Fatigue:
    return after(ANA, [ANA, *events], options).characters["ana"].current_fatigue  # type: ignore[no-any-return]


def test_16_1_and_16_3_heroic_stamina_costs_the_next_cards() -> None:
    check(
        given=TABLE,
        when=m.LoseStamina("ana", 3, "run"),
        by=P1,
        drawn=faces("D01", "D20", "D07"),
        then=[lost("D01", "D20", "D07", aim="run")],
        options=HEROIC,
    )
    state = after(ANA, [*TABLE, lost("D01", "D20", "D07")], HEROIC)
    assert state.characters["ana"].exhausted == ("D01", "D20", "D07")
    table = ruleset.show(state)
    assert (table.decks["ana"].remaining, table.decks["ana"].discard) == (17, ())
    assert table.entities["ana"].sheet["exhausted cards"] == "D01, D20, D07"
    assert table.pools == {
        "ana.stamina": Pool("ana", "stamina", 7, 10, "stamina"),
        "ana.harm": Pool("ana", "harm", 0, 2, "harm", slots=True),
        "ana.wounds": Pool("ana", "wounds", 0, 3, "harm", slots=True),
        "ben.stamina": Pool("ben", "stamina", 10, 10, "stamina"),
        "ben.harm": Pool("ben", "harm", 0, 2, "harm", slots=True),
        "ben.wounds": Pool("ben", "wounds", 0, 3, "harm", slots=True),
    }


def test_16_3_gritty_stamina_costs_the_next_cards_with_the_mark() -> None:
    flipped = ("D01", "D11", "D02", "D03", "D20")
    event = lost(*flipped, mode=StaminaMode.GRITTY)
    assert event.lost == ("D11", "D20")
    check(
        given=TABLE,
        when=m.LoseStamina("ana", 2),
        by=GM,
        drawn=faces(*flipped),
        then=[event],
        options=GRITTY,
    )
    character = after(ANA, [*TABLE, event], GRITTY).characters["ana"]
    assert character.exhausted == ("D11", "D20")
    assert character.discard == ("D01", "D02", "D03")


@pytest.mark.parametrize("deck", DeckName)
def test_16_3_ten_cards_bear_the_mark(deck: DeckName) -> None:
    marked = stamina_cards(deck, (), StaminaMode.GRITTY)
    assert len(marked) == 10
    assert all(Mark.STAMINA in DECKS[deck][card].marks for card in marked)
    assert stamina_cards(deck, (), StaminaMode.HEROIC) == tuple(DECKS[deck])


SHORT = [
    # mode, cards in the discard, points, whether the discard is shuffled in first
    (HEROIC, ALL[:18], 2, False),
    (HEROIC, ALL[:18], 3, True),
    (HEROIC, ALL, 1, True),
    (GRITTY, ALL[10:19], 1, False),
    (GRITTY, ALL[10:19], 2, True),
    (GRITTY, ALL[10:], 1, True),
]


@pytest.mark.parametrize(("options", "discard", "points", "shuffled"), SHORT)
def test_16_4_the_discard_goes_back_before_a_loss_that_needs_it(
    options: Options, discard: tuple[str, ...], points: int, shuffled: bool
) -> None:
    rest = () if shuffled else discard
    cards = [card for card in ALL[::-1] if card not in rest][:points]
    assert isinstance(options.stamina_mode, StaminaMode)
    before = [m.Reshuffled("ana", Shuffle.SHORT, 20 - len(discard), len(discard))]
    check(
        given=[*TABLE, TURN, gone(*discard)],
        when=m.LoseStamina("ana", points),
        by=P1,
        drawn=faces(*cards),
        then=[*before * shuffled, lost(*cards, mode=options.stamina_mode, discard=rest)],
        options=options,
    )


def test_16_5_who_loses_more_than_is_left_loses_what_is_left() -> None:
    event = lost("D19", "D20", exhausted=ALL[:8])
    check(
        given=[*TABLE, lost(*ALL[:8])],
        when=m.LoseStamina("ana", 5),
        by=P1,
        drawn=faces("D19", "D20"),
        then=[event],
        options=HEROIC,
    )
    table = ruleset.show(after(ANA, [*TABLE, lost(*ALL[:8]), event], HEROIC))
    assert table.entities["ana"].status == "incapacitated"
    assert (table.pools["ana.stamina"].now, table.decks["ana"].remaining) == (0, 10)


INJURIES = [
    # injury, harm and wounds before, harm and wounds after
    (Injury.HARM, (0, 0), (1, 0)),
    (Injury.HARM, (1, 0), (2, 0)),
    (Injury.HARM, (2, 0), (2, 1)),
    (Injury.HARM, (2, 2), (2, 3)),
    (Injury.WOUND, (0, 0), (0, 1)),
    (Injury.WOUND, (1, 2), (1, 3)),
]


@pytest.mark.parametrize(("injury", "before", "tokens"), INJURIES)
def test_16_6_and_16_7_an_injury_costs_a_card_and_gives_a_token(
    injury: Injury, before: tuple[int, int], tokens: tuple[int, int]
) -> None:
    assert tokens_after_injury(injury, *before) == tokens
    taken = Injury.WOUND if tokens[1] > before[1] else Injury.HARM
    given = [*TABLE, m.Injured("ana", Injury.HARM, *before)]
    then = [lost("D12", aim="the axe"), m.Injured("ana", taken, *tokens)]
    check(
        given=given,
        when=m.TakeInjury("ana", injury, "the axe"),
        by=GM,
        drawn=faces("D12"),
        then=then,
        options=HEROIC,
    )
    character = after(ANA, [*given, *then], HEROIC).characters["ana"]
    assert character.incapacitated is (tokens[1] > 2)


BREATHERS = [
    # the result, the d4 that falls, how many of three cards come back
    ("✔✔", [4], 3),
    ("✔✔", [2], 2),
    ("✔", [1], 1),
    ("✗", [], 1),
    ("✗✗", [], 0),
]
CARDS_OF_RANK_2 = {"✔✔": "D11", "✔": "D12", "✗": "D09", "✗✗": "D07"}


@pytest.mark.parametrize(("symbol", "die", "back"), BREATHERS)
def test_16_9_a_breather(symbol: str, die: list[int], back: int) -> None:
    card, exhausted = CARDS_OF_RANK_2[symbol], ("D18", "D19", "D20")
    given = [*TABLE, lost(*exhausted), tried(), hard(), dodged(card)]
    fallen: int | UnsetType = die[0] if die else UNSET
    taken = m.BreatherTaken(
        "ana",
        SYMBOLS[symbol],
        exhausted[:back],
        exhausted[back:],
        (card, *exhausted[:back]),
        fallen,
        "catch my breath",
    )
    when = m.TakeBreather("ana", "catch my breath")
    check(given=given, when=when, by=P1, drawn=die, then=[taken], options=HEROIC)
    character = after(ANA, [*given, taken], HEROIC).characters["ana"]
    assert character.exhausted == exhausted[back:]
    assert character.discard == (card, *exhausted[:back])
    assert character.attempt.breather is True


def test_16_9_an_attempt_of_dexterity_is_played_with_its_breather() -> None:
    log = play(
        (P1, m.LoseStamina("ana", 4), 17, 18, 19, 20),
        (P1, m.Attempt("ana", "catch her breath")),
        (GM, m.SetDifficulty("ana", D, hard().difficulty)),
        (P1, m.Flip("ana"), 11),
        (P1, m.TakeBreather("ana"), 3),
        (GM, m.Interpret("ana", "You breathe.")),
        given=[ANA],
        options=HEROIC,
    )
    assert fatigue(log).exhausted == ("D20",)
    assert ruleset.show(after(ANA, [ANA, *log], HEROIC)).decks["ana"].remaining == 15


RECOVERIES = [
    # recovery, harm and wounds, exhausted cards, then harm and wounds, and how many stay exhausted
    (Recovery.REST, (0, 0), 4, (0, 0), 0),
    (Recovery.REST, (1, 0), 4, (0, 0), 0),
    (Recovery.REST, (2, 1), 5, (1, 1), 2),
    (Recovery.REST, (2, 3), 4, (1, 3), 4),
    (Recovery.REST, (0, 2), 10, (0, 2), 2),
    (Recovery.HEALING, (2, 2), 5, (0, 1), 1),
    (Recovery.HEALING, (2, 3), 10, (0, 2), 2),
    (Recovery.HEALING, (0, 1), 3, (0, 0), 0),
]


@pytest.mark.parametrize(("recovery", "before", "pile", "tokens", "stay"), RECOVERIES)
def test_16_10_and_16_11_a_recovery(
    recovery: Recovery, before: tuple[int, int], pile: int, tokens: tuple[int, int], stay: int
) -> None:
    assert tokens_after_recovery(recovery, *before) == tokens
    exhausted = ALL[:pile]
    back, kept = exhausted[: pile - stay], exhausted[pile - stay :]
    given = [ANA, lost(*exhausted), m.Injured("ana", Injury.HARM, *before)]
    healed = (before[0] - tokens[0], before[1] - tokens[1])
    recovered = m.Recovered("ana", recovery, back, kept, back, *tokens, *healed)
    check(given=given, when=m.Recover("ana", recovery), by=P1, then=[recovered], options=HEROIC)
    assert fatigue([*given[1:], recovered]) == Fatigue(kept, *tokens)


def test_16_10_a_recovery_that_changes_nothing_is_none() -> None:
    given = [ANA, lost("D12", "D13"), m.Injured("ana", Injury.WOUND, 0, 2)]
    when = m.Recover("ana", Recovery.REST)
    check(given=given, when=when, by=P1, then="nothing-changes", options=HEROIC)


def test_16_2_no_reshuffle_brings_exhausted_cards_back() -> None:
    given = [ANA, lost("D18", "D19", "D20"), gone("D01", "D02")]
    shuffled = m.Reshuffled("ana", Shuffle.CHOSEN, 15, 2)
    check(given=given, when=m.Reshuffle("ana"), by=P1, then=[shuffled], options=HEROIC)
    assert ruleset.show(after(ANA, [*given, shuffled], HEROIC)).decks["ana"].remaining == 17


def test_16_2_no_exhausted_card_is_flipped() -> None:
    given = [ANA, lost("D18", "D19", "D20"), tried(), hard()]
    flipped = hand("D13", exhausted=["D18", "D19", "D20"], aim=AIM)
    assert sum(flipped.left) == 17
    check(given=given, when=m.Flip("ana"), by=P1, drawn=[13], then=[flipped], options=HEROIC)


@pytest.mark.parametrize(("discarded", "forced"), [(4, False), (5, True)])
def test_7_1_exhausted_cards_are_not_in_the_deck_at_the_end_of_a_turn(
    discarded: int, forced: bool
) -> None:
    given = [ANA, lost(*ALL[:10]), TURN, gone(*ALL[10 : 10 + discarded])]
    ended = m.TurnEnded("ana", 10 - discarded)
    shuffled = m.Reshuffled("ana", Shuffle.FORCED, 10 - discarded, discarded)
    then = [ended, shuffled] if forced else [ended]
    check(given=given, when=m.EndTurn("ana"), by=P1, then=then, options=HEROIC)


def test_8_4_exhausted_cards_show_no_number() -> None:
    exhausted = ("D02", "D07")
    flipped = m.NumberFlipped("ana", Number.D4, DeckName.D, (), ("D14",), 1, exhausted, "a guard")
    when = m.FlipNumber("ana", Number.D4, "a guard")
    given = [ANA, lost(*exhausted)]
    check(given=given, when=when, by=P1, drawn=[14], then=[flipped], options=HEROIC)


MOVES = [
    # card, to, from, the discard and the exhaustion pile after that
    (20, Pile.EXHAUSTION, Pile.DECK, ("D07",), ("D12", "D20")),
    (7, Pile.EXHAUSTION, Pile.DISCARD, (), ("D12", "D07")),
    (12, Pile.DISCARD, Pile.EXHAUSTION, ("D07", "D12"), ()),
    (12, Pile.DECK, Pile.EXHAUSTION, ("D07",), ()),
    (7, Pile.DECK, Pile.DISCARD, (), ("D12",)),
]


@pytest.mark.parametrize(("card", "to", "old", "discard", "exhausted"), MOVES)
def test_10_2_the_gm_puts_the_exhaustion_pile_right(
    card: int, to: Pile, old: Pile, discard: tuple[str, ...], exhausted: tuple[str, ...]
) -> None:
    given = [ANA, lost("D12"), gone("D07")]
    moved = m.CardMoved("ana", f"D{card:02}", old, to, discard, R, exhausted)
    when = m.MoveCard("ana", card, to, R)
    check(given=given, when=when, by=GM, then=[moved], options=HEROIC)
    character = after(ANA, [*given, moved], HEROIC).characters["ana"]
    assert (character.discard, character.exhausted) == (discard, exhausted)


@pytest.mark.parametrize("options", [HEROIC, GRITTY])
@pytest.mark.parametrize("discard", [(), ALL[:9], ALL[:18]])
@pytest.mark.parametrize("when", [m.LoseStamina("ana", 1), m.TakeInjury("ana", Injury.HARM)])
def test_odds_of_a_loss_are_what_every_branch_comes_to(
    options: Options, discard: tuple[str, ...], when: Message
) -> None:
    discarded = [gone(*discard)] if discard else []
    state = after(ANA, [ANA, TURN, lost("D20"), *discarded], options)
    chances = odds(ruleset, state, when, P1)
    assert sum(chances.values()) == 1
    if options is HEROIC or discard:  # else ten cards without the mark could come first
        assert chances == enumerate_odds(ruleset, state, when, P1)


def test_odds_of_a_whole_deck() -> None:
    heroic, gritty = (
        odds(ruleset, after(ANA, [ANA], options), m.LoseStamina("ana", 10), P1)
        for options in (HEROIC, GRITTY)
    )
    assert heroic == dict.fromkeys(ALL, Fraction(1, 20))
    assert gritty == dict.fromkeys(ALL[10:], Fraction(1, 10))


def test_odds_of_a_breather_are_those_of_a_d4() -> None:
    state = after(ANA, [ANA, lost("D12"), tried(), hard(), dodged("D11")], HEROIC)
    chances = odds(ruleset, state, m.TakeBreather("ana"), P1)
    assert chances == {str(face): Fraction(1, 4) for face in range(1, 5)}
