"""Deckahedron: a deck of twenty cards for each player, four edges to a card, one edge to a rank."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import get_args

from msgspec import UNSET

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.deckahedron import rules
from domain.rulesets.deckahedron.decider import decide
from domain.rulesets.deckahedron.messages.commands import Command, Flip, FlipNumber
from domain.rulesets.deckahedron.messages.events import Event
from domain.rulesets.deckahedron.rules import METHODS, Options, cards
from domain.rulesets.deckahedron.state import State, evolve, initial
from domain.rulesets.deckahedron.telling import show, tally, tell


def odds(state: State, command: Command) -> Mapping[str, Fraction] | None:
    """Of a flip that the rules allow, from the counts of the cards left; None: nothing else asks for a card."""
    match command:
        case Flip():
            return _flip_odds(state, command)
        case FlipNumber():
            return _number_odds(state, command)
        case _:
            return None


def _flip_odds(state: State, command: Flip) -> Mapping[str, Fraction] | None:
    character = state.characters[command.entity]
    if character.attempt is UNSET or character.attempt.challenge is UNSET:
        return None
    challenge = character.attempt.challenge
    flips = METHODS[challenge.difficulty].flips
    discard = cards.before_flips(character.discard, flips)
    left = cards.left_on(state.options.deck, discard, challenge.rank)
    ways = rules.ways(left, challenge.difficulty)
    return {str(result): Fraction(hands, comb(sum(left), flips)) for result, hands in ways.items()}


def _number_odds(state: State, command: FlipNumber) -> Mapping[str, Fraction]:
    deck = state.options.deck
    discard = cards.before_number(deck, state.characters[command.entity].discard, command.number)
    ways = cards.number_ways(deck, discard, command.number)
    return {str(value): Fraction(count, sum(ways.values())) for value, count in ways.items()}


def carry(state: State) -> Mapping[str, Option]:
    """The deck that the next session may be played with; its cards begin all shuffled (RULES 9.3)."""
    return {"deck": str(state.options.deck)}


ruleset: Ruleset[State, Command, Event, Options] = Ruleset(
    name="deckahedron",
    edition="1",
    title="Deckahedron",
    options=Options,
    state=State,
    commands=get_args(Command),
    events=get_args(Event),
    decider=Decider(initial, decide, evolve),
    show=show,
    tell=tell,
    tally=tally,
    odds=odds,
    carry=carry,
)
