"""What Deckahedron's book promises whatever is played."""

from __future__ import annotations

from hypothesis import given

from domain.ruleset import Message
from domain.rulesets.deckahedron import messages as m, ruleset
from domain.rulesets.deckahedron.rules import (
    CARDS,
    DECKS,
    METHODS,
    STAMINA,
    Stat,
    counting_result,
    number_on,
    result_on,
    stamina_cards,
)
from fairlog.testing.script import seeded
from tests.domain.scripts import script, scripts, seeds


def asked_for(event: Message) -> list[int]:
    """Return the sides of the values that the event asked for."""
    match event:
        case m.Flipped() | m.NumberFlipped() | m.StaminaLost():
            left = CARDS - len(event.discard) - len(event.exhausted or ())
            return [left - nth for nth in range(len(event.cards))]
        case m.BreatherTaken(die=int()):
            return [4]
    return []


@scripts
@given(seed=seeds)
def test_each_flip_draws_one_of_the_cards_left(seed: int) -> None:
    for turn in script(ruleset, seed).accepted:
        chance = seeded(turn.drawn)
        ruleset.decider.decide(turn.state, turn.command, turn.by, chance)  # type: ignore[arg-type]
        assert [sides for sides, _ in chance.values] == [
            sides for event in turn.events for sides in asked_for(event)
        ]


@scripts
@given(seed=seeds)
def test_twenty_cards_six_points_and_one_character_a_seat(seed: int) -> None:
    for state in script(ruleset, seed).states:
        playing = [of for of in state.characters.values() if not of.retired]
        seats = [of.seat for of in playing if not of.npc]
        assert len(seats) == len(set(seats))
        for of in state.characters.values():
            assert len(set(of.gone)) == len(of.gone) <= CARDS
            assert set(of.gone) <= set(DECKS[state.options.deck])
            ranks = [of.ranks.of(stat) for stat in Stat]
            assert (sum(ranks), min(ranks) >= 1, max(ranks) <= 4) == (6, True, True)


@scripts
@given(seed=seeds)
def test_ten_stamina_two_harm_and_three_wounds_at_most(seed: int) -> None:
    for state in script(ruleset, seed).states:
        for of in state.characters.values():
            now = of.current_fatigue
            assert len(now.exhausted) <= STAMINA
            assert (0 <= now.harm <= 2, 0 <= now.wounds <= 3) == (True, True)
            assert state.options.stamina_mode or not now.exhausted


@scripts
@given(seed=seeds)
def test_conditions_and_counters_are_of_characters_in_play(seed: int) -> None:
    for state in script(ruleset, seed).states:
        held = (*state.conditions.values(), *state.counters.values())
        assert not [of for of in held if state.characters[of.entity].retired]
        for of in state.conditions.values():
            assert not (of.rounds and of.minutes)
            assert of.rounds != 0 != of.minutes


@scripts
@given(seed=seeds)
def test_a_hand_is_what_the_difficulty_says_and_its_result_is_on_the_card_that_resolves(
    seed: int,
) -> None:
    for event in script(ruleset, seed).events:
        if isinstance(event, m.Flipped):
            assert len(event.cards) == METHODS[event.difficulty].flips
            assert list(event.results) == [result_on(card, event.rank) for card in event.cards]
            assert result_on(event.card, event.rank) is event.result
            assert counting_result(event.results, event.difficulty) is event.result
            assert not set(event.cards) & {*event.discard, *(event.exhausted or ())}
        if isinstance(event, m.NumberFlipped):
            *zeros, last = [number_on(card, event.number) for card in event.cards]
            assert (set(zeros) <= {0}, last) == (True, event.value)
        if isinstance(event, m.StaminaLost):
            costly = stamina_cards(event.deck, (), event.mode)
            assert event.lost == tuple(card for card in event.cards if card in costly)
            assert event.cards[-1] == event.lost[-1]


@scripts
@given(seed=seeds)
def test_a_deck_of_five_cards_is_reshuffled_after_an_action_unless_the_turn_goes_on(
    seed: int,
) -> None:
    for turn in script(ruleset, seed).accepted:
        if any(isinstance(event, m.Interpreted | m.NumberFlipped) for event in turn.events):
            of = turn.after.characters[turn.events[0].entity]
            assert of.turn_open or CARDS - len(of.gone) > 5


@scripts
@given(seed=seeds)
def test_a_reshuffle_makes_the_deck_whole(seed: int) -> None:
    for turn in script(ruleset, seed).accepted:
        state = turn.state
        for event in turn.events:
            before = state.characters.get(event.entity)
            state = ruleset.decider.evolve(state, event)
            if isinstance(event, m.Reshuffled):
                in_deck = CARDS - event.left - len(before.exhausted)
                assert len(before.discard) == event.returned == in_deck
                assert state.characters[event.entity].discard == ()
