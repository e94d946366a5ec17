"""What an open table promises whatever is played."""

from __future__ import annotations

from hypothesis import given
from msgspec import UNSET

from domain.rulesets.open import messages as m, rules, ruleset
from domain.rulesets.open.notation import parse
from fairlog.testing.script import seeded
from tests.domain.scripts import script, scripts, seeds


@scripts
@given(seed=seeds)
def test_sheets_stay_within_their_limits(seed: int) -> None:
    for state in script(ruleset, seed).states:
        assert len(state.characters) <= rules.MAX_CHARACTERS
        for character in state.characters.values():
            for bar in character.bars:
                assert 0 <= bar.now <= bar.max
            for held in character.conditions:
                assert held.rounds is UNSET or held.rounds >= 1
                assert held.minutes is UNSET or held.minutes >= 1
                assert UNSET in (held.rounds, held.minutes)
            lists = (character.numbers, character.bars, character.conditions, character.rolls)
            for parts in lists:
                assert len({rules.fold_words(part.name) for part in parts}) == len(parts)
            for saved in character.rolls:
                parse(saved.notation)


@scripts
@given(seed=seeds)
def test_every_card_is_in_one_place(seed: int) -> None:
    for state in script(ruleset, seed).states:
        for deck in state.decks.values():
            places = [*deck.left, *(card.place for card in deck.in_play), *deck.discard]
            assert sorted(places) == list(range(len(deck.cards)))


@scripts
@given(seed=seeds)
def test_turns_go_from_the_highest_to_the_lowest(seed: int) -> None:
    for state in script(ruleset, seed).states:
        numbers = [place.initiative for place in state.order]
        entities = [place.entity for place in state.order]
        assert numbers == sorted(numbers, reverse=True)
        assert len(set(entities)) == len(entities)
        assert {place.entity for place in state.changes} <= set(entities)
        assert state.at is UNSET or state.at in entities
        assert (state.at is UNSET) == (state.round == 0)
        assert not any(state.characters[entity].removed for entity in entities)


@scripts
@given(seed=seeds)
def test_no_character_has_two_turns_in_a_round(seed: int) -> None:
    acted: set[tuple[int, str]] = set()
    for event in script(ruleset, seed).events:
        match event:
            case m.InitiativeEnded():
                acted.clear()
            case m.TurnStarted(entity, number):
                assert (number, entity) not in acted
                acted.add((number, entity))


@scripts
@given(seed=seeds)
def test_a_roll_records_every_value_that_was_drawn(seed: int) -> None:
    for state, command, by, drawn, events, _ in script(ruleset, seed).accepted:
        if isinstance(command, m.Roll | m.RollInitiative):
            chance = seeded(drawn)
            ruleset.decider.decide(state, command, by, chance)
            [event] = events
            faces = [
                (dice.sides, face - dice.low + 1)
                for dice in event.dice
                for die in dice.rolled
                for face in die
            ]
            assert faces == list(chance.values)
            for dice in event.dice:
                assert len(set(dice.rerolled)) == len(dice.rerolled) <= len(dice.rolled)
