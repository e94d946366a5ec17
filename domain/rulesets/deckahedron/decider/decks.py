"""The twenty cards: flips, turns and reshuffles (RULES 4, 7 and 8)."""

from __future__ import annotations

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.deckahedron.decider import guards
from domain.rulesets.deckahedron.messages.commands import (
    EndTurn,
    FlipNumber,
    OpenTurn,
    Reshuffle,
    Upkeep,
)
from domain.rulesets.deckahedron.messages.events import (
    Event,
    NumberFlipped,
    Reshuffled,
    TurnEnded,
    TurnOpened,
)
from domain.rulesets.deckahedron.rules import RESHUFFLE_AT, Shuffle, cards
from domain.rulesets.deckahedron.rules.cards import CARDS, DeckName
from domain.rulesets.deckahedron.state import Character, State

Cards = tuple[str, ...]


def decide(state: State, command: Upkeep, by: By, chance: Chance) -> tuple[Event, ...]:
    match command:
        case OpenTurn():
            return _open_turn(state, command, by)
        case EndTurn():
            return _end_turn(state, command, by)
        case Reshuffle():
            return _reshuffle(state, command, by)
        case FlipNumber():
            return _flip_number(state, command, by, chance)


def flip(deck: DeckName, discard: Cards, flips: int, chance: Chance) -> Cards:
    """So many of the cards left, one after the other."""
    left = list(cards.remaining(deck, discard))
    return tuple(left.pop(chance.draw(len(left)) - 1) for _ in range(flips))


def shuffled_in(entity: str, before: Cards, after: Cards) -> tuple[Event, ...]:
    """What is told where the discard had to go back before a flip."""
    return () if before == after else (_shuffled(entity, before, Shuffle.SHORT),)


def turn_over(entity: str, of: Character, discard: Cards) -> tuple[Event, ...]:
    """What the end of an action comes to: a turn of one action ends, a longer one goes on."""
    return () if of.turn_open else _check(entity, discard)


def _check(entity: str, discard: Cards) -> tuple[Event, ...]:
    """The forced reshuffle, where a turn has ended with too few cards."""
    if CARDS - len(discard) > RESHUFFLE_AT:
        return ()
    return (_shuffled(entity, discard, Shuffle.FORCED),)


def _shuffled(entity: str, discard: Cards, why: Shuffle) -> Reshuffled:
    return Reshuffled(entity, why, CARDS - len(discard), len(discard))


def _open_turn(state: State, command: OpenTurn, by: By) -> tuple[Event, ...]:
    guards.master(by)
    if guards.in_play(state, command.entity).turn_open:
        raise Refused("turn-open", entity=command.entity)
    return (TurnOpened(command.entity),)


def _end_turn(state: State, command: EndTurn, by: By) -> tuple[Event, ...]:
    character = guards.own(state, command.entity, by)
    guards.idle(command.entity, character)
    if not character.turn_open:
        raise Refused("no-turn-open", entity=command.entity)
    ended = TurnEnded(command.entity, CARDS - len(character.discard))
    return ended, *_check(command.entity, character.discard)


def _reshuffle(state: State, command: Reshuffle, by: By) -> tuple[Event, ...]:
    character = guards.own_luck(state, command.entity, by)
    guards.idle(command.entity, character)
    return (_shuffled(command.entity, character.discard, Shuffle.CHOSEN),)


def _flip_number(state: State, command: FlipNumber, by: By, chance: Chance) -> tuple[Event, ...]:
    character = guards.own(state, command.entity, by)
    guards.idle(command.entity, character)
    deck = state.options.deck
    if not cards.number_ways(deck, (), command.number):
        raise Refused("deck-without-numbers", deck=deck, number=command.number)
    discard = cards.before_number(deck, character.discard, command.number)
    hand, value = _flip_until_shown(deck, discard, command, chance)
    flipped = NumberFlipped(command.entity, command.number, deck, discard, hand, value)
    before = shuffled_in(command.entity, character.discard, discard)
    return *before, flipped, *turn_over(command.entity, character, discard + hand)


def _flip_until_shown(
    deck: DeckName, discard: Cards, command: FlipNumber, chance: Chance
) -> tuple[Cards, int]:
    """The cards flipped, and the number on the last of them; those before it show none."""
    hand: Cards = ()
    while True:
        hand += flip(deck, discard + hand, 1, chance)
        if value := cards.number_on(hand[-1], command.number):
            return hand, value
