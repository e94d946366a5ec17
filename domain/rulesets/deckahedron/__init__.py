"""Deckahedron: each player flips cards from a twenty-card deck.

Each card shows four results, one on each edge. The rank of the character's stat determines which
edge counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import get_args

from msgspec import UNSET

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.deckahedron import messages as m, rules
from domain.rulesets.deckahedron.decider import decide
from domain.rulesets.deckahedron.presentation import describe, show, tally
from domain.rulesets.deckahedron.rules import METHODS, Options
from domain.rulesets.deckahedron.state import State, evolve, initial


def odds(state: State, command: m.Command) -> Mapping[str, Fraction] | None:
    """Return the probability of each outcome of a flip from the current deck.

    Return None if the command flips no cards, or if the GM has not set the attempt's difficulty.
    """
    match command:
        case m.Flip():
            return _flip_odds(state, command)
        case m.FlipNumber():
            return _number_odds(state, command)
        case _:
            return None


def _flip_odds(state: State, command: m.Flip) -> Mapping[str, Fraction] | None:
    character = state.characters[command.entity]
    if character.attempt is UNSET or character.attempt.challenge is UNSET:
        return None
    challenge = character.attempt.challenge
    flips = METHODS[challenge.difficulty].flips
    discard = rules.discard_before_flips(character.discard, flips)
    left = rules.results_left(state.options.deck, discard, challenge.rank)
    ways = rules.result_ways(left, challenge.difficulty)
    return {str(result): Fraction(hands, comb(sum(left), flips)) for result, hands in ways.items()}


def _number_odds(state: State, command: m.FlipNumber) -> Mapping[str, Fraction]:
    deck = state.options.deck
    discard = rules.discard_before_number(
        deck, state.characters[command.entity].discard, command.number
    )
    ways = rules.number_ways(deck, discard, command.number)
    return {str(value): Fraction(count, sum(ways.values())) for value, count in ways.items()}


def carry(state: State) -> Mapping[str, Option]:
    """Return the deck version, the only option that carries over (RULES 9.3)."""
    return {"deck": str(state.options.deck)}


ruleset: Ruleset[State, m.Command, m.Event, Options] = Ruleset(
    name="deckahedron",
    edition="1",
    title="Deckahedron",
    options=Options,
    state=State,
    commands=get_args(m.Command),
    events=get_args(m.Event),
    decider=Decider(initial, decide, evolve),
    show=show,
    describe=describe,
    tally=tally,
    odds=odds,
    carry=carry,
)
