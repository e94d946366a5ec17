"""An attempt, from its declaration over difficulty and flip to the GM's interpretation (RULES 5 and 6)."""

from __future__ import annotations

from msgspec import UNSET

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.deckahedron import rules
from domain.rulesets.deckahedron.decider import decks, guards
from domain.rulesets.deckahedron.messages.commands import (
    Attempt,
    Choose,
    Flip,
    Interpret,
    Resolution,
    SetDifficulty,
    TellOutcome,
    Withdraw,
)
from domain.rulesets.deckahedron.messages.events import (
    Attempted,
    CardChosen,
    DifficultySet,
    Event,
    Flipped,
    Interpreted,
    OutcomeTold,
    Withdrawn,
)
from domain.rulesets.deckahedron.rules import METHODS, TiedCards, cards
from domain.rulesets.deckahedron.state import Challenge, State


def decide(state: State, command: Resolution, by: By, chance: Chance) -> tuple[Event, ...]:
    match command:
        case Attempt():
            return _attempt(state, command, by)
        case SetDifficulty():
            return _set_difficulty(state, command, by)
        case TellOutcome():
            return _tell_outcome(state, command, by)
        case Withdraw():
            return _withdraw(state, command, by)
        case Flip():
            return _flip(state, command, by, chance)
        case Choose():
            return _choose(state, command, by)
        case Interpret():
            return _interpret(state, command, by)


def _attempt(state: State, command: Attempt, by: By) -> tuple[Event, ...]:
    guards.idle(command.entity, guards.own(state, command.entity, by))
    return (Attempted(command.entity, command.aim),)


def _set_difficulty(state: State, command: SetDifficulty, by: By) -> tuple[Event, ...]:
    guards.master(by)
    character = guards.in_play(state, command.entity)
    if character.attempt is not UNSET:
        guards.unflipped(command.entity, character)
    rank, flips = character.ranks.of(command.stat), METHODS[command.difficulty].flips
    return (DifficultySet(command.entity, command.stat, rank, command.difficulty, flips),)


def _tell_outcome(state: State, command: TellOutcome, by: By) -> tuple[Event, ...]:
    guards.master(by)
    guards.unflipped(command.entity, guards.in_play(state, command.entity))
    return (OutcomeTold(command.entity, command.text),)


def _withdraw(state: State, command: Withdraw, by: By) -> tuple[Event, ...]:
    guards.unflipped(command.entity, guards.own(state, command.entity, by))
    return (Withdrawn(command.entity),)


def _flip(state: State, command: Flip, by: By, chance: Chance) -> tuple[Event, ...]:
    character = guards.own(state, command.entity, by)
    challenge = guards.challenged(command.entity, character)
    flips = METHODS[challenge.difficulty].flips
    discard = cards.before_flips(character.discard, flips)
    hand = decks.flip(state.options.deck, discard, flips, chance)
    before = decks.shuffled_in(command.entity, character.discard, discard)
    return *before, _flipped(state, command.entity, challenge, discard, hand)


def _flipped(
    state: State, entity: str, challenge: Challenge, discard: decks.Cards, hand: decks.Cards
) -> Flipped:
    """Every card is read on the same edge; of tied ones the first resolves."""
    deck = state.options.deck
    results = tuple(cards.result_on(card, challenge.rank) for card in hand)
    result = rules.taken(results, challenge.difficulty)
    return Flipped(
        entity,
        challenge.stat,
        challenge.rank,
        challenge.difficulty,
        deck,
        discard,
        cards.left_on(deck, discard, challenge.rank),
        hand,
        results,
        hand[results.index(result)],
        result,
    )


def _choose(state: State, command: Choose, by: By) -> tuple[Event, ...]:
    outcome = guards.flipped(command.entity, guards.own_luck(state, command.entity, by))
    if state.options.tied_cards is not TiedCards.PLAYER:
        raise Refused("first-card-resolves", entity=command.entity, card=outcome.card)
    card = cards.card_id(state.options.deck, command.card)
    shown = zip(outcome.cards, outcome.results, strict=True)
    tied = tuple(other for other, result in shown if result is outcome.result)
    if card not in tied:
        raise Refused("card-not-tied", card=card, tied=tied)
    return (CardChosen(command.entity, outcome.card, card),)


def _interpret(state: State, command: Interpret, by: By) -> tuple[Event, ...]:
    guards.master(by)
    character = guards.in_play(state, command.entity)
    outcome = guards.flipped(command.entity, character)
    interpreted = Interpreted(command.entity, outcome.result, command.text)
    return interpreted, *decks.turn_over(command.entity, character, character.discard)
