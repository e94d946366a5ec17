"""What Deckahedron's book promises whatever is played."""

from __future__ import annotations

from hypothesis import given

from domain.rulesets.deckahedron import messages as m, ruleset
from domain.rulesets.deckahedron.rules import (
    CARDS,
    DECKS,
    METHODS,
    Stat,
    counting_result,
    number_on,
    result_on,
)
from tests.domain.scripts import script, scripts, seeded, seeds


@scripts
@given(seed=seeds)
def test_each_flip_draws_one_of_the_cards_left(seed: int) -> None:
    for turn in script(ruleset, seed).accepted:
        flips = [event for event in turn.events if isinstance(event, m.Flipped | m.NumberFlipped)]
        left = [CARDS - len(flip.discard) - nth for flip in flips for nth in range(len(flip.cards))]
        chance = seeded(turn.drawn)
        ruleset.decider.decide(turn.state, turn.command, turn.by, chance)  # type: ignore[arg-type]
        assert [sides for sides, _ in chance.values] == left


@scripts
@given(seed=seeds)
def test_twenty_cards_six_points_and_one_character_a_seat(seed: int) -> None:
    for state in script(ruleset, seed).states:
        seats = [of.seat for of in state.characters.values() if not of.retired]
        assert len(seats) == len(set(seats))
        for of in state.characters.values():
            assert len(set(of.discard)) == len(of.discard) <= CARDS
            assert set(of.discard) <= set(DECKS[state.options.deck])
            ranks = [of.ranks.of(stat) for stat in Stat]
            assert (sum(ranks), min(ranks) >= 1, max(ranks) <= 4) == (6, True, True)


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
            assert not set(event.cards) & set(event.discard)
        if isinstance(event, m.NumberFlipped):
            *zeros, last = [number_on(card, event.number) for card in event.cards]
            assert (set(zeros) <= {0}, last) == (True, event.value)


@scripts
@given(seed=seeds)
def test_a_deck_of_five_cards_is_reshuffled_after_an_action_unless_the_turn_goes_on(
    seed: int,
) -> None:
    for turn in script(ruleset, seed).accepted:
        if any(isinstance(event, m.Interpreted | m.NumberFlipped) for event in turn.events):
            of = turn.after.characters[turn.events[0].entity]
            assert of.turn_open or CARDS - len(of.discard) > 5


@scripts
@given(seed=seeds)
def test_a_reshuffle_makes_the_deck_whole(seed: int) -> None:
    for turn in script(ruleset, seed).accepted:
        state = turn.state
        for event in turn.events:
            before = state.characters.get(event.entity)
            state = ruleset.decider.evolve(state, event)
            if isinstance(event, m.Reshuffled):
                assert len(before.discard) == event.returned == CARDS - event.left
                assert state.characters[event.entity].discard == ()
