"""Deckahedron: each player flips cards from a twenty-card deck.

Each card shows four results, one on each edge. The rank of the character's stat determines which
edge counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from math import comb
from typing import get_args

from msgspec import UNSET

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.deckahedron import messages as m, rules
from domain.rulesets.deckahedron.cards import roll_card
from domain.rulesets.deckahedron.controls import CONTROLS, TITLES
from domain.rulesets.deckahedron.decider import decide
from domain.rulesets.deckahedron.event_fields import EVENT_FIELDS
from domain.rulesets.deckahedron.presentation import WORDING, describe, show, tally
from domain.rulesets.deckahedron.refusals import REFUSALS
from domain.rulesets.deckahedron.rules import METHODS, STAMINA, Options
from domain.rulesets.deckahedron.state import State, evolve, initial


def odds(state: State, command: m.Command) -> Mapping[str, Fraction] | None:
    """Return the probability of each outcome of the cards that the command draws.

    Return None if the command draws no cards, if the GM has not set the attempt's difficulty, or
    if the command costs stamina and the session does not count it.
    """
    match command:
        case m.Flip():
            return _flip_odds(state, command)
        case m.FlipNumber():
            return _number_odds(state, command)
        case m.LoseStamina(entity, points):
            return _stamina_odds(state, entity, points)
        case m.TakeInjury(entity):
            return _stamina_odds(state, entity, 1)
        case _:
            return None


def _flip_odds(state: State, command: m.Flip) -> Mapping[str, Fraction] | None:
    character = state.characters[command.entity]
    if character.attempt is UNSET or character.attempt.challenge is UNSET:
        return None
    challenge, exhausted = character.attempt.challenge, character.exhausted
    flips = METHODS[challenge.difficulty].flips
    discard = rules.discard_before_flips(character.discard, flips, exhausted)
    left = rules.results_left(state.options.deck, discard + exhausted, challenge.rank)
    ways = rules.result_ways(left, challenge.difficulty)
    return {str(result): Fraction(hands, comb(sum(left), flips)) for result, hands in ways.items()}


def _number_odds(state: State, command: m.FlipNumber) -> Mapping[str, Fraction]:
    deck, character = state.options.deck, state.characters[command.entity]
    exhausted = character.exhausted
    discard = rules.discard_before_number(deck, character.discard, command.number, exhausted)
    ways = rules.number_ways(deck, discard + exhausted, command.number)
    return {str(value): Fraction(count, sum(ways.values())) for value, count in ways.items()}


def _stamina_odds(state: State, entity: str, points: int) -> Mapping[str, Fraction] | None:
    """Return the probability that each card is the last one to be exhausted.

    Return None if the session does not count stamina.
    """
    deck, mode, character = state.options.deck, state.options.stamina_mode, state.characters[entity]
    if mode is UNSET:
        return None
    exhausted = character.exhausted
    lost = min(points, STAMINA - len(exhausted))
    discard = rules.discard_before_loss(deck, character.discard, exhausted, mode, lost)
    cards = rules.stamina_cards(deck, discard + exhausted, mode)
    return {card: Fraction(1, len(cards)) for card in cards}


def carry(state: State) -> Mapping[str, Option]:
    """Return the deck version, the only option that carries over (RULES 9.3)."""
    return {"deck": str(state.options.deck)}


def _edition(edition: str) -> Ruleset[State, m.Command, m.Event, Options]:
    """Return an edition of the ruleset. The `_SINCE` constants in `rules` list the differences."""
    return Ruleset(
        name="deckahedron",
        edition=edition,
        title="Deckahedron",
        package=__name__,
        options=Options,
        state=State,
        commands=get_args(m.Command),
        events=get_args(m.Event),
        summary="Flip cards instead of dice. A deck of 20, four edges, four results.",
        shape="deck",
        first_values={
            "deckahedron.DistributeRanks": {"strength": 2, "dexterity": 2, "intelligence": 2}
        },
        first_steps=("deckahedron.DistributeRanks",),
        event_fields=EVENT_FIELDS,
        card=roll_card,
        controls=CONTROLS,
        titles=TITLES,
        decider=Decider(partial(initial, int(edition)), decide, evolve),
        show=show,
        wording=WORDING,
        describe=describe,
        refusals=REFUSALS,
        tally=tally,
        odds=odds,
        carry=carry,
        named_seats_must_play=int(edition) >= rules.NAMED_SEATS_MUST_PLAY_SINCE,
    )


ruleset = _edition("2")
edition_1 = _edition("1")
